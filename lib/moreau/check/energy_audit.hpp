// Where the energy of one step went; flags contacts that have created some. Optional, for tests and telemetry.
//
//   work of the contacts on the mechanism   W_P = sum w^T u_mean P,   u_mean = (u_A + u_E) / 2
//   gain in the contacts                    D = sum gamma_mean P = W_P + sum zeta P,   summed over all laws
//   work of the forces                      W_h = u_mean^T h dt + u_mean^T (M(q_E) - M(q_A)) u_mean / 2
//                                                 + V(q_E) - V(q_A)
//   put back                                K(q, u_E) - K(q_E, u_E) + V(q) - V(q_E)
//   left over                               K(q_E, u_E) - K(q_A, u_A) + V(q_E) - V(q_A) - W_P - W_h
//
// q_E is where the velocities take q, and q the end of the step: contacts that have sunk and ideal joints that have
// drifted are put back by moving bodies, which lifts weights and stretches springs (contact/position_correction.hpp).
//
// D is what bodies and surroundings lose in the contacts, seen by someone who moves with either: it should not be
// positive. Newton's restitution with friction can make it so (an impact whose slip turns round), and then energy
// comes from nowhere: then `gain` is true. A direction turns within a step, and D takes the midpoint's: with those of
// both ends it would be another number, so the difference, row by row, is no gain but noise; in a contact that lasts also
// what its velocity has turned by since the last step (contact/persistent_contacts.hpp). W_h is the work of what is neither inertia nor potential: motors, dampers; zero
// up to the step's order where there are none. What is left over is the error of the midpoint rule.
//
// A model may offer `Real potential(const Vector<Real, dof>& q, Real t) const` (J; of (a) for a model with `at`):
// without it V = 0 and weights count as work of forces. A pure function of two states; audited_step wraps one step.
#pragma once

#include "moreau/math/cholesky.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/time.hpp"
#include "moreau/step/report.hpp"

namespace moreau {

// One step of a stepper with its audit; the audit of a step that failed is all zero.
template <class Real>
struct AuditedStep {
  // The energy of one step.
  struct Energy {
    Real kinetic = Real(0);            // J, at the end of the step
    Real potential = Real(0);          // J, at the end of the step
    Real change = Real(0);             // J, kinetic + potential over the step
    Real work_forces = Real(0);        // J, W_h
    Real work_contacts = Real(0);      // J, W_P
    Real in_contacts = Real(0);        // J, D: negative where the contacts dissipate
    Real correct_positions = Real(0);  // J
    Real left_over = Real(0);          // J
    bool gain = false;                 // D is positive beyond noise: of the percussions, and of directions that turn
  };

  StepReport<Real> step;
  Energy energy;
};

namespace detail {

template <class Model>
typename Traits<Model>::Real potential(const Model& model,
                                       const Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q,
                                       typename Traits<Model>::Real t) {
  using Real = typename Traits<Model>::Real;
  if constexpr (is_missing<typename Contract<Model>::Potential>)
    return Real(0);
  else if constexpr (Contract<Model>::shares)
    return model.potential(model.at(q, t));
  else
    return model.potential(q, t);
}

// u^T M u / 2, in a fixed order.
template <class Real, int dof>
Real kinetic(const Matrix<Real, dof, dof>& M, const Vector<Real, dof>& u) {
  Real sum = Real(0);
  for (int i = 0; i < dof; ++i)
    for (int j = 0; j < dof; ++j) sum += u.coeff(i) * M.coeff(i, j) * u.coeff(j);
  return sum / 2;
}

// A direction at one place, with its zeta.
template <class Real, int dof>
struct Along {
  Vector<Real, dof> w;
  Real zeta;
  Real gamma(const Vector<Real, dof>& u) const { return dot(w, u) + zeta; }
};

// D and W_P, row by row; the size of what D is added up from before it cancels, and what directions that turn make of it.
template <class Real, int dof>
struct ContactWork {
  const Vector<Real, dof>& u_A;
  const Vector<Real, dof>& u_E;
  const Vector<Real, dof>& speed;  // |u| at both ends and what the forces alone would have added, per coordinate
  Real contacts = Real(0), mechanism = Real(0), size = Real(0), turned = Real(0);

