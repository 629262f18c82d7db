// Puts a state on its ideal joints: from a rough idea of where the bodies are and how fast they move to q and u that
// fit together. For start values; the step itself keeps what it is given.
//
//   q <- q - Y S^-1 g(q)   until |g| <= tolerance,      u <- u - Y S^-1 (B^T u + zeta)
//
// Newton's method in the metric of M: the nearest fitting configuration, as long as the guess is near one.
#pragma once

#include "moreau/contact/effective_mass.hpp"
#include "moreau/model/model_time.hpp"
#include "moreau/model/state.hpp"

namespace moreau {

template <class Real>
struct SettleReport {
  Status status = Status::ok;
  Real miss = Real(0);  // m or rad, the largest |g| left
};

constexpr int settle_rounds = 30;  // quadratic convergence: a few from any sensible guess

// no_solution where the joints cannot be closed from here, constraints_dependent where some joint is redundant; the
// state changes only on ok.
template <class Model>
[[nodiscard]] SettleReport<typename Traits<Model>::Real> settle(const Model& model, State<Model>& state) {
  using T = Traits<Model>;
  using Real = typename T::Real;
  SettleReport<Real> report;
  if constexpr (T::bilaterals > 0) {
    const Real t = reduced(model, state.time);
    const Real small = Real(32) * epsilon<Real>;  // of 1 m and 1 rad
    Vector<Real, T::dof> q = state.q;
    if (!(finite_probe(state.u) == Real(0))) {
      report.status = Status::not_finite;
      return report;
    }
    for (int round = 0; round <= settle_rounds; ++round) {
      const Evaluation<Model> at(model, q, t);
      report.miss = Real(0);
      for (int j = 0; j < T::bilaterals; ++j) report.miss = larger(report.miss, absolute(Real(at.bilateral(j).g)));
      EffectiveMass<Model> mass;
      if (!mass.factor(at.mass()))
        report.status = Status::mass_not_positive_definite;
      else if (!(finite_probe(q) + finite_probe(report.miss) == Real(0)))
        report.status = Status::not_finite;
      else if (!mass.constrain(at))
        report.status = Status::constraints_dependent;
      if (report.status != Status::ok) return report;
      if (report.miss <= small) {
        state.q = q;
        mass.add(state.u, mass.hold(state.u, true));
        return report;
      }
      mass.project(q, at);
    }
    report.status = Status::no_solution;
  }
  return report;
}

}  // namespace moreau
