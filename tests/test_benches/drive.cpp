// A client commands the drives of a bench through inputs: the speed of a turntable and the position of a carriage.
#include <string>

#include "describe/checks.hpp"
#include "moreau/bench/mechanism.hpp"
#include "moreau/bench/plant.hpp"
#include "support/test.hpp"

namespace {

namespace bench = moreau::bench;

struct Machine {
  using Real = ::Real;
  enum Names { table, carriage, bodies };
  moreau::Body<Real> body[bodies] = {{Real(1), Real(0.1)}, {Real(2), Real(0.1)}};
  moreau::Revolute<Real, moreau::ground, table> bearing;
  moreau::Prismatic<Real, moreau::ground, carriage> rail;
  moreau::Drive<Real, moreau::ground, table> turn;
  moreau::LinearDrive<Real, moreau::ground, carriage, moreau::CommandedPosition<Real>> feed;
  auto parts() const { return std::tie(bearing, rail, turn, feed); }
  Machine() { feed.law = {Real(0), Real(0.5), Real(4)}; }
};

struct MachineBench {
  using Model = moreau::Mechanism<Machine>;
  static constexpr double dt = 1e-3;  // s
  static constexpr auto variables = bench::variables(
      bench::input<&Machine::turn, &decltype(Machine::turn)::law, &moreau::CommandedSpeed<Real>::speed>("rad/s", -9, 9),
      bench::mechanism<Machine, &Machine::bearing, &Machine::rail, &Machine::turn, &Machine::feed>());
  static moreau::State<Model> start(const Model&) { return {}; }
};
using Plant = bench::Plant<MachineBench>;

int index_of(const std::string& name) {
  for (int i = 0; i < Plant::Table::count; ++i)
    if (name == Plant::Table::of(i).name.text) return i;
  return -1;
}
double value_of(const Plant& plant, const char* name) {
  double value = 0;
  CHECK(plant.get(index_of(name), value) == bench::Answer::ok);
  return value;
}
void set(Plant& plant, const char* name, double value) { CHECK(plant.set(index_of(name), value) == bench::Answer::ok); }
void run(Plant& plant, int steps) {
  std::int64_t done = 0;
  CHECK(plant.steps(steps, done) == bench::Answer::ok);
}

void test_description_has_no_findings(void) {
  const bench::describe::Checks<MachineBench> checks;
  for (const auto& finding : checks.findings) moreau::port::print(finding.c_str());
  CHECK(checks.findings.empty());
}

void test_inputs_command_the_drives(void) {
  Plant plant;
  set(plant, "turn.law.speed", 2);
  set(plant, "feed.law.position", 0.1);
  run(plant, 1000);
  CHECK_WITHIN(2e-3, 2, value_of(plant, "table.phi"));  // rad; half a step at the start
  CHECK_WITHIN(1e-6, 0.1, value_of(plant, "carriage.x"));
  set(plant, "turn.law.speed", -4);
  run(plant, 1);
  CHECK_WITHIN(5e-3, 2, value_of(plant, "table.phi"));
  CHECK_WITHIN(1, 0.1 * -6 / 1e-3, value_of(plant, "turn.moment"));  // N m
  const auto saved = plant.snapshot();                               // contains the commands
  run(plant, 300);
  const double there = value_of(plant, "table.phi");
  set(plant, "turn.law.speed", 0);
  run(plant, 10);
  plant.put(saved);
  run(plant, 300);
  CHECK(value_of(plant, "table.phi") == there);
}

void test_limits_of_inputs_hold(void) {
  Plant plant;
  CHECK(plant.set(index_of("turn.law.speed"), 10) == bench::Answer::out_of_range);
  CHECK(plant.set(index_of("turn.law.acceleration"), -1) == bench::Answer::out_of_range);
  CHECK(plant.set(index_of("feed.law.speed"), 0.2) == bench::Answer::ok);
}

}  // namespace

TEST_MAIN({
  TEST(test_description_has_no_findings);
  TEST(test_inputs_command_the_drives);
  TEST(test_limits_of_inputs_hold);
})