  // The row at the begin of the step, at its midpoint and at its end.
  void add(const Along<Real, dof>& A, const Along<Real, dof>& M, const Along<Real, dof>& E, Real P) {
    const Real gamma = M.gamma((u_A + u_E) / 2);
    mechanism += (gamma - M.zeta) * P;
    contacts += gamma * P;
    turned += absolute((gamma - (A.gamma(u_A) + E.gamma(u_E)) / 2) * P);
    size += absolute(M.zeta * P);
    for (int j = 0; j < dof; ++j) size += absolute(M.w.coeff(j)) * speed.coeff(j) * absolute(P);
  }
};

}  // namespace detail

// The step that led from `before` to `after`: one committed step of after.clock.dt. Other states have no energy to speak
// of: every number is NaN.
template <class Model>
typename AuditedStep<typename Traits<Model>::Real>::Energy audit_energy(const Model& model, const State<Model>& before,
                                                                        const State<Model>& after) {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Row = detail::Along<Real, T::dof>;
  // Percussions solve their laws to this fraction of the velocities involved: the judge's rtol with a margin.
  constexpr Real noise = sizeof(Real) == 8 ? Real(1e-8) : Real(1e-4);

  using Energy = typename AuditedStep<Real>::Energy;
  if (!detail::one_step(before.clock, after.clock)) {
    constexpr Real none = std::numeric_limits<Real>::quiet_NaN();
    return {none, none, none, none, none, none, none, none, false};
  }
  const Real dt = after.clock.dt;
  const Q& u_A = before.u;
  const Q& u_E = after.u;
  const Q u_mean = (u_A + u_E) / 2;
  const Q q_M = before.q + dt / 2 * u_A, q_E = q_M + dt / 2 * u_E;  // not after.q, which may have been wrapped
  const Real t_A = detail::reduced(model, before.clock), t_M = detail::model_time(model, before.clock.counted_in(dt)),
             t_E = t_M + dt / 2;

  const detail::Evaluation<Model> at(model, q_M, t_M);
  const Q h_dt = at.force(u_A) * dt;
  detail::Cholesky<Real, T::dof> mass;
  Q speed = mass.factor(at.mass()) ? mass.solve(h_dt) : Q(Q::Zero());
  for (int j = 0; j < T::dof; ++j)
    speed.coeffRef(j) =
        detail::absolute(speed.coeff(j)) + (detail::absolute(u_A.coeff(j)) + detail::absolute(u_E.coeff(j))) / 2;
  const detail::Evaluation<Model> at_A(model, before.q, t_A), at_E(model, q_E, t_E);
  detail::ContactWork<Real, T::dof> work{u_A, u_E, speed};
  if constexpr (T::contacts > 0) {
    for (int i = 0; i < T::contacts; ++i) {
      if (after.P_N(i) == Real(0)) continue;
      const auto A = at_A.directions(i), M = at.directions(i), E = at_E.directions(i);
      work.add({A.w_N, A.zeta_N}, {M.w_N, M.zeta_N}, {E.w_N, E.zeta_N}, after.P_N(i));
      if constexpr (detail::has_persistent_contacts<Model>)
        if (before.knows(i))
          work.turned += detail::absolute((Row{M.w_N, M.zeta_N}.gamma(u_A) - before.gamma_E(i)) * after.P_N(i));
      if constexpr (T::tangents > 0)
        for (int k = 0; k < T::tangents; ++k) {
          const auto along = [k](const auto& d) -> Row { return {d.w_T.col(k), detail::component(d.zeta_T, k)}; };
          work.add(along(A), along(M), along(E), after.P_T(k, i));
        }
    }
  }
  if constexpr (T::frictions > 0) {
    for (int j = 0; j < T::frictions; ++j) {
      const auto A = at_A.friction_directions(j), M = at.friction_directions(j), E = at_E.friction_directions(j);
      for (int k = 0; k < T::friction_dim; ++k) {
        const auto along = [k](const auto& d) -> Row { return {d.w.col(k), detail::component(d.zeta, k)}; };
        work.add(along(A), along(M), along(E), after.P_F(k, j));
      }
    }
  }
  Real joints = Real(0);  // ideal joints: work only where the surroundings move them
  if constexpr (T::bilaterals > 0) {
    for (int j = 0; j < T::bilaterals; ++j) joints += dot(at.bilateral(j).w, u_mean) * after.P_B(j);
  }

  const auto mass_A = at_A.mass(), mass_E = at_E.mass();
  const Real V_A = detail::potential(model, before.q, t_A), V_E = detail::potential(model, q_E, t_E);
  const Real K_A = detail::kinetic(mass_A, u_A), K_E = detail::kinetic(mass_E, u_E);

  Energy report;
  report.kinetic = detail::kinetic(detail::Evaluation<Model>(model, after.q, t_E).mass(), u_E);
  report.potential = detail::potential(model, after.q, t_E);
  report.change = (report.kinetic - K_A) + (report.potential - V_A);
  report.work_forces =
      dot(u_mean, h_dt) + detail::kinetic(mass_E, u_mean) - detail::kinetic(mass_A, u_mean) + (V_E - V_A);
  report.work_contacts = work.mechanism + joints;
  report.in_contacts = work.contacts;
  report.correct_positions = (report.kinetic - K_E) + (report.potential - V_E);
  report.left_over = (K_E - K_A) + (V_E - V_A) - report.work_contacts - report.work_forces;
  report.gain = work.contacts > noise * work.size + work.turned;
  return report;
}

// One step of a stepper with its audit.
template <class Stepper>
[[nodiscard]] AuditedStep<typename Stepper::Real> audited_step(Stepper& stepper, typename Stepper::Real dt) {
  const auto before = stepper.state;
  AuditedStep<typename Stepper::Real> result;
  result.step = stepper.step(dt);
  if (result.step.advanced()) result.energy = audit_energy(stepper.model, before, stepper.state);
  return result;
}

}  // namespace moreau
