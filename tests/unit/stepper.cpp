// The stepper: angle wrapping, parameter changes between steps, outputs per contact, initial states.
#include "support/test.hpp"

#include <limits>
#include <moreau/moreau.hpp>
#include <optional>

#include "models/slider_crank.hpp"
#include "models/slider_crank_parts.hpp"
#include "models/woodpecker.hpp"
#include "support/block.hpp"
#include "support/joint_coordinates.hpp"
#include "support/saved.hpp"

namespace {

using Block = test::Block<Real>;
constexpr Real dt = Real(1e-3);

// Freely rotating wheel; wrap keeps its angle within half a turn.
struct Wheel {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 0;
  using Q = moreau::Vector<Real, 1>;
  mutable int wrapped = 0;
  bool broken = false;
  moreau::Matrix<Real, 1, 1> mass(const Q&, Real) const { return Q(Real(1)); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0)); }
  Q wrap(const Q& q) const {
    ++wrapped;
    return Q(broken ? std::numeric_limits<Real>::quiet_NaN() : moreau::wrap_angle(q(0)));
  }
};

// Ball on the ground, in space.
struct Ball {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 1, tangents = 2;
  using Q = moreau::Vector<Real, 3>;
  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const { return moreau::Matrix<Real, 3, 3>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0), Real(0), Real(-8)); }
  Real gap(int, const Q& q, Real) const { return q(2); }
  moreau::Directions<Real, 3, 2> directions(int, const Q&, Real) const {
    moreau::Directions<Real, 3, 2> d;
    d.w_N(2) = d.w_T(0, 0) = d.w_T(1, 1) = Real(1);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0), Real(0), Real(0.25)}; }
};

template <int contact_count>
struct Blocks : Block {
  static constexpr int contacts = contact_count;
};
static_assert(std::is_same_v<moreau::default_solver<Blocks<8>>, moreau::Exact>, "planar, few contacts");
static_assert(std::is_same_v<moreau::default_solver<Blocks<9>>, moreau::Cascade<moreau::Psor, moreau::Lemke>>, "more");
static_assert(std::is_same_v<moreau::default_solver<Blocks<17>>, moreau::Psor>, "many");
static_assert(std::is_same_v<moreau::default_solver<Ball>, moreau::Psor>, "spatial");

}  // namespace

void test_wrap_is_called_once_at_the_end_of_a_step(void) {
  moreau::State<Wheel> start;
  start.u(0) = Real(10);
  moreau::Stepper<Wheel> stepper(Wheel{}, start);
  constexpr int steps = 2000;  // 20 rad
  for (int i = 0; i < steps; ++i) {
    CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
    CHECK(moreau::detail::absolute(stepper.state.q(0)) <= moreau::pi<Real>);
  }
  CHECK_EQUAL(steps, stepper.model.wrapped);
  CHECK_WITHIN(Real(steps) * Real(2) * moreau::detail::epsilon<Real>, moreau::wrap_angle(Real(20)), stepper.state.q(0));
  CHECK(!stepper.step(Real(-1)).advanced());
  CHECK_EQUAL(steps, stepper.model.wrapped);  // a failed step does not wrap
}

void test_non_finite_result_of_wrap_is_rejected(void) {
  moreau::State<Wheel> start;
  start.u(0) = Real(10);
  moreau::Stepper<Wheel> stepper(Wheel{}, start);
  CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  const auto before = test::saved(stepper.state);
  stepper.model.broken = true;
  CHECK_EQUAL(moreau::Status::not_finite, stepper.step(dt).status);
  CHECK(before == test::saved(stepper.state));
  stepper.model.broken = false;
  CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
}

void test_inputs_and_parameters_can_change_between_steps(void) {
  Block model;
  model.force_N = Real(0);
  moreau::Stepper<Block> stepper(model, moreau::State<Block>{});
  stepper.state.q(1) = Real(1);
  CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  stepper.model.force_T = Real(1.4);
  CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  CHECK_WITHIN(Real(4) * moreau::detail::epsilon<Real>, Real(2) * dt, stepper.state.u(0));
  stepper.model.m = Real(1.4);
  CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  CHECK_WITHIN(Real(4) * moreau::detail::epsilon<Real>, Real(3) * dt, stepper.state.u(0));
}

template <class Machine>
std::optional<Machine> place[3];  // three mechanisms in double exceed the stack of a board

