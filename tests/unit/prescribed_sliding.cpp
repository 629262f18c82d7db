// Friction of contacts whose sliding velocity is prescribed by a drive (contact/prescribed_sliding.hpp): percussions,
// moment of the drive, loads of the joints and dissipated energy of a Scotch yoke agree with the closed form, with every
// solver, in both timings and in adaptive runs. A heavy flywheel in place of the drive gives the same.
#include <moreau/check/energy_audit.hpp>
#include <moreau/mechanism.hpp>
#include <moreau/moreau.hpp>

#include <algorithm>
#include <cmath>

#include "support/test.hpp"

namespace {

using namespace moreau;
constexpr bool is_double = sizeof(Real) == 8;
// Rounding errors of a load of some ten newtons, from sums of a few terms.
constexpr double load_rounding = is_double ? 1e-12 : 1e-4;
// Discretisation error of a load of some ten newtons at 1e-4 s, and rounding errors of velocities over dt in float.
constexpr double load_error = is_double ? 0.02 : 0.05;
const Real dt{1e-4};

double sign(double x) { return x > 0 ? 1 : (x < 0 ? -1 : 0); }

// Runs the test with every solver of planar problems, in both timings.
template <class Test>
void with_every_solver(const Test& test) {
  test.template run<Exact, Timing::variable>();
  test.template run<Exact, Timing::constant>();
  test.template run<Lemke, Timing::variable>();
  test.template run<Psor, Timing::variable>();
  test.template run<Newton, Timing::variable>();
  test.template run<Cascade<Psor, Lemke>, Timing::variable>();
  test.template run<Sweeps, Timing::constant>();
  test.template run<Newton, Timing::constant>();
}

constexpr double crank_radius = 0.05, slot_mu = 0.1, pulled = 17.69;  // m, 1, N
constexpr double phi_0 = 0.7;                                         // rad, crank angle at the start

// Scotch yoke: the pin of a driven crank presses on the yoke and slides along its slot.
template <class Law>
struct YokeParts {
  using Real = ::Real;
  enum Names { crank, yoke, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1e-3)}, {Real(2), Real(0.02)}};
  Revolute<Real, ground, crank> bearing;
  Drive<Real, ground, crank, Law> drive;
  Prismatic<Real, ground, yoke> guide;
  PointOnLine<Real, yoke, crank> slot;
  Pull<Real, ground, yoke> pull;
  Gravity<Real> gravity;
  auto parts() const { return std::tie(bearing, drive, guide, slot, pull, gravity); }

  YokeParts() {
    slot.normal = {Real(1), Real(0)};
    slot.on_B = {Real(crank_radius), Real(0)};
    slot.law.mu = Real(slot_mu);
    pull.force = {Real(pulled), Real(0)};
  }
};
template <class Law>
using Yoke = Mechanism<YokeParts<Law>>;

// Start on the motion of the drive, with the contact closed.
template <class Model>
State<Model> yoke_start(const Model& model, double omega) {
  State<Model> start;
  constexpr auto turned = Model::template angle_of<Model::crank>, place = Model::template slide_of<Model::yoke>;
  start.q(turned) = Real(phi_0);
  start.q(place) = Real(crank_radius * std::cos(phi_0) + 5e-7);
  start.u(turned) = Real(omega);
  start.u(place) = Real(-crank_radius * std::sin(phi_0) * omega);
  CHECK(close_joints(model, start).status == Status::ok);
  return start;
}

