// Position error of the ideal joints: closed forms, linkages beyond their reach, drive laws that jump, open starts, and
// the closed joints of runs with large rotations and with kinks of a drive law.
#include <limits>
#include <moreau/check/run_checker.hpp>
#include <moreau/check/start_checker.hpp>
#include <moreau/mechanism.hpp>
#include <moreau/record/recorder.hpp>

#include "support/joint_coordinates.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau;
using detail::joint_error;
constexpr bool is_double = sizeof(Real) == 8;
constexpr Real dt = Real(1e-4);
constexpr Real rounding = Real(1000) * std::numeric_limits<Real>::epsilon();  // of the motion, relative to the size

// Law that turns at a constant speed, with a jump or a kink at a time.
struct Turning {
  Real speed = Real(10), jump = Real(0), after = Real(10), at = Real(0.05);
  DriveAngle<Real> operator()(Real t) const {
    const Real past = t > at ? t - at : Real(0);
    return {speed * (t - past) + after * past + (t > at ? jump : Real(0)), t > at ? after : speed};
  }
};

// A flywheel of 1 t turned at the same time, which does not touch the disk.
struct DiskAndFlywheel {
  using Real = ::Real;
  enum Names { disk, flywheel, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.1)}, {Real(1000), Real(500)}};
  Revolute<Real, ground, disk> pivot;
  Revolute<Real, ground, flywheel> bearing;
  Drive<Real, ground, disk, Turning> drive;
  auto parts() const { return std::tie(pivot, bearing, drive); }
};
using Disk = Mechanism<DiskAndFlywheel>;
using DiskInBodies = Mechanism<test::InBodies<DiskAndFlywheel>>;
constexpr int drive_row = 0;

template <class Model = Disk>
State<Model> turning_disk() {
  State<Model> start;
  start.u(Model::template angle_of<Model::disk>) = Real(10);
  start.u(Model::template angle_of<Model::flywheel>) = Real(300);
  return start;
}

void test_jump_of_a_law_is_its_error(void) {
  for (const double jump : {1e-3, 0.03, 0.5}) {
    Disk model;
    model.drive.law.jump = Real(jump);
    Stepper machine{model, turning_disk()};
    const auto summary = run(machine, dt, 600);
    CHECK(summary.status == Status::ok);
    const auto& joints = summary.reach.joints;
    CHECK_EQUAL(drive_row, joints.row);
    CHECK_WITHIN(is_double ? 1e-12 : 1e-5, jump, double(joints.error));
    if (joints.open()) CHECK_WITHIN(1e-6, 0.0501, double(joints.t));
    // The speed of the disk, and not that of the flywheel: 1 mrad per step, plus the rounding of the angles.
    const double rounded = double(rounding) * 15.1;
    CHECK_WITHIN(1e-5 + rounded, 1e-3, double(joints.motion));
    CHECK_EQUAL(jump > 0.01, joints.open());
  }
}

void test_kink_of_a_law_is_closed(void) {
  Real largest = Real(0);
  for (const double after : {-10.0, 0.0, 30.0})
    for (const double at : {0.05, 0.05002, 0.05005, 0.05008}) {
      Disk model;
      model.drive.law.after = Real(after), model.drive.law.at = Real(at);
      Stepper machine{model, turning_disk()};
      const auto joints = run(machine, dt, 600).reach.joints;
      CHECK(!joints.open());
      CHECK(double(joints.relative()) <= 1.001);
      largest = joints.relative() > largest ? joints.relative() : largest;
    }
  if (is_double) CHECK(largest > Real(0.9));
}

// A drive at rest that starts within a step: neither end of the step has a velocity.
void test_start_of_a_law_is_closed(void) {
  Disk model;
  model.drive.law.speed = Real(0), model.drive.law.at = Real(0.05008);
  State<Disk> start;
  Stepper machine{model, start};
  const auto joints = run(machine, dt, 600).reach.joints;
  CHECK(!joints.open());
  CHECK_EQUAL(drive_row, joints.row);
}

