// Compile-time errors of an invalid parts list: a missing member, an option that is not constant, a part missing from
// parts(). mechanism/require.hpp checks the parts.
#pragma once

#include "moreau/mechanism/require.hpp"

namespace moreau {
namespace detail {

// Constants of a list that are declared, but not constant. They would have no effect.
template <class Parts>
using any_joint_coordinates_in = decltype(Parts::joint_coordinates);
template <class Parts>
using any_endless_in = decltype(Parts::endless);
template <class Parts>
using any_tangents_in = decltype(Parts::tangents);
template <class Parts>
using any_projections_in = decltype(Parts::projections);
template <class Parts, template <class...> class Constant, template <class...> class Any>
inline constexpr bool is_constant = detected<Constant, Parts> || !detected<Any, Parts>;

// Former names of members of a parts list.
template <class Parts>
using old_overlap_in = decltype(const_object<Parts>().kept_overlap);
template <class Parts>
using old_overlap_without_play_in = decltype(const_object<Parts>().kept_overlap_without_play);

template <class Parts>
inline constexpr bool has_bodies = detected<bodies_in, Parts>;
template <class Parts>
inline constexpr bool has_parts = is_tie<Detected<parts_in, Parts>>;

// Initialisers convertible to any part, and to any part of a type in the list.
struct AnyPart {
  template <class P, std::enable_if_t<is_part<P>, int> = 0>
  operator P() const;
};
template <class Tie>
struct ListedPart;
template <class... Listed>
struct ListedPart<std::tuple<const Listed&...>> {
  template <class P, std::enable_if_t<(std::is_same_v<P, Listed> || ...), int> = 0>
  operator P() const;
};

MOREAU_FEWER_BRACES_BEGIN
template <class Parts, class... Initialisers>
using initialised = decltype(Parts{{}, std::declval<Initialisers>()...});
MOREAU_FEWER_BRACES_END

// Returns the number of members, after the bodies, for which aggregate initialisation of Parts accepts an Initialiser.
template <class Initialiser, class Parts, class... So_far>
constexpr int members_that_take() {
  if constexpr (detected<initialised, Parts, So_far..., Initialiser>)
    return members_that_take<Initialiser, Parts, So_far..., Initialiser>();
  else
    return int(sizeof...(So_far));
}

template <class Parts>
constexpr bool leaves_a_part_out() {
  if constexpr (std::is_aggregate_v<Parts>) {
    using Tie = Detected<parts_in, Parts>;
    constexpr int there = members_that_take<AnyPart, Parts>();
    return there > int(std::tuple_size_v<Tie>) || there > members_that_take<ListedPart<Tie>, Parts>();
  } else {
    return false;
  }
}

// Checks of a parts list. They form a separate class, because clang marks a class with a failed assertion as invalid
// and reports each use of its constants.
template <class Parts>
struct RequireList {
  static constexpr bool complete = has_bodies<Parts> && has_parts<Parts>;
  using Tie = Detected<parts_in, Parts>;

  static_assert(has_bodies<Parts>,
                "A parts list needs: using Real = ...;  enum Names { ..., bodies };  Body<Real> body[bodies];   // the "
                "bodies of the mechanism");
  static_assert(has_parts<Parts>,
                "A parts list needs: auto parts() const { return std::tie(...); }   // every joint and force, once");
  static_assert(has_free_names<Parts, GeometryOf<Parts>::planar>(),
                "A part has the name of a member of Mechanism and would be hidden by it: give it another name (not at, "
                "mass, force, gap, directions, law, allowed_penetration, bilateral, bias_acceleration, touches, wrap, "
                "contacts, frictions ...)");

  static_assert(member::PersistentContacts::fits<Parts>(),
                "A parts list declares `persistent_contacts`: leave it out, contacts at rest stay closed; "
                "second_order = false closes contacts by their gaps alone");
  static_assert(member::SecondOrder::fits<Parts>(),
                "A parts list may declare: static constexpr bool second_order = false;   // the step of the papers");
  static_assert(member::PredictedForce::fits<Parts>(),
                "A parts list may declare: static constexpr bool predicted_force = true;   // forces at a predicted "
                "velocity of the midpoint");
  static_assert(
      is_constant<Parts, member::PredictedGaps::value, member::PredictedGaps::name> &&
          (member::PredictedGaps::of<Parts>() == 0 || value_or<member::SecondOrder::value, Parts, 1> != 0),
      "A parts list may declare: static constexpr bool predicted_gaps = true;   // with second_order: contacts "
      "that close before the end of the step");
  static_assert(member::LastingContacts::fits<Parts>(),
                "A parts list declares `lasting_contacts`: leave it out, contacts at rest stay closed");
  static_assert(!detected<old_overlap_in, Parts>,
                "A parts list declares `kept_overlap`: the member is called allowed_penetration_per_play");
  static_assert(
      !detected<old_overlap_without_play_in, Parts>,
      "A parts list declares `kept_overlap_without_play`: the member is called allowed_penetration_without_play");
  static_assert(RequireSpelling<Parts, misspelled::OfList>::met);
  static_assert(is_constant<Parts, joint_coordinates_in, any_joint_coordinates_in>,
                "A parts list may declare: static constexpr bool joint_coordinates = false;   // x, y and phi of "
                "every body");
  static_assert(is_constant<Parts, endless_in, any_endless_in>,
                "A parts list may declare: static constexpr bool endless = true;   // angles are wrapped");
  static_assert((value_or<tangents_in, Parts, 0> == 0 ||
                 value_or<tangents_in, Parts, 0> == GeometryOf<Parts>::tangents) &&
                    is_constant<Parts, tangents_in, any_tangents_in>,
                "A parts list may declare: static constexpr int tangents = 0;   // contacts without friction; a planar "
                "contact has 0 or 1, a contact in space 0 or 2");
  static_assert(value_or<projections_in, Parts, 1> >= 1 && is_constant<Parts, projections_in, any_projections_in>,
                "A parts list may declare: static constexpr int projections = 3;   // position projections per step, "
                "at least 1");

  static constexpr bool parts_are_good() {
    if constexpr (complete)
      return require_parts<Parts>(static_cast<const Tie*>(nullptr));
    else
      return true;
  }
  static_assert(parts_are_good());

  static constexpr bool all_listed() {
    if constexpr (complete)
      return !leaves_a_part_out<Parts>();
    else
      return true;
  }
  static_assert(all_listed(),
                "A part is a member of this list but missing from parts(): std::tie(...) takes every joint and "
                "force, once");
};

// Tuple that parts() returns; empty if a part is rejected.
template <class Parts, bool complete = RequireList<Parts>::complete>
struct PartsTuple {
  using type = std::tuple<>;
  using Geometry = PlaneGeometry<double>;
  static constexpr int bodies = 1;
};
template <class Parts>
struct PartsTuple<Parts, true> {
  using Tie = Detected<parts_in, Parts>;
  using type = std::conditional_t<good_parts<Parts>(static_cast<const Tie*>(nullptr)), Tie, std::tuple<>>;
  using Geometry = GeometryOf<Parts>;
  static constexpr int bodies = int(Parts::bodies);
};

}  // namespace detail
}  // namespace moreau
