// Names that a member of a parts list must not have, because a member of Mechanism would hide it.
#pragma once

#include "moreau/math/detect.hpp"

namespace moreau {
namespace detail {

// Names of the members of a Mechanism. A name in both Parts and this class is ambiguous in a class derived from both.
struct MechanismNames {
  int at, mass, force, gap, directions, direction_pattern, mass_pattern, body_state, body_states, set_bodies, angle_of,
      slide_of, x_of, y_of, angle_index, slide_index, law, allowed_penetration, play_of, bilateral, bias_acceleration,
      contact_bias_acceleration, friction_bias_acceleration, zeta_E, touches, friction_bound, friction_directions, wrap,
      dof, contacts, bilaterals, frictions, constant_mass, diagonal_mass, List, Q, At;
};
// Further names of the members of a Mechanism in space.
struct SpatialNames {
  int place, move, pose, drift, displaced, turn_index;
};
template <class Parts, class Names = MechanismNames>
struct BothNames : Parts, Names {};
template <auto...>
struct Members;
template <class B>
using free_names =
    Members<&B::at, &B::mass, &B::force, &B::gap, &B::directions, &B::direction_pattern, &B::mass_pattern,
            &B::body_state, &B::body_states, &B::set_bodies, &B::angle_of, &B::slide_of, &B::x_of, &B::y_of,
            &B::angle_index, &B::slide_index, &B::law, &B::allowed_penetration, &B::play_of, &B::bilateral,
            &B::bias_acceleration, &B::contact_bias_acceleration, &B::friction_bias_acceleration, &B::zeta_E,
            &B::touches, &B::friction_bound, &B::friction_directions, &B::wrap, &B::dof, &B::contacts, &B::bilaterals,
            &B::frictions, &B::constant_mass, &B::diagonal_mass>;
template <class B>
using free_spatial_names = Members<&B::place, &B::move, &B::pose, &B::drift, &B::displaced, &B::turn_index>;
template <class B>
using free_List = Members<&B::List>;
template <class B>
using free_Q = Members<&B::Q>;
template <class B>
using free_At = Members<&B::At>;

// If Parts has a type with the name of a type of Mechanism, such as a list with the name List, Mechanism hides this
// type without harm. The detection uses a derived class, because List::List would denote the constructor of List.
template <class Parts>
struct Heir : Parts {};
template <class Parts>
using List_in = typename Heir<Parts>::List;
template <class Parts>
using Q_in = typename Heir<Parts>::Q;
template <class Parts>
using At_in = typename Heir<Parts>::At;

template <class Parts, bool planar = true>
constexpr bool has_free_names() {
  using Both = BothNames<Parts>;
  constexpr bool List = detected<free_List, Both> || detected<List_in, Parts>;
  constexpr bool Q = detected<free_Q, Both> || detected<Q_in, Parts>;
  constexpr bool At = detected<free_At, Both> || detected<At_in, Parts>;
  constexpr bool in_space = planar || detected<free_spatial_names, BothNames<Parts, SpatialNames>>;
  return detected<free_names, Both> && in_space && List && Q && At;
}

}  // namespace detail
}  // namespace moreau
