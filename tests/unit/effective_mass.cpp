// Ideal joints as constraints: a pendulum in x and y against the pendulum in its angle.
#include "support/test.hpp"

#include <moreau/moreau.hpp>

#include "support/saved.hpp"

namespace {

constexpr Real gravity = Real(9.81);

// Mass on a rod of length L around the origin. `rows` = 2 contains the same constraint twice.
template <int rows>
struct Rod {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0, bilaterals = rows;
  using Q = moreau::Vector<Real, 2>;
  Real m{1.5}, L{0.5};
  Q rod_of_row[2] = {Q(Real(1), Real(1)), Q(Real(1), Real(1))};  // factors of the rows, for invalid ones
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return m * moreau::Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0), -m * gravity); }
  moreau::Bilateral<Real, 2> bilateral(int j, const Q& q, Real) const {
    moreau::Bilateral<Real, 2> row;
    row.w = (q / L).cwiseProduct(rod_of_row[j]);
    row.g = (q(0) * q(0) + q(1) * q(1) - L * L) / (Real(2) * L);
    return row;
  }
};

static_assert(moreau::State<Rod<2>>::bytes == moreau::State<Rod<1>>::bytes + sizeof(Real), "a P_B is saved");

struct Pendulum {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 0;
  using Q = moreau::Vector<Real, 1>;
  Real L{0.5};
  moreau::Matrix<Real, 1, 1> mass(const Q&, Real) const { return Q(L * L); }
  Q force(const Q& q, const Q&, Real) const { return Q(-gravity * L * moreau::sin(q(0))); }
};

moreau::State<Rod<1>> deflected(Real phi, const Rod<1>& rod = {}) {
  moreau::State<Rod<1>> state;
  state.q = {rod.L * moreau::sin(phi), -rod.L * moreau::cos(phi)};
  return state;
}

// Largest distance between the two pendulums over one second.
Real distance(Real dt, int steps) {
  moreau::Stepper<Rod<1>> rod(Rod<1>{}, deflected(Real(1)));
  moreau::State<Pendulum> start;
  start.q(0) = Real(1);
  moreau::Stepper<Pendulum> pendulum(Pendulum{}, start);
  Real worst = Real(0);
  for (int i = 0; i < steps; ++i) {
    CHECK_EQUAL(moreau::Status::ok, rod.step(dt).status);
    CHECK_EQUAL(moreau::Status::ok, pendulum.step(dt).status);
    const Real phi = pendulum.state.q(0);
    worst = moreau::detail::larger(worst, moreau::detail::absolute(rod.state.q(0) - Real(0.5) * moreau::sin(phi)));
  }
  return worst;
}

// Block guided along the line y = x by a joint, pushed against a wall.
struct Led {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 1, bilaterals = 1;
  using Q = moreau::Vector<Real, 2>;
  Real m{2}, m_y{2}, wall{0};
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return Q(m, m_y).asDiagonal(); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(6), Real(-4)); }
  moreau::Bilateral<Real, 2> bilateral(int, const Q& q, Real) const {  // y - x = 0
    moreau::Bilateral<Real, 2> row;
    row.w = {Real(-1), Real(1)};
    row.g = q(1) - q(0);
    return row;
  }
  Real gap(int, const Q& q, Real) const { return wall - q(0); }
  moreau::Directions<Real, 2> directions(int, const Q&, Real) const {
    moreau::Directions<Real, 2> d;
    d.w_N = {Real(-1), Real(0)};
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
};

}  // namespace

void test_motion_agrees_with_reduced_coordinates(void) {
  const Real coarse = distance(Real(1e-3), 1000);
  CHECK_WITHIN(Real(2e-3), Real(0), coarse);
  const Real fine = distance(Real(2.5e-4), 4000);
  moreau::port::print("constraint against angle: ", coarse, " m at 1 ms, ", fine, " m at 0.25 ms\n");
  CHECK(fine < coarse / Real(3));  // at least first order
}

void test_length_of_the_rod_is_constant(void) {
  moreau::Stepper<Rod<1>> rod(Rod<1>{}, deflected(Real(2)));
  Real worst = Real(0);
  for (int i = 0; i < 5000; ++i) {
    CHECK_EQUAL(moreau::Status::ok, rod.step(Real(1e-3)).status);
    worst = moreau::detail::larger(worst, moreau::detail::absolute(moreau::detail::length(rod.state.q) - rod.model.L));
  }
  // One projection with the directions of the midpoint leaves the square of the rotation per step, at most (3e-3)^2.
  CHECK_WITHIN(Real(1e-5) * rod.model.L, Real(0), worst);
}

