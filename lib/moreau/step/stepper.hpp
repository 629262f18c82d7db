// Stepper: model, state, options and all memory of a step, in sizeof(Stepper) bytes of RAM.
//
//   moreau::Stepper toy{Woodpecker<double>{}, start};
//   if (!toy.step(1e-4).advanced()) ...
//
// Model, solver options and thresholds (judge) may change between steps. A step fails if an option that it uses is out
// of range. The direct solution uses judge.rtol and judge.sigma_margin only.
//
// A stepper is not thread-safe. Other threads and interrupts receive its data through the wait-free mailbox
// moreau::port::Latest.
#pragma once

#include "moreau/step/contacts_for.hpp"

namespace moreau {

// Execution time of a step.
//
//   variable   depends on the contacts
//   constant   the same number of instructions in every step, except for the fallbacks counted by the report
//
// `constant` with Exact or ClosedForms supports planar models with at most 8 contacts, 4 friction elements, 12 degrees
// of freedom and 12 joint rows (ClosedForms: none). With Sweeps, Psor or Newton it supports all models.
enum class Timing { variable, constant, data };  // data: former name of variable, rejected at compile time

// Model, state and solver with the memory of a step.
template <class Model_, class Solver_ = default_solver<Model_>, Timing timing = Timing::variable>
class Stepper {
  static constexpr bool model_meets_contract = detail::RequireModel<Model_>::met;
  using Contacts = detail::ContactsFor<Model_, Solver_, timing == Timing::constant>;
  static constexpr bool keeps_workspace = detail::exists<typename Contacts::Work>;
  static_assert(timing != Timing::data, "Timing::data is called Timing::variable");
  static_assert(timing != Timing::constant || !Contacts::direct ||
                    !detail::stores_rows<Model_, typename Contacts::Flow> ||
                    !detail::contact_rotation_from_end<Model_> || !Traits<Model_>::second_order,
                "Model declares second_order, which Timing::constant with Exact and ClosedForms supports with "
                "contact_bias_acceleration, uniform_contacts or constant_directions");
  static_assert(timing != Timing::constant || detail::exists<typename Contacts::First> || !model_meets_contract,
                "Timing::constant needs the solver Exact and a planar model of at most 12 degrees of freedom, 12 rows "
                "of ideal joints, 8 contacts and 4 friction elements, or one of the solvers Sweeps and Newton");
  static_assert(timing != Timing::constant || Contacts::masked || !detail::declares_max_closed<Model_>,
                "Model declares max_closed, which Timing::constant uses with Sweeps and Newton: for Exact and "
                "ClosedForms, declare closed_at_once");
  static_assert(Contacts::supports_fallback || !model_meets_contract,
                "ClosedForms needs a planar model of at most 12 degrees of freedom, 1 to 8 contacts and 4 friction "
                "elements, without ideal joints: use Exact or Psor");

 public:
  using Model = Model_;
  using Solver = Solver_;
  using Real = typename Traits<Model>::Real;
  using Report = StepReport<Real>;
  static constexpr int tangents = Traits<Model>::tangents;

  // Outputs of one contact in the last step that advanced.
  struct Contact {
    Real gap_M;   // m, gap at the midpoint of the step
    bool closed;  // true if gap_M <= 0 or the contact was at rest (contact/impact_instants.hpp)
    Real P_N;     // N s, normal percussion
    detail::Tangential<Real, tangents> P_T;      // N s, tangential percussion
    Real force_N;                                // N, mean normal force of the step, P_N / dt
    detail::Tangential<Real, tangents> force_T;  // N, mean tangential force of the step, P_T / dt
  };

  // Validity and position errors of an initial state. Position errors do not change the status.
  //
  // With allowed_penetration(), a contact is corrected in the first step in which it carries a percussion. Without this
  // function the penetration remains. The first steps move the bodies to satisfy the ideal joints, however large the
  // error.
  struct StartReport {
    Status status = Status::ok;  // ok, not_finite or invalid_argument

    // Value that is non-finite or out of range; none if the status is ok.
    Cause cause = Cause::none;

    // Index of the contact, friction element, joint row, part or coordinate of the cause. 0 if the cause has no index.
    std::int16_t index = 0;

    // Deepest penetration of the contacts, in m; 0 if all gaps are open.
    Real penetration = Real(0);

