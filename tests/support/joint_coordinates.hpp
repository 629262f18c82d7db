// A parts list in the coordinates of its bodies, and the same state in both kinds of coordinates.
#pragma once

#include <moreau/mechanism.hpp>

namespace test {

// Parts list whose coordinates are x, y and phi of every body.
template <class Parts>
struct InBodies : Parts {
  using Parts::Parts;
  static constexpr bool joint_coordinates = false;
  InBodies() = default;
  InBodies(const Parts& parts) : Parts(parts) {}
};
template <class Parts>
using BodiesOf = moreau::Mechanism<InBodies<Parts>>;

// Returns the model of the same parts in the coordinates of the bodies.
template <class Parts>
BodiesOf<Parts> in_bodies(const moreau::Mechanism<Parts>& model) {
  return InBodies<Parts>(static_cast<const Parts&>(model));
}
// Returns the state in the coordinates of the bodies with the poses and velocities of a state.
template <class Parts>
moreau::State<BodiesOf<Parts>> in_bodies(const moreau::Mechanism<Parts>& model,
                                         const moreau::State<moreau::Mechanism<Parts>>& from) {
  moreau::State<BodiesOf<Parts>> state;
  in_bodies(model).set_bodies(model.body_states(from), state);
  return state;
}

}  // namespace test
