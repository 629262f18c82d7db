// Mechanisms from parts: an ideal one against an independent solution, redundant joints, closing of loops, springs,
// drives, dry friction, and the energy balance of a joint.
#include <algorithm>
#include <cmath>
#include <moreau/check/energy_audit.hpp>
#include <moreau/mechanism.hpp>

#include "models/four_bar.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau;
constexpr bool is_double = sizeof(Real) == 8;

// The slider-crank with an ideal guide instead of clearance.
struct IdealParts : models::SliderCrankParts<Real> {
  Prismatic<Real, ground, slider> rail;
  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, rail, gravity); }
};
using IdealCrank = Mechanism<IdealParts>;

// The same with one coordinate: E = I(theta) theta'^2 / 2 + V(theta) gives theta', integrated with Runge-Kutta.
double crank_angle_after(double time) {
  const models::SliderCrank<double> d;
  const auto at = [&d](double theta, double& inertia, double& potential) {
    const double s = std::sin(theta), c = std::cos(theta), sin_2 = -d.l_1 / d.l_2 * s,
                 cos_2 = std::sqrt(1 - sin_2 * sin_2);
    const double turn_2 = -d.l_1 * c / (d.l_2 * cos_2);  // d phi_2 / d theta
    const double x_2 = -d.l_1 * s - d.l_2 / 2 * sin_2 * turn_2, y_2 = d.l_1 * c + d.l_2 / 2 * cos_2 * turn_2;
    const double x_3 = -d.l_1 * s - d.l_2 * sin_2 * turn_2;
    inertia = d.J_1 + d.m_1 * d.l_1 * d.l_1 / 4 + d.J_2 * turn_2 * turn_2 + d.m_2 * (x_2 * x_2 + y_2 * y_2) +
              d.m_3 * x_3 * x_3;
    potential = d.gravity * (d.m_1 * d.l_1 / 2 * s + d.m_2 * (d.l_1 * s + d.l_2 / 2 * sin_2));
  };
  double inertia, potential;
  at(0, inertia, potential);
  const double energy = inertia * 150 * 150 / 2 + potential;
  const auto speed = [&](double theta) {
    double I, V;
    at(theta, I, V);
    return std::sqrt(2 * (energy - V) / I);
  };
  const int steps = 4000;
  const double h = time / steps;
  double theta = 0;
  for (int n = 0; n < steps; ++n) {
    const double a = speed(theta), b = speed(theta + h / 2 * a), c = speed(theta + h / 2 * b), e = speed(theta + h * c);
    theta += h / 6 * (a + 2 * b + 2 * c + e);
  }
  return theta;
}

void test_ideal_slider_crank(void) {
  const models::SliderCrank<Real> hand;
  const auto start = models::centred_at_angles(IdealCrank{}, hand, hand.start().q, hand.start().u);
  const double expected = crank_angle_after(0.1);
  double error[2];
  for (int i = 0; i < 2; ++i) {
    const int steps = i == 0 ? 1000 : 4000;
    Stepper machine{IdealCrank{}, start};
    for (int n = 0; n < steps; ++n) CHECK(machine.step(Real(0.1) / Real(steps)).status == Status::ok);
    error[i] = std::abs(double(machine.state.q(IdealCrank::angle_of<IdealCrank::crank>)) - expected);
  }
  moreau::port::print("ideal slider-crank: angle ", expected, " rad, errors ", error[0], " ", error[1]);
  CHECK(error[0] < 2e-3);                                           // rad, at 0.1 ms
  CHECK(is_double ? error[1] < 0.08 * error[0] : error[1] < 2e-3);  // second order: a sixteenth
}

// Coupler on three equal, parallel cranks: movable, and one crank is redundant.
struct Parallelogram {
  using Real = ::Real;
  enum Names { left, middle, right, coupler, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.1)}, {Real(1), Real(0.1)}, {Real(1), Real(0.1)}, {Real(1), Real(0.1)}};
  Revolute<Real, ground, left> g1{{Real(-1), Real(0)}, {}};
  Revolute<Real, ground, middle> g2{{Real(0), Real(0)}, {}};
  Revolute<Real, ground, right> g3{{Real(1), Real(0)}, {}};
  Revolute<Real, left, coupler> c1{{Real(1), Real(0)}, {Real(-1), Real(0)}};
  Revolute<Real, middle, coupler> c2{{Real(1), Real(0)}, {Real(0), Real(0)}};
  Revolute<Real, right, coupler> c3{{Real(1), Real(0)}, {Real(1), Real(0)}};
  auto parts() const { return std::tie(g1, g2, g3, c1, c2, c3); }
};

