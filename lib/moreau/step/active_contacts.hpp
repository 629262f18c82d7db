// Contact container for any number of closed contacts and any solver (midpoint.hpp).
//
//   H = { i | g_N,i(q_M, t_M) <= 0, or i at rest in the previous step }
//   P = solve(problem of H),   then the acceptance test (contact/judge.hpp)
//
// ActiveContacts reports status and cause of a failed step. It repeats the steps that DirectContacts and MaskedContacts
// reject (step/contacts_for.hpp).
//
// The policy BaseStep defines which contacts are closed and which directions and velocities the step uses.
// PaperBaseStep follows the papers without additional instructions. HeldContacts (adapt/held_contacts.hpp) can keep
// contacts closed at a positive gap and use the directions at the end of the step. It can also predict the velocity at
// which h is evaluated.
#pragma once

#include "moreau/contact/assemble.hpp"
#include "moreau/contact/contacts_by_gap.hpp"
#include "moreau/contact/impact_instants.hpp"
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

namespace detail {

// True for solvers based on the prox iteration.
template <class Solver>
constexpr bool is_iterative =
    std::is_same_v<Solver, Psor> || std::is_same_v<Solver, Newton> || std::is_same_v<Solver, Sweeps>;

// True for solvers that start with the direct solution of one or two contacts.
template <class Solver>
constexpr bool starts_direct = false;
template <>
inline constexpr bool starts_direct<Exact> = true;
template <>
inline constexpr bool starts_direct<ClosedForms> = true;
template <class First, class... Rest>
inline constexpr bool starts_direct<Cascade<First, Rest...>> = starts_direct<First>;

// Rules of the papers: a contact is closed if and only if its gap is at most zero.
struct PaperBaseStep {
  static constexpr bool selects_force = false;  // the declaration predicted_force of the model applies
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
  // Returns the normal velocity at the beginning of the step, to which restitution applies.
  template <class D, class Q>
  static auto gamma_A(const D& d, const Q& u_A, int) {
    return gamma(d.w_N, d.zeta_N, u_A);
  }
};

// Mass matrix in the workspace. If `small` is true, it is not cached, and its evaluation is not inlined.
template <class Model, bool small>
using ActiveMass =
    StepMass<Model, std::conditional_t<small, EffectiveMass<Model, FactorsOf<Model>>, WorkspaceMass<Model>>, small>;

// Workspace of ActiveContacts.
template <class Model, class Solver>
struct StepWorkspace {
  using Problem = ProblemOf<Model>;
  using Mass = ActiveMass<Model, is_small<Solver>>;
  Assembly<Model, typename Mass::Storage> assembly;
  Workspace<Solver, Problem> solver;
  typename Problem::Percussions P;
  Sigmas<Problem> sigmas{};
};

// Use of a step with ActiveContacts.
//
//   trial   without wrap(), for adaptive runs
//   first   a step of Stepper
//   repeat  a step that DirectContacts or MaskedContacts have rejected
enum class StepUse { trial, first, repeat };

// Calls the function solve() of the solver, found by argument-dependent lookup. (A member of ActiveContacts hides its
// name.)
template <class Problem, class Solver, class Work, class Real>
int percussions_of(const Problem& problem, const Solver& solver, Work& work, typename Problem::Percussions& P,
                   const Judge<Real>& judge) {
  return solve(problem, solver, work, P, judge);
}

// Model, state, options and storage of a step with ActiveContacts.
template <class Model, class Solver, class BaseStep>
struct ActiveContext {
  const Model& model;
  State<Model>& state;
  const Solver& solver;
  const Judge<typename Traits<Model>::Real>& judge;
  StepWorkspace<Model, Solver>& work;
  Vector<typename Traits<Model>::Real, Traits<Model>::contacts>& gap_M;
  const BaseStep& base;
  StepUse use;
};

// The active set of closed contacts, with any solver.
template <class Model, class Solver, class BaseStep>
class ActiveContacts : public CauseReporter<Model> {
  using Reporter = CauseReporter<Model>;
  using Reporter::accept, Reporter::report_, Reporter::state_;

 public:
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using P_joints = Vector<Real, T::bilaterals>;
  using Mass = ActiveMass<Model, is_small<Solver>>;
  using Context = ActiveContext<Model, Solver, BaseStep>;
  static constexpr bool fixed_step = std::is_same_v<BaseStep, PaperBaseStep>;
  using Policy = std::conditional_t<fixed_step && T::second_order, ImpactInstants<Branching, Model>,
                                    ContactsByGap<Branching, Model>>;

  ActiveContacts(Context& context, StepReport<Real>& report)
      : Reporter(context.state, report),
        context_(context),
        work_(context.work),
        policy_(context.state, midpoint_gaps_) {}

  bool ready(Real dt) {
    return this->template options_are_legal<is_small<Solver>>(dt, context_.solver, context_.judge);
  }
  Time<Real> counted(const Time<Real>& time, Real dt) {
    if constexpr (Policy::at_instants) policy_.begin(dt);
    return time.counted_in(dt);
  }

  Evaluation<Model> at(const Model& model, const Q& q, Real t) {
    if constexpr (Policy::at_instants) policy_.set_time(t);
    if constexpr (is_small<Solver>)
      return Evaluation<Model>::seldom(model, q, t);
    else
      return {model, q, t};
  }
  bool find(const Evaluation<Model>& at) {
    const auto closed_at = [&](auto i, Real gap) {
      policy_.set_gap(context_.model, i, gap);
      return context_.base.closed(i, gap) || policy_.carried(i) || policy_.reaches(at, i, gap);
    };
    if (work_.assembly.H.find(at, closed_at)) return true;
    return this->reject_non_finite(Cause::gap, work_.assembly.H.gap_M);
  }

