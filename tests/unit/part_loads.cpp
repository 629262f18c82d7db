// Parts of a mechanism against closed forms: action and reaction, power of a damper, offset of a backlash, friction on
// free bodies, work of a drive, angles of all bodies.
#include <moreau/mechanism.hpp>

#include <cmath>

#include "support/test.hpp"

namespace {

using namespace moreau;
using moreau::detail::cross;
constexpr Real eps = std::numeric_limits<Real>::epsilon();

BodyState<Real> body_at(Point<Real> r, Real phi, Point<Real> v, Real omega) {
  BodyState<Real> body;
  body.frame = Frame<Real>::at(r, phi);
  body.v = v;
  body.omega = omega;
  return body;
}

// Two bodies in motion. No coordinate or velocity is zero.
const BodyState<Real> moving_A = body_at({Real(0.5), Real(-0.25)}, Real(0.7), {Real(-1.5), Real(0.75)}, Real(3));
const BodyState<Real> moving_B = body_at({Real(2), Real(1.5)}, Real(-0.4), {Real(0.5), Real(-2)}, Real(-1.25));

// Moment of a wrench about the origin.
Real about_origin(const BodyState<Real>& body, const Wrench<Real>& w) {
  return w.moment + cross(body.frame.r, w.force);
}
Real power(const BodyState<Real>& body, const Wrench<Real>& w) { return dot(w.force, body.v) + w.moment * body.omega; }

void check_reaction(const Wrench<Real>& on_A, const Wrench<Real>& on_B) {
  const Point<Real> sum = on_A.force + on_B.force;
  CHECK_WITHIN(16 * eps, 0, sum.x);
  CHECK_WITHIN(16 * eps, 0, sum.y);
  CHECK_WITHIN(64 * eps, 0, about_origin(moving_A, on_A) + about_origin(moving_B, on_B));
}

}  // namespace

void test_forces_on_two_free_bodies_balance(void) {
  const Point<Real> on_A{Real(0.25), Real(0.5)}, on_B{Real(-0.75), Real(0.125)};
  const auto check = [](const Action<Real>& action) { check_reaction(action.A, action.B); };
  check(Spring<Real, 0, 1>{on_A, on_B, Real(5), Real(0.5), Real(2)}.action(moving_A, moving_B, Real(0)));
  check(Pull<Real, 0, 1>{on_A, on_B}.action(moving_A, moving_B, Real(0)));
  check(Motor<Real, 0, 1>{Real(2), Real(0.5)}.action(moving_A, moving_B, Real(0)));
  check(TorsionSpring<Real, 0, 1>{Real(2), Real(0.5), Real(0.25)}.action(moving_A, moving_B, Real(0)));
  check(OneSidedSpring<Real, 0, 1>{on_A, on_B, Real(3), Real(0.5), Real(5), Real(0.25)}.action(moving_A, moving_B,
                                                                                               Real(0)));
  check(BumpStop<Real, 0, 1>{on_A, {Real(0.6), Real(0.8)}, on_B, Real(3), Real(5), Real(0.25)}.action(
      moving_A, moving_B, Real(0)));
  check(OneSidedTorsionSpring<Real, 0, 1>{Real(-0.5), Real(0.5), Real(2), Real(0.25)}.action(moving_A, moving_B,
                                                                                             Real(0)));
  const auto turning = TurningFriction<Real, 0, 1>{}.friction(0, moving_A.frame, moving_B.frame);
  check_reaction(turning.A, turning.B);
  const auto sliding =
      SlidingFriction<Real, 0, 1>{{Real(0.6), Real(0.8)}, on_B}.friction(0, moving_A.frame, moving_B.frame);
  check_reaction(sliding.A, sliding.B);
}

