// The prox iteration (sweeps.hpp) until it has settled: stops when a sweep changes no velocity by more than tolerance
// times the largest |c|, or by a few roundings of it.
//
// No safe default for every problem: two closed corners of a light slider need hundreds of sweeps, and omega above
// about 1.6 never converges on some problems. The judge measures how far it came.
#pragma once

#include "moreau/solve/sweeps.hpp"

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

// What constant time makes of either type of options.
constexpr Sweeps in_constant_time(const Sweeps& options) { return options; }
[[deprecated(
    "Timing::constant makes max_iterations sweeps and ignores Psor::tolerance: take the solver "
    "Sweeps")]] constexpr Sweeps
in_constant_time(const Psor& options) {
  return {options.max_iterations, options.omega, options.jacobi};
}

}  // namespace detail
}  // namespace moreau
