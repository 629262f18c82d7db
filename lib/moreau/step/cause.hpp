// Cause of a failed step: the option or model function, and the index of a contact, element, row or coordinate.
//
// Except for the tests in CauseReporter, these functions run for failed steps and initial states only, so they may
// evaluate the model again.
#pragma once

#include "moreau/contact/active_set.hpp"
#include "moreau/contact/judge.hpp"
#include "moreau/contact/laws.hpp"
#include "moreau/model/state.hpp"
#include "moreau/step/report.hpp"

namespace moreau {
namespace detail {

// Returns the index of the first non-finite value, or -1.
template <class Real>
int first_not_finite(const Real* x, int n) {
  for (int j = 0; j < n; ++j)
    if (!(finite_probe(x[j]) == Real(0))) return j;
  return -1;
}
template <class Real, int n>
int first_not_finite(const Vector<Real, n>& x) {
  return first_not_finite(x.data(), n);
}

template <class Report>
void set_cause(Cause cause, int index, Report& report) {
  report.cause = cause;
  report.index = static_cast<std::int16_t>(index);
}

// Returns judge.valid(). Not inlined, since calls are rare.
template <class Real>
MOREAU_COLD MOREAU_NOINLINE bool is_valid_out_of_line(const Judge<Real>& judge) {
  return judge.valid();
}

// Base class of ActiveContacts that sets status and cause of the report.
template <class Model>
class CauseReporter {
 public:
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;

  // Returns true if the result of the step is finite; otherwise sets status and cause.
  bool sound(const Time<Real>& time_A, const Q& q_E, const Q& u_E) {
    const Real probe = finite_probe(q_E) + finite_probe(u_E) + finite_probe(Real(time_A.next()));
    return accept(probe == Real(0), Status::not_finite, Cause::result);
  }

 protected:
  CauseReporter(const State<Model>& state, StepReport<Real>& report) : state_(state), report_(report) {}

  // Returns true if dt, the options of the solver and the thresholds are in their ranges.
  template <bool small, class Solver>
  bool options_are_legal(Real dt, const Solver& solver, const Judge<Real>& judge) {
    return accept(is_step_size(dt), Status::invalid_argument, Cause::dt) &&
           accept(solver.valid(), Status::invalid_argument, Cause::solver) &&
           accept(small ? is_valid_out_of_line(judge) : judge.valid(), Status::invalid_argument, Cause::judge);
  }
  // Returns `good`; sets status and cause if it is false.
  bool accept(bool good, Status otherwise, Cause cause) {
    if (!good) {
      report_.status = otherwise;
      report_.cause = cause;
    }
    return good;
  }

  // Reports a non-finite value that the model returned, and returns false. If the state is non-finite, the cause is
  // Cause::state.
  template <int n>
  bool reject_non_finite(Cause cause, const Vector<Real, n>& values) {
    return reject_non_finite(cause, values.data(), n);
  }

  const State<Model>& state_;
  StepReport<Real>& report_;

