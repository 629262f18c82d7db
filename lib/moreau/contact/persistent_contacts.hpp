// Persistent contacts: the rule of models that declare `persistent_contacts`, as all mechanisms from parts do.
//
//   closed   g_N <= 0, or P_N > 0 in the previous step
//   rho      (gamma_A - v) / (dt + dt_last),   v = gamma_E of the previous step; 0 if the contact was open in it
//   tau      dt minmod(rho, 2 rho_last),       minmod: the smaller of two numbers of equal sign, 0 otherwise
//   xi       (gamma_E + tau) + eps (gamma_A - tau)
//
// of the normal row, all gamma with the directions of the midpoint. If the contact normal rotates or the surface
// accelerates, a contact at rest in the previous step appears to move at this midpoint. Its normal velocity changes by
// rho dt between the midpoint and either end. gamma_E + tau is the velocity at the end, gamma_A - tau the velocity at
// the begin. In a persistent contact both are zero, and its force is that of the curve. The work of a percussion is
// P (1 - eps) (gamma_A - tau) / 2: zero there. An impact keeps its eps.
//
// 2 rho_last: one step cannot distinguish a corner, a jump of a drive or a velocity set by the user from rotation.
// A rotation continues at nearly its rate. (The factor 2 lets the rate grow and costs no accuracy. If the whole rate
// counted at once, the gap of a pin on its circle would become negative.)
//
// In models with allowed_penetration(), every mechanism from parts among them:
//
//   position correction  at the end of a step a contact that carried a percussion in this step and in the previous one
//                        returns to g_N = 0 (position_correction.hpp)
//   bound                the part of g_N(q_M) above  dt (|v| + (2 dt + dt_last) |rho|) + `rounding_depths` depths
//                        cannot result from rotation: the user moved the contact, or the surface ended. The contact has
//                        to cross this distance before it carries a percussion: xi grows by the distance over
//                        dt + dt_last. The same bound holds for the position correction.
//
// A model without allowed_penetration() has no length for this bound: its persistent contacts are closed at any separation.
//
// Difference from the papers: there the gap alone closes a contact, and xi = gamma_E + eps gamma_A. A contact at rest
// on a curve then moves by (1 - eps) / (1 + eps) rho dt^2 per step. On convex curves it opens every few steps and hits
// with twice its force; in concave ones it penetrates and loses energy. Derived models that declare nothing keep the
// papers' rule. The first two steps of every contact follow it, too.
//
// Not supported: contacts whose number refers to another pair of bodies or points from step to step. Adaptive runs hold
// contacts by their own rule (adapt/held_contacts.hpp) and clear the memory.
#pragma once

#include "moreau/contact/active_set.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

// Largest ratio of rho to rho_last.
constexpr int rate_growth = 2;

// Separation that rounding explains, in depths. One exceeds the rounding error of a gap; eight are 1.6 % of a joint's
// play.
constexpr int rounding_depths = 8;

// Separations at the midpoint beyond rounding error, in m. Empty for models without a bound.
template <class Model, bool bounded = has_persistent_contacts<Model> && (Contract<Model>::has_allowed_penetration)>
struct Separations {
  Vector<typename Traits<Model>::Real, Traits<Model>::contacts> beyond;
};
template <class Model>
struct Separations<Model, false> {};

// The persistent contacts of one step. `persist` = false: the papers' rule, at no cost.
template <class C, class Model, bool persist = has_persistent_contacts<Model>>
class PersistentContacts {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Condition = typename C::Condition;
  static constexpr bool bounded = Contract<Model>::has_allowed_penetration;

 public:
  MOREAU_ALWAYS_INLINE PersistentContacts(const State<Model>& last, Separations<Model>& separations)
      : last_(last), separations_(separations) {}

  // True if contact i carried a percussion in the previous step: it is closed in this step whatever its gap.
  MOREAU_ALWAYS_INLINE Condition carried(int i) const { return C::positive(last_.P_N.coeff(i)); }

  // Takes the gap at the midpoint.
  template <class I>
  MOREAU_ALWAYS_INLINE void set_gap([[maybe_unused]] const Model& model, [[maybe_unused]] I i,
                                    [[maybe_unused]] Real gap) {
    if constexpr (bounded) separations_.beyond.coeffRef(i) = gap - Real(rounding_depths) * model.allowed_penetration(i);
  }

