// Invalid input, one test each: the step reports the status, and the state is bit-identical to the one before.
#include "support/test.hpp"

#include <limits>
#include <moreau/moreau.hpp>

#include "support/block.hpp"
#include "support/saved.hpp"

namespace {

constexpr Real dt = Real(1e-3);
const Real not_a_number = std::numeric_limits<Real>::quiet_NaN();
const Real infinite = std::numeric_limits<Real>::infinity();
const Real not_finite[] = {not_a_number, infinite, -infinite};

// Body with every optional member of the model interface: two coordinates, a contact with the ground, dry friction, an
// ideal joint that holds a third coordinate. Every output is a member that a test can set to an invalid value.
struct Fragile {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 1, frictions = 1, bilaterals = 1;
  using Q = moreau::Vector<Real, 3>;
  moreau::Matrix<Real, 3, 3> M = Real(2) * moreau::Matrix<Real, 3, 3>::Identity();
  Q h = Q(Real(1), Real(-20), Real(0));
  Real gap_value{-1e-6};
  moreau::Directions<Real, 3> contact_directions = ground();
  moreau::ContactLaw<Real> contact_law{Real(0), Real(0.25), Real(0.375)};
  Real bound{0.5};
  moreau::FrictionDirections<Real, 3> rubbing = along_x();
  moreau::Bilateral<Real, 3> joint = third_coordinate();
  Real slip_mu{-1};  // non-negative values replace the law's

  static moreau::Directions<Real, 3> ground() {
    moreau::Directions<Real, 3> d;
    d.w_N(1) = d.w_T(0, 0) = Real(1);
    return d;
  }
  static moreau::FrictionDirections<Real, 3> along_x() {
    moreau::FrictionDirections<Real, 3> d;
    d.w(0, 0) = Real(1);
    return d;
  }
  static moreau::Bilateral<Real, 3> third_coordinate() {
    moreau::Bilateral<Real, 3> row;
    row.w(2) = Real(1);
    return row;
  }
  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const { return M; }
  Q force(const Q&, const Q&, Real) const { return h; }
  Real gap(int, const Q&, Real) const { return gap_value; }
  moreau::Directions<Real, 3> directions(int, const Q&, Real) const { return contact_directions; }
  moreau::ContactLaw<Real> law(int) const { return contact_law; }
  Real mu(int, Real) const { return slip_mu == Real(-1) ? contact_law.mu : slip_mu; }
  Real friction_bound(int, const Q&, Real) const { return bound; }
  moreau::FrictionDirections<Real, 3> friction_directions(int, const Q&, Real) const { return rubbing; }
  moreau::Bilateral<Real, 3> bilateral(int, const Q&, Real) const { return joint; }
};

using Status = moreau::Status;

// Second build of this file: with the step that evaluates all contacts and masks the open ones.
#ifdef MOREAU_TEST_CONSTANT_SWEEPS
using S = moreau::Stepper<Fragile, moreau::Sweeps, moreau::Timing::constant>;
#else
using S = moreau::Stepper<Fragile>;
#endif

// The same body with more contacts than the direct solution supports, all others open: every step uses all options.
struct Crowded : Fragile {
  static constexpr int contacts = 9;
  Real gap(int i, const Q&, Real) const { return i == 0 ? gap_value : Real(1); }
};
#ifdef MOREAU_TEST_CONSTANT_SWEEPS
using General = S;
#else
using General = moreau::Stepper<Crowded, moreau::Exact>;
#endif

template <class Any = S>
Any moving() {
  moreau::State<typename Any::Model> state;
  state.u = {Real(1), Real(-1), Real(0)};
  Any stepper(typename Any::Model{}, state);
  // percussions and a workspace to preserve
  for (int i = 0; i < 3; ++i) CHECK_EQUAL(Status::ok, stepper.step(dt).status);
  return stepper;
}

// A step rejected twice, then a valid one: bit-identical to a run without the rejected ones.
template <class Any = S, class MakeInvalid>
void check_rejected(Status status, const MakeInvalid& make_invalid, Real step = dt) {
  static Any good = moving<Any>();
  Any stepper = good, untouched = good;
  make_invalid(stepper);
  const auto before = test::saved(stepper.state);
  for (int twice = 0; twice < 2; ++twice) {
    const auto report = stepper.step(step);
    CHECK_EQUAL(status, report.status);
    CHECK(!report.advanced());
    CHECK(before == test::saved(stepper.state));
  }
  stepper.model = untouched.model;
  stepper.state = untouched.state;
  stepper.solver = untouched.solver;
  stepper.judge = untouched.judge;
  CHECK_EQUAL(Status::ok, stepper.step(dt).status);
  CHECK_EQUAL(Status::ok, untouched.step(dt).status);
  CHECK(test::saved(untouched.state) == test::saved(stepper.state));
}

template <class Place>
void check_not_finite(const Place& place) {
  for (const Real bad : not_finite) check_rejected(Status::not_finite, [&](S& s) { place(s, bad); });
}
template <class Place>
void check_out_of_range(const Place& place) {
  for (const Real bad : {not_a_number, infinite, -infinite, Real(-1e-3)})
    check_rejected(Status::invalid_argument, [&](S& s) { place(s, bad); });
}

}  // namespace

