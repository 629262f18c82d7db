// Position correction at the end of a step: penetrating contacts return to their allowed penetration, and neighbouring
// contacts do not gain penetration.
#include <moreau/moreau.hpp>

#include "support/test.hpp"

namespace {

constexpr Real eps = std::numeric_limits<Real>::epsilon();

// Light bar on two feet, 1 m from its centre: q = (height, angle), small angles. J is small compared with m a^2, so
// that lifting one foot rotates the bar instead of lifting it.
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

// One step from rest at q.
Bar::Q after_a_step(const Bar& model, const Bar::Q& q) {
  moreau::State<Bar> start;
  start.q = q;
  moreau::Stepper bar{model, start};
  CHECK(bar.step(dt).advanced());
  CHECK(bar.contact(0).P_N > 0);
  return bar.state.q;
}

// Penetration due to the step itself: an open foot falls by g dt^2 / 2 times the ratio of its rotation to its fall.
constexpr Real fall = 2 * Real(10) * dt * dt;

}  // namespace

void test_penetrating_feet_return_to_the_allowed_penetration(void) {
  const Bar model;
  const auto q = after_a_step(model, {Real(-1e-3), Real(2e-4)});
  for (int i = 0; i < 2; ++i) CHECK_WITHIN(4 * eps, -model.overlap, model.gap(i, q, 0));
}

void test_contact_within_allowed_penetration_is_unchanged(void) {
  const Bar model;
  const Bar::Q rest(-model.overlap / 2, 0);
  const auto q = after_a_step(model, rest);
  CHECK_EQUAL(rest(0), q(0));
  CHECK_EQUAL(rest(1), q(1));
}

void test_correction_of_one_foot_adds_no_penetration_at_the_other(void) {
  const Bar model;
  // Foot 0 penetrates by 1 mm, foot 1 is just above the floor. Rotation alone would lower foot 1 by 0.98 mm.
  const Real hair = Real(1e-6);
  const auto q = after_a_step(model, {(hair - Real(1e-3)) / 2, (hair + Real(1e-3)) / 2});
  CHECK_WITHIN(fall + 4 * eps, -model.overlap, model.gap(0, q, 0));
  CHECK_WITHIN(fall + 4 * eps, -model.overlap, model.gap(1, q, 0));
}

void test_open_foot_is_not_corrected(void) {
  const Bar model;
  const auto q = after_a_step(model, {Real(0.05) - Real(1e-3), Real(0.05)});
  CHECK_WITHIN(fall + 8 * eps, -model.overlap, model.gap(0, q, 0));
  CHECK(model.gap(1, q, 0) > Real(0.09));
}

// The same bar below a ceiling, `room` above its centre.
struct BarBelowACeiling : Bar {
  static constexpr int contacts = 3;
  Real room = Real(5e-4);
  Real gap(int i, const Q& q, Real t) const { return i == 2 ? room - q(0) : Bar::gap(i, q, t); }
  moreau::Directions<Real, 2, 0> directions(int i, const Q& q, Real t) const {
    moreau::Directions<Real, 2, 0> d = Bar::directions(i, q, t);
    if (i == 2) d.w_N = Q(-1, 0);
    return d;
  }
};
template <class Solver, moreau::Timing timing = moreau::Timing::variable>
Bar::Q below_a_ceiling(Real room, int fallbacks = 0) {
  BarBelowACeiling model;
  model.room = room;
  moreau::State<BarBelowACeiling> start;
  start.q << Real(-1e-3), Real(1e-4);
  moreau::Stepper<BarBelowACeiling, Solver, timing> bar{model, start};
  const auto report = bar.step(dt);
  CHECK_EQUAL(fallbacks, report.fallbacks);
  CHECK(report.advanced() && bar.contact(0).P_N > 0 && bar.contact(1).P_N > 0 && bar.contact(2).P_N == 0);
  return bar.state.q;
}

// The corrections of both feet together push the bar into the ceiling, which none of them does alone: the third contact
// takes part in the correction, also after a direct solution.
void test_corrections_of_two_feet_add_no_penetration_at_a_third_contact(void) {
  for (const Real room : {Real(-4e-4), Real(-9e-4)}) {  // below the end of the correction of both feet
    const auto direct = below_a_ceiling<moreau::Exact>(room), general = below_a_ceiling<moreau::Lemke>(room);
    for (int j = 0; j < 2; ++j) CHECK_WITHIN(4 * eps * Real(1e-3), general(j), direct(j));
    constexpr auto constant = moreau::Timing::constant;
    CHECK(direct == (below_a_ceiling<moreau::Exact, constant>(room, 1)));  // a fallback of constant time
    CHECK(direct(0) < Real(-1e-4));  // and not at the height of -1e-5 that the feet alone would reach
  }
  CHECK_WITHIN(4 * eps, Real(-1e-5), (below_a_ceiling<moreau::Exact, moreau::Timing::constant>(Real(5e-4))(0)));
}

// Units of mass do not change the correction.
void test_correction_of_heavy_and_light_bars(void) {
  const Bar::Q q(Real(-1e-3), Real(2e-4));
  for (const Real factor : {Real(1e-10), Real(1e-5), Real(1e5), Real(1e10)}) {
    Bar model;
    model.m *= factor, model.J *= factor;
    const auto corrected = after_a_step(model, q);
    for (int i = 0; i < 2; ++i) CHECK_WITHIN(4 * eps, -model.overlap, model.gap(i, corrected, 0));
  }
}

