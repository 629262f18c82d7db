// Energy balance of one step, with a test for energy gain in the contacts. For tests and telemetry.
//
//   work of the contacts on the mechanism   W_P = sum w^T u_mean P,   u_mean = (u_A + u_E) / 2
//   energy gain in the contacts             D = sum gamma_mean P = W_P + sum zeta P,   gamma_mean = w^T u_mean + zeta
//   work of the ideal joints                W_B
//   work of forces without a potential      W_h = u_mean^T h dt + u_mean^T (M(q_E) - M(q_A)) u_mean / 2
//                                                 + V(q_E) - V(q_A)
//   energy added by position correction     K(q, u_E) - K(q_E, u_E) + V(q) - V(q_E)
//   residual                                K(q_E, u_E) - K(q_A, u_A) + V(q_E) - V(q_A) - W_P - W_B - W_h
//
// If the model defines drift(), u_mean is the mean of both velocities at the midpoint (model/step_motion.hpp). The
// change of K by the free motions of the step is then part of the residual.
//
// The sums run over all rows. K is the kinetic and V the potential energy. q_E = q_M + dt/2 u_E is the position before
// position correction of contacts and projection of ideal joints, and q the position after them. The change from q_E to
// q can raise weights and deform springs (contact/position_correction.hpp).
//
// -D is the energy dissipated in the contacts, independent of the frame of reference. Physical contacts have D <= 0.
// Newton's restitution with friction can cause D > 0 in an impact with slip reversal; `gain` is then true.
//
// D uses the directions at the midpoint. Rotation of the directions within the step changes D. The sum of these changes
// over all rows is part of the tolerance of `gain`. If dt is too long for the play, directions can rotate by large
// angles, and the tolerance then exceeds every gain. EnergySummary (energy_summary.hpp) detects repeated gains.
//
// Forces without a potential are, for example, those of motors and dampers. Without such forces, W_h vanishes to within
// the discretisation error of the step. The residual is the discretisation error of the midpoint rule.
//
// V is the result of the member `Real potential(const Vector<Real, dof>& q, Real t) const` of the model, in J. A model
// that defines `at` provides `potential(a)` instead, where a is the result of `at`. Without this function V = 0, and
// W_h includes the work of gravity. audit_energy is a function of the model and two states only.
#pragma once

#include "moreau/contact/impact_instants.hpp"
#include "moreau/contact/mass.hpp"
#include "moreau/math/cholesky.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/step_motion.hpp"
#include "moreau/model/time.hpp"
#include "moreau/step/force.hpp"
#include "moreau/step/report.hpp"

namespace moreau {

// Report and energy balance of one step. If the step failed, all numbers of the balance are zero.
template <class Real>
struct AuditedStep {
  // Energy balance of one step.
  struct Energy {
    Real kinetic = Real(0);            // at the end of the step, J
    Real potential = Real(0);          // at the end of the step, J
    Real change = Real(0);             // of kinetic + potential over the step, J
    Real work_forces = Real(0);        // W_h, J
    Real work_contacts = Real(0);      // W_P + W_B, J
    Real in_contacts = Real(0);        // D, negative for dissipation, J
    Real correct_positions = Real(0);  // energy added by position correction, J
    Real left_over = Real(0);          // residual, J
    bool gain = false;                 // true if D exceeds the effect of percussion errors and rotating directions
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

// Returns u^T M u / 2, summed in a fixed order.
template <class Real, int dof>
Real kinetic(const Matrix<Real, dof, dof>& M, const Vector<Real, dof>& u) {
  Real sum = Real(0);
  for (int i = 0; i < dof; ++i)
    for (int j = 0; j < dof; ++j) sum += u.coeff(i) * M.coeff(i, j) * u.coeff(j);
  return sum / 2;
}

// Direction and zeta of one row at one instant of the step.
template <class Real, int dof>
struct Along {
  Vector<Real, dof> w;
  Real zeta;
  Real gamma(const Vector<Real, dof>& u) const { return dot(w, u) + zeta; }
};

// Model at the beginning, midpoint and end of one step.
template <class Model>
struct StepPoints {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;

  StepPoints(const Model& model, const State<Model>& before, const State<Model>& after)
      : u_A(before.u),
        u_E(after.u),
        motion_(model, before, after),
        u_mean((motion_.u_A + motion_.u_E) / 2),
        dt(after.clock.dt),
        t_A(reduced(model, before.clock)),
        t_M(model_time(model, before.clock.counted_in(dt))),
        t_E(t_M + dt / 2),
        q_A(before.q),
        q_M(motion_.q_M),
        q_E(motion_.q_E),
        A(model, q_A, t_A),
        M(model, q_M, t_M),
        E(model, q_E, t_E),
        du_held(held_in_step(before, dt)),
        h_dt(force_of_step(before) * dt) {}

