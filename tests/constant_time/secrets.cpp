// Constant time, proved for this program's text: state and inputs are marked as undefined, one step of Timing::constant
// runs under Valgrind, and memcheck reports every conditional jump and every address that depends on them. A step without a
// report takes the same path whatever the numbers are, so one step of each stepper says it of all.
//
// What may depend on them is in allowed.supp, with its reason. What is public: dt, the time of the start, options, sizes,
// and the inertia of a model with constant_mass, with constant_directions all its members (others than in the step before
// are a counted fallback).
#include <valgrind/memcheck.h>
#include <moreau/mechanism.hpp>
#include <moreau/moreau.hpp>

#include "models/beam.hpp"
#include "models/four_bar.hpp"
#include "models/gear_drive.hpp"
#include "models/oblique_oscillator.hpp"
#include "models/pendulum_stop.hpp"
#include "models/slider_crank_parts.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

using moreau::ClosedForms;
using moreau::Exact;
using moreau::Newton;
using moreau::Sweeps;
using moreau::Timing;

template <class Any>
void hide(Any& x) {
  (void)VALGRIND_MAKE_MEM_UNDEFINED(&x, sizeof x);
}
template <class Any>
void show(Any& x) {
  (void)VALGRIND_MAKE_MEM_DEFINED(&x, sizeof x);
}
template <class Any, class... More>
void show(Any& x, More&... more) {
  show(x);
  show(more...);
}

// What memcheck reports of a step with hidden state and model. show_public(model) takes back what is known beforehand.
template <Timing timing, class Solver, class Model, class Public>
[[gnu::noinline]] unsigned leaks_of_a_step(const Model& model, const moreau::State<Model>& start,
                                           const Public& show_public) {
  static moreau::Stepper<Model, Solver, timing> stepper{model, start};
  const Real dt = Real(1e-5);
  CHECK(stepper.step(dt).advanced());  // what is kept of the mass is kept now
  auto& clock = stepper.state.clock;
  hide(stepper.model);
  hide(stepper.state);
  show(clock.t0, clock.dt);
  show_public(stepper.model);
  const auto before = VALGRIND_COUNT_ERRORS;
  auto report = stepper.step(dt);
  const unsigned leaks = static_cast<unsigned>(VALGRIND_COUNT_ERRORS - before);
  show(report, stepper);
  CHECK(report.advanced());
  CHECK_EQUAL(0, timing == Timing::constant ? report.fallbacks : 0);  // else it was another step that was looked at
  return leaks;
}

template <class Solver, class Model, class Public>
void check_no_leak(const Model& model, const moreau::State<Model>& start, const Public& show_public) {
  const unsigned leaks = leaks_of_a_step<Timing::constant, Solver>(model, start, show_public);
  CHECK_EQUAL(0u, leaks);
}
template <class Solver, class Model>
void check_no_leak(const Model& model, const moreau::State<Model>& start) {
  check_no_leak<Solver>(model, start, [](Model&) {});
}

const auto inertia = [](auto& model) { show(model.body); };
const auto period = [](auto& model) { show(model.Omega); };

// Feet in space that also rub as a whole: a friction element.
struct RubbingFeet : models::ObliqueOscillator<Real> {
  static constexpr int frictions = 1, friction_dim = 2;
  Real bound{0.1};  // N
  Real friction_bound(int, const At&) const { return bound; }
  moreau::FrictionDirections<Real, 6, 2> friction_directions(int, const At&) const {
    moreau::FrictionDirections<Real, 6, 2> d{};
    d.w(0, 0) = d.w(1, 1) = Real(1);
    return d;
  }
};

template <class Model>
moreau::State<Model> at_start(const Model& model) {
  return models::state_at<Model>(model.start());
}

}  // namespace

void test_slider_crank(void) {
  const models::SliderCrank<Real> crank;
  check_no_leak<ClosedForms>(crank, at_start(crank));
  check_no_leak<Exact>(crank, at_start(crank));
  const models::EndlessSliderCrank<Real> endless;
  check_no_leak<Exact>(endless, at_start(endless));
}

void test_woodpecker(void) {
  const models::Woodpecker<Real> toy;
  const auto masses = [](auto& m) { show(m.m_M, m.m_S, m.J_M, m.J_S, m.l_M, m.l_G); };
  const auto all = [](auto& m) { show(m); };
  check_no_leak<ClosedForms>(toy, at_start(toy), all);
  check_no_leak<Exact>(toy, at_start(toy), all);
  check_no_leak<Sweeps>(toy, at_start(toy), masses);
  check_no_leak<Newton>(toy, at_start(toy), masses);
}