// By default, one-sided forces have no limit within reach, and a drive rests at 0.
void test_default_limits(void) {
  OneSidedSpring<Real, 0, 1> spring;
  OneSidedTorsionSpring<Real, 0, 1> torsion;
  spring.stiffness = torsion.stiffness = Real(5);
  const Wrench<Real> force = spring.action(moving_A, moving_B, Real(0)).B;
  CHECK(force.force.x == 0 && force.force.y == 0 && force.moment == 0);
  CHECK_EQUAL(0, torsion.action(moving_A, moving_B, Real(0)).B.moment);
  BodyState<Real> near = moving_A;  // 0.125 m beside A
  near.frame.r.x += Real(0.125);
  CHECK_EQUAL(0, spring.action(moving_A, near, Real(0)).B.force.x);
  const OneSidedTorsionSpring<Real, 0, 1> none;
  CHECK(spring.damping == 0 && none.stiffness == 0 && none.damping == 0);
  TorsionSpring<Real, 0, 1> twist;  // unstressed at equal angles
  twist.stiffness = Real(5);
  CHECK_EQUAL(0, twist.action(near, near, Real(0)).B.moment);
  const DriveAngle<Real> rest = ConstantSpeed<Real>{}(Real(3));
  CHECK(rest.angle == 0 && rest.speed == 0);
}

// A damper between any two points, including the centres: force = damping times the rate of the distance. Its power is
// that of the damping alone, so the rotation of neither body does further work.
void test_force_of_a_damper_is_the_rate_of_its_length(void) {
  const Real damping = Real(2);
  for (const Point<Real> on_A : {Point<Real>{}, Point<Real>{Real(0.25), Real(0.5)}})
    for (const Point<Real> on_B : {Point<Real>{}, Point<Real>{Real(-0.75), Real(0.125)}}) {
      const Spring<Real, 0, 1> damper{on_A, on_B, Real(0), Real(0), damping};
      const Action<Real> action = damper.action(moving_A, moving_B, Real(0));
      const auto length_after = [&](double t) {
        const auto end = [t](const BodyState<Real>& body, Point<Real> on, double& x, double& y) {
          const double phi = double(body.frame.phi) + t * double(body.omega), c = std::cos(phi), s = std::sin(phi);
          x = double(body.frame.r.x) + t * double(body.v.x) + c * double(on.x) - s * double(on.y);
          y = double(body.frame.r.y) + t * double(body.v.y) + s * double(on.x) + c * double(on.y);
        };
        double x_A, y_A, x_B, y_B;
        end(moving_A, on_A, x_A, y_A);
        end(moving_B, on_B, x_B, y_B);
        return std::hypot(x_B - x_A, y_B - y_A);
      };
      const double h = 1e-4, rate = (length_after(h) - length_after(-h)) / (2 * h);  // error of h^2
      constexpr double tolerance = sizeof(Real) == 8 ? 1e-6 : 1e-5;
      CHECK_WITHIN(tolerance, double(damping) * std::fabs(rate), std::sqrt(dot(action.B.force, action.B.force)));
      CHECK_WITHIN(10 * tolerance, -double(damping) * rate * rate,
                   power(moving_A, action.A) + power(moving_B, action.B));
    }
}

// Beyond a limit, a one-sided spring equals a spring with that length, also between two moving bodies.
void test_one_sided_spring_of_two_moving_bodies(void) {
  const Point<Real> on_A{Real(0.25), Real(0.5)}, on_B{Real(-0.75), Real(0.125)};
  const Real stiffness = Real(50), damping = Real(0.5);
  const auto check = [](const Action<Real>& expected, const Action<Real>& action) {
    const Real tolerance = 256 * eps;  // of forces up to 100 N
    CHECK(std::fabs(expected.B.moment) > Real(1));
    CHECK_WITHIN(tolerance, expected.B.force.x, action.B.force.x);
    CHECK_WITHIN(tolerance, expected.B.force.y, action.B.force.y);
    CHECK_WITHIN(tolerance, expected.A.moment, action.A.moment);
  };
  for (const Real limit : {Real(0.25), Real(4)}) {  // the distance is 2.1 m: it pulls, it pushes
    OneSidedSpring<Real, 0, 1> one{on_A, on_B};
    (limit < Real(1) ? one.longest : one.shortest) = limit;
    one.stiffness = stiffness, one.damping = damping;
    check(Spring<Real, 0, 1>{on_A, on_B, stiffness, limit, damping}.action(moving_A, moving_B, Real(0)),
          one.action(moving_A, moving_B, Real(0)));
  }
  for (const Real limit : {Real(-3), Real(2)}) {  // the angle is -1.1 rad: above the upper and below the lower limit
    OneSidedTorsionSpring<Real, 0, 1> one;
    (limit < Real(0) ? one.upper : one.lower) = limit;
    one.stiffness = stiffness, one.damping = damping;
    check(TorsionSpring<Real, 0, 1>{stiffness, limit, damping}.action(moving_A, moving_B, Real(0)),
          one.action(moving_A, moving_B, Real(0)));
  }
}

