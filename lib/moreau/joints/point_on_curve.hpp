// Contact of a point or roller with a smooth closed curve, for example of a cam with its follower.
//
//   c(theta) = R(theta) (cos theta, sin theta)    curve in A, about `on_A`
//   n                                             outward normal of the curve at the nearest point
//   g_N = side n . (p - c)
//
// The function R(theta) has the period 2 pi; the user supplies R and dR/dtheta. For a point, the curve is the surface.
// For a roller, it is the path of the roller's centre relative to the cam (pitch curve). If the follower translates
// along the y axis through the centre of the cam, its lift is R(pi/2 - phi), where phi is the angle of body A. The
// surface is at the distance `radius` from the curve, on the side opposite to the free side. With side = -1 the free
// side is inside the curve: a ring, or the outer side of a groove.
//
// The nearest point follows from the polar angle of p by a fixed number of corrections. The remaining error is of the
// order (g_N / radius of curvature)^3, and 0 at g_N = 0. The curve must not have a corner, and on the concave side the
// distance of the point from the curve must be below the radius of curvature. The joint has a single contact on a
// smooth surface, so the index of the contact always denotes the same surface, as contacts at rest require. For
// corners use PointOnPolygon.
#pragma once

#include "moreau/joints/contact_bias.hpp"
#include "moreau/joints/point_on_line.hpp"
#include "moreau/math/angle.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/math/sqrt.hpp"

namespace moreau {

// Radius of a curve at a polar angle.
template <class Real>
struct PolarRadius {
  Real radius = Real(0);  // R, m
  Real slope = Real(0);   // dR/dtheta, m
};

namespace detail {

// Returns the angle of (x, y) in [-pi, pi], without a branch; 0 for (0, 0). An approximation with an error of at most
// 4e-3 rad is corrected by the remaining angle. The arcsine series computes this angle from its sine; the first omitted
// term is below 1e-18.
template <class Real>
Real polar_angle(Real x, Real y) {
  const Real a = absolute(x), b = absolute(y), high = Branchless::larger(a, b), low = Branchless::smaller(a, b);
  const Real size = sqrt(high * high + low * low);
  const Mask there = Branchless::positive(size);
  const Real ratio = low / select<Branchless>(there, high, Real(1));
  const Real first = ratio * (Real(0.785398) + Real(0.273) * (Real(1) - ratio));
  const SinCos<Real> s = sincos(first);
  const Real sine = (low * s.cos - high * s.sin) / select<Branchless>(there, size, Real(1)), square = sine * sine;
  Real angle = first + sine * (Real(1) + square * (Real(1) / Real(6) + square * Real(0.075)));
  angle = Branchless::select_if_less(a, b, pi<Real> / Real(2) - angle, angle);
  angle = Branchless::select_if_less(x, Real(0), pi<Real> - angle, angle);
  return Branchless::select_if_less(y, Real(0), -angle, angle);
}

constexpr int nearest_point_rounds = 3;  // each reduces the tangential error by the factor g_N / radius of curvature

}  // namespace detail

// Contact of a point or roller of body B with a curve of body A. Curve is any struct with
// PolarRadius<Real> operator()(Real theta) const.
template <class Real, int A, int B, class Curve>
struct PointOnCurve {
  static constexpr int body_A = A, body_B = B, contacts = 1;
  using Configuration = detail::LineConfiguration;

  Point<Real> on_A;       // centre of the polar coordinates in A, m
  Point<Real> on_B;       // the point, or centre of the roller, in B, m
  Curve curve{};          // path of on_B in contact
  Real radius = Real(0);  // radius of the roller, the lever arm of friction, m
  Real side = Real(1);    // 1: the free side is outside the curve; -1: inside
  ContactLaw<Real> law{};

  constexpr bool valid() const { return radius >= Real(0) && (side == Real(1) || side == Real(-1)); }
  JointContact<Real> contact(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> centre = frame_B.world(on_B);
    const Nearest nearest = nearest_point(frame_A.local(centre) - on_A);
    JointContact<Real> c;
    c.g_N = side * nearest.distance;
    c.n = frame_A.turn(side * nearest.n);
    c.p = centre - radius * c.n;
    return c;
  }
  ContactBias<Real> contact_bias_acceleration(int, const JointContact<Real>& c, const BodyState<Real>& state_A,
                                              const BodyState<Real>& state_B) const {
    const Point<Real> centre = state_B.frame.world(on_B);
    const Nearest nearest = nearest_point(state_A.frame.local(centre) - on_A);
    const Real k = curvature(nearest.theta), parallel = k / (Real(1) + k * nearest.distance);
    return detail::rolling_contact_bias(c, state_A, state_B, -side * parallel, radius);
  }

 private:
  struct Nearest {
    Real theta, distance;  // polar angle of the nearest point, rad; distance from it along n, m
    Point<Real> n;         // outward normal in A
  };
  Nearest nearest_point(Point<Real> p) const {
    Real theta = detail::polar_angle(p.x, p.y), distance = Real(0);
    Point<Real> n;
    for (int round = 0; round < detail::nearest_point_rounds; ++round) {
      const SinCos<Real> s = sincos(theta);
      const PolarRadius<Real> R = curve(theta);
      const Point<Real> outward{s.cos, s.sin};
      const Point<Real> tangent = R.slope * outward + R.radius * quarter_turn(outward);
      const Real speed = sqrt(dot(tangent, tangent));
      const Point<Real> along = (Real(1) / speed) * tangent, offset = p - R.radius * outward;
      n = -quarter_turn(along);
      distance = dot(n, offset);
      theta += dot(along, offset) / speed;
    }
    return {theta, distance, n};
  }
  // Returns the curvature of the curve, 1/m, positive where it is convex. The second derivative of R is a
  // difference of slopes.
  Real curvature(Real theta) const {
    constexpr Real step = sizeof(Real) == 8 ? Real(1e-4) : Real(0.02);  // rad
    const PolarRadius<Real> R = curve(theta);
    const Real second = (curve(theta + step).slope - curve(theta - step).slope) / (Real(2) * step);
    const Real square = R.radius * R.radius + R.slope * R.slope;
    return (square + R.slope * R.slope - R.radius * second) / (square * sqrt(square));
  }
};

template <class Real, int A, int B, class Curve>
constexpr detail::LineConfiguration configuration(const PointOnCurve<Real, A, B, Curve>&,
                                                  const JointContact<Real>& contact) {
  using C = detail::LineConfiguration;
  return contact.g_N <= Real(0) ? C::touching : C::free;
}

}  // namespace moreau
