// Points, rotations and frames of space.
//
//   world = r + R local,   R = (x y z), the axes of the frame in the world
//
//   unit quaternion (w, x, y, z)          orientation for users: w = cos(a/2), (x, y, z) = sin(a/2) axis
//   modified Rodrigues parameters sigma   orientation in q: sigma = (x, y, z) / (1 + w) = tan(a/4) axis
//
// Every sigma represents an orientation, so three unconstrained numbers suffice. sigma and -sigma / |sigma|^2 represent
// the same orientation; |sigma| <= 1 represents a rotation by at most half a turn.
//
// Rotations are applied as increments, the quaternion minus (1, 0, 0, 0). In float, a rotation by a small angle would
// otherwise be rounded to the resolution of numbers near 1.
#pragma once

#include "moreau/joints/plane.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/math/sqrt.hpp"

namespace moreau {
namespace spatial {

// Point or vector of space.
template <class Real>
struct Point {
  Real x = Real(0), y = Real(0), z = Real(0);

  friend constexpr Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Point operator-(Point a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Point operator*(Real s, Point a) { return {s * a.x, s * a.y, s * a.z}; }
};

template <class Real>
constexpr Real dot(Point<Real> a, Point<Real> b) {
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}
// Returns the vector product.
template <class Real>
constexpr Point<Real> cross(Point<Real> a, Point<Real> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// Unit quaternion of an orientation. The default is that of the world.
template <class Real>
struct Quaternion {
  Real w = Real(1), x = Real(0), y = Real(0), z = Real(0);
};

// Returns the rotation by `angle` (rad) about a unit vector.
template <class Real>
Quaternion<Real> rotation(Point<Real> axis, Real angle) {
  const SinCos<Real> s = sincos(Real(0.5) * angle);
  return {s.cos, s.sin * axis.x, s.sin * axis.y, s.sin * axis.z};
}

namespace detail {

// Returns true if |a|^2 differs from 1 by less than 1e-3 (joints/plane.hpp).
template <class Real>
constexpr bool is_unit(Point<Real> a) {
  return moreau::detail::is_unit(moreau::Point<Real>{dot(a, a), Real(0)});
}

// Returns the component-wise product.
template <class Real>
constexpr Point<Real> times(Point<Real> a, Point<Real> b) {
  return {a.x * b.x, a.y * b.y, a.z * b.z};
}

template <class Real>
constexpr Quaternion<Real> quaternion_of(Point<Real> sigma) {
  const Real square = dot(sigma, sigma), per = Real(1) / (Real(1) + square), twice = Real(2) * per;
  return {(Real(1) - square) * per, twice * sigma.x, twice * sigma.y, twice * sigma.z};
}
template <class Real>
constexpr Point<Real> rodrigues_of(Quaternion<Real> q) {
  return (Real(1) / (Real(1) + q.w)) * Point<Real>{q.x, q.y, q.z};
}

// Rotation as an increment: unit quaternion (1 + w1, v).
template <class Real>
struct Increment {
  Real w1;
  Point<Real> v;
};

// Returns the increment of a rotation vector, the axis times the angle in rad.
template <class Real>
MOREAU_ALWAYS_INLINE Increment<Real> increment_of(Point<Real> x) {
  using C = moreau::detail::Branchless;
  const Real angle = moreau::sqrt(dot(x, x));
  const SinCos<Real> quarter = sincos(Real(0.25) * angle);
  const Real sine = Real(2) * quarter.sin * quarter.cos;  // of half the angle
  const auto turns = C::positive(angle);
  const Real ratio = sine / moreau::detail::select<C>(turns, angle, Real(1));
  return {Real(-2) * quarter.sin * quarter.sin, moreau::detail::select<C>(turns, ratio, Real(0.5)) * x};
}

// Returns the orientation q rotated about the axes of its own frame.
template <class Real>
constexpr Quaternion<Real> turned(Quaternion<Real> q, Increment<Real> by) {
  const Point<Real> v{q.x, q.y, q.z}, change = (by.w1 * v + q.w * by.v) + cross(v, by.v);
  return {q.w + (q.w * by.w1 - dot(v, by.v)), q.x + change.x, q.y + change.y, q.z + change.z};
}

}  // namespace detail

// Position and orientation of a body. The origin is the centre of mass; Frame{} is the world frame.
template <class Real>
struct Frame {
  Point<Real> r;  // position of the origin, m
  Point<Real> x{Real(1), Real(0), Real(0)}, y{Real(0), Real(1), Real(0)}, z{Real(0), Real(0), Real(1)};  // axes

  static constexpr Frame at(Point<Real> r, Quaternion<Real> q) {
    const Real x2 = Real(2) * q.x, y2 = Real(2) * q.y, z2 = Real(2) * q.z;
    const Real xx = x2 * q.x, yy = y2 * q.y, zz = z2 * q.z, xy = x2 * q.y, xz = x2 * q.z, yz = y2 * q.z;
    const Real wx = q.w * x2, wy = q.w * y2, wz = q.w * z2;
    return {r,
            {Real(1) - (yy + zz), xy + wz, xz - wy},
            {xy - wz, Real(1) - (xx + zz), yz + wx},
            {xz + wy, yz - wx, Real(1) - (xx + yy)}};
  }
  // Rotates a vector into the world frame.
  constexpr Point<Real> turn(Point<Real> a) const { return (a.x * x + a.y * y) + a.z * z; }
  // Rotates a vector into this frame.
  constexpr Point<Real> turn_back(Point<Real> a) const { return {dot(x, a), dot(y, a), dot(z, a)}; }
  // Returns the world coordinates of a point of this frame.
  constexpr Point<Real> world(Point<Real> local) const { return r + turn(local); }
  // Returns the coordinates of a world point in this frame.
  constexpr Point<Real> local(Point<Real> world) const { return turn_back(world - r); }
};

namespace detail {

// Returns the orientation of right-handed axes, from its largest component.
template <class Real>
Quaternion<Real> quaternion_of_axes(const Frame<Real>& f) {
  const Real squares[] = {Real(1) + f.x.x + f.y.y + f.z.z, Real(1) + f.x.x - f.y.y - f.z.z,
                          Real(1) - f.x.x + f.y.y - f.z.z, Real(1) - f.x.x - f.y.y + f.z.z};  // 4 (w, x, y, z)^2
  int largest = 0;
  for (int k = 1; k < 4; ++k)
    if (squares[k] > squares[largest]) largest = k;
  const Real root = moreau::sqrt(squares[largest]), per = Real(0.5) / root, half = Real(0.5) * root;
  const Point<Real> twist{per * (f.y.z - f.z.y), per * (f.z.x - f.x.z), per * (f.x.y - f.y.x)};
  const Real xy = per * (f.y.x + f.x.y), xz = per * (f.z.x + f.x.z), yz = per * (f.z.y + f.y.z);
  if (largest == 0) return {half, twist.x, twist.y, twist.z};
  if (largest == 1) return {twist.x, half, xy, xz};
  return largest == 2 ? Quaternion<Real>{twist.y, xy, half, yz} : Quaternion<Real>{twist.z, xz, yz, half};
}

}  // namespace detail

// Force in the world, and moment about the origin of a body along the axes of the body. As a constraint row:
// coefficients of the velocity v of the origin and of the angular velocity along the axes of the body.
template <class Real>
struct Wrench {
  Point<Real> force;   // N
  Point<Real> moment;  // N m

  friend constexpr Wrench operator-(Wrench a) { return {-a.force, -a.moment}; }
};

// Returns the wrench on `body` of a force at the world point p.
template <class Real>
constexpr Wrench<Real> wrench_at(const Frame<Real>& body, Point<Real> p, Point<Real> force) {
  return {force, body.turn_back(cross(p - body.r, force))};
}
// Returns the wrench on `body` of a moment given in the world.
template <class Real>
constexpr Wrench<Real> wrench_of_moment(const Frame<Real>& body, Point<Real> moment) {
  return {{}, body.turn_back(moment)};
}

}  // namespace spatial
}  // namespace moreau
