// Persistent contacts keep their force: the rule of models that declare `persistent_contacts`, as every mechanism from parts does.
//
//   closed   g_N <= 0, or P_N > 0 in the last step
//   rho      (gamma_A - v) / (dt + dt_last),   v = gamma_E of the last step; 0 where that step did not solve the contact
//   tau      dt minmod(rho, 2 rho_last),       minmod: the smaller one of two numbers of one sign, 0 otherwise
//   xi       (gamma_E + tau) + eps (gamma_A - tau)
//
// of the normal row, all gamma with the directions of the midpoint. Where the directions of a contact turn, or what it
// lies on is accelerated, a velocity of zero seen from this midpoint was none from the last: it changes by rho dt up to
// either end of the step. gamma_E + tau is then the velocity at the end, gamma_A - tau the one at the begin. In a
// contact that lasts both are zero, and its force is that of the curve. The work of a percussion is
// P (1 - eps) (gamma_A - tau) / 2: nothing there; an impact keeps its eps.
//
// 2 rho_last: one step cannot tell a corner, a jump of a drive or a velocity that the user has set from turning. What
// has turned before goes on turning at nearly the rate it had. (Twice lets the rate grow and costs no accuracy; at once
// the rate, the gap of a pin on its circle sinks.)
//
// In models with allowed_penetration(), every mechanism from parts among them:
//
//   put back   at the end of a step a contact that carried in it and in the last one goes back to g_N = 0 (position_correction.hpp)
//   bounded    what g_N(q_M) is more than  dt (|v| + (2 dt + dt_last) |rho|) + `separation_limit` depths  is no turning: the contact was moved
//              away by its user, or what it lay on has ended. It has to be crossed before the contact carries anything:
//              xi is larger by that distance over dt + dt_last. The same in position: a contact is not put back from where
//              this step cannot have brought it.
//
// A model without allowed_penetration() has no length that tells these: there a contact that lasts is closed however far it stands off.
//
// Difference from the papers: there a contact is closed by its gap alone and xi = gamma_E + eps gamma_A. Then a contact
// at rest on a curve moves by (1 - eps) / (1 + eps) rho dt^2 a step: on convex ones it opens every few steps and hits
// with twice its force, in concave ones it sinks and loses energy. The paper's rule is that of derived models which
// declare nothing; the first two steps of a contact are the paper's in any case.
//
// Not persistent here: contacts whose number means another pair of bodies or of points from step to step. Runs of adapt/
// hold contacts by a rule of their own (adapt/held_contacts.hpp) and leave nothing known behind.
#pragma once

#include "moreau/contact/active_set.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

// How much the rate of turning may grow from one step to the next.
constexpr int turning_growth = 2;

// Depths that a contact may stand off for no reason but rounding. One is more than a gap is rounded by; eight are 1.6 % of a
// joint's play.
constexpr int separation_limit = 8;

template <class Model>
constexpr bool bounds_separation = (has_persistent_contacts<Model> && Contract<Model>::has_allowed_penetration);

// How far the contacts stand off at the midpoint, beyond what rounding explains.
template <class Model, bool bounded = bounds_separation<Model>>
class StandOff {
  using Real = typename Traits<Model>::Real;

 public:
  template <class I>
  MOREAU_ALWAYS_INLINE void set(const Model& model, I i, Real gap) {
    beyond_.coeffRef(i) = gap - Real(separation_limit) * model.allowed_penetration(i);
  }
  MOREAU_ALWAYS_INLINE Real beyond(int i) const { return beyond_.coeff(i); }

 private:
  Vector<Real, Traits<Model>::contacts> beyond_;
};
template <class Model>
struct StandOff<Model, false> {
  template <class I>
  void set(const Model&, I, typename Traits<Model>::Real) {}
};

template <class Real>
struct Turning {
  Real tau;  // m/s
  Real rho;  // m/s^2
};

// The times of a step: its own, and that between its midpoint and the last one. (dt_last: 0 where the clock has been set.)
template <class Real>
struct Span {
  Real dt, sum;  // s; dt + dt_last
  Real per;      // 1/s, 1 / sum
};
template <class C, class Real>
MOREAU_ALWAYS_INLINE Span<Real> span_of(Real dt, Real dt_last) {
  const Real sum = dt + select<C>(C::positive(dt_last), dt_last, dt);
  return {dt, sum, Real(1) / sum};
}