// The rounding error of a large angle does not excuse an error in metres.
void test_large_angle_does_not_hide_an_open_joint(void) {
  auto start = turning_disk<DiskInBodies>();
  start.q(5) = Real(1000);
  start.q(0) = Real(1e-3);
  Stepper machine{DiskInBodies{}, start};
  const auto joints = run(machine, dt, 1).reach.joints;
  CHECK(joints.open());
  CHECK_EQUAL(0, joints.row);
}

// ---- slider-crank, driven at the slider ----

template <class Law>
struct PushedCrank {
  using Real = ::Real;
  enum Names { crank, rod, slider, bodies };
  Body<Real> body[bodies] = {{Real(0.1), Real(1e-4)}, {Real(0.2), Real(5e-4)}, {Real(0.3), Real(1e-4)}};
  Revolute<Real, ground, crank> main{{Real(0), Real(0)}, {Real(-0.05), Real(0)}};
  Revolute<Real, crank, rod> pin{{Real(0.05), Real(0)}, {Real(-0.15), Real(0)}};
  Revolute<Real, rod, slider> wrist{{Real(0.15), Real(0)}, {Real(0), Real(0)}};
  Prismatic<Real, ground, slider> guide{};
  LinearDrive<Real, ground, slider, Law> drive{};
  auto parts() const { return std::tie(main, pin, wrist, guide, drive); }
};
using Pushed = Mechanism<PushedCrank<CommandedSpeed<Real>>>;
constexpr auto place = Pushed::slide_of<Pushed::slider>;
constexpr int x_of_wrist = 0, linkage_rows = 2;  // the wrist closes the loop

template <class Model>
State<Model> crank_at(Real angle) {
  State<Model> start;
  const auto c = sincos(angle);
  const Real y = Real(-0.1) * c.sin / Real(0.3), x = moreau::sqrt(Real(1) - y * y);  // direction of the rod
  start.q(Model::template angle_of<Model::crank>) = angle;
  start.q(Model::template angle_of<Model::rod>) = y;  // small: close_joints completes it
  start.q(Model::template slide_of<Model::slider>) = Real(0.1) * c.cos + Real(0.3) * x;
  CHECK_EQUAL(Status::ok, close_joints(Model{}, start).status);
  return start;
}

// The dead centre is at 0.4 m. All steps are ok, and the joints are open.
void test_linkage_beyond_its_reach_is_reported(void) {
  Pushed model;
  model.drive.law.speed = Real(0.5);
  const auto start = crank_at<Pushed>(Real(0.9));
  const double stretched = (0.4 - double(start.q(place))) / 0.5;  // s
  Stepper machine{model, start};
  RunChecker watch{machine};
  const auto summary = run(machine, dt, 1200, watch);
  CHECK(summary.advanced());
  CHECK_EQUAL(1200, int(summary.steps));
  const auto& joints = summary.reach.joints;
  moreau::port::print("open at ", joints.t, " s (dead centre at ", stretched, " s): ", joints.error, " m or rad, row ",
                      joints.row);
  CHECK(joints.open());
  CHECK_WITHIN(2e-3, stretched, double(joints.t));
  CHECK(double(joints.error) > 1e-4);
  CHECK(joints.row >= 0 && joints.row < linkage_rows);  // a row of the linkage; a command itself has no position
  const auto& found = watch.report().worst();
  CHECK(found.member == CheckReport<Real>::Member::joint_error && !found.ok());
  CHECK(found.deviation >= joints.error);
}

void test_linkage_within_its_reach_is_closed(void) {
  Pushed model;
  model.drive.law.speed = Real(0.5);
  const auto start = crank_at<Pushed>(Real(0.9));
  Stepper machine{model, start};
  RunChecker watch{machine};
  const int steps = int((0.399 - double(start.q(place))) / 0.5 / double(dt));
  const auto joints = run(machine, dt, steps, watch).reach.joints;
  CHECK(!joints.open());
  CHECK(joints.relative() < Real(0.1));
  CHECK(watch.report().ok());
}

