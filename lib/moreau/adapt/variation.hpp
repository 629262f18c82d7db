// How the base steps of an adaptive run differ from the paper's (step/step.hpp), where its options ask for that.
//
// Closed::held, for contacts whose directions turn or move:
//
//   a contact that was closed stays so, whatever its gap, until its force ends, and has no restitution meanwhile;
//   every closed contact obeys its law at the end of the step, gamma_E = w(q_E)^T u_E + zeta_E to first order, instead
//   of in its middle.
//
// Without the second the velocity left at the end of a step is a dt / 2, a the acceleration by which the contact turns
// away; a step that begins where that is extrapolated away then sees only half of a, and lifts contacts off that the
// other half would keep closed.
#pragma once

#include "moreau/adapt/discrete_state.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/model_time.hpp"
#include "moreau/step/step.hpp"

namespace moreau {

template <class Model>
struct Variation {
  ForceAt force_at = ForceAt::begin;
  bool holding = false;           // Closed::held, and `before` is known
  DiscreteState<Model> before{};  // of the main step before
  const Model* model = nullptr;
  const State<Model>* A = nullptr;      // where a base step begins
  typename Traits<Model>::Real dt = 0;  // s, how long it is

  bool holds(int i) const { return holding && before.mode[2 * std::size_t(i)] == 0; }
  // An open contact that overlaps - every contact that has been closed does, a little - closes when it approaches.
  template <class Real>
  bool closed(int i, Real gap) const {
    if (holds(i) || !holding || gap > Real(0)) return holds(i) || gap <= Real(0);
    const auto d = Evaluation<Model>(*model, A->q, reduced(*model, A->time)).directions(i);
    return dot(Vector<Real, Traits<Model>::dof>(d.w_N), A->u) + d.zeta_N <= Real(0);
  }
  // By how much gamma_N of u changes from the middle of the step to its end, as the direction turns.
  static constexpr bool turns = true;
  template <class D, class Q>
  auto turn(int i, const D& middle, const Q& u) const {
    if (!holding) return typename Q::Scalar(0);
    const Q q_E = A->q + dt * u;
    const auto end = Evaluation<Model>(*model, q_E, reduced(*model, A->time() + dt)).directions(i);
    return dot(Q(end.w_N - middle.w_N), u) + (end.zeta_N - middle.zeta_N);
  }
};

}  // namespace moreau
