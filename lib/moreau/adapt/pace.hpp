// Size of the next main step (SLG08 Tables IV, V): either dt_min, or between 3 dt_min and dt_max. A step between dt_min
// and 3 dt_min cannot be extrapolated.
//
//   Pace::doubling    2 dt after a success, dt / 2 after an inaccurate step
//   Pace::predicted   factor dt, with the largest power of two from 1/64 to 8 for which
//
//                         error factor^p <= 1/2,   p - 1: order of the penultimate column of the extrapolation tableau
//
// The error test evaluates the penultimate column, whose error is proportional to dt^p. If a step passes the error test
// with fewer columns than order_max permits, the factor is 8, because columns of higher order are still available.
#pragma once

#include "moreau/adapt/main_step.hpp"

namespace moreau {
namespace detail {

// Returns the permitted step size for an increased dt: at least 3 dt_min, at most dt_max.
template <class Real>
constexpr Real increased_dt(Real dt, const AdaptiveOptions<Real>& options) {
  const Real extrapolable = dt < 3 * options.dt_min ? 3 * options.dt_min : dt;
  return extrapolable < options.dt_max ? extrapolable : options.dt_max;
}

// Returns the permitted step size for a reduced dt: dt, or dt_min if dt < 3 dt_min.
template <class Real>
constexpr Real reduced_dt(Real dt, const AdaptiveOptions<Real>& options) {
  return dt < 3 * options.dt_min ? options.dt_min : dt;
}

constexpr int largest_growth = 8, largest_reduction = 64;

// Returns true if a step of length factor * dt would pass the error test with a safety factor of two.
template <class Model, class Real>
bool would_pass(const MainStep<Model>& step, Real factor, const AdaptiveOptions<Real>& options) {
  Real error = step.error;
  const int power = options.powers == Powers::even ? step.order - 1 : step.order;
  for (int i = 0; i < power; ++i) error *= factor;
  return error <= Real(0.5);
}

// Returns the growth factor after a smooth step.
template <class Model, class Real>
Real growth(const MainStep<Model>& step, const AdaptiveOptions<Real>& options) {
  if (options.pace == Pace::doubling) return Real(2);
  const bool last_column = step.order >= options.order(options.last_column());
  int factor = largest_growth;
  while (factor > 1 && last_column && !would_pass(step, Real(factor), options)) factor /= 2;
  return Real(factor);
}

// Returns the reduction factor after an inaccurate step.
template <class Model, class Real>
Real reduction(const MainStep<Model>& step, const AdaptiveOptions<Real>& options) {
  if (options.pace == Pace::doubling) return Real(0.5);
  int divisor = 2;
  while (divisor < largest_reduction && !would_pass(step, Real(1) / Real(divisor), options)) divisor *= 2;
  return Real(1) / Real(divisor);
}

}  // namespace detail
}  // namespace moreau