void test_model_without_errors(void) {
  S stepper = moving<>();
  CHECK_EQUAL(1, stepper.step(dt).active);
  CHECK(stepper.state.P_N(0) > Real(0) && stepper.state.P_F(0, 0) < Real(0));
}

void test_step_size(void) {
  constexpr Real subnormal = std::numeric_limits<Real>::min() / Real(2);         // its inverse can be infinite
  constexpr Real largest = std::numeric_limits<Real>::max(), limit = Real(128);  // the limit of Stepper::step
  for (const Real bad :
       {Real(0), Real(-0.0), Real(-1e-3), subnormal, limit, largest, not_a_number, infinite, -infinite})
    check_rejected(
        Status::invalid_argument, [](S&) {}, bad);
}
void test_step_size_near_the_range_limit(void) {
  check_rejected(
      Status::not_finite, [](S& s) { s.model.h(1) = -std::numeric_limits<Real>::max() / Real(8); }, Real(127));
}
void test_time(void) {
  for (const Real bad : not_finite) check_rejected(Status::not_finite, [&](S& s) { s.state.clock.t0 = bad; });
}

void test_position(void) {
  for (int i = 0; i < 3; ++i) check_not_finite([i](S& s, Real bad) { s.state.q(i) = bad; });
}
void test_velocity(void) {
  for (int i = 0; i < 3; ++i) check_not_finite([i](S& s, Real bad) { s.state.u(i) = bad; });
}
void test_mass_not_finite(void) {  // of the lower triangle, which is the one that is read
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j <= i; ++j) check_not_finite([=](S& s, Real bad) { s.model.M(i, j) = bad; });
}
void test_mass_singular(void) {
  for (int i = 0; i < 3; ++i)
    check_rejected(Status::mass_not_positive_definite, [i](S& s) { s.model.M(i, i) = Real(0); });
  check_rejected(Status::mass_not_positive_definite, [](S& s) { s.model.M.setConstant(Real(0.3)); });
}
void test_mass_indefinite(void) {
  for (int i = 0; i < 3; ++i)
    check_rejected(Status::mass_not_positive_definite, [i](S& s) { s.model.M(i, i) = Real(-2); });
  check_rejected(Status::mass_not_positive_definite, [](S& s) { s.model.M(1, 0) = s.model.M(0, 1) = Real(3); });
}
void test_force(void) {
  for (int i = 0; i < 3; ++i) check_not_finite([i](S& s, Real bad) { s.model.h(i) = bad; });
}
void test_gap(void) {
  check_not_finite([](S& s, Real bad) { s.model.gap_value = bad; });
}
void test_normal_direction(void) {
  for (int i = 0; i < 3; ++i) check_not_finite([i](S& s, Real bad) { s.model.contact_directions.w_N(i) = bad; });
}
void test_tangential_direction(void) {
  for (int i = 0; i < 3; ++i) check_not_finite([i](S& s, Real bad) { s.model.contact_directions.w_T(i, 0) = bad; });
}
void test_surface_velocity(void) {
  check_not_finite([](S& s, Real bad) { s.model.contact_directions.zeta_N = bad; });
  check_not_finite([](S& s, Real bad) { s.model.contact_directions.zeta_T = bad; });
}
void test_zero_normal_direction(void) {
  check_rejected(Status::invalid_argument, [](S& s) { s.model.contact_directions.w_N.setZero(); });
}
void test_normal_restitution(void) {
  check_out_of_range([](S& s, Real bad) { s.model.contact_law.eps_N = bad; });
  check_rejected(Status::invalid_argument, [](S& s) { s.model.contact_law.eps_N = Real(1.001); });
}
void test_tangential_restitution(void) {
  check_out_of_range([](S& s, Real bad) { s.model.contact_law.eps_T = bad; });
  check_rejected(Status::invalid_argument, [](S& s) { s.model.contact_law.eps_T = Real(1.001); });
}
void test_friction_coefficient(void) {
  check_out_of_range([](S& s, Real bad) { s.model.contact_law.mu = bad; });
}
void test_friction_coefficient_of_the_slip_speed(void) {
  check_out_of_range([](S& s, Real bad) { s.model.slip_mu = bad; });
}
void test_friction_bound(void) {
  check_out_of_range([](S& s, Real bad) { s.model.bound = bad; });
}
void test_friction_directions(void) {
  for (int i = 0; i < 3; ++i) check_not_finite([i](S& s, Real bad) { s.model.rubbing.w(i, 0) = bad; });
  check_not_finite([](S& s, Real bad) { s.model.rubbing.zeta = bad; });
}
void test_ideal_joint(void) {
  for (int i = 0; i < 3; ++i) check_not_finite([i](S& s, Real bad) { s.model.joint.w(i) = bad; });
  check_not_finite([](S& s, Real bad) { s.model.joint.zeta = bad; });
  check_not_finite([](S& s, Real bad) { s.model.joint.g = bad; });
  check_rejected(Status::constraints_dependent, [](S& s) { s.model.joint.w.setZero(); });
}

