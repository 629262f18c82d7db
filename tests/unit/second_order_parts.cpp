// second_order with ideal joints, friction elements, two tangents and Timing::constant with every solver; bias
// accelerations of the joints with play.
#include <cmath>
#include <moreau/check/model_checker.hpp>
#include <moreau/mechanism.hpp>
#include <random>

#include "models/falling_mass.hpp"
#include "models/slider_crank.hpp"
#include "models/start.hpp"
#include "models/woodpecker.hpp"
#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

using moreau::Point;
using moreau::Status;
using moreau::Timing;
using moreau::detail::absolute;

template <class Model>
struct Second : Model {
  static constexpr bool second_order = true;
};

// Every joint with play between two moving bodies, in random poses and at random velocities. Differences require
// double.
struct Oval {
  using Real = double;
  moreau::PolarRadius<Real> operator()(Real theta) const {
    const auto s = moreau::sincos(2 * theta);
    return {Real(0.05) + Real(0.006) * s.cos, Real(-0.012) * s.sin};
  }
};
struct AllJoints {
  using Real = double;
  enum Names { one, two, bodies };
  moreau::Body<Real> body[bodies] = {{Real(1), Real(0.1)}, {Real(2), Real(0.2)}};
  moreau::RevoluteClearance<Real, one, two> pin;
  moreau::SlotClearance<Real, one, two> slot;
  moreau::PointOnLine<Real, one, two> wheel;
  moreau::PrismaticClearance<Real, one, two> guide;
  moreau::PointOnPolygon<Real, one, two, 3> wedge;
  moreau::Backlash<Real, one, two> mesh;
  moreau::TurningFriction<Real, one, two> seal;
  moreau::SlidingFriction<Real, one, two> brake;
  auto parts() const { return std::tie(pin, slot, wheel, guide, wedge, mesh, seal, brake); }

