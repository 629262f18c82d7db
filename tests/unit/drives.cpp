// Drives: the body does not jump when a command changes, ramps keep their acceleration, positions are reached without
// overshoot, and the motion is a pure function of the state, with fixed and adaptive steps, for hours, in both timing
// modes.
#include <cmath>
#include <moreau/check/model_checker.hpp>
#include <moreau/mechanism.hpp>

#include "support/test.hpp"

namespace {

using namespace moreau;
constexpr bool is_double = sizeof(Real) == 8;
// Velocity error of an ideal row relative to the velocity: some rounding errors.
constexpr double row_error = is_double ? 1e-13 : 1e-5;

// A disk on a bearing, turned by a drive.
template <class Law, bool wraps = false>
struct Disk {
  using Real = ::Real;
  enum Names { disk, bodies };
  static constexpr bool endless = wraps;
  Body<Real> body[bodies] = {{Real(1), Real(0.1)}};
  Revolute<Real, ground, disk> pivot;
  Drive<Real, ground, disk, Law> drive;
  auto parts() const { return std::tie(pivot, drive); }
};
using SpeedDisk = Mechanism<Disk<CommandedSpeed<Real>>>;
using EndlessDisk = Mechanism<Disk<CommandedSpeed<Real>, true>>;
using PositionDisk = Mechanism<Disk<CommandedPosition<Real>>>;
constexpr auto turned = SpeedDisk::angle_of<SpeedDisk::disk>;  // of all disks

template <class Model>
Stepper<Model> at_rest(const Model& model = Model{}) {
  return Stepper<Model>(model, State<Model>{});
}

// Executes steps and returns the largest change of the angle in one of them.
template <class Stepper>
double run_for(Stepper& machine, int steps, Real dt) {
  double largest = 0;
  for (int n = 0; n < steps; ++n) {
    const Real before = machine.state.q(turned);
    CHECK(machine.step(dt).status == Status::ok);
    largest = std::fmax(largest, std::fabs(double(machine.state.q(turned) - before)));
  }
  return largest;
}

void test_a_new_speed_does_not_move_the_body(void) {
  auto machine = at_rest<SpeedDisk>();
  const Real dt{1e-3};
  double largest = 0;
  for (const double speed : {2.0, 4.0, -3.0, 0.0}) {
    machine.model.drive.law.speed = Real(speed);
    largest = std::fmax(largest, run_for(machine, 1000, dt));
    CHECK_WITHIN(4 * row_error, speed, double(machine.state.u(turned)));
  }
  CHECK(largest < 4.01e-3);  // rad: the highest speed times dt
  // 2 + 4 - 3 rad; each jump of the speed takes half a step.
  CHECK_WITHIN(is_double ? 1e-10 : 3e-4, 2 + 4 - 3 + 0.5e-3 * (0 - 2 - 2 + 7 - 3 + 0), double(machine.state.q(turned)));
}

void test_a_ramp_has_its_acceleration(void) {
  SpeedDisk model;
  model.drive.law = {Real(6)};              // rad/s
  model.drive.law.acceleration = Real(20);  // rad/s^2: 0.3 s over 0.9 rad
  auto machine = at_rest(model);
  const Real dt{1e-3};
  const double torque = 0.1 * 20;
  double energy = 0;
  for (int n = 0; n < 300; ++n) {
    const auto before = machine.state;
    run_for(machine, 1, dt);
    const auto drive = joint_output(machine.model, &SpeedDisk::drive, before, machine.state);
    CHECK_WITHIN(is_double ? 1e-9 : 2e-2, torque, double(drive.load.moment));
    energy += double(drive.dissipated);
  }
  CHECK_WITHIN(is_double ? 1e-12 : 1e-5, 6, double(machine.state.u(turned)));
  CHECK_WITHIN(is_double ? 1e-12 : 1e-5, 0.9, double(machine.state.q(turned)));
  CHECK_WITHIN(0.01 * torque * 0.9, 0.5 * torque * 20e-3 * 0.3, energy);  // first order in dt: T a dt / 2 per second
  machine.model.drive.law.speed = Real(-6);                               // a reversal within the ramp
  run_for(machine, 600, dt);
  CHECK_WITHIN(is_double ? 1e-12 : 1e-5, -6, double(machine.state.u(turned)));
  CHECK_WITHIN(is_double ? 1e-12 : 2e-5, 0.9, double(machine.state.q(turned)));
}

// A jump of the speed is an impact: the drive loses J v^2 / 2, as in a perfectly inelastic collision with the driver.
void test_a_jump_of_the_speed_is_an_impact(void) {
  SpeedDisk model;
  model.drive.law.speed = Real(6);
  auto machine = at_rest(model);
  const auto before = machine.state;
  run_for(machine, 1, Real(1e-3));
  const auto drive = joint_output(machine.model, &SpeedDisk::drive, before, machine.state);
  CHECK_WITHIN(1e-5, 0.1 * 6 * 6 / 2, double(drive.dissipated));
  CHECK_WITHIN(1e-2, 0.1 * 6 / 1e-3, double(drive.load.moment));
}

// Executes steps to rest in a position. Returns the time; checks the limits of speed and acceleration.
template <class Stepper>
double time_to_rest(Stepper& machine, double position, Real dt) {
  const auto& law = machine.model.drive.law;
  const double start = double(machine.state.q(turned)), far = std::fabs(position - start);
  // Rounding of the angle, divided by dt, is a velocity error near the end of a motion in float.
  const double slack = (is_double ? 1e-12 : 1e-5) + 4 * row_error * double(law.speed);
  machine.model.drive.law.position = Real(position);
  for (int n = 1; n < 20000; ++n) {
    const double u = double(machine.state.u(turned));
    CHECK(machine.step(dt).status == Status::ok);
    CHECK(std::fabs(double(machine.state.u(turned)) - u) <= double(law.acceleration) * double(dt) + slack);
    CHECK(std::fabs(double(machine.state.u(turned))) <= double(law.speed) + slack);
    CHECK(std::fabs(double(machine.state.q(turned)) - start) <= far + (is_double ? 1e-12 : 1e-5));
    if (machine.state.u(turned) == 0) return n * double(dt);
  }
  return INFINITY;
}

void test_a_position_is_reached_without_overshoot(void) {
  PositionDisk model;
  model.drive.law = {Real(0), Real(3), Real(20)};
  auto machine = at_rest(model);
  const Real dt{1e-3};
  const double angles[] = {5, -7, -6.9, -6.9001, 40};
  double from = 0;
  for (const double to : angles) {
    const double d = std::fabs(to - from), ramps = 9.0 / 20;  // speed^2 / acceleration: travel of both ramps
    const double expected = d > ramps ? d / 3 + 3.0 / 20 : 2 * std::sqrt(d / 20);
    // At most three steps later; in float some more, because an angle of 40 rad has a resolution of 4e-6 rad.
    CHECK_WITHIN(is_double ? 3.5e-3 : 10e-3, expected, time_to_rest(machine, to, dt));
    CHECK_WITHIN((is_double ? 1e-14 : 1e-6) * (1 + std::fabs(to)), to, double(machine.state.q(turned)));
    from = double(machine.state.q(turned));
    const Real rest = machine.state.q(turned);
    run_for(machine, 100, dt);
    CHECK(machine.state.q(turned) == rest);  // no drift, no dither
  }
}

void test_limits_hold_for_changing_positions(void) {
  PositionDisk model;
  model.drive.law = {Real(0), Real(3), Real(20)};
  auto machine = at_rest(model);
  const Real dt{1e-3};
  for (int n = 0; n < 4000; ++n) {
    if (n % 37 == 0) machine.model.drive.law.position = Real(std::sin(0.7 * n));
    const double u = double(machine.state.u(turned));
    CHECK(machine.step(dt).status == Status::ok);
    CHECK(std::fabs(double(machine.state.u(turned)) - u) <= 20e-3 * (1 + 1e-3));
    CHECK(std::fabs(double(machine.state.u(turned))) <= 3 * (1 + 1e-5));
  }
  CHECK(std::isfinite(
      time_to_rest(machine, double(machine.state.q(turned)) + (machine.state.u(turned) > 0 ? 2 : -2), dt)));
}

// A saved state with the same commands gives a bit-identical motion; a rejected step changes nothing.
void test_the_motion_is_a_function_of_the_state(void) {
  auto machine = at_rest<SpeedDisk>();
  machine.model.drive.law = {Real(2)};
  machine.model.drive.law.acceleration = Real(30);
  run_for(machine, 31, Real(1e-3));
  const auto saved = machine.state;
  const auto command = [&](bool fails) {
    machine.state = saved;
    machine.model.drive.law.speed = Real(-1);
    run_for(machine, 20, Real(1e-3));
    if (fails) CHECK(machine.step(Real(0)).status == Status::invalid_argument);
    machine.model.drive.law.speed = Real(5);
    run_for(machine, 100, Real(1e-3));
    return machine.state;
  };
  const auto once = command(false), again = command(true);
  CHECK(once.q == again.q && once.u == again.u && once.P_B == again.P_B);
}

void test_adaptive_steps_follow_a_ramp(void) {
  PositionDisk model;
  model.drive.law = {Real(2), Real(3), Real(20)};
  auto machine = at_rest(model);
  AdaptiveOptions<Real> options;
  options.dt_min = Real(1e-5);
  options.dt_max = Real(1e-2);
  Adaptive run{machine, options};
  CHECK(run.advance_to(Real(0.4)).status == Status::ok);
  CHECK_WITHIN(2e-3, 3 * (0.4 - 0.075), double(machine.state.q(turned)));  // rad; the ramp ends inside a step
  CHECK_WITHIN(1e-4, 3, double(machine.state.u(turned)));
  CHECK(run.advance_to(Real(1.0)).status == Status::ok);
  CHECK_WITHIN(1e-4, 2, double(machine.state.q(turned)));
  CHECK_WITHIN(1e-4, 0, double(machine.state.u(turned)));
}

// Hours later, where a float time has a resolution of 1 ms, at wrapped angles.
void test_a_drive_turns_for_hours(void) {
  EndlessDisk model;
  model.drive.law.speed = Real(10);
  auto machine = at_rest(model);
  machine.state.set_time(Real(3 * 3600));
  const Real dt{1e-3};
  double angle = 0, last = 0;
  constexpr int steps = 100000;
  for (int n = 0; n < steps; ++n) {
    CHECK(machine.step(dt).status == Status::ok);
    const double phi = double(machine.state.q(turned));
    angle += std::remainder(phi - last, 2 * pi<double>);
    last = phi;
    CHECK(std::fabs(phi) < 3.1416);
  }
  // In float, the angle near pi has a resolution of 2.4e-7 rad: up to 1.2e-5 of an advance of 1e-2 rad per half step.
  CHECK_WITHIN((is_double ? 1e-9 : 3e-5) * 10 * 100, 10 * 100 - 0.5e-2, angle);
}

// A carriage on a rail, lifted along an inclined axis.
template <class Law>
struct Lift {
  using Real = ::Real;
  enum Names { carriage, bodies };
  Body<Real> body[bodies] = {{Real(2), Real(0.1)}};
  Prismatic<Real, ground, carriage> rail;
  LinearDrive<Real, ground, carriage, Law> drive;
  Gravity<Real> gravity;
  auto parts() const { return std::tie(rail, drive, gravity); }
  Lift() {
    rail.axis = drive.axis = {Real(0.6), Real(0.8)};
    drive.on_A = {Real(0.3), Real(0.4)};
  }
};

void test_a_linear_drive_carries_its_load(void) {
  using Model = Mechanism<Lift<CommandedPosition<Real>>>;
  Model model;
  model.drive.law = {Real(0.2), Real(0.5), Real(4)};
  State<Model> start;
  start.q(Model::slide_of<Model::carriage>) = Real(0.5);
  Stepper machine{model, start};
  const Real dt{1e-3};
  for (int n = 0; n < 1000; ++n) {
    const auto before = machine.state;
    CHECK(machine.step(dt).status == Status::ok);
    const auto drive = joint_output(machine.model, &Model::drive, before, machine.state);
    const double along = 0.6 * double(drive.load.force.x) + 0.8 * double(drive.load.force.y);
    if (n == 50) CHECK_WITHIN(is_double ? 1e-6 : 0.5, 2 * (9.81 * 0.8 + 4), along);  // N, on the ramp
    if (n > 900) CHECK_WITHIN(is_double ? 1e-6 : 0.5, 2 * 9.81 * 0.8, along);        // N, at rest
  }
  const auto there = machine.model.body_state(machine.state, Model::carriage).frame.r;
  CHECK_WITHIN(is_double ? 1e-12 : 2e-6, 0.3 + 0.6 * 0.2, double(there.x));
  CHECK_WITHIN(is_double ? 1e-12 : 2e-6, 0.4 + 0.8 * 0.2, double(there.y));
}

// An uneven function of time swings a pendulum on the driven arm.
struct Shake {
  moreau::DriveAngle<Real> operator()(Real t) const {
    const auto s = moreau::sincos(Real(19) * t);
    return {Real(0.5) * s.sin, Real(9.5) * s.cos};
  }
};
struct Swing {
  using Real = ::Real;
  enum Names { arm, bob, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.1)}, {Real(0.5), Real(0.02)}};
  Revolute<Real, ground, arm> pivot;
  Drive<Real, ground, arm, Shake> drive;
  Revolute<Real, arm, bob> hinge{{Real(0.2), Real(0)}, {Real(0), Real(0.3)}};
  auto parts() const { return std::tie(pivot, drive, hinge); }
};
// Returns the angle of the pendulum after 0.5 s, in steps of dt.
double swung(double dt) {
  using Model = Mechanism<Swing>;
  State<Model> start;
  CHECK(close_joints(Model{}, start).status == Status::ok);
  Stepper machine{Model{}, start};
  for (long n = std::lround(0.5 / dt); n > 0; --n) CHECK(machine.step(Real(dt)).status == Status::ok);
  return double(machine.state.q(Model::angle_of<Model::bob>));
}
void test_an_uneven_drive_has_its_speed_at_the_end_of_the_step(void) {
  using Model = Mechanism<Swing>;
  Stepper machine{Model{}, State<Model>{}};
  for (int n = 0; n < 50; ++n) CHECK(machine.step(Real(1e-3)).status == Status::ok);
  CHECK_WITHIN(is_double ? 1e-12 : 1e-4, 9.5 * std::cos(19 * 0.05),
               double(machine.state.u(Model::angle_of<Model::arm>)));
  if (!is_double) return;
  const double exact = swung(2e-5), coarse = std::fabs(swung(1e-3) - exact), fine = std::fabs(swung(5e-4) - exact);
  moreau::port::print("swung pendulum: error ", coarse, " rad at 1e-3 s, ratio ", coarse / fine);
  CHECK(coarse < 1e-3);
  CHECK(coarse / fine > 3);  // 4 for second order, 2 with the speed of the midpoint
}

