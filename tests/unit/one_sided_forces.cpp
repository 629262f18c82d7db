// One-sided springs and bump stops: closed forms of depth, duration and rebound, no pull, order of accuracy, and their
// work in the energy audit.
#include <cmath>
#include <moreau/check/energy_audit.hpp>
#include <moreau/check/model_checker.hpp>
#include <moreau/mechanism.hpp>

#include "support/test.hpp"

namespace {

using namespace moreau;
constexpr bool is_double = sizeof(Real) == 8;
constexpr double k = 2000, m = 0.5, v = 1.5;  // N/m, kg, m/s

// A block that flies onto one of three equivalent stops, at x = 0, with k and m.
struct Block {
  using Real = ::Real;
  enum Names { block, bodies };
  Body<Real> body[bodies] = {{Real(m), Real(1e-3)}};
  Prismatic<Real, ground, block> rail;
  BumpStop<Real, ground, block> stop;
  OneSidedSpring<Real, ground, block> strut, rope;
  auto parts() const { return std::tie(rail, stop, strut, rope); }
  Block() {
    stop.normal = {Real(1), Real(0)};
    strut.on_A = rope.on_A = {Real(-1), Real(0)};
    strut.shortest = Real(1);
    rope.on_A = {Real(2), Real(0)};
    rope.longest = Real(2);
  }
};
using Model = Mechanism<Block>;
constexpr auto place = Model::slide_of<Model::block>;

struct Impact {
  double rebound, deepest, duration, largest_pull, work;
};

// One impact from x = 0.01 m at -v.
template <class Prepare>
Impact impact(double dt, double damping, const Prepare& prepare) {
  Model model;
  prepare(model, Real(k), Real(damping));
  State<Model> start;
  start.q(place) = Real(0.01);
  start.u(place) = Real(-v);
  Stepper machine{model, start};
  Impact result{0, 0, 0, 0, 0};
  for (double t = 0; t < 0.15; t += dt) {
    const double u = double(machine.state.u(place)), x = double(machine.state.q(place));
    const auto audited = audited_step(machine, Real(dt));
    CHECK(audited.step.status == Status::ok);
    const double force = m * (double(machine.state.u(place)) - u) / dt;
    result.deepest = std::fmax(result.deepest, -double(machine.state.q(place)));
    result.duration += force > (is_double ? 1e-9 : 1e-2) ? dt : 0;
    result.largest_pull = std::fmax(result.largest_pull, -force);
    result.work += double(audited.energy.work_forces);
    if (x > 0.02) CHECK(std::fabs(force) < (is_double ? 1e-9 : 1e-2));
  }
  result.rebound = double(machine.state.u(place));
  // The work of the forces is the change of the kinetic energy: there is no potential, no contact and no drive.
  CHECK_WITHIN(is_double ? 1e-12 : 1e-5, m / 2 * (result.rebound * result.rebound - v * v), result.work);
  return result;
}

const auto use_stop = [](Model& model, Real stiffness, Real damping) {
  model.stop.stiffness = stiffness, model.stop.damping = damping;
};
const auto use_strut = [](Model& model, Real stiffness, Real damping) {
  model.strut.stiffness = stiffness, model.strut.damping = damping;
};
const auto use_rope = [](Model& model, Real stiffness, Real damping) {
  model.rope.stiffness = stiffness, model.rope.damping = damping;
};

template <class Prepare>
void check_impacts(const Prepare& prepare) {
  const double omega = std::sqrt(k / m);
  const Impact elastic = impact(1e-5, 0, prepare);
  CHECK_WITHIN(1e-3 * v, v, elastic.rebound);
  CHECK_WITHIN(1e-3 * v / omega, v / omega, elastic.deepest);
  CHECK_WITHIN(3e-5, pi<double> / omega, elastic.duration);  // three steps
  for (const double zeta : {0.05, 0.3, 0.6}) {
    const double s = std::sqrt(1 - zeta * zeta);
    const double restitution = std::exp(-zeta / s * (pi<double> - std::atan2(2 * zeta * s, 1 - 2 * zeta * zeta)));
    const Impact damped = impact(1e-5, 2 * zeta * std::sqrt(k * m), prepare);
    CHECK_WITHIN(2e-3 * v, restitution * v, damped.rebound);
    CHECK(damped.largest_pull < (is_double ? 1e-9 : 1e-2));  // N
  }
}
void test_bump_stop_has_the_closed_form(void) { check_impacts(use_stop); }
void test_compressed_spring_has_the_closed_form(void) { check_impacts(use_strut); }
void test_rope_has_the_closed_form(void) { check_impacts(use_rope); }

// An elastic force starts at 0, so a touch or a release inside a step is an error of second order. It varies with the
// phase of the touch in its step.
void test_rebound_converges(void) {
  if constexpr (is_double) {
    double error[2] = {};
    for (int i = 0; i < 2; ++i)
      for (int phase = 0; phase < 10; ++phase)
        error[i] = std::fmax(error[i],
                             std::fabs(impact((i == 0 ? 1e-3 : 1e-4) * (1 + 0.013 * phase), 0, use_stop).rebound - v));
    moreau::port::print("errors of the rebound ", error[0], " ", error[1], " m/s");
    CHECK(error[0] < 0.05 * v);
    CHECK(error[1] < 0.02 * error[0]);  // second order: a hundredth
  }
}

// A lever between elastic stops of its angle.
struct Lever {
  using Real = ::Real;
  enum Names { lever, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(2e-3)}};
  Revolute<Real, ground, lever> pivot;
  OneSidedTorsionSpring<Real, ground, lever> stop{Real(-0.2), Real(0.3), Real(8), Real(0)};
  auto parts() const { return std::tie(pivot, stop); }
};

