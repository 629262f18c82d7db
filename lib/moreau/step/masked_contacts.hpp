// Contact container for constant time: all contacts of a model, open ones masked (midpoint.hpp).
//
//   P       fixed number of prox sweeps, with Newton steps if the solver is Newton
//   state   if (passable) the new state, otherwise the old one; selected by masks
//
// Supported models: planar and spatial, with any number of contacts, friction elements and ideal joints.
//
// The instruction count depends only on the sizes of the model and the options of the solver. This requires that the
// functions of the model do not branch on q, u and t, and that the processor has an FPU.
//
// ActiveContacts repeats a step with invalid input and reports the cause, for example a law parameter out of range, a
// non-finite value or a singular mass matrix. The report counts this fallback. Too few sweeps or Newton rounds give
// `inexact` or `no_solution`, without a fallback.
#pragma once

#include "moreau/contact/position_correction_slots.hpp"
#include "moreau/solve/newton.hpp"
#include "moreau/solve/psor.hpp"
#include "moreau/step/active_contacts.hpp"
#include "moreau/step/direct_workspace.hpp"

namespace moreau {
namespace detail {

// True for solvers with a constant-time variant. In constant time Psor executes its maximum number of sweeps.
template <class Solver>
constexpr bool solves_all =
    std::is_same_v<Solver, Sweeps> || std::is_same_v<Solver, Psor> || std::is_same_v<Solver, Newton>;
// Solves for the percussions of all contacts. Returns the number of iterations.
template <class Problem, class Law, class Real, class Work, class P>
int solve_all(const Problem& problem, const Sweeps& options, const Law&, const Judge<Real>&, Work& work,
              P& percussions) {
  sweep_all<Branchless>(problem, options, work.old, percussions);
  return options.count;
}
template <class Problem, class Law, class Real, class Work, class P>
int solve_all(const Problem& problem, const Newton& options, const Law& law, const Judge<Real>& judge, Work& work,
              P& percussions) {
  return sweep_and_step<Branchless>(problem, options, law, judge, work, percussions);
}

// All contacts of a model, with masks for open contacts.
template <class Model, class Solver>
class MaskedContacts {
 public:
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Problem = ProblemOf<Model>;
  using P_joints = Vector<Real, T::bilaterals>;
  using Mass = StepMass<Model, WorkspaceMass<Model>>;
  using Work = StepWorkspace<Model, Solver>;
  static constexpr bool at_instants = T::second_order;
  static constexpr int slots = max_closed<Model>;
  static constexpr bool limited = slots < T::contacts;

  template <class Context>
  MaskedContacts(Context& context, StepReport<Real>& report)
      : model_(context.model),
        solver_(context.solver),
        options_(in_constant_time(context.solver)),
        judge_(context.judge),
        work_(context.work_),
        stored_gap_M_(context.gap_M_),
        ready_(context.ready_),
        report_(report),
        state_(context.state),
        policy_(context.state, midpoint_gaps_) {}

  bool ready(Real dt) const { return ready_ && is_step_size(dt) && solver_.valid() && judge_.valid(); }
  Time<Real> counted(const Time<Real>& time, Real dt) {
    if constexpr (at_instants) policy_.begin(dt);
    return counted_in<Branchless>(time, dt);
  }

  Evaluation<Model> at(const Model& model, const Q& q, Real t) {
    if constexpr (at_instants) policy_.set_time(t);
    return {model, q, t};
  }
  bool find(const Evaluation<Model>& at) {
    const auto closed_at = [&](auto i, Real gap) {
      policy_.set_gap(model_, i, gap);
      return closed<Branchless>(gap) || policy_.carried(i) || policy_.reaches(at, i, gap);
    };
    all_.find(at, closed_at, gap_M_);
    if constexpr (limited) slots_.assign([this](int i) { return all_.present(i); });
    return true;
  }
  Mass mass(const Evaluation<Model>& at, const Q& u_A, Real half) {
    policy_.set_velocity(u_A);
    const Mass mass(work_.assembly.mass, at, u_A, half);
    report_.fallbacks = mass.renewed();
    return mass;
  }
  static bool positive(const Mass& mass, const Evaluation<Model>&) { return mass.positive(); }
  Q force(const Evaluation<Model>& at, const Mass& mass, const Q& u_A, Real half) const {
    return force_of(at, mass, u_A, half, policy_.previous());
  }

