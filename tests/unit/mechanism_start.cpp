// Start states of mechanisms: close_joints keeps the given values or reports a status; penetration of a start state,
// its report, and its correction by a step.
#include <cmath>
#include <limits>
#include <moreau/check/start_checker.hpp>
#include <moreau/mechanism.hpp>

#include "models/four_bar.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/joint_coordinates.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau;
using Member = CheckReport<Real>::Member;

constexpr Real closed = Real(100) * std::numeric_limits<Real>::epsilon();        // m, for a mechanism of 1 m
constexpr Real closed_speed = Real(1e5) * std::numeric_limits<Real>::epsilon();  // m/s, for 30 m/s and 30 rad/s

template <class Model>
void check_joints(const Model& model, const State<Model>& state) {
  const auto at = model.at(state.q, state.time());
  for (int j = 0; j < Model::bilaterals; ++j) {
    const auto row = model.bilateral(j, at);
    CHECK_WITHIN(closed, Real(0), row.g);
    CHECK_WITHIN(closed_speed, Real(0), dot(row.w, state.u) + row.zeta);
  }
}

using FourBar = models::IdealFourBar<Real>;
constexpr auto crank_angle = FourBar::angle_of<FourBar::crank>;

// Crank, coupler and rocker near their closed positions.
State<FourBar> four_bar_guess() {
  State<FourBar> guess;
  guess.q(FourBar::angle_of<FourBar::coupler>) = Real(0.8);
  guess.q(FourBar::angle_of<FourBar::rocker>) = Real(1.6);
  return guess;
}

void test_crank_keeps_its_speed(void) {
  auto bar = four_bar_guess();
  bar.u(crank_angle) = Real(30);
  const auto report = close_joints(FourBar{}, bar, Keep<FourBar>{}.omega(FourBar::crank));
  CHECK_EQUAL(Status::ok, report.status);
  CHECK(bar.u(crank_angle) == Real(30));
  CHECK(report.miss <= closed && report.speed_miss <= closed_speed);
  check_joints(FourBar{}, bar);

  // with clearance in the guide the slider can tilt: two degrees of freedom, and the nearest motion is one of many
  using Crank = Mechanism<test::InBodies<models::SliderCrankParts<Real>>>;
  const Crank model;
  State<Crank> crank;
  crank.q << Real(0.076), Real(0.01), Real(0.05), Real(0.3), Real(0), Real(-0.04), Real(0.45), Real(0), Real(0);
  crank.u(2) = Real(30);
  CHECK_EQUAL(Status::ok, close_joints(model, crank, Keep<Crank>{}.omega(Crank::crank)).status);
  CHECK(crank.u(2) == Real(30));
  check_joints(model, crank);
}

// A mechanism with one degree of freedom: its motion does not depend on the algorithm.
void test_speeds_of_the_other_bodies(void) {
  auto bar = four_bar_guess();
  bar.u(crank_angle) = Real(30);
  CHECK(close_joints(FourBar{}, bar).status == Status::ok);
  CHECK(std::fabs(bar.u(crank_angle) - Real(30)) > Real(1));  // without Keep, the given speed is only an initial guess
  const FourBar::Q expected = Real(30) / bar.u(crank_angle) * bar.u;
  bar.u.setZero();
  bar.u(crank_angle) = Real(30);
  CHECK(close_joints(FourBar{}, bar, Keep<FourBar>{}.omega(FourBar::crank)).status == Status::ok);
  for (int d = 0; d < FourBar::dof; ++d) CHECK_WITHIN(closed_speed, expected(d), bar.u[d]);
}

void test_crank_keeps_its_angle(void) {
  auto bar = four_bar_guess();
  bar.q(crank_angle) = Real(0.3);
  bar.u(crank_angle) = Real(-5);
  const auto keep = Keep<FourBar>{}.angle(FourBar::crank).omega(FourBar::crank);
  CHECK_EQUAL(Status::ok, close_joints(FourBar{}, bar, keep).status);
  CHECK(bar.q(crank_angle) == Real(0.3) && bar.u(crank_angle) == Real(-5));
  check_joints(FourBar{}, bar);
}

