// Checks at the description of a test bench, beyond those of the compiler: defaults, units, the start, inputs that
// change the mass.
#include <string>

#include "describe/checks.hpp"
#include "describe/description.hpp"
#include "support/test.hpp"
#include "test_benches/four_bar.hpp"
#include "test_benches/woodpecker.hpp"

namespace {

using moreau::bench::describe::Checks;
using moreau::bench::describe::unit_of;

struct Heavy : WoodpeckerBench {  // an input changes its constant mass
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Model::m_S>("kg", 1e-3, 1e-2));
};
struct Outside : WoodpeckerBench {
  static constexpr auto variables = moreau::bench::variables(moreau::bench::parameter<&Model::mu>("1", 0.5, 1));
};
struct Furlongs : WoodpeckerBench {
  static constexpr auto variables = moreau::bench::variables(moreau::bench::coordinate<0>("y", "furlong"));
};
struct Twice : WoodpeckerBench {
  static constexpr auto variables = moreau::bench::variables(moreau::bench::coordinate<0>("a.b_c", "m"),
                                                             moreau::bench::coordinate<1>("a.b.c", "rad"));
};
struct Late : WoodpeckerBench {
  static moreau::State<Model> start(const Model& model) {
    auto state = WoodpeckerBench::start(model);
    state.set_time(1);
    return state;
  }
};
struct Lost : WoodpeckerBench {
  static moreau::State<Model> start(const Model& model) {
    auto state = WoodpeckerBench::start(model);
    state.q(0) = std::numeric_limits<double>::quiet_NaN();
    return state;
  }
};

struct Apart {  // the loop of an ideal four-bar is open at angles of 0
  using Model = models::IdealFourBar<double>;
  static constexpr double dt = 1e-4;  // s
  static constexpr auto variables =
      moreau::bench::variables(moreau::bench::input<&Model::motor, &decltype(Model::motor)::torque>("N.m", -5, 5));
  static moreau::State<Model> start(const Model&) { return {}; }
};

struct Reaching : FourBarBench {  // with the reach of the last step
  static constexpr auto variables = moreau::bench::variables(moreau::bench::reach());
};

template <class Bench>
bool reports(const char* sentence) {
  const Checks<Bench> checks;
  for (const auto& finding : checks.findings)
    if (finding.find(sentence) != std::string::npos) return true;
  for (const auto& finding : checks.findings) moreau::port::print(finding.c_str());
  return false;
}

void test_valid_bench_has_no_findings(void) { CHECK(Checks<WoodpeckerBench>{}.findings.empty()); }
void test_findings(void) {
  CHECK(reports<Heavy>("m_S changes the mass of a constant_mass model"));
  CHECK(reports<Outside>("mu has a default outside its range"));
  CHECK(reports<Furlongs>("y has an unknown unit: furlong"));
  CHECK(reports<Twice>("a.b.c has the same name in C as a.b_c"));
  CHECK(reports<Late>("the start is not at time 0"));
  CHECK(reports<Lost>("the start is rejected: not_finite"));
  CHECK(reports<Apart>("the start has an open joint: row "));
}

// "step.reach" is 0 before the first step, and then the value of step_reach of the same step.
void test_reach_of_the_last_step(void) {
  using Plant = moreau::bench::Plant<Reaching>;
  constexpr int variable = Plant::Table::find("step.reach");
  Plant plant;
  double value = -1;
  CHECK(plant.get(variable, value) == moreau::bench::Answer::ok);
  CHECK_EQUAL(0.0, value);
  double largest = 0;
  for (int n = 0; n < 200; ++n) {
    const auto before = plant.state();
    CHECK(plant.step() == moreau::bench::Answer::ok);
    CHECK(plant.get(variable, value) == moreau::bench::Answer::ok);
    CHECK_EQUAL(double(step_reach(plant.snapshot().model, before, plant.state()).worst().value), value);
    largest = value > largest ? value : largest;
  }
  CHECK(largest > 0.01 && largest < 0.3);
}

void test_units(void) {
  const auto is = [](const char* text, int kg, int m, int s, int rad) {
    const auto u = unit_of(text);
    return u.known && u.kg == kg && u.m == m && u.s == s && u.rad == rad && u.A == 0 && u.K == 0;
  };
  CHECK(is("N.m.s/rad", 1, 2, -1, -1));
  CHECK(is("kg.m2/s2", 1, 2, -2, 0));
  CHECK(is("1/s", 0, 0, -1, 0));
  CHECK(is("J", 1, 2, -2, 0));
  CHECK(is("1", 0, 0, 0, 0));
  for (const char* wrong : {"", "N..m", "m/s/s", "x", "m/", "/s", "N m"}) CHECK(!unit_of(wrong).known);
}

void test_token_distinguishes_lists(void) {
  using moreau::bench::describe::Description;
  CHECK(Description<WoodpeckerBench>("a").token == Description<WoodpeckerBench>("a").token);
  CHECK(Description<WoodpeckerBench>("a").token != Description<WoodpeckerBench>("b").token);
  CHECK(Description<WoodpeckerBench>("a").token != Description<Twice>("a").token);
}

}  // namespace

TEST_MAIN({
  TEST(test_valid_bench_has_no_findings);
  TEST(test_findings);
  TEST(test_reach_of_the_last_step);
  TEST(test_units);
  TEST(test_token_distinguishes_lists);
})