// Largest errors of the loads of a run with the crank angle angle(n) and speed omega(n) at the midpoint of step n.
struct YokeErrors {
  double N = 0, T = 0, torque = 0, guide = 0, work = 0, balance = 0;
};
template <class Stepper, class Angle, class Omega>
YokeErrors run_yoke(Stepper& machine, int steps, const Angle& angle, const Omega& omega) {
  using Model = typename Stepper::Model;
  YokeErrors e;
  double dissipated = 0, expected = 0;
  for (int n = 0; n < steps; ++n) {
    const auto before = machine.state;
    const auto audited = audited_step(machine, dt);
    CHECK_EQUAL(Status::ok, audited.step.status);
    CHECK_EQUAL(0, audited.step.fallbacks * int(Stepper::constant_covers.holds));
    const auto drive = joint_output(machine.model, &Model::drive, before, machine.state);
    const auto guide = joint_output(machine.model, &Model::guide, before, machine.state);
    const auto slot = joint_output(machine.model, &Model::slot, before, machine.state);
    const double th = angle(n), w = omega(n), v = crank_radius * w * std::cos(th);  // sliding velocity of the pin
    const double N = double(machine.state.P_N(0)) / double(dt), T = slot_mu * N * sign(v);
    dissipated += double(slot.dissipated);
    expected += slot_mu * N * std::fabs(v) * double(dt);
    e.balance = std::max(e.balance, std::fabs(double(audited.energy.left_over)));
    if (n < 10 || (v != 0 && std::fabs(v) < 2 * crank_radius * 100 * double(dt))) continue;  // start; around a reversal
    CHECK(!audited.energy.gain);
    e.T = std::max(e.T, std::fabs(double(machine.state.P_T(0, 0)) / double(dt) - T));
    const double torque = crank_radius * (std::sin(th) * N + std::cos(th) * T);
    e.torque = std::max(e.torque, std::fabs(double(drive.load.moment) - torque));
    e.guide = std::max(e.guide, std::fabs(double(guide.load.force.y) - (2 * 9.81 - T)));
  }
  e.work = expected > 0 ? std::fabs(dissipated / expected - 1) : std::fabs(dissipated);
  return e;
}

template <class Solver, Timing timing>
void check_yoke(double omega) {
  using Model = Yoke<ConstantSpeed<Real>>;
  Model model;
  model.drive.law = ConstantSpeed<Real>(Real(omega), Real(phi_0));
  Stepper<Model, Solver, timing> machine{model, yoke_start(model, omega)};
  const auto e = run_yoke(
      machine, 3000, [&](int n) { return phi_0 + omega * (n + 0.5) * double(dt); }, [&](int) { return omega; });
  CHECK_WITHIN(load_rounding, 0, e.T);
  CHECK_WITHIN(load_rounding, 0, e.torque);
  CHECK_WITHIN(load_rounding, 0, e.guide);
  CHECK_WITHIN(is_double ? 1e-5 : 1e-3, 0, e.work);
  CHECK_WITHIN(is_double ? 1e-14 : 1e-6, 0, e.balance);  // J per step, of 0.05 J
  // N = F - m x'' at the last step.
  const double th = phi_0 + omega * 2999.5 * double(dt);
  CHECK_WITHIN(load_error, pulled + 2 * crank_radius * omega * omega * std::cos(th),
               double(machine.state.P_N(0)) / double(dt));
}

struct YokeAtSpeed {
  double omega;
  template <class Solver, Timing timing>
  void run() const {
    check_yoke<Solver, timing>(omega);
  }
};
void test_scotch_yoke(void) {
  for (const double omega : {10.0, -10.0}) with_every_solver(YokeAtSpeed{omega});
}
// A drive at rest holds the load without friction, whatever the rounding errors of the velocities.
void test_standstill(void) { with_every_solver(YokeAtSpeed{0}); }

// The direction of sliding reverses with the drive.
struct Swing {
  DriveAngle<Real> operator()(Real t) const {
    const auto s = sincos(Real(20) * t);
    return {Real(phi_0) + Real(0.25) * s.sin, Real(5) * s.cos};
  }
};
template <Timing timing>
void check_reversal() {
  using Model = Yoke<Swing>;
  const Model model;
  Stepper<Model, Exact, timing> machine{model, yoke_start(model, 5)};
  const auto t = [](int n) { return (n + 0.5) * double(dt); };
  const auto e = run_yoke(
      machine, 4000, [&](int n) { return phi_0 + 0.25 * std::sin(20 * t(n)); },
      [&](int n) { return 5 * std::cos(20 * t(n)); });
  CHECK_WITHIN(1e-3, 0, e.work);  // a reversal takes place within a step
}
void test_reversal(void) {
  check_reversal<Timing::variable>();
  check_reversal<Timing::constant>();
}

