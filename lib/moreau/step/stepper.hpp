// A model, its state, a solver and the workspace of a step: one object, all the RAM there is (sizeof is the bill).
//
//   moreau::Stepper toy{Woodpecker<double>{}, start};
//   if (!toy.step(1e-4).advanced()) ...
//
// The model is public: inputs and parameters may change between steps (a constant_mass model that changes its mass
// calls mass_changed()). One stepper belongs to one context; others read through the latest-value exchange of the port.
#pragma once

#include "moreau/solve/default_solver.hpp"
#include "moreau/step/contacts_for.hpp"

namespace moreau {

// data: as fast as the contacts allow. constant: as many instructions whatever the contacts do, outside the fallbacks
// that the report counts; solver Exact or ClosedForms for planar models with at most 8 contacts, Sweeps for any model.
enum class Timing { data, constant };

template <class Model_, class Solver_ = default_solver<Model_>, Timing timing = Timing::data>
class Stepper {
  static constexpr bool model_meets_contract = detail::RequireModel<Model_>::met;
  using Contacts = detail::ContactsFor<Model_, Solver_, timing == Timing::constant>;
  static_assert(timing == Timing::data || Contacts::has_first || !model_meets_contract,
                "Timing::constant needs the solver Exact and a planar model of at most 12 degrees of freedom, 12 rows "
                "of ideal joints and 8 contacts, without friction elements, or the solver Sweeps");
  static_assert(Contacts::has_rest || !model_meets_contract,
                "ClosedForms needs a planar model of at most 12 degrees of freedom and 1 to 8 contacts, without "
                "friction elements, ideal joints and depth(): use Exact or Psor");

 public:
  using Model = Model_;
  using Solver = Solver_;
  using Real = typename Traits<Model>::Real;
  using Report = StepReport<Real>;
  static constexpr int tangents = Traits<Model>::tangents;

  Model model;
  State<Model> state;
  Solver solver;
  Judge<Real> judge;

  explicit Stepper(const Model& a_model, const State<Model>& start, const Solver& a_solver = Solver{})
      : model(a_model), state(start), solver(a_solver) {
    if constexpr (model_meets_contract) {
      prepare();
      gap_M_ = gaps_of(state);
    }
  }