// The error after the projection counts as well: a run can end with the first open step.
void test_error_after_the_projection_is_reported(void) {
  Pushed model;
  model.drive.law.speed = Real(0.5);
  Stepper machine{model, crank_at<Pushed>(Real(0.9))};
  const auto before = machine.state;
  CHECK(machine.step(dt).advanced());
  CHECK(!joint_error(machine.model, before, machine.state).open());
  auto moved = machine.state;
  moved.q(place) += Real(0.02);
  const auto joints = joint_error(machine.model, before, moved);
  CHECK(joints.open());
  CHECK_EQUAL(x_of_wrist, joints.row);
  CHECK_WITHIN(1e-6, 0.02, double(joints.error));
}

void test_open_start_is_reported(void) {
  auto start = crank_at<Pushed>(Real(0.9));
  Stepper closed{Pushed{}, start};
  CHECK(!run(closed, dt, 100).reach.joints.open());
  start.q(place) += Real(1e-3);
  Stepper open{Pushed{}, start};
  const auto joints = run(open, dt, 100).reach.joints;
  CHECK(joints.open());
  CHECK_EQUAL(dt, joints.t);                                        // the first step
  constexpr double of_positions = sizeof(Real) == 8 ? 1e-6 : 3e-6;  // tens of float spacings near 1 m
  CHECK_WITHIN(of_positions, 1e-3, double(joints.error));
}

// ---- rotation of a joint within a step ----

// Pendulum with rows of its own, with and without bias_acceleration.
template <bool has_bias>
struct Pendulum {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 0, bilaterals = 2;
  using Q = Vector<Real, 3>;
  Real l = Real(0.2);
  Matrix<Real, 3, 3> mass(const Q&, Real) const {
    Matrix<Real, 3, 3> M = Q(Real(1), Real(1), Real(0.01)).asDiagonal();
    return M;
  }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  Bilateral<Real, 3> bilateral(int row, const Q& q, Real) const {
    const auto a = sincos(q(2));
    if (row == 0) return {Q(Real(1), Real(0), l * a.sin), Real(0), q(0) - l * a.cos};
    return {Q(Real(0), Real(1), -l * a.cos), Real(0), q(1) - l * a.sin};
  }
};
struct BiasedPendulum : Pendulum<true> {
  Real bias_acceleration(int row, const Q& q, const Q& u, Real) const {
    const auto a = sincos(q(2));
    return l * (row == 0 ? a.cos : a.sin) * u(2) * u(2);
  }
};

// Returns the largest relative error of a pendulum that turns by `turn` per step.
template <class Model>
Real relative_error(Real turn) {
  Model model;
  State<Model> start;
  const Real omega = turn / dt;
  start.q(0) = model.l;
  start.u << Real(0), model.l * omega, omega;
  Stepper machine{model, start};
  const auto joints = run(machine, dt, 200).reach.joints;
  CHECK(!joints.open());
  return joints.relative();
}

void test_rotation_of_a_joint_is_closed(void) {
  for (const double turn : {0.01, 0.1, 0.3}) {
    const Real plain = relative_error<Pendulum<false>>(Real(turn)), biased = relative_error<BiasedPendulum>(Real(turn));
    CHECK(double(plain) > 0.1 * turn && double(plain) < 0.5 * turn);
    CHECK(double(biased) < 0.3 * turn * turn + (is_double ? 1e-9 : 1e-2));
  }
}

struct Swing {
  using Real = ::Real;
  enum Names { arm, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.01)}};
  Revolute<Real, ground, arm> pivot{{}, {Real(-0.1), Real(0)}};
  Gravity<Real> gravity;
  auto parts() const { return std::tie(pivot, gravity); }
};
// Returns the joint error of a pendulum in the coordinates of its body that turns by `turn` per step at first.
auto turned(Real turn, Real dt_long, int steps) {
  using Model = Mechanism<test::InBodies<Swing>>;
  State<Model> start;
  start.q(0) = Real(0.1);
  start.u(2) = turn / dt_long, start.u(1) = Real(0.1) * start.u(2);
  Stepper machine{Model{}, start};
  RunChecker watch{machine};
  const auto summary = run(machine, dt_long, steps, watch);
  CHECK(summary.status == Status::ok);
  CHECK_EQUAL(summary.reach.joints.dt_too_long(), !watch.report().worst_of(CheckReport<Real>::Member::joint_turn).ok());
  return summary.reach.joints;
}