    // Index of the contact with the deepest penetration; -1 if all gaps are open.
    int contact = -1;

    // Largest position error |g| of the ideal joints, in m or rad; 0 if all are satisfied.
    Real miss = Real(0);

    // Row of the ideal joint with the largest error; -1 if all are satisfied.
    int row = -1;
  };

  // Conditions under which all steps execute the same number of instructions. A step that violates them is a fallback.
  // The same applies to a step that the direct solution rejects, and to the step after a change of a constant mass or
  // of constant contact data. The report counts fallbacks, and the options of the solver bound their cost.
  struct ConstantTime {
    bool holds;    // true for Timing::constant
    int closed;    // largest number of closed contacts, in any mode
    bool jamming;  // true if jamming of two contacts by friction (Painleve) is included; false for the direct solution
  };
  static constexpr ConstantTime constant_covers = {timing == Timing::constant,
                                                   timing == Timing::constant ? Contacts::closed_in_constant_time : 0,
                                                   (timing == Timing::constant && Contacts::masked)};

  // Model of the next step. Inputs and parameters may change between steps. Call mass_changed() after a change of the
  // mass or of parameters behind a pointer.
  Model model;

  // State after the last step that advanced. Assign it between steps, or use set_state(), which tests it.
  State<Model> state;

  // Options of the solver. Default: those of the solver type.
  Solver solver;

  // Thresholds of the acceptance test (contact/judge.hpp).
  Judge<Real> judge;

  // Copies model, initial state and options. An invalid model or option makes the first step fail.
  explicit Stepper(const Model& a_model, const State<Model>& start, const Solver& a_solver = Solver{})
      : model(a_model), state(start), solver(a_solver) {
    if constexpr (model_meets_contract) {
      prepare();
      gap_M_ = detail::gaps_of(model, state);
    }
  }

  // Executes one step of dt seconds. dt must be positive, normal and below 128 s. If the step fails, the state is
  // unchanged.
  [[nodiscard]] MOREAU_NOINLINE MOREAU_FLATTEN Report step(Real dt) {
    Report report;
    if constexpr (model_meets_contract) {
      if constexpr (detail::exists<typename Contacts::First>) {
        if (!detail::midpoint_step<typename Contacts::First>(*this, dt, report)) fallback_step(dt, report);
      } else {
        general_step(state, dt, solver, detail::PaperBaseStep{}, work_, report, detail::StepUse::first);
      }
    }
    return report;
  }

  // Executes one step of another state of this model with ActiveContacts, without wrap(), for adaptive runs.
  template <class BaseStep = detail::PaperBaseStep>
  [[nodiscard]] Report advance(State<Model>& any, Real dt, const BaseStep& base = BaseStep{}) {
    static_assert(keeps_workspace, "ClosedForms cannot be extrapolated: it has no solver for every case; use Exact");
    Report report;
    if constexpr (model_meets_contract && keeps_workspace)
      general_step(any, dt, solver, base, work_, report, detail::StepUse::trial);
    return report;
  }

  // Returns validity and position errors of the current state and model. Call it before the first step and after
  // parameter changes. It tests state, gaps, joints, contact laws, allowed penetrations, period and parts.
  [[nodiscard]] StartReport start_report() const { return detail::inspect_start<StartReport>(model, state); }

  // Tests a state and, if the status is ok, assigns it. Penetration and position errors of joints are reported and
  // accepted. If `state` is assigned directly, contact() returns the gaps of the last step until the next one.
  [[nodiscard]] StartReport set_state(const State<Model>& next) {
    const StartReport report = detail::inspect_start<StartReport>(model, next);
    if constexpr (model_meets_contract)
      if (report.status == Status::ok) {
        state = next;
        gap_M_ = detail::gaps_of(model, state);
      }
    return report;
  }

