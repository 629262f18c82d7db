// Mistakes of models, parts and calls that gave wrong numbers with the status `ok` and clean checks: each is reported by
// check_model or check_start, or rejected.
#include <cmath>
#include <limits>
#include <moreau/check/model_checker.hpp>
#include <moreau/check/run_checker.hpp>
#include <moreau/check/start_checker.hpp>
#include <moreau/mechanism.hpp>
#include <moreau/record/recorder.hpp>

#include "support/test.hpp"

// Not anonymous: clang++ needs the linkage of a part that a std::tuple of the list contains.
namespace model_misuse {

using namespace moreau;
using Member = CheckReport<Real>::Member;
constexpr Real dt = Real(1e-3);
constexpr Real infinity = std::numeric_limits<Real>::infinity();

template <class Model>
auto checked(const Model& model, const State<Model>& start = {}, const CheckOptions<Real>& options = {}) {
  return check_model(model, start.q, start.u, Real(0), options);
}
template <class Model>
bool finds(Member member, const Model& model, const State<Model>& start = {}) {
  return !checked(model, start).worst_of(member).ok();
}

template <class... Part>
struct Free {
  using Real = ::Real;
  enum Names { one, other, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1)}, {Real(1), Real(1)}};
  std::tuple<Part...> part;
  TorsionSpring<Real, 0, 1> joins_both;
  template <class... P>
  static auto with(const P&... p) {
    return std::tie(p...);
  }
  auto parts() const {
    return std::apply([this](const auto&... p) { return with(joins_both, p...); }, part);
  }
};

// ---- reactions of own parts ----

enum class Fault { none, points_exchanged, point_of_body, moment };
struct OwnSpring {
  static constexpr int body_A = 0, body_B = 1, bilaterals = 1, frictions = 1;
  Fault of_force = Fault::none, of_row = Fault::none, of_friction = Fault::none;
  Real bound = Real(1);
  struct Pair {
    Wrench<Real> A, B;
  };
  static Pair pair(Fault fault, const Frame<Real>& A, const Frame<Real>& B, Point<Real> f) {
    const Point<Real> on_B{Real(0.1), Real(0.05)}, p = B.world(on_B);
    switch (fault) {
      case Fault::points_exchanged:
        return {wrench_at(B, p, -f), wrench_at(A, p, f)};
      case Fault::point_of_body:
        return {wrench_at(A, p, -f), wrench_at(B, on_B, f)};
      case Fault::moment:
        return {wrench_at(A, p, -f), {f, Real(0)}};
      default:
        return {wrench_at(A, p, -f), wrench_at(B, p, f)};
    }
  }
  JointRow<Real> bilateral(int, const Frame<Real>& A, const Frame<Real>& B, Real) const {
    const Pair w = pair(of_row, A, B, {Real(1), Real(0)});
    return {w.A, w.B, Real(0), Real(0)};  // closed
  }
  FrictionRow<Real> friction(int, const Frame<Real>& A, const Frame<Real>& B) const {
    const Pair w = pair(of_friction, A, B, {Real(0), Real(1)});
    return {w.A, w.B};
  }
  Action<Real> action(const BodyState<Real>& A, const BodyState<Real>& B, Real) const {
    const Pair w = pair(of_force, A.frame, B.frame, {Real(3), Real(-40)});
    return {w.A, w.B};
  }
};
// The same force between the ground and a body; the wrench on the ground can be omitted.
struct GroundSpring {
  static constexpr int body_A = ground, body_B = 0;
  Fault fault = Fault::none;
  bool omitted = false;
  Action<Real> action(const BodyState<Real>& A, const BodyState<Real>& B, Real) const {
    const auto w = OwnSpring::pair(fault, A.frame, B.frame, {Real(3), Real(-40)});
    return {omitted ? Wrench<Real>{} : w.A, w.B};
  }
};

