// Mistakes in parts lists that are silent without a check: a part left out, a part listed twice, the output of a copy
// of a joint; and the option for the allowed penetration.
#include <moreau/check/model_checker.hpp>
#include <moreau/mechanism.hpp>
#include <moreau/record/recorder.hpp>

#include "models/four_bar.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau;
using Member = CheckReport<Real>::Member;

struct Ball {
  using Real = ::Real;
  enum Names { ball, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1)}};
};

// Shapes of parts lists; a left-out part is reported only if it is certain.
struct Complete {
  using Real = ::Real;
  enum Names { ball, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1)}};
  PointOnLine<Real, ground, ball> feet[2];
  Gravity<Real> gravity;
  Real parameter = Real(1);
  auto parts() const { return std::tie(feet[0], gravity, feet[1]); }
};
struct OneFootMissing : Complete {
  auto parts() const { return std::tie(feet[0], gravity); }
};
struct FootMissing {
  using Real = ::Real;
  enum Names { ball, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1)}};
  PointOnLine<Real, ground, ball> feet[2];
  Gravity<Real> gravity;
  auto parts() const { return std::tie(feet[0], gravity); }
};
// Copy-and-paste mistake: one pin listed twice, the other left out.
struct PinTwice {
  using Real = ::Real;
  enum Names { crank, rod, bodies };
  Body<Real> body[bodies];
  Revolute<Real, ground, crank> bearing;
  Revolute<Real, crank, rod> pin;
  auto parts() const { return std::tie(bearing, bearing); }
};
struct WithConstructor : FootMissing {
  WithConstructor() {}
  auto parts() const { return std::tie(feet[0], gravity); }
};
struct InheritedLeftOut : FootMissing {
  Spring<Real, ground, ball> spring;
  auto parts() const { return std::tie(spring); }
};
static_assert(!detail::leaves_a_part_out<Complete>());
static_assert(detail::leaves_a_part_out<FootMissing>());
static_assert(detail::leaves_a_part_out<PinTwice>());
static_assert(!detail::leaves_a_part_out<OneFootMissing>());    // member of a base class: may be intended
static_assert(!detail::leaves_a_part_out<InheritedLeftOut>());  // likewise
static_assert(!detail::leaves_a_part_out<WithConstructor>());   // not detectable
static_assert(!detail::leaves_a_part_out<models::SliderCrankParts<Real>>());

template <class P>
constexpr bool names_are_free = detail::has_free_names<P>();
struct AData : Ball {
  Gravity<Real> gap;
};
struct AFunction : Ball {
  void wrap() {}
};
struct SeveralFunctions : Ball {
  void mass(int) {}
  void mass(double) {}
};
struct ABody : Ball {
  enum MoreNames { allowed_penetration };
};
struct AType : Ball {
  struct at {};
};
struct InABase : AData {};
static_assert(names_are_free<Ball> && names_are_free<Complete> && names_are_free<models::FourBarWithPlayParts<Real>>);
static_assert(!names_are_free<AData> && !names_are_free<AFunction> && !names_are_free<SeveralFunctions>);
static_assert(!names_are_free<ABody> && !names_are_free<AType> && !names_are_free<InABase>);

struct GravityTwice : Ball {
  Gravity<Real> moon, gravity;
  auto parts() const { return std::tie(moon, gravity, gravity); }
};
struct TwoGravities : Ball {
  Gravity<Real> moon, gravity;
  auto parts() const { return std::tie(moon, gravity); }
};

// One joint of each kind of the library that has parameters with a range.
struct EveryJoint {
  using Real = ::Real;
  enum Names { one, other, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1)}, {Real(1), Real(1)}};
  PrismaticClearance<Real, ground, one> guide;
  RevoluteClearance<Real, one, other> pin;
  SlotClearance<Real, ground, other> slot;
  PointOnLine<Real, ground, other> foot;
  Backlash<Real, one, other> teeth;
  Prismatic<Real, ground, one> slide;
  SlidingFriction<Real, ground, one> seal;
  EveryJoint() {  // all contacts open
    guide.play = pin.play = slot.play = teeth.play = Real(1e-3);
    guide.a = Real(0.1);
    foot.on_A.y = Real(-1);
  }
  auto parts() const { return std::tie(guide, pin, slot, foot, teeth, slide, seal); }
};

using Machine = Mechanism<EveryJoint>;

