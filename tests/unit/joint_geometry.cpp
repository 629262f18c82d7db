// Geometry of joints: gaps against their derivatives, analytical values, the centred pin, names of configurations; and
// the same joints inside a hand-written model.
#include <limits>
#include <moreau/check/model_checker.hpp>
#include <moreau/mechanism.hpp>

#include "models/slider_crank.hpp"
#include "support/bits_hash.hpp"
#include "support/joint_coordinates.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau;
using P = Point<Real>;

// For lengths below 1 m, a few operations each.
constexpr Real rounding_error = Real(20) * std::numeric_limits<Real>::epsilon();

// Every joint with clearance between two free bodies.
struct Joints {
  using Real = ::Real;
  enum Names { one, two, bodies };
  Body<Real> body[bodies] = {{Real(2), Real(0.5)}, {Real(1), Real(0.25)}};
  PrismaticClearance<Real, one, two> endless_guide, short_guide;
  RevoluteClearance<Real, one, two> bearing;
  SlotClearance<Real, one, two> slot;
  PointOnLine<Real, one, two> stop;
  Backlash<Real, one, two> gears;
  RevoluteClearance<Real, ground, two> fixed_bearing;
  auto parts() const { return std::tie(endless_guide, short_guide, bearing, slot, stop, gears, fixed_bearing); }

  Joints() {
    endless_guide.on_A = {Real(0.1), Real(0.2)};
    endless_guide.axis = {Real(0.8), Real(0.6)};
    endless_guide.on_B = {Real(-0.05), Real(0.02)};
    endless_guide.a = Real(0.3);
    endless_guide.b = Real(0.1);
    endless_guide.play = Real(0.01);
    short_guide = endless_guide;
    short_guide.half_length = Real(0.15);
    bearing.on_A = slot.on_A = stop.on_A = {Real(0.3), Real(-0.1)};
    bearing.on_B = slot.on_B = stop.on_B = {Real(0.05), Real(0.15)};
    bearing.play = slot.play = fixed_bearing.play = Real(0.02);
    bearing.radius = slot.radius = stop.radius = Real(0.04);
    slot.axis = stop.normal = {Real(0.6), Real(-0.8)};
    slot.half_length = Real(0.2);
    gears.r_A = Real(0.07);
    gears.r_B = Real(0.03);
    gears.play = Real(1e-3);
  }
};

// Ideal joints between two bodies, up to the number of coordinates.
struct Ideals {
  using Real = ::Real;
  enum Names { one, two, bodies };
  Body<Real> body[bodies] = {{Real(2), Real(0.5)}, {Real(1), Real(0.25)}};
  Prismatic<Real, one, two> guide{{Real(0.1), Real(0.2)}, {Real(0.8), Real(0.6)}, {Real(-0.05), Real(0.02)}};
  Weld<Real, ground, two> weld{{Real(0.3), Real(0)}, {Real(0.1), Real(0.2)}, {Real(0.6), Real(0.8)}};
  Drive<Real, one, two, ConstantSpeed<Real>> drive{ConstantSpeed<Real>(Real(3), Real(0.2))};
  Spring<Real, one, two> spring{{Real(0.1), Real(0)}, {Real(0), Real(0.2)}, Real(40), Real(0.3), Real(2)};
  TorsionSpring<Real, ground, two> torsion{Real(5), Real(0.3), Real(0.1)};
  TurningFriction<Real, one, two> brake{Real(0.5)};
  auto parts() const { return std::tie(guide, weld, drive, spring, torsion, brake); }
};

struct Pins {
  using Real = ::Real;
  enum Names { one, two, bodies };
  static constexpr bool endless = true;
  Body<Real> body[bodies] = {{Real(2), Real(0.5)}, {Real(1), Real(0.25)}};
  Revolute<Real, one, two> pin{{Real(0.1), Real(0.2)}, {Real(-0.05), Real(0.02)}};
  Prismatic<Real, ground, one> guide{{Real(0.1), Real(0.2)}, {Real(0.8), Real(0.6)}, {Real(-0.05), Real(0.02)}};
  auto parts() const { return std::tie(pin, guide); }
};

