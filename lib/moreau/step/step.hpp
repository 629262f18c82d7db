// One step of Moreau's midpoint rule (GS05 section 5, FLG10 section 5, SLG08 section 3):
//
//   q_M = q_A + dt/2 u_A,   t_M = t_A + dt/2
//   M (u_E - u_A) = h dt + W P,   h = h(q_M, u_A, t_M)     with the contacts closed at the midpoint, g_N(q_M, t_M) <= 0
//   xi = gamma_E + eps gamma_A,   -xi in N_C(P)
//   q_E = q_M + dt/2 u_E
//
// A pure function of (model, options, state, dt): the workspace holds nothing that matters after the step. The state
// changes in the last lines or not at all.
//
// h sees u_A, so explicit damping d is stable for dt d / m < 2 only.
//
// Difference from the papers: a component of u_E that is nothing but the roundings of what it was added up from is
// zero. Without that a body at rest creeps by a rounding a step, and off a contact whose gap is exactly zero.
#pragma once

#include "moreau/contact/assemble.hpp"
#include "moreau/contact/judge.hpp"
#include "moreau/contact/put_back.hpp"
#include "moreau/model/model_time.hpp"
#include "moreau/solve/solver.hpp"
#include "moreau/step/report.hpp"

namespace moreau {

// Which velocity the force sees: the paper's u_A, or u_A + dt/2 M^-1 h(q_M, u_A, t_M), a prediction of the midpoint
// that makes the step second order where nothing is in contact and h depends on u.
enum class ForceAt { begin, predicted };

// What a run may vary in a step (adapt/): here nothing, which costs nothing.
struct AsInThePaper : ByGap {
  static constexpr ForceAt force_at = ForceAt::begin;
};

template <class Model, class Solver>
struct StepWorkspace {
  using Problem = ProblemOf<Model>;
  Assembly<Model> assembly;
  Workspace<Solver, Problem> solver;
  typename Problem::Percussions P;
  Sigmas<Problem> modes;
  bool mass_is_factored = false;  // once and for all, where the model's mass is constant

