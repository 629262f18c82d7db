// Mechanism<Parts>: the model of a parts list.
//
//   struct Parts { ... };                                               mechanism/parts.hpp
//   using Crank = moreau::Mechanism<Parts>;
//   moreau::State<Crank> start;
//   start.q(Crank::angle_of<Parts::crank>) = 0.3;                       mechanism/joint_vector.hpp
//   moreau::Stepper machine{Crank{}, start};
//
// The coordinates are those of a spanning tree of the ideal joints (mechanism/tree_mechanism.hpp). A list can declare
// joint_coordinates = false for the coordinates of every body (mechanism/body_mechanism.hpp), which lists without
// joints in space also have. The step is of second order (contact/impact_instants.hpp); a list can declare second_order
// = false for the step of the papers.
//
// Mechanism<Parts> derives from Parts. The parts stay accessible by name, so inputs and parameters can change between
// steps.
#pragma once

#include "moreau/mechanism/body_mechanism.hpp"
#include "moreau/mechanism/tree_mechanism.hpp"

namespace moreau {
namespace detail {

template <class Parts>
using MechanismOf = std::conditional_t<TreeList<Parts>::joint_coordinates, TreeMechanism<Parts>, BodyMechanism<Parts>>;

}  // namespace detail

template <class Parts>
struct Mechanism : detail::MechanismOf<Parts> {
  Mechanism() = default;
  Mechanism(const Parts& parts) : detail::MechanismOf<Parts>(parts) {}
};

}  // namespace moreau