// A carriage driven outward on a rotating arm: Coriolis and centrifugal terms of the moving axis.
struct Crane {
  using Real = ::Real;
  enum Names { arm, carriage, bodies };
  Body<Real> body[bodies] = {{Real(5), Real(0.4)}, {Real(2), Real(0.1)}};
  Revolute<Real, ground, arm> pivot;
  Prismatic<Real, arm, carriage> rail;
  Drive<Real, ground, arm> turn{{Real(1.5)}};
  LinearDrive<Real, arm, carriage> trolley{{}, {Real(1), Real(0)}, {}, {Real(0.4)}};
  auto parts() const { return std::tie(pivot, rail, turn, trolley); }
};

void test_a_linear_drive_on_a_rotating_arm(void) {
  using Model = Mechanism<Crane>;
  State<Model> start;
  start.q(Model::slide_of<Model::carriage>) = Real(0.5);
  const Model model;
  CHECK(close_joints(model, start).status == Status::ok);
  CHECK_WITHIN(1e-5, 1.5, double(start.u(Model::angle_of<Model::arm>)));  // a start at the commanded speeds
  CHECK_WITHIN(1e-5, 0.4, double(start.u(Model::slide_of<Model::carriage>)));
  Stepper machine{model, start};
  for (int n = 0; n < 200; ++n) CHECK(machine.step(Real(5e-3)).status == Status::ok);
  const auto there = model.body_state(machine.state, Model::carriage).frame.r;
  const double rounding = is_double ? 1e-13 : 1e-5;  // of 200 steps; the rows of both drives are linear
  CHECK_WITHIN(rounding, 0.5 + 0.4, std::hypot(double(there.x), double(there.y)));
  CHECK_WITHIN(rounding, 1.5, std::atan2(double(there.y), double(there.x)));
}

