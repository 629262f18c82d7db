// One pin in one bearing against analytical solutions: fall and bounces, rest positions with friction, orbit,
// transition from sliding to rolling.
#include <cmath>
#include <moreau/mechanism.hpp>

#include "support/test.hpp"

namespace {

using namespace moreau;

constexpr Real play{0.01}, radius{0.03}, m{0.5}, J{4e-4}, g{9.81};  // m, m, kg, kg m^2, m/s^2

template <bool turns>
struct PinParts;
template <>
struct PinParts<true> {
  using Real = ::Real;
  enum Names { pin, bodies };
  Body<Real> body[bodies] = {{m, J}};
  RevoluteClearance<Real, ground, pin> joint{{}, {}, play, radius, {}};
  Gravity<Real> gravity{{Real(0), -g}};
  auto parts() const { return std::tie(joint, gravity); }
};
template <>
struct PinParts<false> : PinParts<true> {
  Drive<Real, ground, pin> held;  // speed 0: the pin translates without rotation
  auto parts() const { return std::tie(joint, gravity, held); }
};

template <bool turns>
using Pin = Mechanism<PinParts<turns>>;

template <bool turns = true>
auto pin_in_bearing(ContactLaw<Real> law, Point<Real> at, Point<Real> v, Real gravity) {
  Pin<turns> model;
  model.joint.law = law;
  model.gravity.g.y = -gravity;
  State<Pin<turns>> start;
  start.q << at.x, at.y, Real(0);
  start.u << v.x, v.y, Real(0);
  return Stepper{model, start};
}

constexpr Real dt = sizeof(Real) == 8 ? Real(1e-5) : Real(2e-5);

void test_centred_pin_falls_bounces_and_rests(void) {
  for (const double eps : {0.0, 0.5}) {
    auto machine = pin_in_bearing({Real(eps), Real(0), Real(0.1)}, {}, {}, g);
    const double first = std::sqrt(2 * double(play) / double(g));
    const double rest = first * (1 + eps) / (1 - eps);
    double hit = 0, moved = 0;
    for (int n = 0; n < int(2 * rest / double(dt)); ++n) {
      CHECK(machine.step(dt).advanced());
      if (hit == 0 && machine.state.P_N(0) > Real(0)) {
        hit = double(machine.state.time());
        CHECK_WITHIN(1e-3, eps * std::sqrt(2 * double(play) * double(g)), double(machine.state.u(1)));  // m/s
      }
      if (std::fabs(machine.state.u(1)) > Real(2) * g * dt) moved = double(machine.state.time());
    }
    CHECK_WITHIN(2 * double(dt), first, hit);
    // The last bounces are shorter than a step.
    CHECK_WITHIN(40 * double(dt), rest, moved);
    // m: the allowed penetration of a mechanism's contacts
    CHECK_WITHIN(2.1e-5, -double(play), double(machine.state.q(1)));
    CHECK_WITHIN(1e-7, 0.0, double(machine.state.q(0)));
    CHECK_WITHIN(1e-3, double(m * g), double(machine.contact(0).force_N));
  }
}

// Off centre, the pin hits the wall vertically below it.
void test_impact_point_of_a_pin(void) {
  auto machine = pin_in_bearing({}, {Real(0.006), Real(0)}, {}, g);
  while (machine.state.P_N(0) == Real(0) && machine.state.time() < Real(1)) CHECK(machine.step(dt).advanced());
  CHECK_WITHIN(2 * double(dt), std::sqrt(2 * 0.008 / double(g)), double(machine.state.time()));
  const auto c = machine.model.joint.contact(0, {}, Frame<Real>::at({machine.state.q(0), machine.state.q(1)}, Real(0)));
  const Point<Real> where = c.side_of({});
  CHECK_WITHIN(1e-3, 0.6, double(where.x));
  CHECK_WITHIN(1e-3, -0.8, double(where.y));
  // the remaining velocity is tangential to the wall
  CHECK_WITHIN(double(2 * g * dt), -0.6 * std::sqrt(2 * 0.008 * double(g)),
               double(machine.state.u(0)) * 0.8 + double(machine.state.u(1)) * 0.6);
}

// A non-rotating pin slides down the bearing and stops. With w = theta'^2, theta from the lowest point and k = g /
// play, dw/dtheta = 2 (mu (k cos + w) - k sin): w = C exp(2 mu theta) + a cos theta + b sin theta.
double stop_angle(double mu, double from) {
  const double k = double(g) / double(play), b = 6 * mu * k / (1 + 4 * mu * mu), a = 2 * k - 2 * mu * b;
  const double C = -(a * std::cos(from) + b * std::sin(from)) * std::exp(-2 * mu * from);
  double moving = from - 0.3, stopped = -1.5;
  for (int n = 0; n < 60; ++n) {
    const double theta = (moving + stopped) / 2;
    (C * std::exp(2 * mu * theta) + a * std::cos(theta) + b * std::sin(theta) > 0 ? moving : stopped) = theta;
  }
  return (moving + stopped) / 2;
}

void test_rest_angle_with_friction(void) {
  const double mu = 0.4, from = 1.2, expected = stop_angle(mu, from);
  CHECK(std::abs(expected) < std::atan(mu));  // inside the friction cone: it remains there
  const Real reach = play + Real(1e-7);
  auto machine = pin_in_bearing<false>({Real(0), Real(0), Real(mu)},
                                       {reach * Real(std::sin(from)), -reach * Real(std::cos(from))}, {}, g);
  for (int n = 0; n < int(0.5 / double(dt)); ++n) CHECK(machine.step(dt).advanced());
  const double rest = std::atan2(double(machine.state.q(0)), -double(machine.state.q(1)));
  moreau::port::print("rest angle ", rest, " expected ", expected, " rad");
  CHECK_WITHIN(1e-3, expected, rest);  // rad; measured 1e-4
  CHECK_WITHIN(1e-6, 0.0, double(machine.state.u(0)));
  CHECK_EQUAL(0, int(machine.state.sigma_T[0]));
}

// Without gravity and friction the pin orbits in its bearing in permanent contact: N = m v^2 / play.
void test_orbit(void) {
  const Real v{0.4};
  auto machine = pin_in_bearing({}, {play + Real(1e-6), Real(0)}, {Real(0), v}, Real(0));
  const int steps = int(0.5 / double(dt));  // 20 rad/play: 3 turns
  for (int n = 0; n < steps; ++n) {
    CHECK(machine.step(dt).advanced());
    CHECK(machine.contact(0).closed);
    const double speed2 = double(machine.state.u(0) * machine.state.u(0) + machine.state.u(1) * machine.state.u(1));
    if (n > 10) CHECK_WITHIN(1e-3 * 8.0, double(m) * speed2 / double(play), double(machine.contact(0).force_N));
  }
  const double speed =
      std::sqrt(double(machine.state.u(0) * machine.state.u(0) + machine.state.u(1) * machine.state.u(1)));
  CHECK_WITHIN(1e-5, v, speed);  // by the paper's rule, every step would lose the fraction (dt v / play)^2 / 2
}

// Friction rotates the sliding pin until it rolls: v = v_0 m r^2 / (J + m r^2).
void test_from_sliding_to_rolling(void) {
  const double v_0 = 0.4, v = v_0 * double(m) * 9e-4 / (double(J) + double(m) * 9e-4);
  auto machine =
      pin_in_bearing({Real(0), Real(0), Real(0.2)}, {play + Real(1e-6), Real(0)}, {Real(0), Real(v_0)}, Real(0));
  for (int n = 0; n < int(0.5 / double(dt)); ++n) {
    CHECK(machine.step(dt).advanced());
    CHECK(machine.contact(0).closed);
  }
  const double speed =
      std::sqrt(double(machine.state.u(0) * machine.state.u(0) + machine.state.u(1) * machine.state.u(1)));
  CHECK_EQUAL(0, int(machine.state.sigma_T[0]));
  CHECK_WITHIN(2e-3, v, speed);
  CHECK_WITHIN(1e-2, -speed / double(radius), double(machine.state.u(2)));
  CHECK_WITHIN(2e-2, double(m) * speed * speed / double(play), double(machine.contact(0).force_N));
}

void test_centred_pin_without_load_stays_centred(void) {
  auto machine = pin_in_bearing({}, {}, {}, Real(0));
  for (int n = 0; n < 100; ++n) CHECK(machine.step(dt).status == Status::ok);
  CHECK(machine.state.q(0) == Real(0) && machine.state.q(1) == Real(0));
}

}  // namespace

TEST_MAIN({
  TEST(test_centred_pin_falls_bounces_and_rests);
  TEST(test_impact_point_of_a_pin);
  TEST(test_rest_angle_with_friction);
  TEST(test_orbit);
  TEST(test_from_sliding_to_rolling);
  TEST(test_centred_pin_without_load_stays_centred);
})
