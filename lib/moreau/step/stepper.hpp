// A model, its state, a solver and the workspace of a step: one object, all the RAM there is (sizeof is the bill).
//
//   moreau::Stepper toy{Woodpecker<double>{}, start};
//   if (!toy.step(1e-4).advanced()) ...
//
// The model is public: inputs and parameters may change between steps, its mass, too. Solver and judge may: every step
// refuses what is out of range in those it uses. Closed forms use judge.rtol and judge.sigma_margin alone; the rest is
// looked at when a step needs it, so it cannot make a step wrong. One stepper belongs to one context; others read
// through the latest-value exchange of the port.
#pragma once

#include "moreau/step/contacts_for.hpp"

namespace moreau {

// data: as fast as the contacts allow. constant: as many instructions whatever the contacts do, outside the fallbacks
// that the report counts; solver Exact or ClosedForms for planar models with at most 8 contacts, Sweeps or Newton
// for any model.
enum class Timing { variable, constant, data };  // data: an earlier name of variable, refused

template <class Model_, class Solver_ = default_solver<Model_>, Timing timing = Timing::variable>
class Stepper {
  static constexpr bool model_meets_contract = detail::RequireModel<Model_>::met;
  using Contacts = detail::ContactsFor<Model_, Solver_, timing == Timing::constant>;
  static_assert(timing != Timing::data, "Timing::data is called Timing::variable");
  static_assert(timing != Timing::constant || Contacts::has_first || !model_meets_contract,
                "Timing::constant needs the solver Exact and a planar model of at most 12 degrees of freedom, 12 rows "
                "of ideal joints and 8 contacts, without friction elements, or one of the solvers Sweeps and Newton");
  static_assert(Contacts::has_rest || !model_meets_contract,
                "ClosedForms needs a planar model of at most 12 degrees of freedom and 1 to 8 contacts, without "
                "friction elements and ideal joints: use Exact or Psor");

 public:
  using Model = Model_;
  using Solver = Solver_;
  using Real = typename Traits<Model>::Real;
  using Report = StepReport<Real>;
  static constexpr int tangents = Traits<Model>::tangents;

  // One contact after the last step that advanced. A contact that the model does not have: NaN, not closed.
  struct Contact {
    Real gap_M;   // m, at the midpoint of the step
    bool closed;  // in that step: gap_M <= 0, or persistent (contact/persistent_contacts.hpp)
    Real P_N;     // N s
    detail::Tangential<Real, tangents> P_T;      // N s
    Real force_N;                                // N, mean over the step: P / dt
    detail::Tangential<Real, tangents> force_T;  // N
  };

  // What a start looks like before the first step. A slightly negative gap is common and no error: a contact of a model
  // without allowed_penetration() keeps it, one of a model with allowed_penetration() is put back to that depth when it first carries a percussion. Nor is a joint that is open: the first step
  // moves the bodies until it is closed, however far that is, and is ok.
  struct StartReport {
    Status status = Status::ok;
    Cause cause = Cause::none;  // of anything but ok
    std::int16_t index = 0;
    Real penetration = Real(0);  // m, the deepest; 0 where every gap is open
    int contact = -1;            // where
    Real miss = Real(0);         // m or rad, of the ideal joint that is open most; 0 where all are closed
    int row = -1;                // which
  };

  // Which steps take the same number of instructions each, whatever their numbers are. Any other is a fallback, which
  // the report counts and the solver's options bound; so is one that is refused, or that finds another mass, or other
  // contacts that never change, than it has kept.
  struct ConstantTime {
    bool holds;    // there are such steps: Timing::constant
    int closed;    // so many contacts may be closed at once, each of them opening, sticking or slipping
    bool jamming;  // also where friction may jam or throw two contacts (Painleve): closed forms refuse these
  };
  static constexpr ConstantTime constant_covers = {timing == Timing::constant,
                                                   timing == Timing::constant ? Contacts::closed_in_constant_time : 0,
                                                   (timing == Timing::constant && Contacts::has_all)};

  Model model;
  State<Model> state;
  Solver solver;
  Judge<Real> judge;

  explicit Stepper(const Model& a_model, const State<Model>& start, const Solver& a_solver = Solver{})
      : model(a_model), state(start), solver(a_solver) {
    if constexpr (model_meets_contract) {
      prepare();
      gap_M_ = detail::gaps_of(model, state);
    }
  }

  [[nodiscard]] MOREAU_NOINLINE MOREAU_FLATTEN Report step(Real dt) {
    if constexpr (model_meets_contract) {
      if constexpr (detail::Contract<Model>::has_wrap)
        return wrapped_step(dt);
      else
        return unwrapped_step(dt);
    } else {
      return Report{};
    }
  }

  // One step of any state of this model, not wrapped: what extrapolation is made of.
  template <class BaseStep = detail::PaperBaseStep>
  [[nodiscard]] Report advance(State<Model>& any, Real dt, const BaseStep& base = BaseStep{}) {
    static_assert(Contacts::keeps_workspace,
                  "ClosedForms cannot be extrapolated: it has no solver for every case; use Exact");
    Report report;
    if constexpr (model_meets_contract && Contacts::keeps_workspace) general_step(any, dt, solver, base, work_, report);
    return report;
  }