void test_redundant_joints_have_a_status(void) {
  using Model = Mechanism<Parallelogram>;
  State<Model> start;
  start.q(Model::angle_of<Model::left>) = start.q(Model::angle_of<Model::middle>) = Real(1);
  start.q(Model::angle_of<Model::right>) = Real(1);
  Stepper machine{Model{}, start};
  CHECK(machine.step(Real(1e-3)).status == Status::constraints_dependent);
  CHECK(machine.state.q == start.q && machine.state.time() == Real(0));
  CHECK(close_joints(Model{}, start).status == Status::constraints_dependent);
}

void test_close_joints_closes_the_loop_or_reports_the_cause(void) {
  using Model = models::IdealFourBar<Real>;
  const auto start = models::four_bar_start<Model>(Real(30));
  const Model model;
  const auto at = model.at(start.q, Real(0));
  for (int j = 0; j < Model::bilaterals; ++j) {
    CHECK_WITHIN(is_double ? 1e-14 : 1e-6, Real(0), model.bilateral(j, at).g);
    CHECK_WITHIN(is_double ? 1e-12 : 1e-4, Real(0), model.bilateral(j, at).w.dot(start.u));  // at 30 rad/s
  }
  CHECK_EQUAL(Real(30), start.u(Model::angle_of<Model::crank>));
  Model open_loop;
  open_loop.pivot.on_A.x = Real(2);  // the links together are 0.65 m long
  auto state = start;
  CHECK(!(close_joints(open_loop, state).status == Status::ok));
  CHECK(state.q == start.q);
}

struct Swing {
  using Real = ::Real;
  enum Names { bob, bodies };
  Body<Real> body[bodies] = {{Real(0.5), Real(0.01)}};
  Spring<Real, ground, bob> spring{{Real(0), Real(1)}, {}, Real(50), Real(0.4), Real(0)};
  Gravity<Real> gravity;
  TurningFriction<Real, ground, bob> brake{Real(0.02)};
  auto parts() const { return std::tie(spring, gravity, brake); }
};

// Mass on a spring: m g = k (length - length_0), oscillation with sqrt(k / m). The brake stops a rotation after exactly
// omega J / bound.
void test_springs_gravity_and_brakes(void) {
  using Model = Mechanism<Swing>;
  State<Model> start;
  const double sag = 0.5 * 9.81 / 50, omega = std::sqrt(50 / 0.5), amplitude = 0.01;
  start.q(Model::y_of<Model::bob>) = Real(1 - 0.4 - sag - amplitude);
  start.u(Model::angle_of<Model::bob>) = Real(0.5);
  Stepper machine{Model{}, start};
  const Real dt{1e-4};
  double stopped = 0;
  for (int n = 0; n < 10000; ++n) {
    const auto before = machine.state;
    CHECK(machine.step(dt).advanced());
    if (n == 0) {  // 0.02 N m against 0.5 rad/s
      const auto brake = joint_output(machine.model, &Swing::brake, before, machine.state);
      CHECK_WITHIN(Real(1e-3) * dt, Real(0.01) * dt, brake.dissipated);
    }
    if (stopped == 0 && std::fabs(machine.state.u(Model::angle_of<Model::bob>)) < Real(1e-6))
      stopped = double(machine.state.time());
  }
  CHECK_WITHIN(is_double ? 1e-6 : 2e-5, 1 - 0.4 - sag - amplitude * std::cos(omega),
               double(machine.state.q(Model::y_of<Model::bob>)));
  CHECK_WITHIN(2e-4, 0.5 * 0.01 / 0.02, stopped);
  CHECK_WITHIN(1e-6, Real(0), machine.state.u(Model::angle_of<Model::bob>));
}

// Force and moment of each element on its two bodies; all default parameters are zero.
void test_forces_between_two_bodies(void) {
  BodyState<Real> A, B;
  A.omega = Real(1);
  B.omega = Real(3);
  B.frame.phi = Real(0.5);
  B.frame.r = {Real(2), Real(1)};
  const Action<Real> motor = Motor<Real, 0, 1>{Real(3), Real(0.5)}.action(A, B, Real(0));
  CHECK(motor.B.moment == Real(2) && motor.A.moment == Real(-2) && motor.B.force.x == Real(0));
  const Action<Real> twist = TorsionSpring<Real, 0, 1>{Real(8), Real(0.25), Real(0.5)}.action(A, B, Real(0));
  CHECK(twist.B.moment == Real(-3) && twist.A.moment == Real(3));
  Pull<Real, 0, 1> pull;
  pull.force = {Real(0), Real(4)};
  const Action<Real> pulled = pull.action(A, B, Real(0));
  CHECK(pulled.B.force.y == Real(4) && pulled.B.moment == Real(0));
  CHECK(pulled.A.force.y == Real(-4) && pulled.A.moment == Real(-8));  // at a lever arm of 2 m
  Spring<Real, 0, 1> spring;
  CHECK(spring.action(A, B, Real(0)).B.force.x == Real(0));
  spring.stiffness = spring.length = Real(1);
  spring.on_A = B.frame.r;  // zero length: no direction
  CHECK(spring.action(A, B, Real(0)).B.force.x == Real(0) && spring.action(A, B, Real(0)).A.moment == Real(0));

  const Spring<Real, 0, 1> no_spring;
  const Motor<Real, 0, 1> no_motor;
  const TorsionSpring<Real, 0, 1> no_twist;
  CHECK(no_spring.length == 0 && no_spring.stiffness == 0 && no_spring.damping == 0);
  CHECK(no_motor.torque == 0 && no_motor.damping == 0 && no_twist.stiffness == 0 && no_twist.damping == 0);
  CHECK(Body<Real>{}.m == 0 && Body<Real>{}.J == 0);
  CHECK((Bilateral<Real, 1>{}.g == 0 && Bilateral<Real, 1>{}.zeta == 0));
  CHECK((TurningFriction<Real, 0, 1>{}.bound == 0 && SlidingFriction<Real, 0, 1>{}.bound == 0));
}