  MOREAU_NOINLINE MOREAU_FLATTEN bool solve(const Evaluation<Model>& at, const Mass&, const State<Model>& state,
                                            const Q& u_A, Real dt, Q& u_E, P_joints& P_B) {
    // Assemble contact problem.
    auto& problem = work_.assembly.problem;
    filled_ = work_.assembly.template fill_set<Branchless>(all_, rows(), model_, at, u_A, u_E, dt,
                                                           ContactRules{PaperBaseStep{}, policy_});

    // Solve and evaluate.
    if constexpr (limited)
      warm_start_slots(state, problem, slots_, work_.P);
    else
      warm_start<Branchless>(state, problem, all_, work_.P);
    const FullProblem<Problem, slots> full(problem, Real(options_.omega));
    const auto present = [this](int i) { return rows().present(i); };
    iterations_ = solve_all(full, options_, present, judge_, work_.solver, work_.P);
    verdict_ = evaluate<Branchless>(full, work_.P, present, judge_, work_.sigmas);

    // Add contact percussions.
    [[maybe_unused]] const Q u_free = u_E;
    push<Branchless>(full.rows(), work_.assembly, work_.P, u_E, P_B);
    if constexpr (limited) move_back(problem);
    if constexpr (at_instants) policy_.finish(all_, carries(), u_free, u_E);
    return true;
  }
  bool correct_positions(const Evaluation<Model>&, const Mass&, const Time<Real>& time_E, Q& q_E) {
    if constexpr (at_instants) displace(model_, q_E, [&](Q& moved) { policy_.move(moved); });
    const auto carried = carries();
    if constexpr (limited)
      correction_rounds(
          model_, reduced(model_, time_E), work_.assembly.mass,
          [&](const Evaluation<Model>& at, Q& q) {
            if constexpr (corrects_contacts<Model>)
              slots_.incomplete = SlotCorrection<Model, ContactPolicy<Branchless, Model>, slots>{}.correct(
                  model_, at, work_.assembly.mass, all_, carried, policy_, gap_M_, q);
          },
          q_E);
    else
      correct_all_positions<Branchless>(model_, reduced(model_, time_E), work_.assembly.mass, carried, policy_, gap_M_,
                                        q_E);
    return true;
  }
  bool sound(const Time<Real>& time_A, const Q& q_E, const Q& u_E) const {
    Real sum = ((all_.sum + filled_.sum) + verdict_.sum) + Real(time_A.next());
    for_each_index<T::dof>([&](auto j) { sum = (sum + q_E.coeff(j)) + u_E.coeff(j); });
    Mask valid = filled_.lawful && filled_.pushes;
    if constexpr (limited) valid = valid && !slots_.overfull() && !slots_.incomplete;
    return Branchless::declassify(valid) && sum - sum == Real(0);
  }
  bool wrap(Q& q_E) const { return wrapped(model_, q_E); }
  void commit(State<Model>& state, const Time<Real>& time_E, const Q& q_E, const Q& u_E, const P_joints& P_B) {
    // if (passable) state = state at the end of the step;
    const Mask advance = verdict_.passable;
    store<Branchless>(advance, work_.assembly.problem, all_, work_.P, work_.sigmas, state);
    policy_.store(advance, state);
    Branchless::assign_if(advance, stored_gap_M_, gap_M_);
    Branchless::assign_if(advance, state.q, q_E);
    Branchless::assign_if(advance, state.u, u_E);
    Branchless::assign_if(advance, state.P_B, P_B);
    Branchless::assign_if(advance, state.clock.t0, time_E.t0, state.clock.dt, time_E.dt);
    Branchless::assign_if(advance, state.clock.n, time_E.n);
    report_.status = verdict_.status();
    report_.active = all_.active;
    report_.iterations = iterations_;
    report_.residual = verdict_.residual;
    report_.relative = verdict_.relative;
  }

 private:
  // Returns the function that returns true for a closed contact with a percussion.
  auto carries() const {
    return
        [this](int i) { return all_.present(i) && Branchless::positive(work_.P.coeff(work_.assembly.problem.row(i))); };
  }

  // Returns the set of the contacts that have rows.
  const auto& rows() const {
    if constexpr (limited)
      return slots_;
    else
      return all_;
  }
  // Moves percussions and sigma from the slots to the contacts, in descending order.
  void move_back(Problem& problem) {
    auto& P = work_.P;
    auto& sigmas = work_.sigmas;
    constexpr int elements = T::frictions * T::friction_dim;
    for (int r = elements - 1; r >= 0; --r)
      P.coeffRef(Problem::row(T::contacts) + r) = P.coeff(Problem::row(slots) + r);
    for (int i = T::contacts - 1; i >= 0; --i) {
      for (int t = 0; t < Problem::per_contact; ++t)
        P.coeffRef(Problem::row(i) + t) = slots_.back(i, [&](int s) { return P.coeff(Problem::row(s) + t); });
      sigmas.N[std::size_t(i)] = slots_.bit_back(i, [&](int s) { return sigmas.N[std::size_t(s)]; });
      sigmas.T[std::size_t(i)] = slots_.bit_back(i, [&](int s) { return sigmas.T[std::size_t(s)]; });
    }
    problem.k = T::contacts;
  }

  const Model& model_;
  const Solver& solver_;
  const decltype(in_constant_time(Solver{})) options_;
  const Judge<Real>& judge_;
  Work& work_;
  Vector<Real, T::contacts>& stored_gap_M_;
  const bool& ready_;
  StepReport<Real>& report_;
  const State<Model>& state_;

  Vector<Real, T::contacts> gap_M_;
  MaskedSet<Model> all_;
  struct Slots : ContactSlots<Model, limited ? slots : 1> {
    Mask incomplete{0};  // the position correction would make a contact without a slot penetrate
  };
  std::conditional_t<limited, Slots, NoStorage> slots_;
  Filled<Branchless, Real> filled_;
  Verdict<Real, Branchless> verdict_;
  int iterations_ = 0;
  MidpointGaps<Model> midpoint_gaps_;
  ContactPolicy<Branchless, Model> policy_;
};

}  // namespace detail
}  // namespace moreau
