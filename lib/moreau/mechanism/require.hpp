// Checks of parts at compile time. RequirePart rejects parts that lack a member of their role. RequireList
// (mechanism/require_list.hpp) rejects incomplete parts lists. Each check has its own error message. A list with a
// rejected part counts as empty, which suppresses most subsequent errors of the compiler.
//
// Mistakes that the compiler alone does not report:
//
//   a part with the name of a member of Mechanism   The member of the derived class Mechanism<Parts> would hide it.
//                                                   Detection: at compile time
//   a misspelled optional member                    It would have no effect.
//                                                   Detection: at compile time, for the spellings in spelling.hpp
//   a body without a part                           It would fall freely, or rest.
//                                                   Detection: at compile time, in parts_list.hpp
//   a part missing from parts()                     It would have no effect.
//                                                   Detection: at compile time, if the list has no constructor, among
//                                                   the parts that directly follow the bodies; not in base classes
//   a part twice in parts()                         It would act twice.
//                                                   Detection: at run time, by equal addresses. The mass is then 0:
//                                                   every step returns mass_not_positive_definite, and check_model
//                                                   reports the part
#pragma once

#include "moreau/math/compiler.hpp"
#include "moreau/mechanism/parts.hpp"
#include "moreau/mechanism/reserved_names.hpp"
#include "moreau/mechanism/spelling.hpp"
#include "moreau/model/require.hpp"

