// Active-set prediction for at most six planar contacts and friction elements. The prediction assumes that the modes
// of the previous step persist, solves their linear equations (mode_system.hpp) and checks the solution for
// consistency. If the check fails, new modes are derived from the solution.
//
// Rank deficiency: two corners on one face share w_T. If both stick, only the sum S of their friction percussions is
// determined. S is computed and distributed in proportion to mu P_N. If there is a distribution with which both
// contacts stick, both also stick with this one. Individual percussions are not unique in this case, so tests compare
// u_E and W P.
#pragma once

#include "moreau/solve/mode_system.hpp"
#include "moreau/solve/shared_tangent.hpp"

namespace moreau {
namespace detail {

// Modes of the contacts and friction elements of one problem, and the solution of their equations.
template <class Problem>
class ModePrediction {
 public:
  using Real = typename Problem::Real;
  using Percussions = typename Problem::Percussions;
  ModePrediction(const Problem& problem, Real tolerance, const Judge<Real>& judge)
      : problem_(problem),
        tolerance_(tolerance * epsilon<Real>),
        equation_(judge.rtol / Real(2)),
        cancellation_(judge.cancellation) {
    for (int i = 0; i < problem.k; ++i)
      acts_[i] = Problem::tangents == 1 && problem.mu.coeff(i) > Real(0) && problem.diagonal(tangent(i)) > Real(0);
    if constexpr (Problem::frictions > 0)
      for (int i = problem.k; i < laws(); ++i)
        acts_[i] = problem.bound.coeff(i - problem.k) > Real(0) && problem.diagonal(tangent(i)) > Real(0);
  }

  // Sets the modes from the percussions of the previous step.
  void read(const Percussions& P) {
    for (int i = 0; i < laws(); ++i) {
      mode_[i] = Mode::open;
      if (Problem::contacts > 0 && !element(i) && !(P.coeff(problem_.row(i)) > Real(0))) continue;
      mode_[i] = Mode::slip_plus;
      if (!has_friction(i)) continue;
      const Real P_T = P.coeff(tangent(i)), inside = limit(i, P) * (Real(1) - tolerance_);
      mode_[i] = P_T >= inside ? Mode::slip_minus : (P_T <= -inside ? Mode::slip_plus : Mode::stick);
    }
  }

  // Solves the equations of the modes. Returns false if they are singular or the solution contradicts the modes.
  bool solve(Percussions& P) {
    unknowns_.count = 0;
    for (int i = 0; i < problem_.k; ++i)
      if (mode_[i] != Mode::open) unknowns_.add(problem_.row(i), unknowns_.drag_of(problem_, i, mode_[i]));
    for (int i = 0; i < laws(); ++i)
      if (mode_[i] == Mode::stick) unknowns_.add(tangent(i), Real(0));
    clear(P);
    solved_ = eliminate(P);
    if (!solved_) return shared_tangent() && solve_shared(P) && consistent(P);
    spread(P);
    return consistent(P);
  }

  // Replaces the modes by those that the solution P implies. A contact that closes is assumed to slip in its current
  // direction. Returns false if no mode changes or if the equations were singular.
  bool revise(const Percussions& P) {
    bool changed = false;
    for (int i = 0; i < laws() && solved_; ++i) {
      const Mode old = std::exchange(mode_[i], element(i) ? revised_friction(i, P) : revised(i, P));
      changed = changed || mode_[i] != old;
    }
    return changed;
  }

 private:
  static constexpr int most = most_unknowns<Problem>;
  // Numbering: closed contacts first, then friction elements. `laws` is their number.
  int laws() const { return Problem::frictions > 0 ? problem_.k + problem_.elements : problem_.k; }
  bool element(int i) const { return Problem::frictions > 0 && i >= problem_.k; }
  // Returns true if friction can act.
  bool has_friction(int i) const { return (Problem::tangents == 1 || Problem::frictions > 0) && acts_[i]; }
  int tangent(int i) const { return element(i) ? problem_.friction_row(i - problem_.k) : problem_.row(i) + 1; }
  // Returns the friction limit (N s): mu P_N of a contact, or the bound of a friction element.
  Real limit(int i, const Percussions& P) const {
    if constexpr (Problem::frictions > 0)
      if (element(i)) return problem_.bound.coeff(i - problem_.k);
    return problem_.mu.coeff(i) * P.coeff(problem_.row(i));
  }