// A driven ram pushes a block against a spring: both timing modes are bit-identical.
struct Pusher {
  using Real = ::Real;
  enum Names { ram, block, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.1)}, {Real(2), Real(0.1)}};
  Prismatic<Real, ground, ram> guide;
  Prismatic<Real, ground, block> rail;
  LinearDrive<Real, ground, ram, CommandedPosition<Real>> drive;
  PointOnLine<Real, block, ram> face{{}, {Real(-1), Real(0)}, {}, Real(0), {}};
  Spring<Real, ground, block> resistance{{Real(-1), Real(0)}, {}, Real(50), Real(1), Real(10)};
  auto parts() const { return std::tie(guide, rail, drive, face, resistance); }
};

template <class Stepper>
void push(Stepper& machine) {
  using Model = typename Stepper::Model;
  machine.model.drive.law = {Real(0.15), Real(0.5), Real(4)};
  double force = 0;
  for (int n = 0; n < 800; ++n) {
    if (n == 300) machine.model.drive.law.position = Real(0.05);
    const auto before = machine.state;
    CHECK(machine.step(Real(1e-3)).status == Status::ok);
    if (n == 200) force = double(joint_output(machine.model, &Model::drive, before, machine.state).load.force.x);
  }
  CHECK(force > 5);  // N, of spring and damper
  CHECK_WITHIN(1e-5, 0.05, double(machine.state.q(Model::template slide_of<Model::ram>)));
}

