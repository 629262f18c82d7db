// What a part is told when it is not one: each of its roles against the sentence that says what the role needs.
//
// PartCheck looks and keeps quiet, RequirePart says it. A list with a part at fault is taken for an empty one, so that
// the sentence is the first thing a compiler says, and nearly the only one.
#pragma once

#include "moreau/mechanism/parts.hpp"

namespace moreau {
namespace detail {

// Does Op<P>, the type of a member or of a call, exist, and is it Expected?
template <template <class> class Op, class P, class Expected, class = void>
struct Yields : std::false_type {};
template <template <class> class Op, class P, class Expected>
struct Yields<Op, P, Expected, std::void_t<Op<P>>> : std::is_same<Op<P>, Expected> {};

template <class Real, class P, int bodies>
struct PartCheck {
  using F = Frame<Real>;
  using M = Moving<Real>;
  template <class Q>
  using Contact = decltype(std::declval<const Q&>().contact(0, F{}, F{}));
  template <class Q>
  using Law = std::decay_t<decltype(std::declval<const Q&>().law)>;
  template <class Q>
  using Row = decltype(std::declval<const Q&>().bilateral(0, F{}, F{}, Real{}));
  template <class Q>
  using Friction = decltype(std::declval<const Q&>().friction(0, F{}, F{}));
  template <class Q>
  using Bound = std::decay_t<decltype(std::declval<const Q&>().bound)>;
  template <class Q>
  using Act = decltype(std::declval<const Q&>().action(M{}, M{}, Real{}));
  template <class Q>
  using Field = decltype(std::declval<const Q&>().field(Body<Real>{}));

  static constexpr bool joints = PartContacts<P>::value + PartBilaterals<P>::value + PartFrictions<P>::value > 0;
  static constexpr bool between = joints || PartActs<P>::value;
  static constexpr bool role = between || PartField<P>::value;
  static constexpr bool joins = !between || PartJoins<P>::value;
  static constexpr bool joins_well() {
    if constexpr (between && PartJoins<P>::value)
      return P::body_A != P::body_B && P::body_A >= ground && P::body_B >= ground && P::body_A < bodies &&
             P::body_B < bodies;
    else
      return true;
  }
  static constexpr bool contact = PartContacts<P>::value == 0 || Yields<Contact, P, JointContact<Real>>::value;
  static constexpr bool law = PartContacts<P>::value == 0 || Yields<Law, P, ContactLaw<Real>>::value;
  static constexpr bool row = PartBilaterals<P>::value == 0 || Yields<Row, P, JointRow<Real>>::value;
  static constexpr bool friction = PartFrictions<P>::value == 0 || Yields<Friction, P, FrictionRow<Real>>::value;
  static constexpr bool bound = PartFrictions<P>::value == 0 || Yields<Bound, P, Real>::value;
  static constexpr bool act = !PartActs<P>::value || Yields<Act, P, Action<Real>>::value;
  static constexpr bool field = !PartField<P>::value || Yields<Field, P, Point<Real>>::value;
  static constexpr bool good =
      role && joins && joins_well() && contact && law && row && friction && bound && act && field;
};

}  // namespace detail

template <class Real, class P, int bodies>
struct RequirePart {
  using Check = detail::PartCheck<Real, P, bodies>;
  static_assert(Check::role,
                "A part needs a role: contacts, bilaterals, frictions, an action or a field (see mechanism/parts.hpp)");
  static_assert(Check::joins,
                "A part needs: static constexpr int body_A = ..., body_B = ...;   // the bodies it joins");
  static_assert(Check::joins_well(), "A part joins two different bodies of the list, or one of them and the ground");
  static_assert(Check::contact,
                "A joint with play needs: JointContact<Real> contact(int k, const Frame<Real>& A, const Frame<Real>& "
                "B) const;   // gap, normal, point; of the list's Real");
  static_assert(Check::law, "A joint with play needs: ContactLaw<Real> law;   // eps_N, eps_T, mu");
  static_assert(
      Check::row,
      "An ideal joint needs: JointRow<Real> bilateral(int k, const Frame<Real>& A, const Frame<Real>& B, Real "
      "t) const;   // a row g = 0; of the list's Real");
  static_assert(Check::friction,
                "Dry friction needs: FrictionRow<Real> friction(int k, const Frame<Real>& A, const Frame<Real>& B) "
                "const;   // of the list's Real");
  static_assert(Check::bound, "Dry friction needs: Real bound;   // N or N m");
  static_assert(Check::act,
                "A force needs: Action<Real> action(const Moving<Real>& A, const Moving<Real>& B, Real t) const;   // "
                "what it does to both bodies; of the list's Real");
  static_assert(Check::field,
                "A field needs: Point<Real> field(const Body<Real>& body) const;   // the force on every body; of the "
                "list's Real");
  static constexpr bool met = true;
};

}  // namespace moreau