// One stepper for all cases, because boards have little memory.
Stepper<Machine, Psor>& machine_with(const Machine& model) {
  static Stepper<Machine, Psor> machine{Machine{}, State<Machine>{}};
  machine.model = model;
  machine.state = State<Machine>{};
  machine.mass_changed();  // checks all parts again
  return machine;
}

template <class Change>
MOREAU_NOINLINE Machine changed_machine(const Change& change) {
  Machine model;
  change(model);
  return model;
}

MOREAU_NOINLINE void check_rejected(int part, const Machine& model) {
  auto& machine = machine_with(model);
  const auto start = machine.start_report();
  CHECK(start.status == Status::invalid_argument && start.cause == Cause::part && start.index == part);
  const auto report = machine.step(Real(1e-4));
  CHECK(report.status == Status::invalid_argument && report.cause == Cause::part && report.index == part);
  machine.model = Machine{};
  CHECK_EQUAL(Status::ok, machine.start_report().status);
  CHECK(machine.step(Real(1e-4)).advanced());
}

void test_part_with_parameters_out_of_range_is_rejected(void) {
  const Real bad[] = {Real(-1e-3), std::numeric_limits<Real>::quiet_NaN()};
  for (const Real x : bad) {
    check_rejected(0, changed_machine([x](Machine& m) { m.guide.play = x; }));
    check_rejected(0, changed_machine([x](Machine& m) { m.guide.a = x; }));
    check_rejected(0, changed_machine([x](Machine& m) { m.guide.b = x; }));
    check_rejected(0, changed_machine([x](Machine& m) { m.guide.half_length = x; }));
    check_rejected(1, changed_machine([x](Machine& m) { m.pin.play = x; }));
    check_rejected(1, changed_machine([x](Machine& m) { m.pin.radius = x; }));
    check_rejected(2, changed_machine([x](Machine& m) { m.slot.half_length = x; }));
    check_rejected(3, changed_machine([x](Machine& m) { m.foot.radius = x; }));
    check_rejected(4, changed_machine([x](Machine& m) { m.teeth.play = x; }));
  }
  check_rejected(0, changed_machine([](Machine& m) { m.guide.play = m.pin.play = m.teeth.play = Real(-1e-3); }));
  check_rejected(1, changed_machine([](Machine& m) { m.pin.play = m.teeth.play = Real(-1e-3); }));  // the first one
  const Point<Real> long_one{Real(1), Real(1)}, none{};
  for (const Point<Real> a : {long_one, none}) {
    check_rejected(0, changed_machine([a](Machine& m) { m.guide.axis = a; }));
    check_rejected(2, changed_machine([a](Machine& m) { m.slot.axis = a; }));
    check_rejected(3, changed_machine([a](Machine& m) { m.foot.normal = a; }));
    check_rejected(5, changed_machine([a](Machine& m) { m.slide.axis = a; }));
    check_rejected(6, changed_machine([a](Machine& m) { m.seal.axis = a; }));
  }
  Machine typed;
  typed.guide.axis = {Real(0.7071), Real(0.7071)};  // four digits are enough
  CHECK_EQUAL(Status::ok, machine_with(typed).start_report().status);
}

// A step does not check parts, because of the cost. A run does before it starts, and joint_output on every call.
void test_part_changed_between_steps_to_invalid_values_is_rejected(void) {
  auto& machine = machine_with(Machine{});
  const State<Machine> before = machine.state;
  CHECK(machine.step(Real(1e-4)).advanced());
  const State<Machine> after = machine.state;
  CHECK(joint_output(machine.model, &EveryJoint::pin, before, after).g_N > Real(0));
  machine.model.pin.play = Real(-1e-3);
  const auto of_pin = joint_output(machine.model, &EveryJoint::pin, before, after);
  CHECK(!(of_pin.g_N == of_pin.g_N) && !(of_pin.load.force.x == of_pin.load.force.x) && of_pin.closed == 0);
  const auto report = run(machine, Real(1e-4), 3);
  CHECK(report.status == Status::invalid_argument && report.cause == Cause::part && report.index == 1);
  CHECK(test::saved(machine.state) == test::saved(after));
  machine.model.pin.play = Real(1e-3);
  CHECK(run(machine, Real(1e-4), 3).advanced());
}