// Both gaps equal the play at the offset, and one of them is 0 a play away from it.
void test_offset_of_a_backlash(void) {
  Backlash<Real, 0, 1> gear;
  gear.r_A = Real(0.5), gear.r_B = Real(0.25);
  gear.play = Real(0.125), gear.offset = Real(2);
  const auto gap = [&gear](int k, Real phi_A, Real phi_B) {
    return gear.contact(k, Frame<Real>::at({}, phi_A), Frame<Real>::at({}, phi_B)).g_N;
  };
  for (int k = 0; k < 2; ++k) CHECK_EQUAL(gear.play, gap(k, Real(3), Real(2)));
  CHECK_EQUAL(Real(0), gap(0, Real(3), Real(2.5)));
  CHECK_EQUAL(Real(0.25), gap(1, Real(3), Real(2.5)));
  CHECK_EQUAL(Real(0), gap(1, Real(2.75), Real(2)));
}

namespace {

// A free guide and a free slider with dry friction between them, without other forces.
struct FreeGuide {
  using Real = ::Real;
  enum Names { guide, slider, bodies };
  Body<Real> body[bodies] = {{Real(2), Real(0.5)}, {Real(1), Real(0.25)}};
  SlidingFriction<Real, guide, slider> seal{{Real(0.6), Real(0.8)}, {Real(0.25), Real(-0.5)}, Real(3)};
  auto parts() const { return std::tie(seal); }
};

// Three wheels, each with its own brake.
struct Wheels {
  using Real = ::Real;
  enum Names { first, second, third, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.5)}, {Real(1), Real(0.5)}, {Real(1), Real(0.5)}};
  TurningFriction<Real, ground, first> brake_1{Real(1)};
  TurningFriction<Real, ground, second> brake_2{Real(2)};
  TurningFriction<Real, ground, third> brake_3{Real(4)};
  static constexpr bool endless = true;
  auto parts() const { return std::tie(brake_1, brake_2, brake_3); }
};

struct Turntable {
  using Real = ::Real;
  enum Names { table, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.5)}};
  Revolute<Real, ground, table> pivot;
  Drive<Real, ground, table, ConstantSpeed<Real>> drive;
  auto parts() const { return std::tie(pivot, drive); }
};

template <class Solver>
void check_bounds(const Solver& solver) {
  State<Mechanism<Wheels>> start;
  start.u << 0, 0, 5, 0, 0, 5, 0, 0, -5;
  Stepper<Mechanism<Wheels>, Solver> machine{Mechanism<Wheels>{}, start, solver};
  const Real dt = Real(0.0625), J = Real(0.5);
  CHECK_EQUAL(Status::ok, machine.step(dt).status);
  for (int j = 0; j < 3; ++j) {
    const Real change = (j == 2 ? Real(1) : Real(-1)) * Real(1 << j) * dt / J;
    CHECK_WITHIN(32 * eps, start.u(3 * j + 2) + change, machine.state.u(3 * j + 2));
    CHECK_WITHIN(8 * eps, change * J, machine.state.P_F(0, j));
  }
}

}  // namespace