void test_both_timings_agree(void) {
  using Model = Mechanism<Pusher>;
  State<Model> start;
  start.q(Model::slide_of<Model::block>) = Real(0.02);
  Stepper<Model> variable{Model{}, start};
  Stepper<Model, Exact, Timing::constant> constant{Model{}, start};
  push(variable);
  push(constant);
  CHECK(variable.state.q == constant.state.q && variable.state.u == constant.state.u);
}

void test_commands_out_of_range_are_rejected(void) {
  const auto rejected = [](auto model) {
    return Stepper<decltype(model)>(model, {}).start_report().status == Status::invalid_argument;
  };
  SpeedDisk speed;
  CHECK(!rejected(speed));
  speed.drive.law.acceleration = Real(0);
  CHECK(rejected(speed));
  PositionDisk position;  // without limits
  CHECK(rejected(position));
  position.drive.law = {Real(1), Real(1), Real(1)};
  CHECK(!rejected(position));
  position.drive.law.acceleration = std::numeric_limits<Real>::infinity();
  CHECK(rejected(position));
  Mechanism<Lift<CommandedSpeed<Real>>> lift;
  CHECK(!rejected(lift));
  lift.drive.axis = {Real(1), Real(1)};
  CHECK(rejected(lift));
}

void test_a_command_that_is_not_finite_changes_nothing(void) {
  auto machine = at_rest<SpeedDisk>();
  machine.model.drive.law.speed = Real(2);
  run_for(machine, 10, Real(1e-3));
  const auto before = machine.state;
  machine.model.drive.law.speed = std::numeric_limits<Real>::quiet_NaN();
  CHECK(machine.step(Real(1e-3)).status == Status::not_finite);
  CHECK(machine.state.q == before.q && machine.state.u == before.u);
  machine.model.drive.law.speed = Real(2);
  run_for(machine, 1, Real(1e-3));
}

