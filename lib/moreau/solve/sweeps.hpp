// Projected successive over-relaxation (PSOR, projected Gauss-Seidel) of the prox equations (SLG08 eq. 23 with 28;
// Jacobi variant eq. 22 with 27). The normal and friction laws of the contacts and the laws of the friction elements
// are relaxed in sequence:
//
//   P_i <- prox_C_i(P_i - r_i xi_i(P)),   r_i = omega / G_ii,   C_i = [0, inf), interval, disc
//
// Departure from the paper: each law has one r_i. A disc uses its largest diagonal entry, because different r_i would
// deform the disc.
//
// Sweeps executes a fixed number of sweeps without a convergence test. It is used in constant time, as is Newton
// (newton.hpp), and in tests that compare both timing modes. The acceptance test evaluates the result. Psor (psor.hpp)
// stops on convergence.
#pragma once

#include "moreau/solve/solver.hpp"

namespace moreau {

// Options of the solver Sweeps.
struct Sweeps {
  int count = 50;       // number of sweeps, at least 1
  float omega = 1.0f;   // relaxation factor, 0 < omega < 2
  bool jacobi = false;  // Jacobi variant; requires a smaller omega

  constexpr bool valid() const { return count >= 1 && omega > 0.0f && omega < 2.0f; }
};

template <class Problem>
struct Workspace<Sweeps, Problem> {
  static constexpr int fallbacks = 0;
  typename Problem::Percussions old;  // used by the Jacobi variant only
};

namespace detail {

// Returns the prox parameter r of one law; 0 if its direction is zero.
template <class C, int dim, class Problem>
typename Problem::Real step_length(const Problem& problem, int first, typename Problem::Real omega) {
  return divide_or_zero<C>(omega, largest_diagonal<C, dim>(problem, first));
}
template <class C, int, class Problem, int n>
typename Problem::Real step_length(const FullProblem<Problem, n>& problem, int first, typename Problem::Real) {
  return problem.step.coeff(first);
}

// Applies the prox step of one law to rows first .. first + dim - 1. If `measured`, sets `change` to the maximum of
// `change` and the relative change of this law.
template <class C, int dim, bool measured, class Problem, class P, class Project, class Real>
void relax(const Problem& problem, Real omega, const P& from, P& to, int first, Real& change, const Project& project) {
  const Real diagonal = largest_diagonal<C, dim>(problem, first);
  if (C::may_exit(!C::positive(diagonal))) return;  // zero direction
  const Real r = step_length<C, dim>(problem, first, omega);
  Vector<Real, dim> x;
  for (int t = 0; t < dim; ++t) x.coeffRef(t) = from.coeff(first + t) - r * problem.xi(first + t, from);
  const Vector<Real, dim> projected = project(x);
  Real moved = Real(0), scale = Real(0);
  for (int t = 0; t < dim; ++t) {
    if constexpr (measured) {
      moved += diagonal * absolute(projected.coeff(t) - to.coeff(first + t));
      scale += absolute(problem.c.coeff(first + t)) + diagonal * absolute(projected.coeff(t));
    }
    to.coeffRef(first + t) = projected.coeff(t);
  }
  if (measured && moved > Real(0)) change = larger(change, moved / scale);
}

// Sweeps all laws once. Returns the largest relative change of a law if `measured`, otherwise 0.
template <class C, bool measured, class Problem, class P>
typename Problem::Real sweep(const Problem& problem, typename Problem::Real omega, const P& from, P& to) {
  using Real = typename Problem::Real;
  constexpr int tangents = Problem::tangents, dim = Problem::friction_dim;
  Real change = Real(0);
  for (int i = 0; i < problem.k; ++i) {
    const int n = problem.row(i);
    relax<C, 1, measured>(problem, omega, from, to, n, change,
                          [](const Vector<Real, 1>& x) { return Vector<Real, 1>(prox_nonnegative<C>(x.coeff(0))); });
    if constexpr (tangents > 0) {
      const Real radius = problem.mu.coeff(i) * to.coeff(n);
      relax<C, tangents, measured>(problem, omega, from, to, n + 1, change,
                                   [radius](const auto& x) { return prox_friction<C>(x, radius); });
    }
  }
  if constexpr (Problem::frictions > 0)
    for (int j = 0; j < problem.elements; ++j) {
      const Real radius = problem.bound.coeff(j);
      relax<C, dim, measured>(problem, omega, from, to, problem.friction_row(j), change,
                              [radius](const auto& x) { return prox_friction<C>(x, radius); });
    }
  return change;
}

// Executes one sweep and returns the largest relative change, for solvers with a convergence test.
template <class Problem, class P>
typename Problem::Real measured_sweep(const Problem& problem, typename Problem::Real omega, const P& from, P& to) {
  return sweep<Branching, true>(problem, omega, from, to);
}

// Sets the percussions of rows with a zero direction to 0. The prox steps skip these rows, so their warm-start values
// would otherwise remain.
template <class Problem, class P>
void clear_idle_rows(const Problem& problem, P& percussions) {
  for (int r = 0; r < problem.rows(); ++r)
    if (!(problem.diagonal(r) > typename Problem::Real(0))) percussions.coeffRef(r) = typename Problem::Real(0);
}

// Runs all sweeps without a convergence test. old: storage of the Jacobi variant.
template <class C, class Problem, class P>
void sweep_all(const Problem& problem, const Sweeps& options, P& old, P& percussions) {
  for (int n = 0; n < options.count; ++n) {
    if (options.jacobi) old = percussions;
    sweep<C, false>(problem, typename Problem::Real(options.omega), options.jacobi ? old : percussions, percussions);
  }
}

}  // namespace detail

// Clears the rows with a zero direction, then performs the sweeps. Returns the number of sweeps.
template <class Problem>
int solve(const Problem& problem, const Sweeps& options, Workspace<Sweeps, Problem>& work,
          typename Problem::Percussions& P, const Judge<typename Problem::Real>& = {}) {
  detail::clear_idle_rows(problem, P);
  detail::sweep_all<detail::Branching>(problem, options, work.old, P);
  return options.count;
}

}  // namespace moreau