void test_moments_of_own_parts_are_compared(void) {
  Mechanism<Free<OwnSpring>> model;
  State<Mechanism<Free<OwnSpring>>> start;
  start.q << Real(20), Real(0.1), Real(0.3), Real(20.3), Real(0.2), Real(0.7);
  OwnSpring& spring = std::get<0>(model.part);
  CHECK(!finds(Member::part_reaction, model, start));
  for (Fault* fault : {&spring.of_force, &spring.of_row, &spring.of_friction})
    for (const Fault wrong : {Fault::points_exchanged, Fault::point_of_body, Fault::moment}) {
      *fault = wrong;
      const auto finding = checked(model, start).worst_of(Member::part_reaction);
      CHECK(!finding.ok());
      CHECK_EQUAL(1, finding.index);
      *fault = Fault::none;
    }

  Mechanism<Free<GroundSpring>> on_ground;
  State<Mechanism<Free<GroundSpring>>> other;
  other.q = start.q;
  GroundSpring& from_ground = std::get<0>(on_ground.part);
  CHECK(!finds(Member::part_reaction, on_ground, other));
  from_ground.fault = Fault::point_of_body;
  CHECK(finds(Member::part_reaction, on_ground, other));
  from_ground.omitted = true;
  CHECK(!finds(Member::part_reaction, on_ground, other));
}

// ---- values of parts ----

template <class Part>
bool is_reported(const Part& part) {
  Mechanism<Free<Part>> model;
  std::get<0>(model.part) = part;
  const auto finding = checked(model).worst_of(Member::part_values);
  CHECK(finding.ok() || finding.index == 1);
  return !finding.ok();
}

void test_one_sided_parts_without_effect_are_reported(void) {
  OneSidedSpring<Real, ground, 0> rope;
  rope.stiffness = Real(1e3);
  CHECK(is_reported(rope));
  rope.longest = Real(1);
  CHECK(!is_reported(rope));
  rope.stiffness = Real(0);
  CHECK(is_reported(rope));
  rope.damping = Real(1);
  CHECK(!is_reported(rope));
  rope.longest = std::numeric_limits<Real>::max();
  rope.shortest = Real(0.1);
  CHECK(!is_reported(rope));

  OneSidedTorsionSpring<Real, ground, 0> stop;
  stop.stiffness = Real(10);
  CHECK(is_reported(stop));
  stop.lower = Real(-1);
  CHECK(!is_reported(stop));
  stop.lower = -std::numeric_limits<Real>::max(), stop.upper = Real(1);
  CHECK(!is_reported(stop));
  stop.stiffness = Real(0);
  CHECK(is_reported(stop));

  BumpStop<Real, ground, 0> bump;
  CHECK(is_reported(bump));
  bump.damping = Real(1);
  CHECK(!is_reported(bump));
}

void test_factors_of_backlash(void) {
  using Teeth = Backlash<Real, 0, 1>;
  Teeth teeth;
  teeth.play = Real(1e-4);
  CHECK(!is_reported(teeth));
  const struct {
    Real r_A, r_B;
    bool missing;
  } cases[] = {{Real(0.02), Real(0.08), false}, {Real(0.02), Real(1), true}, {Real(-1), Real(0.08), true},
               {Real(-1), Real(3), false},      {Real(4), Real(1), false},   {Real(-1), Real(1), false}};
  for (const auto& c : cases) {
    teeth.r_A = c.r_A, teeth.r_B = c.r_B;
    CHECK(teeth.valid());
    CHECK_EQUAL(c.missing, is_reported(teeth));
  }
  for (const Real bad : {Real(0), infinity, std::numeric_limits<Real>::quiet_NaN()}) {
    teeth.r_A = bad, teeth.r_B = Real(0.08);
    CHECK(!teeth.valid());
    teeth.r_A = Real(0.02), teeth.r_B = bad;
    CHECK(!teeth.valid());
  }
}