void test_massless_body_is_reported_by_name(void) {
  Machine model;
  model.body[EveryJoint::other].J = Real(0);
  const auto report = machine_with(model).step(Real(1e-4));
  CHECK(report.status == Status::mass_not_positive_definite && report.cause == Cause::mass);
  CHECK_EQUAL(int(Machine::angle_of<Machine::other>), int(report.index));
}

void test_part_listed_twice_is_rejected(void) {
  using Twice = Mechanism<GravityTwice>;
  const State<Twice> start;
  Stepper machine{Twice{}, start};
  CHECK_EQUAL(Status::mass_not_positive_definite, machine.step(Real(1e-3)).status);
  CHECK(machine.state.u == start.u);
  const auto report = check_model(Twice{}, start.q, start.u, Real(0));
  CHECK(!report.ok());
  CHECK(report.worst().member == Member::parts);
  CHECK_EQUAL(2, report.worst().index);
  CHECK(!report.worst_of(Member::mass_definite).ok());  // zero mass is not positive definite

  using Once = Mechanism<TwoGravities>;
  Stepper twice_as_fast{Once{}, State<Once>{}};
  CHECK_EQUAL(Status::ok, twice_as_fast.step(Real(1e-3)).status);
  CHECK_WITHIN(Real(1e-6), Real(-2 * 9.81e-3), twice_as_fast.state.u(1));
  const auto equal = check_model(Once{}, start.q, start.u, Real(0));
  CHECK(!equal.ok() && equal.worst().member == Member::part_equal);
}

// Two feet of one type on one floor; the right one carries the ball.
struct WithASpare : Ball {
  PointOnLine<Real, ground, ball> spare;
};
struct OnFeet : WithASpare {
  PointOnLine<Real, ground, ball> left{{}, {Real(0), Real(1)}, {Real(-1), Real(0.5)}, Real(0), {}};
  PointOnLine<Real, ground, ball> right{{}, {Real(0), Real(1)}, {Real(0), Real(0)}, Real(0), {}};
  PointOnLine<Real, ground, ball> more[2] = {left, {{}, {Real(0), Real(1)}, {Real(1), Real(0.25)}, Real(0), {}}};
  Gravity<Real> gravity;
  auto parts() const { return std::tie(left, right, more[0], more[1], gravity); }
};

void test_output_of_one_of_several_joints_of_a_type(void) {
  using Model = Mechanism<OnFeet>;
  Stepper machine{Model{}, State<Model>{}};
  for (int n = 0; n < 10; ++n) CHECK_EQUAL(Status::ok, machine.step(Real(1e-3)).status);
  const auto before = machine.state;
  CHECK(machine.step(Real(1e-3)).advanced());
  const auto& after = machine.state;
  const auto left = joint_output(machine.model, &OnFeet::left, before, after);
  const auto right = joint_output(machine.model, &OnFeet::right, before, after);
  CHECK_WITHIN(Real(1e-5), Real(0.5), left.g_N);
  CHECK_WITHIN(Real(1e-5), Real(0), right.g_N);
  CHECK_WITHIN(Real(1e-3), Real(9.81), right.load.force.y);
  CHECK_WITHIN(Real(1e-5), Real(0), left.load.force.y);
  CHECK_WITHIN(Real(1e-5), Real(0.25), joint_output(machine.model, &OnFeet::more, 1, before, after).g_N);
  CHECK_WITHIN(Real(1e-5), Real(0.5), joint_output(machine.model, &OnFeet::more, 0, before, after).g_N);
  for (const int none : {-1, int(std::extent_v<decltype(OnFeet::more)>)}) {  // indices out of range
    const Real g_N = joint_output(machine.model, &OnFeet::more, none, before, after).g_N;
    CHECK(g_N != g_N);
  }
  for (const int k : {-1, 2}) {
    const auto none = joint_output(machine.model, &OnFeet::more, k, before, after);
    CHECK(!(none.g_N == none.g_N) && !(none.load.force.y == none.load.force.y));
  }
  const auto spare = joint_output(machine.model, &OnFeet::spare, before, after);  // not in parts()
  CHECK(!(spare.g_N == spare.g_N) && !(spare.dissipated == spare.dissipated));
}

