// Mistakes in mechanisms from parts that gave wrong numbers with the status `ok`: a guide that is left, coordinates too
// large for the play, and bump stops. Each is reported by `run` or by a check.
#include <limits>
#include <moreau/check/model_checker.hpp>
#include <moreau/check/run_checker.hpp>
#include <moreau/check/start_checker.hpp>
#include <moreau/mechanism.hpp>
#include <moreau/record/recorder.hpp>

#include "support/test.hpp"

namespace {

using namespace moreau;
using Member = CheckReport<Real>::Member;
constexpr bool is_float = sizeof(Real) == 4;

struct OneBody {
  using Real = ::Real;
  enum Names { body_1, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.01)}};
};
bool finds(const CheckReport<Real>& report, Member member) {
  return report.looked_at(member) && !report.worst_of(member).ok();
}

// ---- a slider that leaves its guide ----

struct SliderInGuide : OneBody {
  PrismaticClearance<Real, ground, body_1> guide;
  auto parts() const { return std::tie(guide); }
  SliderInGuide() {
    guide.a = Real(0.05), guide.b = Real(0.01), guide.play = Real(1e-3), guide.half_length = Real(0.1);
  }
};

void test_run_reports_a_slider_that_leaves_its_guide(void) {
  using Model = Mechanism<SliderInGuide>;
  State<Model> start;
  start.u(0) = Real(1);  // m/s: outside after 0.15 s
  Stepper machine{Model{}, start};
  CHECK_EQUAL(-1, run(machine, Real(1e-3), 149).reach.outside.part);
  const auto summary = run(machine, Real(1e-3), 50);
  CHECK(summary.status == Status::ok);
  CHECK_EQUAL(0, summary.reach.outside.part);
  CHECK_WITHIN(1.5e-3, 0.151, double(summary.reach.outside.t));  // the first step outside
  StepReach<Real> all = summary.reach, none;
  all.add(none);
  CHECK_EQUAL(0, all.outside.part);
}

// ---- resolution of the coordinates ----

struct PinFarAway : OneBody {
  static constexpr bool endless = false;
  Gravity<Real> gravity;
  RevoluteClearance<Real, ground, body_1> pin;
  auto parts() const { return std::tie(gravity, pin); }
};
using Far = Mechanism<PinFarAway>;

Far pin_at(double x, double play) {
  Far model;
  model.pin.on_A = {Real(x), Real(0)};
  model.pin.on_B = {Real(-0.1), Real(0)};
  model.pin.play = Real(play);
  model.pin.law.eps_N = Real(0.3);
  return model;
}
State<Far> hanging(double x) {
  State<Far> start;
  start.q(0) = Real(x + 0.1);
  return start;
}
// Returns the deepest penetration of the swinging body over its play.
double penetration(double x, double play, double dt) {
  Stepper machine{pin_at(x, play), hanging(x)};
  double deepest = 0;
  for (int n = 0; n < int(0.3 / dt); ++n) {
    CHECK(machine.step(Real(dt)).status == Status::ok);
    const double gap = double(machine.model.gap(0, machine.model.at(machine.state.q, Real(0))));
    deepest = -gap / play > deepest ? -gap / play : deepest;
  }
  return deepest;
}

// Penetration over play in a run with a coarse resolution: five allowed penetrations.
constexpr double deep = 5 * 2e-3;

void test_coordinates_far_from_the_origin_are_reported(void) {
  const struct {
    double x, play, dt;
    bool coarse;
  } cases[] = {{1, 1e-3, 1e-4, false}, {64, 1e-3, 1e-4, true}, {1, 1e-3, 2e-5, false},   {16, 1e-3, 2e-5, true},
               {1, 1e-4, 1e-4, false}, {16, 1e-4, 1e-4, true}, {0.1, 1e-4, 2e-5, false}, {4, 1e-4, 2e-5, true}};
  for (const auto& c : cases) {
    CheckOptions<Real> options;
    options.dt = Real(c.dt);
    const auto start = hanging(c.x);
    const auto report = check_start(pin_at(c.x, c.play), start, options);
    CHECK(report.looked_at(Member::resolution));
    CHECK_EQUAL(is_float && c.coarse, finds(report, Member::resolution));
    const auto of_model = check_model(pin_at(c.x, c.play), start.q, start.u, Real(0), options);
    CHECK_EQUAL(is_float && c.coarse, finds(of_model, Member::resolution));
    const double deepest = penetration(c.x, c.play, c.dt);
    moreau::port::print("x ", c.x, " m, play ", c.play, " m, dt ", c.dt, " s: penetration over play ", deepest);
    if (is_float) CHECK_EQUAL(c.coarse, deepest > deep);
  }
}

void test_resolution_without_a_step_size(void) {
  CHECK_EQUAL(is_float, finds(check_start(pin_at(16, 1e-4), hanging(16)), Member::resolution));
  CHECK(!finds(check_start(pin_at(1, 1e-4), hanging(1)), Member::resolution));
}