void test_values_that_cannot_be_kept_have_a_status(void) {
  const auto guess = four_bar_guess();
  const auto check_status = [&](Status expected, const Keep<FourBar>& keep) {
    auto bar = guess;
    bar.u(crank_angle) = Real(30);
    CHECK_EQUAL(expected, close_joints(FourBar{}, bar, keep).status);
    CHECK(bar.q == guess.q && bar.u(crank_angle) == Real(30));
    CHECK(bar.u(FourBar::angle_of<FourBar::coupler>) == Real(0));
  };
  // two speeds of a mechanism with one degree of freedom; three angles of open joints
  check_status(Status::constraints_dependent, Keep<FourBar>{}.omega(FourBar::crank).omega(FourBar::rocker));
  check_status(Status::constraints_dependent, Keep<FourBar>{}.q(0).q(1).q(2));
  check_status(Status::invalid_argument, Keep<FourBar>{}.omega(3));
  check_status(Status::invalid_argument, Keep<FourBar>{}.u(-1));
  State<FourBar> nan = guess;
  nan.u(FourBar::angle_of<FourBar::coupler>) = std::numeric_limits<Real>::quiet_NaN();
  CHECK_EQUAL(Status::not_finite, close_joints(FourBar{}, nan).status);
}

// Pendulum in the coordinates x and y with a full mass matrix: Keep supports hand-written models as well.
struct Bead {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0, bilaterals = 1;
  using Q = Vector<Real, 2>;
  Matrix<Real, 2, 2> mass(const Q&, Real) const {
    Matrix<Real, 2, 2> M;
    M << Real(2), Real(0.5), Real(0.5), Real(1);
    return M;
  }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  Bilateral<Real, 2> bilateral(int, const Q& q, Real) const {
    Bilateral<Real, 2> row;
    row.w << Real(2) * q(0), Real(2) * q(1);
    row.g = dot(q, q) - Real(1);
    return row;
  }
};

void test_hand_written_model_keeps_its_speed(void) {
  State<Bead> bead;
  bead.q << Real(0.6), Real(0.7);
  bead.u << Real(3), Real(0);
  CHECK_EQUAL(Status::ok, close_joints(Bead{}, bead, Keep<Bead>{}.q(0).u(0)).status);
  CHECK(bead.q(0) == Real(0.6) && bead.u(0) == Real(3));
  CHECK_WITHIN(closed, Real(0.8), bead.q(1));
  CHECK_WITHIN(closed, Real(-2.25), bead.u(1));
}