template <class Parts>
void check_derivatives() {
  const Mechanism<Parts> model;
  using Q = Vector<Real, Mechanism<Parts>::dof>;
  Q q, u;
  ModelChecker<Mechanism<Parts>> checker(model);
  for (int sample = 0; sample < 24; ++sample) {
    for (int d = 0; d < Mechanism<Parts>::dof; ++d) {
      q(d) = Real(0.34) * moreau::sin(Real(1 + sample * 7 + d * 3));
      u(d) = moreau::cos(Real(2 + sample * 5 + d * 11));
    }
    checker.look(q, u, Real(0.01) * Real(sample));
  }
  const auto& report = checker.report();
  for (int m = 0; m < detail::members; ++m) {
    const auto member = static_cast<CheckReport<Real>::Member>(m);
    if (member == CheckReport<Real>::Member::bilateral_dependent) continue;  // weld and drive both hold the angle
    if (!report.worst_of(member).ok())
      moreau::port::print(name(member), ": deviation ", report.worst_of(member).deviation, " index ",
                          report.worst_of(member).index);
    CHECK(report.worst_of(member).ok());
  }
}

// Only in double: differences of floats need steps so large that they cross the corners of these gaps.
void test_gaps_and_rows_agree_with_their_derivatives(void) {
  check_derivatives<test::InBodies<Ideals>>();
  check_derivatives<test::InBodies<Pins>>();
  if constexpr (sizeof(Real) == 8) check_derivatives<Joints>();
}

void test_rotated_slider_in_its_guide(void) {
  PrismaticClearance<Real> joint;
  joint.a = Real(0.3);
  joint.b = Real(0.1);
  joint.play = Real(0.02);
  const auto body = Frame<Real>::at({Real(1), Real(0.005)}, Real(0.03));
  const Real sin = moreau::sin(Real(0.03)), cos = moreau::cos(Real(0.03));
  const Real up[] = {1, 1, -1, -1}, right[] = {-1, 1, -1, 1};
  for (int k = 0; k < 4; ++k) {
    const auto c = joint.contact(k, Frame<Real>{}, body);
    const Real y = Real(0.005) + right[k] * Real(0.3) * sin + up[k] * Real(0.1) * cos;
    CHECK_WITHIN(rounding_error, Real(0.12) - up[k] * y, c.g_N);
    CHECK_WITHIN(rounding_error, -up[k], c.n.y);
    CHECK_WITHIN(rounding_error, y, c.p.y);
  }
}

// Beyond the end of the guide, its edge touches the face of the slider; at the end, both contacts agree up to 1 - cos
// of the tilt.
void test_slider_beyond_the_end_of_its_guide(void) {
  PrismaticClearance<Real> joint;
  joint.a = Real(0.3);
  joint.b = Real(0.1);
  joint.play = Real(0.02);
  joint.half_length = Real(0.5);
  const auto body = Frame<Real>::at({Real(0.4), Real(0)}, Real(0.05));
  const auto edge = joint.contact(1, Frame<Real>{}, body);
  CHECK_WITHIN(rounding_error, Real(0.5), edge.p.x);
  CHECK_WITHIN(rounding_error, Real(0.12), edge.p.y);
  CHECK_WITHIN(rounding_error, moreau::sin(Real(0.05)), edge.n.x);
  const auto inner = joint.contact(0, Frame<Real>{}, body);
  CHECK_WITHIN(rounding_error, Real(0), inner.n.x);
  // on either side of the point where the corner leaves the guide
  const Real shift = sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5);
  const auto out = Frame<Real>::at(
      {Real(0.2) + Real(0.1) * moreau::sin(Real(0.05)) + Real(0.3) * Real(0.0012497) + shift, Real(0)}, Real(0.05));
  const Real with_edge = joint.contact(1, Frame<Real>{}, out).g_N;
  joint.half_length = std::numeric_limits<Real>::infinity();
  const Real with_corner = joint.contact(1, Frame<Real>{}, out).g_N;
  CHECK_WITHIN(Real(2e-5), with_corner, with_edge);
}

