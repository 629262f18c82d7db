// A parts list in joint coordinates, and its states from those of the bodies.
#pragma once

#include <array>
#include <moreau/mechanism.hpp>

namespace test {

// The list in the coordinates of its bodies.
template <class Parts>
struct InBodies : Parts {
  static constexpr bool joint_coordinates = false;
  InBodies() = default;
  InBodies(const Parts& parts) : Parts(parts) {}
};
template <class Parts>
struct InJoints : Parts {
  static constexpr bool joint_coordinates = true;
  InJoints() = default;
  InJoints(const Parts& parts) : Parts(parts) {}
};
template <class Parts>
using TreeOf = moreau::Mechanism<InJoints<Parts>>;

// Returns the state in joint coordinates with the poses and velocities of a state of the bodies.
template <class Parts>
moreau::State<TreeOf<Parts>> in_joint_coordinates(const TreeOf<Parts>& model,
                                                  const moreau::State<moreau::Mechanism<Parts>>& from) {
  using Real = typename Parts::Real;
  std::array<moreau::BodyState<Real>, std::size_t(Parts::bodies)> bodies;
  for (int b = 0; b < int(Parts::bodies); ++b)
    bodies[std::size_t(b)] = {moreau::Frame<Real>::at({from.q(3 * b), from.q(3 * b + 1)}, from.q(3 * b + 2)),
                              {from.u(3 * b), from.u(3 * b + 1)},
                              from.u(3 * b + 2)};
  moreau::State<TreeOf<Parts>> state;
  model.set_bodies(bodies, state);
  return state;
}

}  // namespace test