  AllJoints() {
    pin.play = slot.play = Real(0.05), pin.radius = Real(0.02), slot.radius = Real(0.01);
    pin.on_A = {Real(0.1), Real(0.05)}, pin.on_B = {Real(-0.08), Real(0.03)};
    slot.on_A = {Real(0.02), Real(0.01)}, slot.half_length = Real(0.04), slot.axis = {Real(0.8), Real(0.6)};
    wheel.on_A = {Real(0.1), Real(0)}, wheel.on_B = {Real(0.05), Real(0.02)}, wheel.radius = Real(0.03);
    guide.a = Real(0.05), guide.b = Real(0.02), guide.play = Real(0.05), guide.on_B = {Real(0.02), Real(0.01)};
    wedge.corner[0] = {Real(0.1), Real(0)}, wedge.corner[1] = {Real(0), Real(0.1)},
    wedge.corner[2] = {Real(0), Real(0)};
    wedge.on_B = {Real(0.15), Real(0.05)}, wedge.radius = Real(0.01);
    mesh.play = Real(0.01);
    seal.bound = brake.bound = Real(1), brake.axis = {Real(0.6), Real(0.8)}, brake.on_B = {Real(0.03), Real(0.04)};
  }
};
struct FiniteGuide : AllJoints {
  FiniteGuide() { guide.half_length = Real(0.04); }
};
struct Anywhere {
  template <class Model>
  void operator()(const Model&, double, typename Model::Q&) const {}
};
// Calls place(model, number, q) after the choice of a random pose q.
template <class Parts, class Place = Anywhere>
void check_bias_of_joints(const Place& place = {}) {
  using Real = double;
  const moreau::Mechanism<Parts> model{Parts{}};
  std::mt19937 random(1);
  const auto number = [&](double scale) { return Real(scale * (double(random()) / 2147483648.0 - 1)); };
  using Member = moreau::CheckReport<Real>::Member;
  moreau::CheckOptions<Real> options;
  options.inertial_forces = false;
  for (int n = 0; n < often(100); ++n) {
    typename moreau::Mechanism<Parts>::Q q, u;
    for (int j = 0; j < model.dof; ++j) q(j) = number(j % 3 == 2 ? 3 : 0.05), u(j) = number(2);
    place(model, number(3), q);
    const auto report = moreau::check_model(model, q, u, Real(0), options);
    for (const auto member : {Member::contact_bias_acceleration, Member::friction_bias_acceleration}) {
      const auto& worst = report.worst_of(member);
      CHECK(report.looked_at(member) || model.frictions == 0);
      if (!worst.ok())
        moreau::port::print(moreau::name(member), " ", worst.index, " ", worst.coordinate, " deviation ",
                            worst.deviation, ", allowed ", worst.allowed);
      CHECK(worst.ok());
    }
  }
}
// A roller on its cam, at a random angle: far from the curve, the nearest point is inexact.
template <int side>
struct RollerOnCam {
  using Real = double;
  enum Names { one, two, bodies };
  moreau::Body<Real> body[bodies] = {{Real(1), Real(0.1)}, {Real(2), Real(0.2)}};
  moreau::PointOnCurve<Real, one, two, Oval> cam;
  auto parts() const { return std::tie(cam); }
  RollerOnCam() {
    cam.on_A = {Real(0.01), Real(0.02)}, cam.on_B = {Real(0.12), Real(0.05)}, cam.radius = Real(0.01);
    cam.side = Real(side);
  }
};
struct OnTheCam {
  using Real = double;
  template <class Model>
  void operator()(const Model& model, Real theta, typename Model::Q& q) const {
    using F = moreau::Frame<Real>;
    const auto s = moreau::sincos(theta);
    const Real R = model.cam.curve(theta).radius + Real(1e-6);
    const F A = F::at({q(0), q(1)}, q(2)), B = F::at({q(3), q(4)}, q(5));
    const Point<Real> target = A.world(model.cam.on_A + Point<Real>{R * s.cos, R * s.sin});
    const Point<Real> offset = target - B.world(model.cam.on_B);
    q(3) += offset.x, q(4) += offset.y;
  }
};
// Two links in joint coordinates: the velocities of the bodies change at constant u.
struct Links {
  using Real = double;
  enum Names { one, two, bodies };
  moreau::Body<Real> body[bodies] = {{Real(1), Real(0.1)}, {Real(2), Real(0.2)}};
  moreau::Revolute<Real, moreau::ground, one> shoulder{{}, {Real(-0.2), Real(0.05)}};
  moreau::Revolute<Real, one, two> elbow{{Real(0.2), Real(0)}, {Real(-0.1), Real(0.02)}};
  moreau::PointOnLine<Real, moreau::ground, two> floor;
  moreau::RevoluteClearance<Real, one, two> pin;
  moreau::SlidingFriction<Real, moreau::ground, two> brake;
  auto parts() const { return std::tie(shoulder, elbow, floor, pin, brake); }

  Links() {
    floor.on_B = {Real(0.1), Real(0.03)}, floor.radius = Real(0.02), floor.normal = {Real(0.6), Real(0.8)};
    pin.play = Real(0.05), pin.radius = Real(0.02), pin.on_A = {Real(0.1), Real(0.05)};
    brake.bound = Real(1), brake.on_B = {Real(0.03), Real(0.04)};
  }
};
void test_bias_of_joints(void) {
  check_bias_of_joints<AllJoints>();
  check_bias_of_joints<FiniteGuide>();
  check_bias_of_joints<Links>();
  check_bias_of_joints<RollerOnCam<1>>(OnTheCam{});
  check_bias_of_joints<RollerOnCam<-1>>(OnTheCam{});
}

// A mass on a vertical guide, an ideal joint, bounces as the free mass does. The coordinates of the body keep the rows of
// the guide.
struct GuidedMass {
  using Real = ::Real;
  enum Names { block, bodies };
  static constexpr bool joint_coordinates = false, second_order = true;
  moreau::Body<Real> body[bodies] = {{Real(1), Real(0.1)}};
  moreau::Prismatic<Real, moreau::ground, block> guide;
  moreau::PointOnLine<Real, moreau::ground, block> floor;
  moreau::Gravity<Real> gravity;
  auto parts() const { return std::tie(guide, floor, gravity); }
  GuidedMass() {
    guide.axis = {Real(0), Real(1)};
    floor.law.eps_N = models::FallingMass<Real>{}.eps_N;
    gravity.g.y = -models::FallingMass<Real>{}.gravity;
  }
};
void test_ideal_joints(void) {
  using Free = Second<models::FallingMass<Real>>;
  using Guided = moreau::Mechanism<GuidedMass>;
  moreau::Stepper free{Free{}, models::state_at<Free>(Free{}.start())};
  moreau::State<Guided> start;
  start.q(1) = free.state.q(0);
  start.q(2) = moreau::pi<Real> / 2;  // the x axis of the mass is along the guide
  moreau::Stepper guided{Guided{}, start};
  for (int n = 0; n < 1500; ++n) {
    CHECK_EQUAL(Status::ok, free.step(Real(1e-3)).status);
    CHECK_EQUAL(Status::ok, guided.step(Real(1e-3)).status);
    CHECK_WITHIN(sizeof(Real) == 8 ? 1e-12 : 2e-5, free.state.q(0), guided.state.q(1));
  }
  CHECK(free.state.rests(0) && guided.state.rests(0));
}