void test_lever_turns_between_its_stops(void) {
  using Turning = Mechanism<Lever>;
  constexpr auto turned = Turning::angle_of<Turning::lever>;
  State<Turning> start;
  start.u(turned) = Real(3);
  Stepper machine{Turning{}, start};
  double highest = 0, lowest = 0;
  for (int n = 0; n < 50000; ++n) {
    CHECK(machine.step(Real(2e-5)).status == Status::ok);
    highest = std::fmax(highest, double(machine.state.q(turned)));
    lowest = std::fmin(lowest, double(machine.state.q(turned)));
  }
  const double travel = 3 / std::sqrt(8 / 2e-3);
  CHECK_WITHIN(1e-3, 0.3 + travel, highest);
  CHECK_WITHIN(1e-3, -0.2 - travel, lowest);
  const double angle = double(machine.state.q(turned)), beyond = std::fmax(angle - 0.3, std::fmax(-0.2 - angle, 0));
  const double energy = 2e-3 / 2 * std::pow(double(machine.state.u(turned)), 2) + 8.0 / 2 * beyond * beyond;
  CHECK_WITHIN(0.02 * 9e-3, 9e-3, energy);  // J
}

// Forces on both bodies are opposite and act along one line: momentum and angular momentum remain.
struct Pair {
  using Real = ::Real;
  enum Names { one, two, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.02)}, {Real(2), Real(0.05)}};
  BumpStop<Real, one, two> stop{
      {Real(0.1), Real(0)}, {Real(0.8), Real(0.6)}, {Real(-0.1), Real(0.05)}, Real(0.02), Real(2000), Real(3)};
  OneSidedSpring<Real, one, two> rope{
      {Real(0.1), Real(0.1)}, {Real(0), Real(0.1)}, Real(0), Real(0.3), Real(300), Real(2)};
  OneSidedTorsionSpring<Real, one, two> twist{Real(-0.1), Real(0.1), Real(5), Real(0.01)};
  auto parts() const { return std::tie(stop, rope, twist); }
};

void test_momentum_remains(void) {
  using Both = Mechanism<Pair>;
  State<Both> start;
  start.q << Real(0), Real(0), Real(0), Real(0.15), Real(0.1), Real(0.05);
  start.u << Real(0.5), Real(0.1), Real(1), Real(-0.6), Real(0), Real(-1);
  Stepper machine{Both{}, start};
  const auto angular = [](const State<Both>& s) {
    double L = 0.02 * double(s.u(2)) + 0.05 * double(s.u(5));
    for (int b = 0; b < 2; ++b) L += (b + 1) * double(s.q(3 * b) * s.u(3 * b + 1) - s.q(3 * b + 1) * s.u(3 * b));
    return L;
  };
  const double p_x = double(start.u(0) + 2 * start.u(3)), p_y = double(start.u(1) + 2 * start.u(4)), L = angular(start);
  double moved = 0;
  for (int n = 0; n < 2000; ++n) {
    CHECK(machine.step(Real(1e-4)).status == Status::ok);
    moved = std::fmax(moved, std::fabs(double(machine.state.u(0) - start.u(0))));
  }
  CHECK(moved > 0.1);  // the forces acted
  CHECK_WITHIN(is_double ? 1e-12 : 1e-4, p_x, double(machine.state.u(0) + 2 * machine.state.u(3)));
  CHECK_WITHIN(is_double ? 1e-12 : 1e-4, p_y, double(machine.state.u(1) + 2 * machine.state.u(4)));
  CHECK_WITHIN(1e-3, L, angular(machine.state));  // second order in dt
}

void test_invalid_parameters_are_rejected(void) {
  const auto rejected = [](const auto& change) {
    Model model;
    change(model);
    return Stepper<Model>(model, {}).start_report().status == Status::invalid_argument;
  };
  CHECK(!rejected([](Model&) {}));
  CHECK(rejected([](Model& x) { x.stop.damping = Real(-1); }));
  CHECK(rejected([](Model& x) { x.stop.stiffness = Real(-1); }));
  CHECK(rejected([](Model& x) { x.stop.normal = {Real(1), Real(1)}; }));
  CHECK(rejected([](Model& x) { x.stop.radius = Real(-1); }));
  CHECK(rejected([](Model& x) { x.rope.shortest = Real(3); }));
  CHECK((!OneSidedTorsionSpring<Real, 0, 1>{Real(1), Real(-1), Real(1), Real(1)}.valid()));
}

}  // namespace

TEST_MAIN({
  TEST(test_bump_stop_has_the_closed_form);
  TEST(test_compressed_spring_has_the_closed_form);
  TEST(test_rope_has_the_closed_form);
  TEST(test_rebound_converges);
  TEST(test_lever_turns_between_its_stops);
  TEST(test_momentum_remains);
  TEST(test_invalid_parameters_are_rejected);
})
