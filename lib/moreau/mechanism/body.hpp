// A rigid body of a planar mechanism, and its state.
//
// Its frame sits in the centre of mass; points of joints and springs are given in that frame. Coordinates of a
// mechanism are x, y, phi of every body, in the order of the bodies.
#pragma once

#include "moreau/joints/plane.hpp"

namespace moreau {

template <class Real>
struct Body {
  Real m = Real(0);  // kg
  Real J = Real(0);  // kg m^2, about the centre of mass
};

// Where a body is and how it moves. BodyState{} is the ground: it stands still.
template <class Real>
struct BodyState {
  Frame<Real> frame;
  Point<Real> v;         // m/s, of the origin
  Real omega = Real(0);  // rad/s

  // Velocity of the material point that is now at the point p of the world.
  constexpr Point<Real> velocity_of(Point<Real> p) const { return v + omega * quarter_turn(p - frame.r); }
};

}  // namespace moreau
