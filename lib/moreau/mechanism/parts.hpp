// Compile-time evaluation of the parts list of a mechanism: the rows and bodies of each part.
//
//   struct Parts {
//     using Real = double;   enum Names { crank, rod, bodies };          // names of the bodies, and their number
//     Body<Real> body[bodies] = {...};                                   // their mass properties
//     Revolute<Real, ground, crank> bearing{...};   Gravity<Real> gravity;   ...
//     auto parts() const { return std::tie(bearing, gravity, ...); }     // every joint and force, once
//   };
//
// A part has one or more of these roles. The same rules apply to parts of the library and user-defined parts. Optional
// members are in brackets.
//
//   contacts     JointContact contact(k, frame_A, frame_B), ContactLaw law   [Real play, > 0, constexpr bool
//                frictionless, contact_bias_acceleration(k, contact, state_A, state_B), constexpr int
//                closed_at_once: number of its contacts that can be closed at the same time; for joint coordinates:
//                Real gap(k, frame_A, frame_B), the gap g_N alone, constexpr bool uniform_contacts, if the cost of
//                all contacts is equal, and constexpr bool rotational, if n = 0]
//   bilaterals   JointRow bilateral(k, frame_A, frame_B, t)
//                [touches(k), bias_acceleration(k, state_A, state_B), reversed(k, frame_A, frame_B),
//                zeta_E(k, state_A, state_B, t, dt), constexpr bool commanded]
//   frictions    FrictionRow friction(k, frame_A, frame_B), Real bound   [friction_bias_acceleration(k, state_A,
//                state_B)]
//   an action    Action action(state_A, state_B, t)
//   a field      Point field(body)
//   any          [bool valid(): true if all parameters are within their ranges]
//                [bool within_range(frame_A, frame_B): true if the gaps are correct in this configuration]
//                [static constexpr bool counts_turns: the part depends on the angle itself, including revolutions]
//
// Every part except a field also has `static constexpr int body_A, body_B`, its two bodies.
//
// A list can declare these options, as static constexpr or as members:
//
//   tangents = 1, in space 2                  0: contacts without friction
//   joint_coordinates = true                  coordinates of a spanning tree of the joints (spanning_tree.hpp); false:
//                                             those of every body, also the default without joints in space
//   endless = false                           true: angles are wrapped; no part may depend on the number of revolutions
//   closed_at_once                            1 to 4: largest number of closed contacts of the direct solution; by
//                                             default the sum over the parts, at most 4
//   second_order = true                       impacts at their instants (contact/impact_instants.hpp); false: the step
//                                             of the papers
//   predicted_gaps = false                    true: contacts close by the gap predicted for the end of the step
//                                             (contact/predicted_gaps.hpp)
//   predicted_force = false                   true: forces at a predicted velocity of the midpoint (step/force.hpp), as
//                                             always with second_order or in joint coordinates
//   projections                               number of position projections of the ideal joints per step
//   allowed_penetration_per_play = 2e-3       allowed penetration relative to `play`
//   allowed_penetration_without_play = 1e-6   allowed penetration of a part without `play`, m or rad
//   period()                                  period of prescribed motions, s
//
// mechanism/require.hpp and mechanism/require_list.hpp contain the compile-time errors of invalid parts and lists.
#pragma once

#include <tuple>

#include "moreau/joints/joint_contact.hpp"
#include "moreau/math/detect.hpp"
#include "moreau/mechanism/drives.hpp"
#include "moreau/mechanism/geometry.hpp"
#include "moreau/mechanism/one_sided_forces.hpp"

namespace moreau {
namespace detail {

// Optional members of a part.
template <class P>
using contacts_in = decltype(Int<int(P::contacts)>());
template <class P>
using bilaterals_in = decltype(Int<int(P::bilaterals)>());
template <class P>
using frictions_in = decltype(Int<int(P::frictions)>());
template <class P>
using frictionless_in = decltype(Bool<bool(P::frictionless)>());
template <class P>
using uniform_contacts_in = decltype(Bool<bool(P::uniform_contacts)>());
template <class P>
using rotational_in = decltype(Bool<bool(P::rotational)>());
template <class P>
using counts_turns_in = decltype(Bool<bool(P::counts_turns)>());
template <class P>
using action_in = decltype(&P::action);
template <class P>
using field_in = decltype(&P::field);
template <class P>
using bias_acceleration_in = decltype(&P::bias_acceleration);
template <class P, class G, class State = typename G::BodyState>
using contact_bias_in =
    decltype(const_object<P>().contact_bias_acceleration(0, typename G::JointContact{}, State{}, State{}));
template <class P, class...>
using friction_bias_in = decltype(&P::friction_bias_acceleration);
template <class P, class Real = std::decay_t<decltype(const_object<P>().law.eps_N)>>
using gap_in = decltype(const_object<P>().gap(0, Frame<Real>{}, Frame<Real>{}));
template <class P, class G, class Real = typename G::Real, class State = typename G::BodyState>
using zeta_E_in = decltype(const_object<P>().zeta_E(0, State{}, State{}, Real{}, Real{}));
template <class P>
using commanded_in = decltype(Bool<bool(P::commanded)>());
template <class P>
using reversed_in = decltype(&P::reversed);
template <class P>
using touches_in = decltype(P::touches(0));
template <class P>
using valid_in = decltype(bool(const_object<P>().valid()));
template <class P>
using within_range_in = decltype(&P::within_range);
template <class P>
using play_in = decltype(const_object<P>().play);
template <class P>
using closed_at_once_in = decltype(Int<int(P::closed_at_once)>());
template <class P>
using body_A_in = decltype(Int<int(P::body_A)>());
template <class P>
using body_B_in = decltype(Int<int(P::body_B)>());

// Number of rows of a part by role, for example rows_of<contacts_in, P>.
template <template <class...> class Kind, class P>
inline constexpr int rows_of = value_or<Kind, P, 0>;
template <template <class...> class Kind, class P>
inline constexpr bool brings = (rows_of<Kind, P>) > 0;

template <class P>
inline constexpr bool is_joint = brings<contacts_in, P> || brings<bilaterals_in, P> || brings<frictions_in, P>;
template <class P>
inline constexpr bool is_part = is_joint<P> || detected<action_in, P> || detected<field_in, P>;

// Optional members of a list.
template <class Parts>
using tangents_in = decltype(Int<int(Parts::tangents)>());
template <class Parts>
using joint_coordinates_in = decltype(Bool<bool(Parts::joint_coordinates)>());
template <class Parts>
using endless_in = decltype(Bool<bool(Parts::endless)>());
template <class Parts>
using projections_in = decltype(Int<int(Parts::projections)>());
template <class Parts>
using allowed_penetration_per_play_in = decltype(const_object<Parts>().allowed_penetration_per_play);
template <class Parts>
using allowed_penetration_without_play_in = decltype(const_object<Parts>().allowed_penetration_without_play);

template <class Parts>
using parts_in = decltype(const_object<Parts>().parts());
template <class Parts>
using bodies_in = std::enable_if_t<std::is_same_v<typename GeometryOf<Parts>::Real, typename Parts::Real> &&
                                   std::is_same_v<std::remove_cv_t<decltype(Parts::body)>,
                                                  typename GeometryOf<Parts>::Body[std::size_t(Parts::bodies)]>>;

template <class T>
inline constexpr bool is_tie = false;
template <class... P>
inline constexpr bool is_tie<std::tuple<const P&...>> = true;

}  // namespace detail
}  // namespace moreau