// Friction never exceeds mu P_N and never drives, also where the direction of sliding reverses.
void test_friction_never_drives(void) {
  using Model = Yoke<ConstantSpeed<Real>>;
  Model model;
  model.drive.law = ConstantSpeed<Real>(Real(10), Real(phi_0));
  Stepper machine{model, yoke_start(model, 10)};
  for (int n = 0; n < 6000; ++n) {
    const auto before = machine.state;
    CHECK(machine.step(dt).status == Status::ok);
    const Real P_N = machine.state.P_N(0), P_T = machine.state.P_T(0, 0);
    CHECK(std::fabs(P_T) <= model.slot.law.mu * P_N * (Real(1) + Real(4) * detail::epsilon<Real>));
    // The normal percussion of a persistent contact does a little work, too.
    const Real dissipated = joint_output(machine.model, &Model::slot, before, machine.state).dissipated;
    CHECK(dissipated > -Real(1e-5) * P_N);  // m/s
  }
}

// In an adaptive run, too.
void test_adaptive_run(void) {
  using Model = Yoke<ConstantSpeed<Real>>;
  Model model;
  model.drive.law = ConstantSpeed<Real>(Real(10), Real(phi_0));
  Stepper machine{model, yoke_start(model, 10)};
  AdaptiveOptions<Real> options;
  options.dt_min = Real(1e-6);
  options.dt_max = Real(1e-3);
  Adaptive run{machine, options};
  int sliding = 0, steps = 0;
  const auto summary = run.advance_to(Real(0.2), [&](const auto& state, const auto&) {
    ++steps;
    sliding +=
        int(std::fabs(std::fabs(state.P_T(0, 0)) - model.slot.law.mu * state.P_N(0)) <= Real(1e-3) * state.P_N(0));
  });
  CHECK(summary.finished());
  CHECK(steps > 10 && sliding >= steps - 4);  // all except the steps around the reversal at 0.087 s
}

// A flywheel in place of the drive: its moment of inertia J leaves the sliding a freedom of r^2 / J. From a light to a
// heavy wheel, friction is mu P_N in every step, and the mechanism goes over into the driven one.
struct FlywheelParts : YokeParts<ConstantSpeed<Real>> {
  auto parts() const { return std::tie(bearing, guide, slot, pull, gravity); }
};
template <class Solver, Timing timing>
void check_flywheel() {
  using Model = Mechanism<FlywheelParts>;
  for (int power = 0; power <= 15; ++power) {
    Model model;
    model.body[Model::crank].J = Real(std::pow(10.0, power));
    Stepper<Model, Solver, timing> machine{model, yoke_start(model, 10)};
    double dissipated = 0, expected = 0;
    for (int n = 0; n < 500; ++n) {
      const auto before = machine.state;
      CHECK(machine.step(dt).status == Status::ok);
      const double N = double(machine.state.P_N(0)) / double(dt), T = slot_mu * N;
      if (n >= 10) CHECK_WITHIN(load_rounding, T, double(machine.state.P_T(0, 0)) / double(dt));
      constexpr auto turned = Model::angle_of<Model::crank>;
      const double th = double(Real(0.5) * (before.q(turned) + machine.state.q(turned)));
      if (n >= 10 && power >= 2) CHECK_WITHIN(load_error, pulled + 10 * std::cos(th), N);
      dissipated += double(joint_output(machine.model, &Model::slot, before, machine.state).dissipated);
      expected += T * crank_radius * 10 * std::cos(th) * double(dt);
    }
    CHECK_WITHIN(1e-2, 1, dissipated / expected);  // J = 1 kg m^2 loses 0.1 % of its speed
  }
}
void test_heavy_flywheel(void) {
  check_flywheel<Exact, Timing::variable>();
  check_flywheel<Exact, Timing::constant>();
  check_flywheel<Psor, Timing::variable>();
}

}  // namespace

TEST_MAIN({
  TEST(test_scotch_yoke);
  TEST(test_standstill);
  TEST(test_reversal);
  TEST(test_friction_never_drives);
  TEST(test_adaptive_run);
  TEST(test_heavy_flywheel);
})