// gap() agrees with the g_N of contact(), and the frame and state of the ground with those of a body at rest. Samples
// include corners inside and outside a guide with ends.
void test_gap_alone_and_ground(void) {
  const Joints joints;
  const detail::GroundState<Real> ground_state;
  const BodyState<Real> at_rest;
  int outside = 0;
  for (const auto* guide : {&joints.endless_guide, &joints.short_guide})
    for (int sample = 0; sample < 20; ++sample) {
      const Real x = Real(0.4) * moreau::sin(Real(7 * sample)), y = Real(0.3) * moreau::cos(Real(5 * sample));
      const auto A = Frame<Real>::at({y, x}, Real(sample)), B = Frame<Real>::at({x, y}, Real(0.7) * Real(sample));
      const BodyState<Real> state_B{B, {Real(3), Real(-2)}, Real(20)};
      for (int k = 0; k < 4; ++k) {
        CHECK_WITHIN(rounding_error, guide->contact(k, A, B).g_N, guide->gap(k, A, B));
        const auto c = guide->contact(k, at_rest.frame, B), same = guide->contact(k, ground_state.frame, B);
        outside += dot(c.n, guide->axis) != 0;
        CHECK(c.g_N == same.g_N && c.n.x == same.n.x && c.n.y == same.n.y && c.p.x == same.p.x && c.p.y == same.p.y);
        CHECK_WITHIN(rounding_error, c.g_N, guide->gap(k, ground_state.frame, B));
        const auto bias = guide->contact_bias_acceleration(k, c, at_rest, state_B);
        const auto of_ground = guide->contact_bias_acceleration(k, c, ground_state, state_B);
        const Real rounding = Real(20 * 20) * rounding_error;  // omega^2
        CHECK_WITHIN(rounding, bias.N, of_ground.N);
        CHECK_WITHIN(rounding, bias.T, of_ground.T);
        const auto turned = guide->contact_bias_acceleration(k, guide->contact(k, B, at_rest.frame), state_B, at_rest);
        const auto on_ground =
            guide->contact_bias_acceleration(k, guide->contact(k, B, at_rest.frame), state_B, ground_state);
        CHECK_WITHIN(rounding, turned.N, on_ground.N);
        CHECK_WITHIN(rounding, turned.T, on_ground.T);
      }
    }
  CHECK(outside > 0);
}

// WithoutEnds has the contacts of an infinite guide, and rejects a length.
void test_guide_without_ends(void) {
  using Guide = PrismaticClearance<Real, ground, 0>;
  Guide guide;
  guide.axis = {Real(0.8), Real(0.6)};
  guide.on_B = {Real(-0.05), Real(0.02)};
  guide.a = Real(0.3), guide.b = Real(0.1), guide.play = Real(0.01);
  const Guide::WithoutEnds endless{guide};
  CHECK(endless.valid());
  for (int sample = 0; sample < 20; ++sample) {
    const auto B = Frame<Real>::at({Real(0.3) * Real(sample), Real(0.2)}, Real(0.7) * Real(sample));
    const BodyState<Real> state_B{B, {Real(3), Real(-2)}, Real(20)}, at_rest;
    for (int k = 0; k < 4; ++k) {
      const auto c = guide.contact(k, Frame<Real>{}, B), same = endless.contact(k, Frame<Real>{}, B);
      CHECK(c.g_N == same.g_N && c.n.x == same.n.x && c.n.y == same.n.y && c.p.x == same.p.x && c.p.y == same.p.y);
      CHECK(guide.gap(k, Frame<Real>{}, B) == endless.gap(k, Frame<Real>{}, B));
      const auto bias = guide.contact_bias_acceleration(k, c, at_rest, state_B);
      const auto of_endless = endless.contact_bias_acceleration(k, c, at_rest, state_B);
      CHECK(bias.N == of_endless.N && bias.T == of_endless.T);
    }
  }
  guide.half_length = Real(1);
  CHECK(!Guide::WithoutEnds{guide}.valid());
}

void test_pin_in_its_bearing(void) {
  RevoluteClearance<Real> joint;
  joint.play = Real(0.01);
  joint.radius = Real(0.05);
  const auto c = joint.contact(0, Frame<Real>{}, Frame<Real>::at({Real(0.006), Real(0.008)}, Real(0)));
  CHECK_WITHIN(rounding_error, Real(0), c.g_N);
  CHECK_WITHIN(rounding_error, Real(-0.6), c.n.x);
  CHECK_WITHIN(rounding_error, Real(-0.8), c.n.y);
  CHECK_WITHIN(rounding_error, Real(0.036), c.p.x);
  CHECK_WITHIN(rounding_error, Real(0.048), c.p.y);
  const P direction = c.side_of(Frame<Real>{});
  CHECK_WITHIN(rounding_error, Real(0.6), direction.x);
  CHECK_WITHIN(rounding_error, Real(0.8), direction.y);
}