  auto& gaps() { return assembly.H.gap_M; }
  const auto& gaps() const { return assembly.H.gap_M; }
};

namespace detail {

// A mass that could not be factored: singular or indefinite, or no numbers.
template <class Model>
Status why_no_mass(const Evaluation<Model>& at) {
  const auto M = at.mass();
  typename Traits<Model>::Real probe{0};
  for (int j = 0; j < Traits<Model>::dof; ++j)
    for (int i = 0; i < Traits<Model>::dof; ++i) probe += finite_probe(M.coeff(i, j));
  return probe == 0 ? Status::mass_not_positive_definite : Status::not_finite;
}

template <class Model, class Workspace_>
Status factor_mass(const Evaluation<Model>& at, Workspace_& work) {
  if (Traits<Model>::constant_mass && work.mass_is_factored) return Status::ok;
  work.mass_is_factored = work.assembly.mass.factor(at.mass());
  return work.mass_is_factored ? Status::ok : why_no_mass(at);
}

// Rows of ideal joints that could not be factored: dependent, or no numbers.
template <class Model>
Status why_not_held(const Evaluation<Model>& at) {
  typename Traits<Model>::Real probe{0};
  for (int i = 0; i < Traits<Model>::bilaterals; ++i) probe += finite_probe(at.bilateral(i).w);
  return probe == 0 ? Status::constraints_dependent : Status::not_finite;
}

// The percussions of the last step, in the order of this step's problem. What is not finite is no help.
template <class Model, class P>
void warm_start(const State<Model>& state, const Assembly<Model>& assembly, P& percussions) {
  const auto& problem = assembly.problem;
  const auto usable = [](auto x) { return finite_probe(x) == 0 ? x : 0; };
  for (int i = 0; i < problem.k; ++i) {
    const int id = assembly.H.contact[std::size_t(i)];
    percussions.coeffRef(problem.row(i)) = usable(state.P_N.coeff(id));
    for (int t = 0; t < problem.tangents; ++t)
      percussions.coeffRef(problem.row(i) + 1 + t) = usable(state.P_T.coeff(t, id));
  }
  for (int j = 0; j < problem.elements; ++j)
    for (int t = 0; t < problem.friction_dim; ++t)
      percussions.coeffRef(problem.friction_row(j) + t) = usable(state.P_F.coeff(t, j));
}

template <class Model, class P, class M>
void store(const Assembly<Model>& assembly, const P& percussions, const M& modes, State<Model>& state) {
  using Real = typename Traits<Model>::Real;
  const auto& problem = assembly.problem;
  for (int id = 0; id < Traits<Model>::contacts; ++id) {
    state.P_N.coeffRef(id) = Real(0);
    for (int t = 0; t < problem.tangents; ++t) state.P_T.coeffRef(t, id) = Real(0);
    state.sigma_N[std::size_t(id)] = state.sigma_T[std::size_t(id)] = 1;
  }
  for (int i = 0; i < problem.k; ++i) {
    const int id = assembly.H.contact[std::size_t(i)];
    state.P_N.coeffRef(id) = percussions.coeff(problem.row(i));
    for (int t = 0; t < problem.tangents; ++t) state.P_T.coeffRef(t, id) = percussions.coeff(problem.row(i) + 1 + t);
    state.sigma_N[std::size_t(id)] = modes.N[std::size_t(i)];
    state.sigma_T[std::size_t(id)] = modes.T[std::size_t(i)];
  }
  for (int j = 0; j < problem.elements; ++j) {
    for (int t = 0; t < problem.friction_dim; ++t)
      state.P_F.coeffRef(t, j) = percussions.coeff(problem.friction_row(j) + t);
    state.sigma_F[std::size_t(j)] = modes.F[std::size_t(j)];
  }
}

}  // namespace detail

template <class Model, class Solver, class Real, class How = AsInThePaper>
[[nodiscard]] StepReport<Real> moreau_step(const Model& model, const Solver& solver, const Judge<Real>& judge, Real dt,
                                           StepWorkspace<Model, Solver>& work, State<Model>& state,
                                           const How& how = How{}) {
  using Q = Vector<Real, Traits<Model>::dof>;
  auto& [H, mass, problem, W, Z, hold] = work.assembly;
  StepReport<Real> report;
  const auto refuse = [&report](Status why) {
    report.status = why;
    return report;
  };
  if (!(dt > Real(0) && dt < std::numeric_limits<Real>::infinity() && solver.valid() && judge.valid()))
    return refuse(Status::invalid_argument);

  // the midpoint, and everything the model says there
  const Time<Real> time_A = state.time.counted_in(dt);
  const Q q_M = state.q + dt / 2 * state.u;
  const Evaluation<Model> at(model, q_M, model_time(model, time_A));
  if (!H.find(at, how)) return refuse(Status::not_finite);
  if (const Status s = detail::factor_mass(at, work); s != Status::ok) return refuse(s);

  // the velocity without contacts
  Q h = at.force(state.u);
  if (how.force_at == ForceAt::predicted) h = at.force(Q(state.u + dt / 2 * mass.free(h)));
  Q u_E = state.u + mass.free(Q(h * dt));
  Vector<Real, Traits<Model>::bilaterals> P_B;
  if constexpr (Traits<Model>::bilaterals > 0) {
    if (!mass.constrain(at, state.u, dt / 2)) return refuse(detail::why_not_held(at));
    P_B = mass.hold(u_E, true);
    mass.add(u_E, P_B);
  }

  // the percussions of the contacts, and whether they are any good
  if (const Status s = work.assembly.fill(model, at, state.u, u_E, dt, how); s != Status::ok) return refuse(s);
  report.active = problem.k;
  if (problem.rows() > 0) {
    detail::warm_start(state, work.assembly, work.P);
    report.iterations = solve(problem, solver, work.solver, work.P, judge);
    report.fallbacks = work.solver.fallbacks;
    const Verdict<Real> verdict = weigh(problem, work.P, judge, work.modes);
    report.residual = verdict.residual;
    report.relative = verdict.relative;
    report.status = verdict.status();
    if (!verdict.passable) return report;
  }

  // the end of the step
  Q added_up_from = u_E.cwiseAbs();
  for (int r = 0; r < problem.rows(); ++r) {
    const Q kick = work.P.coeff(r) * Z[std::size_t(r)];
    u_E += kick;
    added_up_from += kick.cwiseAbs();
    if constexpr (Traits<Model>::bilaterals > 0) add_scaled(P_B, work.P.coeff(r), hold[std::size_t(r)]);
  }
  clear_cancelled(u_E, added_up_from);
  Q q_E = q_M + dt / 2 * u_E;
  const Time<Real> time_E = time_A.next();
  detail::put_back_listed(model, reduced(model, time_E), mass, H, problem, work.P, q_E);
  if (!(finite_probe(q_E) + finite_probe(u_E) + finite_probe(Real(time_E)) == Real(0)))
    return refuse(Status::not_finite);

  detail::store(work.assembly, work.P, work.modes, state);
  state.q = q_E;
  state.u = u_E;
  state.time = time_E;
  state.P_B = P_B;
  return report;
}

}  // namespace moreau