  // Returns the mode of contact or element i that P implies.
  Mode revised(int i, const Percussions& P) const {
    const int n = problem_.row(i);
    const Mode old = mode_[i];
    if (old == Mode::open && problem_.xi(n, P) >= Real(0)) return old;
    if (old == Mode::open)
      return has_friction(i) && problem_.xi(n + 1, P) < Real(0) ? Mode::slip_minus : Mode::slip_plus;
    if (P.coeff(n) < Real(0)) return Mode::open;
    return revised_friction(i, P);
  }
  Mode revised_friction(int i, const Percussions& P) const {
    const Mode old = mode_[i];
    if (!has_friction(i)) return old;
    const int t = tangent(i);
    if (old != Mode::stick) return Real(sign(old)) * problem_.xi(t, P) < Real(0) ? Mode::stick : old;
    if (absolute(P.coeff(t)) <= limit(i, P)) return old;
    return P.coeff(t) > Real(0) ? Mode::slip_minus : Mode::slip_plus;
  }

  // Clears P and sets the percussions of slipping friction elements, which are known in advance.
  void clear(Percussions& P) const {
    for (int r = 0; r < problem_.rows(); ++r) P.coeffRef(r) = Real(0);
    if constexpr (Problem::frictions > 0)
      for (int i = problem_.k; i < laws(); ++i)
        if (acts_[i]) P.coeffRef(tangent(i)) = -Real(sign(mode_[i])) * problem_.bound.coeff(i - problem_.k);
  }
  Real free_velocity(int r, const Percussions& P) const {
    return Problem::frictions > 0 ? problem_.xi(r, P) : problem_.c.coeff(r);
  }

  // Solves xi_r = 0 for all unknowns, with rows scaled by their diagonal. Returns false if a pivot is too small.
  bool eliminate(const Percussions& P) {
    const int n = unknowns_.count, *const row = unknowns_.row;
    Real A[most][most + 1];
    for (int i = 0; i < n; ++i) {
      const Real scale = Real(1) / problem_.diagonal(row[i]);
      for (int j = 0; j < n; ++j) A[i][j] = unknowns_.entry(problem_, row[i], j) * scale;
      A[i][n] = -free_velocity(row[i], P) * scale;
    }
    for (int j = 0; j < n; ++j) {
      const int p = pivot_row(A, n, j);
      const Real ratio = problem_.diagonal(row[j]) / problem_.diagonal(row[p]);
      if (!(absolute(A[p][j]) > tolerance_ * ratio)) return false;
      eliminate_column(A, n, n + 1, j, p, j);
    }
    for (int i = n - 1; i >= 0; --i) {
      Real sum = A[i][n];
      for (int l = i + 1; l < n; ++l) sum -= A[i][l] * x_[l];
      x_[i] = sum / A[i][i];
    }
    return true;
  }

  // Adds the solution to P.
  void spread(Percussions& P) const {
    for (int j = 0; j < unknowns_.count; ++j) {
      P.coeffRef(unknowns_.row[j]) += x_[j];
      unknowns_.drag_along(j, P);
    }
  }