  Mass mass(const Evaluation<Model>& at, const Q& u_A, Real half) {
    policy_.set_velocity(u_A);
    return Mass(work_.assembly.mass, at, u_A, half);
  }
  bool positive(const Mass& mass, const Evaluation<Model>& at) {
    if (!mass.positive()) report_mass<is_small<Solver>>(at, mass, report_);
    return mass.positive();
  }

  Q force(const Evaluation<Model>& at, const Mass& mass, const Q& u_A, Real half) const {
    if constexpr (BaseStep::selects_force) {
      Q h = at.force(u_A);
      if (context_.base.force_at == ForceAt::predicted) h = at.force(predicted_velocity(mass, h, u_A, half));
      return h;
    } else {
      return force_of(at, mass, u_A, half, policy_.previous());
    }
  }

  bool solve(const Evaluation<Model>& at, const Mass&, const State<Model>& state, const Q& u_A, Real dt, Q& u_E,
             P_joints& P_B) {
    auto& problem = work_.assembly.problem;
    if (!(finite_probe(u_E) == Real(0))) return this->reject_non_finite(Cause::force, u_E);

    // Assemble contact problem.
    const Status filled = work_.assembly.fill(context_.model, at, u_A, u_E, dt, ContactRules{context_.base, policy_});
    if (filled != Status::ok) {
      report_.status = filled;
      report_row(context_.model, problem, work_.assembly.H, report_);
      return false;
    }
    report_.active = problem.k;

    // Solve and evaluate.
    if (problem.rows() > 0) {
      warm_start<Branching>(state, problem, work_.assembly.H, work_.P);
      if constexpr (is_small<Solver>)
        solve_and_evaluate();
      else
        find_percussions();
      if (!accept(report_.advanced(), report_.status, Cause::percussions)) return false;
    }

    // Add contact percussions.
    [[maybe_unused]] const Q u_free = u_E;
    push<Branching>(problem.rows(), work_.assembly, work_.P, u_E, P_B);
    if constexpr (Policy::at_instants)
      policy_.finish(
          work_.assembly.H, [&](int i) { return work_.P.coeff(problem.row(i)) > Real(0); }, u_free, u_E);
    return true;
  }

  bool correct_positions(const Evaluation<Model>&, const Mass&, const Time<Real>& time_E, Q& q_E) {
    if constexpr (Policy::at_instants) displace(context_.model, q_E, [&](Q& moved) { policy_.move(moved); });
    const auto& H = work_.assembly.H;
    bool carried[std::size_t(T::contacts + 1)] = {};
    for (int i = 0; i < H.k; ++i) carried[H.id(i)] = work_.P.coeff(work_.assembly.problem.row(i)) > Real(0);
    correct_all_positions<Branching>(
        context_.model, reduced(context_.model, time_E), work_.assembly.mass, [&](int i) { return carried[i]; },
        policy_, H.gap_M, q_E);
    return true;
  }
  bool wrap(Q& q_E) {
    return context_.use == StepUse::trial || accept(wrapped(context_.model, q_E), Status::not_finite, Cause::wrap);
  }
  void commit(State<Model>& state, const Time<Real>& time_E, const Q& q_E, const Q& u_E, const P_joints& P_B) {
    store<Branching>(true, work_.assembly.problem, work_.assembly.H, work_.P, work_.sigmas, state);
    policy_.store(true, state);
    context_.gap_M = work_.assembly.H.gap_M;
    state.q = q_E;
    state.u = u_E;
    state.clock = time_E;
    state.P_B = P_B;
  }

 private:
  // Solves for the percussions in a separate function, so that the step does not contain the code of the solver.
  // Flattening makes the inner loop of a prox iteration 5 % faster. Lemke's method and mode enumeration are not
  // flattened, because their code size would increase by a sixth.
  MOREAU_NOINLINE void find_percussions() {
    if constexpr (is_iterative<Solver>)
      iterate();
    else
      solve_and_evaluate();
  }
  MOREAU_NOINLINE MOREAU_FLATTEN void iterate() { solve_and_evaluate(); }
  void solve_and_evaluate() {
    auto& problem = work_.assembly.problem;
    if (solved_as_rejected_pair()) {
      report_.iterations = problem.k;
    } else {
      report_.iterations = percussions_of(problem, context_.solver, work_.solver, work_.P, context_.judge);
      report_.fallbacks += work_.solver.fallbacks;
    }
    const Verdict<Real> verdict = evaluate(problem, work_.P, context_.judge, work_.sigmas);
    report_.residual = verdict.residual;
    report_.relative = verdict.relative;
    report_.status = verdict.status();
  }

  // Returns true if the direct solution in the reversed order solves a pair that DirectContacts have rejected.
  bool solved_as_rejected_pair() {
    if constexpr (starts_direct<Solver> && T::tangents == 1 && closed_at_once<Model> == 2)
      return context_.use == StepUse::repeat && solve_rejected_pair(work_.assembly.problem, context_.judge, work_.P);
    else
      return false;
  }

  Context& context_;
  StepWorkspace<Model, Solver>& work_;
  MidpointGaps<Model> midpoint_gaps_;
  Policy policy_;
};

}  // namespace detail
}  // namespace moreau