// What a contact is told of the step before: its end, and the times since where that matters.
template <class Model, bool persistent = has_persistent_contacts<Model>>
struct Before {
  const State<Model>& state;
  Span<typename Traits<Model>::Real> span;
  const StandOff<Model>& off;
};
template <class Model>
struct Before<Model, false> {
  const State<Model>& state;
};
template <class C, class Model>
MOREAU_ALWAYS_INLINE Before<Model> before_step(const State<Model>& state,
                                               [[maybe_unused]] typename Traits<Model>::Real dt,
                                               [[maybe_unused]] const StandOff<Model>& off) {
  if constexpr (has_persistent_contacts<Model>)
    return {state, span_of<C>(dt, state.clock.dt), off};
  else
    return {state};
}

// v, rho_last: of the last step, if it is known.
template <class C, class Real>
MOREAU_ALWAYS_INLINE Turning<Real> turning(typename C::Condition known, Real gamma_A, Real v, Real rho_last,
                                           const Span<Real>& span) {
  const Real rho = select_or_zero<C>(known, (gamma_A - v) * span.per), most = Real(turning_growth) * rho_last;
  const Real smaller = select<C>(C::less(absolute(rho), absolute(most)), rho, most);
  return {span.dt * select_or_zero<C>(C::positive(rho * most), smaller), rho};
}

// It was closed in that step, by its gap or because it lasted.
template <class C, class Model>
MOREAU_ALWAYS_INLINE typename C::Condition was_known([[maybe_unused]] const State<Model>& last,
                                                     [[maybe_unused]] int i) {
  if constexpr (has_persistent_contacts<Model>)
    return nth_bit<C>(last.known[std::size_t(i) / 32], i % 32);
  else
    return C::condition(false);
}

// Contact i carried a percussion in the last step, and so lasts if it carries one in this step, too.
template <class C, class Model>
MOREAU_ALWAYS_INLINE typename C::Condition has_carried([[maybe_unused]] const State<Model>& last,
                                                       [[maybe_unused]] int i) {
  if constexpr (has_persistent_contacts<Model>)
    return C::positive(last.P_N.coeff(i));
  else
    return C::condition(false);
}

// Bit i: contact i has. Nothing to keep by the paper's rule.
template <class C, class Model, bool persistent = has_persistent_contacts<Model>>
struct Carriers {
  unsigned bits = 0;

  MOREAU_ALWAYS_INLINE explicit Carriers(const State<Model>& last) {
    for_each_index<Traits<Model>::contacts>([&](auto i) { bits |= C::as_bit(has_carried<C>(last, i)) << i; });
  }
};
template <class C, class Model>
struct Carriers<C, Model, false> {
  static constexpr unsigned bits = 0;

  explicit Carriers(const State<Model>&) {}
};

// H of a plain step.
template <class C, class Model>
MOREAU_ALWAYS_INLINE typename C::Condition closed([[maybe_unused]] const State<Model>& last, [[maybe_unused]] int i,
                                                  typename Traits<Model>::Real gap) {
  if constexpr (has_persistent_contacts<Model>)
    return closed<C>(gap) || has_carried<C>(last, i);
  else
    return closed<C>(gap);
}

// What a contact that stands off farther than it can have turned has to cross first, as a velocity: seen from the middle of
// this step its last velocity has changed by rho (dt + dt_last) at most.
template <class C, class Model, class Real>
MOREAU_ALWAYS_INLINE Real to_cross(const Before<Model>& before, int i, Real rho) {
  const Span<Real>& span = before.span;
  const Real reach = span.dt * (absolute(before.state.gamma_E.coeff(i)) + (span.dt + span.sum) * absolute(rho));
  return C::larger(Real(0), before.off.beyond(i) - reach) * span.per;
}

