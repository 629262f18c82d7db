// What a model may declare about zeros, so that they are never multiplied. All optional, all static and constexpr:
//
//   static constexpr bool mass_pattern(int i, int j);                       // false: M(i, j) = 0 for ever   (i >= j)
//   static constexpr bool direction_pattern(int contact, int row, int j);   // false: entry j of w_N (row 0) or of
//                                                                           // w_T (row 1) is 0; j = dof: its zeta
//
//   static constexpr int closed_at_once = 1;                                // contacts that close at the same time: 1,
//   or 2
//                                                                           // (the default); more is solved all the
//                                                                           // same, at the price of a fallback
//
// A wrong pattern is a wrong model: the entry is taken for zero whatever the model returns. The model checker
// (check/structure_checker.hpp) compares.
#pragma once

#include "moreau/model/traits.hpp"

namespace moreau {

namespace detail {

template <class M, class = void>
struct DeclaresMassPattern : std::false_type {};
template <class M>
struct DeclaresMassPattern<M, std::void_t<decltype(M::mass_pattern(0, 0))>> : std::true_type {};

template <class M, class = void>
struct DeclaresDirectionPattern : std::false_type {};
template <class M>
struct DeclaresDirectionPattern<M, std::void_t<decltype(M::direction_pattern(0, 0, 0))>> : std::true_type {};

template <class M, class = void>
struct ClosedAtOnce : std::integral_constant<int, 2> {};
template <class M>
struct ClosedAtOnce<M, std::void_t<decltype(M::closed_at_once)>> : std::integral_constant<int, M::closed_at_once> {
  static_assert(M::closed_at_once == 1 || M::closed_at_once == 2, "closed_at_once is 1 or 2; leave it out for more");
};

}  // namespace detail

template <class Model>
constexpr int closed_at_once = Traits<Model>::contacts < 2 ? 1 : detail::ClosedAtOnce<Model>::value;

template <class Model>
struct MassPattern {
  static constexpr int n = Traits<Model>::dof;
  static constexpr bool entry([[maybe_unused]] int i, [[maybe_unused]] int j) {
    if constexpr (detail::DeclaresMassPattern<Model>::value)
      return Model::mass_pattern(i, j);
    else
      return true;
  }
};

// The entries of one direction of one contact; of all contacts together for contact = -1.
template <class Model, int contact, int row>
struct DirectionPattern {
  static constexpr bool entry([[maybe_unused]] int j) {
    if constexpr (detail::DeclaresDirectionPattern<Model>::value) {
      if (contact >= 0) return Model::direction_pattern(contact, row, j);
      for (int i = 0; i < Traits<Model>::contacts; ++i)
        if (Model::direction_pattern(i, row, j)) return true;
      return false;
    } else {
      return true;
    }
  }
};

}  // namespace moreau