  const Q u_A, u_E;  // at the ends of the step
  const StepMotion<Model> motion_;
  const Q u_mean;                // at the midpoint
  const Real dt, t_A, t_M, t_E;  // s
  const Q q_A, q_M, q_E;         // q_E differs from after.q by position correction and wrapping
  const Evaluation<Model> A, M, E;
  const Q du_held;  // du_held of the step (contact/previous_changes.hpp); 0 without second_order
  const Q h_dt;

 private:
  static Q held_in_step([[maybe_unused]] const State<Model>& before, [[maybe_unused]] Real dt) {
    if constexpr (Traits<Model>::second_order)
      return held_change<Branching>(before, dt);
    else
      return Q::Zero();
  }

  // Returns h as evaluated by the step.
  Q force_of_step([[maybe_unused]] const State<Model>& before) const {
    if constexpr (Traits<Model>::predicted_force) {
      EffectiveMass<Model, FactorsOf<Model>> mass;
      if (mass.factor(M.mass()) && mass.factor_joints(M, motion_.u_A, dt / 2)) {
        if constexpr (Traits<Model>::second_order)
          return force_of(M, mass, motion_.u_A, dt / 2,
                          PreviousChanges<Branching, Model>(before, dt, du_held, motion_.u_A));
        else
          return force_of(M, mass, motion_.u_A, dt / 2, NoChanges{});
      }
    }
    return M.force(motion_.u_A);
  }
};

// Returns M^-1 h dt.
template <class Model>
auto free_change(const StepPoints<Model>& at) {
  using Q = typename StepPoints<Model>::Q;
  Cholesky<typename StepPoints<Model>::Real, Traits<Model>::dof> mass;
  return mass.factor(at.M.mass()) ? mass.solve(at.h_dt) : Q(Q::Zero());
}

// Returns the mean of |u_A| and |u_E|, plus |M^-1 h dt|, per coordinate.
template <class Model>
auto velocity_scale(const StepPoints<Model>& at) {
  constexpr int dof = Traits<Model>::dof;
  auto scale = free_change(at);
  for (int j = 0; j < dof; ++j)
    scale.coeffRef(j) = absolute(scale.coeff(j)) + (absolute(at.u_A.coeff(j)) + absolute(at.u_E.coeff(j))) / 2;
  return scale;
}

// Accumulated work of all percussions.
template <class Model>
class ContactWork {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Row = Along<Real, T::dof>;

 public:
  explicit ContactWork(const StepPoints<Model>& at)
      : at_(at), scale_(velocity_scale(at)), smooth_(free_change(at) + at.du_held) {}

  Real contacts = Real(0);   // D, J
  Real mechanism = Real(0);  // W_P, J
  Real size = Real(0);       // sum of the magnitudes of all terms of D, J
  Real rotation = Real(0);   // bound on the work due to rotation of the directions, J

  void add_contacts([[maybe_unused]] const State<Model>& before, [[maybe_unused]] const State<Model>& after) {
    if constexpr (T::contacts > 0)
      for (int i = 0; i < T::contacts; ++i)
        if (after.P_N(i) != Real(0)) add_contact(i, before, after);
  }

  void add_friction_elements([[maybe_unused]] const State<Model>& after) {
    if constexpr (T::frictions > 0)
      for (int j = 0; j < T::frictions; ++j) {
        const auto A = at_.A.friction_directions(j), M = at_.M.friction_directions(j), E = at_.E.friction_directions(j);
        for (int k = 0; k < T::friction_dim; ++k) {
          const auto along = [k](const auto& d) -> Row { return {d.w.col(k), component(d.zeta, k)}; };
          add(along(A), along(M), along(E), after.P_F(k, j));
        }
      }
  }

 private:
  void add_contact(int i, [[maybe_unused]] const State<Model>& before, const State<Model>& after) {
    const auto A = at_.A.directions(i), M = at_.M.directions(i), E = at_.E.directions(i);
    add({A.w_N, A.zeta_N}, {M.w_N, M.zeta_N}, {E.w_N, E.zeta_N}, after.P_N(i));
    if constexpr (T::tangents > 0)
      for (int k = 0; k < T::tangents; ++k) {
        const auto along = [k](const auto& d) -> Row { return {d.w_T.col(k), component(d.zeta_T, k)}; };
        add(along(A), along(M), along(E), after.P_T(k, i));
      }
  }

