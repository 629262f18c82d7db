// Rigid body of a planar mechanism.
//
// The origin of the body frame is the centre of mass. Points of joints and springs are given in this frame. Coordinates
// of a mechanism: mechanism/mechanism.hpp.
#pragma once

#include "moreau/joints/body_state.hpp"

namespace moreau {

// Mass properties of a body.
template <class Real>
struct Body {
  Real m = Real(0);  // mass, kg
  Real J = Real(0);  // moment of inertia about the centre of mass, kg m^2
};

}  // namespace moreau
