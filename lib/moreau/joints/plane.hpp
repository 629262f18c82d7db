// Points, frames and wrenches of the plane.
//
//   world = r + A(phi) local,   A = [cos -sin; sin cos]
//
// A frame stores its sine and cosine, so the transformation of any number of points needs one sincos.
#pragma once

#include <limits>

#include "moreau/math/sincos.hpp"

namespace moreau {

// Point or vector of the plane.
template <class Real>
struct Point {
  Real x = Real(0), y = Real(0);

  friend constexpr Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend constexpr Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend constexpr Point operator-(Point a) { return {-a.x, -a.y}; }
  friend constexpr Point operator*(Real s, Point a) { return {s * a.x, s * a.y}; }
};

template <class Real>
constexpr Real dot(Point<Real> a, Point<Real> b) {
  return a.x * b.x + a.y * b.y;
}

namespace detail {

// Returns the moment of the force b applied at a.
template <class Real>
constexpr Real cross(Point<Real> a, Point<Real> b) {
  return a.x * b.y - a.y * b.x;
}

// Returns true if |a|^2 differs from 1 by less than 1e-3. Three correct digits suffice for a direction; a vector of
// another length would scale the distances computed with it.
template <class Real>
constexpr bool is_unit(Point<Real> a) {
  constexpr Real tolerance = Real(1e-3);
  const Real square = a.x * a.x + a.y * a.y;
  return square > Real(1) - tolerance && square < Real(1) + tolerance;
}

// Returns true for a positive finite clearance. With a clearance of 0, opposite contacts would be closed in every step,
// and rounding errors would determine their percussions.
template <class Real>
constexpr bool is_clearance(Real play) {
  return play > Real(0) && play <= std::numeric_limits<Real>::max();
}

// Returns true for the clearance and the radius of a pin or ball. With friction, a missing radius would omit the
// friction moment.
template <class Real, class Law>
constexpr bool is_pin(Real play, Real radius, const Law& law) {
  return is_clearance(play) && (radius > Real(0) || (radius == Real(0) && law.mu == Real(0)));
}

}  // namespace detail

// Returns `a` rotated by +90 degrees: the velocity of point `a` of a body that rotates about the origin at 1 rad/s.
template <class Real>
constexpr Point<Real> quarter_turn(Point<Real> a) {
  return {-a.y, a.x};
}

// Position and orientation of a body. The origin is the centre of mass; Frame{} is the world frame.
template <class Real>
struct Frame {
  Point<Real> r;                      // position of the origin, m
  Real phi = Real(0);                 // angle, not reduced modulo 2 pi, rad
  Real sin = Real(0), cos = Real(1);  // sine and cosine of phi

  static Frame at(Point<Real> r, Real phi) {
    const SinCos<Real> s = sincos(phi);
    return {r, phi, s.sin, s.cos};
  }
  // Rotates a vector into the world frame.
  constexpr Point<Real> turn(Point<Real> a) const { return {cos * a.x - sin * a.y, sin * a.x + cos * a.y}; }
  // Rotates a vector into this frame.
  constexpr Point<Real> turn_back(Point<Real> a) const { return {cos * a.x + sin * a.y, cos * a.y - sin * a.x}; }
  // Returns the world coordinates of a point of this frame.
  constexpr Point<Real> world(Point<Real> local) const { return r + turn(local); }
  // Returns the coordinates of a world point in this frame.
  constexpr Point<Real> local(Point<Real> world) const { return turn_back(world - r); }
};

// Force, and moment about the origin of a body. As a constraint row: coefficients of the body velocity (x', y', phi').
template <class Real>
struct Wrench {
  Point<Real> force;      // N
  Real moment = Real(0);  // N m

  friend constexpr Wrench operator-(Wrench a) { return {-a.force, -a.moment}; }
};

// Returns the wrench on `body` of a force at the world point p.
template <class Real>
constexpr Wrench<Real> wrench_at(const Frame<Real>& body, Point<Real> p, Point<Real> force) {
  return {force, detail::cross(p - body.r, force)};
}

// Body number of the ground. The bodies of a mechanism have the numbers 0, 1, ...
inline constexpr int ground = -1;

}  // namespace moreau
