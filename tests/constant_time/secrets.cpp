// Constant time, verified on the machine code of this program. State and inputs are marked as undefined, one step of
// Timing::constant runs under Valgrind, and memcheck reports every conditional jump and every address that depends on
// them. A step without a report takes the same path for any values, so that one step of each stepper covers all steps.
//
// allowed.supp lists the permitted dependences, each with its reason. Public data are dt, the start time, options,
// sizes, the inertia of a model with constant_mass, and all members of a model with constant_directions. A change of
// these since the previous step is a counted fallback.
#include <valgrind/memcheck.h>
#include <moreau/mechanism.hpp>
#include <moreau/moreau.hpp>

#include "models/beam.hpp"
#include "models/four_bar.hpp"
#include "models/gear_drive.hpp"
#include "models/loose_slider_crank.hpp"
#include "models/oblique_oscillator.hpp"
#include "models/pendulum_stop.hpp"
#include "models/slider_crank_parts.hpp"
#include "models/woodpecker.hpp"
#include "support/joint_coordinates.hpp"
#include "support/second_order.hpp"
#include "support/spatial_machines.hpp"
#include "support/test.hpp"

namespace {

using moreau::ClosedForms;
using moreau::Exact;
using moreau::Newton;
using moreau::Sweeps;
using moreau::Timing;

template <class Any>
void mark_secret(Any& x) {
  (void)VALGRIND_MAKE_MEM_UNDEFINED(&x, sizeof x);
}
template <class Any>
void mark_public(Any& x) {
  (void)VALGRIND_MAKE_MEM_DEFINED(&x, sizeof x);
}
template <class Any, class... More>
void mark_public(Any& x, More&... more) {
  mark_public(x);
  mark_public(more...);
}

// Number of memcheck reports of a step with secret state and model; mark_known_public(model) declassifies known data.
template <Timing timing, class Solver, class Model, class Public>
[[gnu::noinline]] unsigned leaks_in_a_step(const Model& model, const moreau::State<Model>& start,
                                           const Public& mark_known_public) {
  static moreau::Stepper<Model, Solver, timing> stepper{model, start};
  const Real dt = Real(1e-5);
  CHECK(stepper.step(dt).advanced());  // stores the factored mass
  auto& clock = stepper.state.clock;
  mark_secret(stepper.model);
  mark_secret(stepper.state);
  mark_public(clock.t0, clock.dt);
  mark_known_public(stepper.model);
  const auto before = VALGRIND_COUNT_ERRORS;
  auto report = stepper.step(dt);
  const unsigned leaks = static_cast<unsigned>(VALGRIND_COUNT_ERRORS - before);
  mark_public(report, stepper);
  CHECK(report.advanced());
  CHECK_EQUAL(0, timing == Timing::constant ? report.fallbacks : 0);  // otherwise another kind of step was checked
  return leaks;
}

template <class Solver, class Model, class Public>
void check_no_leak(const Model& model, const moreau::State<Model>& start, const Public& mark_known_public) {
  const unsigned leaks = leaks_in_a_step<Timing::constant, Solver>(model, start, mark_known_public);
  CHECK_EQUAL(0u, leaks);
}
template <class Solver, class Model>
void check_no_leak(const Model& model, const moreau::State<Model>& start) {
  check_no_leak<Solver>(model, start, [](Model&) {});
}

const auto inertia = [](auto& model) { mark_public(model.body); };
const auto period = [](auto& model) { mark_public(model.Omega); };

// Spatial body on feet with an additional friction element.
struct FeetWithFriction : models::ObliqueOscillator<Real> {
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
  const test::Second<models::SliderCrank<Real>> second;
  check_no_leak<Exact>(second, at_start(second));
  check_no_leak<Sweeps>(second, at_start(second));
}

void test_woodpecker(void) {
  const models::Woodpecker<Real> toy;
  const auto masses = [](auto& m) { mark_public(m.m_M, m.m_S, m.J_M, m.J_S, m.l_M, m.l_G); };
  const auto all = [](auto& m) { mark_public(m); };
  check_no_leak<ClosedForms>(toy, at_start(toy), all);
  check_no_leak<Exact>(toy, at_start(toy), all);
  check_no_leak<Sweeps>(toy, at_start(toy), masses);
  check_no_leak<Newton>(toy, at_start(toy), masses);
}

void test_pendulum(void) {
  const models::PendulumStop<Real> pendulum;
  const auto masses = [](auto& m) { mark_public(m.J); };
  check_no_leak<ClosedForms>(pendulum, at_start(pendulum), masses);
  check_no_leak<Exact>(pendulum, at_start(pendulum), masses);
}

void test_beam(void) {
  const models::Beam<Real> beam;
  const auto masses = [](auto& m) { mark_public(m.m, m.J); };
  check_no_leak<ClosedForms>(beam, at_start(beam), masses);
  check_no_leak<Exact>(beam, at_start(beam), masses);
}

void test_slider_crank_from_parts(void) {
  const models::SliderCrank<Real> hand;
  const models::SliderCrankFromParts<Real> crank;
  const auto start = models::from_angles<Real>(hand, hand.start().q, hand.start().u);
  check_no_leak<Exact>(crank, start);  // evaluates the closed corners of the slider with an index at run time
  check_no_leak<Sweeps>(crank, start);
  const moreau::Mechanism<test::InBodies<models::SliderCrankParts<Real>>> in_bodies;
  const auto centred = models::centred_at_angles(in_bodies, hand, hand.start().q, hand.start().u);
  check_no_leak<Exact>(in_bodies, centred, inertia);
}

void test_gear_drive(void) {
  const models::GearDrive<Real> gear;
  check_no_leak<Exact>(gear, models::gear_drive_start(gear), inertia);
}

// The direct solution of three contacts, and of a contact with two friction elements.
struct CrankWithFriction : models::SliderCrankParts<Real> {
  using Tight = models::SliderCrankParts<Real>;
  moreau::TurningFriction<Real, moreau::ground, Tight::crank> seal;
  moreau::TurningFriction<Real, Tight::crank, Tight::rod> pin;
  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, guide, gravity, seal, pin); }
  CrankWithFriction() { seal.bound = pin.bound = Real(0.002); }
};
void test_several_contacts_and_elements(void) {
  using FourBar = models::FourBarWithPlay<Real>;
  check_no_leak<Exact>(FourBar{}, models::four_bar_start<FourBar>(Real(30)), inertia);
  using Crank = moreau::Mechanism<CrankWithFriction>;
  const models::SliderCrank<Real> hand;
  check_no_leak<Exact>(Crank{}, models::centred_at_angles(Crank{}, hand, hand.start().q, hand.start().u), inertia);
}