// A function of time moves a carriage as well, and constant speed keeps its phase.
void test_functions_of_time(void) {
  using Model = Mechanism<Lift<ConstantSpeed<Real>>>;
  Model model;
  model.drive.law = ConstantSpeed<Real>(Real(0.25), Real(0.1));
  State<Model> start;
  CHECK(close_joints(model, start).status == Status::ok);
  CHECK_WITHIN(1e-6, 0.3 + 0.6 * 0.1, double(model.body_state(start, Model::carriage).frame.r.x));
  Stepper machine{model, start};
  for (int n = 0; n < 1000; ++n) CHECK(machine.step(Real(1e-3)).status == Status::ok);
  CHECK_WITHIN(1e-5, 0.4 + 0.8 * 0.35, double(model.body_state(machine.state, Model::carriage).frame.r.y));
}

// A derived model can command a row by zeta_E.
struct OwnDrive {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 0, bilaterals = 1;
  using Q = Vector<Real, 1>;
  Real speed = Real(3);
  Matrix<Real, 1, 1> mass(const Q&, Real) const { return Matrix<Real, 1, 1>(Real(2)); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0)); }
  Bilateral<Real, 1> bilateral(int, const Q&, Real) const { return {Q(Real(1)), -speed, Real(0)}; }
  Real zeta_E(int, const Q&, const Q& u, Real, Real dt) const { return -(u(0) + dt * (speed - u(0))); }
};

