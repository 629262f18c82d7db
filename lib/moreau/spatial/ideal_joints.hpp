// Ideal joints in space: constraints g(q) = 0 at velocity and position level.
//
// A joint connects the point on_A and the direction axis_A of A to the point on_B and the direction axis_B of B. The
// directions normal_A and normal_B, perpendicular to the axes, determine the angle about the axis. The joints with play
// have the same members.
//
//   spherical     p_B = p_A                                                       3 rows
//   revolute      p_B = p_A, axis_B parallel to axis_A                            5 rows
//   universal     p_B = p_A, axis_B perpendicular to axis_A                       4 rows
//   cylindrical   p_B on the line (p_A, axis_A), axis_B parallel to axis_A        4 rows
//   prismatic     the same, and normal_B parallel to normal_A                     5 rows
//   planar        p_B in the plane (p_A, axis_A), axis_B parallel to axis_A       3 rows
//   weld          p_B = p_A, axis_B and normal_B parallel to axis_A, normal_A     6 rows
//
// Two kinds of rows:
//
//   distance        g = n . (p_B - p_A),  n fixed in A or in the world
//   perpendicular   g = s . e,            s fixed in A, e fixed in B; the cosine of their angle
//
// bias_acceleration is g'' in a motion without forces (spatial/body_state.hpp). An axis in the opposite direction also
// satisfies g = 0; `reversed` reports it.
//
// A closed chain of hinges with parallel axes has dependent rows: replace two of its Revolute joints by a Spherical and
// a Universal joint, or give a joint play.
#pragma once

#include "moreau/spatial/ground.hpp"
#include "moreau/spatial/joint_contact.hpp"

namespace moreau {
namespace spatial {

// One row of an ideal joint: wrenches on both bodies, zeta and g.
template <class Real>
struct JointRow {
  Wrench<Real> A, B;
  Real zeta = Real(0);  // velocity of the row at u = 0, m/s or rad/s
  Real g = Real(0);     // position error, m or rad
};

// Sparsity of a row: the nonzero components of its force in the world, and whether it has moments.
struct Touches {
  bool x = true, y = true, z = true, moment = true;
};

namespace detail {

template <class Real>
constexpr Real component(Point<Real> a, int k) {
  return k == 0 ? a.x : (k == 1 ? a.y : a.z);
}
template <class Real>
constexpr Point<Real> world_axis(int k) {
  return {Real(k == 0), Real(k == 1), Real(k == 2)};
}

// Returns the row that makes two points coincide along axis k of the world.
template <class FrameA, class FrameB, class Real>
constexpr JointRow<Real> pin_row(int k, const FrameA& A, const FrameB& B, Point<Real> p_A, Point<Real> p_B) {
  const Point<Real> e = world_axis<Real>(k);
  return {wrench_at(A, p_A, -e), wrench_at(B, p_B, e), Real(0), component(p_B - p_A, k)};
}
template <class StateA, class StateB, class Real>
constexpr Real pin_bias(int k, const StateA& A, const StateB& B, Point<Real> p_A, Point<Real> p_B) {
  if constexpr (is_ground<StateA>)
    return component(acceleration_of(B, p_B), k);
  else if constexpr (is_ground<StateB>)
    return -component(acceleration_of(A, p_A), k);
  else
    return component(acceleration_of(B, p_B) - acceleration_of(A, p_A), k);
}

// Returns the row of the distance from p_A to p_B along n, which is fixed in A.
template <class FrameA, class FrameB, class Real>
constexpr JointRow<Real> distance_row(const FrameA& A, const FrameB& B, Point<Real> p_A, Point<Real> p_B,
                                      Point<Real> n) {
  return {wrench_at(A, p_B, -n), wrench_at(B, p_B, n), Real(0), dot(n, p_B - p_A)};
}
template <class StateA, class StateB, class Real>
constexpr Real distance_bias(const StateA& A, const StateB& B, Point<Real> p_B, Point<Real> n) {
  if constexpr (is_ground<StateA>) {
    return dot(n, acceleration_of(B, p_B));
  } else {
    Point<Real> v = -A.velocity_of(p_B), a = -acceleration_of(A, p_B);
    if constexpr (!is_ground<StateB>) {
      v = B.velocity_of(p_B) + v;
      a = acceleration_of(B, p_B) + a;
    }
    return dot(n, a - Real(2) * cross(A.omega, v));
  }
}

// Returns the row of the cosine of the angle between s of A and e of B.
template <class FrameA, class FrameB, class Real>
constexpr JointRow<Real> perpendicular_row(const FrameA& A, const FrameB& B, Point<Real> s, Point<Real> e) {
  const Point<Real> moment = cross(e, s);
  return {wrench_of_moment(A, -moment), wrench_of_moment(B, moment), Real(0), dot(s, e)};
}
template <class StateA, class StateB, class Real>
constexpr Real perpendicular_bias(const StateA& A, const StateB& B, Point<Real> s, Point<Real> e) {
  if constexpr (is_ground<StateA>)
    return dot(s, acceleration_of_direction(B, e));
  else if constexpr (is_ground<StateB>)
    return dot(acceleration_of_direction(A, s), e);
  else
    return dot(acceleration_of_direction(A, s), e) + Real(2) * dot(cross(A.omega, s), cross(B.omega, e)) +
           dot(s, acceleration_of_direction(B, e));
}

constexpr Touches pin_touches(int k) { return {k == 0, k == 1, k == 2, true}; }
constexpr Touches moment_touches() { return {false, false, false, true}; }

// Returns true for a unit vector perpendicular to another one, to three digits.
template <class Real>
constexpr bool is_normal(Point<Real> axis, Point<Real> normal) {
  return is_unit(normal) && moreau::detail::absolute(dot(axis, normal)) < Real(1e-3);
}

// Rows of a joint with parallel axes: `points` rows of its points, two of its axes, and optionally one of its normals.
//
//   points = 3   points coincide;   2   p_B on a line;   1   p_B in a plane
template <class Real, int points, bool holds_normal>
struct AxisRows {
  static constexpr int count = points + 2 + int(holds_normal);
  static constexpr Touches touches(int k) {
    return k >= points ? moment_touches() : (points == 3 ? pin_touches(k) : Touches{});
  }