// The two states must be those before and after one step; otherwise the output is empty.
void test_states_in_the_wrong_order_give_an_empty_output(void) {
  using Model = Mechanism<OnFeet>;
  Stepper machine{Model{}, State<Model>{}};
  const auto start = machine.state;
  const auto is_step = [&](const State<Model>& before, const State<Model>& after) {
    const auto out = joint_output(machine.model, &OnFeet::right, before, after);
    const bool number = out.load.force.y == out.load.force.y;
    CHECK(number || (!(out.g_N == out.g_N) && !(out.dissipated == out.dissipated)));
    return number;
  };
  CHECK(machine.step(Real(1e-3)).advanced());
  const auto first = machine.state;
  CHECK(machine.step(Real(1e-3)).advanced());
  const auto second = machine.state;
  CHECK(machine.step(Real(5e-4)).advanced());  // the step count starts again
  const auto third = machine.state;
  CHECK(is_step(start, first) && is_step(first, second) && is_step(second, third));
  CHECK(!is_step(first, start) && !is_step(second, first) && !is_step(third, second));  // in reverse order
  CHECK(!is_step(start, second) && !is_step(first, third));                             // one state skipped
  CHECK(!is_step(second, second));                                                      // no step: a rejected one
  const auto at_start = joint_output(machine.model, &OnFeet::right, start, start);
  CHECK(at_start.g_N == Real(0) && at_start.closed == 1);
}

void test_output_of_a_copy_equals_that_of_the_joint(void) {
  using Model = models::SliderCrankFromParts<Real>;
  const models::SliderCrank<Real> hand;
  Stepper machine{Model{}, models::from_angles(hand, hand.start().q, hand.start().u)};
  const auto before = machine.state;
  CHECK(machine.step(Real(1e-5)).advanced());
  const auto copy = machine.model.wrist_pin;
  const auto by_copy = joint_output(machine.model, copy, before, machine.state);
  const auto by_name = joint_output(machine.model, &Model::wrist_pin, before, machine.state);
  CHECK(by_name.load.force.x != Real(0));
  CHECK(by_copy.load.force.x == by_name.load.force.x && by_copy.dissipated == by_name.dissipated);
}

struct InBearing : Ball {
  RevoluteClearance<Real, ground, ball> bearing{{}, {}, Real(0.01), Real(0), {}};
  PointOnLine<Real, ground, ball> floor;
  auto parts() const { return std::tie(bearing, floor); }
};
struct Exactly : InBearing {
  static constexpr Real allowed_penetration_per_play = 0;
};
struct Chosen : InBearing {
  double allowed_penetration_per_play = 0.5, allowed_penetration_without_play = 1e-3;
};

void test_allowed_penetration_is_an_option(void) {
  const Mechanism<InBearing> usual;
  CHECK(usual.allowed_penetration(0) == Real(2e-3) * Real(0.01) && usual.allowed_penetration(1) == Real(1e-6));
  const Mechanism<Exactly> none;
  CHECK(none.allowed_penetration(0) == Real(0) && none.allowed_penetration(1) == Real(1e-6));
  Mechanism<Chosen> chosen;
  CHECK(chosen.allowed_penetration(0) == Real(0.5) * Real(0.01) && chosen.allowed_penetration(1) == Real(1e-3));
  chosen.allowed_penetration_per_play = 0.25;
  CHECK(chosen.allowed_penetration(0) == Real(0.25) * Real(0.01));

  // Position correction ends at the allowed penetration.
  State<Mechanism<Chosen>> start;
  start.q(0) = Real(0.02);
  start.q(1) = Real(1);
  start.u(0) = Real(0.1);
  chosen.bearing.on_A.y = Real(1);
  Stepper machine{chosen, start};
  CHECK_EQUAL(Status::ok, machine.step(Real(1e-4)).status);
  CHECK_WITHIN(Real(2e-5), Real(0.0125), machine.state.q(0));
}

}  // namespace

// clang-format off
TEST_MAIN({
  TEST(test_part_with_parameters_out_of_range_is_rejected);
  TEST(test_part_changed_between_steps_to_invalid_values_is_rejected);
  TEST(test_massless_body_is_reported_by_name);
  TEST(test_part_listed_twice_is_rejected);
  TEST(test_output_of_one_of_several_joints_of_a_type);
  TEST(test_states_in_the_wrong_order_give_an_empty_output);
  TEST(test_output_of_a_copy_equals_that_of_the_joint);
  TEST(test_allowed_penetration_is_an_option);
})
// clang-format on
