// The step with Sweeps in constant time: all contacts are assembled, the open ones masked; so many sweeps; the judge's
// verdict by masks; the new state or the old one by selects. Any number of contacts, in the plane or in space,
// friction elements, ideal joints.
//
// The instruction count depends on the sizes of the model and on Sweeps::count, and on nothing else as long as the
// model's own functions do not branch on q, u and t and the board has an FPU. What only bad input can cause - a law out
// of range, numbers that are not finite, a mass that cannot be factored - is left to the general step, which names it:
// counted in report.fallbacks. Too few sweeps are no bad input: that step is `inexact` or `no_solution`, as the judge
// says.
//
// With Psor for a solver, as many sweeps as max_iterations; its `tolerance` is not looked at.
#pragma once

#include "moreau/contact/assemble.hpp"
#include "moreau/contact/closed_contact.hpp"
#include "moreau/contact/put_back.hpp"
#include "moreau/solve/psor.hpp"
#include "moreau/step/direct.hpp"
#include "moreau/step/masked_time.hpp"
#include "moreau/step/step.hpp"

namespace moreau {

template <class Model>
class ConstantSweeps {
 public:
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Problem = ProblemOf<Model>;
  using Select = detail::Select;
  using Mask = detail::SignMask;

  // False: nothing done.
  template <class Parts>
  static bool run(Parts& s, Real dt, StepReport<Real>& report) {
    const Model& model = s.model;
    State<Model>& state = s.state;
    auto& work = s.work_;
    auto& mass = work.assembly.mass;
    auto& problem = work.assembly.problem;
    const auto& Z = work.assembly.Z;
    if (!(detail::positive_and_finite(dt) && s.solver.valid() && s.judge.valid())) return false;
    if (T::constant_mass && !work.mass_is_factored) return false;

    const Time<Real> time_A = detail::counted_without_branch(state.time, dt);
    const Q u_A = state.u, q_M = state.q + dt / 2 * u_A;
    const Evaluation<Model> at(model, q_M, model_time(model, time_A));
    detail::MaskedSet<Model> all;
    all.find(at, work.gaps());
    if (detail::factor_mass(at, work) != Status::ok) return false;
    Q u_E = u_A + mass.free(Q(at.force(u_A) * dt));
    Vector<Real, T::bilaterals> P_B;
    if constexpr (T::bilaterals > 0) {
      if (!mass.constrain(at, u_A, dt / 2)) return false;
      P_B = mass.hold(u_E, true);
      mass.add(u_E, P_B);
    }
    const auto filled = work.assembly.template fill_set<Select>(all, model, at, u_A, u_E, dt, ByGap{});

    start(state, all, problem, work.P);
    const Sweeps options = detail::fixed_sweeps(s.solver);
    const FullProblem<Problem> full(problem, Real(options.omega));
    detail::sweep_all<Select>(full, options, work.solver.old, work.P);
    const auto verdict = detail::weigh<Select>(
        full, work.P, [&](int i) { return all.there(i); }, s.judge, work.modes);

    Q added_up_from;
    for_each_index<T::dof>([&](auto j) { added_up_from.coeffRef(j) = absolute(u_E.coeff(j)); });
    for (int r = 0; r < Problem::capacity; ++r) {
      for_each_index<T::dof>([&](auto j) {
        const Real kick = work.P.coeff(r) * Z[std::size_t(r)].coeff(j);
        u_E.coeffRef(j) += kick;
        added_up_from.coeffRef(j) += absolute(kick);
      });
      if constexpr (T::bilaterals > 0) add_scaled(P_B, work.P.coeff(r), work.assembly.hold[std::size_t(r)]);
    }
    detail::clear_cancelled<Select>(Select::of(true), u_E, added_up_from);
    Q q_E = q_M + dt / 2 * u_E;
    const Time<Real> time_E = time_A.next();
    const auto carried = [&](int i) { return all.there(i) && Select::positive(work.P.coeff(problem.row(i))); };
    detail::put_back_all<Select>(model, reduced(model, time_E), mass, carried, q_E);

    Real sum = ((all.sum + filled.sum) + verdict.sum) + Real(time_E);
    for_each_index<T::dof>([&](auto j) { sum = (sum + q_E.coeff(j)) + u_E.coeff(j); });
    if (!Select::jump(filled.lawful && filled.pushes) || !(sum - sum == Real(0))) return false;

    report = StepReport<Real>{};
    report.status = verdict.status();
    report.active = all.active;
    report.iterations = options.count;
    report.residual = verdict.residual;
    report.relative = verdict.relative;
    keep_or_store(verdict.passable, work.P, work.modes, P_B, state);
    Select::overwrite(verdict.passable, state.q, q_E);
    Select::overwrite(verdict.passable, state.u, u_E);
    Select::overwrite(verdict.passable, state.time.t0, time_E.t0, state.time.dt, time_E.dt);
    Select::overwrite(verdict.passable, state.time.n, time_E.n);
    return true;
  }

 private:
  // The percussions of the last step, as far as they are numbers and have a law to act in.
  static void start(const State<Model>& state, const detail::MaskedSet<Model>& all, const Problem& problem,
                    typename Problem::Percussions& P) {
    const auto usable = [&](Mask law, int r, Real x) {
      P.coeffRef(r) = detail::only_if<Select>(law && Select::finite(x) && Select::positive(problem.diagonal(r)), x);
    };
    for (int i = 0; i < T::contacts; ++i) {
      usable(all.there(i), problem.row(i), state.P_N.coeff(i));
      for (int t = 0; t < T::tangents; ++t) usable(all.there(i), problem.row(i) + 1 + t, state.P_T.coeff(t, i));
    }
    for (int j = 0; j < T::frictions; ++j)
      for (int t = 0; t < T::friction_dim; ++t)
        usable(Select::of(true), problem.friction_row(j) + t, state.P_F.coeff(t, j));
  }

  static void keep_or_store(Mask advance, const typename Problem::Percussions& P, const Sigmas<Problem>& modes,
                            const Vector<Real, T::bilaterals>& P_B, State<Model>& state) {
    const auto store = [advance](Real& old, Real next) { Select::overwrite(advance, old, next); };
    const auto mark = [advance](std::uint8_t& old, std::uint8_t next) { Select::overwrite(advance, old, next); };
    for (int i = 0; i < T::contacts; ++i) {
      const int n = Problem::row(i);
      store(state.P_N.coeffRef(i), P.coeff(n));
      for (int t = 0; t < T::tangents; ++t) store(state.P_T.coeffRef(t, i), P.coeff(n + 1 + t));
      mark(state.sigma_N[std::size_t(i)], modes.N[std::size_t(i)]);
      mark(state.sigma_T[std::size_t(i)], modes.T[std::size_t(i)]);
    }
    for (int j = 0; j < T::frictions; ++j) {
      const int r = T::contacts * Problem::per_contact + j * T::friction_dim;
      for (int t = 0; t < T::friction_dim; ++t) store(state.P_F.coeffRef(t, j), P.coeff(r + t));
      mark(state.sigma_F[std::size_t(j)], modes.F[std::size_t(j)]);
    }
    for (int j = 0; j < T::bilaterals; ++j) store(state.P_B.coeffRef(j), P_B.coeff(j));
  }
};

}  // namespace moreau
