// Persistent contacts, for models that declare `persistent_contacts`. By default, all mechanisms built from parts
// declare it.
//
//   closed   g_N <= 0, or P_N > 0 in the previous step
//   v        gamma_E of the previous step
//   rho      (gamma_A - v) / (dt + dt_last), or 0 if the contact was open in the previous step
//   tau      dt minmod(rho, 2 rho_last),       minmod: the smaller of two numbers of equal sign, 0 otherwise
//   xi       (gamma_E + tau) + eps (gamma_A - tau)
//
// These equations apply to the normal row. Every gamma uses the directions at the midpoint; the suffix _last marks the
// previous step.
//
// If the contact normal rotates or the surface accelerates, a contact at rest in the previous step appears to move at
// this midpoint. Its normal velocity changes by rho dt between the midpoint and either end. The velocity at the end is
// gamma_E + tau, and the velocity at the beginning is gamma_A - tau.
//
// Both velocities vanish in a persistent contact, and the percussion equals the constraint force on the curved path
// times dt. The work of this percussion, P (1 - eps) (gamma_A - tau) / 2, is 0. After free flight rho is 0, so
// restitution applies to the impact in full.
//
// The limit 2 rho_last excludes wrong rates. From a single step, rotation cannot be distinguished from a corner of the
// surface, a velocity jump of a drive or a velocity set by the user. The rate of a rotation changes little from step to
// step. The factor 2 allows rho to grow without loss of accuracy. Without a limit, the gap of a pin on a circle would
// become negative.
//
// In models with allowed_penetration(), for example all mechanisms from parts:
//
//   position correction   g_N = 0 at the end of the step, if P_N > 0 in this step and in the previous one
//                         (position_correction.hpp)
//   separation bound      g_N(q_M) <= dt (|v| + (2 dt + dt_last) |rho|) + rounding_depths * allowed_penetration()
//
// A gap above this bound cannot result from rotation: the user has moved the contact, or the surface has ended. The
// excess divided by dt + dt_last is then added to xi. The contact therefore carries no percussion until its gap has
// decreased by the excess. The position correction has its own bound, 0 < g_N <= 2 g_N(q_M) up to rounding; see
// separated(). Without allowed_penetration(), a persistent contact is closed at any gap.
//
// Departures from the papers: in the papers a contact is closed by its gap alone, and xi = gamma_E + eps gamma_A. A
// contact at rest on a curve then moves by (1 - eps) / (1 + eps) rho dt^2 per step. On a convex curve the contact opens
// every few steps, and closes with twice the contact force. On a concave curve it penetrates and loses energy. Models
// without `persistent_contacts`, and the first two steps of every contact, follow the papers.
//
// Limitation: a contact index must denote the same pair of bodies and points in every step. Adaptive runs use a
// separate rule (adapt/held_contacts.hpp) and clear the stored data.
#pragma once

#include "moreau/contact/active_set.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

// Upper limit of rho / rho_last.
constexpr int rate_growth = 2;

// Separation that can result from rounding, in multiples of allowed_penetration(). One multiple exceeds the rounding
// error of a gap; eight are 1.6 % of the clearance of a joint.
constexpr int rounding_depths = 8;

// Separations at the midpoint beyond rounding error, in m. Empty for models without the separation bound.
template <class Model, bool bounded = has_persistent_contacts<Model> && (Contract<Model>::has_allowed_penetration)>
struct Separations {
  Vector<typename Traits<Model>::Real, Traits<Model>::contacts> beyond;
};
struct NoGaps {};
struct NoEnd {};      // the model at the end of a step, if it is not evaluated
struct NoChanges {};  // changes of u in the previous step of a model without second_order
// Gaps at the midpoint and, in constant time, separations that can result from rounding, in m. They are read with
// run-time indices.
template <class Model>
struct MidpointGaps {
  Vector<typename Traits<Model>::Real, Traits<Model>::contacts> gap, rounding;
};
template <class Model>
struct Separations<Model, false> : std::conditional_t<Traits<Model>::second_order, MidpointGaps<Model>, NoGaps> {};

// Persistent contacts of one step. With `persist` = false the step follows the papers, without additional instructions.
template <class C, class Model, bool persist = has_persistent_contacts<Model>>
class PersistentContacts {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Condition = typename C::Condition;
  static constexpr bool bounded = Contract<Model>::has_allowed_penetration;

 public:
  static constexpr bool at_instants = false;
  MOREAU_ALWAYS_INLINE PersistentContacts(const State<Model>& last, Separations<Model>& separations)
      : last_(last), separations_(separations) {}

  // Returns true if contact i carried a percussion in the previous step. This contact is closed at any gap.
  MOREAU_ALWAYS_INLINE Condition carried(int i) const { return C::positive(last_.P_N.coeff(i)); }

  // Sets the gap of contact i at the midpoint.
  template <class I>
  MOREAU_ALWAYS_INLINE void set_gap([[maybe_unused]] const Model& model, [[maybe_unused]] I i,
                                    [[maybe_unused]] Real gap) {
    if constexpr (bounded) separations_.beyond.coeffRef(i) = gap - Real(rounding_depths) * model.allowed_penetration(i);
  }

  // Sets the step size. If the user has set the clock, dt_last is 0, and dt replaces dt_last.
  MOREAU_ALWAYS_INLINE void set_step(Real dt) {
    const Real dt_last = last_.clock.dt;
    dt_ = dt;
    sum_ = dt + select<C>(C::positive(dt_last), dt_last, dt);
    per_sum_ = Real(1) / sum_;
  }