namespace moreau {
namespace detail {

// Members of a part, one struct each:
//
//   from, in     alias that detects the member; mechanism/parts.hpp has further aliases
//   fits         false: the part is rejected. This includes optional functions with a wrong signature, which would
//                otherwise be ignored without a message.
//   Sentence     compiler message of a rejected part
namespace part {

// clang-format off
template <class Parts> using RealOf = typename Parts::Real;

struct Role {
  template <class P, class Parts> static constexpr bool fits() { return is_part<P>; }
  template <bool fits> struct Sentence { static_assert(fits, "A part needs a role: contacts, bilaterals, frictions, an action or a field (see mechanism/parts.hpp)"); };
};
struct Bodies {
  template <class P> static constexpr bool named() { return detected<body_A_in, P> && detected<body_B_in, P>; }
  template <class P, class Parts> static constexpr bool fits() { return (!is_joint<P> && !detected<action_in, P>) || named<P>(); }
  template <bool fits> struct Sentence { static_assert(fits, "A part needs: static constexpr int body_A = ..., body_B = ...;   // the bodies it joins"); };
};
struct TwoBodies {
  template <class P, class Parts> static constexpr bool fits() {
    constexpr int a = value_or<body_A_in, P, 0>, b = value_or<body_B_in, P, 1>, bodies = int(Parts::bodies);
    return (!is_joint<P> && !detected<action_in, P>) || !Bodies::named<P>() || (a != b && a >= ground && b >= ground && a < bodies && b < bodies);
  }
  template <bool fits> struct Sentence { static_assert(fits, "A part joins two different bodies of the list, or one of them and the ground"); };
};
struct Contact {
  template <class P, class G> using from = decltype(const_object<P>().contact(0, typename G::Frame{}, typename G::Frame{}));
  template <class P, class Parts> static constexpr bool fits() { return !brings<contacts_in, P> || yields<typename GeometryOf<Parts>::JointContact, from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "A joint with play needs: JointContact<Real> contact(int k, const Frame<Real>& A, const Frame<Real>& B) const;   // gap, normal, point; of the list's Real"); };
};
struct DeclaredContacts {
  template <class P, class Parts> static constexpr bool fits() { return detected<contacts_in, P> || !detected<Contact::from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "A joint with play needs: static constexpr int contacts = ...;   // the number of its contacts; contact() has no effect without it"); };
};
struct Law {
  template <class P> using in = std::decay_t<decltype(const_object<P>().law)>;
  template <class P, class Parts> static constexpr bool fits() { return !brings<contacts_in, P> || yields<ContactLaw<RealOf<Parts>>, in, P>; }
  template <bool fits> struct Sentence { static_assert(fits, "A joint with play needs: ContactLaw<Real> law;   // eps_N, eps_T, mu"); };
};
struct Row {
  template <class P, class G> using from = decltype(const_object<P>().bilateral(0, typename G::Frame{}, typename G::Frame{}, typename G::Real{}));
  template <class P, class Parts> static constexpr bool fits() { return !brings<bilaterals_in, P> || yields<typename GeometryOf<Parts>::JointRow, from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "An ideal joint needs: JointRow<Real> bilateral(int k, const Frame<Real>& A, const Frame<Real>& B, Real t) const;   // a row g = 0; of the list's Real"); };
};
struct DeclaredBilaterals {
  template <class P, class Parts> static constexpr bool fits() { return detected<bilaterals_in, P> || !detected<Row::from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "An ideal joint needs: static constexpr int bilaterals = ...;   // the number of its rows; bilateral() has no effect without it"); };
};
struct BiasAcceleration {
  template <class P, class G> using from = decltype(const_object<P>().bias_acceleration(0, typename G::BodyState{}, typename G::BodyState{}));
  template <class P, class Parts> static constexpr bool fits() { return !brings<bilaterals_in, P> || !detected<bias_acceleration_in, P> || yields<RealOf<Parts>, from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "An ideal joint needs: Real bias_acceleration(int k, const BodyState<Real>& A, const BodyState<Real>& B) const;   // its g'' at constant velocities; or no bias_acceleration at all"); };
};
struct ContactBiasAcceleration {
  template <class P> using name = decltype(&P::contact_bias_acceleration);
  template <class P, class G> using from = decltype(const_object<P>().contact_bias_acceleration(0, typename G::JointContact{}, typename G::BodyState{}, typename G::BodyState{}));
  template <class P, class Parts> static constexpr bool fits() { return !brings<contacts_in, P> || !detected<name, P> || yields<typename GeometryOf<Parts>::ContactBias, from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "A joint with play needs: ContactBias<Real> contact_bias_acceleration(int k, const JointContact<Real>& c, const BodyState<Real>& A, const BodyState<Real>& B) const;   // rates of gamma_N, gamma_T at constant velocities; or no contact_bias_acceleration at all"); };
};
struct FrictionBiasAcceleration {
  template <class P, class G> using from = decltype(const_object<P>().friction_bias_acceleration(0, typename G::BodyState{}, typename G::BodyState{}));
  template <class P, class Parts> static constexpr bool fits() { return !brings<frictions_in, P> || !detected<friction_bias_in, P> || yields<RealOf<Parts>, from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "Dry friction needs: Real friction_bias_acceleration(int k, const BodyState<Real>& A, const BodyState<Real>& B) const;   // rate of its sliding velocity at constant velocities; or no friction_bias_acceleration at all"); };
};
struct EndZeta {
  template <class P> using name = decltype(&P::zeta_E);
  template <class P, class Parts> static constexpr bool fits() { return !brings<bilaterals_in, P> || !names_function<name, P> || yields<RealOf<Parts>, zeta_E_in, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "A commanded drive needs: Real zeta_E(int k, const BodyState<Real>& A, const BodyState<Real>& B, Real t, Real dt) const;   // w^T u + zeta_E = 0 at the end of a step; or no zeta_E at all"); };
};
struct Bend {
  template <class P, class G> using from = decltype(const_object<P>().bend(0, typename G::BodyState{}, typename G::BodyState{}));
  template <class P, class Parts> static constexpr bool fits() { return !brings<bilaterals_in, P> || !detected<from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "An ideal joint declares `bend`: the member is called bias_acceleration"); };
};
struct Friction {
  template <class P, class G> using from = decltype(const_object<P>().friction(0, typename G::Frame{}, typename G::Frame{}));
  template <class P, class Parts> static constexpr bool fits() { return !brings<frictions_in, P> || yields<typename GeometryOf<Parts>::FrictionRow, from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "Dry friction needs: FrictionRow<Real> friction(int k, const Frame<Real>& A, const Frame<Real>& B) const;   // of the list's Real"); };
};
struct DeclaredFrictions {
  template <class P, class Parts> static constexpr bool fits() { return detected<frictions_in, P> || !detected<Friction::from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "Dry friction needs: static constexpr int frictions = ...;   // the number of its rows; friction() has no effect without it"); };
};
struct Bound {
  template <class P> using in = std::decay_t<decltype(const_object<P>().bound)>;
  template <class P, class Parts> static constexpr bool fits() { return !brings<frictions_in, P> || yields<RealOf<Parts>, in, P>; }
  template <bool fits> struct Sentence { static_assert(fits, "Dry friction needs: Real bound;   // N or N m"); };
};
struct Action {
  template <class P, class G> using from = decltype(const_object<P>().action(typename G::BodyState{}, typename G::BodyState{}, typename G::Real{}));
  template <class P, class Parts> static constexpr bool fits() { return !detected<action_in, P> || yields<typename GeometryOf<Parts>::Action, from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "A force needs: Action<Real> action(const BodyState<Real>& A, const BodyState<Real>& B, Real t) const;   // force and torque on both bodies, in the list's Real"); };
};
struct Field {
  template <class P, class G> using from = decltype(const_object<P>().field(typename G::Body{}));
  template <class P, class Parts> static constexpr bool fits() { return !detected<field_in, P> || yields<typename GeometryOf<Parts>::Point, from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "A field needs: Point<Real> field(const Body<Real>& body) const;   // the force on every body; of the list's Real"); };
};
struct Valid {
  template <class P> using name = decltype(&P::valid);
  template <class P, class Parts> static constexpr bool fits() { return !names_function<name, P> || detected<valid_in, P>; }
  template <bool fits> struct Sentence { static_assert(fits, "A part needs: bool valid() const;   // its numbers are in their ranges; or no valid at all"); };
};
struct Touches {
  template <class P> using name = decltype(&P::touches);
  template <class P, class Parts> static constexpr bool fits() { return !brings<bilaterals_in, P> || !detected<name, P> || detected<touches_in, P>; }
  template <bool fits> struct Sentence { static_assert(fits, "An ideal joint needs: static constexpr Touches touches(int k);   // entries its rows may have; or no touches at all"); };
};
struct Reversed {
  template <class P, class G> using from = decltype(bool(const_object<P>().reversed(0, typename G::Frame{}, typename G::Frame{})));
  template <class P, class Parts> static constexpr bool fits() { return !brings<bilaterals_in, P> || !detected<reversed_in, P> || detected<from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "An ideal joint needs: bool reversed(int k, const Frame<Real>& A, const Frame<Real>& B) const;   // half a turn off; or no reversed at all"); };
};
struct WithinRange {
  template <class P, class G> using from = decltype(bool(const_object<P>().within_range(typename G::Frame{}, typename G::Frame{})));
  template <class P, class Parts> static constexpr bool fits() { return !detected<within_range_in, P> || detected<from, P, GeometryOf<Parts>>; }
  template <bool fits> struct Sentence { static_assert(fits, "A part needs: bool within_range(const Frame<Real>& A, const Frame<Real>& B) const;   // its gaps are correct; or no within_range at all"); };
};
struct CountsTurns {
  template <class P> using name = decltype(P::counts_turns);
  template <class P, class Parts> static constexpr bool fits() { return !detected<name, P> || detected<counts_turns_in, P>; }
  template <bool fits> struct Sentence { static_assert(fits, "A part needs: static constexpr bool counts_turns = true;   // it depends on whole turns; or no counts_turns at all"); };
};
// clang-format on

using All = TypeList<DeclaredContacts, DeclaredBilaterals, DeclaredFrictions, Role, Bodies, TwoBodies, Contact, Law,
                     Row, BiasAcceleration, ContactBiasAcceleration, FrictionBiasAcceleration, EndZeta, Bend, Friction,
                     Bound, Action, Field, Valid, Touches, Reversed, CountsTurns, WithinRange>;

}  // namespace part

template <class P, class Parts, class Members>
struct RequirePart;
template <class P, class Parts, class... Member>
struct RequirePart<P, Parts, TypeList<Member...>> : Member::template Sentence<Member::template fits<P, Parts>()>... {
  static constexpr bool met = RequireSpelling<P, misspelled::OfPart>::met;
};
template <class P, class Parts, class... Member>
constexpr bool is_good_part(TypeList<Member...>) {
  return (Member::template fits<P, Parts>() && ...);
}

template <class Parts, class... P>
constexpr bool require_parts(const std::tuple<const P&...>*) {
  return (RequirePart<P, Parts, part::All>::met && ...);
}
template <class Parts, class... P>
constexpr bool good_parts(const std::tuple<const P&...>*) {
  return (is_good_part<P, Parts>(part::All{}) && ...);
}

}  // namespace detail
}  // namespace moreau
