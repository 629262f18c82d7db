// The energy audit: its sums against cases with analytical values, and the one kind of impact that gains energy.
#include <cmath>
#include <limits>
#include <moreau/check/energy_audit.hpp>
#include <moreau/math/sincos.hpp>
#include <moreau/moreau.hpp>

#include "models/four_bar.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

constexpr Real eps = std::numeric_limits<Real>::epsilon();
// Energies here are sums of a few terms of about 1 J: about twenty roundings.
constexpr Real tolerance = 20 * eps;

template <int contacts_, int tangents_ = 1>
struct Plain {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = contacts_, tangents = tangents_;
  using Vector = moreau::Vector<Real, 2>;
  Real gravity{10}, pull{0}, damping{0}, table{0}, heating{0};  // m/s^2, N, N s/m, m/s, J/s
  moreau::ContactLaw<Real> contact_law;

  moreau::Matrix<Real, 2, 2> mass(const Vector&, Real) const { return moreau::Matrix<Real, 2, 2>::Identity(); }
  Vector force(const Vector&, const Vector& u, Real) const { return Vector(pull - damping * u(0), -gravity); }
  Real potential(const Vector& q, Real t) const { return gravity * q(1) + heating * t; }
  Real gap(int, const Vector& q, Real t) const { return q(1) - table * t; }
  moreau::Directions<Real, 2, tangents> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 2, tangents> d;
    d.w_N = Vector(0, 1);
    if constexpr (tangents == 1) d.w_T = Vector(1, 0);
    d.zeta_N = -table;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return contact_law; }
};

template <class Model>
moreau::State<Model> start_at(Real q_0, Real q_1, Real u_0, Real u_1) {
  moreau::State<Model> state;
  state.q << q_0, q_1;
  state.u << u_0, u_1;
  return state;
}

// Uniform rod of mass 1 kg and length 1 m whose end hits the ground; q is the centre and the angle.
struct Rod {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 1;
  using Vector = moreau::Vector<Real, 3>;
  Real eps_N{0.9}, mu{0.5};

  moreau::Matrix<Real, 3, 3> mass(const Vector&, Real) const { return Vector(1, 1, Real(1) / 12).asDiagonal(); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector::Zero(); }
  Real gap(int, const Vector& q, Real) const { return q(1) + moreau::sin(q(2)) / 2; }
  moreau::Directions<Real, 3> directions(int, const Vector& q, Real) const {
    moreau::Directions<Real, 3> d;
    d.w_N = Vector(0, 1, moreau::cos(q(2)) / 2);
    d.w_T = Vector(1, 0, -moreau::sin(q(2)) / 2);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {eps_N, Real(0), mu}; }
};

constexpr Real tilt = Real(0.87266462599716479);  // 50 degrees

// Polar coordinates r, phi of a unit mass on a spring: mass and inertial forces depend on q; with `at`.
struct SpringPendulum {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0;
  using Vector = moreau::Vector<Real, 2>;
  struct At {
    Real r, cos, sin;
  };
  At at(const Vector& q, Real) const { return {q(0), moreau::cos(q(1)), moreau::sin(q(1))}; }
  moreau::Matrix<Real, 2, 2> mass(const At& a) const {
    moreau::Matrix<Real, 2, 2> M = moreau::Matrix<Real, 2, 2>::Identity();
    M(1, 1) = a.r * a.r;
    return M;
  }
  Vector force(const At& a, const Vector& u) const {
    return Vector(a.r * u(1) * u(1) + 10 * a.cos - 50 * (a.r - 1), -2 * a.r * u(0) * u(1) - 10 * a.r * a.sin);
  }
  Real potential(const At& a) const { return -10 * a.r * a.cos + 25 * (a.r - 1) * (a.r - 1); }
};

