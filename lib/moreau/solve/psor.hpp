// Prox iteration (sweeps.hpp) until convergence. It stops if the largest relative change in a sweep is at most
// max(tolerance, 2 epsilon). The change of each contact law is relative to its own velocity scale.
//
// No pair of omega and max_iterations suits all problems. Two closed corners of a light slider need hundreds of sweeps,
// and some problems diverge for omega above about 1.6. The acceptance test evaluates the result.
#pragma once

#include "moreau/solve/sweeps.hpp"

namespace moreau {

// Options of the prox iteration.
struct Psor {
  float omega = 1.0f;         // relaxation factor, 0 < omega < 2
  float tolerance = 1e-11f;   // relative change that ends the iteration, 0 <= tolerance < 1; at least 2 epsilon is used
  int max_iterations = 1000;  // upper limit of sweeps, at least 1; number of sweeps with Timing::constant
  bool jacobi = false;        // Jacobi variant; requires a smaller omega

  constexpr bool valid() const {
    return omega > 0.0f && omega < 2.0f && tolerance >= 0.0f && tolerance < 1.0f && max_iterations >= 1;
  }
};

template <class Problem>
struct Workspace<Psor, Problem> : Workspace<Sweeps, Problem> {};

template <class Problem>
int solve(const Problem& problem, const Psor& options, Workspace<Psor, Problem>& work, typename Problem::Percussions& P,
          const Judge<typename Problem::Real>& = {}) {
  using Real = typename Problem::Real;
  const Real small = detail::larger(Real(options.tolerance), Real(2) * detail::epsilon<Real>);
  detail::clear_idle_rows(problem, P);
  int iterations = 0;
  while (iterations < options.max_iterations) {
    ++iterations;
    if (options.jacobi) work.old = P;
    const auto& from = options.jacobi ? work.old : P;
    const Real change = detail::measured_sweep(problem, Real(options.omega), from, P);
    if (change <= small) break;
  }
  return iterations;
}

namespace detail {

// Returns the options of the constant-time solver.
constexpr Sweeps in_constant_time(const Sweeps& options) { return options; }
[[deprecated(
    "Timing::constant makes max_iterations sweeps and ignores Psor::tolerance: take the solver "
    "Sweeps")]] constexpr Sweeps
in_constant_time(const Psor& options) {
  return {options.max_iterations, options.omega, options.jacobi};
}

}  // namespace detail
}  // namespace moreau