// After a change of a mass declared constant, the stepper continues bit-identically to one constructed with the new
// mass. `change` changes the model. With Timing::constant, the one step that factors counts as a fallback, unless
// mass_changed() factored before.
template <class Solver, moreau::Timing timing = moreau::Timing::variable, class Model, class Change>
MOREAU_NOINLINE void check_changed_mass(const Model& model, const moreau::State<Model>& start, Real step,
                                        const Change& change) {
  using Machine = moreau::Stepper<Model, Solver, timing>;
  auto& untold = place<Machine>[0].emplace(model, start);
  for (int n = 0; n < 50; ++n) CHECK(untold.step(step).advanced());
  auto& told = place<Machine>[1].emplace(untold);
  change(untold.model);
  change(told.model);
  told.mass_changed();
  auto& fresh = place<Machine>[2].emplace(untold.model, untold.state);
  for (int n = 0; n < 100; ++n) {
    const auto a = untold.step(step), b = told.step(step), c = fresh.step(step);
    CHECK(a.advanced() && b.advanced() && c.advanced());
    CHECK_EQUAL(int(timing == moreau::Timing::constant && n == 0), a.fallbacks - c.fallbacks);
    CHECK_EQUAL(c.fallbacks, b.fallbacks);
    CHECK(test::saved(fresh.state) == test::saved(untold.state));
    CHECK(test::saved(fresh.state) == test::saved(told.state));
  }
}

void test_change_of_a_mass_declared_constant(void) {
  using Toy = models::Woodpecker<Real>;
  using moreau::Timing;
  const auto start = models::state_at<Toy>(Toy{}.start());
  const auto change = [](Toy& toy) { toy.m_S *= Real(2); };
  check_changed_mass<moreau::Exact>(Toy{}, start, Real(1e-4), change);
  check_changed_mass<moreau::Exact, Timing::constant>(Toy{}, start, Real(1e-4), change);
  check_changed_mass<moreau::ClosedForms>(Toy{}, start, Real(1e-4), change);
  check_changed_mass<moreau::ClosedForms, Timing::constant>(Toy{}, start, Real(1e-4), change);
  check_changed_mass<moreau::Lemke>(Toy{}, start, Real(1e-4), change);
  check_changed_mass<moreau::Sweeps, Timing::constant>(Toy{}, start, Real(1e-4), change);
  check_changed_mass<moreau::Newton, Timing::constant>(Toy{}, start, Real(1e-4), change);
  check_changed_mass<moreau::Exact>(Toy{}, start, Real(1e-4), [](Toy& toy) {  // one of six entries, by one rounding
    toy.J_S *= Real(1) + moreau::detail::epsilon<Real>;
  });
}

// The same for contact data stored by the fast path (directions, restitution, friction), and for parameters that are
// not stored.
void test_change_of_stored_contact_data(void) {
  using Toy = models::Woodpecker<Real>;
  using moreau::Timing;
  static_assert(moreau::detail::tables_contacts<Toy>);
  const auto start = models::state_at<Toy>(Toy{}.start());
  const auto check = [&](const auto& change) {
    check_changed_mass<moreau::Exact>(Toy{}, start, Real(1e-4), change);
    check_changed_mass<moreau::Exact, Timing::constant>(Toy{}, start, Real(1e-4), change);
    check_changed_mass<moreau::ClosedForms>(Toy{}, start, Real(1e-4), change);
  };
  check([](Toy& toy) { toy.l_M *= Real(1.5); });
  check([](Toy& toy) { toy.h_M *= Real(1) + moreau::detail::epsilon<Real>; });
  check([](Toy& toy) { toy.eps_beak = Real(0.25); });
  check([](Toy& toy) { toy.mu = Real(0.2); });
  check([](Toy& toy) { toy.gravity *= Real(0.5); });
}

// A law out of range makes every step fail that needs it, for every solver.
void test_stored_law_out_of_range(void) {
  using Toy = models::Woodpecker<Real>;
  const auto start = models::state_at<Toy>(Toy{}.start());
  moreau::Stepper<Toy, moreau::Lemke> asked{Toy{}, start};
  moreau::Stepper<Toy> data{Toy{}, start};
  moreau::Stepper<Toy, moreau::ClosedForms, moreau::Timing::constant> constant{Toy{}, start};
  int refused = 0;
  asked.model.eps_sleeve = data.model.eps_sleeve = constant.model.eps_sleeve = Real(1.5);
  asked.state.q(1) = data.state.q(1) = constant.state.q(1) = Real(0);
  for (int n = 0; n < 2000; ++n) {
    const auto a = asked.step(Real(1e-4)), b = data.step(Real(1e-4)), c = constant.step(Real(1e-4));
    CHECK(a.status == b.status && a.cause == b.cause && a.index == b.index);
    CHECK(a.status == c.status && a.cause == c.cause && a.index == c.index);
    refused += !a.advanced();
  }
  CHECK(refused > 0 && refused < 2000);
}