  // Returns the outputs of contact i. If i is out of range, all numbers are NaN and `closed` is false. Forces are 0
  // before the first step.
  Contact contact(int i) const {
    Contact out{};
    if (i < 0 || i >= Traits<Model>::contacts) {
      constexpr Real none = std::numeric_limits<Real>::quiet_NaN();
      out.gap_M = out.P_N = out.force_N = none;
      if constexpr (tangents == 1) out.P_T = out.force_T = none;
      if constexpr (tangents == 2) out.P_T = out.force_T = Vector<Real, 2>::Constant(none);
      return out;
    }
    const Real per_dt =
        state.clock.dt > Real(0) ? Real(1) / state.clock.dt : Real(0);  // no force before the first step
    out.gap_M = gap_M_.coeff(i);
    out.P_N = state.P_N.coeff(i);
    out.closed = detail::closed<detail::Branching>(out.gap_M) || out.P_N > Real(0) || state.rests(i);
    out.force_N = out.P_N * per_dt;
    if constexpr (tangents == 1) out.P_T = state.P_T.coeff(0, i);
    if constexpr (tangents == 2) out.P_T = state.P_T.col(i);
    if constexpr (tangents > 0) out.force_T = out.P_T * per_dt;
    return out;
  }

  // Tests the options and parameters again, and computes the data that the model declares constant. An invalid
  // parameter makes the next step fail. Without this call, the next step itself detects a changed constant mass. This
  // step takes longer and, in constant time, counts as a fallback.
  void mass_changed() {
    if constexpr (model_meets_contract) prepare();
  }

 private:
  // Tests options and parameters, and stores the factors of a constant mass.
  MOREAU_COLD MOREAU_NOINLINE void prepare() {
    Report unused;
    ready_ = detail::options_are_legal(model, solver, judge, unused);
    if constexpr (Traits<Model>::constant_mass) {
      if constexpr (detail::exists<typename Contacts::DirectStorage> && Traits<Model>::bilaterals == 0)
        (void)direct_.keep(model, state);
      if constexpr (keeps_workspace) (void)work_.assembly.mass.factor(mass_now());
    }
  }

  auto mass_now() const {
    return detail::Evaluation<Model>(model, state.q, detail::reduced(model, state.time())).mass();
  }

  // Fallback: repeats a step that DirectContacts or MaskedContacts have rejected, with ActiveContacts.
  MOREAU_COLD MOREAU_NOINLINE void fallback_step(Real dt, Report& report) {
    report.fallbacks = 0;  // discards those of the rejected step
    if constexpr (keeps_workspace)
      general_step(state, dt, solver, detail::PaperBaseStep{}, work_, report, detail::StepUse::repeat);
    else
      fallback_on_stack(dt, report);
    if (timing == Timing::constant || !keeps_workspace) ++report.fallbacks;
  }
  // Executes the step with ActiveContacts, with a workspace on the stack. Flattening lets the compiler optimise the
  // whole function for size.
  MOREAU_COLD MOREAU_NOINLINE MOREAU_FLATTEN void fallback_on_stack(Real dt, Report& report) {
    detail::StepWorkspace<Model, Solver> on_stack;
    general_step(state, dt, solver, detail::PaperBaseStep{}, on_stack, report, detail::StepUse::repeat);
  }
  template <class Method, class BaseStep, class Work>
  void general_step(State<Model>& any, Real dt, const Method& method, const BaseStep& base, Work& work, Report& report,
                    detail::StepUse use) {
    detail::ActiveContext<Model, Method, BaseStep> context{model, any, method, judge, work, gap_M_, base, use};
    if (is_ready(report))
      (void)detail::midpoint_step<detail::ActiveContacts<Model, Method, BaseStep>>(context, dt, report);
  }
  bool is_ready(Report& report) {
    if (!ready_) ready_ = detail::options_are_legal(model, solver, judge, report);
    return ready_;
  }

  // Returns the mass of the direct solution. With ideal joints, the workspace stores it.
  auto& mass() {
    if constexpr (Traits<Model>::bilaterals > 0)
      return work_.assembly.mass;
    else
      return direct_.mass;
  }
  template <class M, class Flow>
  friend class detail::DirectContacts;
  template <class M, class Flow>
  friend class detail::NestedContacts;
  template <class M, class S>
  friend class detail::MaskedContacts;
  typename Contacts::DirectStorage direct_;
  typename Contacts::Work work_;
  Vector<Real, Traits<Model>::contacts> gap_M_ =
      Vector<Real, Traits<Model>::contacts>::Zero();  // m, gaps of the last step
  bool ready_ = false;                                // options and parameters are in their ranges
};

}  // namespace moreau
