// The arithmetic of a parts list: how many rows there are, whose they are, and which coordinates they touch.
#pragma once

#include "moreau/math/kernels.hpp"
#include "moreau/mechanism/require_part.hpp"

namespace moreau {
namespace detail {

// Adds the wrench on a body to its three entries of a vector; what acts on the ground is nobody's.
template <int body, class V, class Real>
[[gnu::always_inline]] inline void add([[maybe_unused]] V& v, [[maybe_unused]] const Wrench<Real>& on_body) {
  if constexpr (body != ground) {
    v.coeffRef(3 * body) += on_body.force.x;
    v.coeffRef(3 * body + 1) += on_body.force.y;
    v.coeffRef(3 * body + 2) += on_body.moment;
  }
}

template <class Parts, bool good = HasParts<Parts>::value&& HasBodies<Parts>::value>
struct PartsTuple {
  using type = std::tuple<>;
  using Real = double;
  static constexpr int bodies = 1;
};
template <class Parts>
struct PartsTuple<Parts, true> {
  using all = decltype(std::declval<const Parts&>().parts());
  using Real = typename Parts::Real;
  static constexpr int bodies = int(Parts::bodies);
  template <class... P>
  static constexpr bool good(const std::tuple<const P&...>*) {
    return (PartCheck<Real, P, bodies>::good && ...);
  }
  using type = std::conditional_t<good(static_cast<const all*>(nullptr)), all, std::tuple<>>;
  template <class... P>
  static constexpr bool require(const std::tuple<const P&...>*) {
    return (RequirePart<Real, P, bodies>::met && ...);
  }
};

}  // namespace detail

// The sentences of a list that lacks something, apart from the list: clang takes a class whose assertion fails for
// invalid as a whole, and complains about each of its constants.
template <class Parts>
struct RequireList {
  static_assert(detail::HasBodies<Parts>::value,
                "A parts list needs: using Real = ...;  enum Names { ..., bodies };  Body<Real> body[bodies];   // the "
                "bodies of the mechanism");
  static_assert(detail::HasParts<Parts>::value,
                "A parts list needs: auto parts() const { return std::tie(...); }   // every joint and force, once");
  static constexpr bool parts_are_good() {
    if constexpr (detail::HasParts<Parts>::value && detail::HasBodies<Parts>::value) {
      using Tuple = detail::PartsTuple<Parts>;
      return Tuple::require(static_cast<const typename Tuple::all*>(nullptr));
    } else {
      return true;
    }
  }
  static_assert(parts_are_good());
};

template <class Parts>
struct PartsList : RequireList<Parts> {
  using Tuple = typename detail::PartsTuple<Parts>::type;
  using Real = typename detail::PartsTuple<Parts>::Real;
  static constexpr int bodies = detail::PartsTuple<Parts>::bodies;
  static constexpr int parts = int(std::tuple_size_v<Tuple>);
  static constexpr int tangents = detail::PartsTangents<Parts>::value;
  static constexpr bool endless = detail::Endless<Parts>::value;
  template <int i>
  using Part = std::decay_t<std::tuple_element_t<std::size_t(i), Tuple>>;

  // Rows of one kind, of the parts before the i-th.
  template <template <class, class...> class Count, int... i>
  static constexpr int sum(std::integer_sequence<int, i...>) {
    return (0 + ... + Count<Part<i>>::value);
  }
  template <template <class, class...> class Count, int before>
  static constexpr int rows_before = sum<Count>(std::make_integer_sequence<int, before>{});

  template <int i>
  static constexpr int first_contact = rows_before<detail::PartContacts, i>;
  static constexpr int contacts = rows_before<detail::PartContacts, parts>;
  static constexpr int bilaterals = rows_before<detail::PartBilaterals, parts>;
  static constexpr int frictions = rows_before<detail::PartFrictions, parts>;
  static_assert(bilaterals <= 3 * bodies,
                "More ideal joint rows than coordinates: some joint is redundant (use joints with play, or fewer)");

  template <int... i>
  static constexpr bool turns(std::integer_sequence<int, i...>) {
    return (detail::PartTurns<Part<i>>::value || ...);
  }
  static_assert(!(endless && turns(std::make_integer_sequence<int, parts>{})),
                "endless wraps the angles, but a part counts whole turns (Backlash, TorsionSpring): leave endless out");

  // How often the ideal joints are brought back into place at the end of a step: each round leaves about half the angle
  // turned in a step of what was there, and a float has no digits for a second.
  template <class P, class = void>
  struct Rounds : std::integral_constant<int, sizeof(Real) == 8 ? 3 : 1> {};
  template <class P>
  struct Rounds<P, std::void_t<decltype(P::projections)>> : std::integral_constant<int, int(P::projections)> {};
  static constexpr int projections = Rounds<Parts>::value;

  static constexpr int slot(int body) { return body == ground ? bodies : body; }

  // f(i, part) for every part, in order; i is a compile-time constant.
  template <class F>
  [[gnu::always_inline]] static void for_each(const Parts& list, F&& f) {
    const Tuple all = list.parts();
    unroll([&](auto i) { f(i, std::get<std::size_t(i)>(all)); }, std::make_integer_sequence<int, parts>{});
  }

  // f(part, k) for the part that brings row j of that kind as its k-th.
  template <template <class, class...> class Count, class F>
  [[gnu::always_inline]] static void find(const Parts& list, int j, F&& f) {
    for_each(list, [&](auto i, const auto& part) {
      constexpr int first = rows_before<Count, i>, count = Count<Part<i>>::value;
      if constexpr (count > 0)
        if (j >= first && j < first + count) f(part, j - first);
    });
  }

  // May contact i have an entry at coordinate d?
  static constexpr bool contact_touches(int i, int d) {
    return contact_touches(i, d, std::make_integer_sequence<int, parts>{});
  }
  // May bilateral row j have an entry at coordinate d?
  static constexpr bool touches(int j, int d) { return touches(j, d, std::make_integer_sequence<int, parts>{}); }

 private:
  template <int... i>
  static constexpr bool contact_touches(int contact, int d, std::integer_sequence<int, i...>) {
    return (part_has<i>(contact - first_contact<i>, d) || ...);
  }
  template <int i>
  static constexpr bool part_has([[maybe_unused]] int k, [[maybe_unused]] int d) {
    if constexpr (detail::PartContacts<Part<i>>::value > 0)
      return k >= 0 && k < Part<i>::contacts && (d / 3 == Part<i>::body_A || d / 3 == Part<i>::body_B);
    else
      return false;
  }
  template <int... i>
  static constexpr bool touches(int j, int d, std::integer_sequence<int, i...>) {
    return (part_touches<i>(j - rows_before<detail::PartBilaterals, i>, d) || ...);
  }
  template <int i>
  static constexpr bool part_touches([[maybe_unused]] int k, [[maybe_unused]] int d) {
    using P = Part<i>;
    if constexpr (detail::PartBilaterals<P>::value > 0) {
      if (k < 0 || k >= P::bilaterals || (d / 3 != P::body_A && d / 3 != P::body_B)) return false;
      if constexpr (detail::PartSparse<P>::value) {
        const Touches t = P::touches(k);
        return d % 3 == 0 ? t.x : (d % 3 == 1 ? t.y : t.phi);
      }
      return true;
    }
    return false;
  }
};

}  // namespace moreau
