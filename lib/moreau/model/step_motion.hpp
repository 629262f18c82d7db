// Motion of one committed step, reconstructed from the states before and after it.
//
//   q_M, u_A = drift(q_A, u_A, dt/2)      u_E = u after the change at the midpoint      q_E = end without correction
//
// Without drift(), u_A and u_E are the velocities of both states, q_M = q_A + dt/2 u_A and q_E = q_M + dt/2 u_E.
#pragma once

#include "moreau/model/free_motion.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

template <class Model>
struct StepMotion {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;

  StepMotion(const Model& model, const State<Model>& before, const State<Model>& after)
      : q_M(before.q),
        u_A(drifted(model, q_M, before.u, after.clock.dt / 2)),
        u_E(before_last_drift(model, after)),
        q_E(q_M) {
    (void)drifted(model, q_E, u_E, after.clock.dt / 2);
  }

  Q q_M;       // midpoint
  Q u_A, u_E;  // at the midpoint, before and after the change of u by forces and percussions
  Q q_E;       // end of the step, before position correction and wrapping

 private:
  static Q before_last_drift([[maybe_unused]] const Model& model, const State<Model>& after) {
    if constexpr (has_drift<Model>) {
      Q q = after.q;
      return drifted(model, q, after.u, -after.clock.dt / 2);
    } else {
      return after.u;
    }
  }
};

}  // namespace detail
}  // namespace moreau
