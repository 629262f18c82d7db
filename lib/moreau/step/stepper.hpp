// A model, its state, a solver and the workspace of a step: one object, all the RAM there is (sizeof is the bill).
//
//   moreau::Stepper toy{Woodpecker<double>{}, start};
//   if (!toy.step(1e-4).advanced()) ...
//
// The model is public: inputs and parameters may change between steps (a constant_mass model that changes its mass
// calls mass_changed()). One stepper belongs to one context; others read through the latest-value exchange of the port.
#pragma once

#include "moreau/solve/default_solver.hpp"
#include "moreau/step/constant.hpp"
#include "moreau/step/constant_sweeps.hpp"
#include "moreau/step/step.hpp"
#include "moreau/step/swept_step.hpp"

namespace moreau {

// data: as fast as the contacts allow. constant: as many instructions whatever the contacts do, outside the fallbacks
// that the report counts; solver Exact or ClosedForms for planar models with at most 8 contacts, Psor for any model.
enum class Timing { data, constant };

template <class Model_, class Solver_ = default_solver<Model_>, Timing timing = Timing::data>
class Stepper {
  static constexpr bool model_meets_contract = detail::RequireModel<Model_>::met;
  static constexpr bool without_workspace = std::is_same_v<Solver_, ClosedForms>;
  struct Nothing {};

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
    prepare();
    if constexpr (model_meets_contract) {
      ActiveSet<Model> H;
      (void)H.find(Evaluation<Model>(model, state.q, reduced(model, state.time())));
      gaps() = H.gap_M;
    }
  }

  [[nodiscard]] Report step(Real dt) {
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
  template <class How = AsInThePaper>
  [[nodiscard]] Report advance(State<Model>& any, Real dt, const How& how = How{}) {
    static_assert(!without_workspace, "ClosedForms cannot be extrapolated: it has no solver for every case; use Exact");
    if constexpr (model_meets_contract && !without_workspace)
      return moreau_step(model, solver, judge, dt, work_, any, how);
    else
      return Report{};
  }

  // Takes over a state after looking at it: finite values, finite gaps. Anything else changes nothing. (Assigning
  // `state` is allowed, too; what contact() says of gaps is then that of the last step.)
  [[nodiscard]] StartReport<Real> set_state(const State<Model>& next) {
    StartReport<Real> report;
    if constexpr (model_meets_contract) {
      ActiveSet<Model> H;
      const Real t = next.time();
      Real probe = finite_probe(next.q) + finite_probe(next.u) + finite_probe(t) + finite_probe(next.P_N) +
                   finite_probe(next.P_B);
      for (int j = 0; j < int(next.P_T.size()); ++j) probe += finite_probe(next.P_T.data()[j]);
      for (int j = 0; j < int(next.P_F.size()); ++j) probe += finite_probe(next.P_F.data()[j]);
      if (!(probe == Real(0)) || !H.find(Evaluation<Model>(model, next.q, reduced(model, t)))) {
        report.status = Status::not_finite;
        return report;
      }
      for (int i = 0; i < Traits<Model>::contacts; ++i)
        if (-H.gap_M.coeff(i) > report.penetration) {
          report.penetration = -H.gap_M.coeff(i);
          report.contact = i;
        }
      state = next;
      gaps() = H.gap_M;
    }
    return report;
  }

  ContactOutput<Real, tangents> contact(int i) const {
    const Real g = work_.gaps().coeff(i);
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

  // A constant_mass model has changed its mass after all: factor it again in the next step.
  void mass_changed() {
    if constexpr (without_workspace) {
      prepare();
    } else {
      if constexpr (model_meets_contract) work_.mass_is_factored = false;
      if constexpr (direct) direct_.ready = false;
    }
  }

 private:
  // What the direct step does not check again in every step: the options, and a mass that is constant.
  [[gnu::cold]] void prepare() {
    if constexpr (direct) {
      direct_.ready = solver.valid() && judge.valid();
      if constexpr (Traits<Model>::constant_mass) {
        const Evaluation<Model> at(model, state.q, state.time());
        const bool factored = mass().factor(at.mass());
        if constexpr (without_workspace) work_.mass_fault = factored ? Status::ok : detail::why_no_mass(at);
        direct_.ready = direct_.ready && factored;
      }
    } else if constexpr (sweeps && Traits<Model>::constant_mass) {
      (void)detail::factor_mass(Evaluation<Model>(model, state.q, state.time()), work_);
    }
  }
  Report unwrapped_step(Real dt) {
    Report report;
    if constexpr (direct) {
      if (!Direct::run(*this, dt, report)) general_step(dt, report);
    } else if constexpr (sweeps) {
      if (!ConstantSweeps<Model>::run(*this, dt, report)) general_step(dt, report);
    } else {
      report = moreau_step(model, solver, judge, dt, work_, state);
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
    }
    return report;
  }
  [[gnu::noinline, gnu::cold]] void general_step(Real dt, Report& report) {
    if constexpr (without_workspace) {
      SweptStep<Model>::run(*this, dt, report);
    } else {
      report = moreau_step(model, solver, judge, dt, work_, state);
      if (timing == Timing::constant) ++report.fallbacks;
      if constexpr (direct)
        if (!direct_.ready) prepare();
    }
  }

  auto& gaps() { return work_.gaps(); }
  auto& mass() {  // of the direct step; with ideal joints, the general step's
    if constexpr (Traits<Model>::bilaterals > 0)
      return work_.assembly.mass;
    else
      return direct_.mass;
  }
  using Direct = std::conditional_t<(timing == Timing::constant && Traits<Model>::contacts > 0), ConstantStep<Model>,
                                    DirectStep<Model>>;
  friend Direct;
  friend ConstantSweeps<Model>;
  friend SweptStep<Model>;
  static constexpr bool direct =
      model_meets_contract && (std::is_same_v<Solver, Exact> || without_workspace) && has_direct_step<Model>;
  static constexpr bool sweeps = model_meets_contract && std::is_same_v<Solver, Psor> && timing == Timing::constant;
  static_assert(
      direct || sweeps || timing == Timing::data || !model_meets_contract,
      "Timing::constant needs the solver Exact and a planar model of at most 12 degrees of freedom, 12 rows of "
      "ideal joints and 8 contacts, without friction elements, or the solver Psor");
  std::conditional_t<direct, typename Direct::Workspace, Nothing> direct_;
  static_assert(
      !without_workspace || !model_meets_contract || has_swept_step<Model>,
      "ClosedForms needs a planar model of at most 12 degrees of freedom and 1 to 8 contacts, without friction "
      "elements, ideal joints and depth(): use Exact or Psor");
  std::conditional_t<model_meets_contract, StepWorkspace<Model, Solver>, Nothing> work_;
};

}  // namespace moreau
