// Balls in space: in a socket, on a plane and on another ball, with one contact each.
//
//   SphericalClearance   s = p_B - p_A,   g = play - |s|,              n = -s / |s|,   p = p_B - radius n
//   BallOnPlane          n fixed in A,    g = n . (p_B - p_A) - radius,               p = p_B - radius n
//   BallOnBall           s = p_B - p_A,   g = |s| - radius_A - radius_B,  n = s / |s|,  p = p_A + radius_A n
//
// If the centres coincide, s / |s| is the x axis of the world. A ball of radius 0 is a point.
#pragma once

#include "moreau/math/sqrt.hpp"
#include "moreau/spatial/contact_rates.hpp"

namespace moreau {
namespace spatial {
namespace detail {

// Distance and direction of a displacement; the x axis of the world for a displacement of 0.
template <class Real>
struct Displacement {
  Real distance;
  Point<Real> unit;
};
template <class Real>
MOREAU_ALWAYS_INLINE Displacement<Real> displacement_of(Point<Real> off) {
  using C = moreau::detail::Branchless;
  const Real distance = moreau::sqrt(dot(off, off));
  const Real inverse = Real(1) / C::select_if_less(Real(0), distance, distance, Real(1));
  return {distance, {C::select_if_less(Real(0), distance, off.x * inverse, Real(1)), off.y * inverse, off.z * inverse}};
}

}  // namespace detail

// Ball joint with clearance: a ball of B in a socket of A.
template <class Real, int A, int B>
struct SphericalClearance {
  static constexpr int body_A = A, body_B = B, contacts = 1;

  Point<Real> on_A, on_B;  // centre of the socket in A and of the ball in B, m
  Real play = Real(0);     // radius of the socket minus radius of the ball, m, > 0
  Real radius = Real(0);   // radius of the ball, the lever arm of friction, m; > 0 with friction
  ContactLaw<Real> law{};

  bool valid() const { return moreau::detail::is_pin(play, radius, law); }
  JointContact<Real> contact(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> centre = detail::frame_of_part<B>(frame_B).world(on_B);
    const auto s = detail::displacement_of(centre - detail::frame_of_part<A>(frame_A).world(on_A));
    return {play - s.distance, -s.unit, across(-s.unit), centre + radius * s.unit};
  }
  ContactBias<Real, 2> contact_bias_acceleration(int, const JointContact<Real>& c, const BodyState<Real>& state_A,
                                                 const BodyState<Real>& state_B) const {
    const Point<Real> p_A = state_A.frame.world(on_A), p_B = state_B.frame.world(on_B), v = state_B.velocity_of(p_B);
    const Point<Real> turned = detail::unit_rate(-c.n, p_B - p_A, v - state_A.velocity_of(p_A));
    return detail::contact_bias(c, {-turned, detail::across_rate(c.n, -turned), v + radius * turned},
                                detail::state_of_part<A>(state_A), detail::state_of_part<B>(state_B));
  }
};

// A ball of B on a plane of A.
template <class Real, int A, int B>
struct BallOnPlane {
  static constexpr int body_A = A, body_B = B, contacts = 1;

  Point<Real> on_A;                               // a point of the plane in A, m
  Point<Real> normal{Real(0), Real(0), Real(1)};  // its normal in A, a unit vector that points to the ball
  Point<Real> on_B;                               // centre of the ball in B, m
  Real radius = Real(0);                          // radius of the ball, m, >= 0
  ContactLaw<Real> law{};

  bool valid() const { return detail::is_unit(normal) && radius >= Real(0); }
  JointContact<Real> contact(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const auto& at_A = detail::frame_of_part<A>(frame_A);
    const Point<Real> centre = detail::frame_of_part<B>(frame_B).world(on_B), n = at_A.turn(normal);
    return {dot(n, centre - at_A.world(on_A)) - radius, n, at_A.turn(across(normal)), centre - radius * n};
  }
  ContactBias<Real, 2> contact_bias_acceleration(int, const JointContact<Real>& c, const BodyState<Real>& state_A,
                                                 const BodyState<Real>& state_B) const {
    const Point<Real> turned = cross(state_A.omega, c.n), v = state_B.velocity_of(state_B.frame.world(on_B));
    return detail::contact_bias(c, {turned, cross(state_A.omega, c.t), v - radius * turned},
                                detail::state_of_part<A>(state_A), detail::state_of_part<B>(state_B));
  }
};

// A ball of B on a ball of A.
template <class Real, int A, int B>
struct BallOnBall {
  static constexpr int body_A = A, body_B = B, contacts = 1;

  Point<Real> on_A, on_B;                       // centres of the balls in A and B, m
  Real radius_A = Real(0), radius_B = Real(0);  // their radii, m, >= 0
  ContactLaw<Real> law{};

  constexpr bool valid() const { return radius_A >= Real(0) && radius_B >= Real(0) && radius_A + radius_B > Real(0); }
  JointContact<Real> contact(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> centre = detail::frame_of_part<A>(frame_A).world(on_A);
    const auto s = detail::displacement_of(detail::frame_of_part<B>(frame_B).world(on_B) - centre);
    return {s.distance - (radius_A + radius_B), s.unit, across(s.unit), centre + radius_A * s.unit};
  }
  ContactBias<Real, 2> contact_bias_acceleration(int, const JointContact<Real>& c, const BodyState<Real>& state_A,
                                                 const BodyState<Real>& state_B) const {
    const Point<Real> p_A = state_A.frame.world(on_A), p_B = state_B.frame.world(on_B), v = state_A.velocity_of(p_A);
    const Point<Real> turned = detail::unit_rate(c.n, p_B - p_A, state_B.velocity_of(p_B) - v);
    return detail::contact_bias(c, {turned, detail::across_rate(c.n, turned), v + radius_A * turned},
                                detail::state_of_part<A>(state_A), detail::state_of_part<B>(state_B));
  }
};

}  // namespace spatial
}  // namespace moreau