  static constexpr NoChanges previous() { return {}; }
  template <class Q>
  static constexpr void move(Q&) {}
  static constexpr void clear() {}
  static constexpr NoEnd end_of_step(const Model&, const Vector<Real, T::dof>&) { return {}; }

  // Shifts gamma_E and gamma_A of contact i from the midpoint to the ends of the step. Returns rho. gamma_E may be
  // incomplete: the caller can add a term later. if (!present) return 0;
  MOREAU_ALWAYS_INLINE Real velocities(Condition present, int i, Real& gamma_E, Real& gamma_A) const {
    // rho = known ? (gamma_A - v) / sum : 0;  tau = dt minmod(rho, 2 rho_last);
    const Condition known = present && nth_bit<C>(last_.known[std::size_t(i) / 32], i % 32);
    const Real v = last_.gamma_E.coeff(i), rho = select_or_zero<C>(known, (gamma_A - v) * per_sum_);
    const Real most = Real(rate_growth) * last_.rho.coeff(i);
    const Real smaller = select<C>(C::less(absolute(rho), absolute(most)), rho, most);
    const Real tau = dt_ * select_or_zero<C>(C::positive(rho * most), smaller);
    gamma_E += tau;
    if constexpr (bounded) {  // if (gap > bound) gamma_E += (gap - bound) / sum
      const Real reach = dt_ * (absolute(v) + (dt_ + sum_) * absolute(rho));
      gamma_E += select_or_zero<C>(present, C::larger(Real(0), separations_.beyond.coeff(i) - reach) * per_sum_);
    }
    gamma_A -= tau;
    return rho;
  }

  // Returns true if the position correction closes the gap of contact i. Conditions: P_N > 0 in the previous step, and
  // 0 < gap <= 2 gap_M at the end of this step, except for rounding.
  MOREAU_ALWAYS_INLINE Condition separated(const Model& model, int i, Real gap, Real gap_M) const {
    return C::positive(gap) &&
           C::at_most(gap - Real(rounding_depths) * model.allowed_penetration(i),
                      Real(2) * C::larger(Real(0), gap_M)) &&
           carried(i);
  }

  // Adds w_N^T u_E to the stored gamma_E of one contact. if (!present) gamma_E = rho = 0;
  template <class Memory>
  MOREAU_ALWAYS_INLINE static void end(Condition present, int i, Real gamma, Memory& next) {
    next.gamma_E.coeffRef(i) += gamma;
    C::assign_if(!present, next.gamma_E.coeffRef(i), Real(0), next.rho.coeffRef(i), Real(0));
  }

  // Stores the closed contacts, one bit each, and clears gamma_E and rho.
  MOREAU_ALWAYS_INLINE static void store(unsigned closed, State<Model>& state) {
    for_each_index<T::contacts>([&](auto i) { state.gamma_E.coeffRef(i) = state.rho.coeffRef(i) = Real(0); });
    state.known[0] = closed;
  }
  // Stores gamma_E and rho of contact i.
  template <class Memory>
  MOREAU_ALWAYS_INLINE static void store(int i, const Memory& next, State<Model>& state) {
    state.gamma_E.coeffRef(i) = next.gamma_E.coeff(0);
    state.rho.coeffRef(i) = next.rho.coeff(0);
  }
  // Stores gamma_E, rho and the closed contacts. if (!advance) return;
  template <class Set, class Assembly>
  static void store(Condition advance, const Set& set, const Vector<Real, T::dof>& u_E, Assembly& next,
                    State<Model>& state) {
    each<C, T::contacts>(
        set.k, [&](auto i) { next.gamma_E.coeffRef(set.id(i)) += dot(next.W[std::size_t(next.problem.row(i))], u_E); });
    each<C, T::contacts>(T::contacts, [&](auto i) {
      C::assign_if(advance, state.gamma_E.coeffRef(i), next.gamma_E.coeff(i), state.rho.coeffRef(i), next.rho.coeff(i));
    });
    for (std::size_t word = 0; word < state.known.size(); ++word)
      C::assign_if(advance, state.known[word], next.known[word]);
  }

 private:
  const State<Model>& last_;
  Separations<Model>& separations_;
  Real dt_, sum_, per_sum_;  // s; dt + dt_last; 1 / sum
};

// Empty implementation for models without persistent contacts.
template <class C, class Model>
class PersistentContacts<C, Model, false> {
  using Real = typename Traits<Model>::Real;

 public:
  static constexpr bool at_instants = false;
  PersistentContacts(const State<Model>&, Separations<Model>&) {}

  static constexpr auto carried(int) { return C::condition(false); }
  static constexpr void set_gap(const Model&, int, Real) {}
  static constexpr void set_step(Real) {}
  static constexpr NoChanges previous() { return {}; }
  template <class Q>
  static constexpr void move(Q&) {}
  static constexpr void clear() {}
  static constexpr NoEnd end_of_step(const Model&, const Vector<Real, Traits<Model>::dof>&) { return {}; }
  static constexpr Real velocities(typename C::Condition, int, Real&, Real&) { return Real(0); }
  static constexpr auto separated(const Model&, int, Real, Real) { return C::condition(false); }
  template <class Memory>
  static constexpr void end(typename C::Condition, int, Real, Memory&) {}
  template <class... Any>
  static void store(const Any&...) {}
  // Clears the stored data, which adaptive runs do not use.
  template <class Set, class Q, class Assembly>
  static void store(typename C::Condition, const Set&, const Q&, Assembly&, State<Model>& state) {
    static_cast<MemoryOf<Model>&>(state) = {};
    static_cast<SmoothMemoryOf<Model>&>(state) = {};
  }
};

}  // namespace detail
}  // namespace moreau