// Lift that rises at `speed` under any load; its load slides on it against a dry friction of 0.5 N.
struct Lift {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0, frictions = 1, bilaterals = 1;
  using Vector = moreau::Vector<Real, 2>;
  Real speed{2};
  moreau::Matrix<Real, 2, 2> mass(const Vector&, Real) const { return moreau::Matrix<Real, 2, 2>::Identity(); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(0, -10); }
  Real potential(const Vector& q, Real) const { return 10 * q(1); }
  Real friction_bound(int, const Vector&, Real) const { return Real(0.5); }
  moreau::FrictionDirections<Real, 2> friction_directions(int j, const Vector&, Real) const {
    CHECK_EQUAL(0, j);
    moreau::FrictionDirections<Real, 2> d;
    d.w(0) = 1;
    return d;
  }
  moreau::Bilateral<Real, 2> bilateral(int j, const Vector& q, Real t) const {
    CHECK_EQUAL(0, j);
    moreau::Bilateral<Real, 2> row;
    row.w = Vector(0, 1);
    row.zeta = -speed;
    row.g = q(1) - speed * t;
    return row;
  }
};

template <class Stepper>
int gains_in(Stepper& stepper, Real dt, int steps) {
  int gains = 0;
  for (int i = 0; i < steps; ++i) {
    const auto result = moreau::audited_step(stepper, dt);
    CHECK(result.step.advanced());
    gains += result.energy.gain ? 1 : 0;
  }
  return gains;
}

}  // namespace

void test_free_fall_keeps_its_energy(void) {
  using Model = Plain<0>;
  moreau::Stepper fall{Model{}, start_at<Model>(0, 1, 1, 0)};
  for (int i = 0; i < 10; ++i) {
    const auto energy = moreau::audited_step(fall, Real(0.01)).energy;
    CHECK_WITHIN(tolerance, 0, energy.change);
    CHECK_WITHIN(tolerance, 0, energy.work_forces);
    CHECK_WITHIN(tolerance, 10 * fall.state.q(1), energy.potential);
    CHECK_WITHIN(10 * tolerance, Real(10.5), energy.kinetic + energy.potential);
  }
}

void test_time_dependent_potential_is_evaluated_at_the_end(void) {
  using Model = Plain<0>;
  Model model;
  model.gravity = 0;
  model.heating = 3;
  moreau::Stepper still{model, start_at<Model>(0, 0, 0, 0)};
  const auto energy = moreau::audited_step(still, Real(0.25)).energy;
  CHECK_EQUAL(Real(0.75), energy.potential);
  CHECK_EQUAL(Real(0.75), energy.change);
}

void test_audit_of_a_failed_step_is_zero(void) {
  using Model = Plain<0>;
  moreau::Stepper fall{Model{}, start_at<Model>(0, 1, 1, 0)};
  const auto result = moreau::audited_step(fall, Real(-1));
  CHECK(!result.step.advanced() && !result.energy.gain);
  CHECK(result.step.residual == 0 && result.step.relative == 0);
  const auto& e = result.energy;
  for (const Real zero : {e.kinetic, e.potential, e.change, e.work_forces, e.work_contacts, e.in_contacts, e.left_over})
    CHECK_EQUAL(Real(0), zero);
}

// A ball rebounds faster than it arrived, by `more`: four roundings are not reported, a hundredth is a gain.
void test_gain_exceeds_rounding(void) {
  using Model = Plain<1, 0>;
  Model model;
  model.gravity = 0;
  model.contact_law.eps_N = 1;
  moreau::Stepper ball{model, start_at<Model>(0, 0, 0, -1)};
  const auto before = ball.state;
  CHECK(ball.step(Real(0.01)).advanced());
  for (const Real more : {4 * eps, Real(0.01)}) {
    auto after = ball.state;
    after.u(1) = Real(1) + more;
    const auto energy = moreau::audit_energy(model, before, after);
    CHECK_WITHIN(tolerance, more, energy.in_contacts);  // P_N = 2 at the mean speed more / 2
    CHECK(energy.gain == (more > 4 * eps));
  }
}