  [[nodiscard]] MOREAU_NOINLINE MOREAU_FLATTEN Report step(Real dt) {
    if constexpr (model_meets_contract) {
      if constexpr (Contract<Model>::has_wrap)
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
    static_assert(Contacts::has_workspace,
                  "ClosedForms cannot be extrapolated: it has no solver for every case; use Exact");
    Report report;
    if constexpr (model_meets_contract && Contacts::has_workspace) general_step(any, dt, base, report);
    return report;
  }

  // What the present state and model look like, as before the first step: everything finite, every law in its range,
  // the deepest overlap.
  [[nodiscard]] StartReport<Real> start_report() const { return look_at(state); }

  // Takes over a state after looking at it. What is refused changes nothing; an overlap is reported, not refused.
  // (Assigning `state` is allowed, too; contact() then answers the gaps of the last step.)
  [[nodiscard]] StartReport<Real> set_state(const State<Model>& next) {
    const StartReport<Real> report = look_at(next);
    if constexpr (model_meets_contract)
      if (report.status == Status::ok) {
        state = next;
        gap_M_ = gaps_of(state);
      }
    return report;
  }

  ContactOutput<Real, tangents> contact(int i) const {
    ContactOutput<Real, tangents> out{};
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
    out.closed = detail::closed<detail::Branch>(out.gap_M);
    out.P_N = state.P_N.coeff(i);
    out.force_N = out.P_N * per_dt;
    if constexpr (tangents == 1) out.P_T = state.P_T.coeff(0, i);
    if constexpr (tangents == 2) out.P_T = state.P_T.col(i);
    if constexpr (tangents > 0) out.force_T = out.P_T * per_dt;
    return out;
  }

  // A constant_mass model has changed its mass after all: factors it again.
  void mass_changed() { prepare(); }

 private:
  using Gaps = Vector<Real, Traits<Model>::contacts>;
  Gaps gaps_of(const State<Model>& any) const {
    ActiveSet<Model> H;
    (void)H.find(Evaluation<Model>(model, any.q, reduced(model, any.time())));
    return H.gap_M;
  }

  StartReport<Real> look_at(const State<Model>& any) const {
    StartReport<Real> report;
    if constexpr (model_meets_contract) {
      const auto refuse = [&report](Status status, Cause cause, int index) {
        report.status = status;
        report.cause = cause;
        report.index = static_cast<std::int16_t>(index);
        return report;
      };
      Real probe = finite_probe(any.time()) + finite_probe(any.P_N) + finite_probe(any.P_B);
      for (int j = 0; j < int(any.P_T.size()); ++j) probe += finite_probe(any.P_T.data()[j]);
      for (int j = 0; j < int(any.P_F.size()); ++j) probe += finite_probe(any.P_F.data()[j]);
      const int of_q = detail::first_not_finite(any.q), of_u = detail::first_not_finite(any.u);
      if (of_q >= 0 || of_u >= 0 || !(probe == Real(0)))
        return refuse(Status::not_finite, Cause::state, of_q >= 0 ? of_q : (of_u >= 0 ? of_u : 0));
      const Gaps gap = gaps_of(any);
      if (const int i = detail::first_not_finite(gap); i >= 0) return refuse(Status::not_finite, Cause::gap, i);
      if (const int i = illegal_law(); i >= 0) return refuse(Status::invalid_argument, Cause::law, i);
      for (int i = 0; i < Traits<Model>::contacts; ++i)
        if (-gap.coeff(i) > report.penetration) {
          report.penetration = -gap.coeff(i);
          report.contact = i;
        }
    }
    return report;
  }
  int illegal_law() const {
    if constexpr (Traits<Model>::contacts > 0)
      for (int i = 0; i < Traits<Model>::contacts; ++i)
        if (!detail::law_is_legal(model, i, Real(0))) return i;
    return -1;
  }

  // What is not looked at again in every step: the options, all laws, and a mass that is constant. ClosedForms factors
  // it here and in mass_changed() only: the code would be carried for a case that is a mistake of the program.
  MOREAU_COLD MOREAU_NOINLINE void prepare() {
    const Evaluation<Model> at(model, state.q, reduced(model, state.time()));
    mass_fault_ = Status::ok;
    if constexpr (Traits<Model>::constant_mass) {
      if constexpr (Contacts::has_few && Traits<Model>::bilaterals == 0)
        if (!few_.mass.factor(at.mass())) mass_fault_ = detail::why_no_mass(at);
      if constexpr (Contacts::has_workspace) {
        work_.mass_is_factored = false;
        mass_fault_ = detail::factor_mass(at, work_);
      }
    }
    Report unused;
    look(unused);
  }
  MOREAU_COLD void look(Report& report) {
    const int law = illegal_law();
    report.status = mass_fault_;
    report.cause = Cause::mass;
    if (law >= 0 || !solver.valid() || !judge.valid()) {
      report.status = Status::invalid_argument;
      report.cause = law >= 0 ? Cause::law : (solver.valid() ? Cause::judge : Cause::solver);
      report.index = static_cast<std::int16_t>(law >= 0 ? law : 0);
    }
    ready_ = report.status == Status::ok;
    if (ready_) report = Report{};
  }

  Report unwrapped_step(Real dt) {
    Report report;
    if constexpr (Contacts::has_first) {
      if (!detail::midpoint_step<typename Contacts::First>(*this, dt, report)) rest(dt, report);
    } else {
      general_step(state, dt, detail::PaperBaseStep{}, report);
    }
    return report;
  }
  Report wrapped_step(Real dt) {
    const State<Model> before = state;
    Report report = unwrapped_step(dt);
    if (!report.advanced()) return report;
    state.q = model.wrap(state.q);
    if (!(finite_probe(state.q) == Real(0))) {
      state = before;
      report.status = Status::not_finite;
      report.cause = Cause::wrap;
    }
    return report;
  }

  // What the first kind of contacts leaves.
  MOREAU_COLD MOREAU_NOINLINE void rest(Real dt, Report& report) {
    report = Report{};
    if constexpr (Contacts::has_workspace)
      general_step(state, dt, detail::PaperBaseStep{}, report);
    else
      sweep(dt, report);
    if (timing == Timing::constant || !Contacts::has_workspace) ++report.fallbacks;
  }
  MOREAU_COLD MOREAU_NOINLINE MOREAU_FLATTEN void sweep(Real dt, Report& report) {
    if (is_ready(report)) (void)detail::midpoint_step<detail::SweptContacts<Model>>(*this, dt, report);
  }
  template <class BaseStep>
  void general_step(State<Model>& any, Real dt, const BaseStep& base, Report& report) {
    detail::ListedHome<Model, Solver, BaseStep> home{model, any, solver, judge, work_, gap_M_, base};
    if (is_ready(report))
      (void)detail::midpoint_step<detail::ListedContacts<Model, Solver, BaseStep>>(home, dt, report);
  }
  bool is_ready(Report& report) {
    if (!ready_) {
      if constexpr (Contacts::has_workspace) prepare();
      look(report);
    }
    return ready_;
  }

  auto& mass() {  // of few contacts; with ideal joints, the workspace's
    if constexpr (Traits<Model>::bilaterals > 0)
      return work_.assembly.mass;
    else
      return few_.mass;
  }
  template <class M, class Choice>
  friend class detail::FewContacts;
  template <class M, class S>
  friend class detail::AllContacts;
  template <class M>
  friend class detail::SweptContacts;
  typename Contacts::Few few_;
  typename Contacts::Work work_;
  Vector<Real, Traits<Model>::contacts> gap_M_ = Vector<Real, Traits<Model>::contacts>::Zero();  // m, of the last step
  Status mass_fault_ = Status::ok;                                                               // of a constant mass
  bool ready_ = false;  // that, the options and the laws are good
};

}  // namespace moreau
