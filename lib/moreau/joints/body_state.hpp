// State of a rigid body in the plane, and accelerations of its points at constant velocities.
#pragma once

#include "moreau/joints/plane.hpp"

namespace moreau {

// Frame and velocities of a body. BodyState{} is the ground at rest.
template <class Real>
struct BodyState {
  Frame<Real> frame;
  Point<Real> v;         // velocity of the origin, m/s
  Real omega = Real(0);  // angular velocity, rad/s

  // Returns the velocity of the body-fixed point at the world point p.
  constexpr Point<Real> velocity_of(Point<Real> p) const { return v + omega * quarter_turn(p - frame.r); }
};

namespace detail {

// Returns the acceleration of a body-fixed point at constant v and omega.
template <class Real>
constexpr Point<Real> centripetal(const BodyState<Real>& body, Point<Real> p) {
  return (body.omega * body.omega) * (body.frame.r - p);
}

}  // namespace detail
}  // namespace moreau