void test_equal_parts_are_reported(void) {
  Mechanism<Free<Gravity<Real>>> once;
  CHECK(!finds(Member::part_equal, once));
  Mechanism<Free<Gravity<Real>, Pull<Real, ground, 0>, Gravity<Real>>> twice;
  const auto finding = checked(twice).worst_of(Member::part_equal);
  CHECK(!finding.ok());
  CHECK_EQUAL(3, finding.index);
  CHECK_EQUAL(1, finding.coordinate);
  std::get<2>(twice.part).g = {Real(1), Real(0)};
  CHECK(!finds(Member::part_equal, twice));

  using OnePull = Pull<Real, ground, 0>;
  Mechanism<Free<OnePull, OnePull>> pulls;
  CHECK(!finds(Member::part_equal, pulls));  // inputs that the program sets later
  std::get<0>(pulls.part).force = std::get<1>(pulls.part).force = {Real(1), Real(0)};
  CHECK(finds(Member::part_equal, pulls));
  std::get<1>(pulls.part).on_B = {Real(0.1), Real(0)};
  CHECK(!finds(Member::part_equal, pulls));
}

enum class Cam { good, spiral, half_slope, degrees, zero };
struct Curve {
  Cam kind = Cam::good;
  PolarRadius<Real> operator()(Real theta) const {
    const Real base = Real(0.03), lift = Real(0.004), unit = kind == Cam::degrees ? 180 / pi<Real> : Real(1);
    if (kind == Cam::spiral) return {base + Real(1e-3) * theta, Real(1e-3)};
    if (kind == Cam::zero) return {};
    const auto [s, c] = sincos(2 * unit * theta);
    return {base + lift * (1 - c), (kind == Cam::half_slope && theta > 0 ? Real(0.5) : Real(1)) * 2 * lift * s};
  }
};

void test_wrong_curves_are_reported(void) {
  Mechanism<Free<PointOnCurve<Real, 0, 1, Curve>>> model;
  State<decltype(model)> start;
  start.q(4) = Real(-0.04);  // where the slope of every curve but the spiral is correct
  CHECK(checked(model, start).worst_of(Member::part_curve).ok());
  for (const Cam wrong : {Cam::spiral, Cam::half_slope, Cam::degrees, Cam::zero}) {
    std::get<0>(model.part).curve.kind = wrong;
    const auto finding = checked(model, start).worst_of(Member::part_curve);
    CHECK(!finding.ok());
    CHECK_EQUAL(1, finding.index);
    CHECK_EQUAL(wrong == Cam::spiral, finding.coordinate == -1);
  }
}

void test_turned_slider_is_reported(void) {
  using Guide = PrismaticClearance<Real, ground, 0>;
  using Model = Mechanism<Free<Guide>>;
  Model model;
  Guide& guide = std::get<0>(model.part);
  guide.a = Real(0.05), guide.b = Real(0.02), guide.play = Real(1e-3);
  State<Model> start;
  CHECK(check_start(model, start).ok());
  start.q(2) = pi<Real>;
  CHECK(!check_start(model, start).worst_of(Member::part_range).ok());
  guide.axis = {Real(-1), Real(0)};
  CHECK(check_start(model, start).ok());
  guide.axis = {Real(1), Real(0)};
  guide.b = Real(0);  // a rod is symmetric
  CHECK(check_start(model, start).ok());
  guide.half_length = Real(0.1);  // but its ends change places in a finite guide
  CHECK(!check_start(model, start).worst_of(Member::part_range).ok());
}

// ---- functions of models ----

// Mass between two walls; one function can have a memory.
enum class Impure { none, force, gap, mass, directions, mu };
struct Walls {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 2;
  using Q = Vector<Real, 1>;
  Impure impure = Impure::none;
  Real play = Real(2e-4), friction = Real(0.3);
  mutable Real calls = Real(0);