// From velocities with the midpoint's directions to those at the end (by what is added up for it) and at the begin; returns
// rho.
template <class C, class Model, class Real>
MOREAU_ALWAYS_INLINE Real turn(const Before<Model>& before, typename C::Condition there, int i, Real& at_E,
                               Real& gamma_A) {
  const State<Model>& last = before.state;
  const Turning<Real> turned =
      turning<C>(there && was_known<C>(last, i), gamma_A, last.gamma_E.coeff(i), last.rho.coeff(i), before.span);
  at_E += turned.tau;
  if constexpr (bounds_separation<Model>) at_E += select_or_zero<C>(there, to_cross<C>(before, i, turned.rho));
  gamma_A -= turned.tau;
  return turned.rho;
}

// At the end of the step, where it may be put back from: it stands off, no farther than half a step has brought it.
template <class C, class Model, class Real>
MOREAU_ALWAYS_INLINE typename C::Condition stands_off(const Model& model, int i, Real gap, Real gap_M) {
  return C::positive(gap) &&
         C::at_most(gap - Real(separation_limit) * model.allowed_penetration(i), Real(2) * C::larger(Real(0), gap_M));
}

// In place of ByGap, for contacts in a workspace.
template <class C, class Model>
class PersistentContacts : public ByGap {
  using Real = typename Traits<Model>::Real;
  using Condition = typename C::Condition;

 public:
  static constexpr bool persistent = true;

  PersistentContacts(const Model& model, const Vector<Real, Traits<Model>::contacts>& gap_M, const State<Model>& last,
                     Real dt, MemoryOf<Model>& next)
      : before_(before_step<C>(last, dt, off_)), next_(next) {
    for_each_index<Traits<Model>::contacts>([&](auto i) { off_.set(model, i, gap_M.coeff(i)); });
  }

  void turn(Condition there, int i, Real& zeta, Real& gamma_A) const {
    next_.gamma_E.coeffRef(i) = zeta;
    next_.rho.coeffRef(i) = detail::turn<C>(before_, there, i, zeta, gamma_A);
    next_.known[std::size_t(i) / 32] |= C::as_bit(there) << i % 32;
  }

 private:
  StandOff<Model> off_;
  const Before<Model> before_;
  MemoryOf<Model>& next_;
};

// What a contact in registers keeps of that. gamma_E is zeta until the velocity is known.
template <class Model, bool persistent = has_persistent_contacts<Model>>
struct Turned {
  typename Traits<Model>::Real gamma_E{0}, rho{0};
};
template <class Model>
struct Turned<Model, false> {};

// What decides on contacts in a step of `base`: the model's rule in plain steps.
template <class C, class Model, class Base, class Gaps>
decltype(auto) rule_of(const Base& base, [[maybe_unused]] const Model& model, [[maybe_unused]] const Gaps& gap_M,
                       [[maybe_unused]] const State<Model>& last, [[maybe_unused]] typename Traits<Model>::Real dt,
                       [[maybe_unused]] MemoryOf<Model>& next) {
  if constexpr (std::is_base_of_v<ByGap, Base> && has_persistent_contacts<Model>)
    return PersistentContacts<C, Model>(model, gap_M, last, dt, next);
  else
    return (base);
}

// The memory of a step that ends: gamma_E of the contacts of its problem. which: ActiveSet or MaskedSet.
template <class C, class Model, class Problem, class Which, class Columns>
void remember([[maybe_unused]] typename C::Condition advance, [[maybe_unused]] const Problem& problem,
              [[maybe_unused]] const Which& which, [[maybe_unused]] const Columns& W,
              [[maybe_unused]] const Vector<typename Traits<Model>::Real, Traits<Model>::dof>& u_E,
              [[maybe_unused]] MemoryOf<Model>& next, [[maybe_unused]] State<Model>& state) {
  if constexpr (has_persistent_contacts<Model>) {
    each<C, Traits<Model>::contacts>(
        which.k, [&](auto i) { next.gamma_E.coeffRef(which.id(i)) += dot(W[std::size_t(problem.row(i))], u_E); });
    each<C, Traits<Model>::contacts>(Traits<Model>::contacts, [&](auto i) {
      C::assign_if(advance, state.gamma_E.coeffRef(i), next.gamma_E.coeff(i), state.rho.coeffRef(i), next.rho.coeff(i));
    });
    for (std::size_t word = 0; word < state.known.size(); ++word)
      C::assign_if(advance, state.known[word], next.known[word]);
  }
}

}  // namespace detail
}  // namespace moreau