// The smallest planar model, for which a stepper may use specialised code.
template <class Block>
void check_block() {
  Block good(test::Block<Real>{}, moreau::State<test::Block<Real>>{});
  good.model.contact_law.mu = Real(0.375);
  good.state.u = {Real(1), Real(-1)};
  for (int i = 0; i < 3; ++i) CHECK_EQUAL(Status::ok, good.step(dt).status);
  // Not inlined: otherwise each call has a stepper on the stack, which exceeds that of boards.
  const auto check = [&](Status status, const auto& make_invalid, Real step = dt) __attribute__((noinline)) {
    Block stepper = good;
    make_invalid(stepper);
    const auto before = test::saved(stepper.state);
    const Status status_found = stepper.step(step).status;
    if (status_found != status)
      moreau::port::print("status ", moreau::name(status_found), " instead of ", moreau::name(status), "\n");
    CHECK_EQUAL(status, status_found);
    CHECK(before == test::saved(stepper.state));
  };
  for (const Real bad :
       {Real(0), Real(-1e-3), std::numeric_limits<Real>::denorm_min(), not_a_number, infinite, -infinite})
    check(
        Status::invalid_argument, [](Block&) {}, bad);
  for (const Real bad : not_finite) {
    check(Status::not_finite, [&](Block& s) { s.state.clock.t0 = bad; });
    for (int i = 0; i < 2; ++i) check(Status::not_finite, [&](Block& s) { s.state.q(i) = bad; });
    for (int i = 0; i < 2; ++i) check(Status::not_finite, [&](Block& s) { s.state.u(i) = bad; });
    check(Status::not_finite, [&](Block& s) { s.model.force_T = bad; });
    check(Status::not_finite, [&](Block& s) { s.model.zeta_N = bad; });
    check(Status::not_finite, [&](Block& s) { s.model.zeta_T = bad; });
    check(Status::invalid_argument, [&](Block& s) { s.model.contact_law.eps_N = bad; });
    check(Status::invalid_argument, [&](Block& s) { s.model.contact_law.eps_T = bad; });
    check(Status::invalid_argument, [&](Block& s) { s.model.contact_law.mu = bad; });
    moreau::Exact nonsense;
    nonsense.tolerance = static_cast<float>(bad);
    moreau::Stepper<test::Block<Real>> stepper(good.model, good.state, nonsense);
    CHECK_EQUAL(Status::invalid_argument, stepper.step(dt).status);
  }
  check(Status::not_finite, [](Block& s) { s.model.m = not_a_number; });
  check(Status::mass_not_positive_definite, [](Block& s) { s.model.m = Real(0); });
  check(Status::mass_not_positive_definite, [](Block& s) { s.model.m = Real(-1); });
  check(Status::invalid_argument, [](Block& s) { s.model.contact_law.eps_N = Real(1.01); });
  check(Status::invalid_argument, [](Block& s) { s.model.contact_law.eps_T = Real(-0.01); });
  check(Status::invalid_argument, [](Block& s) { s.model.contact_law.mu = Real(-0.01); });
  constexpr Real largest = std::numeric_limits<Real>::max();
  for (const Real bad : {Real(128), largest})
    check(
        Status::invalid_argument, [](Block&) {}, bad);
  check(
      Status::not_finite, [](Block& s) { s.model.force_T = largest; }, Real(127));
  for (const Real bad : {not_a_number, infinite, -infinite, Real(-1e-6), Real(1), Real(1.5)}) {
    check(Status::invalid_argument, [&](Block& s) { s.judge.rtol = bad; });
    check(Status::invalid_argument, [&](Block& s) { s.judge.sigma_margin = bad; });
  }
}

void test_block(void) { check_block<moreau::Stepper<test::Block<Real>>>(); }
void test_block_in_constant_time(void) {
  check_block<moreau::Stepper<test::Block<Real>, moreau::Exact, moreau::Timing::constant>>();
}

