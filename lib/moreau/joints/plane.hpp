// Points and frames of the plane: the vocabulary of joint geometry.
//
//   world = r + A(phi) local,   A = [cos -sin; sin cos]
//
// A frame carries its sine and cosine, so a body turns any number of points for one sincos.
#pragma once

#include "moreau/math/sincos.hpp"

namespace moreau {

// A point or a vector of the plane.
template <class Real>
struct Point {
  Real x = Real(0), y = Real(0);  // m

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

// The moment of force b applied at a.
template <class Real>
constexpr Real cross(Point<Real> a, Point<Real> b) {
  return a.x * b.y - a.y * b.x;
}

// To three digits: wide enough for a direction that was typed. A longer one scales distances without a word.
template <class Real>
constexpr bool is_unit(Point<Real> a) {
  constexpr Real typed = Real(1e-3);
  const Real square = a.x * a.x + a.y * a.y;
  return square > Real(1) - typed && square < Real(1) + typed;
}

}  // namespace detail

// Turned by +90 degrees: the velocity of a point a of a body that turns with 1 rad/s about the origin.
template <class Real>
constexpr Point<Real> quarter_turn(Point<Real> a) {
  return {-a.y, a.x};
}

// Where a body is. Its origin is the centre of mass; the world's own frame is Frame{}.
template <class Real>
struct Frame {
  Point<Real> r;                      // m, of the origin
  Real phi = Real(0);                 // rad, counts whole turns
  Real sin = Real(0), cos = Real(1);  // of phi

  static Frame at(Point<Real> r, Real phi) {
    const SinCos<Real> s = sincos(phi);
    return {r, phi, s.sin, s.cos};
  }
  constexpr Point<Real> turn(Point<Real> a) const { return {cos * a.x - sin * a.y, sin * a.x + cos * a.y}; }
  constexpr Point<Real> turn_back(Point<Real> a) const { return {cos * a.x + sin * a.y, cos * a.y - sin * a.x}; }
  constexpr Point<Real> world(Point<Real> local) const { return r + turn(local); }
  constexpr Point<Real> local(Point<Real> world) const { return turn_back(world - r); }
};

// Force and moment about the origin of a body. Read as a row: the factors of the body's velocity (x', y', phi').
template <class Real>
struct Wrench {
  Point<Real> force;      // N
  Real moment = Real(0);  // N m

  friend constexpr Wrench operator-(Wrench a) { return {-a.force, -a.moment}; }
};

// The wrench of a force that acts at the point p of the world on the body in that frame.
template <class Real>
constexpr Wrench<Real> wrench_at(const Frame<Real>& body, Point<Real> p, Point<Real> force) {
  return {force, detail::cross(p - body.r, force)};
}

// The world; bodies count from 0.
inline constexpr int ground = -1;

}  // namespace moreau
