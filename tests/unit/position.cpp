// The end of a step in position: contacts that have sunk come back to their depth, and take no neighbour down.
#include <moreau/moreau.hpp>

#include "support/test.hpp"

namespace {

constexpr Real eps = std::numeric_limits<Real>::epsilon();

// A light bar on two feet, 1 m apart from its centre: q = (height, angle), small angles. J is small against m a^2, so
// that lifting one foot turns the bar rather than lifts it.
struct Bar {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 2, tangents = 0;
  using Q = moreau::Vector<Real, 2>;
  Real m{1}, J = Real(0.01), overlap = Real(1e-5);

  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return Q(m, J).asDiagonal(); }
  Q force(const Q&, const Q&, Real) const { return Q(-10 * m, 0); }
  Real gap(int i, const Q& q, Real) const { return i == 0 ? q(0) - q(1) : q(0) + q(1); }
  moreau::Directions<Real, 2, 0> directions(int i, const Q&, Real) const {
    moreau::Directions<Real, 2, 0> d;
    d.w_N = Q(1, i == 0 ? Real(-1) : Real(1));
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
  Real depth(int) const { return overlap; }
};

constexpr Real dt = Real(1e-4);

// A step from rest at q.
Bar::Q after_a_step(const Bar& model, const Bar::Q& q) {
  moreau::State<Bar> start;
  start.q = q;
  moreau::Stepper bar{model, start};
  CHECK(bar.step(dt).advanced());
  CHECK(bar.contact(0).P_N > 0);
  return bar.state.q;
}

// What a step itself sinks by: a foot that is open falls by g dt^2 / 2 times what it turns faster than it falls.
constexpr Real fall = 2 * Real(10) * dt * dt;

}  // namespace

void test_feet_that_have_sunk_come_back_to_their_depth(void) {
  const Bar model;
  const auto q = after_a_step(model, {Real(-1e-3), Real(2e-4)});
  for (int i = 0; i < 2; ++i) CHECK_WITHIN(4 * eps, -model.overlap, model.gap(i, q, 0));
}

void test_a_foot_within_its_depth_stays_where_it_is(void) {
  const Bar model;
  const Bar::Q rest(-model.overlap / 2, 0);
  const auto q = after_a_step(model, rest);
  CHECK_EQUAL(rest(0), q(0));
  CHECK_EQUAL(rest(1), q(1));
}

void test_putting_one_foot_back_does_not_sink_the_other(void) {
  const Bar model;
  // Foot 0 is 1 mm deep, foot 1 a hair above the floor. Turning alone would bring foot 1 down by 0.98 mm.
  const Real hair = Real(1e-6);
  const auto q = after_a_step(model, {(hair - Real(1e-3)) / 2, (hair + Real(1e-3)) / 2});
  CHECK_WITHIN(fall + 4 * eps, -model.overlap, model.gap(0, q, 0));
  CHECK_WITHIN(fall + 4 * eps, -model.overlap, model.gap(1, q, 0));
}

void test_a_foot_that_is_far_open_is_left_out(void) {
  const Bar model;
  const auto q = after_a_step(model, {Real(0.05) - Real(1e-3), Real(0.05)});
  CHECK_WITHIN(fall + 8 * eps, -model.overlap, model.gap(0, q, 0));
  CHECK(model.gap(1, q, 0) > Real(0.09));
}

void test_velocities_are_not_touched(void) {
  const Bar model;
  moreau::State<Bar> start;
  start.q << Real(-1e-3), Real(2e-4);
  moreau::Stepper bar{model, start};
  CHECK(bar.step(dt).advanced());
  // At rest on both feet: the step stops what falls, the correction adds no speed. 1e-3 m in 1e-4 s would be 10 m/s.
  CHECK_WITHIN(64 * eps * 10 * dt, 0, bar.state.u(0));
  CHECK_WITHIN(64 * eps * 10 * dt, 0, bar.state.u(1));
}

TEST_MAIN({
  TEST(test_feet_that_have_sunk_come_back_to_their_depth);
  TEST(test_a_foot_within_its_depth_stays_where_it_is);
  TEST(test_putting_one_foot_back_does_not_sink_the_other);
  TEST(test_a_foot_that_is_far_open_is_left_out);
  TEST(test_velocities_are_not_touched);
})