  // Adds the work of one row, given at the beginning, midpoint and end of the step.
  void add(const Row& A, const Row& M, const Row& E, Real P) {
    const Real gamma = M.gamma(at_.u_mean);
    mechanism += (gamma - M.zeta) * P;
    contacts += gamma * P;
    rotation += absolute((gamma - (A.gamma(at_.u_A) + E.gamma(at_.u_E)) / 2) * P);
    size += absolute(M.zeta * P);
    if constexpr (T::second_order)
      for (int j = 0; j < T::dof; ++j) rotation += absolute(M.w.coeff(j) * smooth_.coeff(j) * P);
    for (int j = 0; j < T::dof; ++j) size += absolute(M.w.coeff(j)) * scale_.coeff(j) * absolute(P);
  }

  const StepPoints<Model>& at_;
  const typename StepPoints<Model>::Q scale_;
  const typename StepPoints<Model>::Q smooth_;  // change of u without impacts
};

// Returns the work of the ideal joints. Joints with prescribed motion do work on the mechanism.
template <class Model>
typename Traits<Model>::Real joint_work([[maybe_unused]] const StepPoints<Model>& at,
                                        [[maybe_unused]] const State<Model>& after) {
  using T = Traits<Model>;
  typename T::Real work(0);
  if constexpr (T::bilaterals > 0)
    for (int j = 0; j < T::bilaterals; ++j) work += dot(at.M.bilateral(j).w, at.u_mean) * after.P_B(j);
  return work;
}

// Returns the balance of kinetic energy, potential energy and work. The caller sets D and `gain`.
template <class Model>
auto energy_balance(const Model& model, const StepPoints<Model>& at, const State<Model>& after,
                    typename Traits<Model>::Real work_contacts) {
  using Real = typename Traits<Model>::Real;
  const auto mass_A = at.A.mass(), mass_E = at.E.mass();
  const Real V_A = potential(model, at.q_A, at.t_A), V_E = potential(model, at.q_E, at.t_E);
  const Real K_A = kinetic(mass_A, at.u_A), K_E = kinetic(mass_E, at.u_E);

  typename AuditedStep<Real>::Energy energy;
  energy.kinetic = kinetic(Evaluation<Model>(model, after.q, at.t_E).mass(), at.u_E);
  energy.potential = potential(model, after.q, at.t_E);
  energy.change = (energy.kinetic - K_A) + (energy.potential - V_A);
  energy.work_forces = dot(at.u_mean, at.h_dt) + kinetic(mass_E, at.u_mean) - kinetic(mass_A, at.u_mean) + (V_E - V_A);
  energy.work_contacts = work_contacts;
  energy.correct_positions = (energy.kinetic - K_E) + (energy.potential - V_E);
  energy.left_over = (K_E - K_A) + (V_E - V_A) - energy.work_contacts - energy.work_forces;
  return energy;
}

}  // namespace detail

// Returns the energy balance of the step from `before` to `after`. All numbers are NaN unless exactly one step
// separates the two states.
template <class Model>
typename AuditedStep<typename Traits<Model>::Real>::Energy audit_energy(const Model& model, const State<Model>& before,
                                                                        const State<Model>& after) {
  using Real = typename Traits<Model>::Real;
  // Relative error of the percussions: Judge::rtol with a margin.
  constexpr Real tolerance = sizeof(Real) == 8 ? Real(1e-8) : Real(1e-4);

  if (!detail::one_step(before.clock, after.clock)) {
    constexpr Real nan = std::numeric_limits<Real>::quiet_NaN();
    return {nan, nan, nan, nan, nan, nan, nan, nan, false};
  }
  const detail::StepPoints<Model> at(model, before, after);
  detail::ContactWork<Model> work(at);
  work.add_contacts(before, after);
  work.add_friction_elements(after);
  auto energy = detail::energy_balance(model, at, after, work.mechanism + detail::joint_work(at, after));
  energy.in_contacts = work.contacts;
  energy.gain = work.contacts > tolerance * work.size + work.rotation;
  return energy;
}

// Executes one step and returns its report and energy balance.
template <class Stepper>
[[nodiscard]] AuditedStep<typename Stepper::Real> audited_step(Stepper& stepper, typename Stepper::Real dt) {
  const auto before = stepper.state;
  AuditedStep<typename Stepper::Real> result;
  result.step = stepper.step(dt);
  if (result.step.advanced()) result.energy = audit_energy(stepper.model, before, stepper.state);
  return result;
}

}  // namespace moreau