void test_centred_pin_has_a_direction(void) {
  RevoluteClearance<Real> joint;
  joint.play = Real(0.01);
  for (const Real off : {Real(0), std::numeric_limits<Real>::denorm_min(), std::numeric_limits<Real>::min()}) {
    const auto c = joint.contact(0, Frame<Real>{}, Frame<Real>::at({Real(0), off}, Real(0)));
    CHECK_WITHIN(rounding_error, Real(0.01), c.g_N);
    CHECK_WITHIN(rounding_error, Real(1), dot(c.n, c.n));
    CHECK(configuration(joint, c) == RevoluteClearance<Real>::Configuration::centred);
  }
}

void test_pin_in_its_slot(void) {
  SlotClearance<Real> joint;
  joint.half_length = Real(0.1);
  joint.play = Real(0.01);
  const auto straight = joint.contact(0, Frame<Real>{}, Frame<Real>::at({Real(0.07), Real(-0.004)}, Real(0)));
  CHECK_WITHIN(rounding_error, Real(0.006), straight.g_N);
  CHECK_WITHIN(rounding_error, Real(1), straight.n.y);
  const auto end = joint.contact(0, Frame<Real>{}, Frame<Real>::at({Real(0.106), Real(0.008)}, Real(0)));
  CHECK_WITHIN(rounding_error, Real(0), end.g_N);
  // Difference of lengths 100 times as large.
  CHECK_WITHIN(Real(100) * std::numeric_limits<Real>::epsilon(), Real(-0.6), end.n.x);
}

void test_configurations_have_names(void) {
  using Slider = PrismaticClearance<Real>::Configuration;
  constexpr Slider sliders[] = {
      Slider::free,  Slider::corner_1,        Slider::corner_2,   Slider::face_upper, Slider::corner_3,
      Slider::tight, Slider::diagonal_rising, Slider::tight,      Slider::corner_4,   Slider::diagonal_falling,
      Slider::tight, Slider::tight,           Slider::face_lower, Slider::tight,      Slider::tight,
      Slider::tight};
  volatile unsigned closed = 0;  // evaluated at run time
  for (; closed < 16; closed = closed + 1) CHECK(configuration(PrismaticClearance<Real>{}, closed) == sliders[closed]);
  static_assert(Backlash<Real>::counts_turns, "its angles must not be wrapped");
  using Flank = Backlash<Real>::Configuration;
  constexpr Flank flanks[] = {Flank::free, Flank::upper_flank, Flank::lower_flank, Flank::tight};
  for (closed = 0; closed < 4; closed = closed + 1) CHECK(configuration(Backlash<Real>{}, closed) == flanks[closed]);
  Frame<Real> turned;
  turned.phi = Real(0.25);  // B ahead of A: the first flank is nearer
  CHECK(Backlash<Real>{}.contact(0, Frame<Real>{}, turned).g_N == Real(-0.25));
  CHECK(Backlash<Real>{}.contact(1, Frame<Real>{}, turned).g_N == Real(0.25));
  SlotClearance<Real> slot;
  slot.play = Real(0.01);
  JointContact<Real> contact;
  contact.g_N = slot.play;
  CHECK(configuration(slot, contact) == RevoluteClearance<Real>::Configuration::centred);
  contact.g_N = slot.play / 2;
  CHECK(configuration(slot, contact) == RevoluteClearance<Real>::Configuration::free);
  CHECK(configuration(PointOnLine<Real>{}, contact) == PointOnLine<Real>::Configuration::free);
  contact.g_N = 0;
  CHECK(configuration(slot, contact) == RevoluteClearance<Real>::Configuration::touching);
  CHECK(configuration(PointOnLine<Real>{}, contact) == PointOnLine<Real>::Configuration::touching);
  TEST_ASSERT_EQUAL_STRING("corner 1", name(PrismaticClearance<Real>::Configuration::corner_1));
  TEST_ASSERT_EQUAL_STRING("diagonal rising", name(PrismaticClearance<Real>::Configuration::diagonal_rising));
  TEST_ASSERT_EQUAL_STRING("tight", name(PrismaticClearance<Real>::Configuration::tight));
  TEST_ASSERT_EQUAL_STRING("touching", name(RevoluteClearance<Real>::Configuration::touching));
  TEST_ASSERT_EQUAL_STRING("lower flank", name(Backlash<Real>::Configuration::lower_flank));
  volatile int n = 0;
  TEST_ASSERT_EQUAL_STRING("free", name(PointOnLine<Real>::Configuration(n + 0)));
  TEST_ASSERT_EQUAL_STRING("touching", name(PointOnLine<Real>::Configuration(n + 1)));
}

