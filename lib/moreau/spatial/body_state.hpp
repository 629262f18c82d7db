// State of a rigid body in space, and accelerations of its points and directions in a motion without forces.
//
//   alpha = R J^-1 (J Omega x Omega)      angular acceleration without moments; 0 for a rotation about a principal axis
//   point p         omega x (omega x (p - r)) + alpha x (p - r)
//   direction a     omega x (omega x a) + alpha x a
#pragma once

#include "moreau/spatial/free_body.hpp"

namespace moreau {
namespace spatial {

// Frame and velocities of a body. BodyState{} is the ground at rest.
template <class Real>
struct BodyState {
  Frame<Real> frame;
  Point<Real> v;      // velocity of the origin in the world, m/s
  Point<Real> omega;  // angular velocity in the world, rad/s
  Point<Real> alpha;  // angular acceleration without moments in the world, rad/s^2

  // Returns the velocity of the body-fixed point at the world point p.
  constexpr Point<Real> velocity_of(Point<Real> p) const { return v + cross(omega, p - frame.r); }
};

namespace detail {

// Returns the second derivative of a body-fixed direction `a`, in the world.
template <class Real>
constexpr Point<Real> acceleration_of_direction(const BodyState<Real>& body, Point<Real> a) {
  return cross(body.omega, cross(body.omega, a)) + cross(body.alpha, a);
}
// Returns the acceleration of the body-fixed point at the world point p.
template <class Real>
constexpr Point<Real> acceleration_of(const BodyState<Real>& body, Point<Real> p) {
  return acceleration_of_direction(body, p - body.frame.r);
}

// Returns the state of a body with the angular velocity Omega along its axes.
template <class Real>
constexpr BodyState<Real> state_of(const Body<Real>& body, const Frame<Real>& frame, Point<Real> v, Point<Real> Omega) {
  const Point<Real> moment = cross(times(body.J, Omega), Omega);
  return {frame, v, frame.turn(Omega), frame.turn({moment.x / body.J.x, moment.y / body.J.y, moment.z / body.J.z})};
}

}  // namespace detail
}  // namespace spatial
}  // namespace moreau
