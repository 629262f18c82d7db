// Main step by extrapolation of several sequences of base steps (SLG08 section 9.2, Table II).
//
//   sequence i: n_i base steps of dt / n_i from the same state A give T_i,1; the discrete state must remain that of the
//               previous main step
//
// Exits of a main step:
//
//   smooth      the error test is met, the fixed order is reached, or the step is minimal: E is the end of the step
//   inaccurate  the error test is not met at order_max, or the next column needs substeps below dt_min; in the second
//               case Pace::predicted accepts the step as `smooth`, because a smaller step would have fewer columns and
//               no smaller error
//   switching   the discrete state changes in a substep: the switching point must be located
//   resolved    the discrete state changes in a minimal step, which is one base step: E is the end of the step
//   failed      a base step fails, or the result is non-finite
//
// q and u are extrapolated. The percussions are summed over the finest sequence. The clock of the substeps starts at
// t_A.
//
// Tableau: extrapolation dt -> 0 by Aitken-Neville (SLG08 eqs 42, 43), for vectors:
//
//   T_i,j+1 = T_i,j + (T_i,j - T_i-1,j) / ((n_i / n_i-j)^e - 1)       e = 1, or 2 for an error expansion in dt^2
//
// Only the last row is stored. With Substeps::odd every n_i is odd. At a closed contact, one step gives
// gamma_E = -eps gamma_A for every dt, and n_i steps give (-eps)^n_i gamma_A. Extrapolation reduces such values only if
// all have the same sign (section 8.2).
//
// Correction of the paper: it states that extrapolation always reduces this velocity. For odd n, the bound is |T_i,i|
// <= |gamma_A|.
#pragma once

#include "moreau/adapt/discrete_state.hpp"
#include "moreau/adapt/held_contacts.hpp"
#include "moreau/adapt/options.hpp"
#include "moreau/math/kernels.hpp"

namespace moreau {
namespace detail {

// Extrapolation tableau.
template <class Real, int size>
class Tableau {
 public:
  using Values = Vector<Real, size>;

  void clear() { rows_ = 0; }

  // Adds T_i,1, computed with n substeps, and completes row i. Requires fewer than order_columns stored rows.
  void add(const Values& first, int n, Powers powers) {
    if (rows_ > 0) previous_ = best();
    n_[std::size_t(rows_)] = Real(n);
    Values above = row_[0];  // T_i-1,j
    row_[0] = first;
    for (int j = 1; j <= rows_; ++j) {
      const Real ratio = Real(n) / n_[std::size_t(rows_ - j)];
      const Real divisor = (powers == Powers::even ? ratio * ratio : ratio) - Real(1);
      const Values next_above = row_[std::size_t(j)];
      row_[std::size_t(j)] = row_[std::size_t(j - 1)] + (row_[std::size_t(j - 1)] - above) / divisor;
      above = next_above;
    }
    ++rows_;
  }

  int rows() const { return rows_; }
  const Values& best() const { return row_[std::size_t(rows_ - 1)]; }  // T_i,i
  const Values& entry(int column) const { return row_[std::size_t(column)]; }

  // Returns the largest |T_i,i - T_i-1,i-1| / (atol + rtol |T_i,i|) of all components. The tableau has converged if it
  // is at most 1. Returns infinity for the first row, and NaN if a component is NaN.
  Real error(Real atol, Real rtol) const {
    if (rows_ < 2) return std::numeric_limits<Real>::infinity();
    Real worst = Real(0);
    for (int k = 0; k < size; ++k) {
      const Real change = absolute(best().coeff(k) - previous_.coeff(k));
      const Real ratio = change == Real(0) ? Real(0) : change / (atol + rtol * absolute(best().coeff(k)));
      if (!(ratio <= worst)) worst = ratio;
    }
    return worst;
  }

 private:
  std::array<Values, std::size_t(order_columns)> row_{};  // T_i,1 .. T_i,i
  std::array<Real, std::size_t(order_columns)> n_{};
  Values previous_ = Values::Zero();  // T_i-1,i-1
  int rows_ = 0;
};

// Report of a main step, for recorders.
template <class Model>
struct MainStep : StepReport<typename Traits<Model>::Real> {
  using Real = typename Traits<Model>::Real;
  Real t_A = Real(0), dt = Real(0);  // start and size, s
  int order = 1;
  Real error = Real(0);                                  // error relative to the tolerance; 0 without an error test
  typename DiscreteState<Model>::Switchings switchings;  // resolved in this step
};

enum class Exit : std::uint8_t { smooth, inaccurate, switching, resolved, failed };

// Computes main steps.
template <class Stepper>
class Extrapolation {
 public:
  std::int64_t base_steps = 0;

  using Model = typename Stepper::Model;
  using Real = typename Stepper::Real;
  using Options = AdaptiveOptions<Real>;