void test_a_derived_model_commands_a_speed(void) {
  Stepper machine{OwnDrive{}, State<OwnDrive>{}};
  for (int n = 0; n < 100; ++n) CHECK(machine.step(Real(0.01)).status == Status::ok);
  CHECK_WITHIN(1e-5, 3 * (1 - std::pow(0.99, 100)), double(machine.state.u(0)));
  CHECK(check_model(OwnDrive{}, OwnDrive::Q(Real(1)), OwnDrive::Q(Real(1)), Real(0)).ok());
}

// Only in double: finite differences of floats are coarse.
void test_commanded_drives_pass_the_model_checker(void) {
  if constexpr (is_double) {
    Mechanism<Crane>::Q q, u;
    for (int d = 0; d < Mechanism<Crane>::dof; ++d) {
      q(d) = Real(0.3) * std::sin(Real(1 + 3 * d));
      u(d) = std::cos(Real(2 + 5 * d));
    }
    CHECK(check_model(Mechanism<Crane>{}, q, u, Real(0)).ok());
  }
}

}  // namespace

TEST_MAIN({
  TEST(test_a_new_speed_does_not_move_the_body);
  TEST(test_a_ramp_has_its_acceleration);
  TEST(test_a_jump_of_the_speed_is_an_impact);
  TEST(test_a_position_is_reached_without_overshoot);
  TEST(test_limits_hold_for_changing_positions);
  TEST(test_the_motion_is_a_function_of_the_state);
  TEST(test_adaptive_steps_follow_a_ramp);
  TEST(test_a_drive_turns_for_hours);
  TEST(test_a_linear_drive_carries_its_load);
  TEST(test_an_uneven_drive_has_its_speed_at_the_end_of_the_step);
  TEST(test_a_linear_drive_on_a_rotating_arm);
  TEST(test_both_timings_agree);
  TEST(test_commands_out_of_range_are_rejected);
  TEST(test_a_command_that_is_not_finite_changes_nothing);
  TEST(test_functions_of_time);
  TEST(test_a_derived_model_commands_a_speed);
  TEST(test_commanded_drives_pass_the_model_checker);
})