  // Directions of A and B: the axes, two unit vectors of A perpendicular to axis_A, and a unit vector of B.
  struct Directions {
    Point<Real> axis_A, normal_A, third_A, axis_B, normal_B;

    constexpr Point<Real> of_point(int k) const { return points == 1 ? axis_A : (k == 0 ? normal_A : third_A); }
    constexpr Point<Real> on_A(int k) const { return k == points ? normal_A : third_A; }
    constexpr Point<Real> on_B(int k) const { return k < points + 2 ? axis_B : normal_B; }
  };

  template <class FrameA, class FrameB>
  static JointRow<Real> row(int k, const FrameA& A, const FrameB& B, Point<Real> p_A, Point<Real> p_B,
                            const Directions& d) {
    if (k >= points) return perpendicular_row(A, B, A.turn(d.on_A(k)), B.turn(d.on_B(k)));
    if constexpr (points == 3)
      return pin_row(k, A, B, p_A, p_B);
    else
      return distance_row(A, B, p_A, p_B, A.turn(d.of_point(k)));
  }
  template <class StateA, class StateB>
  static Real bias(int k, const StateA& A, const StateB& B, Point<Real> p_A, Point<Real> p_B, const Directions& d) {
    if (k >= points) return perpendicular_bias(A, B, A.frame.turn(d.on_A(k)), B.frame.turn(d.on_B(k)));
    if constexpr (points == 3)
      return pin_bias(k, A, B, p_A, p_B);
    else
      return distance_bias(A, B, p_B, A.frame.turn(d.of_point(k)));
  }
  // Returns true if the direction of B that row k constrains is opposite to its counterpart of A.
  static bool reversed(int k, const Frame<Real>& A, const Frame<Real>& B, const Directions& d) {
    if (k < points) return false;
    return dot(A.turn(k < points + 2 ? d.axis_A : d.normal_A), B.turn(d.on_B(k))) < Real(0);
  }
};

// Returns the default of normal_A and normal_B: x for joints without rotation about their axis, empty for all others.
template <class Real>
constexpr Point<Real> default_normal(Point<Real>) {
  return {Real(1), Real(0), Real(0)};
}
struct NoNormal {};
constexpr NoNormal default_normal(NoNormal) { return {}; }

// Joint with parallel axes, with or without rotation about them.
template <class Real, int A, int B, int points, bool holds_normal>
struct AxisJoint {
  using Rows = AxisRows<Real, points, holds_normal>;
  using Normal = std::conditional_t<holds_normal, Point<Real>, NoNormal>;
  static constexpr int body_A = A, body_B = B, bilaterals = Rows::count;
  static constexpr Touches touches(int k) { return Rows::touches(k); }

