// Contacts that close in the second half of a step, for models that declare `predicted_gaps` (impact_instants.hpp).
//
//   closed    g_M <= 0, or g_M + dt/2 gamma_A <= 0,    gamma_A = w_N(q_M)^T u_A + zeta_N
//   r         g_M / (gamma_A dt) in -1/2 .. 1: a negative r is an impact after the midpoint
//
// Without the declaration, an impact after the midpoint belongs to the next step, and the body penetrates at the end of
// this step. With it, errors of impacts and penetrations are about half as large, and the step evaluates the normal
// directions of all contacts.
//
// Departures from the papers: the papers' rule closes contacts by the gap at the midpoint.
#pragma once

#include "moreau/math/cholesky.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

// Returns true if contact i, which has this gap at the midpoint, closes before the end of the step; half = dt/2.
template <class C, class Model, class I, class Real>
typename C::Condition closes_before_end(const Evaluation<Model>& at, const State<Model>& last, I i, Real gap,
                                        Real half) {
  if constexpr (Traits<Model>::predicted_gaps) {
    const auto d = at.directions(i);
    Real gamma = sparse_dot<DirectionPattern<Model, -1, 0>>(Vector<Real, Traits<Model>::dof>(d.w_N), last.u);
    if constexpr (DirectionPattern<Model, -1, 0>::entry(Traits<Model>::dof)) gamma += d.zeta_N;
    return C::at_most(gap + half * gamma, Real(0));
  } else {
    return C::condition(false);
  }
}

}  // namespace detail
}  // namespace moreau