// Each parameter of a slot has its own range.
void test_slot_out_of_range_is_invalid(void) {
  const auto with = [](Real half_length, Real play, Real radius) {
    SlotClearance<Real> slot;
    slot.half_length = half_length;
    slot.play = play;
    volatile Real at_run_time = radius;  // prevents evaluation at compile time
    slot.radius = at_run_time;
    return slot.valid();
  };
  CHECK(with(Real(0), Real(1), Real(0)));
  CHECK(!with(Real(-1), Real(1), Real(0)));
  CHECK(!with(Real(0), Real(-1), Real(0)));
  CHECK(!with(Real(0), Real(1), Real(-1)));
  SlotClearance<Real> slot;
  slot.axis = {Real(1), Real(1)};
  CHECK(!slot.valid());
}

// Rows without a declared entry have none, in any configuration: the zeros are not computed.
template <class Parts>
void check_declared_zeros() {
  using Model = Mechanism<Parts>;
  const Model model;
  test::Random random(7);
  int zeros = 0;
  for (int sample = 0; sample < 20; ++sample) {
    Vector<Real, Model::dof> q;
    for (int d = 0; d < Model::dof; ++d) q(d) = random.between(Real(-2), Real(2));
    const auto at = model.at(q, Real(0));
    for (int d = 0; d < Model::dof; ++d) {
      for (int j = 0; j < Model::bilaterals; ++j) {
        if (Model::touches(j, d)) continue;
        CHECK(model.bilateral(j, at).w(d) == 0);
        ++zeros;
      }
      for (int i = 0; i < Model::contacts; ++i) {
        if (Model::List::contact_touches(i, d)) continue;
        CHECK(model.directions(i, at).w_N(d) == 0);
        ++zeros;
      }
    }
  }
  CHECK(zeros > 0);
}
void test_declared_zeros_are_zeros(void) {
  check_declared_zeros<test::InBodies<Ideals>>();
  check_declared_zeros<test::InBodies<Pins>>();
  check_declared_zeros<test::InBodies<Joints>>();
}

// Zero sizes are valid, negative ones are not; clearances and the lengths of a guide and its slider are positive. A pin
// with friction has a radius.
void test_ranges_of_joint_parameters(void) {
  PrismaticClearance<Real> guide;
  guide.half_length = Real(0.1);
  RevoluteClearance<Real> pin;
  SlotClearance<Real> slot;
  slot.half_length = Real(0.1);
  PointOnLine<Real> point;
  Backlash<Real> mesh;
  guide.b = pin.radius = slot.radius = point.radius = 0;
  guide.a = Real(0.1);
  guide.play = pin.play = slot.play = mesh.play = std::numeric_limits<Real>::denorm_min();
  CHECK(guide.valid() && pin.valid() && slot.valid() && point.valid() && mesh.valid());
  for (const Real bad : {-std::numeric_limits<Real>::denorm_min(), std::numeric_limits<Real>::quiet_NaN()}) {
    guide.play = pin.play = slot.play = point.radius = mesh.play = bad;
    CHECK(!guide.valid() && !pin.valid() && !slot.valid() && !point.valid() && !mesh.valid());
  }
  guide.play = pin.play = slot.play = mesh.play = 0;
  CHECK(!guide.valid() && !pin.valid() && !slot.valid() && !mesh.valid());
  guide.play = Real(1e-3);
  guide.half_length = 0;
  CHECK(!guide.valid());
  guide.half_length = std::numeric_limits<Real>::infinity();  // a guide can be infinite, a slider cannot
  CHECK(guide.valid());
  for (const Real bad : {Real(0), std::numeric_limits<Real>::infinity()}) {
    guide.a = bad;
    CHECK(!guide.valid());
  }
  pin.play = Real(1e-3);
  CHECK(pin.valid());
  pin.law.mu = Real(0.3);
  CHECK(!pin.valid());
  pin.radius = Real(0.01);
  CHECK(pin.valid());
  CHECK(PointOnLine<Real>{}.radius == 0 && SlotClearance<Real>{}.radius == 0 && RevoluteClearance<Real>{}.radius == 0);
  CHECK(JointContact<Real>{}.g_N == 0);
  CHECK(PrismaticClearance<Real>{}.a == 0 && PrismaticClearance<Real>{}.b == 0);
}