  // Computes a main step from A over dt. `expected` is the discrete state at A if `known` is true; if `known` is false,
  // Closed::held has no effect. E is valid if the exit is smooth, inaccurate or resolved. The report is also valid if
  // the exit is failed.
  Exit run(Stepper& stepper, const State<Model>& A, Real dt, bool minimal, const DiscreteState<Model>& expected,
           bool known, const Options& options, State<Model>& E, MainStep<Model>& report) {
    base_.force_at = options.force_at;
    base_.holding = known && options.closed == Closed::held;
    base_.before = expected;
    report = {};
    report.t_A = A.time();
    report.dt = dt;
    report.order = options.order(1);
    tableau_.clear();
    Exit exit = Exit::inaccurate;
    const int last = minimal ? 1 : options.last_column();
    for (int column = 1; column <= last; ++column) {
      const int n = options.substeps_of(column);
      if (n > 1 && dt <= (Real(n) - Real(0.5)) * options.dt_min) {
        if (options.pace == Pace::predicted) exit = Exit::smooth;
        break;
      }
      exit = sequence(stepper, A, dt, n, E, report);
      if (exit == Exit::switching && minimal) return ended(stepper.model, Exit::resolved, E, report);
      if (exit != Exit::smooth) return exit;
      tableau_.add(values(E), n, options.powers);
      report.order = options.order(column);
      exit = Exit::inaccurate;
      if (options.order_fixed > 0) continue;
      report.error = tableau_.error(options.atol, options.rtol);
      if (report.error <= Real(1)) {
        exit = Exit::smooth;
        break;
      }
    }
    if (minimal || options.order_fixed > 0) exit = Exit::smooth;
    for (int k = 0; k < dof; ++k) {
      E.q.coeffRef(k) = tableau_.best().coeff(k);
      E.u.coeffRef(k) = tableau_.best().coeff(dof + k);
    }
    return ended(stepper.model, exit, E, report);
  }

  // Returns true if the discrete state persists beyond the end E of a main step. Executes two trial steps of dt_min and
  // discards their results. The first step removes the contact velocity that extrapolation leaves; the second shows
  // whether the contact remains closed.
  bool persists(Stepper& stepper, const State<Model>& E, Real dt_min) {
    sub_ = E;
    scale_percussions(sub_, dt_min / E.clock.dt);
    for (int i = 0; i < 2; ++i) {
      ++base_steps;
      base_.begin(stepper.model, sub_, dt_min);
      if (!stepper.advance(sub_, dt_min, base_).advanced()) return true;  // the next main step reports the failure
      discrete_state_ = base_.discrete_state(stepper.model, stepper.judge, sub_);
      if (discrete_state_ != base_.before) return false;
    }
    return true;
  }

  // Returns the discrete state of the last base step.
  const DiscreteState<Model>& discrete_state() const { return discrete_state_; }

 private:
  static constexpr int dof = Traits<Model>::dof;

  // Computes n base steps to E. Returns smooth, failed, or switching after the first step that changes the discrete
  // state.
  Exit sequence(Stepper& stepper, const State<Model>& A, Real dt, int n, State<Model>& E, MainStep<Model>& report) {
    const Real part = dt / Real(n);
    sub_ = A;
    sub_.clock = Time<Real>(A.time());
    if (A.clock.dt > Real(0)) scale_percussions(sub_, part / A.clock.dt);  // warm start for this step size
    E = A;
    scale_percussions(E, Real(0));
    for (int i = 0; i < n; ++i) {
      ++base_steps;
      base_.begin(stepper.model, sub_, part);
      const auto base = stepper.advance(sub_, part, base_);
      accumulate(base, report);
      if (!base.advanced()) return Exit::failed;
      E.P_N += sub_.P_N;
      E.P_T += sub_.P_T;
      E.P_F += sub_.P_F;
      E.P_B += sub_.P_B;
      discrete_state_ = base_.discrete_state(stepper.model, stepper.judge, sub_);
      if (discrete_state_ != base_.before) {
        finish(A, dt, E);
        return Exit::switching;
      }
    }
    finish(A, dt, E);
    return Exit::smooth;
  }

  // Wraps q at the end of a main step, and returns `exit`, or failed for a non-finite result.
  static Exit ended(const Model& model, Exit exit, State<Model>& E, MainStep<Model>& report) {
    if constexpr (Contract<Model>::has_wrap) E.q = model.wrap(E.q);
    if (finite_probe(E.q) + finite_probe(E.u) == Real(0)) return exit;
    report.status = Status::not_finite;
    report.cause = Cause::result;
    return Exit::failed;
  }

  void finish(const State<Model>& A, Real dt, State<Model>& E) const {
    E.q = sub_.q;
    E.u = sub_.u;
    E.sigma_N = sub_.sigma_N;
    E.sigma_T = sub_.sigma_T;
    E.sigma_F = sub_.sigma_F;
    E.clock = A.clock.counted_in(dt).next();
    static_cast<SmoothMemoryOf<Model>&>(E) = sub_;
  }

  static void scale_percussions(State<Model>& state, Real factor) {
    state.P_N *= factor;
    state.P_T *= factor;
    state.P_F *= factor;
    state.P_B *= factor;
  }

  static typename Tableau<Real, 2 * dof>::Values values(const State<Model>& state) {
    typename Tableau<Real, 2 * dof>::Values y;
    for (int k = 0; k < dof; ++k) {
      y.coeffRef(k) = state.q.coeff(k);
      y.coeffRef(dof + k) = state.u.coeff(k);
    }
    return y;
  }

  // Merges the report of a base step: adds iterations and fallbacks, and keeps the largest residuals, the worst status
  // and the last number of active contacts.
  static void accumulate(const StepReport<Real>& base, MainStep<Model>& report) {
    if (report.status == Status::ok) report.status = base.status;
    if (!base.advanced()) {
      report.status = base.status;
      report.cause = base.cause;
      report.index = base.index;
    }
    report.active = base.active;
    report.iterations += base.iterations;
    report.fallbacks += base.fallbacks;
    report.residual = larger(report.residual, base.residual);
    report.relative = larger(report.relative, base.relative);
  }

  HeldContacts<Model> base_;
  State<Model> sub_;
  DiscreteState<Model> discrete_state_;
  Tableau<Real, 2 * dof> tableau_;
};

}  // namespace detail
}  // namespace moreau