// Block with drag, stopped by a friction element: m u' = -c - u^2, u = sqrt(c) tan(atan(u_0 / sqrt(c)) - sqrt(c) t / m).
struct Dragged {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 0, frictions = 1;
  static constexpr bool second_order = true;
  using Q = moreau::Vector<Real, 1>;
  moreau::Matrix<Real, 1, 1> mass(const Q&, Real) const { return moreau::Matrix<Real, 1, 1>(Real(0.7)); }
  Q force(const Q&, const Q& u, Real) const { return Q(-u(0) * absolute(u(0))); }
  Real friction_bound(int, const Q&, Real) const { return Real(2); }
  moreau::FrictionDirections<Real, 1> friction_directions(int, const Q&, Real) const {
    moreau::FrictionDirections<Real, 1> d;
    d.w(0) = 1;
    return d;
  }
};
void test_friction_element(void) {
  const double root = std::sqrt(2.0), t_end = 0.25;
  const double exact = root * std::tan(std::atan(2 / root) - root * t_end / 0.7);
  const auto error = [&](int n) {
    moreau::State<Dragged> start;
    start.u(0) = Real(2);
    moreau::Stepper stepper{Dragged{}, start};
    for (int i = 0; i < n; ++i) CHECK_EQUAL(Status::ok, stepper.step(Real(t_end / n)).status);
    return std::fabs(double(stepper.state.u(0)) - exact);
  };
  const double coarse = error(25), fine = error(50);
  moreau::port::print("friction element with drag: error ", coarse, ", ratio ", coarse / fine);
  CHECK(coarse < 5e-3);
  CHECK(coarse / fine > 3);  // 4 for second order, 2 for first order
}

// A body held by a friction element to a turntable. The element prescribes the velocity at the end of the step, so the
// radius of the body is constant. With the directions of the midpoint, the velocity is half a step late.
struct OnTurntable {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0, frictions = 1, friction_dim = 2;
  static constexpr bool second_order = true;
  static constexpr Real omega = Real(5);  // rad/s
  using Q = moreau::Vector<Real, 2>;
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return moreau::Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  Real friction_bound(int, const Q&, Real) const { return Real(100); }
  moreau::FrictionDirections<Real, 2, 2> friction_directions(int, const Q& q, Real) const {
    moreau::FrictionDirections<Real, 2, 2> d;
    d.w.setIdentity();
    d.zeta = Q(omega * q(1), -omega * q(0));
    return d;
  }
};
struct WithBias : OnTurntable {
  moreau::Vector<Real, 2> friction_bias_acceleration(int, const Q&, const Q& u, Real) const {
    return Q(omega * u(1), -omega * u(0));
  }
};
template <class Model>
double radius_error() {
  moreau::State<Model> start;
  start.q(0) = Real(0.1);
  start.u(1) = Real(0.1) * Model::omega;
  moreau::Stepper stepper{Model{}, start};
  for (int n = 0; n < 1000; ++n) CHECK_EQUAL(Status::ok, stepper.step(Real(1e-3)).status);
  return std::fabs(std::hypot(double(stepper.state.q(0)), double(stepper.state.q(1))) - 0.1);
}
void test_friction_on_a_turntable(void) {
  const double from_end = radius_error<OnTurntable>(), from_bias = radius_error<WithBias>();
  moreau::port::print("turntable, 1 s: error of the radius ", from_end, ", with bias acceleration ", from_bias, " m");
  const double allowed = 0.1 * 5 * 1e-3 * 5 * 1e-3 + (sizeof(Real) == 8 ? 0 : 1e-5);  // r (omega dt)^2
  CHECK_WITHIN(allowed, 0, from_end);
  CHECK_WITHIN(allowed, 0, from_bias);
}