// Every step evaluates the model, also if it declares constant directions but returns varying ones.
struct Turning : models::Woodpecker<Real> {
  moreau::Directions<Real, 3> directions(int i, const Vector& q, Real t) const {
    auto d = models::Woodpecker<Real>::directions(i, q, t);
    d.w_T(1) *= Real(1) + q(1);
    return d;
  }
};
struct Heavier : models::Woodpecker<Real> {
  Matrix mass(const Vector& q, Real t) const { return models::Woodpecker<Real>::mass(q, t) * (Real(1) + q(0) * q(0)); }
};
template <class Liar>
MOREAU_NOINLINE void check_liar() {
  const auto start = models::state_at<Liar>(Liar{}.start());
  moreau::Stepper<Liar, moreau::Exact, moreau::Timing::constant> stepper{Liar{}, start}, asked = stepper;
  for (int n = 0; n < 300; ++n) {
    const auto report = stepper.step(Real(1e-4));
    CHECK(report.advanced() && report.fallbacks > 0);
    CHECK(asked.advance(asked.state, Real(1e-4)).advanced());
    CHECK(test::saved(asked.state) == test::saved(stepper.state));
  }
}
void test_varying_model_declared_constant(void) {
  check_liar<Turning>();
  check_liar<Heavier>();
}

// A mechanism in the coordinates of its bodies has a constant mass without a declaration by its user.
void test_change_of_the_mass_of_a_part(void) {
  using moreau::Timing;
  using Machine = test::BodiesOf<models::SliderCrankParts<Real>>;
  const models::SliderCrank<Real> hand;
  const auto start =
      test::in_bodies(models::SliderCrankFromParts<Real>{}, models::from_angles(hand, hand.start().q, hand.start().u));
  const auto change = [](Machine& machine) { machine.body[Machine::slider].m *= Real(3); };
  check_changed_mass<moreau::Exact>(Machine{}, start, Real(1e-5), change);
  check_changed_mass<moreau::Exact, Timing::constant>(Machine{}, start, Real(1e-5), change);
  check_changed_mass<moreau::Psor>(Machine{}, start, Real(1e-5), change);
  check_changed_mass<moreau::Exact>(Machine{}, start, Real(1e-5),
                                    [](Machine& machine) { machine.body[Machine::rod].J *= Real(1.5); });
}

template <class Solver, moreau::Timing timing = moreau::Timing::variable>
MOREAU_NOINLINE void check_spoilt_mass() {
  using Toy = models::Woodpecker<Real>;
  moreau::Stepper<Toy, Solver, timing> toy{Toy{}, models::state_at<Toy>(Toy{}.start())}, untouched = toy;
  const auto before = test::saved(toy.state);
  for (const Real bad : {Real(0), Real(-1), std::numeric_limits<Real>::quiet_NaN()}) {
    toy.model.m_S = toy.model.m_M = bad;
    for (int twice = 0; twice < 2; ++twice) {
      const auto report = toy.step(Real(1e-4));
      CHECK_EQUAL(bad == bad ? moreau::Status::mass_not_positive_definite : moreau::Status::not_finite, report.status);
      CHECK_EQUAL(moreau::Cause::mass, report.cause);
      CHECK(before == test::saved(toy.state));
    }
  }
  toy.model = untouched.model;
  for (int n = 0; n < 10; ++n) CHECK(toy.step(Real(1e-4)).advanced() && untouched.step(Real(1e-4)).advanced());
  CHECK(test::saved(untouched.state) == test::saved(toy.state));
}

void test_invalid_constant_mass(void) {
  using moreau::Timing;
  check_spoilt_mass<moreau::Exact>();
  check_spoilt_mass<moreau::Exact, Timing::constant>();
  check_spoilt_mass<moreau::ClosedForms>();
  check_spoilt_mass<moreau::ClosedForms, Timing::constant>();
  check_spoilt_mass<moreau::Psor>();
  check_spoilt_mass<moreau::Sweeps, Timing::constant>();
  check_spoilt_mass<moreau::Newton, Timing::constant>();
}