  // Takes the length of the step. The previous step has dt = 0 if the clock was set.
  MOREAU_ALWAYS_INLINE void set_step(Real dt) {
    const Real dt_last = last_.clock.dt;
    dt_ = dt;
    sum_ = dt + select<C>(C::positive(dt_last), dt_last, dt);
    per_sum_ = Real(1) / sum_;
  }

  // Moves the velocities of closed contact i from the midpoint to the ends of the step: gamma_E, or a part of it, and
  // gamma_A. Returns rho. An open contact keeps its velocities.
  MOREAU_ALWAYS_INLINE Real velocities(Condition there, int i, Real& gamma_E, Real& gamma_A) const {
    const Condition known = there && nth_bit<C>(last_.known[std::size_t(i) / 32], i % 32);
    const Real v = last_.gamma_E.coeff(i), rho = select_or_zero<C>(known, (gamma_A - v) * per_sum_);
    const Real most = Real(rate_growth) * last_.rho.coeff(i);
    const Real smaller = select<C>(C::less(absolute(rho), absolute(most)), rho, most);
    const Real tau = dt_ * select_or_zero<C>(C::positive(rho * most), smaller);
    gamma_E += tau;
    if constexpr (bounded) {  // at the middle of this step, v has changed by rho (dt + dt_last) at most
      const Real reach = dt_ * (absolute(v) + (dt_ + sum_) * absolute(rho));
      gamma_E += select_or_zero<C>(there, C::larger(Real(0), separations_.beyond.coeff(i) - reach) * per_sum_);
    }
    gamma_A -= tau;
    return rho;
  }

  // True if contact i is separated at the end of the step, by no more than half a step brings about, and carried a
  // percussion in the previous step: the position correction closes its gap.
  MOREAU_ALWAYS_INLINE Condition separated(const Model& model, int i, Real gap, Real gap_M) const {
    return C::positive(gap) &&
           C::at_most(gap - Real(rounding_depths) * model.allowed_penetration(i),
                      Real(2) * C::larger(Real(0), gap_M)) &&
           carried(i);
  }

  // Adds w_N^T u_E to the memory of one contact; clears it if the contact is open.
  template <class Memory>
  MOREAU_ALWAYS_INLINE static void end(Condition there, int i, Real gamma, Memory& next) {
    next.gamma_E.coeffRef(i) += gamma;
    C::assign_if(!there, next.gamma_E.coeffRef(i), Real(0), next.rho.coeffRef(i), Real(0));
  }

  // Stores the set of closed contacts, bit by bit, and clears the rest of the memory.
  MOREAU_ALWAYS_INLINE static void store(unsigned closed, State<Model>& state) {
    for_each_index<T::contacts>([&](auto i) { state.gamma_E.coeffRef(i) = state.rho.coeffRef(i) = Real(0); });
    state.known[0] = closed;
  }
  // Stores the memory of contact i.
  template <class Memory>
  MOREAU_ALWAYS_INLINE static void store(int i, const Memory& next, State<Model>& state) {
    state.gamma_E.coeffRef(i) = next.gamma_E.coeff(0);
    state.rho.coeffRef(i) = next.rho.coeff(0);
  }
  // Stores the memory of all contacts.
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

template <class C, class Model>
class PersistentContacts<C, Model, false> {
  using Real = typename Traits<Model>::Real;

 public:
  PersistentContacts(const State<Model>&, Separations<Model>&) {}

  static constexpr auto carried(int) { return C::condition(false); }
  static constexpr void set_gap(const Model&, int, Real) {}
  static constexpr void set_step(Real) {}
  static constexpr Real velocities(typename C::Condition, int, Real&, Real&) { return Real(0); }
  static constexpr auto separated(const Model&, int, Real, Real) { return C::condition(false); }
  template <class Memory>
  static constexpr void end(typename C::Condition, int, Real, Memory&) {}
  template <class... Any>
  static void store(const Any&...) {}
  // Adaptive runs have their own rule and leave no memory of a persistent contact.
  template <class Set, class Q, class Assembly>
  static void store(typename C::Condition, const Set&, const Q&, Assembly&, State<Model>& state) {
    static_cast<MemoryOf<Model>&>(state) = {};
  }
};

}  // namespace detail
}  // namespace moreau