void test_pendulum(void) {
  const models::PendulumStop<Real> pendulum;
  const auto masses = [](auto& m) { show(m.J); };
  check_no_leak<ClosedForms>(pendulum, at_start(pendulum), masses);
  check_no_leak<Exact>(pendulum, at_start(pendulum), masses);
}

void test_beam(void) {
  const models::Beam<Real> beam;
  const auto masses = [](auto& m) { show(m.m, m.J); };
  check_no_leak<ClosedForms>(beam, at_start(beam), masses);
  check_no_leak<Exact>(beam, at_start(beam), masses);
}

void test_slider_crank_from_parts(void) {
  const models::SliderCrank<Real> hand;
  const models::SliderCrankFromParts<Real> crank;
  const auto start = models::from_angles<Real>(hand, hand.start().q, hand.start().u);
  check_no_leak<Exact>(crank, start, inertia);
  check_no_leak<Sweeps>(crank, start, inertia);
}

void test_gear_drive(void) {
  const models::GearDrive<Real> gear;
  check_no_leak<Exact>(gear, models::gear_drive_start(gear), inertia);
}

void test_four_bar(void) {
  using FourBar = models::FourBarWithPlay<Real>;
  check_no_leak<Sweeps>(FourBar{}, models::four_bar_start<FourBar>(Real(30)), inertia);
}

void test_feet_in_space(void) {
  const models::ObliqueOscillator<Real> body;
  check_no_leak<Sweeps>(body, at_start(body), period);
  check_no_leak<Newton>(body, at_start(body), period);
  const RubbingFeet rubbing;
  check_no_leak<Newton>(rubbing, at_start(rubbing), period);
}

// ---- leaks put in on purpose: the same check finds them ----

namespace {

// A pendulum whose functions do what MODEL.md says not to do.
template <int leak>
struct Leaky : models::PendulumStop<Real> {
  using Base = models::PendulumStop<Real>;
  using typename Base::At;
  using typename Base::Vector;
  Real table[4] = {Real(0), Real(0.1), Real(0.2), Real(0.3)};

  Vector force(const At& a, const Vector& u) const {
    Real torque = Base::force(a, u)(0);
    if (leak == 1 && a.sin_phi > Real(0.5)) torque -= moreau::sin(torque);
    if (leak == 2)
      for (Real rest = a.sin_phi; rest > Real(0.1); rest -= Real(0.1)) torque -= damping * u(0);
    if (leak == 3) torque -= table[static_cast<unsigned>(moreau::detail::absolute(a.sin_phi) * Real(3))];
    return Vector(torque);
  }
};

template <int leak>
void check_found() {
  const Leaky<leak> pendulum;
  const auto masses = [](auto& m) { show(m.J); };
  const unsigned leaks = leaks_of_a_step<Timing::constant, Exact>(pendulum, at_start(pendulum), masses);
  CHECK(leak == 0 ? leaks == 0 : leaks > 0);
}

}  // namespace

void test_a_model_that_leaks_is_found(void) {
  check_found<0>();
  check_found<1>();  // an if
  check_found<2>();  // a loop
  check_found<3>();  // an address
}

void test_steps_that_follow_the_data_are_found(void) {
  const models::Woodpecker<Real> toy;
  const auto masses = [](auto& m) { show(m.m_M, m.m_S, m.J_M, m.J_S, m.l_M, m.l_G); };
  const unsigned few = leaks_of_a_step<Timing::variable, Exact>(toy, at_start(toy), masses);
  const unsigned listed = leaks_of_a_step<Timing::variable, moreau::Lemke>(toy, at_start(toy), masses);
  CHECK(few > 0 && listed > 0);
  const models::ObliqueOscillator<Real> body;
  const unsigned pivots = leaks_of_a_step<Timing::variable, Newton>(body, at_start(body), period);
  CHECK(pivots > 0);
}

TEST_MAIN({
  if (!RUNNING_ON_VALGRIND) {
    moreau::port::print("run it under Valgrind, as ctest does");
    return 1;
  }
  TEST(test_slider_crank);
  TEST(test_woodpecker);
  TEST(test_pendulum);
  TEST(test_beam);
  TEST(test_slider_crank_from_parts);
  TEST(test_gear_drive);
  TEST(test_four_bar);
  TEST(test_feet_in_space);
  TEST(test_a_model_that_leaks_is_found);
  TEST(test_steps_that_follow_the_data_are_found);
})
