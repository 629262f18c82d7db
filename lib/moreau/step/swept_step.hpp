// The step behind the closed forms (solve/closed_forms.hpp): any number of closed planar contacts, a fixed number of
// prox sweeps, and the judge. It stands where the general step stands behind Exact, answers bad input with the same
// status, and needs no workspace but its stack.
#pragma once

#include "moreau/contact/closed_rows.hpp"
#include "moreau/solve/closed_forms.hpp"
#include "moreau/step/direct.hpp"
#include "moreau/step/step.hpp"

namespace moreau {

template <class Model>
constexpr bool has_swept_step = has_direct_step<Model>&& Traits<Model>::contacts > 0 &&
                                Traits<Model>::bilaterals == 0 && !Contract<Model>::has_depth;

template <class Model>
struct StepWorkspace<Model, ClosedForms> {
  using Gaps = Vector<typename Traits<Model>::Real, Traits<Model>::contacts>;
  Gaps gap_M = Gaps::Zero();
  Status mass_fault = Status::ok;  // of a mass that is constant

  Gaps& gaps() { return gap_M; }
  const Gaps& gaps() const { return gap_M; }
};

template <class Model>
class SweptStep {
 public:
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Rows = ClosedRows<Model>;

  template <class Parts>
  [[gnu::cold, gnu::noinline]] static void run(Parts& s, Real dt, StepReport<Real>& report) {
    report = StepReport<Real>{};
    report.fallbacks = 1;
    report.status = advance(s, dt, report);
  }

 private:
  template <class Parts>
  [[gnu::cold]] static Status advance(Parts& s, Real dt, StepReport<Real>& report) {
    const Model& model = s.model;
    State<Model>& state = s.state;
    if (!(detail::positive_and_finite(dt) && s.solver.valid() && s.judge.valid())) return Status::invalid_argument;

    const Time<Real> time_A = state.clock.counted_in(dt);
    Q q_M = state.q;  // in loops, not expressions: this is the place to save code
    for (int j = 0; j < T::dof; ++j) q_M.coeffRef(j) += dt / 2 * state.u.coeff(j);
    const Evaluation<Model> at(model, q_M, model_time(model, time_A));
    Rows rows;
    Real probe = Real(0);
    for (int i = 0; i < T::contacts; ++i) {
      const Real g = at.gap(i);
      s.gaps().coeffRef(i) = g;
      probe += finite_probe(g);
      if (g <= Real(0)) rows.id[std::size_t(rows.k++)] = static_cast<std::int8_t>(i);
    }
    if (!(probe == Real(0))) return Status::not_finite;
    const StepMass<Model> mass(s.mass(), at, state.u, dt / 2);
    if constexpr (T::constant_mass) {
      if (s.work_.mass_fault != Status::ok) return s.work_.mass_fault;
    } else {
      if (!mass.positive()) return detail::why_no_mass(at);
    }
    s.direct_.ready = true;  // whatever was wrong with it no longer is
    Q h = at.force(state.u);
    for (int j = 0; j < T::dof; ++j) h.coeffRef(j) *= dt;
    Q u_E = mass.free(h);
    for (int j = 0; j < T::dof; ++j) u_E.coeffRef(j) += state.u.coeff(j);
    if (const Status bad = rows.fill(model, at, mass, state.u, u_E); bad != Status::ok) return bad;

    typename Rows::Percussions P;
    Modes<Rows> modes;
    report.active = rows.k;
    Status status = Status::ok;
    if (rows.k > 0) {
      start(state, rows, P);
      for (int n = 0; n < s.solver.sweeps; ++n) rows.sweep(P);
      report.iterations = s.solver.sweeps;
      const Verdict<Real> verdict = weigh_in_place(rows, P, s.judge, modes);
      report.residual = verdict.residual;
      report.relative = verdict.relative;
      if (!verdict.passable) return Status::no_solution;
      if (!verdict.exact) status = Status::inexact;
    }
    const Time<Real> time_E = time_A.next();
    probe = finite_probe(Real(time_E));
    for (int j = 0; j < T::dof; ++j) {
      Vector<Real, 1> sum(u_E.coeff(j)), added_up_from(absolute(u_E.coeff(j)));
      for (int r = 0; r < rows.rows(); ++r) {
        const Real kick = P.coeff(r) * rows.Z[std::size_t(r)].coeff(j);
        sum.coeffRef(0) += kick;
        added_up_from.coeffRef(0) += absolute(kick);
      }
      clear_cancelled(sum, added_up_from);
      u_E.coeffRef(j) = sum.coeff(0);
      q_M.coeffRef(j) += dt / 2 * sum.coeff(0);  // q_E from here on
      probe += finite_probe(q_M.coeff(j)) + finite_probe(sum.coeff(0));
    }
    if (!(probe == Real(0))) return Status::not_finite;

    store(rows, P, modes, state);
    state.q = q_M;
    state.u = u_E;
    state.clock = time_E;
    return status;
  }

  static void start(const State<Model>& state, const Rows& rows, typename Rows::Percussions& P) {
    const auto usable = [](Real x) { return finite_probe(x) == 0 ? x : Real(0); };
    for (int i = 0; i < rows.k; ++i) {
      P.coeffRef(rows.row(i)) = usable(state.P_N.coeff(rows.id[std::size_t(i)]));
      if constexpr (T::tangents == 1) P.coeffRef(rows.row(i) + 1) = usable(state.P_T.coeff(0, rows.id[std::size_t(i)]));
    }
  }

  static void store(const Rows& rows, const typename Rows::Percussions& P, const Modes<Rows>& modes,
                    State<Model>& state) {
    for (int id = 0; id < T::contacts; ++id) {
      state.P_N.coeffRef(id) = Real(0);
      if constexpr (T::tangents == 1) state.P_T.coeffRef(0, id) = Real(0);
      state.sigma_N[std::size_t(id)] = state.sigma_T[std::size_t(id)] = 1;
    }
    for (int i = 0; i < rows.k; ++i) {
      const auto id = rows.id[std::size_t(i)];
      state.P_N.coeffRef(id) = P.coeff(rows.row(i));
      if constexpr (T::tangents == 1) state.P_T.coeffRef(0, id) = P.coeff(rows.row(i) + 1);
      state.sigma_N[std::size_t(id)] = modes.N[std::size_t(i)];
      state.sigma_T[std::size_t(id)] = modes.T[std::size_t(i)];
    }
  }
};

}  // namespace moreau