  // Returns true if there are two contacts and both stick. solve_shared() assumes that w_T1 is a multiple of w_T0.
  bool shared_tangent() const {
    return Problem::contacts >= 2 && Problem::tangents == 1 && problem_.k == 2 && mode_[0] == Mode::stick &&
           mode_[1] == Mode::stick;
  }
  // Solves for the sum of the friction percussions and distributes it.
  bool solve_shared(Percussions& P) {
    const int T0 = tangent(0), T1 = tangent(1);
    const Real ratio = problem_.G.coeff(T0, T1) / problem_.diagonal(T0);  // w_T1 = ratio w_T0
    unknowns_.count = 0;
    for (const int row : {problem_.row(0), problem_.row(1), T0}) unknowns_.add(row, Real(0));
    for (int i = problem_.k; i < laws(); ++i)
      if (mode_[i] == Mode::stick) unknowns_.add(tangent(i), Real(0));
    if (!eliminate(P)) return false;
    spread(P);
    const SharedFriction<Real> shared{limit(0, P), problem_.mu.coeff(1), P.coeff(problem_.row(1)), ratio};
    if (!(shared.limit() > Real(0))) return false;
    const Real part = P.coeff(T0) / shared.limit();  // P_T0 is the sum at this point
    P.coeffRef(T0) = shared.first(part);
    P.coeffRef(T1) = shared.second(part);
    return true;
  }

  // Returns true if P satisfies the equations and inequalities of the modes. The tolerance of the equations is half the
  // acceptance tolerance, because a singular system leaves a residual. The tolerance of the inequalities is a few
  // rounding errors. Percussions are rejected if they are so large that their contributions to xi cancel more than
  // Judge::cancellation permits.
  bool consistent(const Percussions& P) const {
    Real v_max = Real(0);
    for (int r = 0; r < problem_.rows(); ++r) v_max = larger(v_max, absolute(problem_.c.coeff(r)));
    v_max *= cancellation_;
    // For velocity scales above v_most, the tolerance of the inequalities would exceed the acceptance tolerance.
    const Real v_most = Real(2) * equation_ * v_max / (tolerance_ + epsilon<Real>);
    for (int i = 0; i < problem_.k; ++i) {
      const int n = problem_.row(i);
      const Real xi_N = problem_.xi(n, P), v_N = problem_.velocity_scale(n, P), slack = tolerance_ * v_N;
      if (!(v_N <= v_most)) return false;
      if (mode_[i] == Mode::open) {
        if (!(xi_N >= -slack)) return false;
        continue;
      }
      const Real s = contact_scale(problem_, i);
      if (!(absolute(xi_N) <= equation_ * Branching::smaller(v_N, v_max) && s * P.coeff(n) >= -slack)) return false;
      if (!has_friction(i)) continue;
      const Real limit = s * (problem_.mu.coeff(i) * prox_nonnegative(P.coeff(n)));
      if (!friction_is_consistent(i, s, limit, v_max, v_most, P)) return false;
    }
    if constexpr (Problem::frictions > 0)
      for (int i = problem_.k; i < laws(); ++i) {
        const Real s = problem_.diagonal(tangent(i));
        if (acts_[i] && !friction_is_consistent(i, s, s * limit(i, P), v_max, v_most, P)) return false;
      }
    return true;
  }
  // As consistent(), for the friction law of contact or element i. s: its scale. limit: its friction limit times s,
  // m/s.
  MOREAU_ALWAYS_INLINE bool friction_is_consistent(int i, Real s, Real limit, Real v_max, Real v_most,
                                                   const Percussions& P) const {
    const int t = tangent(i);
    const Real xi_T = problem_.xi(t, P), v_T = problem_.velocity_scale(t, P), slack = tolerance_ * v_T;
    if (!(v_T <= v_most && s * absolute(P.coeff(t)) <= limit + slack)) return false;
    if (mode_[i] == Mode::stick) return absolute(xi_T) <= equation_ * Branching::smaller(v_T, v_max);
    return Real(sign(mode_[i])) * xi_T >= -slack;
  }

  const Problem& problem_;
  const Real tolerance_, equation_, cancellation_;
  bool acts_[most / 2] = {};
  Mode mode_[most / 2] = {};
  bool solved_ = false;
  ModeUnknowns<Problem> unknowns_;
  Real x_[most] = {};
};

}  // namespace detail
}  // namespace moreau