// Two rods from one point to a mass, at an angle of `narrow` rad: one drives it with 1 m/s, the other holds it.
struct Scissors {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0, bilaterals = 2;
  using Q = Vector<Real, 2>;
  Real m = 1, narrow = 1, g = 0, zeta = 1;
  Matrix<Real, 2, 2> mass(const Q&, Real) const { return m * Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  Bilateral<Real, 2> bilateral(int j, const Q&, Real) const {
    if (j == 0) return {Q(Real(1), Real(0)), Real(0), Real(0)};
    return {Q(moreau::cos(narrow), moreau::sin(narrow)), zeta, g};
  }
};
void test_loops_that_cannot_be_closed_have_a_status(void) {
  const auto status = [](const Scissors& scissors) {
    State<Scissors> state;
    state.u << Real(0.3), Real(0.7);
    const auto report = close_joints(scissors, state);
    if (report.status == Status::ok)
      CHECK_WITHIN(Real(0.01), Real(-1), dot(Scissors{scissors}.bilateral(1, state.q, Real(0)).w, state.u));
    else
      CHECK(state.u(0) == Real(0.3) && state.u(1) == Real(0.7));
    return report.status;
  };
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  CHECK_EQUAL(Status::ok, status({}));
  CHECK_EQUAL(Status::mass_not_positive_definite, status({Real(-1)}));
  CHECK_EQUAL(Status::not_finite, status({Real(1), Real(1), nan}));
  CHECK_EQUAL(Status::not_finite, status({Real(1), Real(1), Real(0), nan}));
  int ok = 0, too_near = 0, dependent = 0;  // the smaller the angle, the nearer to a dead centre
  for (Real narrow = 1; narrow > std::numeric_limits<Real>::epsilon(); narrow *= Real(0.7)) {
    const auto answer = status({Real(1), narrow});
    ++(answer == Status::ok ? ok : (answer == Status::no_solution ? too_near : dependent));
    CHECK(answer != Status::not_finite);
  }
  CHECK(ok > 0 && too_near > 0 && dependent > 0);
}

// Pin in a bearing of 1 mm clearance, 2 mm off centre: a penetration of 1 mm.
struct PinParts {
  using Real = ::Real;
  enum Names { pin, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1e-3)}};
  RevoluteClearance<Real, ground, pin> bearing{{}, {}, Real(1e-3), Real(0), {}};
  auto parts() const { return std::tie(bearing); }
};
using Pin = Mechanism<PinParts>;

// The same model written by hand, without allowed_penetration().
struct BareWall {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 1;
  using Q = Vector<Real, 1>;
  Matrix<Real, 1, 1> mass(const Q&, Real) const { return Matrix<Real, 1, 1>(Real(1)); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0)); }
  Real gap(int i, const Q& q, Real) const {
    CHECK_EQUAL(0, i);
    return Real(1e-3) - q(0);
  }
  Directions<Real, 1> directions(int, const Q&, Real) const {
    Directions<Real, 1> d;
    d.w_N(0) = Real(-1);
    return d;
  }
  ContactLaw<Real> law(int) const { return {}; }
};

void test_penetration_of_a_start_is_reported(void) {
  State<Pin> pin;
  pin.q(0) = Real(2e-3);
  pin.u(0) = Real(1e-3);
  const auto report = close_joints(Pin{}, pin);
  CHECK_EQUAL(Status::ok, report.status);
  CHECK_EQUAL(0, report.contact);
  CHECK_WITHIN(Real(1e-8), Real(1e-3), report.penetration);
  State<BareWall> wall;
  wall.q(0) = Real(2e-3);
  wall.u(0) = Real(1e-3);
  CHECK_WITHIN(Real(1e-8), Real(1e-3), close_joints(BareWall{}, wall).penetration);
  wall.q(0) = Real(0.5e-3);
  CHECK(close_joints(BareWall{}, wall).contact == -1 && close_joints(BareWall{}, wall).penetration == Real(0));
  wall.q(0) = Real(2e-3);

  const auto found = check_start(Pin{}, pin);
  CHECK(!found.ok());
  CHECK(found.worst().member == Member::start_overlap && found.worst().index == 0);
  CHECK_WITHIN(Real(1e-8), Real(1e-3), found.worst().deviation);
  CHECK(check_start(BareWall{}, wall).worst().member == Member::start_overlap);

  // Effect of a step, as documented in check/start_checker.hpp.
  Stepper from_parts{Pin{}, pin};
  CHECK_EQUAL(Status::ok, from_parts.step(Real(1e-4)).status);
  CHECK_WITHIN(Real(1e-6), Real(1e-3) + Pin{}.allowed_penetration(0), from_parts.state.q(0));
  CHECK(check_start(Pin{}, from_parts.state).ok());
  Stepper derived{BareWall{}, wall};
  CHECK_EQUAL(Status::ok, derived.step(Real(1e-4)).status);
  CHECK_WITHIN(Real(1e-6), Real(2e-3), derived.state.q(0));
}

