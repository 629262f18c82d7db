// A model, its state, a solver and the workspace of a step: one object, all the RAM there is (sizeof is the bill).
//
//   moreau::Stepper toy{Woodpecker<double>{}, start};
//   if (!toy.step(1e-4).advanced()) ...
//
// The model is public: inputs and parameters may change between steps (a constant_mass model that changes its mass
// calls mass_changed()). One stepper belongs to one context; others read through the latest-value exchange of the port.
#pragma once

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
      detail::ActiveSet<Model> H;
      (void)H.find(detail::Evaluation<Model>(model, state.q, detail::reduced(model, state.time())));
      gap_M_ = H.gap_M;
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
    static_assert(Contacts::has_workspace,
                  "ClosedForms cannot be extrapolated: it has no solver for every case; use Exact");
    Report report;
    if constexpr (model_meets_contract && Contacts::has_workspace) general_step(any, dt, base, report);
    return report;
  }

  // Takes over a state after looking at it: finite values, finite gaps. Anything else changes nothing. (Assigning
  // `state` is allowed, too; what contact() says of gaps is then that of the last step.)
  [[nodiscard]] StartReport<Real> set_state(const State<Model>& next) {
    StartReport<Real> report;
    if constexpr (model_meets_contract) {
      detail::ActiveSet<Model> H;
      const Real t = next.time();
      Real probe = detail::finite_probe(next.q) + detail::finite_probe(next.u) + detail::finite_probe(t) +
                   detail::finite_probe(next.P_N) + detail::finite_probe(next.P_B);
      for (int j = 0; j < int(next.P_T.size()); ++j) probe += detail::finite_probe(next.P_T.data()[j]);
      for (int j = 0; j < int(next.P_F.size()); ++j) probe += detail::finite_probe(next.P_F.data()[j]);
      if (!(probe == Real(0)) || !H.find(detail::Evaluation<Model>(model, next.q, detail::reduced(model, t)))) {
        report.status = Status::not_finite;
        return report;
      }
      for (int i = 0; i < Traits<Model>::contacts; ++i)
        if (-H.gap_M.coeff(i) > report.penetration) {
          report.penetration = -H.gap_M.coeff(i);
          report.contact = i;
        }
      state = next;
      gap_M_ = H.gap_M;
    }
    return report;
  }

  ContactOutput<Real, tangents> contact(int i) const {
    const Real g = gap_M_.coeff(i);
    ContactOutput<Real, tangents> out{g, g <= Real(0), state.P_N.coeff(i), {}, {}, {}};
    const Real per_dt =
        state.clock.dt > Real(0) ? Real(1) / state.clock.dt : Real(0);  // no force before the first step
    out.force_N = out.P_N * per_dt;
    if constexpr (tangents == 1) {
      out.P_T = state.P_T.coeff(0, i);
      out.force_T = out.P_T * per_dt;
    } else if constexpr (tangents == 2) {
      out.P_T = state.P_T.col(i);
      out.force_T = out.P_T * per_dt;
    }
    return out;
  }

  // A constant_mass model has changed its mass after all: factors it again.
  void mass_changed() { prepare(); }

 private:
  // What is not looked at again in every step: the options, and a mass that is constant. ClosedForms factors it here
  // and in mass_changed() only: the code would be carried for a case that is a mistake of the program.
  MOREAU_COLD MOREAU_NOINLINE void prepare() {
    ready_ = false;
    const detail::Evaluation<Model> at(model, state.q, detail::reduced(model, state.time()));
    fault_ = Status::ok;
    if constexpr (Traits<Model>::constant_mass) {
      if constexpr (Contacts::has_few && Traits<Model>::bilaterals == 0)
        if (!few_.mass.factor(at.mass())) fault_ = detail::why_no_mass(at);
      if constexpr (Contacts::has_workspace) {
        work_.mass_is_factored = false;
        fault_ = detail::factor_mass(at, work_);
      }
    }
    check_options();
  }
  void check_options() {
    const bool valid = solver.valid() && judge.valid();
    if (fault_ == Status::ok || fault_ == Status::invalid_argument)
      fault_ = valid ? Status::ok : Status::invalid_argument;
    ready_ = fault_ == Status::ok;
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
    if (!(detail::finite_probe(state.q) == Real(0))) {
      state = before;
      report.status = Status::not_finite;
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
      if constexpr (Contacts::has_workspace)
        prepare();
      else
        check_options();
      report.status = fault_;
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
  Status fault_ = Status::ok;  // of a constant mass or the options
  bool ready_ = false;         // both are good
};

}  // namespace moreau
