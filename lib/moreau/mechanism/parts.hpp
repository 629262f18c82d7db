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
template <class P, class = void> struct HasParts : std::false_type {};
template <class P> struct HasParts<P, std::void_t<decltype(std::declval<const P&>().parts())>> : std::true_type {};
template <class P, class = void> struct HasBodies : std::false_type {};
template <class P> struct HasBodies<P, std::void_t<typename P::Real, decltype(P::bodies), decltype(std::declval<const P&>().body[0].J)>> : std::true_type {};
template <class P, class = void> struct PartsTangents : std::integral_constant<int, 1> {};
template <class P> struct PartsTangents<P, std::void_t<decltype(P::tangents)>> : std::integral_constant<int, int(P::tangents)> {};
template <class P, class = void> struct Endless : std::false_type {};
template <class P> struct Endless<P, std::void_t<decltype(P::endless)>> : std::bool_constant<bool(P::endless)> {};
// clang-format on

}  // namespace detail

// One part against the sentences.
template <class Real, class P, int bodies>
struct RequirePart {
  using F = Frame<Real>;
  static constexpr bool rows =
      detail::PartContacts<P>::value + detail::PartBilaterals<P>::value + detail::PartFrictions<P>::value > 0;
  static constexpr bool acts = detail::PartActs<P>::value, fields = detail::PartField<P>::value;
  static_assert(rows || acts || fields,
                "A part needs a role: contacts, bilaterals, frictions, an action or a field (see mechanism/parts.hpp)");
  static_assert(!(rows || acts) || detail::PartJoins<P>::value,
                "A part needs: static constexpr int body_A = ..., body_B = ...;   // the bodies it joins");

  static constexpr bool joins_well() {
    if constexpr ((rows || acts) && detail::PartJoins<P>::value)
      return P::body_A != P::body_B && P::body_A >= ground && P::body_B >= ground && P::body_A < bodies &&
             P::body_B < bodies;
    else
      return true;
  }
  static_assert(joins_well(), "A part joins two different bodies of the list, or one of them and the ground");

  template <class Q, class = void>
  struct Contact : std::false_type {};
  template <class Q>
  struct Contact<Q, std::void_t<decltype(std::declval<const Q&>().contact(0, F{}, F{}))>>
      : std::is_same<decltype(std::declval<const Q&>().contact(0, F{}, F{})), JointContact<Real>> {};
  template <class Q, class = void>
  struct Law : std::false_type {};
  template <class Q>
  struct Law<Q, std::void_t<decltype(std::declval<const Q&>().law)>>
      : std::is_same<decltype(Q::law), ContactLaw<Real>> {};
  static_assert(detail::PartContacts<P>::value == 0 || Contact<P>::value,
                "A joint with play needs: JointContact<Real> contact(int k, const Frame<Real>& A, const Frame<Real>& "
                "B) const;   // gap, normal, point");
  static_assert(detail::PartContacts<P>::value == 0 || Law<P>::value,
                "A joint with play needs: ContactLaw<Real> law;   // eps_N, eps_T, mu");
  static constexpr bool met = true;
};

}  // namespace moreau
