// The sentences for a part that is none: each role of a part against what the role needs.
//
// PartCheck compares, RequirePart has the sentences. A list with a part at fault counts as an empty one, so that the
// sentence is the first thing a compiler prints, and nearly the only one.
#pragma once

#include "moreau/mechanism/parts.hpp"

namespace moreau {
namespace detail {

template <class P, class Real>
using contact_from = decltype(const_object<P>().contact(0, Frame<Real>{}, Frame<Real>{}));
template <class P>
using law_in = std::decay_t<decltype(const_object<P>().law)>;
template <class P, class Real>
using row_from = decltype(const_object<P>().bilateral(0, Frame<Real>{}, Frame<Real>{}, Real{}));
template <class P, class Real>
using bend_from = decltype(const_object<P>().bend(0, BodyState<Real>{}, BodyState<Real>{}));
template <class P, class Real>
using friction_from = decltype(const_object<P>().friction(0, Frame<Real>{}, Frame<Real>{}));
template <class P>
using bound_in = std::decay_t<decltype(const_object<P>().bound)>;
template <class P, class Real>
using action_from = decltype(const_object<P>().action(BodyState<Real>{}, BodyState<Real>{}, Real{}));
template <class P, class Real>
using field_from = decltype(const_object<P>().field(Body<Real>{}));

template <class Real, class P, int bodies>
struct PartCheck {
  static constexpr bool between = is_joint<P> || detected<action_in, P>;
  static constexpr bool names_bodies = detected<body_A_in, P> && detected<body_B_in, P>;
  static constexpr int a = value_or<body_A_in, P, 0>, b = value_or<body_B_in, P, 1>;

  static constexpr bool role = is_part<P>;
  static constexpr bool joins = !between || names_bodies;
  static constexpr bool two_bodies =
      !between || !names_bodies || (a != b && a >= ground && b >= ground && a < bodies && b < bodies);
  static constexpr bool contact = !brings<contacts_in, P> || yields<JointContact<Real>, contact_from, P, Real>;
  static constexpr bool law = !brings<contacts_in, P> || yields<ContactLaw<Real>, law_in, P>;
  static constexpr bool row = !brings<bilaterals_in, P> || yields<JointRow<Real>, row_from, P, Real>;
  static constexpr bool bend = !brings<bilaterals_in, P> || !detected<bend_in, P> || yields<Real, bend_from, P, Real>;
  static constexpr bool friction = !brings<frictions_in, P> || yields<FrictionRow<Real>, friction_from, P, Real>;
  static constexpr bool bound = !brings<frictions_in, P> || yields<Real, bound_in, P>;
  static constexpr bool act = !detected<action_in, P> || yields<Action<Real>, action_from, P, Real>;
  static constexpr bool field = !detected<field_in, P> || yields<Point<Real>, field_from, P, Real>;
  static constexpr bool good =
      role && joins && two_bodies && contact && law && row && bend && friction && bound && act && field;
};

template <class Real, class P, int bodies>
struct RequirePart {
  using Check = PartCheck<Real, P, bodies>;
  static_assert(Check::role,
                "A part needs a role: contacts, bilaterals, frictions, an action or a field (see mechanism/parts.hpp)");
  static_assert(Check::joins,
                "A part needs: static constexpr int body_A = ..., body_B = ...;   // the bodies it joins");
  static_assert(Check::two_bodies, "A part joins two different bodies of the list, or one of them and the ground");
  static_assert(Check::contact,
                "A joint with play needs: JointContact<Real> contact(int k, const Frame<Real>& A, const Frame<Real>& "
                "B) const;   // gap, normal, point; of the list's Real");
  static_assert(Check::law, "A joint with play needs: ContactLaw<Real> law;   // eps_N, eps_T, mu");
  static_assert(
      Check::row,
      "An ideal joint needs: JointRow<Real> bilateral(int k, const Frame<Real>& A, const Frame<Real>& B, Real "
      "t) const;   // a row g = 0; of the list's Real");
  static_assert(Check::bend,
                "An ideal joint needs: Real bend(int k, const BodyState<Real>& A, const BodyState<Real>& B) const;   "
                "// its g'' at constant velocities; or no bend at all");
  static_assert(Check::friction,
                "Dry friction needs: FrictionRow<Real> friction(int k, const Frame<Real>& A, const Frame<Real>& B) "
                "const;   // of the list's Real");
  static_assert(Check::bound, "Dry friction needs: Real bound;   // N or N m");
  static_assert(Check::act,
                "A force needs: Action<Real> action(const BodyState<Real>& A, const BodyState<Real>& B, Real t) "
                "const;   // what it does to both bodies; of the list's Real");
  static_assert(Check::field,
                "A field needs: Point<Real> field(const Body<Real>& body) const;   // the force on every body; of the "
                "list's Real");
  static constexpr bool met = true;
};

}  // namespace detail
}  // namespace moreau