// Slider in a guide with 0.1 mm of interference, pressed against one face. Each face pushes the slider towards the
// other; each takes half of the penetration, and the slider ends in the middle.
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
void test_opposing_faces_share_the_correction(void) {
  check_shares<moreau::Exact>();
  check_shares<moreau::Lemke>();
}

// The same bar on two feet at one end, 0.1 m apart, which penetrate by 0.1 mm and 2 mm. The correction of both to their
// allowed penetrations would pull one foot and rotate the bar by 17 rad. Only the deeper foot is corrected.
template <int count>
struct BarOnOneEnd : Bar {
  static constexpr int contacts = count, closed_at_once = count;
  static constexpr Real arm[] = {Real(-1), Real(-0.9), Real(1)}, floor[] = {0, Real(1.9e-3), -1};
  Real gap(int i, const Q& q, Real) const { return q(0) + arm[i] * q(1) - floor[i]; }
  moreau::Directions<Real, 2, 0> directions(int i, const Q&, Real) const {
    moreau::Directions<Real, 2, 0> d;
    d.w_N = Q(1, arm[i]);
    return d;
  }
};
struct BarOnOneEndWithRows : BarOnOneEnd<3> {
  static constexpr int max_closed = 2;
};
template <class Model, class Solver, moreau::Timing timing = moreau::Timing::variable>
void check_push() {
  moreau::State<Model> start;
  start.q << Real(-1e-4), 0;
  const Real p = Real(1e-3);  // percussion of both feet, which stops the bar
  start.u << 10 * dt - 2 * p, Real(1.9) * p / Bar{}.J;
  moreau::Stepper<Model, Solver, timing> bar{Model{}, start};
  const auto report = bar.step(dt);
  CHECK(report.advanced() && report.fallbacks == 0 && bar.contact(0).P_N > 0 && bar.contact(1).P_N > 0);
  CHECK_WITHIN(1e-3 * 2e-3, -Bar{}.overlap, bar.model.gap(1, bar.state.q, 0));
  CHECK(bar.model.gap(0, bar.state.q, 0) > Real(0));
  CHECK(std::fabs(bar.state.q(1)) < 2.5e-3);
}
void test_no_foot_is_pulled(void) {
  check_push<BarOnOneEnd<2>, moreau::Exact>();
  check_push<BarOnOneEnd<2>, moreau::Exact, moreau::Timing::constant>();
  check_push<BarOnOneEnd<2>, moreau::Lemke>();
  check_push<BarOnOneEnd<3>, moreau::Exact>();
  check_push<BarOnOneEnd<3>, moreau::Exact, moreau::Timing::constant>();
  check_push<BarOnOneEndWithRows, moreau::Newton, moreau::Timing::constant>();
}

void test_correction_leaves_velocities_unchanged(void) {
  const Bar model;
  moreau::State<Bar> start;
  start.q << Real(-1e-3), Real(2e-4);
  moreau::Stepper bar{model, start};
  CHECK(bar.step(dt).advanced());
  // At rest on both feet: the step stops the fall, and the correction adds no velocity; 1e-3 m in 1e-4 s would be 10
  // m/s.
  CHECK_WITHIN(64 * eps * 10 * dt, 0, bar.state.u(0));
  CHECK_WITHIN(64 * eps * 10 * dt, 0, bar.state.u(1));
}

// A wall beside the bar, first touched at the end of the step. It carries no percussion yet, so that its position is
// not corrected, and the correction of the feet does not take it into account.
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
void test_contact_closing_at_the_end_is_left_to_the_next_step(void) {
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

// A rebounding bar is separated at the end of the step of its impact. A contact without percussion in the previous step
// is not pulled back.
struct ReboundingBar : Bar {
  static constexpr bool second_order = true;
  moreau::ContactLaw<Real> law(int) const { return {Real(0.5), 0, 0}; }
};
void test_rebounding_contact_is_not_pulled_back(void) {
  const auto end = [](auto solver) {
    moreau::State<ReboundingBar> start;
    start.q << Real(4e-5), 0;
    start.u(0) = -1;
    moreau::Stepper bar{ReboundingBar{}, start, solver};
    CHECK(bar.step(dt).active == 2);
    return bar.state.q(0);
  };
  CHECK_WITHIN(Real(1e-7), (dt - Real(4e-5)) / 2, end(moreau::Exact{}));  // impact at 0.04 ms, rebound at 0.5 m/s
  CHECK_WITHIN(Real(1e-7), end(moreau::Exact{}), end(moreau::Lemke{}));
}

TEST_MAIN({
  TEST(test_contact_closing_at_the_end_is_left_to_the_next_step);
  TEST(test_rebounding_contact_is_not_pulled_back);
  TEST(test_penetrating_feet_return_to_the_allowed_penetration);
  TEST(test_contact_within_allowed_penetration_is_unchanged);
  TEST(test_correction_of_one_foot_adds_no_penetration_at_the_other);
  TEST(test_open_foot_is_not_corrected);
  TEST(test_corrections_of_two_feet_add_no_penetration_at_a_third_contact);
  TEST(test_correction_of_heavy_and_light_bars);
  TEST(test_opposing_faces_share_the_correction);
  TEST(test_no_foot_is_pulled);
  TEST(test_correction_leaves_velocities_unchanged);
})