// The slider of the hand-derived slider-crank: its guide as a joint, with the coordinates of the model.
void test_joint_in_a_hand_written_model(void) {
  const models::SliderCrank<Real> model;
  const auto q = Vector<Real, 3>(Real(0.7), Real(-0.36), Real(0.01));
  const auto s = model.at(q, Real(0));
  PrismaticClearance<Real> guide;
  guide.a = model.a;
  guide.b = model.b;
  guide.play = model.play;
  const Frame<Real> slider{
      {model.l_1 * s.cos_1 + model.l_2 * s.cos_2, model.l_1 * s.sin_1 + model.l_2 * s.sin_2}, q(2), s.sin_3, s.cos_3};
  FrameJacobian<Real, 3> moves;
  moves.x << -model.l_1 * s.sin_1, -model.l_2 * s.sin_2, Real(0);
  moves.y << model.l_1 * s.cos_1, model.l_2 * s.cos_2, Real(0);
  moves.phi << Real(0), Real(0), Real(1);
  for (int k = 0; k < 4; ++k) {
    const auto c = guide.contact(k, Frame<Real>{}, slider);
    const auto d = directions(c, Frame<Real>{}, FrameJacobian<Real, 3>{}, slider, moves);
    const auto expected = model.directions(k, s);
    CHECK_WITHIN(rounding_error, model.gap(k, s), c.g_N);
    const Real turned =
        // the tangent of the joint rotates with the normal, that of the model does not
        c.n.y < Real(0) ? Real(-1) : Real(1);
    for (int j = 0; j < 3; ++j) {
      CHECK_WITHIN(rounding_error, expected.w_N(j), d.w_N(j));
      CHECK_WITHIN(rounding_error, expected.w_T(j), turned * d.w_T(j));
    }
  }
}

// Moving guide: zeta is the relative velocity at u = 0.
void test_zeta_of_a_moving_guide(void) {
  PrismaticClearance<Real> guide;
  guide.a = Real(0.1);
  FrameJacobian<Real, 3> free, moved;
  free.x(0) = free.y(1) = free.phi(2) = Real(1);
  moved.v_0 = {Real(2), Real(3)};
  moved.omega_0 = Real(4);
  const auto slider = Frame<Real>::at({Real(0.5), Real(0)}, Real(0));
  const auto d = directions(guide.contact(3, Frame<Real>{}, slider), Frame<Real>{}, moved, slider, free);
  CHECK_WITHIN(rounding_error * 10, -(Real(3) + Real(4) * Real(0.6)), d.zeta_N);  // lower right corner, n = +y
  CHECK_WITHIN(rounding_error * 10, Real(-2), d.zeta_T);
}

}  // namespace

TEST_MAIN({
  TEST(test_gaps_and_rows_agree_with_their_derivatives);
  TEST(test_rotated_slider_in_its_guide);
  TEST(test_slider_beyond_the_end_of_its_guide);
  TEST(test_gap_alone_and_ground);
  TEST(test_guide_without_ends);
  TEST(test_pin_in_its_bearing);
  TEST(test_centred_pin_has_a_direction);
  TEST(test_pin_in_its_slot);
  TEST(test_ranges_of_joint_parameters);
  TEST(test_configurations_have_names);
  TEST(test_slot_out_of_range_is_invalid);
  TEST(test_declared_zeros_are_zeros);
  TEST(test_joint_in_a_hand_written_model);
  TEST(test_zeta_of_a_moving_guide);
})
