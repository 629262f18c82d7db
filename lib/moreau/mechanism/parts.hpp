// The parts list of a mechanism, read at compile time: which part brings which rows, between which bodies.
//
//   struct Parts {
//     using Real = double;   enum Names { crank, rod, bodies };          // the bodies, and how many there are
//     Body<Real> body[bodies] = {...};                                   // their masses
//     Revolute<Real, ground, crank> bearing{...};   Gravity<Real> gravity;   ...
//     auto parts() const { return std::tie(bearing, gravity, ...); }     // everything that joins or acts, once
//   };
//
// A part takes any of these roles, and an own part is no different from the library's:
//
//   contacts     JointContact contact(k, frame_A, frame_B), ContactLaw law   [Real play]
//   bilaterals   JointRow bilateral(k, frame_A, frame_B, t)                  [touches(k), bend(k, moving_A, moving_B)]
//   frictions    FrictionRow friction(k, frame_A, frame_B), Real bound
//   an action    Action action(moving_A, moving_B, t)
//   a field      Point field(body)
#pragma once

#include <tuple>

#include "moreau/joints/joint_contact.hpp"
#include "moreau/mechanism/dry_friction.hpp"
#include "moreau/mechanism/forces.hpp"
#include "moreau/mechanism/ideal_joints.hpp"

namespace moreau {
namespace detail {

// clang-format off
template <class P, class = void> struct PartContacts : std::integral_constant<int, 0> {};
template <class P> struct PartContacts<P, std::void_t<decltype(P::contacts)>> : std::integral_constant<int, int(P::contacts)> {};
template <class P, class = void> struct PartBilaterals : std::integral_constant<int, 0> {};
template <class P> struct PartBilaterals<P, std::void_t<decltype(P::bilaterals)>> : std::integral_constant<int, int(P::bilaterals)> {};
template <class P, class = void> struct PartFrictions : std::integral_constant<int, 0> {};
template <class P> struct PartFrictions<P, std::void_t<decltype(P::frictions)>> : std::integral_constant<int, int(P::frictions)> {};
template <class P, class = void> struct PartActs : std::false_type {};
template <class P> struct PartActs<P, std::void_t<decltype(&P::action)>> : std::true_type {};
template <class P, class = void> struct PartBends : std::false_type {};
template <class P> struct PartBends<P, std::void_t<decltype(&P::bend)>> : std::true_type {};
template <class P, class = void> struct PartField : std::false_type {};
template <class P> struct PartField<P, std::void_t<decltype(&P::field)>> : std::true_type {};
template <class P, class = void> struct PartTurns : std::false_type {};
template <class P> struct PartTurns<P, std::void_t<decltype(P::counts_turns)>> : std::bool_constant<bool(P::counts_turns)> {};
template <class P, class = void> struct PartSparse : std::false_type {};
template <class P> struct PartSparse<P, std::void_t<decltype(P::touches(0))>> : std::true_type {};
template <class P, class = void> struct PartJoins : std::false_type {};
template <class P> struct PartJoins<P, std::void_t<decltype(P::body_A), decltype(P::body_B)>> : std::true_type {};
template <class P, class = void> struct PartPlay : std::false_type {};
template <class P> struct PartPlay<P, std::void_t<decltype(std::declval<const P&>().play)>> : std::true_type {};
template <class T> struct IsTie : std::false_type {};
template <class... P> struct IsTie<std::tuple<const P&...>> : std::true_type {};
template <class P, class = void> struct HasParts : std::false_type {};
template <class P> struct HasParts<P, std::void_t<decltype(std::declval<const P&>().parts())>> : IsTie<decltype(std::declval<const P&>().parts())> {};
template <class P, class = void> struct HasBodies : std::false_type {};
template <class P> struct HasBodies<P, std::void_t<typename P::Real, decltype(P::bodies), decltype(P::body)>> : std::is_same<std::remove_cv_t<decltype(P::body)>, Body<typename P::Real>[std::size_t(P::bodies)]> {};
template <class P, class = void> struct PartsTangents : std::integral_constant<int, 1> {};
template <class P> struct PartsTangents<P, std::void_t<decltype(P::tangents)>> : std::integral_constant<int, int(P::tangents)> {};
template <class P, class = void> struct Endless : std::false_type {};
template <class P> struct Endless<P, std::void_t<decltype(P::endless)>> : std::bool_constant<bool(P::endless)> {};
// clang-format on

}  // namespace detail

}  // namespace moreau
