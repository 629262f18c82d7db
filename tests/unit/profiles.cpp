// Contact on profiles: polar angle, gaps and directions of curves and polygons, lift and force of a cam against the
// analytic ones, and a ratchet whose teeth do not tunnel.
#include <cmath>
#include <moreau/check/model_checker.hpp>
#include <moreau/check/run_checker.hpp>
#include <moreau/mechanism.hpp>

#include "models/cam_follower.hpp"
#include "models/ratchet.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau;
constexpr bool is_double = sizeof(Real) == 8;

void test_polar_angle(void) {
  double worst = 0;
  for (int n = 0; n < 20000; ++n) {
    const double angle = -3.1415 + 6.283 * n / 20000, size = std::pow(10, n % 7 - 4);
    const Real x = Real(size * std::cos(angle)), y = Real(size * std::sin(angle));
    worst = std::fmax(worst, std::fabs(double(detail::polar_angle(x, y)) - std::atan2(double(y), double(x))));
  }
  CHECK(worst < (is_double ? 1e-15 : 4e-7));
  CHECK(detail::polar_angle(Real(0), Real(0)) == Real(0));
  CHECK_WITHIN(1e-6, pi<double>, double(detail::polar_angle(Real(-1), Real(0))));
  CHECK_WITHIN(1e-6, -pi<double> / 2, double(detail::polar_angle(Real(0), Real(-2))));
}

// An eccentric circle: the distance is known.
struct Eccentric {
  Real radius = Real(0.05), e = Real(0.02);
  PolarRadius<Real> operator()(Real theta) const {
    const auto s = sincos(theta);
    const Real root = moreau::sqrt(radius * radius - e * e * s.sin * s.sin);
    return {e * s.cos + root, -e * s.sin - e * e * s.sin * s.cos / root};
  }
};

void test_gap_to_an_eccentric_circle(void) {
  PointOnCurve<Real, ground, 0, Eccentric> joint;
  joint.on_A = {Real(0.1), Real(-0.2)};
  joint.radius = Real(0.01);
  for (int n = 0; n < 100; ++n) {
    const double angle = 0.07 * n, gap = 1e-3 * (n % 5 - 2);
    const double x = 0.1 + 0.02 + (0.05 + gap) * std::cos(angle), y = -0.2 + (0.05 + gap) * std::sin(angle);
    const auto c = joint.contact(0, Frame<Real>{}, Frame<Real>::at({Real(x), Real(y)}, Real(0)));
    CHECK_WITHIN(is_double ? 1e-9 : 2e-7, gap, double(c.g_N));
    CHECK_WITHIN(is_double ? 5e-5 : 1e-4, std::cos(angle), double(c.n.x));
    CHECK_WITHIN(is_double ? 5e-5 : 1e-4, x - 0.01 * std::cos(angle), double(c.p.x));
    joint.side = Real(-1);  // the free side is inside
    const auto inner = joint.contact(0, Frame<Real>{}, Frame<Real>::at({Real(x), Real(y)}, Real(0)));
    CHECK(inner.g_N == -c.g_N && inner.n.x == -c.n.x);
    CHECK(name(configuration(joint, inner)) ==
              name(gap >= -1e-8 ? decltype(joint)::Configuration::touching : decltype(joint)::Configuration::free) ||
          std::fabs(gap) < 1e-8);
    joint.side = Real(1);
  }
  CHECK(joint.valid());
  joint.side = Real(0.5);
  CHECK(!joint.valid());
}