// A rod with bias acceleration has the constraint velocity at the end of the step instead of the midpoint; the
// difference is dt/2 u^2 / L.
struct TurningRod : Rod<1> {
  Real bias_acceleration(int, const Q&, const Q& u, Real) const { return moreau::dot(u, u) / L; }
};
static_assert(moreau::detail::Contract<TurningRod>::has_bias_acceleration &&
              !moreau::detail::Contract<Rod<1>>::has_bias_acceleration);
template <class Model>
Real speed_along_the_rod(Real dt) {
  moreau::State<Model> start;
  start.q = {Model{}.L, Real(0)};
  start.u = {Real(0), Real(3)};
  moreau::Stepper<Model> rod(Model{}, start);
  CHECK_EQUAL(moreau::Status::ok, rod.step(dt).status);
  return moreau::dot(rod.state.q, rod.state.u) / rod.model.L;
}
void test_row_with_bias_acceleration_holds_at_the_end(void) {
  const Real dt = Real(1e-3), half = dt / 2 * 9 / Rod<1>{}.L;
  CHECK_WITHIN(half / 10, half, speed_along_the_rod<Rod<1>>(dt));
  CHECK_WITHIN(half / 10, Real(0), speed_along_the_rod<TurningRod>(dt));
}

void test_force_of_the_rod(void) {
  const Real dt = Real(1e-4);
  moreau::Stepper<Rod<1>> rod(Rod<1>{}, deflected(Real(1)));
  for (int i = 0; i < 5000; ++i) {
    CHECK_EQUAL(moreau::Status::ok, rod.step(dt).status);
    const Rod<1>& model = rod.model;
    const Real speed_square = rod.state.u(0) * rod.state.u(0) + rod.state.u(1) * rod.state.u(1);
    // w points outward: the rod pulls inward with m g cos phi + m v^2 / L
    const Real pull = model.m * (gravity * -rod.state.q(1) / model.L + speed_square / model.L);
    CHECK_WITHIN(Real(5e-3) * model.m * gravity, -pull, rod.state.P_B(0) / dt);
  }
}

void test_rod_at_rest_carries_only_the_weight(void) {
  moreau::Stepper<Rod<1>> rod(Rod<1>{}, deflected(Real(0)));
  for (int i = 0; i < 10000; ++i) CHECK_EQUAL(moreau::Status::ok, rod.step(Real(1e-3)).status);
  CHECK_WITHIN(Real(4) * moreau::detail::epsilon<Real> * Real(15), Real(-1.5) * gravity * Real(1e-3), rod.state.P_B(0));
  CHECK_EQUAL(Real(0), rod.state.q(0));
  CHECK_WITHIN(Real(4) * moreau::detail::epsilon<Real>, Real(-0.5), rod.state.q(1));
}

void test_contacts_use_the_effective_inverse_mass(void) {
  // Along the joint, the forces give 6 - 4 = 2 N on 2 m. With the wall at 0, the wall carries all of it, and the joint
  // the rest: -P_B + 4 = 0 holds y.
  moreau::Stepper<Led> led(Led{}, moreau::State<Led>{});
  const Real dt = Real(1e-3);
  const auto report = led.step(dt);
  CHECK_EQUAL(moreau::Status::ok, report.status);
  CHECK_EQUAL(1, report.active);
  CHECK_WITHIN(Real(32) * moreau::detail::epsilon<Real> * dt, Real(2) * dt, led.state.P_N(0));
  CHECK_WITHIN(Real(32) * moreau::detail::epsilon<Real> * dt, Real(4) * dt, led.state.P_B(0));
  CHECK_WITHIN(Real(32) * moreau::detail::epsilon<Real> * dt, Real(0), led.state.u(0));
  led.model.wall = Real(1);
  CHECK_EQUAL(0, led.step(dt).active);
  CHECK_WITHIN(Real(32) * moreau::detail::epsilon<Real> * dt, Real(0.5) * dt, led.state.u(0));
  CHECK_WITHIN(Real(32) * moreau::detail::epsilon<Real> * dt, led.state.u(0), led.state.u(1));
}