struct Sine {
  DriveAngle<Real> operator()(Real t) const {
    const auto s = sincos(Real(8) * t);
    return {Real(0.5) * s.sin, Real(4) * s.cos};
  }
};
struct Driven {
  using Real = ::Real;
  enum Names { arm, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.1)}};
  Revolute<Real, ground, arm> pivot{{}, {Real(-0.3), Real(0)}};
  Drive<Real, ground, arm, Sine> drive;
  auto parts() const { return std::tie(pivot, drive); }
};

void test_drive_prescribes_the_motion(void) {
  using Model = Mechanism<Driven>;
  constexpr auto angle = Model::angle_of<Model::arm>;
  State<Model> start;
  start.u(angle) = Real(4);
  Stepper machine{Model{}, start};
  auto before = machine.state;
  for (int n = 0; n < 2000; ++n) {
    before = machine.state;
    CHECK(machine.step(Real(5e-4)).status == Status::ok);
  }
  // The loads of pivot and drive on the arm equal 0.1 kg m^2 times its angular acceleration of 30 rad/s^2.
  const Real inertia_torque = Real(0.1) * (machine.state.u(angle) - before.u(angle)) / Real(5e-4);
  CHECK(std::fabs(inertia_torque) > Real(1));
  CHECK_WITHIN(is_double ? 1e-9 : 1e-2, inertia_torque,
               joint_output(machine.model, &Driven::pivot, before, machine.state).load.moment +
                   joint_output(machine.model, &Driven::drive, before, machine.state).load.moment);
  CHECK_WITHIN(1e-6, 0.5 * std::sin(8.0), double(machine.state.q(angle)));
  CHECK_WITHIN(is_double ? 1e-15 : 1e-6, 0.3 * std::cos(double(machine.state.q(angle))),
               double(machine.model.body_state(machine.state, Model::arm).frame.r.x));
}

// The work of the joints' percussions and of the forces in a step equals the change of the kinetic energy.
void test_energy_balance_of_a_step(void) {
  using Model = models::SliderCrankFromParts<Real>;
  models::SliderCrank<Real> hand;
  hand.J_3 = Real(7.9167e-5);  // inertia of the slab
  const auto start = models::from_angles(hand, Vector<Real, 3>(Real(0), Real(0), Real(0.01)), hand.start().u);
  Stepper machine{Model{models::SliderCrankParts<Real>{hand}}, start};
  const Real dt{1e-5};
  Real worst{0}, dissipated{0};
  const auto& m = machine.model;
  for (int n = 0; n < 2000; ++n) {
    const auto before = machine.state;
    CHECK(machine.step(dt).advanced());
    const auto& after = machine.state;
    const detail::StepPoints<Model> at(m, before, after);
    const Model::Q mean = Real(0.5) * (before.u + after.u), change = after.u - before.u;
    Real balance = mean.dot(m.mass(m.at(before.q + dt / 2 * before.u, Real(0))) * change) - mean.dot(at.h_dt);
    const auto guide = joint_output(m, &Model::guide, before, after);
    balance += guide.dissipated;
    for (const Real ideal : {joint_output(m, &Model::bearing, before, after).dissipated,
                             joint_output(m, &Model::crank_pin, before, after).dissipated,
                             joint_output(m, &Model::wrist_pin, before, after).dissipated})
      balance += ideal;
    worst = std::max(worst, std::fabs(balance));
    dissipated += guide.dissipated;
    CHECK(guide.dissipated >= (is_double ? Real(-1e-12) : Real(-1e-5)));
    if (guide.g_N <= Real(0)) CHECK(guide.play_used >= Real(1) && guide.closed != 0);
    if (guide.closed == 0) CHECK(guide.load.force.y == Real(0) && guide.g_N > Real(0));
  }
  CHECK_WITHIN(is_double ? 1e-12 : 1e-3, Real(0), worst);  // J, of 7.5
  CHECK(dissipated > Real(0.01));                          // J: impacts occurred
  const auto rest = joint_output(m, &Model::bearing, start, start);
  CHECK(rest.closed == 0 && rest.play_used == Real(0) && rest.g_N == Real(0));
}

