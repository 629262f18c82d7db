// Force h of a step (midpoint.hpp): at u_A, as in the papers, or at a predicted velocity of the midpoint.
//
//   h = h(q_M, u_A, t_M)                                             default
//   h = h(q_M, u_A + dt/2 M^-1 h(q_M, u_A, t_M), t_M)                models that declare predicted_force
//
// With ideal joints, M^-1 h alone would violate their velocity constraints. The prediction is then the mean of u_A and
// u_free, which satisfies them:
//
//   h = h(q_M, (u_A + u_free) / 2, t_M),    u_free: end velocity with h(q_M, u_A, t_M) and without contacts
//
// Models that declare second_order add half the change of u by contacts at rest (contact/impact_instants.hpp):
//
//   h = h(q_M, u_A + dt/2 M^-1 h(q_M, u_A, t_M) + du_held / 2, t_M)
//
// If h depends on u, a step without closed contacts is then of second order in dt instead of first order. The
// prediction contains no contact forces. If h is independent of u, the result is bit-identical to the default.
//
// Stability limits of a spring and a damper, with omega^2 = k / m:
//
//   default             (dt omega)^2 + 2 dt d/m < 4
//   predicted_force     dt d/m < 2 and ((dt omega)^2 + 2 dt d/m) (1 - dt d/m / 2) < 4;  dt omega <= 2 suffices
#pragma once

#include "moreau/contact/impact_instants.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {

// Velocity at which an adaptive run evaluates h.
//
//   begin       u_A, as in the papers
//   predicted   u_A + dt/2 M^-1 h(q_M, u_A, t_M), a prediction of the velocity at the midpoint
//
// If h depends on u, a contact-free step is second-order accurate only with `predicted`. An adaptive run ignores the
// declaration predicted_force of its model.
enum class ForceAt { begin, predicted };

namespace detail {

// Returns u_A + dt/2 M^-1 h.
template <class Mass, class Q, class Real>
Q predicted_velocity(const Mass& mass, const Q& h, const Q& u_A, Real half) {
  return u_A + half * mass.unconstrained_change(h);
}

// Returns the predicted velocity of the midpoint without contacts; half = dt/2, h = h(q_M, u_A). `mass` is the
// effective inverse mass at the midpoint.
template <class Model, class Mass, class Q, class Real>
Q predicted_midpoint_velocity(const Mass& mass, const Q& h, const Q& u_A, Real half) {
  if constexpr (Traits<Model>::bilaterals == 0) {
    return predicted_velocity(mass, h, u_A, half);
  } else {
    Q u_free = u_A + mass.unconstrained_change(Q(h * (half + half)));
    mass.project_velocity(u_free);
    return (u_A + u_free) * Real(0.5);
  }
}

// Returns h of a fixed step; half = dt/2. `previous`: changes of u in the previous step, for models that declare
// second_order.
template <class Model, class Mass, class Q, class Real, class Changes>
Q force_of(const Evaluation<Model>& at, [[maybe_unused]] const Mass& mass, const Q& u_A, [[maybe_unused]] Real half,
           [[maybe_unused]] const Changes& previous) {
  Q h = at.force(u_A);
  if constexpr (!Traits<Model>::predicted_force) {
    return h;
  } else {
    Q u_M = predicted_midpoint_velocity<Model>(mass, h, u_A, half);
    if constexpr (Traits<Model>::second_order) u_M += Real(0.5) * previous.held;
    Q h_M = at.force(u_M);
    if constexpr (Traits<Model>::second_order) previous.add_missing(at, h, h_M);
    return h_M;
  }
}

}  // namespace detail
}  // namespace moreau