void test_turn_of_a_joint_is_reported(void) {
  for (const double turn : {0.05, 0.2, 0.28, 0.32, 3.0}) {
    const auto joints = turned(Real(turn), Real(3e-3), 1);
    // At the start, the lever arm is parallel to one row; the end of the step is slower by gravity.
    CHECK(double(joints.turn) > 0.97 * turn && (double(joints.turn) < 1.02 * turn || turn > 1));
    CHECK_EQUAL(turn > 0.3, joints.dt_too_long());
    CHECK(joints.turned_row == 0 || joints.turned_row == 1);
  }
  CHECK(!turned(Real(0.2), Real(3e-3), 100).dt_too_long());
  CHECK(turned(Real(3), Real(0.03), 100).dt_too_long());
}

// The flywheel turns by 0.03 rad per step in its centre: its joint does not turn. The disk turns by 1 mrad.
void test_balanced_body_has_no_turn(void) {
  Stepper machine{DiskInBodies{}, turning_disk<DiskInBodies>()};
  CHECK_EQUAL(Real(0), run(machine, dt, 10).reach.joints.turn);
}

// ---- values of several steps ----

void test_states_of_more_than_one_step(void) {
  Stepper machine{Disk{}, turning_disk()};
  const auto start = machine.state;
  CHECK(machine.step(dt).advanced());
  const auto one = joint_error(machine.model, start, machine.state);
  CHECK(machine.step(dt).advanced());
  const auto two = joint_error(machine.model, start, machine.state);
  CHECK(!one.open() && two.open() && two.error != two.error);
}

void test_first_open_step_is_kept(void) {
  const StepReach<Real>::JointError small{Real(0.1), Real(1), 3, Real(1)}, larger{Real(0.2), Real(1), 4, Real(2)},
      open{Real(3), Real(1), 5, Real(3)}, later{Real(9), Real(1), 6, Real(4)}, none;
  StepReach<Real>::JointError all;
  for (const auto& step : {none, small, larger, small, none}) all.add(step);
  CHECK_EQUAL(4, all.row);
  all.add(open);
  all.add(later);
  CHECK_EQUAL(5, all.row);
  CHECK(all.open() && !larger.open());
}

struct Point1 {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 0;
  using Q = Vector<Real, 1>;
  Matrix<Real, 1, 1> mass(const Q&, Real) const { return Matrix<Real, 1, 1>(Real(1)); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(-9.81)); }
};

void test_model_without_joints(void) {
  Stepper machine{Point1{}, State<Point1>{}};
  const auto joints = run(machine, dt, 10).reach.joints;
  CHECK(!joints.open());
  CHECK_EQUAL(-1, joints.row);
  CHECK_EQUAL(Real(0), joints.relative());
}

}  // namespace

TEST_MAIN({
  TEST(test_jump_of_a_law_is_its_error);
  TEST(test_kink_of_a_law_is_closed);
  TEST(test_start_of_a_law_is_closed);
  TEST(test_large_angle_does_not_hide_an_open_joint);
  TEST(test_linkage_beyond_its_reach_is_reported);
  TEST(test_linkage_within_its_reach_is_closed);
  TEST(test_error_after_the_projection_is_reported);
  TEST(test_open_start_is_reported);
  TEST(test_rotation_of_a_joint_is_closed);
  TEST(test_turn_of_a_joint_is_reported);
  TEST(test_balanced_body_has_no_turn);
  TEST(test_states_of_more_than_one_step);
  TEST(test_first_open_step_is_kept);
  TEST(test_model_without_joints);
})