// Indefinite mass for which the row of the joint is still regular: 1 / m + 1 / m_y > 0.
void test_indefinite_mass_with_a_regular_joint(void) {
  moreau::Stepper<Led> led(Led{}, moreau::State<Led>{});
  led.model.m_y = Real(-4);
  const auto before = test::saved(led.state);
  const auto report = led.step(Real(1e-3));
  CHECK_EQUAL(moreau::Status::mass_not_positive_definite, report.status);
  CHECK_EQUAL(1, report.index);
  CHECK(before == test::saved(led.state));
}

template <class Spoil>
void check_refused(moreau::Status status, const Spoil& spoil) {
  Rod<2> model;
  spoil(model);
  moreau::State<Rod<2>> start;
  start.q = {Real(0.3), Real(-0.4)};
  moreau::Stepper<Rod<2>> rod(model, start);
  const auto before = test::saved(rod.state);
  CHECK_EQUAL(status, rod.step(Real(1e-3)).status);
  CHECK(before == test::saved(rod.state));
}

void test_dependent_rows(void) {
  check_refused(moreau::Status::constraints_dependent, [](Rod<2>&) {});
  check_refused(moreau::Status::constraints_dependent,
                [](Rod<2>& model) { model.rod_of_row[1] = Real(-3) * model.rod_of_row[1]; });
  check_refused(moreau::Status::constraints_dependent, [](Rod<2>& model) { model.rod_of_row[0].setZero(); });
}

void test_independent_rows_constrain_all_coordinates(void) {
  Rod<2> model;
  model.rod_of_row[1] = {Real(1), Real(-1)};
  moreau::State<Rod<2>> start;
  start.q = {Real(0.3), Real(-0.4)};
  moreau::Stepper<Rod<2>> rod(model, start);
  CHECK_EQUAL(moreau::Status::ok, rod.step(Real(1e-3)).status);
  CHECK_WITHIN(Real(32) * moreau::detail::epsilon<Real>, Real(0), moreau::detail::length(rod.state.u));
}

void test_non_finite_row(void) {
  const Real not_a_number = std::numeric_limits<Real>::quiet_NaN();
  check_refused(moreau::Status::not_finite, [&](Rod<2>& model) { model.rod_of_row[0](1) = not_a_number; });
  check_refused(moreau::Status::not_finite, [&](Rod<2>& model) { model.rod_of_row[1](0) = not_a_number; });
}

// Two coupled masses, M not diagonal, with the first coordinate held at 0. The projection closes the joint in the metric
// of M: it moves q by M^-1 w, not by w.
struct Coupled {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0, bilaterals = 1;
  using Q = moreau::Vector<Real, 2>;
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const {
    moreau::Matrix<Real, 2, 2> M;
    M << Real(2), Real(1), Real(1), Real(4);
    return M;
  }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  moreau::Bilateral<Real, 2> bilateral(int, const Q& q, Real) const {
    moreau::Bilateral<Real, 2> row;
    row.w = {Real(1), Real(0)};
    row.g = q(0);
    return row;
  }
};
void test_projection_moves_along_the_inverse_mass(void) {
  moreau::State<Coupled> start;
  start.q = {Real(0.125), Real(1)};
  moreau::Stepper<Coupled> masses(Coupled{}, start);
  CHECK_EQUAL(moreau::Status::ok, masses.step(Real(1e-3)).status);
  const Real rounding = Real(8) * moreau::detail::epsilon<Real>;
  CHECK_WITHIN(rounding, Real(0), masses.state.q(0));
  CHECK_WITHIN(rounding, Real(1) + Real(0.125) / Real(4), masses.state.q(1));  // M^-1 w = (4, -1) / 7
  CHECK(masses.state.u == Coupled::Q::Zero());
}

TEST_MAIN({
  TEST(test_projection_moves_along_the_inverse_mass);
  TEST(test_motion_agrees_with_reduced_coordinates);
  TEST(test_length_of_the_rod_is_constant);
  TEST(test_row_with_bias_acceleration_holds_at_the_end);
  TEST(test_force_of_the_rod);
  TEST(test_rod_at_rest_carries_only_the_weight);
  TEST(test_contacts_use_the_effective_inverse_mass);
  TEST(test_indefinite_mass_with_a_regular_joint);
  TEST(test_dependent_rows);
  TEST(test_independent_rows_constrain_all_coordinates);
  TEST(test_non_finite_row);
})
