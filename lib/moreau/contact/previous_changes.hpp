// Changes of u by the contacts of the previous step, for models that declare `second_order` (impact_instants.hpp).
//
//   du_held   u_E - u_free of the previous step, scaled to dt, or 0 if that step contained an impact
//   dh        dt_last / (2 dt) (h(u_A) - h(u_A - du_last)) after a step of dt_last with an impact
//   du_last   u_E - u_free of that step
#pragma once

#include "moreau/math/branching.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

// Returns du_held of a step of dt. If the user has set the clock, du_held is not scaled.
template <class C, class Model, class Real>
Vector<Real, Traits<Model>::dof> held_change(const State<Model>& last, Real dt) {
  const Real dt_last = last.clock.dt, scale = dt / select<C>(C::condition(dt_last > Real(0)), dt_last, dt);
  return select_or_zero<C>(C::condition(last.impact == 0), scale) * last.du_held;
}

// Changes of u by contacts in the previous step, for the force of a step of dt.
template <class C, class Model>
class PreviousChanges {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;

 public:
  PreviousChanges(const State<Model>& last, Real dt, const Q& held_, const Q& u_A)
      : held(held_), last_(last), dt_(dt), u_A_(u_A) {}

  // Adds the change of h by an impact of the previous step, for the half step that followed it. h_A = h(u_A).
  void add_missing(const Evaluation<Model>& at, const Q& h_A, Q& h) const {
    const auto impact = C::condition(last_.impact != 0);
    if (C::may_exit(!impact)) return;
    const Real share = select_or_zero<C>(impact, Real(0.5) * last_.clock.dt / dt_);
    h += share * (h_A - at.force(Q(u_A_ - last_.du_held)));
  }

  const Q& held;  // held_change(last, dt)

 private:
  const State<Model>& last_;
  const Real dt_;
  const Q& u_A_;
};

}  // namespace detail
}  // namespace moreau