void test_check_start_checks_joints(void) {
  auto bar = models::four_bar_start<FourBar>(Real(30));
  CHECK(check_start(FourBar{}, bar).ok());
  bar.u(crank_angle) += Real(0.1);
  CHECK(check_start(FourBar{}, bar).worst().member == Member::start_speeds);
  bar.u.setZero();
  bar.q(FourBar::angle_of<FourBar::rocker>) += Real(0.01);
  CHECK(check_start(FourBar{}, bar).worst().member == Member::start_joints);
  bar.q(crank_angle) = std::numeric_limits<Real>::quiet_NaN();
  CHECK(!check_start(FourBar{}, bar).ok());
}

// Crank and rod; the end of the rod is a pin in a bearing with clearance.
struct CrankAndRod {
  using Real = ::Real;
  enum Names { crank, rod, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.1)}, {Real(1), Real(0.1)}};
  Revolute<Real, ground, crank> bearing{{}, {Real(-0.5), Real(0)}};
  Revolute<Real, crank, rod> joint{{Real(0.5), Real(0)}, {Real(-0.5), Real(0)}};
  RevoluteClearance<Real, ground, rod> pin{
      {Real(2), Real(0)}, {Real(0.5), Real(0)}, Real(1e-3), Real(0.01), {Real(0.2), Real(0), Real(0.1)}};
  Gravity<Real> gravity;
  auto parts() const { return std::tie(bearing, joint, pin, gravity); }
};
// The same with clearance between crank and rod, and a free end of the rod.
struct LooseRod : CrankAndRod {
  RevoluteClearance<Real, crank, rod> loose{
      {Real(0.5), Real(0)}, {Real(-0.5), Real(0)}, Real(1e-3), Real(0.01), {Real(0.2), Real(0), Real(0.1)}};
  auto parts() const { return std::tie(bearing, loose, gravity); }
};

// If check_start accepts the masses, the pin remains in its bearing. With a heavy crank of 1e6 kg in float, it leaves the
// bearing by a kilometre, although almost every step returns ok.
template <class Parts>
void check_masses(int heavy, Real factor, bool accepted) {
  using Model = Mechanism<test::InBodies<Parts>>;
  Model model;
  model.body[heavy] = {factor, factor / Real(10)};
  State<Model> start;
  start.q << Real(0.5), 0, 0, Real(1.5), 0, 0;
  const auto report = check_start(model, start);
  CHECK_EQUAL(accepted, report.ok());
  if (!accepted) {
    CHECK(report.worst().member == Member::mass_ratio);
    CHECK_EQUAL(1 - heavy, report.worst().coordinate);
    return;
  }
  Stepper machine{model, start};
  Real deepest{0};
  for (int n = 0; n < 5000; ++n) {
    CHECK(machine.step(Real(1e-4)).advanced());
    deepest = std::max(deepest, -machine.contact(0).gap_M);
  }
  CHECK_WITHIN(Real(5e-5), Real(0), deepest);  // m, of 1e-3 m of play
}
void test_check_start_checks_masses(void) {
  const Real limit = Real(200) * Judge<Real>{}.rtol / std::numeric_limits<Real>::epsilon();
  for (const Real share : {Real(1e-3), Real(0.1), Real(0.5)}) {
    check_masses<CrankAndRod>(0, share * limit, true);
    check_masses<CrankAndRod>(1, share * limit / Real(4), true);
    check_masses<LooseRod>(1, share * limit / Real(4), true);
    check_masses<LooseRod>(0, limit / share, true);  // a free rod on a heavy crank
  }
  for (const Real excess : {Real(4), Real(100), Real(1e4)}) {
    check_masses<CrankAndRod>(0, excess * limit, false);
    check_masses<CrankAndRod>(1, excess * limit, false);
    check_masses<LooseRod>(1, excess * limit, false);
  }
}

