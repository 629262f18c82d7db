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

namespace moreau {

// One contact after a step.
template <class Real, int tangents>
struct ContactOutput {
  Real gap_M;                          // m, at the midpoint of the step
  bool closed;                         // gap_M <= 0
  Real P_N;                            // N s
  Tangential<Real, tangents> P_T;      // N s
  Real force_N;                        // N, mean over the step: P / dt
  Tangential<Real, tangents> force_T;  // N
};

// What a state looks like before the first step. A slightly negative gap is common and no error.
template <class Real>
struct StartReport {
  Status status = Status::ok;
  Real penetration = Real(0);  // m, the deepest; 0 where every gap is open
  int contact = -1;            // where
};

// data: as fast as the contacts allow. constant: as many instructions whatever the contacts do, outside the fallbacks
// that the report counts; solver Exact for planar models with at most 8 contacts, Psor for any model.
enum class Timing { data, constant };

template <class Model_, class Solver_ = default_solver<Model_>, Timing timing = Timing::data>
class Stepper {
  static constexpr bool model_meets_contract = RequireModel<Model_>::met;
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
  }

  [[nodiscard]] Report step(Real dt) {
    if constexpr (model_meets_contract) {
      Report report;
      if constexpr (direct) {
        if (!Direct::run(*this, dt, report)) general_step(dt, report);
      } else if constexpr (sweeps) {
        if (!ConstantSweeps<Model>::run(*this, dt, report)) general_step(dt, report);
      } else {
        report = moreau_step(model, solver, judge, dt, work_, state);
      }
      if constexpr (Contract<Model>::has_wrap)
        if (report.advanced()) state.q = model.wrap(state.q);
      return report;
    } else {
      return Report{};
    }
  }

  // One step of any state of this model, not wrapped: what extrapolation is made of.
  template <class How = AsInThePaper>
  [[nodiscard]] Report advance(State<Model>& any, Real dt, const How& how = How{}) {
    if constexpr (model_meets_contract)
      return moreau_step(model, solver, judge, dt, work_, any, how);
    else
      return Report{};
  }

  // Takes over a state after looking at it: finite values, finite gaps. Anything else changes nothing.
  [[nodiscard]] StartReport<Real> set_state(const State<Model>& next) {
    StartReport<Real> report;
    if constexpr (model_meets_contract) {
      ActiveSet<Model> H;
      const Real t = next.time();
      const Real probe = finite_probe(next.q) + finite_probe(next.u) + finite_probe(t);
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
    }
    return report;
  }

  ContactOutput<Real, tangents> contact(int i) const {
    const auto& H = work_.assembly.H;
    ContactOutput<Real, tangents> out{H.gap_M.coeff(i), H.closed(i), state.P_N.coeff(i), {}, {}, {}};
    out.force_N = out.P_N / state.time.dt;
    if constexpr (tangents == 1) {
      out.P_T = state.P_T.coeff(0, i);
      out.force_T = out.P_T / state.time.dt;
    } else if constexpr (tangents == 2) {
      out.P_T = state.P_T.col(i);
      out.force_T = out.P_T / state.time.dt;
    }
    return out;
  }

  // A constant_mass model has changed its mass after all: factor it again in the next step.
  void mass_changed() {
    if constexpr (model_meets_contract) work_.mass_is_factored = false;
    if constexpr (direct) direct_.ready = false;
  }

 private:
  // What the direct step does not check again in every step: the options, and a mass that is constant.
  void prepare() {
    if constexpr (direct) {
      direct_.ready = solver.valid() && judge.valid();
      if constexpr (Traits<Model>::constant_mass)
        direct_.ready = direct_.ready && mass().factor(Evaluation<Model>(model, state.q, state.time()).mass());
    } else if constexpr (sweeps && Traits<Model>::constant_mass) {
      (void)detail::factor_mass(Evaluation<Model>(model, state.q, state.time()), work_);
    }
  }
  [[gnu::noinline, gnu::cold]] void general_step(Real dt, Report& report) {
    report = moreau_step(model, solver, judge, dt, work_, state);
    if (timing == Timing::constant) ++report.fallbacks;
    if constexpr (direct)
      if (!direct_.ready) prepare();
  }

  auto& gaps() { return work_.assembly.H.gap_M; }
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
  static constexpr bool direct = model_meets_contract && std::is_same_v<Solver, Exact> && has_direct_step<Model>;
  static constexpr bool sweeps = model_meets_contract && std::is_same_v<Solver, Psor> && timing == Timing::constant;
  static_assert(
      direct || sweeps || timing == Timing::data || !model_meets_contract,
      "Timing::constant needs the solver Exact and a planar model of at most 12 degrees of freedom, 12 rows of "
      "ideal joints and 8 contacts, without friction elements, or the solver Psor");
  std::conditional_t<direct, typename Direct::Workspace, Nothing> direct_;
  std::conditional_t<model_meets_contract, StepWorkspace<Model, Solver>, Nothing> work_;
};

}  // namespace moreau