// Two of seven contacts of several parts.
struct TwoOfLooseCrank : models::LooseSliderCrankParts<Real> {
  static constexpr int closed_at_once = 2;
};
void test_contacts_of_several_parts(void) {
  using Loose = moreau::Mechanism<TwoOfLooseCrank>;
  const models::SliderCrank<Real> hand;
  check_no_leak<Exact>(Loose{}, models::centred_at_angles(Loose{}, hand, hand.start().q, hand.start().u), inertia);
}

void test_four_bar(void) {
  using FourBar = models::FourBarWithPlay<Real>;
  check_no_leak<Sweeps>(FourBar{}, models::four_bar_start<FourBar>(Real(30)), inertia);
}

void test_feet_in_space(void) {
  const models::ObliqueOscillator<Real> body;
  check_no_leak<Sweeps>(body, at_start(body), period);
  check_no_leak<Newton>(body, at_start(body), period);
  const FeetWithFriction feet_with_friction;
  check_no_leak<Newton>(feet_with_friction, at_start(feet_with_friction), period);
}

// Rows for six of ten contacts.
void test_shaft_in_space(void) {
  using Shaft = moreau::Mechanism<spatial_machines::LimitedShaft<Real>>;
  check_no_leak<Sweeps>(Shaft{}, spatial_machines::limited_shaft_start<Real>(), inertia);
}

// Joint coordinates in space.
void test_slider_crank_in_space(void) {
  using Rssp = moreau::Mechanism<spatial_machines::Rssp<Real>>;
  check_no_leak<Sweeps>(Rssp{}, spatial_machines::rssp_start<Real>(), inertia);
}

// ---- deliberate leaks: the same check detects them ----

namespace {

// Pendulum whose functions violate the rules of MODEL.md.
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
void check_detected() {
  const Leaky<leak> pendulum;
  const auto masses = [](auto& m) { mark_public(m.J); };
  const unsigned leaks = leaks_in_a_step<Timing::constant, Exact>(pendulum, at_start(pendulum), masses);
  CHECK(leak == 0 ? leaks == 0 : leaks > 0);
}

}  // namespace

void test_leaking_model_is_detected(void) {
  check_detected<0>();
  check_detected<1>();  // an if
  check_detected<2>();  // a loop
  check_detected<3>();  // an address
}

void test_data_dependent_steps_are_detected(void) {
  const models::Woodpecker<Real> toy;
  const auto masses = [](auto& m) { mark_public(m.m_M, m.m_S, m.J_M, m.J_S, m.l_M, m.l_G); };
  const unsigned direct = leaks_in_a_step<Timing::variable, Exact>(toy, at_start(toy), masses);
  const unsigned active_set = leaks_in_a_step<Timing::variable, moreau::Lemke>(toy, at_start(toy), masses);
  CHECK(direct > 0 && active_set > 0);
  const models::ObliqueOscillator<Real> body;
  const unsigned pivots = leaks_in_a_step<Timing::variable, Newton>(body, at_start(body), period);
  CHECK(pivots > 0);
}

TEST_MAIN({
  if (!RUNNING_ON_VALGRIND) {
    moreau::port::print("must run under Valgrind, as with ctest");
    return 1;
  }
  TEST(test_slider_crank);
  TEST(test_woodpecker);
  TEST(test_pendulum);
  TEST(test_beam);
  TEST(test_slider_crank_from_parts);
  TEST(test_gear_drive);
  TEST(test_four_bar);
  TEST(test_several_contacts_and_elements);
  TEST(test_contacts_of_several_parts);
  TEST(test_feet_in_space);
  TEST(test_shaft_in_space);
  TEST(test_slider_crank_in_space);
  TEST(test_leaking_model_is_detected);
  TEST(test_data_dependent_steps_are_detected);
})
