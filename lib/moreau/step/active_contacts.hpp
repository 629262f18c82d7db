// The contacts that are closed, any number of them, as a contact problem for any solver (midpoint.hpp): the general
// step, which names whatever is wrong with a step.
//
// BaseStep (adapt/ has another one) may hold contacts beyond their gap, turn their directions to the end of the step
// and predict the velocity that forces depend on; PaperBaseStep does nothing of that and costs nothing.
#pragma once

#include "moreau/contact/assemble.hpp"
#include "moreau/contact/persistent_contacts.hpp"
#include "moreau/contact/position_correction.hpp"
#include "moreau/solve/cascade.hpp"
#include "moreau/solve/closed_forms.hpp"
#include "moreau/solve/exact.hpp"
#include "moreau/solve/newton.hpp"
#include "moreau/solve/psor.hpp"
#include "moreau/step/cause.hpp"
#include "moreau/step/commit.hpp"
#include "moreau/step/midpoint.hpp"

namespace moreau {

// Which velocity the force sees: the paper's u_A, or u_A + dt/2 M^-1 h(q_M, u_A, t_M), a prediction of the midpoint
// that makes the step second order where nothing is in contact and h depends on u.
enum class ForceAt { begin, predicted };

namespace detail {

template <class Solver>
constexpr bool is_iterative =
    std::is_same_v<Solver, Psor> || std::is_same_v<Solver, Newton> || std::is_same_v<Solver, Sweeps>;

struct PaperBaseStep {
  static constexpr ForceAt force_at = ForceAt::begin;
  template <class Real>
  static bool closed(int, Real gap) {
    return detail::closed<Branching>(gap);
  }
  static constexpr bool holds(int) { return false; }
  template <class At>
  static auto directions(const At& at, int i) {
    return at.directions(i);
  }
  template <class At>
  static constexpr auto friction_directions(const At& at, int j) {
    return at.friction_directions(j);
  }
  // The normal velocity that restitution reverses.
  template <class D, class Q>
  static auto gamma_A(const D& d, const Q& u_A, int) {
    return gamma(d.w_N, d.zeta_N, u_A);
  }
};

// Storage of the mass in the workspace; small: not cached.
template <class Model, bool small>
using ListedMass =
    StepMass<Model, std::conditional_t<small, EffectiveMass<Model, FactorsOf<Model>>, WorkspaceMass<Model>>, small>;

template <class Model, class Solver>
struct StepWorkspace {
  using Problem = ProblemOf<Model>;
  using Mass = ListedMass<Model, is_small<Solver>>;
  Assembly<Model, typename Mass::Storage> assembly;
  Workspace<Solver, Problem> solver;
  typename Problem::Percussions P;
  Sigmas<Problem> sigmas{};
};

// The solver's function of its own namespace, called from where no member hides its name.
template <class Problem, class Solver, class Work, class Real>
int percussions_of(const Problem& problem, const Solver& solver, Work& work, typename Problem::Percussions& P,
                   const Judge<Real>& judge) {
  return solve(problem, solver, work, P, judge);
}

template <class Model, class Solver, class BaseStep>
struct ActiveContext {
  const Model& model;
  State<Model>& state;
  const Solver& solver;
  const Judge<typename Traits<Model>::Real>& judge;
  StepWorkspace<Model, Solver>& work;
  Vector<typename Traits<Model>::Real, Traits<Model>::contacts>& gap_M;
  const BaseStep& base;
};

template <class Model, class Solver, class BaseStep>
class ActiveContacts : public NamingContacts<Model> {
  using Naming = NamingContacts<Model>;
  using Naming::accept, Naming::report_, Naming::state_;

 public:
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using P_joints = Vector<Real, T::bilaterals>;
  using Mass = ListedMass<Model, is_small<Solver>>;
  using Home = ActiveContext<Model, Solver, BaseStep>;

  ActiveContacts(Home& home, StepReport<Real>& report)
      : Naming(home.state, report), home_(home), work_(home.work), persistent_(home.state, separations_) {}

  bool ready(Real dt) { return this->template options_are_legal<is_small<Solver>>(dt, home_.solver, home_.judge); }
  static Time<Real> counted(const Time<Real>& time, Real dt) { return time.counted_in(dt); }

