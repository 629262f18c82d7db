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
  Real allowed_penetration(int) const { return overlap; }
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

// A slider in a guide that is narrower than it by 0.1 mm, pressed against one face: what that face pushes it off, the other
// one pushes back. Each gives half of what it has sunk, and the slider is in the middle.
struct Tight : Bar {
  static constexpr int dof = 1;
  using Q = moreau::Vector<Real, 1>;
  moreau::Matrix<Real, 1, 1> mass(const Q&, Real) const { return Q(m); }
  Q force(const Q&, const Q&, Real) const { return Q(-10 * m); }
  Real gap(int i, const Q& q, Real) const { return (i == 0 ? q(0) : -q(0)) - Real(5e-5); }
  moreau::Directions<Real, 1, 0> directions(int i, const Q&, Real) const {
    moreau::Directions<Real, 1, 0> d;
    d.w_N(0) = i == 0 ? Real(1) : Real(-1);
    return d;
  }
};
template <class Solver>
void check_shares() {
  moreau::State<Tight> start;
  start.q(0) = Real(-3e-5);
  moreau::Stepper<Tight, Solver> slider{Tight{}, start};
  CHECK(slider.step(dt).advanced() && slider.contact(0).P_N > 0);
  CHECK_WITHIN(4 * eps * Real(1e-4), 0, slider.state.q(0));
}
void test_faces_that_push_each_other_take_their_shares(void) {
  check_shares<moreau::Exact>();
  check_shares<moreau::Lemke>();
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

// A wall beside the bar that it runs into at the end of the step: nothing carries there yet, so nothing is put back, and
// who puts the feet back need not care.
struct BarBesideAWall : Bar {
  static constexpr int dof = 3, contacts = 3;
  using Q = moreau::Vector<Real, 3>;
  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const { return Q(m, J, m).asDiagonal(); }
  Q force(const Q&, const Q&, Real) const { return Q(-10 * m, 0, 0); }
  Real gap(int i, const Q& q, Real t) const { return i == 2 ? q(2) : Bar::gap(i, Bar::Q(q(0), q(1)), t); }
  moreau::Directions<Real, 3, 0> directions(int i, const Q&, Real) const {
    moreau::Directions<Real, 3, 0> d;
    d.w_N = i == 2 ? Q(0, 0, 1) : Q(1, i == 0 ? Real(-1) : Real(1), 0);
    return d;
  }
};
void test_what_is_hit_in_the_end_is_left_to_the_next_step(void) {
  const BarBesideAWall model;
  moreau::State<BarBesideAWall> start;
  start.q << Real(-1e-3), Real(2e-4), Real(6e-4);
  start.u(2) = -10;
  moreau::Stepper bar{model, start};
  const auto report = bar.step(dt);
  CHECK(report.advanced() && report.active == 2 && report.fallbacks == 0);
  for (int i = 0; i < 2; ++i) CHECK_WITHIN(4 * eps, -model.overlap, model.gap(i, bar.state.q, 0));
  CHECK_WITHIN(4 * eps, Real(-4e-4), bar.state.q(2));
}

// A bar that bounces stands off at the end of the step that it hits in. What has not carried before is not pulled back.
struct PersistentBar : Bar {
  static constexpr bool persistent_contacts = true;
  moreau::ContactLaw<Real> law(int) const { return {Real(0.5), 0, 0}; }
};
void test_what_bounces_is_not_pulled_back(void) {
  const auto end = [](auto solver) {
    moreau::State<PersistentBar> start;
    start.q << Real(4e-5), 0;
    start.u(0) = -1;
    moreau::Stepper bar{PersistentBar{}, start, solver};
    CHECK(bar.step(dt).active == 2);
    return bar.state.q(0);
  };
  CHECK_WITHIN(Real(1e-7), Real(4e-5) - dt / 2 + dt / 4, end(moreau::Exact{}));
  CHECK_WITHIN(Real(1e-7), end(moreau::Exact{}), end(moreau::Lemke{}));
}

TEST_MAIN({
  TEST(test_what_is_hit_in_the_end_is_left_to_the_next_step);
  TEST(test_what_bounces_is_not_pulled_back);
  TEST(test_feet_that_have_sunk_come_back_to_their_depth);
  TEST(test_a_foot_within_its_depth_stays_where_it_is);
  TEST(test_putting_one_foot_back_does_not_sink_the_other);
  TEST(test_a_foot_that_is_far_open_is_left_out);
  TEST(test_faces_that_push_each_other_take_their_shares);
  TEST(test_velocities_are_not_touched);
})