 private:
  MOREAU_COLD MOREAU_NOINLINE bool reject_non_finite(Cause cause, const Real* values, int n) {
    const int first = first_not_finite(values, n);
    report_.status = Status::not_finite;
    int where = -1;
    for (const Q* x : {&state_.u, &state_.q})
      if (const int j = first_not_finite(*x); j >= 0) where = j;
    if (where >= 0)
      set_cause(Cause::state, where, report_);
    else
      set_cause(cause, first, report_);
    return false;
  }
};

// Reports a mass matrix that is singular, indefinite or non-finite. The index is the first coordinate with M_jj <= 0,
// for example that of a massless body. If M has been factored, the cause is Cause::bilateral, and the index is the
// first row that depends on the rows before it or is non-finite.
template <bool small, class Model, class Mass, class Real>
void report_mass(const Evaluation<Model>& at, [[maybe_unused]] const Mass& mass, StepReport<Real>& report) {
  constexpr int dof = Traits<Model>::dof;
  Real probe{0};
  if constexpr (Traits<Model>::bilaterals > 0)
    if (mass.factored()) {
      for (int i = 0; i < Traits<Model>::bilaterals; ++i) probe += finite_probe(at.bilateral(i).w);
      report.status = probe == 0 ? Status::constraints_dependent : Status::not_finite;
      return set_cause(Cause::bilateral, mass.first_dependent_row(), report);
    }
  const auto M = small ? at.seldom_mass() : at.mass();
  int with_inertia = 0;
  for (int j = 0; j < dof; ++j) {
    for (int i = 0; i < dof; ++i) probe += finite_probe(M.coeff(i, j));
    if (with_inertia == j && M.coeff(j, j) > Real(0)) ++with_inertia;
  }
  report.status = probe == 0 ? Status::mass_not_positive_definite : Status::not_finite;
  set_cause(Cause::mass, with_inertia < dof ? with_inertia : 0, report);
}

// Returns true if the parameters of the contact laws of contact i are in their ranges. mu(i, v) of the model is
// evaluated at v.
template <class Model, class Real>
MOREAU_COLD MOREAU_NOINLINE bool law_is_legal(const Model& model, int i, Real v) {
  const ContactLaw<Real> law = model.law(i);
  Real mu = law.mu;
  if constexpr (Contract<Model>::has_mu) mu = model.mu(i, v);
  return in_range<Branching>(law.eps_N, Real(1)) && in_range<Branching>(law.eps_T, Real(1)) &&
         in_range<Branching>(mu, std::numeric_limits<Real>::max());
}

template <class Model>
using invalid_part_in = decltype(Model::List::invalid_part(const_object<Model>()));
template <class Model>
using play_of_in = decltype(Model::List::play_of(const_object<Model>(), 0));

// Returns true if mu and eps_T of contact i are 0, as a model without tangents requires.
template <class Model>
bool is_without_friction(const Model& model, int i) {
  const auto law = model.law(i);
  return law.mu == 0 && law.eps_T == 0;
}

// Returns true if the allowed penetration of contact i is in its range: 0 to the play of its joint or, without play,
// any finite number of at least 0.
template <class Model>
bool allowed_penetration_is_legal(const Model& model, int i) {
  auto most = std::numeric_limits<typename Traits<Model>::Real>::max();
  if constexpr (detected<play_of_in, Model>)
    if (const auto play = Model::List::play_of(model, i); play < most) most = play;
  return in_range<Branching>(model.allowed_penetration(i), most);
}

// Cause of a failure and its index.
struct Origin {
  Cause cause;
  int index;
};

// Returns the origin of the first value that is out of range: a parameter of a part or a contact law, an allowed
// penetration, or the period. Returns Cause::none if all are valid.
template <class Model>
Origin out_of_range([[maybe_unused]] const Model& model) {
  using Real = typename Traits<Model>::Real;
  if constexpr (detected<invalid_part_in, Model>)
    if (const int i = Model::List::invalid_part(model); i >= 0) return {Cause::part, i};
  if constexpr (Traits<Model>::contacts > 0)
    for (int i = 0; i < Traits<Model>::contacts; ++i) {
      if (!law_is_legal(model, i, Real(0))) return {Cause::law, i};
      if constexpr (Traits<Model>::tangents == 0)
        if (!is_without_friction(model, i)) return {Cause::law, i};
      if constexpr (Contract<Model>::has_allowed_penetration)
        if (!allowed_penetration_is_legal(model, i)) return {Cause::allowed_penetration, i};
    }
  if constexpr (Contract<Model>::has_period)
    if (!in_range<Branching>(model.period(), std::numeric_limits<Real>::max())) return {Cause::period, 0};
  return {Cause::none, 0};
}

// Returns true if the parameters of the model, the options of the solver and the thresholds are in their ranges.
// Otherwise reports the first value out of range.
template <class Model, class Solver, class Real>
MOREAU_COLD bool options_are_legal(const Model& model, const Solver& solver, const Judge<Real>& judge,
                                   StepReport<Real>& report) {
  Origin bad = out_of_range(model);
  if (bad.cause == Cause::none && !solver.valid()) bad.cause = Cause::solver;
  if (bad.cause == Cause::none && !is_valid_out_of_line(judge)) bad.cause = Cause::judge;
  if (bad.cause == Cause::none) return true;
  report.status = Status::invalid_argument;
  set_cause(bad.cause, bad.index, report);
  return false;
}

// Returns the gaps of all contacts in `state`.
template <class Model>
auto gaps_of(const Model& model, const State<Model>& state) {
  ActiveSet<Model> H;
  (void)H.find(Evaluation<Model>(model, state.q, reduced(model, state.time())));
  return H.gap_M;
}

template <class Model>
using reversible_in =
    decltype(Model::List::reversed(const_object<Model>(), 0, const_object<typename Contract<Model>::Shared>()));

// Returns the position error |g| of row j of the ideal joints. For an orientation row, g is the sine of the angle
// error, which is also 0 at 180 degrees. Beyond 90 degrees the function therefore returns 2 - |g|.
template <class Model, class Q, class Real>
Real joint_miss(const Model& model, const Q& q, Real t, int j) {
  const Real miss = absolute(Evaluation<Model>(model, q, t).bilateral(j).g);
  if constexpr (detected<reversible_in, Model>)
    if (Model::List::reversed(model, j, model.at(q, t))) return Real(2) - miss;
  return miss;
}

// Returns the report of an initial state: its validity, the deepest penetration and the largest joint position error.
template <class Report, class Model>
Report inspect_start(const Model& model, const State<Model>& state) {
  using Real = typename Traits<Model>::Real;
  Report report;
  if constexpr (RequireModel<Model>::met) {
    Real probe = finite_probe(state.time()) + finite_probe(state.P_N) + finite_probe(state.P_B);
    for (int j = 0; j < int(state.P_T.size()); ++j) probe += finite_probe(state.P_T.data()[j]);
    for (int j = 0; j < int(state.P_F.size()); ++j) probe += finite_probe(state.P_F.data()[j]);
    if constexpr (Traits<Model>::second_order) probe += finite_probe(state.du_held);
    const int of_q = first_not_finite(state.q), of_u = first_not_finite(state.u);
    const auto fail = [&report](Status status, Cause cause, int index) {
      report.status = status;
      set_cause(cause, index, report);
      return report;
    };
    if (of_q >= 0 || of_u >= 0 || !(probe == Real(0)))
      return fail(Status::not_finite, Cause::state, of_q >= 0 ? of_q : (of_u >= 0 ? of_u : 0));
    if (state.clock.n < 0 || state.clock.n >= Time<Real>::end) return fail(Status::invalid_argument, Cause::state, 0);
    const Origin bad = out_of_range(model);
    if (bad.cause != Cause::none) return fail(Status::invalid_argument, bad.cause, bad.index);
    const auto gap = gaps_of(model, state);
    if (const int i = first_not_finite(gap); i >= 0) return fail(Status::not_finite, Cause::gap, i);
    for (int i = 0; i < Traits<Model>::contacts; ++i)
      if (-gap.coeff(i) > report.penetration) {
        report.penetration = -gap.coeff(i);
        report.contact = i;
      }
    if constexpr (Traits<Model>::bilaterals > 0)
      for (int j = 0; j < Traits<Model>::bilaterals; ++j) {
        const Real miss = joint_miss(model, state.q, reduced(model, state.time()), j);
        if (!(finite_probe(miss) == Real(0))) return fail(Status::not_finite, Cause::bilateral, j);
        if (miss > report.miss) {
          report.miss = miss;
          report.row = j;
        }
      }
  }
  return report;
}

// Reports the first invalid row of a contact problem: a law parameter or bound out of range, a non-finite row, or w_N =
// 0.
template <class Model, class Problem, class Set, class Real>
MOREAU_COLD MOREAU_NOINLINE void report_row([[maybe_unused]] const Model& model, const Problem& problem, const Set& H,
                                            StepReport<Real>& report) {
  const auto bad = [&problem](int r) { return !(finite_probe(problem.c.coeff(r) + problem.diagonal(r)) == Real(0)); };
  if constexpr (Problem::contacts > 0)
    for (int i = 0; i < problem.k; ++i)
      if (!law_is_legal(model, H.id(i), Real(0)) ||
          !in_range<Branching>(problem.mu.coeff(i), std::numeric_limits<Real>::max()))  // mu(i, v) at the slip velocity
        return set_cause(Cause::law, H.id(i), report);
  if constexpr (Problem::frictions > 0)
    for (int j = 0; j < problem.elements; ++j)
      if (!in_range<Branching>(problem.bound.coeff(j), std::numeric_limits<Real>::max()))
        return set_cause(Cause::friction_bound, j, report);
  for (int i = 0; i < problem.k; ++i)
    for (int r = problem.row(i); r < problem.row(i + 1); ++r)
      if (bad(r) || !(problem.diagonal(problem.row(i)) > Real(0))) return set_cause(Cause::directions, H.id(i), report);
  if constexpr (Problem::frictions > 0) {
    int j = 0;  // a friction element has one or two rows
    while (j + 1 < problem.elements && !bad(problem.friction_row(j)) && !bad(problem.friction_row(j + 1) - 1)) ++j;
    set_cause(Cause::friction_directions, j, report);
  }
}

}  // namespace detail
}  // namespace moreau