  Real changes(Impure what) const { return impure == what ? calls += Real(1e-3) : Real(0); }
  Matrix<Real, 1, 1> mass(const Q&, Real) const { return Matrix<Real, 1, 1>(1 + changes(Impure::mass)); }
  Q force(const Q&, const Q&, Real) const { return Q(1 + changes(Impure::force)); }
  Real gap(int i, const Q& q, Real) const { return Real(2e-4) + (i == 0 ? q(0) : -q(0)) + changes(Impure::gap); }
  Directions<Real, 1> directions(int i, const Q&, Real) const {
    Directions<Real, 1> d;
    d.w_N(0) = i == 0 ? Real(1) : Real(-1);
    d.zeta_T = changes(Impure::directions);
    return d;
  }
  ContactLaw<Real> law(int) const { return {}; }
  Real mu(int, Real v) const { return friction * (1 - v) + changes(Impure::mu); }
  Real play_of(int i) const { return i == 0 ? Real(2e-4) : play; }
};

void test_functions_with_a_memory_are_reported(void) {
  Walls model;
  model.friction = Real(0);
  CHECK(checked(model).worst_of(Member::pure).ok());
  const struct {
    Impure fault;
    int index;
  } cases[] = {{Impure::gap, 0}, {Impure::mass, 1}, {Impure::force, 2}, {Impure::directions, 3}, {Impure::mu, 4}};
  for (const auto& c : cases) {
    model.impure = c.fault;
    const auto finding = checked(model).worst_of(Member::pure);
    CHECK(!finding.ok());
    CHECK_EQUAL(c.index, finding.index);
  }
}

void test_play_that_is_no_length_is_reported(void) {
  Walls model;
  for (const Real good : {Real(0), Real(2e-4), infinity}) {
    model.play = good;
    CHECK(!finds(Member::play, model));
  }
  for (const Real bad : {Real(-2e-4), std::numeric_limits<Real>::quiet_NaN()}) {
    model.play = bad;
    CHECK(finds(Member::play, model));
    CHECK_EQUAL(1, check_start(model, State<Walls>{}).worst_of(Member::play).index);
  }
}

void test_negative_mu_at_the_sliding_speed_has_the_cause_law(void) {
  struct Sliding : Walls {
    Directions<Real, 1> directions(int i, const Q& q, Real t) const {
      auto d = Walls::directions(i, q, t);
      d.zeta_T = Real(3);  // a surface that moves along
      return d;
    }
  };
  State<Sliding> start;
  start.q(0) = Real(2e-4);
  Stepper machine{Sliding{}, start};
  const auto report = machine.step(dt);
  CHECK_EQUAL(Status::invalid_argument, report.status);
  CHECK_EQUAL(Cause::law, report.cause);
  CHECK_EQUAL(1, int(report.index));
}

// Gap with a wave that is shorter than the differences of the checker.
struct Wave {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  using Q = Vector<Real, 1>;
  Real factor = Real(1), wave = Real(2e4);  // rad/m: 2 rad per step of the checker
  Matrix<Real, 1, 1> mass(const Q&, Real) const { return Matrix<Real, 1, 1>(Real(1)); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0)); }
  Real gap(int, const Q& q, Real) const { return std::sin(wave * q(0)) / wave; }
  Directions<Real, 1, 0> directions(int, const Q& q, Real) const {
    Directions<Real, 1, 0> d;
    d.w_N(0) = factor * std::cos(wave * q(0));
    return d;
  }
  ContactLaw<Real> law(int) const { return {}; }
};

// Only in double: finite differences of floats are coarse.
void test_wrong_direction_of_a_strongly_curved_gap_is_reported(void) {
  if constexpr (sizeof(Real) == 8) {
    Wave model;
    State<Wave> start;
    start.q(0) = 1 / model.wave;
    CHECK(checked(model, start).ok());
    model.factor = Real(1.1);
    CHECK(finds(Member::w_N, model, start));
  }
}

// ---- wrap and period ----

struct Turning {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0;
  using Q = Vector<Real, 2>;
  Real turn = 2 * pi<Real>, declared_period = Real(1);
  bool limited = false;  // the force is defined for some angles only
  Matrix<Real, 2, 2> mass(const Q&, Real) const { return Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q& q, const Q&, Real t) const {
    const Real in_period = t - std::floor(t);
    return Q(in_period > Real(0.6) ? Real(1) : Real(0),
             limited ? std::sqrt(Real(0.5) + std::cos(q(1))) : std::cos(q(1)));
  }
  Q wrap(const Q& q) const { return Q(q(0), q(1) - turn * std::round(q(1) / turn)); }
  Real period() const { return declared_period; }
};