  Point<Real> on_A;                               // a point of the joint in A, m
  Point<Real> axis_A{Real(0), Real(0), Real(1)};  // its axis in A, a unit vector
  Point<Real> on_B;                               // the same point in B, m
  Point<Real> axis_B{Real(0), Real(0), Real(1)};
  Normal normal_A = default_normal(Normal{});  // without rotation: a unit vector of A perpendicular to axis_A
  Normal normal_B = default_normal(Normal{});  // the same direction in B

  bool valid() const {
    if constexpr (holds_normal)
      if (!is_normal(axis_A, normal_A) || !is_normal(axis_B, normal_B)) return false;
    return is_unit(axis_A) && is_unit(axis_B);
  }
  JointRow<Real> bilateral(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real) const {
    const auto& at_A = frame_of_part<A>(frame_A);
    const auto& at_B = frame_of_part<B>(frame_B);
    return Rows::row(k, at_A, at_B, at_A.world(on_A), at_B.world(on_B), directions());
  }
  Real bias_acceleration(int k, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    const auto& at_A = state_of_part<A>(state_A);
    const auto& at_B = state_of_part<B>(state_B);
    return Rows::bias(k, at_A, at_B, at_A.frame.world(on_A), at_B.frame.world(on_B), directions());
  }
  bool reversed(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    return Rows::reversed(k, frame_A, frame_B, directions());
  }

 private:
  typename Rows::Directions directions() const {
    if constexpr (holds_normal) {
      return {axis_A, normal_A, cross(axis_A, normal_A), axis_B, normal_B};
    } else {
      const Point<Real> normal = across(axis_A);
      return {axis_A, normal, cross(axis_A, normal), axis_B, {}};
    }
  }
};

}  // namespace detail

// Hinge: rotation about the axis.
template <class Real, int A, int B>
using Revolute = detail::AxisJoint<Real, A, B, 3, false>;
// Rotation about the axis and translation along it.
template <class Real, int A, int B>
using Cylindrical = detail::AxisJoint<Real, A, B, 2, false>;
// Rotation about the axis and translation across it.
template <class Real, int A, int B>
using Planar = detail::AxisJoint<Real, A, B, 1, false>;
// Translation along the axis.
template <class Real, int A, int B>
using Prismatic = detail::AxisJoint<Real, A, B, 2, true>;
// Rigid connection of two bodies.
template <class Real, int A, int B>
using Weld = detail::AxisJoint<Real, A, B, 3, true>;

// Ball joint without clearance.
template <class Real, int A, int B>
struct Spherical {
  static constexpr int body_A = A, body_B = B, bilaterals = 3;
  static constexpr Touches touches(int k) { return detail::pin_touches(k); }

  Point<Real> on_A, on_B;  // centre of the ball in A and B, m

  JointRow<Real> bilateral(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real) const {
    const auto& at_A = detail::frame_of_part<A>(frame_A);
    const auto& at_B = detail::frame_of_part<B>(frame_B);
    return detail::pin_row(k, at_A, at_B, at_A.world(on_A), at_B.world(on_B));
  }
  Real bias_acceleration(int k, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    const auto& at_A = detail::state_of_part<A>(state_A);
    const auto& at_B = detail::state_of_part<B>(state_B);
    return detail::pin_bias(k, at_A, at_B, at_A.frame.world(on_A), at_B.frame.world(on_B));
  }
};

// Universal joint: the cross turns about axis_A in A and about axis_B in B, which remain perpendicular.
template <class Real, int A, int B>
struct Universal {
  static constexpr int body_A = A, body_B = B, bilaterals = 4;
  static constexpr Touches touches(int k) { return k < 3 ? detail::pin_touches(k) : detail::moment_touches(); }

  Point<Real> on_A;                               // centre of the cross in A, m
  Point<Real> axis_A{Real(1), Real(0), Real(0)};  // axis of the cross in A, a unit vector
  Point<Real> on_B;                               // centre of the cross in B, m
  Point<Real> axis_B{Real(0), Real(1), Real(0)};

  bool valid() const { return detail::is_unit(axis_A) && detail::is_unit(axis_B); }
  JointRow<Real> bilateral(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real) const {
    if (k == 3) return detail::perpendicular_row(frame_A, frame_B, frame_A.turn(axis_A), frame_B.turn(axis_B));
    return detail::pin_row(k, frame_A, frame_B, frame_A.world(on_A), frame_B.world(on_B));
  }
  Real bias_acceleration(int k, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    if (k == 3)
      return detail::perpendicular_bias(state_A, state_B, state_A.frame.turn(axis_A), state_B.frame.turn(axis_B));
    return detail::pin_bias(k, state_A, state_B, state_A.frame.world(on_A), state_B.frame.world(on_B));
  }
};

}  // namespace spatial
}  // namespace moreau