// A body on a hinge far from the origin: its coordinate, an angle, is small.
struct HingedFarAway : OneBody {
  Revolute<Real, ground, body_1> hinge;
  RevoluteClearance<Real, ground, body_1> pin;
  Gravity<Real> gravity;
  auto parts() const { return std::tie(hinge, pin, gravity); }
};
void test_hinge_far_from_the_origin_is_reported(void) {
  using Model = Mechanism<HingedFarAway>;
  CheckOptions<Real> options;
  options.dt = Real(1e-4);
  for (const double x : {1.0, 64.0}) {
    Model model;
    model.hinge.on_A = {Real(x), Real(0)};
    model.pin.on_A = {Real(x + 0.1), Real(0)};
    model.pin.on_B = {Real(0.1), Real(0)};
    model.pin.play = Real(1e-3);
    CHECK_EQUAL(is_float && x > 1, finds(check_start(model, State<Model>{}, options), Member::resolution));
  }
}

// An angle that grows without bound loses its resolution during the run.
void test_unwrapped_angle_is_reported_during_a_run(void) {
  auto model = pin_at(0, 1e-4);
  model.gravity.g = {};
  for (const double angle : {0.0, 3000.0}) {
    State<Far> start = hanging(0);
    start.q(2) = Real(angle);
    const auto turned = sincos(start.q(2));
    start.q(0) = Real(0.1) * turned.cos, start.q(1) = Real(0.1) * turned.sin;
    Stepper machine{model, start};
    RunChecker watch{machine};
    CHECK(run(machine, Real(1e-4), 10, watch).advanced());
    CHECK_EQUAL(is_float && angle > 0, finds(watch.report(), Member::resolution));
  }
}

// ---- bump stops ----

struct BodyAboveStop : OneBody {
  Gravity<Real> gravity;
  BumpStop<Real, ground, body_1> stop;
  auto parts() const { return std::tie(gravity, stop); }
  BodyAboveStop() { stop.stiffness = Real(1e4); }
};
using Stopped = Mechanism<BodyAboveStop>;

State<Stopped> at_height(double y) {
  State<Stopped> start;
  start.q(1) = Real(y);
  return start;
}

void test_bump_stop_on_the_wrong_side_is_reported(void) {
  Stopped model;
  const double at_rest = -9.81 / 1e4;
  for (const double y : {0.1, 0.0, at_rest, 1.9 * at_rest})
    CHECK(!finds(check_start(model, at_height(y)), Member::start_stop));
  CHECK(finds(check_start(model, at_height(2.5 * at_rest)), Member::start_stop));
  model.stop.normal = {Real(0), Real(-1)};  // the body is behind the line
  const auto report = check_start(model, at_height(0.1));
  CHECK(finds(report, Member::start_stop));
  CHECK_EQUAL(1, report.worst().index);  // the position in parts()
  CHECK(report.worst().member == Member::start_stop);
}

// Without gravity, a stop that touches is not compressed.
void test_touching_stop_without_a_load_is_accepted(void) {
  Stopped model;
  model.gravity.g = {};
  model.stop.on_A = {Real(0), Real(0.3)};
  CHECK(!finds(check_start(model, at_height(0.3)), Member::start_stop));
  CHECK(!finds(check_start(model, at_height(0.1 + 0.2)), Member::start_stop));
  CHECK(finds(check_start(model, at_height(0.29)), Member::start_stop));
}

// A stop against a body that ideal joints hold: nothing is ejected.
struct HeldBody {
  using Real = ::Real;
  enum Names { body_1, wheel, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.01)}, {Real(1), Real(0.01)}};
  Weld<Real, ground, body_1> weld;
  Revolute<Real, ground, wheel> bearing;
  BumpStop<Real, ground, body_1> stop;
  auto parts() const { return std::tie(weld, bearing, stop); }
  HeldBody() { stop.stiffness = Real(1e4), stop.on_A.y = Real(0.01); }
};
// A lever that a spring presses on a stop, at another place.
struct PressedLever : OneBody {
  Revolute<Real, ground, body_1> pivot;
  Spring<Real, ground, body_1> spring{{Real(0.05), Real(-0.1)}, {Real(0.05), Real(0)}, Real(1000), Real(0.08)};
  BumpStop<Real, ground, body_1> stop;
  auto parts() const { return std::tie(pivot, spring, stop); }
  PressedLever() {
    stop.on_B = {Real(0.2), Real(0)}, stop.stiffness = Real(1e4);
    stop.on_A = {Real(0), Real(20 * 0.05 / 0.2 / 1e4)};  // in equilibrium: 20 N at 0.05 m
  }
};

void test_loaded_stops_are_accepted(void) {
  CHECK(!finds(check_start(Mechanism<HeldBody>{}, State<Mechanism<HeldBody>>{}), Member::start_stop));
  Mechanism<PressedLever> lever;
  const State<Mechanism<PressedLever>> start;
  CHECK(!finds(check_start(lever, start), Member::start_stop));
  const auto rate = Stepper{lever, start}.step(Real(1e-3));
  CHECK(rate.advanced());
  lever.stop.on_A.y *= 4;
  CHECK(finds(check_start(lever, start), Member::start_stop));
}

// ---- missing values and wrong units ----