void test_wrap_by_half_a_turn_is_reported(void) {
  Turning model;
  State<Turning> start;
  start.q(1) = Real(0.1);
  for (const bool limited : {false, true}) {
    model.limited = limited;
    model.turn = 2 * pi<Real>;
    CHECK(!finds(Member::wrap, model, start));
    model.turn = pi<Real>;
    CHECK_EQUAL(!limited, finds(Member::wrap, model, start));  // no second angle with a finite force
  }
}

void test_wrong_period_is_reported_at_any_time(void) {
  Turning model;
  CHECK(!finds(Member::period, model));
  model.declared_period = Real(0.5);  // at t = 0 and 0.5 the force is equal
  CHECK(finds(Member::period, model));
}

// ---- calls ----

void test_run_rejects_its_arguments_exchanged(void) {
  Stepper machine{Turning{}, State<Turning>{}};
  const auto check = [&](Real step, std::int64_t steps, Status status) {
    const auto report = run(machine, step, steps);
    CHECK_EQUAL(status, report.status);
    CHECK(report.status == Status::ok || (report.cause == Cause::dt && machine.state.time() == 0));
  };
  check(Real(1000), std::int64_t(dt), Status::invalid_argument);
  check(dt, -5, Status::invalid_argument);
  check(Real(0), 0, Status::invalid_argument);
  check(dt, 0, Status::ok);
  check(dt, 3, Status::ok);
}

// ---- correct models without findings ----

void test_point_far_from_its_curve_is_accepted(void) {
  using Model = Mechanism<Free<PointOnCurve<Real, 0, 1, Curve>>>;
  Model model;
  State<Model> start;
  start.q(2) = Real(0.4);
  start.q(3) = Real(0.01), start.q(4) = Real(0.045);
  CHECK(!finds(Member::w_N, model, start));
  std::get<0>(model.part).curve.kind = Cam::half_slope;
  CHECK(finds(Member::w_N, model, start));
}

void test_gaps_far_from_the_origin_do_not_jump(void) {
  using Bearing = RevoluteClearance<Real, ground, 0>;
  using Model = Mechanism<Free<Bearing>>;
  for (const Real x : {Real(0), Real(2000)})
    for (const Real turns : {Real(0), Real(5000)}) {
      Model model;
      Bearing& pin = std::get<0>(model.part);
      pin.on_A = {x, Real(0)};
      pin.on_B = {Real(0), Real(0.1)};
      pin.play = Real(1e-4);
      State<Model> start;
      const Real phi = Real(0.5);
      start.q(0) = x + Real(0.1) * std::sin(phi), start.q(1) = Real(-0.1) * std::cos(phi);
      start.q(2) = turns * 2 * pi<Real> + phi;
      CHECK(!finds(Member::gap_jump, model, start));
    }
}

}  // namespace model_misuse
using namespace model_misuse;

// clang-format off
TEST_MAIN({
  TEST(test_moments_of_own_parts_are_compared);
  TEST(test_one_sided_parts_without_effect_are_reported);
  TEST(test_factors_of_backlash);
  TEST(test_equal_parts_are_reported);
  TEST(test_wrong_curves_are_reported);
  TEST(test_turned_slider_is_reported);
  TEST(test_functions_with_a_memory_are_reported);
  TEST(test_play_that_is_no_length_is_reported);
  TEST(test_negative_mu_at_the_sliding_speed_has_the_cause_law);
  TEST(test_wrong_direction_of_a_strongly_curved_gap_is_reported);
  TEST(test_wrap_by_half_a_turn_is_reported);
  TEST(test_wrong_period_is_reported_at_any_time);
  TEST(test_run_rejects_its_arguments_exchanged);
  TEST(test_point_far_from_its_curve_is_accepted);
  TEST(test_gaps_far_from_the_origin_do_not_jump);
})
