// Projected over-relaxation of the prox equations, law by law (SLG08 eq. 23 with 28; Jacobi variant eq. 22 with 27):
//
//   P_i <- prox_C_i(P_i - r_i xi_i(P)),   r_i = omega / G_ii,   C_i = [0, inf), interval, disc
//
// Differences from the paper: one r_i per law (the larger diagonal for a disc, so that the disc stays a disc); stops
// when a sweep changes no velocity by more than tolerance times the largest |c|, or by a few roundings of it.
//
// No safe default for every problem: two closed corners of a light slider need hundreds of sweeps, and omega above
// about 1.6 never converges on some problems. The judge says how far it came.
#pragma once

#include "moreau/solve/solver.hpp"

namespace moreau {

struct Psor {
  float omega = 1.0f;         // 0 < omega < 2
  float tolerance = 1e-11f;   // relative change at which to stop (not below 2 roundings); not a success criterion
  int max_iterations = 1000;  // sweeps
  bool jacobi = false;        // all laws from the old percussions (needs a smaller omega)

  constexpr bool valid() const {
    return omega > 0.0f && omega < 2.0f && tolerance >= 0.0f && tolerance < 1.0f && max_iterations >= 1;
  }
};

template <class Problem>
struct Workspace<Psor, Problem> {
  static constexpr int fallbacks = 0;
  typename Problem::Percussions old;  // only the Jacobi variant reads it
};

namespace detail {

// One law's prox step on rows first..first+dim-1. Returns its relative change.
template <int dim, class Problem, class P, class Project>
typename Problem::Real relax(const Problem& problem, typename Problem::Real omega, const P& from, P& to, int first,
                             const Project& project) {
  using Real = typename Problem::Real;
  const Real diagonal = largest_diagonal<Branch, dim>(problem, first);
  if (!(diagonal > Real(0))) return Real(0);  // no direction to act in
  const Real r = omega / diagonal;
  Vector<Real, dim> x;
  for (int t = 0; t < dim; ++t) x.coeffRef(t) = from.coeff(first + t) - r * problem.xi(first + t, from);
  const Vector<Real, dim> projected = project(x);
  Real change = Real(0), scale = Real(0);
  for (int t = 0; t < dim; ++t) {
    change += diagonal * absolute(projected.coeff(t) - to.coeff(first + t));
    scale += absolute(problem.c.coeff(first + t)) + diagonal * absolute(projected.coeff(t));
    to.coeffRef(first + t) = projected.coeff(t);
  }
  return change > Real(0) ? change / scale : Real(0);
}

template <class Problem, class P>
typename Problem::Real sweep(const Problem& problem, typename Problem::Real omega, const P& from, P& to) {
  using Real = typename Problem::Real;
  Real change = Real(0);
  for (int i = 0; i < problem.k; ++i) {
    const int n = problem.row(i);
    change = larger(change, relax<1>(problem, omega, from, to, n, [](const Vector<Real, 1>& x) {
                      return Vector<Real, 1>(prox_nonnegative(x.coeff(0)));
                    }));
    if constexpr (Problem::tangents > 0) {
      const Real radius = problem.mu.coeff(i) * to.coeff(n);
      change = larger(change, relax<Problem::tangents>(problem, omega, from, to, n + 1,
                                                       [radius](const auto& x) { return prox_friction(x, radius); }));
    }
  }
  if constexpr (Problem::frictions > 0)
    for (int j = 0; j < problem.elements; ++j) {
      const Real radius = problem.bound.coeff(j);
      change =
          larger(change, relax<Problem::friction_dim>(problem, omega, from, to, problem.friction_row(j),
                                                      [radius](const auto& x) { return prox_friction(x, radius); }));
    }
  return change;
}

// Percussions that no prox equation will touch must not survive a warm start.
template <class Problem, class P>
void clear_idle_rows(const Problem& problem, P& percussions) {
  for (int r = 0; r < problem.rows(); ++r)
    if (!(problem.diagonal(r) > typename Problem::Real(0))) percussions.coeffRef(r) = typename Problem::Real(0);
}

}  // namespace detail

template <class Problem>
int solve(const Problem& problem, const Psor& options, Workspace<Psor, Problem>& work, typename Problem::Percussions& P,
          const Judge<typename Problem::Real>& = {}) {
  using Real = typename Problem::Real;
  const Real small = larger(Real(options.tolerance), Real(2) * rounding<Real>);
  detail::clear_idle_rows(problem, P);
  int iterations = 0;
  while (iterations < options.max_iterations) {
    ++iterations;
    if (options.jacobi) work.old = P;
    const Real change = detail::sweep(problem, Real(options.omega), options.jacobi ? work.old : P, P);
    if (change <= small) break;
  }
  return iterations;
}

}  // namespace moreau