void test_audit_of_states_in_the_wrong_order_is_nan(void) {
  using Model = Plain<1, 0>;
  Model model;
  model.contact_law.eps_N = Real(0.5);
  moreau::Stepper ball{model, start_at<Model>(0, Real(0.001), 0, -2)};
  const auto start = ball.state;
  CHECK(ball.step(Real(0.01)).advanced());
  const auto first = ball.state;
  CHECK(ball.step(Real(0.01)).advanced());
  CHECK(moreau::audit_energy(model, start, first).in_contacts < Real(-1));
  for (const auto& [before, after] : {std::pair{first, start}, {start, ball.state}, {first, first}}) {
    const auto energy = moreau::audit_energy(model, before, after);
    CHECK(!(energy.in_contacts == energy.in_contacts) && !(energy.kinetic == energy.kinetic));
    CHECK(!(energy.change == energy.change) && !(energy.left_over == energy.left_over) && !energy.gain);
  }
}

// A rejected step has no energy; an audit with zero mass has no scale for the rounding error.
struct AnyMass : Plain<0> {
  Real m{1};
  moreau::Matrix<Real, 2, 2> mass(const Vector&, Real) const { return m * moreau::Matrix<Real, 2, 2>::Identity(); }
};
void test_rejected_step_and_zero_mass(void) {
  moreau::Stepper fall{AnyMass{}, start_at<AnyMass>(0, 1, 1, 0)};
  const auto rejected = moreau::audited_step(fall, Real(-1));
  CHECK(rejected.step.status == moreau::Status::invalid_argument && rejected.energy.kinetic == 0 &&
        !rejected.energy.gain);
  const auto before = fall.state;
  CHECK(moreau::audited_step(fall, Real(0.01)).energy.kinetic > 0);
  const auto energy = moreau::audit_energy(AnyMass{{}, 0}, before, fall.state);
  CHECK(energy.kinetic == 0 && energy.in_contacts == 0 && !energy.gain);
}

void test_work_of_motor_and_damper(void) {
  using Model = Plain<0>;
  Model model;
  model.gravity = 0;
  model.pull = 3;
  model.damping = Real(0.5);
  moreau::Stepper cart{model, start_at<Model>(0, 0, 2, 0)};
  // force 3 - 0.5 * 2 = 2 N, u from 2 to 2.2 m/s in 0.1 s: 2 N * 2.1 m/s * 0.1 s
  const auto energy = moreau::audited_step(cart, Real(0.1)).energy;
  CHECK_WITHIN(tolerance, Real(0.42), energy.work_forces);
  CHECK_WITHIN(tolerance, Real(0.42), energy.change);
  CHECK_WITHIN(tolerance, 0, energy.left_over);
}

void test_energy_loss_of_an_impact_with_newtonian_restitution(void) {
  using Model = Plain<1, 0>;
  Model model;
  model.gravity = 0;
  model.contact_law.eps_N = Real(0.5);
  moreau::Stepper ball{model, start_at<Model>(0, Real(0.001), 0, -2)};
  const auto result = moreau::audited_step(ball, Real(0.01));
  // (1 - 0.5^2) * 2^2 / 2
  CHECK_WITHIN(tolerance, Real(-1.5), result.energy.in_contacts);
  CHECK_WITHIN(tolerance, Real(-1.5), result.energy.work_contacts);
  CHECK_WITHIN(tolerance, Real(-1.5), result.energy.change);
  CHECK(!result.energy.gain);

  ball.model.contact_law.eps_N = 0;  // P_N = 1 N s, no rebound
  ball.state = start_at<Model>(0, 0, 0, -1);
  const auto plastic = moreau::audited_step(ball, Real(0.01));
  CHECK_EQUAL(Real(1), ball.state.P_N(0));
  CHECK_WITHIN(tolerance, Real(-0.5), plastic.energy.in_contacts);
}

