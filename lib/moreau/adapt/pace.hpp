// How far the next main step goes (SLG08 Tables IV, V), on the ladder dt_min, 3 dt_min .. dt_max: between dt_min and
// 3 dt_min there is nothing to extrapolate.
//
//   Pace::doubling    2 dt after a success, dt / 2 after a step that was not accurate
//   Pace::predicted   the error tested is that of the column before the last; of order p it goes with dt^(p+1). The
//   factor
//                     is a power of two, at most 8, at least 1/64. A step that stopped before the last column has
//                     orders in reserve and may always grow.
#pragma once

#include "moreau/adapt/main_step.hpp"

namespace moreau {

template <class Real>
constexpr Real climbed(Real dt, const AdaptiveOptions<Real>& options) {
  const Real at_least = dt < 3 * options.dt_min ? 3 * options.dt_min : dt;
  return at_least < options.dt_max ? at_least : options.dt_max;
}

template <class Real>
constexpr Real descended(Real dt, const AdaptiveOptions<Real>& options) {
  return dt < 3 * options.dt_min ? options.dt_min : dt;
}

namespace detail {

constexpr int largest_growth = 8, largest_shrink = 64;

// Whether a step times factor would pass the error test with something to spare.
template <class Model, class Real>
bool would_pass(const MainStep<Model>& step, Real factor, const AdaptiveOptions<Real>& options) {
  Real error = step.error;
  const int power = options.powers == Powers::even ? step.order - 1 : step.order;
  for (int i = 0; i < power; ++i) error *= factor;
  return error <= Real(0.5);
}

}  // namespace detail

// After a smooth step.
template <class Model, class Real>
Real growth(const MainStep<Model>& step, const AdaptiveOptions<Real>& options) {
  if (options.pace == Pace::doubling) return Real(2);
  const bool last_column = step.order >= options.order(options.last_column());
  int factor = detail::largest_growth;
  while (factor > 1 && last_column && !detail::would_pass(step, Real(factor), options)) factor /= 2;
  return Real(factor);
}

// After an inaccurate one.
template <class Model, class Real>
Real shrinkage(const MainStep<Model>& step, const AdaptiveOptions<Real>& options) {
  if (options.pace == Pace::doubling) return Real(0.5);
  int divisor = 2;
  while (divisor < detail::largest_shrink && !detail::would_pass(step, Real(1) / Real(divisor), options)) divisor *= 2;
  return Real(1) / Real(divisor);
}

}  // namespace moreau