void test_contact_output(void) {
  Block model;
  model.force_T = Real(3);
  model.contact_law.mu = Real(0.25);
  moreau::State<Block> start;
  start.q(1) = Real(-1e-4);
  moreau::Stepper<Block> stepper(model, start);
  const auto before = stepper.contact(0);  // before the first step, the gap is known
  CHECK_EQUAL(Real(-1e-4), before.gap_M);
  CHECK(before.closed);
  CHECK_EQUAL(Real(0), before.force_N);
  CHECK_EQUAL(Real(0), before.force_T);
  // percussions set from outside: with a zero time span the force is zero
  stepper.state.P_N(0) = stepper.state.P_T(0, 0) = Real(1);
  CHECK(stepper.contact(0).force_N == 0 && stepper.contact(0).force_T == 0);
  CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  const auto contact = stepper.contact(0);
  const Real close = Real(8) * moreau::detail::epsilon<Real>;
  CHECK(contact.closed);
  CHECK_EQUAL(Real(-1e-4), contact.gap_M);
  CHECK_WITHIN(close, Real(6.867) * dt, contact.P_N);
  CHECK_WITHIN(close, Real(-0.25 * 6.867) * dt, contact.P_T);
  CHECK_WITHIN(close * Real(10), Real(6.867), contact.force_N);
  CHECK_WITHIN(close * Real(10), Real(-0.25 * 6.867), contact.force_T);
  stepper.state.q(1) = Real(0.5);
  CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  CHECK(!stepper.contact(0).closed);
  CHECK_WITHIN(close, Real(0.5), stepper.contact(0).gap_M);
  CHECK_EQUAL(Real(0), stepper.contact(0).P_N);
  CHECK_EQUAL(Real(0), stepper.contact(0).force_T);
  CHECK_EQUAL(1, stepper.state.sigma_N[0]);
}

void test_contact_output_in_space(void) {
  moreau::State<Ball> start;
  start.u = {Real(3), Real(4), Real(0)};
  moreau::Stepper<Ball> stepper(Ball{}, start);
  CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  const auto contact = stepper.contact(0);
  CHECK_WITHIN(Real(1e-5), Real(8), contact.force_N);
  CHECK_WITHIN(Real(1e-5), Real(-1.2), contact.force_T(0));
  CHECK_WITHIN(Real(1e-5), Real(-1.6), contact.force_T(1));
}

void test_set_state_validates_its_argument(void) {
  using Toy = models::Woodpecker<Real>;
  moreau::Stepper<Toy> toy(Toy{}, models::state_at<Toy>(Toy{}.start()));
  // The start state printed in the paper penetrates the pole by 0.88 um at contact 1.
  const auto printed = models::state_at<Toy>(Toy{}.start_as_printed());
  auto report = toy.set_state(printed);
  CHECK_EQUAL(moreau::Status::ok, report.status);
  CHECK_EQUAL(1, report.contact);
  CHECK_WITHIN(Real(1e-8), Real(0.88e-6), report.penetration);
  CHECK(test::saved(printed) == test::saved(toy.state));
  auto open = printed;
  open.q.setZero();
  report = toy.set_state(open);
  CHECK_EQUAL(-1, report.contact);
  CHECK_EQUAL(Real(0), report.penetration);
  const auto before = test::saved(toy.state);
  for (const Real bad : {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()}) {
    auto broken = printed;
    broken.u(2) = bad;
    CHECK_EQUAL(moreau::Status::not_finite, toy.set_state(broken).status);
    broken = printed;
    broken.q(0) = bad;
    CHECK_EQUAL(moreau::Status::not_finite, toy.set_state(broken).status);
    broken = printed;
    broken.P_N(1) = bad;
    CHECK_EQUAL(moreau::Status::not_finite, toy.set_state(broken).status);
    broken = printed;
    broken.P_T(0, 2) = bad;
    CHECK_EQUAL(moreau::Status::not_finite, toy.set_state(broken).status);
    broken = printed;
    broken.set_time(bad);
    CHECK_EQUAL(moreau::Status::not_finite, toy.set_state(broken).status);
    CHECK(before == test::saved(toy.state));
  }
}

TEST_MAIN({
  TEST(test_wrap_is_called_once_at_the_end_of_a_step);
  TEST(test_non_finite_result_of_wrap_is_rejected);
  TEST(test_inputs_and_parameters_can_change_between_steps);
  TEST(test_change_of_a_mass_declared_constant);
  TEST(test_change_of_stored_contact_data);
  TEST(test_stored_law_out_of_range);
  TEST(test_varying_model_declared_constant);
  TEST(test_change_of_the_mass_of_a_part);
  TEST(test_invalid_constant_mass);
  TEST(test_contact_output);
  TEST(test_contact_output_in_space);
  TEST(test_set_state_validates_its_argument);
})