void test_block_with_closed_forms(void) {
  check_block<moreau::Stepper<test::Block<Real>, moreau::ClosedForms>>();
  check_block<moreau::Stepper<test::Block<Real>, moreau::ClosedForms, moreau::Timing::constant>>();
}
void test_block_with_sweeps_in_constant_time(void) {
  check_block<moreau::Stepper<test::Block<Real>, moreau::Sweeps, moreau::Timing::constant>>();
}

void test_percussions_of_the_last_step_are_only_a_start_value(void) {
  for (const Real bad : not_finite) {
    moreau::Stepper<Fragile, moreau::Psor> stepper(Fragile{}, moving().state);
    stepper.state.P_N(0) = stepper.state.P_T(0, 0) = stepper.state.P_F(0, 0) = bad;
    CHECK_EQUAL(Status::ok, stepper.step(dt).status);
  }
}

void test_options_changed_to_invalid_values(void) {
#ifdef MOREAU_TEST_CONSTANT_SWEEPS
  check_rejected(Status::invalid_argument, [](S& s) { s.solver.omega = 0.0f; });
  check_rejected(Status::invalid_argument, [](S& s) { s.solver.count = 0; });
#else
  check_rejected<General>(Status::invalid_argument, [](General& s) { s.solver.tolerance = 0.0f; });
  check_rejected<General>(Status::invalid_argument, [](General& s) { s.solver.fallback.max_pivots = 0; });
#endif
  check_rejected(Status::invalid_argument, [](S& s) { s.judge.rtol = Real(-1); });
  check_rejected<General>(Status::invalid_argument, [](General& s) { s.judge.atol = not_a_number; });
}

template <class Options, class Number>
bool valid_with(Number Options::*member, Number value) {
  Options options;
  options.*member = value;
  return options.valid();
}

void test_psor_options(void) {
  using moreau::Psor;
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  CHECK(Psor{}.valid());
  for (const float bad : {0.0f, -1.0f, 2.0f, nan, inf}) CHECK(!valid_with(&Psor::omega, bad));
  for (const float bad : {-1e-6f, 1.0f, nan, inf}) CHECK(!valid_with(&Psor::tolerance, bad));
  for (const int bad : {0, -1}) CHECK(!valid_with(&Psor::max_iterations, bad));
  CHECK(valid_with(&Psor::omega, 1.9f) && valid_with(&Psor::tolerance, 0.0f) && valid_with(&Psor::max_iterations, 1));
}

void test_lemke_options(void) {
  using moreau::Lemke;
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  CHECK(Lemke{}.valid());
  for (const float bad : {0.0f, -1.0f, 1e6f, nan, inf}) CHECK(!valid_with(&Lemke::pivot_tolerance, bad));
  for (const int bad : {0, -1}) CHECK(!valid_with(&Lemke::max_pivots, bad));
}

void test_exact_options(void) {
  using moreau::Exact;
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  CHECK(Exact{}.valid());
  for (const float bad : {0.0f, -1.0f, 1e6f, nan, inf}) CHECK(!valid_with(&Exact::tolerance, bad));
  Exact exact;
  exact.fallback.max_pivots = 0;
  CHECK(!exact.valid());
}

void test_cascade_options(void) {
  moreau::Cascade<moreau::Psor, moreau::Lemke> cascade;
  CHECK(cascade.valid());
  std::get<1>(cascade.solvers).max_pivots = 0;
  CHECK(!cascade.valid());
}

TEST_MAIN({
  TEST(test_model_without_errors);
  TEST(test_step_size);
  TEST(test_step_size_near_the_range_limit);
  TEST(test_time);
  TEST(test_position);
  TEST(test_velocity);
  TEST(test_mass_not_finite);
  TEST(test_mass_singular);
  TEST(test_mass_indefinite);
  TEST(test_force);
  TEST(test_gap);
  TEST(test_normal_direction);
  TEST(test_tangential_direction);
  TEST(test_surface_velocity);
  TEST(test_zero_normal_direction);
  TEST(test_normal_restitution);
  TEST(test_tangential_restitution);
  TEST(test_friction_coefficient);
  TEST(test_friction_coefficient_of_the_slip_speed);
  TEST(test_friction_bound);
  TEST(test_friction_directions);
  TEST(test_ideal_joint);
  TEST(test_block);
  TEST(test_block_in_constant_time);
  TEST(test_block_with_closed_forms);
  TEST(test_block_with_sweeps_in_constant_time);
  TEST(test_percussions_of_the_last_step_are_only_a_start_value);
  TEST(test_options_changed_to_invalid_values);
  TEST(test_psor_options);
  TEST(test_lemke_options);
  TEST(test_exact_options);
  TEST(test_cascade_options);
})
