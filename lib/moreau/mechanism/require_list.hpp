// The sentences for a parts list that lacks something, and for mistakes that would otherwise pass unseen.
//
//   a part named like a member of Mechanism     Mechanism<Parts> derives from Parts and would hide it
//                                               found: always, at compile time
//   a part that is not in parts()               it would have no effect
//                                               found: at compile time, in a list without a constructor, among the
//                                               parts that follow the bodies without another member in between;
//                                               not in a list with a constructor, not in a base class
//   a part that is in parts() twice             it would act twice
//                                               found: at run time, by equal addresses: such a mechanism has no mass,
//                                               every step answers mass_not_positive_definite, and check_model names
//                                               the part
#pragma once

#include "moreau/mechanism/require_part.hpp"

namespace moreau {
namespace detail {

// A name that stands both in Parts and here is ambiguous in a class that derives from both.
struct MechanismNames {
  int at, mass, force, gap, directions, direction_pattern, law, depth, bilateral, bend, touches, friction_bound,
      friction_directions, wrap, dof, contacts, bilaterals, frictions, constant_mass, diagonal_mass, List, Q, At;
};
template <class Parts>
struct BothNames : Parts, MechanismNames {};
template <auto...>
struct Members;
template <class B>
using free_names =
    Members<&B::at, &B::mass, &B::force, &B::gap, &B::directions, &B::direction_pattern, &B::law, &B::depth,
            &B::bilateral, &B::bend, &B::touches, &B::friction_bound, &B::friction_directions, &B::wrap, &B::dof,
            &B::contacts, &B::bilaterals, &B::frictions, &B::constant_mass, &B::diagonal_mass, &B::List, &B::Q, &B::At>;

template <class Parts>
inline constexpr bool has_bodies = detected<bodies_in, Parts>;
template <class Parts>
inline constexpr bool has_parts = is_tie<Detected<parts_in, Parts>>;

// Initialisers that fit any part, and any part of a type that stands in the list.
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

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wmissing-braces"
template <class Parts, class... Initialisers>
using initialised = decltype(Parts{{}, std::declval<Initialisers>()...});
#pragma GCC diagnostic pop

// How many members after the first one (the bodies) Parts can be initialised with, one Initialiser each.
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

template <class Parts, class... P>
constexpr bool require_parts(const std::tuple<const P&...>*) {
  return (RequirePart<typename Parts::Real, P, int(Parts::bodies)>::met && ...);
}
template <class Parts, class... P>
constexpr bool good_parts(const std::tuple<const P&...>*) {
  return (PartCheck<typename Parts::Real, P, int(Parts::bodies)>::good && ...);
}

// A class of its own: clang marks a class whose assertion fails as invalid, and reports each use of its constants.
template <class Parts>
struct RequireList {
  static constexpr bool complete = has_bodies<Parts> && has_parts<Parts>;
  using Tie = Detected<parts_in, Parts>;

  static_assert(has_bodies<Parts>,
                "A parts list needs: using Real = ...;  enum Names { ..., bodies };  Body<Real> body[bodies];   // the "
                "bodies of the mechanism");
  static_assert(has_parts<Parts>,
                "A parts list needs: auto parts() const { return std::tie(...); }   // every joint and force, once");
  static_assert(detected<free_names, BothNames<Parts>>,
                "A part has the name of a member of Mechanism and would be hidden by it: give it another name (not at, "
                "mass, force, gap, directions, law, depth, bilateral, bend, touches, wrap, contacts, frictions ...)");

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
                "A part of this list stands in the struct and not in parts(): std::tie(...) takes every joint and "
                "force, once");
};

// The tuple that parts() returns; an empty one where a part is at fault.
template <class Parts, bool complete = RequireList<Parts>::complete>
struct PartsTuple {
  using type = std::tuple<>;
  using Real = double;
  static constexpr int bodies = 1;
};
template <class Parts>
struct PartsTuple<Parts, true> {
  using Tie = Detected<parts_in, Parts>;
  using type = std::conditional_t<good_parts<Parts>(static_cast<const Tie*>(nullptr)), Tie, std::tuple<>>;
  using Real = typename Parts::Real;
  static constexpr int bodies = int(Parts::bodies);
};

}  // namespace detail
}  // namespace moreau
