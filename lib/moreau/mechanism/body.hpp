// Rigid body of a planar mechanism, and its state.
//
// The origin of the body frame is the centre of mass. Points of joints and springs are given in this frame. The
// coordinates of a mechanism are x, y, phi of every body, in the order of the bodies.
#pragma once

#include "moreau/joints/plane.hpp"

namespace moreau {

// Mass properties of a body.
template <class Real>
struct Body {
  Real m = Real(0);  // mass, kg
  Real J = Real(0);  // moment of inertia about the centre of mass, kg m^2
};

// Frame and velocities of a body. BodyState{} is the ground at rest.
template <class Real>
struct BodyState {
  Frame<Real> frame;
  Point<Real> v;         // velocity of the origin, m/s
  Real omega = Real(0);  // angular velocity, rad/s

  // Returns the velocity of the body-fixed point at the world point p.
  constexpr Point<Real> velocity_of(Point<Real> p) const { return v + omega * quarter_turn(p - frame.r); }
};

}  // namespace moreau