  // What the present state and model look like, before the first step or after parameters were changed: everything
  // finite, laws, depths, period and parts in their ranges, the deepest overlap, the joint that is open most.
  [[nodiscard]] StartReport start_report() const { return detail::look_at<StartReport>(model, state); }

  // Takes over a state after looking at it. What is refused changes nothing; an overlap and an open joint are
  // reported, not refused. (Assigning `state` is allowed, too; contact() then answers the gaps of the last step.)
  [[nodiscard]] StartReport set_state(const State<Model>& next) {
    const StartReport report = detail::look_at<StartReport>(model, next);
    if constexpr (model_meets_contract)
      if (report.status == Status::ok) {
        state = next;
        gap_M_ = detail::gaps_of(model, state);
      }
    return report;
  }

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
    out.closed = detail::closed<detail::Branching>(out.gap_M) || state.knows(i);
    out.P_N = state.P_N.coeff(i);
    out.force_N = out.P_N * per_dt;
    if constexpr (tangents == 1) out.P_T = state.P_T.coeff(0, i);
    if constexpr (tangents == 2) out.P_T = state.P_T.col(i);
    if constexpr (tangents > 0) out.force_T = out.P_T * per_dt;
    return out;
  }

  // The model has other parameters from now on: the next step refuses what start_report() would. What a
  // model declares constant is looked at at once; the next step would do so by itself, which costs it the time and, in
  // constant time, a fallback.
  void mass_changed() {
    if constexpr (model_meets_contract) prepare();
  }

 private:
  // What is kept from step to step: whether options and laws are in their ranges, and the factors of a constant mass.
  MOREAU_COLD MOREAU_NOINLINE void prepare() {
    Report unused;
    ready_ = detail::options_are_legal(model, solver, judge, unused);
    if constexpr (Traits<Model>::constant_mass) {
      if constexpr (Contacts::has_few && Traits<Model>::bilaterals == 0) (void)few_.keep(model, state);
      if constexpr (Contacts::keeps_workspace) (void)work_.assembly.mass.factor(mass_now());
    }
  }

  auto mass_now() const {
    return detail::Evaluation<Model>(model, state.q, detail::reduced(model, state.time())).mass();
  }

  Report unwrapped_step(Real dt) {
    Report report;
    if constexpr (Contacts::has_first) {
      if (!detail::midpoint_step<typename Contacts::First>(*this, dt, report)) rest(dt, report);
    } else {
      general_step(state, dt, solver, detail::PaperBaseStep{}, work_, report);
    }
    return report;
  }
  Report wrapped_step(Real dt) {
    const State<Model> before = state;
    Report report = unwrapped_step(dt);
    if (!report.advanced()) return report;
    state.q = model.wrap(state.q);
    if (!(detail::finite_probe(state.q) == Real(0))) {
      state = before;
      report.status = Status::not_finite;
      report.cause = Cause::wrap;
    }
    return report;
  }

  // What the first kind of contacts leaves.
  MOREAU_COLD MOREAU_NOINLINE void rest(Real dt, Report& report) {
    report.fallbacks = 0;  // that kind has said no more
    if constexpr (Contacts::keeps_workspace)
      general_step(state, dt, solver, detail::PaperBaseStep{}, work_, report);
    else
      sweep(dt, report);
    if (timing == Timing::constant || !Contacts::keeps_workspace) ++report.fallbacks;
  }
  // flatten: all of it is cold, so all of it is compiled for size
  MOREAU_COLD MOREAU_NOINLINE MOREAU_FLATTEN void sweep(Real dt, Report& report) {
    detail::StepWorkspace<Model, Solver> on_stack;
    general_step(state, dt, solver, detail::PaperBaseStep{}, on_stack, report);
  }
  template <class Method, class BaseStep, class Work>
  void general_step(State<Model>& any, Real dt, const Method& method, const BaseStep& base, Work& work,
                    Report& report) {
    detail::ActiveContext<Model, Method, BaseStep> home{model, any, method, judge, work, gap_M_, base};
    if (is_ready(report))
      (void)detail::midpoint_step<detail::ActiveContacts<Model, Method, BaseStep>>(home, dt, report);
  }
  bool is_ready(Report& report) {
    if (!ready_) ready_ = detail::options_are_legal(model, solver, judge, report);
    return ready_;
  }

  auto& mass() {  // of few contacts; with ideal joints, the workspace's
    if constexpr (Traits<Model>::bilaterals > 0)
      return work_.assembly.mass;
    else
      return few_.mass;
  }
  template <class M, class Flow>
  friend class detail::DirectContacts;
  template <class M, class S>
  friend class detail::MaskedContacts;
  typename Contacts::Few few_;
  typename Contacts::Work work_;
  Vector<Real, Traits<Model>::contacts> gap_M_ = Vector<Real, Traits<Model>::contacts>::Zero();  // m, of the last step
  bool ready_ = false;  // options and laws are in their ranges
};

}  // namespace moreau