// A unit square: contact k is edge k.
using Square = PointOnPolygon<Real, ground, 0, 4, 4>;
Square square() {
  Square joint;
  const double corners[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (int j = 0; j < 4; ++j) joint.corner[j] = {Real(corners[j][0]), Real(corners[j][1])};
  return joint;
}
template <class Joint>
JointContact<Real> at(const Joint& joint, int k, double x, double y) {
  return joint.contact(k, Frame<Real>{}, Frame<Real>::at({Real(x), Real(y)}, Real(0)));
}
// Returns the bits of the closed contacts.
template <class Joint>
unsigned closed_at(const Joint& joint, double x, double y) {
  unsigned closed = 0;
  for (int k = 0; k < Joint::contacts; ++k)
    if (at(joint, k, x, y).g_N <= Real(0)) closed |= 1u << k;
  return closed;
}

void test_gaps_to_a_square(void) {
  Square joint = square();
  CHECK(joint.valid());
  const auto below = at(joint, 0, 0.25, -0.1);
  CHECK_WITHIN(1e-6, 0.1, double(below.g_N));
  CHECK_WITHIN(1e-6, -1, double(below.n.y));
  CHECK_WITHIN(1e-6, -0.01, double(at(joint, 0, 0.25, 0.01).g_N));  // in the solid
  CHECK(closed_at(joint, 0.25, 0.01) == 1u);                        // the nearest edge only
  CHECK(closed_at(joint, 0.01, 0.001) == 1u);
  CHECK(closed_at(joint, 0.001, 0.01) == 8u);
  for (const double x : {-3.0, -0.1, 0.3, 0.9, 1.1, 2.5})
    for (const double y : {-2.0, -0.1, 1.1, 4.0}) CHECK(closed_at(joint, x, y) == 0u);  // also far away on each side
  CHECK_WITHIN(1e-6, 0.2, double(at(joint, 1, 1.2, 0.5).g_N));
  CHECK_WITHIN(1e-6, 0.2, double(at(joint, 2, 0.5, 1.2).g_N));
  joint.radius = Real(0.1);
  const auto corner = at(joint, 0, 1.06, -0.08);  // the corner (1, 0) ends edge 0
  CHECK_WITHIN(1e-6, 0, double(corner.g_N));
  CHECK_WITHIN(1e-6, 0.6, double(corner.n.x));
  CHECK_WITHIN(1e-6, 1, double(corner.p.x));
  CHECK(at(joint, 1, 1.06, -0.08).g_N > Real(0.09));  // it belongs to one edge only
  CHECK_WITHIN(1e-6, 0.1, double(at(joint, 1, 1.2, 0.5).g_N));
  joint.radius = Real(-1);
  CHECK(!joint.valid());
  joint = square();
  joint.corner[2] = joint.corner[1];
  CHECK(!joint.valid());
  CHECK(name(configuration(joint, 2u)) == name(Square::Configuration::touching));
  CHECK(name(configuration(joint, 0u)) == name(Square::Configuration::free));
}

void test_gaps_in_a_square_hole(void) {
  Square hole = square();
  std::swap(hole.corner[1], hole.corner[3]);  // clockwise: the solid is outside; edge 1 is the upper one
  CHECK_WITHIN(1e-6, 0.3, double(at(hole, 1, 0.5, 0.7).g_N));
  CHECK_WITHIN(1e-6, -1, double(at(hole, 1, 0.5, 0.7).n.y));
  CHECK(closed_at(hole, 0.5, 1.01) == 2u);
  CHECK(closed_at(hole, 1.01, 1.02) == 6u);  // both edges of a concave corner
  CHECK(closed_at(hole, 0.99, 1.02) == 2u);
  CHECK_WITHIN(1e-6, -0.02, double(at(hole, 1, 1.01, 1.02).g_N));
  CHECK_WITHIN(1e-6, -0.01, double(at(hole, 2, 1.01, 1.02).g_N));
}

// A plate of 1 mm: beyond its middle the other side is nearer.
void test_a_thin_plate_has_two_sides(void) {
  PointOnPolygon<Real, ground, 0, 4, 4> plate;
  const double corners[4][2] = {{0, 0}, {0.1, 0}, {0.1, 0.001}, {0, 0.001}};
  for (int j = 0; j < 4; ++j) plate.corner[j] = {Real(corners[j][0]), Real(corners[j][1])};
  CHECK(closed_at(plate, 0.05, 0.0011) == 0u && closed_at(plate, 0.05, -0.0001) == 0u);
  CHECK(closed_at(plate, 0.05, 0.0009) == 4u && closed_at(plate, 0.05, 0.0001) == 1u);
}

// The index of a contact passes to another edge only while the point is far from both. A point moves around the ratchet
// wheel, 10 um inside its surface: on edge j, contact j mod 3 is closed alone. Before the same contact closes on edge
// j + 3, its gap was above 3 mm.
void test_contacts_do_not_change_their_edge_near_it(void) {
  const models::RatchetParts<Real> ratchet;
  PointOnPolygon<Real, ground, 0, 24> teeth;
  for (int j = 0; j < 24; ++j) teeth.corner[j] = ratchet.tooth.corner[j];
  constexpr int samples = 400;
  double widest[3] = {1, 1, 1};
  int last_edge[3] = {-1, -1, -1};
  for (int n = 0; n < 24 * samples; ++n) {
    const int j = n / samples;
    const double s = (n % samples + 0.5) / samples;
    const auto a = teeth.corner[j], d = teeth.corner[(j + 1) % 24] - a;
    const double length = std::hypot(double(d.x), double(d.y));
    const double x = double(a.x) + s * double(d.x) - 1e-5 * double(d.y) / length,
                 y = double(a.y) + s * double(d.y) + 1e-5 * double(d.x) / length;
    if (s * length > 2e-5 && (1 - s) * length > 5e-5) CHECK(closed_at(teeth, x, y) == 1u << j % 3);
    for (int k = 0; k < 3; ++k) {
      const double gap = double(at(teeth, k, x, y).g_N);
      if (gap <= 0) {
        if (last_edge[k] >= 0 && j != last_edge[k] && k == j % 3) CHECK(widest[k] > 3e-3);
        if (k == j % 3) last_edge[k] = j;
        widest[k] = 0;
      }
      widest[k] = std::fmax(widest[k], gap);
    }
  }
}

// Both surfaces and the point move; only in double, because finite differences of floats are coarse.
struct Both {
  using Real = ::Real;
  enum Names { one, two, bodies };
  Body<Real> body[bodies] = {{Real(2), Real(0.5)}, {Real(1), Real(0.25)}};
  PointOnCurve<Real, one, two, models::CamCurve<Real>> cam;
  PointOnPolygon<Real, one, two, 24> teeth;
  auto parts() const { return std::tie(cam, teeth); }
  Both() {
    cam.on_B = teeth.on_B = {Real(0.01), Real(0.02)};
    cam.radius = teeth.radius = Real(0.004);
    const models::RatchetParts<Real> ratchet;
    for (int j = 0; j < 24; ++j) teeth.corner[j] = ratchet.tooth.corner[j];
  }
};

void test_directions_are_the_derivatives_of_the_gaps(void) {
  if constexpr (is_double) {
    const Mechanism<Both> model;
    CheckOptions<Real> options;
    options.step_q = Real(1e-6);
    options.tolerance = Real(1e-4);  // the nearest point of the curve, 0.5 mm from it
    options.scan = Real(0);          // beyond the middle of the solid, another edge is the nearest
    int compared = 0;
    for (int n = 0; n < 200; ++n) {
      Mechanism<Both>::Q q, u;
      const double angle = 0.11 * n, turn = 0.3 * std::sin(n);
      const double r = double(model.cam.curve(Real(angle - turn)).radius) + 5e-4 * std::sin(3 * n);
      q << 0, 0, Real(turn), Real(r * std::cos(angle) - 0.01), Real(r * std::sin(angle) - 0.02), 0;
      for (int d = 0; d < 6; ++d) u(d) = std::cos(Real(2 + n + 5 * d));
      const auto report = check_model(model, q, u, Real(0), options);
      if (!report.ok())
        moreau::port::print("worst: ", int(report.worst().member), " ", report.worst().index, " ",
                            report.worst().coordinate, " ", report.worst().deviation, " n ", n);
      if (report.worst().member != detail::Member::gap_bent) {  // at a corner
        CHECK(report.ok());
        ++compared;
      }
    }
    CHECK(compared > 150);
  }
}

// A revolution of the cam: greatest errors of the lift, of the speed of the follower, and of its contact force against
// m y" + k (y + 0.02 m) with y" = omega^2 d^2 R / d theta^2.
struct LiftErrors {
  double lift = 0, force = 0, speed = 0;
  bool closed = true;
};
LiftErrors turn_cam(int steps_per_turn) {
  using Model = models::CamFollower<Real>;
  const Model model;
  Stepper machine{model, models::cam_follower_start(model)};
  constexpr auto cam = Model::angle_of<Model::cam>, follower = Model::slide_of<Model::follower>;
  const double omega = 20, dt = 2 * pi<double> / omega / steps_per_turn;
  LiftErrors errors;
  for (int n = 0; n < steps_per_turn; ++n) {
    const auto before = machine.state;
    CHECK(machine.step(Real(dt)).status == Status::ok);
    if (n < steps_per_turn / 10) continue;  // the contact begins in the second step
    errors.closed = errors.closed && machine.contact(0).closed;
    const double height = double(model.height(machine.state.q(cam)));
    errors.lift = std::fmax(errors.lift, std::fabs(double(machine.state.q(follower)) - height));
    const double speed = -omega * 0.008 * std::sin(2 * (pi<double> / 2 - omega * dt * (n + 1)));
    errors.speed = std::fmax(errors.speed, std::fabs(double(machine.state.u(follower)) - speed));
    const double phi = omega * dt * (n + 0.5), theta = pi<double> / 2 - phi;
    const double y = 0.03 + 0.004 * (1 - std::cos(2 * theta)),
                 acceleration = omega * omega * 0.016 * std::cos(2 * theta);
    const double expected = 0.2 * acceleration + 800 * (0.02 + y);
    const auto roller = joint_output(machine.model, &Model::roller, before, machine.state);
    errors.force = std::fmax(errors.force, std::fabs(double(roller.load.force.y) - expected));
  }
  return errors;
}

void test_cam_lift_is_the_analytic_lift(void) {
  const LiftErrors coarse = turn_cam(500), fine = turn_cam(2000);
  CHECK(coarse.closed && fine.closed);
  moreau::port::print("cam: errors of speed ", coarse.speed, " ", fine.speed, " m/s, of force ", coarse.force, " ",
                      fine.force, " N");
  CHECK(coarse.lift < 2e-6 && fine.lift < 2e-6);  // m: the allowed penetration is 1e-6 m
  CHECK(coarse.force < 0.05 &&
        fine.force < 0.05);  // N of 45 N: the spring over the allowed penetration, 1e-3 N; noise of floats
  CHECK(coarse.speed < 2e-4);
  if (is_double) CHECK(fine.speed < coarse.speed / 9);  // almost second order, a sixteenth, for a quarter of dt
}

// The wheel turns freely in one direction. In the other one, a flank stops it within one tooth, at any time step and
// load. The number of a contact does not change its edge while it is closed.
struct RatchetRun {
  double forward = 0, backward = 0, deepest = 0;
  int clicks = 0;
};
template <class Model>
RatchetRun turn_ratchet(const Model& model, double dt, double torque) {
  Stepper machine{model, models::ratchet_start(model)};
  constexpr auto wheel = Model::template angle_of<Model::wheel>, pawl = Model::template angle_of<Model::pawl>;
  RatchetRun run;
  double tip_before = 0;
  for (int cycle = 0; cycle < 2; ++cycle) {
    machine.model.load.torque = Real(-0.3);
    const double from = double(machine.state.q(wheel));
    for (double t = 0; t < 0.1; t += dt) {
      CHECK(machine.step(Real(dt)).advanced());
      const double tip = double(machine.state.q(pawl));
      if (tip < tip_before - 2e-3 * dt / 1e-5) ++run.clicks;
      tip_before = tip;
    }
    run.forward += from - double(machine.state.q(wheel));
    machine.model.load.torque = Real(torque);
    const double turned = double(machine.state.q(wheel));
    double furthest = turned;
    for (double t = 0; t < 0.1; t += dt) {
      CHECK(machine.step(Real(dt)).advanced());
      furthest = std::fmax(furthest, double(machine.state.q(wheel)));
      const auto a = machine.model.at(machine.state.q, Real(0));
      for (int k = 0; k < 3; ++k) run.deepest = std::fmax(run.deepest, -double(machine.model.gap(k, a)));
    }
    run.backward = std::fmax(run.backward, furthest - turned);
  }
  return run;
}

void test_ratchet_teeth_do_not_tunnel(void) {
  for (const double dt : {1e-5, 5e-5, 2e-4})
    for (const double torque : {0.2, 2.0, 20.0}) {
      if (torque * dt > 2e-3) continue;         // the wheel would turn by more than half of a tip in one step
      if (often(8) < 8 && dt < 2e-5) continue;  // 40,000 steps each: only with optimisation
      const auto run = turn_ratchet(models::Ratchet<Real>{}, dt, torque);
      moreau::port::print("ratchet, dt ", dt, " s, torque ", torque, " N m: deepest ", run.deepest, " m, backward ",
                          run.backward);
      CHECK(run.forward > 3 * 0.52);                     // several teeth
      CHECK(run.backward < 1.05 * 2 * pi<double> / 12);  // less than a tooth
      CHECK(run.deepest < 20e-6 + 4 * dt);               // m: one step at 4 m/s, the speed of tip and tooth
    }
}

// No contact changes its surface while the wheel turns over several teeth and back against a flank.
void test_run_of_a_ratchet_is_accepted(void) {
  using Model = models::Ratchet<Real>;
  const Model model;
  Stepper machine{model, models::ratchet_start(model)};
  RunChecker watch{machine};
  for (int n = 0; n < 4000; ++n) {
    machine.model.load.torque = n < 2000 ? Real(-0.3) : Real(2);
    CHECK(machine.step(Real(5e-5)).advanced());
    watch.look();
  }
  CHECK(double(machine.state.q(Model::angle_of<Model::wheel>)) < -1);
  const auto jump = watch.report().worst_of(detail::Member::gap_jump);
  moreau::port::print("ratchet: jump of a gap ", jump.deviation, " m, allowed ", jump.allowed, " m");
  CHECK(jump.ok() && watch.report().looked_at(detail::Member::gap_jump));
}

}  // namespace

TEST_MAIN({
  TEST(test_polar_angle);
  TEST(test_gap_to_an_eccentric_circle);
  TEST(test_gaps_to_a_square);
  TEST(test_gaps_in_a_square_hole);
  TEST(test_a_thin_plate_has_two_sides);
  TEST(test_contacts_do_not_change_their_edge_near_it);
  TEST(test_directions_are_the_derivatives_of_the_gaps);
  TEST(test_cam_lift_is_the_analytic_lift);
  TEST(test_ratchet_teeth_do_not_tunnel);
  TEST(test_run_of_a_ratchet_is_accepted);
})