void test_friction_dissipates_force_times_distance(void) {
  using Model = Plain<1>;
  Model model;
  model.contact_law.mu = Real(0.2);
  moreau::Stepper block{model, start_at<Model>(0, 0, 1, 0)};
  const Real x = block.state.q(0);
  const auto energy = moreau::audited_step(block, Real(0.01)).energy;
  CHECK_WITHIN(tolerance, -Real(0.2) * 10 * (block.state.q(0) - x), energy.in_contacts);
  CHECK_WITHIN(tolerance, 0, energy.left_over);
  CHECK(!energy.gain);
}

void test_work_of_a_lift_with_sliding_load(void) {
  moreau::Stepper lift{Lift{}, start_at<Lift>(0, 0, 1, 2)};
  const auto energy = moreau::audited_step(lift, Real(0.01)).energy;
  const Real rubbed = Real(-0.5) * lift.state.q(0), raised = 10 * Real(2) * Real(0.01);
  CHECK(lift.state.q(0) > Real(0.009));
  CHECK_WITHIN(tolerance, rubbed, energy.in_contacts);
  CHECK_WITHIN(tolerance, rubbed + raised, energy.work_contacts);
  CHECK_WITHIN(tolerance, rubbed + raised, energy.change);
  CHECK_WITHIN(tolerance, 0, energy.left_over);
}

void test_work_of_a_rising_table_is_no_gain(void) {
  using Model = Plain<1>;
  Model model;
  model.table = Real(0.1);
  model.contact_law.mu = Real(0.2);
  // deep enough to be closed in spite of rounding
  moreau::Stepper block{model, start_at<Model>(0, Real(-1e-4), 0, Real(0.1))};
  for (int i = 0; i < 20; ++i) {
    const auto energy = moreau::audited_step(block, Real(0.01)).energy;
    CHECK_WITHIN(tolerance, 10 * Real(0.1) * Real(0.01), energy.work_contacts);  // m g v dt
    CHECK_WITHIN(tolerance, 0, energy.in_contacts);
    CHECK_WITHIN(tolerance, 0, energy.left_over);
    CHECK(!energy.gain);
  }
}

void test_elastic_oblique_impact_that_sticks_gains_energy(void) {
  const auto angle = moreau::sincos(tilt);
  moreau::State<Rod> start;
  start.q << 0, angle.sin / 2, -tilt;
  start.u << Real(-0.7), -1, 0;
  moreau::Stepper rod{Rod{}, start};
  const auto result = moreau::audited_step(rod, Real(1e-6));
  // Reference values computed independently of the library: sticks, P_N = 1.0527 N s, P_T = -0.30976 N s, gain 0.055780
  // J of 0.745 J. The midpoint is 1e-6 s away from the given angle: 1e-5 covers the difference.
  constexpr Real reference_tolerance = Real(1e-5);
  CHECK_WITHIN(reference_tolerance, Real(1.0527122914), rod.state.P_N(0));
  CHECK_WITHIN(reference_tolerance, Real(-0.3097581707), rod.state.P_T(0, 0));
  CHECK_WITHIN(reference_tolerance, Real(0.0557797452), result.energy.in_contacts);
  CHECK_WITHIN(reference_tolerance, Real(0.0557797452), result.energy.change);
  CHECK(result.energy.gain);
}

void test_same_impact_frictionless_or_plastic_has_no_gain(void) {
  for (const bool plastic : {false, true}) {
    Rod model;
    (plastic ? model.eps_N : model.mu) = 0;
    const auto angle = moreau::sincos(tilt);
    moreau::State<Rod> start;
    start.q << 0, angle.sin / 2, -tilt;
    start.u << Real(-0.7), -1, 0;
    moreau::Stepper rod{model, start};
    const auto result = moreau::audited_step(rod, Real(1e-6));
    CHECK(result.energy.in_contacts < 0);
    CHECK(!result.energy.gain);
  }
}

