// Mechanisms in space from parts: derivatives of every ideal joint and drive, the heavy top against its equations in
// Euler angles, the planar slider-crank with play against the planar library, and poses by name.
#include <algorithm>
#include <cmath>
#include <moreau/check/model_checker.hpp>
#include <moreau/check/start_checker.hpp>
#include <moreau/spatial.hpp>

#include "support/joint_coordinates.hpp"
#include "support/spatial_machines.hpp"
#include "support/test.hpp"

namespace {

namespace sp = moreau::spatial;
using moreau::ground, moreau::Status;
using Point = sp::Point<Real>;
template <class Part>
using Pair = spatial_machines::Pair<Real, Part>;
constexpr bool is_double = sizeof(Real) == 8;

Real length(Point a) { return moreau::sqrt(dot(a, a)); }

const Point turned_about{Real(0.48), Real(0.6), Real(0.64)};

// Rows, bias accelerations and sparsity of a joint in a closed configuration of two moving bodies.
template <class Part>
void check_joint(const Part& part) {
  using Model = test::BodiesOf<Pair<Part>>;
  Model model;
  model.part = part;
  moreau::State<Model> s;
  model.place(s, Model::a, {Real(0.1), Real(-0.2), Real(0.3)}, sp::rotation(turned_about, Real(1.1)));
  model.place(s, Model::b, {Real(0.2), Real(0.1), Real(0.2)}, sp::rotation(turned_about, Real(1.4)));
  CHECK(moreau::close_joints(model, s).status == Status::ok);
  model.move(s, Model::a, {Real(0.3), Real(0.2), Real(-0.4)}, {Real(1), Real(-2), Real(1.5)});
  model.move(s, Model::b, {Real(-0.1), Real(0.5), Real(0.2)}, {Real(-1), Real(0.5), Real(2)});
  CHECK(moreau::close_joints(model, s).status == Status::ok);
  moreau::CheckOptions<Real> options;
  options.step_q = Real(is_double ? 1e-3 : 2e-2);
  options.step_t = Real(is_double ? 1e-4 : 4e-3);
  options.tolerance = Real(is_double ? 1e-6 : 2e-2);
  const auto found = moreau::check_model(model, s.q, s.u, Real(0), options);
  if (!found.ok())
    moreau::port::print(moreau::detail::name(found.worst().member), " ", found.worst().index, " ",
                        found.worst().coordinate, " ", found.worst().deviation, " ", found.worst().allowed, "\n");
  CHECK(found.ok());
  CHECK(found.looked_at(moreau::detail::Member::bias_acceleration));
}
// The same for a body on the ground, as body A or B.
template <class Part>
struct Single {
  using Real = ::Real;
  enum Names { b, bodies };
  sp::Body<Real> body[bodies] = {{Real(0.3), {Real(0.02), Real(0.008), Real(0.015)}}};
  Part part;
  auto parts() const { return std::tie(part); }
};
template <class Part>
void check_on_ground(const Part& part) {
  using Model = test::BodiesOf<Single<Part>>;
  Model model;
  model.part = part;
  moreau::State<Model> s;
  model.place(s, 0, {Real(0.2), Real(0.1), Real(0.2)}, sp::rotation(turned_about, Real(0.4)));
  CHECK(moreau::close_joints(model, s).status == Status::ok);
  model.move(s, 0, {Real(-0.1), Real(0.5), Real(0.2)}, {Real(-1), Real(0.5), Real(2)});
  CHECK(moreau::close_joints(model, s).status == Status::ok);
  moreau::CheckOptions<Real> options;
  options.step_q = Real(is_double ? 1e-3 : 2e-2);
  options.step_t = Real(is_double ? 1e-4 : 4e-3);
  options.tolerance = Real(is_double ? 1e-6 : 2e-2);
  const auto found = moreau::check_model(model, s.q, s.u, Real(0), options);
  CHECK(found.ok());
}
const Point on_A{Real(0.1), Real(0.05), Real(-0.1)}, on_B{Real(-0.05), Real(0.1), Real(0.02)};
const Point skew{Real(0.36), Real(0.48), Real(0.8)}, normal{Real(0.8), Real(-0.6), Real(0)};
struct Ramp {
  moreau::DriveAngle<Real> operator()(Real t) const { return {Real(0.3) + t * (1 + t), 1 + 2 * t}; }
};
void test_rows_of_ideal_joints(void) {
  check_joint(sp::Spherical<Real, 0, 1>{on_A, on_B});
  check_joint(sp::Revolute<Real, 0, 1>{on_A, skew, on_B, skew});
  check_joint(sp::Universal<Real, 0, 1>{on_A, skew, on_B, normal});
  check_joint(sp::Cylindrical<Real, 0, 1>{on_A, skew, on_B, skew});
  check_joint(sp::Planar<Real, 0, 1>{on_A, skew, on_B, skew});
  check_joint(sp::Prismatic<Real, 0, 1>{on_A, skew, on_B, skew, normal, normal});
  check_joint(sp::Weld<Real, 0, 1>{on_A, skew, on_B, skew, normal, normal});
  check_on_ground(sp::Cylindrical<Real, ground, 0>{on_A, skew, on_B, skew});
  check_on_ground(sp::Cylindrical<Real, 0, ground>{on_A, skew, on_B, skew});
  check_on_ground(sp::Spherical<Real, 0, ground>{on_A, on_B});
  check_joint(sp::LinearDrive<Real, 0, 1, Ramp>{on_A, skew, on_B, {}});
  check_joint(sp::Drive<Real, 0, 1, Ramp>{turned_about, {Real(0.8), 0, Real(-0.6)}, {Real(0.8), 0, Real(-0.6)}, {}});
}

// Symmetric top on a ball joint, 0.1 m below its centre of mass, leaning by 0.5 rad and spinning with 40 rad/s.
struct Top {
  using Real = ::Real;
  enum Names { top, bodies };
  sp::Body<Real> body[bodies] = {{Real(1), {Real(0.01), Real(0.01), Real(0.01)}}};
  sp::Spherical<Real, ground, top> tip{{}, {0, 0, Real(-0.1)}};
  sp::Gravity<Real> gravity;
  auto parts() const { return std::tie(tip, gravity); }
};
// Its axis after 2 s, from theta'' and phi' of the constants of motion by the classical Runge-Kutta method.
Point axis_of_top() {
  const double J1 = 0.02, J3 = 0.01, spin = 40, weight = 0.981, Lz = J3 * spin * std::cos(0.5);
  struct Y {
    double theta, rate, phi;
  };
  const auto slope = [&](Y y) -> Y {
    const double s = std::sin(y.theta), c = std::cos(y.theta), phi = (Lz - J3 * spin * c) / (J1 * s * s);
    return {y.rate, phi * phi * s * c - J3 / J1 * spin * phi * s + weight / J1 * s, phi};
  };
  const auto moved = [](Y y, double h, Y k) -> Y {
    return {y.theta + h * k.theta, y.rate + h * k.rate, y.phi + h * k.phi};
  };
  Y y{0.5, 0, 0};
  const double h = 1e-4;
  for (int n = 0; n < 20000; ++n) {
    const Y a = slope(y), b = slope(moved(y, h / 2, a)), c = slope(moved(y, h / 2, b)), d = slope(moved(y, h, c));
    y = moved(moved(moved(moved(y, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
  }
  const double s = std::sin(y.theta);
  return {Real(s * std::sin(y.phi)), Real(-s * std::cos(y.phi)), Real(std::cos(y.theta))};
}
Real error_of_top(Real dt, Point exact) {
  using Model = moreau::Mechanism<Top>;
  Model model;
  moreau::State<Model> s;
  model.place(s, Model::top, {0, Real(-0.1) * moreau::sin(Real(0.5)), Real(0.1) * moreau::cos(Real(0.5))},
              sp::rotation(Point{1, 0, 0}, Real(0.5)));
  model.move(s, Model::top, {}, Real(40) * model.pose(s, Model::top).frame().z);
  moreau::Stepper stepper{model, s};
  for (int n = 0; n < int(std::lround(2 / double(dt))); ++n) {
    CHECK(stepper.step(dt).status == Status::ok);
    CHECK_WITHIN(is_double ? 1e-11 : 1e-6, 0,
                 length(stepper.model.body_state(stepper.state, 0).frame.world({0, 0, Real(-0.1)})));
  }
  return length(stepper.model.pose(stepper.state, Model::top).frame().z - exact);
}
void test_heavy_top(void) {
  const Point exact = axis_of_top();
  const Real coarse = error_of_top(Real(2e-3), exact), fine = error_of_top(Real(1e-3), exact);
  moreau::port::print("heavy top ", coarse, " ", fine, "\n");
  CHECK(fine < Real(1.5e-3));
  CHECK(fine < Real(0.27) * coarse);  // second order: 0.25
}

// A planar slider-crank with play in its crank pin, and the same mechanism in space. In steps of second order, friction
// in two dimensions has a rule of its own, so the steps are those of the papers.
template <class R, bool in_joints>
struct Flat {
  using Real = R;
  enum Names { crank, rod, slider, bodies };
  static constexpr bool joint_coordinates = in_joints, second_order = false;
  moreau::Body<R> body[bodies] = {{R(0.1), R(2e-4)}, {R(0.2), R(1e-3)}, {R(0.3), R(1e-3)}};
  moreau::Revolute<R, ground, crank> bearing;
  moreau::RevoluteClearance<R, crank, rod> pin{{R(0.05), 0}, {R(-0.1), 0}, R(2e-4), R(5e-3), {R(0.4), 0, R(0.1)}};
  moreau::Revolute<R, rod, slider> wrist{{R(0.1), 0}, {}};
  moreau::Prismatic<R, ground, slider> guide;
  moreau::Motor<R, ground, crank> motor{R(0.05), R(1e-3)};
  moreau::Gravity<R> gravity;
  auto parts() const { return std::tie(bearing, pin, wrist, guide, motor, gravity); }
};
template <class R, bool in_joints>
struct Deep {
  using Real = R;
  enum Names { crank, rod, slider, bodies };
  static constexpr bool joint_coordinates = in_joints, second_order = false;
  sp::Body<R> body[bodies] = {{R(0.1), {R(1e-4), R(3e-4), R(2e-4)}},
                              {R(0.2), {R(2e-4), R(9e-4), R(1e-3)}},
                              {R(0.3), {R(1e-3), R(2e-3), R(1e-3)}}};
  sp::Revolute<R, ground, crank> bearing;
  sp::SphericalClearance<R, crank, rod> pin{{R(0.05), 0, 0}, {R(-0.1), 0, 0}, R(2e-4), R(5e-3), {R(0.4), 0, R(0.1)}};
  sp::Spherical<R, rod, slider> wrist{{R(0.1), 0, 0}, {}};
  sp::Prismatic<R, ground, slider> guide{{}, {1, 0, 0}, {}, {1, 0, 0}, {0, 0, 1}, {0, 0, 1}};
  sp::Motor<R, ground, crank> motor{{0, 0, 1}, R(0.05), R(1e-3)};
  sp::Gravity<R> gravity{{0, R(-9.81), 0}};
  auto parts() const { return std::tie(bearing, pin, wrist, guide, motor, gravity); }
};
template <bool in_joints>
void check_planar_mechanism_in_space() {
  if (!is_double) return;  // in float, rounding moves impacts to other steps
  using P = moreau::Mechanism<Flat<Real, in_joints>>;
  using S = moreau::Mechanism<Deep<Real, in_joints>>;
  P planar;
  S deep;
  moreau::State<P> p;
  moreau::State<S> s;
  typename P::Bodies bodies{};
  bodies[P::rod].frame.r.x = Real(0.15);
  bodies[P::slider].frame.r.x = Real(0.25);
  bodies[P::crank].omega = 30;
  planar.set_bodies(bodies, p);
  CHECK(moreau::close_joints(planar, p, moreau::Keep<P>{}.omega(P::crank)).status == Status::ok);
  for (int b = 0; b < P::bodies; ++b) {
    const auto flat = planar.body_state(p, b);
    deep.place(s, b, {flat.frame.r.x, flat.frame.r.y, 0}, sp::rotation(Point{0, 0, 1}, flat.frame.phi));
    deep.move(s, b, {flat.v.x, flat.v.y, 0}, {0, 0, flat.omega});
  }
  moreau::Stepper<P, moreau::Psor> a{planar, p};
  moreau::Stepper<S, moreau::Psor> c{deep, s};
  int impacts = 0;
  for (int n = 0; n < 5000; ++n) {
    const bool open = a.state.P_N(0) == 0;
    CHECK(a.step(Real(1e-4)).advanced());
    CHECK(c.step(Real(1e-4)).advanced());
    impacts += open && a.state.P_N(0) > 0;
  }
  Real off = 0, slow = 0;
  for (int b = 0; b < P::bodies; ++b) {
    const auto flat = a.model.body_state(a.state, b);
    const auto body = c.model.body_state(c.state, b);
    off = std::max({off, length(body.frame.r - Point{flat.frame.r.x, flat.frame.r.y, 0}),
                    length(body.frame.x - Point{flat.frame.cos, flat.frame.sin, 0})});
    slow =
        std::max({slow, length(body.v - Point{flat.v.x, flat.v.y, 0}), length(body.omega - Point{0, 0, flat.omega})});
  }
  moreau::port::print("planar ", off, " m, ", slow, " m/s, impacts ", impacts, "\n");
  CHECK(impacts > 10);
  CHECK_WITHIN(1e-11, 0, off);
  CHECK_WITHIN(1e-9, 0, slow);
}
void test_a_planar_mechanism_in_space(void) {
  check_planar_mechanism_in_space<false>();
  check_planar_mechanism_in_space<true>();
}

// A force part on two bodies in general positions: the wrenches are opposite, and their power is `power`.
template <class Part>
void check_force(const Part& part, const sp::BodyState<Real>& A, const sp::BodyState<Real>& B, Real power) {
  const Real tolerance = Real(is_double ? 1e-12 : 1e-4);
  CHECK(part.valid());
  const sp::Action<Real> f = part.action(A, B, Real(0));
  const Point moment =
      A.frame.turn(f.A.moment) + cross(A.frame.r, f.A.force) + B.frame.turn(f.B.moment) + cross(B.frame.r, f.B.force);
  CHECK_WITHIN(tolerance, 0, length(f.A.force + f.B.force));
  CHECK_WITHIN(tolerance, 0, length(moment));
  CHECK_WITHIN(tolerance * (1 + std::fabs(power)), power,
               dot(f.A.force, A.v) + dot(A.frame.turn(f.A.moment), A.omega) + dot(f.B.force, B.v) +
                   dot(B.frame.turn(f.B.moment), B.omega));
}
void test_forces(void) {
  const Point axis = skew;
  sp::BodyState<Real> A, B;
  A.frame = sp::Frame<Real>::at({Real(0.1), Real(-0.2), Real(0.3)}, sp::rotation(axis, Real(0.7)));
  A.v = {1, 2, 3};
  for (const Real angle : {Real(-3), Real(-1.7), Real(-0.2), Real(0), Real(0.4), Real(2.9)}) {
    B.frame = sp::Frame<Real>::at({Real(0.4), Real(0.1), Real(-0.1)}, sp::rotation(axis, Real(0.7) + angle));
    B.v = A.v;
    B.omega = Real(1.5) * axis;  // the rate of the angle
    check_force(sp::TorsionSpring<Real, 0, 1>{axis, normal, normal, 20, Real(0.5), 2}, A, B,
                -(20 * (angle - Real(0.5)) + 2 * Real(1.5)) * Real(1.5));
    check_force(sp::Motor<Real, 0, 1>{axis, 7, 2}, A, B, (7 - 2 * Real(1.5)) * Real(1.5));
    const Point p = B.frame.world(on_B), d = p - A.frame.world(on_A), sliding = B.velocity_of(p) - A.velocity_of(p);
    check_force(sp::Bushing<Real, 0, 1>{on_A, on_B, {100, 100, 100}, {3, 3, 3}, {20, 20, 20}, {2, 2, 2}}, A, B,
                -100 * dot(d, sliding) - 3 * dot(sliding, sliding) - (20 * angle + 2 * Real(1.5)) * Real(1.5));
    const Real distance = length(d), rate = dot(d, B.velocity_of(p) - A.v) / distance;
    check_force(sp::Spring<Real, 0, 1>{on_A, on_B, 50, Real(0.3), 4}, A, B,
                -(50 * (distance - Real(0.3)) + 4 * rate) * rate);
  }
}

void test_poses_by_name(void) {
  using Model = test::BodiesOf<Pair<sp::Spherical<Real, 0, 1>>>;
  Model model;
  moreau::State<Model> s;
  const Real tolerance = Real(is_double ? 1e-14 : 1e-6);
  model.place(s, Model::b, {1, 2, 3}, {Real(-0.2), Real(0.4), Real(-0.8), Real(0.4)});  // length 1, w < 0
  const auto pose = model.pose(s, Model::b);
  CHECK_WITHIN(tolerance, 0.2, pose.q.w);
  CHECK_WITHIN(tolerance, 0.8, pose.q.y);
  CHECK_WITHIN(0, 2, pose.r.y);
  model.move(s, Model::b, {1, 0, 0}, {Real(0.1), Real(0.2), Real(0.3)});
  const auto body = model.body_state(s, Model::b);
  CHECK_WITHIN(tolerance, 0, length(body.omega - Point{Real(0.1), Real(0.2), Real(0.3)}));
  CHECK_WITHIN(tolerance, 0, length(body.frame.x - pose.frame().x));
  CHECK_WITHIN(tolerance, 1, dot(cross(body.frame.x, body.frame.y), body.frame.z));
  const auto bodies = model.body_states(s);
  CHECK(bodies[1].frame.r.z == 3 && model.pose(s, ground).q.w == 1);
}

// A body from an inertia tensor in skew axes: its principal moments, and the tensor of the turned body.
void test_principal_axes(void) {
  const Point about{Real(0.48), Real(0.6), Real(0.64)};
  for (const Real angle : {Real(0.3), Real(2), Real(3.14)})
    for (const Point& J : {Point{1, 2, 3}, Point{3, 1, 1}, Point{2, 2, 2}, Point{2, 3, 2}}) {
      const auto axes = sp::Frame<Real>::at({}, sp::rotation(about, angle));
      const auto tensor = [](const sp::Frame<Real>& f, Point moments) {
        const moreau::Matrix<Real, 3, 3> R{{f.x.x, f.y.x, f.z.x}, {f.x.y, f.y.y, f.z.y}, {f.x.z, f.y.z, f.z.z}};
        const moreau::Matrix<Real, 3, 3> D = moreau::Vector<Real, 3>(moments.x, moments.y, moments.z).asDiagonal();
        return moreau::Matrix<Real, 3, 3>(R * D * R.transpose());
      };
      const auto given = tensor(axes, J);
      const auto found = sp::principal(Real(0.7), given);
      CHECK_WITHIN(0, Real(0.7), found.body.m);
      // The products of the comparison round by up to ten epsilon of the largest moment, 3.
      CHECK_WITHIN(is_double ? 1e-14 : 4e-6, 0,
                   (tensor(found.turn.frame(), found.body.J) - given).cwiseAbs().maxCoeff());
      const Real tolerance = Real(is_double ? 1e-14 : 1e-6);
      if (J.x != J.y || J.y != J.z)
        CHECK(std::fabs(found.body.J.x - found.body.J.y) <= std::fabs(found.body.J.x - found.body.J.z) + tolerance);
    }
}

// A disk that approaches positions by the shorter rotation, also from half a turn, without overshoot.
struct Turntable {
  using Real = ::Real;
  enum Names { disk, bodies };
  sp::Body<Real> body[bodies] = {{1, {Real(0.1), Real(0.1), Real(0.2)}}};
  sp::Revolute<Real, ground, disk> hinge;
  sp::Drive<Real, ground, disk, moreau::CommandedPosition<Real>> drive{{0, 0, 1}, {1, 0, 0}, {1, 0, 0}, {0, 3, 20}};
  auto parts() const { return std::tie(hinge, drive); }
};
void test_commanded_positions(void) {
  moreau::Stepper<moreau::Mechanism<Turntable>> machine{{}, {}};
  const Real pi = Real(3.14159265358979323846), dt = Real(1e-3), resolution = Real(is_double ? 1e-9 : 1e-4);
  Real from = 0;
  for (const Real to : {Real(2.5), Real(-2.5), Real(2 * 3.14159265358979323846 - 2.5), Real(0.7), Real(0.7) + pi}) {
    machine.model.drive.law.position = to;
    Real way = to - from;  // in -pi .. pi
    while (way > pi) way -= 2 * pi;
    while (way < -pi) way += 2 * pi;
    Real travelled = 0, farthest = 0;
    for (int n = 0; n < 2000; ++n) {
      CHECK(machine.step(dt).status == Status::ok);
      const Real omega = machine.model.body_state(machine.state, 0).omega.z;
      CHECK(std::fabs(omega) < Real(3.001));
      travelled += omega * dt;
      farthest = std::max(farthest, std::fabs(travelled));
    }
    CHECK_WITHIN(Real(0.02), std::fabs(way), farthest);  // the sum of speeds is a rectangle rule: 3 rad/s dt and more
    const Point x = machine.model.pose(machine.state, 0).frame().x;
    CHECK_WITHIN(resolution, 0, length(x - Point{moreau::cos(to), moreau::sin(to), 0}));
    from = to;
  }
}

// Own parts with wrong vectors, and parts of the library with wrong values.
struct LongNormal {
  static constexpr int body_A = ground, body_B = 0, contacts = 1;
  moreau::ContactLaw<Real> law;
  Real play = 1, scale = 1, skew = 0;
  sp::JointContact<Real> contact(int, const sp::Frame<Real>&, const sp::Frame<Real>& B) const {
    return {B.r.z + 1, scale * Point{0, 0, 1}, Point{1, 0, skew}, B.r};
  }
};
struct OneSidedForce {
  static constexpr int body_A = 0, body_B = 1;
  Real missing = 0;  // part of the reaction
  sp::Action<Real> action(const sp::BodyState<Real>& A, const sp::BodyState<Real>& B, Real) const {
    auto action = sp::Action<Real>::force(A, B, B.frame.r, {3, 0, 0});
    action.A.force = (1 - missing) * action.A.force;
    return action;
  }
};
struct Checked {
  using Real = ::Real;
  enum Names { a, b, bodies };
  sp::Body<Real> body[bodies] = {{1, {1, 1, 1}}, {1, {1, 1, 1}}};
  LongNormal contact;
  OneSidedForce push;
  sp::Spring<Real, 0, 1> spring{{}, {1, 0, 0}, 100};
  sp::BallOnPlane<Real, ground, 1> ball{{0, 0, -2}, {0, 0, 1}, {}, Real(0.02)};
  sp::Gravity<Real> gravity, wind;
  auto parts() const { return std::tie(contact, push, spring, ball, gravity, wind); }
};
void test_checks_of_parts(void) {
  using Model = moreau::Mechanism<Checked>;
  using moreau::detail::Member;
  moreau::State<Model> s;
  Model right;
  right.wind.g = {1, 0, 0};
  right.place(s, Model::a, {Real(0.1), Real(0.2), Real(0.3)}, sp::rotation(turned_about, Real(0.4)));
  right.place(s, Model::b, {Real(0.4), Real(-0.2), Real(0.1)}, sp::rotation(turned_about, Real(1.4)));
  moreau::CheckOptions<Real> options;
  const auto finds = [&](const Model& model, Member member, int part) {
    const auto found = moreau::check_model(model, s.q, s.u, Real(0), options).worst_of(member);
    return !found.ok() && found.index == part;
  };
  for (const Member member :
       {Member::part_units, Member::part_reaction, Member::part_values, Member::part_size, Member::part_equal})
    CHECK(moreau::check_model(right, s.q, s.u, Real(0), options).worst_of(member).ok());
  Model wrong = right;
  wrong.contact.scale = Real(1.1);
  CHECK(finds(wrong, Member::part_units, 0));
  wrong = right, wrong.contact.skew = Real(0.1);
  CHECK(finds(wrong, Member::part_units, 0));
  wrong = right, wrong.push.missing = Real(0.01);
  CHECK(finds(wrong, Member::part_reaction, 1));
  wrong = right, wrong.spring.stiffness = 0;
  CHECK(finds(wrong, Member::part_values, 2));
  wrong = right, wrong.ball.radius = 20;  // mm
  CHECK(finds(wrong, Member::part_size, 3));
  wrong = right, wrong.body[1].J = {1000, 1000, 1000};
  CHECK(finds(wrong, Member::part_size, -1));
  wrong = right, wrong.wind = wrong.gravity;
  CHECK(finds(wrong, Member::part_equal, 5));
}

// Loads of the joints of a weight on a lever: ground - hinge - lever - weld - weight, at rest.
struct Lever {
  using Real = ::Real;
  enum Names { lever, weight, bodies };
  sp::Body<Real> body[bodies] = {{Real(0.5), {Real(1e-2), Real(2e-2), Real(2e-2)}},
                                 {Real(2), {Real(1e-2), Real(1e-2), Real(1e-2)}}};
  sp::Revolute<Real, ground, lever> hinge{{}, {0, 1, 0}, {Real(-0.2), 0, 0}, {0, 1, 0}};
  sp::Weld<Real, lever, weight> weld{{Real(0.2), 0, 0}, {0, 0, 1}, {Real(-0.1), 0, 0}};
  sp::SphericalClearance<Real, ground, weight> stop{{Real(0.5), 0, Real(-1e-4)}, {}, Real(1e-4), Real(0.01), {0, 0, 0}};
  sp::Gravity<Real> gravity;
  auto parts() const { return std::tie(hinge, weld, stop, gravity); }
};
void test_loads_of_joints(void) {
  using Model = moreau::Mechanism<Lever>;
  Model model;
  moreau::State<Model> s;
  model.place(s, Lever::lever, {Real(0.2), 0, Real(0.01)});
  model.place(s, Lever::weight, {Real(0.5), 0, 0});
  const auto keep = moreau::Keep<Model>{}.omega(Lever::lever, 1);
  CHECK(moreau::close_joints(model, s, keep).status == Status::ok);
  moreau::Stepper stepper{model, s};
  moreau::State<Model> before;
  for (int n = 0; n < 3000; ++n) {
    before = stepper.state;
    CHECK(stepper.step(Real(1e-3)).advanced());
  }
  const Real g = Real(9.81), tolerance = Real(is_double ? 0.02 : 0.05);  // the arm sinks by the play
  const auto stop = joint_output(stepper.model, &Lever::stop, before, stepper.state);
  const auto weld = joint_output(stepper.model, &Lever::weld, before, stepper.state);
  const auto hinge = joint_output(stepper.model, &Lever::hinge, before, stepper.state);
  // Moments about the hinge: the stop carries the weight and 2/5 of the lever.
  CHECK_WITHIN(tolerance, g * (2 + Real(0.5) * Real(0.4)), stop.load.force.z);
  CHECK_WITHIN(tolerance, g * (2 + Real(0.5)) - stop.load.force.z, hinge.load.force.z);
  CHECK_WITHIN(tolerance, 2 * g - stop.load.force.z, weld.load.force.z);
  CHECK_WITHIN(tolerance, 0,
               length(hinge.load.moment - Point{0, hinge.load.force.z * Real(0.2), 0}));  // force at the pin
  CHECK_WITHIN(1e-3, 1, stop.play_used);
  CHECK(stop.closed == 1 && stop.leans.z < Real(-0.99));
  CHECK_WITHIN(1e-6, 0, stop.dissipated);
}

}  // namespace

TEST_MAIN(TEST(test_rows_of_ideal_joints) TEST(test_heavy_top) TEST(test_a_planar_mechanism_in_space) TEST(test_forces)
              TEST(test_poses_by_name) TEST(test_commanded_positions) TEST(test_checks_of_parts)
                  TEST(test_principal_axes) TEST(test_loads_of_joints))