// Sliding on an inclined plane across the slope: the direction of friction turns. Second order in space.
struct Sledge {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 1, tangents = 2;
  static constexpr bool second_order = true, constant_directions = true, constant_mass = true;
  using Q = moreau::Vector<Real, 3>;
  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const { return moreau::Matrix<Real, 3, 3>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(3), 0, Real(-9.4)); }
  Real gap(int, const Q& q, Real) const { return q(2); }
  moreau::Directions<Real, 3, 2> directions(int, const Q&, Real) const {
    moreau::Directions<Real, 3, 2> d;
    d.w_N = Q(0, 0, 1);
    d.w_T(0, 0) = d.w_T(1, 1) = 1;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0), Real(0), Real(0.4)}; }
};
void test_sliding_across_a_slope(void) {
  const auto end = [](double dt) {
    moreau::State<Sledge> start;
    start.u = Sledge::Q(0, 1, 0);
    moreau::Psor psor;
    psor.max_iterations = 1000;
    moreau::Stepper<Sledge, moreau::Psor> stepper{Sledge{}, start, psor};
    for (long n = std::lround(0.3 / dt); n > 0; --n) CHECK_EQUAL(Status::ok, stepper.step(Real(dt)).status);
    return moreau::Vector<double, 2>(double(stepper.state.u(0)), double(stepper.state.u(1)));
  };
  const auto exact = end(sizeof(Real) == 8 ? 1e-4 : 2e-4);
  const double coarse = (end(1e-2) - exact).norm(), fine = (end(5e-3) - exact).norm();
  moreau::port::print("sliding across a slope: error ", coarse, " m/s, ratio ", coarse / fine);
  CHECK(coarse < 2e-3);
  CHECK(coarse / fine > 3);  // 4 for second order, 2 for first order
}

// Constant time with masked contacts: the results of the same solver in variable time, without fallbacks.
template <class Model>
void check_masked(double dt, int steps) {
  const Model model;
  const auto start = models::state_at<Model>(model.start());
  moreau::Stepper<Model, moreau::Exact> exact{model, start};
  moreau::Stepper<Model, moreau::Newton, Timing::constant> masked{model, start};
  int impacts = 0;
  for (int n = 0; n < steps; ++n) {
    CHECK_EQUAL(Status::ok, exact.step(Real(dt)).status);
    const auto report = masked.step(Real(dt));
    CHECK(report.advanced());
    CHECK_EQUAL(0, report.fallbacks);
    impacts += report.active > 0;
    for (int j = 0; j < Model::dof; ++j)
      CHECK_WITHIN(sizeof(Real) == 8 ? 1e-7 : 2e-3, exact.state.q(j), masked.state.q(j));
    CHECK_EQUAL(exact.state.resting[0], masked.state.resting[0]);
  }
  CHECK(impacts > 10);
}
void test_masked_contacts(void) {
  check_masked<Second<models::FallingMass<Real>>>(1e-3, 1500);
  check_masked<Second<models::Woodpecker<Real>>>(1e-4, 800);
}

void test_bias_of_the_model(void) {
  using With = Second<models::SliderCrank<Real>>;
  static_assert(moreau::detail::Contract<With>::has_contact_bias && !moreau::detail::rotation_from_end<With>);
  const With model;
  moreau::Vector<Real, 3> q(Real(0.4), Real(-0.2), Real(0.01)), u(Real(150), Real(-75), Real(3));
  const auto report = moreau::check_model(model, q, u, Real(0));
  CHECK(report.looked_at(moreau::CheckReport<Real>::Member::contact_bias_acceleration));
  CHECK(report.worst_of(moreau::CheckReport<Real>::Member::contact_bias_acceleration).ok());
}

}  // namespace

TEST_MAIN({
  TEST(test_bias_of_joints);
  TEST(test_ideal_joints);
  TEST(test_friction_element);
  TEST(test_friction_on_a_turntable);
  TEST(test_sliding_across_a_slope);
  TEST(test_masked_contacts);
  TEST(test_bias_of_the_model);
})