struct Unset : OneBody {
  Spring<Real, ground, body_1> spring{{Real(1), Real(0)}, {}, Real(100)};
  TorsionSpring<Real, ground, body_1> torsion;
  SlotClearance<Real, ground, body_1> slot;
  PrismaticClearance<Real, ground, body_1> guide;
  auto parts() const { return std::tie(spring, torsion, slot, guide); }
  Unset() {
    torsion.angle = Real(0.5), torsion.damping = Real(0.1);
    slot.play = guide.play = Real(1e-3), slot.half_length = Real(0.1), slot.radius = guide.b = Real(0.01);
    guide.a = Real(0.05);
  }
};

void test_missing_values_are_reported(void) {
  using Model = Mechanism<Unset>;
  const auto found = [](const Model& model) {
    const State<Model> start;
    const auto report = check_model(model, start.q, start.u, Real(0));
    const auto& finding = report.worst_of(Member::part_values);
    return finding.ok() ? -1 : finding.index;
  };
  Model model;
  CHECK_EQUAL(-1, found(model));
  model.spring.stiffness = Real(0);
  CHECK_EQUAL(0, found(model));
  model.spring.damping = Real(1);
  CHECK_EQUAL(-1, found(model));
  model.torsion.damping = Real(0);
  CHECK_EQUAL(1, found(model));
  model.torsion.stiffness = Real(1);
  model.slot.half_length = Real(0);
  CHECK_EQUAL(2, found(model));
}

void test_sizes_in_wrong_units_are_reported(void) {
  using Model = Mechanism<Unset>;
  CheckOptions<Real> options;
  options.length = Real(0.2);
  const auto found = [&options](const Model& model) {
    const State<Model> start;
    const auto report = check_model(model, start.q, start.u, Real(0), options);
    return report.worst_of(Member::part_size);
  };
  Model model;
  CHECK(found(model).ok());
  for (Real* length : {&model.slot.radius, &model.guide.a, &model.guide.b}) {
    const Real was = *length;
    *length = 1000 * was;  // mm
    CHECK(!found(model).ok());
    CHECK_EQUAL(length == &model.slot.radius ? 2 : 3, found(model).index);
    *length = was;
  }
  model.body[0].J *= Real(1e6);  // kg mm^2
  CHECK(!found(model).ok());
  CHECK(found(model).index == -1 && found(model).coordinate == 0);
}

// ---- stiffness of parts that do not act yet ----

struct Fenced : OneBody {
  BumpStop<Real, ground, body_1> stop;
  OneSidedSpring<Real, ground, body_1> rope;
  OneSidedTorsionSpring<Real, ground, body_1> angle;
  auto parts() const { return std::tie(stop, rope, angle); }
  Fenced() {
    stop.on_A.y = Real(-1), stop.stiffness = Real(1);
    rope.on_A.x = Real(-1), rope.longest = Real(2), rope.stiffness = Real(1);
    angle.upper = Real(1), angle.stiffness = Real(1);
  }
};

void test_stiff_stop_is_reported_before_it_acts(void) {
  using Model = Mechanism<Fenced>;
  CheckOptions<Real> options;
  options.dt = Real(1e-3);
  const State<Model> start;
  const auto check = [&](const Model& model, Member member) {
    return finds(check_model(model, start.q, start.u, Real(0), options), member);
  };
  Model model;
  CHECK(!check(model, Member::stiffness) && !check(model, Member::damping));
  // (dt omega)^2 = 4 for 1 kg at 4e6 N/m, and for 0.01 kg m^2 at 4e4 N m/rad; dt d/m = 2 for 2000 N s/m and 20 N m s.
  const auto limits = [&](Real& value, double limit, Member member) {
    const Real was = value;
    value = Real(0.99 * limit);
    CHECK(!check(model, member));
    value = Real(1.01 * limit);
    CHECK(check(model, member));
    value = was;
  };
  limits(model.stop.stiffness, 4e6, Member::stiffness);
  limits(model.stop.damping, 2000, Member::damping);
  limits(model.rope.stiffness, 4e6, Member::stiffness);
  limits(model.rope.damping, 2000, Member::damping);
  limits(model.angle.stiffness, 4e4, Member::stiffness);
  limits(model.angle.damping, 20, Member::damping);
  options.dt = Real(0);
  model.stop.stiffness = Real(1e9);
  CHECK(!check(model, Member::stiffness));
}

}  // namespace

TEST_MAIN({
  TEST(test_run_reports_a_slider_that_leaves_its_guide);
  TEST(test_coordinates_far_from_the_origin_are_reported);
  TEST(test_resolution_without_a_step_size);
  TEST(test_hinge_far_from_the_origin_is_reported);
  TEST(test_unwrapped_angle_is_reported_during_a_run);
  TEST(test_bump_stop_on_the_wrong_side_is_reported);
  TEST(test_touching_stop_without_a_load_is_accepted);
  TEST(test_loaded_stops_are_accepted);
  TEST(test_missing_values_are_reported);
  TEST(test_sizes_in_wrong_units_are_reported);
  TEST(test_stiff_stop_is_reported_before_it_acts);
})