// A tilt is measured as a sine: at half a turn it is 0, although the joint is not closed.
struct WeldedParts {
  using Real = ::Real;
  enum Names { arm, tip, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1)}, {Real(1), Real(1)}};
  Revolute<Real, ground, arm> pin{{}, {Real(-1), Real(0)}};
  Weld<Real, arm, tip> weld{{Real(1), Real(0)}, {Real(-1), Real(0)}};
  auto parts() const { return std::tie(pin, weld); }
};
struct SlidingParts {
  using Real = ::Real;
  enum Names { slider, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1)}};
  Prismatic<Real, ground, slider> guide{{}, {Real(0), Real(1)}, {}};
  auto parts() const { return std::tie(guide); }
};
constexpr Real pi = Real(3.14159265358979323846);

template <class Model>
MOREAU_NOINLINE void check_reversed(const State<Model>& start, int row, int angle) {
  CHECK(check_start(Model{}, start).ok());
  CHECK(Stepper(Model{}, start).start_report().miss < closed);
  auto turned = start;
  turned.q(angle) += pi;
  turned.q.template segment<2>(angle - 2) += Real(angle == 5 ? -2 : 0) * Vector<Real, 2>(Real(1), Real(0));
  const auto found = check_start(Model{}, turned).worst_of(Member::start_joints);
  CHECK(!found.ok() && found.index == row);
  CHECK_WITHIN(closed, Real(2), found.deviation);
  const auto report = Stepper(Model{}, turned).start_report();
  CHECK(report.status == Status::ok && report.row == row);
  CHECK_WITHIN(closed, Real(2), report.miss);

  auto guess = start;
  guess.q(angle) += Real(0.8);
  CHECK_EQUAL(Status::ok, close_joints(Model{}, guess).status);
  CHECK(check_start(Model{}, guess).ok());
  guess.q(angle) = start.q(angle) + Real(2.8);
  const auto before = guess;
  CHECK_EQUAL(Status::no_solution, close_joints(Model{}, guess).status);
  CHECK(guess.q == before.q);
}

void test_half_a_turn_is_not_closed(void) {
  using Welded = Mechanism<test::InBodies<WeldedParts>>;
  using Sliding = Mechanism<test::InBodies<SlidingParts>>;
  State<Welded> welded;
  welded.q << Real(1), Real(0), Real(0), Real(3), Real(0), Real(0);
  check_reversed<Welded>(welded, 4, 5);
  State<Sliding> sliding;
  sliding.q(2) = pi / 2;
  check_reversed<Sliding>(sliding, 1, 2);
}

// All bodies in a line: a step would close the mechanism, over 0.15 m.
void test_open_joints_of_a_start_are_reported(void) {
  Stepper machine{FourBar{}, State<FourBar>{}};
  const auto open = machine.start_report();
  CHECK(open.status == Status::ok && open.row >= 0);
  CHECK(open.miss > Real(0.1));
  CHECK_WITHIN(closed, check_start(FourBar{}, machine.state).worst_of(Member::start_joints).deviation, open.miss);
  CHECK_WITHIN(closed, open.miss, machine.set_state(machine.state).miss);  // reported, not rejected
  CHECK(Stepper(FourBar{}, models::four_bar_start<FourBar>(Real(30))).start_report().miss < closed);
  CHECK_EQUAL(-1, (Stepper(BareWall{}, State<BareWall>{}).start_report().row));
}

}  // namespace

// clang-format off
TEST_MAIN({
  TEST(test_crank_keeps_its_speed);
  TEST(test_speeds_of_the_other_bodies);
  TEST(test_crank_keeps_its_angle);
  TEST(test_values_that_cannot_be_kept_have_a_status);
  TEST(test_hand_written_model_keeps_its_speed);
  TEST(test_loops_that_cannot_be_closed_have_a_status);
  TEST(test_penetration_of_a_start_is_reported);
  TEST(test_check_start_checks_joints);
  TEST(test_check_start_checks_masses);
  TEST(test_half_a_turn_is_not_closed);
  TEST(test_open_joints_of_a_start_are_reported);
})
// clang-format on