// The friction force acts at the point of the slider: on the guide, it has a lever arm.
void test_sliding_friction_on_a_moving_guide(void) {
  using Model = Mechanism<FreeGuide>;
  State<Model> start;
  start.q << moving_A.frame.r.x, moving_A.frame.r.y, moving_A.frame.phi, moving_B.frame.r.x, moving_B.frame.r.y,
      moving_B.frame.phi;
  start.u(3) = Real(5);
  Stepper machine{Model{}, start};
  const Real dt = Real(1) / Real(1024);
  CHECK_EQUAL(Status::ok, machine.step(dt).status);
  const Model& model = machine.model;
  const auto bodies = model.body_states(start.q + dt / 2 * start.u, start.u, dt / 2);
  const Frame<Real>&guide = bodies[0].frame, &slider = bodies[1].frame;
  const Point<Real> along = guide.turn(model.seal.axis), p = slider.world(model.seal.on_B);
  const Real force = dot(along, Point<Real>{Real(5), Real(0)}) > Real(0) ? Real(-3) : Real(3);  // on the slider
  const Real moment = cross(p - guide.r, -force * along);                                       // on the guide
  CHECK(std::fabs(moment) > Real(1));
  const Real tolerance = 64 * eps;
  CHECK_WITHIN(tolerance, moment * dt / model.body[0].J, machine.state.u(2));
  CHECK_WITHIN(tolerance, -force * along.x * dt / model.body[0].m, machine.state.u(0));
  CHECK_WITHIN(tolerance, cross(p - slider.r, force * along) * dt / model.body[1].J, machine.state.u(5));
}

void test_every_friction_element_has_its_own_bound(void) {
  check_bounds(default_solver<Mechanism<Wheels>>{});
  check_bounds(Psor{});
  check_bounds(Newton{});
  check_bounds(Lemke{});
}

void test_angles_of_all_bodies_are_wrapped(void) {
  const Mechanism<Wheels> model;
  State<Mechanism<Wheels>> start;
  for (int d = 0; d < 9; ++d) start.q(d) = Real(4 + d);
  const auto wrapped = model.wrap(start.q);
  for (int b = 0; b < 3; ++b) {
    CHECK_EQUAL(start.q(3 * b), wrapped(3 * b));
    CHECK_EQUAL(start.q(3 * b + 1), wrapped(3 * b + 1));
    CHECK_EQUAL(wrap_angle(start.q(3 * b + 2)), wrapped(3 * b + 2));
    CHECK(wrapped(3 * b + 2) <= pi<Real> && wrapped(3 * b + 2) >= -pi<Real>);
  }
  Stepper machine{model, start};
  CHECK_EQUAL(Status::ok, machine.step(Real(1e-3)).status);
  for (int b = 0; b < 3; ++b) CHECK_EQUAL(wrap_angle(start.q(3 * b + 2)), machine.state.q(3 * b + 2));
}

// A drive jerks a table from rest to omega. It does the work P omega = J omega^2; half of it becomes kinetic energy, the
// other half is dissipated in the jerk. At constant speed nothing is dissipated.
void test_drive_dissipates_half_of_the_work_of_a_jerk(void) {
  using Model = Mechanism<Turntable>;
  Model model;
  const Real omega = Real(4), J = Real(0.5), dt = Real(1e-3);
  model.drive.law = ConstantSpeed<Real>{omega};
  Stepper machine{model, State<Model>{}};
  const auto before = machine.state;
  CHECK_EQUAL(Status::ok, machine.step(dt).status);
  const auto jerk = joint_output(machine.model, &Turntable::drive, before, machine.state);
  CHECK_WITHIN(16 * eps, J * omega * omega / 2, jerk.dissipated);
  CHECK_WITHIN(16 * eps / dt, J * omega / dt, jerk.load.moment);
  const auto steady = machine.state;
  CHECK_EQUAL(Status::ok, machine.step(dt).status);
  const auto calm = joint_output(machine.model, &Turntable::drive, steady, machine.state);
  CHECK_WITHIN(16 * eps, 0, calm.dissipated);
}

TEST_MAIN({
  TEST(test_forces_on_two_free_bodies_balance);
  TEST(test_default_limits);
  TEST(test_force_of_a_damper_is_the_rate_of_its_length);
  TEST(test_one_sided_spring_of_two_moving_bodies);
  TEST(test_offset_of_a_backlash);
  TEST(test_sliding_friction_on_a_moving_guide);
  TEST(test_every_friction_element_has_its_own_bound);
  TEST(test_angles_of_all_bodies_are_wrapped);
  TEST(test_drive_dissipates_half_of_the_work_of_a_jerk);
})
