// How far the next main step goes (SLG08 Tables IV, V), on the ladder dt_min, 3 dt_min .. dt_max: between dt_min and
// 3 dt_min there is nothing to extrapolate.
//
//   Pace::doubling    2 dt after a success, dt / 2 after a step that was not accurate
//   Pace::predicted   factor dt, the largest power of two from 1/64 to 8 for which
//
//                         error factor^p <= 1/2,   p the order of the column before the last, plus one
//
// The error tested is that of the column before the last; of order p - 1 it goes with dt^p. A step that stopped before
// the last column has orders in reserve and may always grow.
#pragma once

#include "moreau/adapt/main_step.hpp"

namespace moreau {
namespace detail {

template <class Real>
constexpr Real climbed(Real dt, const AdaptiveOptions<Real>& options) {
  const Real at_least = dt < 3 * options.dt_min ? 3 * options.dt_min : dt;
  return at_least < options.dt_max ? at_least : options.dt_max;
}

template <class Real>
constexpr Real descended(Real dt, const AdaptiveOptions<Real>& options) {
  return dt < 3 * options.dt_min ? options.dt_min : dt;
}

constexpr int largest_growth = 8, largest_shrink = 64;

// Whether a step times factor would pass the error test with something to spare.
template <class Model, class Real>
bool would_pass(const MainStep<Model>& step, Real factor, const AdaptiveOptions<Real>& options) {
  Real error = step.error;
  const int power = options.powers == Powers::even ? step.order - 1 : step.order;
  for (int i = 0; i < power; ++i) error *= factor;
  return error <= Real(0.5);
}

// After a smooth step.
template <class Model, class Real>
Real growth(const MainStep<Model>& step, const AdaptiveOptions<Real>& options) {
  if (options.pace == Pace::doubling) return Real(2);
  const bool last_column = step.order >= options.order(options.last_column());
  int factor = largest_growth;
  while (factor > 1 && last_column && !would_pass(step, Real(factor), options)) factor /= 2;
  return Real(factor);
}

// After an inaccurate one.
template <class Model, class Real>
Real shrinkage(const MainStep<Model>& step, const AdaptiveOptions<Real>& options) {
  if (options.pace == Pace::doubling) return Real(0.5);
  int divisor = 2;
  while (divisor < largest_shrink && !would_pass(step, Real(1) / Real(divisor), options)) divisor *= 2;
  return Real(1) / Real(divisor);
}

}  // namespace detail
}  // namespace moreau