// Pin at rest in its bearing at 30 degrees from the lowest point: the output contains contact direction and point.
struct PinOnASlope {
  using Real = ::Real;
  enum Names { pin, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1e-3)}};
  RevoluteClearance<Real, ground, pin> bearing;
  Gravity<Real> gravity{{Real(5), Real(-8.6602540378)}};  // m/s^2
  auto parts() const { return std::tie(bearing, gravity); }
};

// Both faces of a guide are equally near: the output reports the first.
struct Centred {
  using Real = ::Real;
  enum Names { slider, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1e-3)}};
  PrismaticClearance<Real, ground, slider> guide;
  auto parts() const { return std::tie(guide); }
  Centred() {
    guide.a = Real(0.2);
    guide.b = guide.half_length = Real(0.1);
    guide.play = Real(1e-3);
  }
};

void test_centred_joint_reports_its_first_contact(void) {
  const Mechanism<Centred> model;
  const State<Mechanism<Centred>> start;
  const auto out = joint_output(model, &Centred::guide, start, start);
  CHECK(out.closed == 0);
  CHECK_EQUAL(-model.guide.contact(0, Frame<Real>{}, Frame<Real>{}).n.y, out.leans.y);
}

void test_contact_direction_of_a_joint_at_rest(void) {
  Mechanism<PinOnASlope> model;
  model.bearing.play = Real(1e-3);
  State<Mechanism<PinOnASlope>> start;
  Stepper machine{model, start};
  const auto lean = [&](int steps) {
    auto before = machine.state;
    for (int n = 0; n < steps; ++n) {
      before = machine.state;
      CHECK(machine.step(Real(1e-4)).advanced());
    }
    return joint_output(machine.model, &PinOnASlope::bearing, before, machine.state);
  };
  CHECK(configuration(model.bearing, lean(1)) == RevoluteClearance<Real>::Configuration::centred);
  CHECK(configuration(model.bearing, lean(50)) == RevoluteClearance<Real>::Configuration::free);
  const auto rest = lean(20000);
  CHECK(configuration(model.bearing, rest) == RevoluteClearance<Real>::Configuration::touching);
  CHECK_WITHIN(Real(0.01), Real(0.5), rest.leans.x);  // frictionless pin, at rest to 1 % of a radian
  CHECK_WITHIN(Real(0.01), Real(-0.866), rest.leans.y);
  CHECK_WITHIN(Real(0.1), Real(-5), rest.load.force.x);  // N, of 10
  CHECK_WITHIN(Real(0.1), Real(8.66), rest.load.force.y);
}

// A persistent contact with a small separation is in contact; a centred pin uses no play. The joint output is empty for
// two states that are not consecutive, and for a joint with a play of 0, which is out of range.
void test_joint_output_without_a_step(void) {
  Mechanism<PinOnASlope> model;
  JointOutput<Real> out;
  out.g_N = Real(1e-9);
  model.bearing.play = Real(1e-3);
  using Lean = RevoluteClearance<Real>::Configuration;
  CHECK(configuration(model.bearing, out) == Lean::free);
  out.closed = 1;
  CHECK(configuration(model.bearing, out) == Lean::touching);
  out.g_N = Real(-1e-9);
  CHECK(configuration(model.bearing, out) == Lean::touching);

  State<Mechanism<PinOnASlope>> one, other;
  const auto now = joint_output(model, &PinOnASlope::bearing, one, other);
  CHECK(now.g_N == Real(1e-3) && now.play_used == Real(0));
  model.bearing.play = Real(0);
  const auto tight = joint_output(model, &PinOnASlope::bearing, one, other);
  CHECK(tight.g_N != tight.g_N);
  model.bearing.play = Real(1e-3);
  other.set_time(Real(1));
  const auto apart = joint_output(model, &PinOnASlope::bearing, one, other);
  CHECK(apart.g_N != apart.g_N);
}

}  // namespace

TEST_MAIN({
  TEST(test_ideal_slider_crank);
  TEST(test_redundant_joints_have_a_status);
  TEST(test_close_joints_closes_the_loop_or_reports_the_cause);
  TEST(test_springs_gravity_and_brakes);
  TEST(test_forces_between_two_bodies);
  TEST(test_drive_prescribes_the_motion);
  TEST(test_energy_balance_of_a_step);
  TEST(test_centred_joint_reports_its_first_contact);
  TEST(test_contact_direction_of_a_joint_at_rest);
  TEST(test_joint_output_without_a_step);
})