void test_remainder_is_the_error_of_the_step(void) {
  Real left_over[2];
  for (int halved = 0; halved < 2; ++halved) {
    moreau::Stepper pendulum{SpringPendulum{}, start_at<SpringPendulum>(Real(1.2), Real(0.7), Real(0.5), Real(1))};
    left_over[halved] = moreau::audited_step(pendulum, halved == 0 ? Real(0.04) : Real(0.02)).energy.left_over;
  }
  // Third order in dt: an eighth for half the step (float: 1e-6 J of rounding in 1e-4 J).
  CHECK(std::fabs(left_over[0]) > Real(1e-6));
  CHECK_WITHIN(std::fabs(left_over[0]) * Real(0.05), left_over[0] / 8, left_over[1]);
}

void test_woodpecker_and_slider_crank_have_no_gain(void) {
  using Woodpecker = models::Woodpecker<Real>;
  const Woodpecker toy_model;
  moreau::State<Woodpecker> toy_start;
  toy_start.q = toy_model.start().q;
  toy_start.u = toy_model.start().u;
  moreau::Stepper toy{toy_model, toy_start};
  CHECK_EQUAL(0, gains_in(toy, Real(1e-4), 3000));

  using SliderCrank = models::SliderCrank<Real>;
  const SliderCrank crank_model;
  moreau::State<SliderCrank> crank_start;
  crank_start.q = crank_model.start().q;
  crank_start.u = crank_model.start().u;
  moreau::Stepper crank{crank_model, crank_start};
  CHECK_EQUAL(0, gains_in(crank, Real(1e-5), 3000));
}

// Ball on a floor with allowed_penetration(): the first step corrects the penetration.
struct Penetrating : Plain<1, 0> {
  Real allowed_penetration(int) const { return 0; }
};

void test_energy_of_the_position_correction_is_reported(void) {
  moreau::Stepper ball{Penetrating{}, start_at<Penetrating>(0, Real(-0.5), 0, 0)};
  const auto energy = moreau::audited_step(ball, Real(1e-3)).energy;
  CHECK_WITHIN(tolerance, 0, ball.state.q(1));
  CHECK_WITHIN(tolerance, Real(10 * 0.5), energy.correct_positions);
  CHECK_WITHIN(tolerance, Real(10 * 0.5), energy.change);
  CHECK_WITHIN(tolerance, 0, energy.potential);
  CHECK_WITHIN(tolerance, 0, energy.left_over);
  CHECK(!energy.gain);
  CHECK_WITHIN(tolerance, 0, moreau::audited_step(ball, Real(1e-3)).energy.correct_positions);  // only once
}

// Pins that roll in their bearings rotate their contact directions in every step.
void test_rotating_directions_have_no_gain(void) {
  using FourBar = models::FourBarWithPlay<Real>;
  moreau::Stepper bar{FourBar{models::FourBarWithPlayParts<Real>(Real(5e-4), {})},
                      models::four_bar_start<FourBar>(Real(30))};
  CHECK_EQUAL(0, gains_in(bar, Real(1e-4), 3000));
  CHECK(bar.step(Real(1e-4)).active > 0);
}

TEST_MAIN({
  TEST(test_free_fall_keeps_its_energy);
  TEST(test_time_dependent_potential_is_evaluated_at_the_end);
  TEST(test_audit_of_a_failed_step_is_zero);
  TEST(test_gain_exceeds_rounding);
  TEST(test_audit_of_states_in_the_wrong_order_is_nan);
  TEST(test_rejected_step_and_zero_mass);
  TEST(test_work_of_motor_and_damper);
  TEST(test_energy_loss_of_an_impact_with_newtonian_restitution);
  TEST(test_friction_dissipates_force_times_distance);
  TEST(test_work_of_a_lift_with_sliding_load);
  TEST(test_work_of_a_rising_table_is_no_gain);
  TEST(test_elastic_oblique_impact_that_sticks_gains_energy);
  TEST(test_same_impact_frictionless_or_plastic_has_no_gain);
  TEST(test_remainder_is_the_error_of_the_step);
  TEST(test_woodpecker_and_slider_crank_have_no_gain);
  TEST(test_energy_of_the_position_correction_is_reported);
  TEST(test_rotating_directions_have_no_gain);
})