  static Evaluation<Model> at(const Model& model, const Q& q, Real t) {
    if constexpr (is_small<Solver>)
      return Evaluation<Model>::seldom(model, q, t);
    else
      return {model, q, t};
  }
  bool find(const Evaluation<Model>& at) {
    const auto closed_at = [this](auto i, Real gap) {
      persistent_.set_gap(home_.model, i, gap);
      return home_.base.closed(i, gap) || persistent_.carried(i);
    };
    if (work_.assembly.H.find(at, closed_at)) return true;
    return this->refuse_made(Cause::gap, work_.assembly.H.gap_M);
  }

  Mass mass(const Evaluation<Model>& at, const Q& u_A, Real half) { return Mass(work_.assembly.mass, at, u_A, half); }
  bool positive(const Mass& mass, const Evaluation<Model>& at) {
    if (!mass.positive()) name_mass<is_small<Solver>>(at, mass.factored(), report_);
    return mass.positive();
  }

  Q force(const Evaluation<Model>& at, const Mass& mass, const Q& u_A, Real half) const {
    Q h = at.force(u_A);
    if (home_.base.force_at == ForceAt::predicted) h = at.force(Q(u_A + half * mass.unconstrained_change(h)));
    return h;
  }

  bool solve(const Evaluation<Model>& at, const Mass&, const State<Model>& state, Real dt, Q& u_E, P_joints& P_B) {
    auto& problem = work_.assembly.problem;
    if (!(finite_probe(u_E) == Real(0))) return this->refuse_made(Cause::force, u_E);
    const Status filled = work_.assembly.fill(home_.model, at, state.u, u_E, dt, ContactRules{home_.base, persistent_});
    if (filled != Status::ok) {
      report_.status = filled;
      name_row(home_.model, problem, work_.assembly.H, report_);
      return false;
    }
    report_.active = problem.k;
    if (problem.rows() > 0) {
      warm_start<Branching>(state, problem, work_.assembly.H, work_.P);
      if constexpr (is_small<Solver>)
        solve_and_evaluate();
      else
        find_percussions();
      if (!accept(report_.advanced(), report_.status, Cause::percussions)) return false;
    }
    push<Branching>(problem.rows(), work_.assembly, work_.P, u_E, P_B);
    return true;
  }

  bool correct_positions(const Mass&, const Time<Real>& time_E, Q& q_E) {
    const auto& H = work_.assembly.H;
    bool carried[std::size_t(T::contacts + 1)] = {};
    for (int i = 0; i < H.k; ++i) carried[H.id(i)] = work_.P.coeff(work_.assembly.problem.row(i)) > Real(0);
    correct_all_positions<Branching>(
        home_.model, reduced(home_.model, time_E), work_.assembly.mass, [&](int i) { return carried[i]; }, persistent_,
        H.gap_M, q_E);
    return true;
  }
  void commit(State<Model>& state, const Time<Real>& time_E, const Q& q_E, const Q& u_E, const P_joints& P_B) {
    store<Branching>(true, work_.assembly.problem, work_.assembly.H, work_.P, work_.sigmas, state);
    persistent_.store(true, work_.assembly.H, u_E, work_.assembly, state);
    home_.gap_M = work_.assembly.H.gap_M;
    state.q = q_E;
    state.u = u_E;
    state.clock = time_E;
    state.P_B = P_B;
  }

 private:
  // Out of line, so that the solver's code is not part of the step. Flattened for the prox iterations: their inner loop is
  // 5 % faster so, while Lemke's method and the mode enumeration would grow by a sixth.
  MOREAU_NOINLINE void find_percussions() {
    if constexpr (is_iterative<Solver>)
      iterate();
    else
      solve_and_evaluate();
  }
  MOREAU_NOINLINE MOREAU_FLATTEN void iterate() { solve_and_evaluate(); }
  void solve_and_evaluate() {
    auto& problem = work_.assembly.problem;
    report_.iterations = percussions_of(problem, home_.solver, work_.solver, work_.P, home_.judge);
    report_.fallbacks += work_.solver.fallbacks;
    const Verdict<Real> verdict = evaluate(problem, work_.P, home_.judge, work_.sigmas);
    report_.residual = verdict.residual;
    report_.relative = verdict.relative;
    report_.status = verdict.status();
  }

  Home& home_;
  StepWorkspace<Model, Solver>& work_;
  Separations<Model> separations_;
  PersistentContacts<Branching, Model, has_persistent_contacts<Model> && std::is_same_v<BaseStep, PaperBaseStep>>
      persistent_;
};

}  // namespace detail
}  // namespace moreau
