// prox_C(x): the point of the convex set C nearest to x (SLG08 eq. 20), for the three sets a percussion can live in.
//
//   prox_nonnegative   C = [0, inf)             a unilateral contact
//   prox_interval      C = [-radius, radius]    planar friction
//   prox_disc          C = disc of that radius  spatial friction
//
// A NaN passes through, so that the judge sees it. C: Branching or Branchless (math/branching.hpp).
#pragma once

#include "moreau/math/branching.hpp"
#include "moreau/math/sqrt.hpp"

namespace moreau {
namespace detail {

// A unilateral contact: 0 or x.
template <class C = Branching, class Real>
Real prox_nonnegative(Real x) {
  return select<C>(C::negative(x), Real(0), x);
}

// Planar friction: x, or the end of [-radius, radius] on its side.
template <class C = Branching, class Real>
Real prox_interval(Real x, Real radius) {
  const auto above = C::less(radius, x);
  if (C::may_exit(above)) return radius;
  const Real low = select<C>(C::less(x, -radius), -radius, x);
  return select<C>(above, radius, low);
}

// |x| without the overflow and the underflow of a sum of squares.
template <class C = Branching, class Real>
Real length(const Vector<Real, 1>& x) {
  return absolute(x.coeff(0));
}
template <class C = Branching, class Real>
inline Real length(const Vector<Real, 2>& x) {
  const Real a = absolute(x.coeff(0)), b = absolute(x.coeff(1));
  const auto swap = C::less(a, b);
  const Real longer = select<C>(swap, b, a);
  const auto some = C::positive(longer);
  if (C::may_exit(!some)) return a + b;  // zero, or not a number
  const Real ratio = select<C>(swap, a, b) / select<C>(some, longer, Real(1));
  return longer * sqrt(Real(1) + ratio * ratio);
}

// Spatial friction: x, or the point of the circle in its direction.
template <class C = Branching, class Real>
inline Vector<Real, 2> prox_disc(const Vector<Real, 2>& x, Real radius) {
  const Real distance = length<C>(x);
  const auto outside = C::less(radius, distance);
  if (C::may_exit(!outside)) return x;
  const Real shrink = radius / select<C>(outside, distance, Real(1));
  return select<C>(outside, Vector<Real, 2>(x.coeff(0) * shrink, x.coeff(1) * shrink), x);
}

// One name for the friction set of either dimension.
template <class C = Branching, class Real>
Vector<Real, 1> prox_friction(const Vector<Real, 1>& x, Real radius) {
  return Vector<Real, 1>(prox_interval<C>(x.coeff(0), radius));
}
template <class C = Branching, class Real>
inline Vector<Real, 2> prox_friction(const Vector<Real, 2>& x, Real radius) {
  return prox_disc<C>(x, radius);
}

// What a law may say: 0 <= x <= bound. A NaN is not in range, except that Branchless lets a negative one through: it stays
// in the velocities. Branchless refuses -0, too: the general step, which then steps in, does not.
template <class C, class Real>
typename C::Condition in_range(Real x, Real bound) {
  if constexpr (C::branchless)
    return !Mask{static_cast<std::int32_t>((to_bits(x) | (to_bits(bound) - to_bits(x))) >> (8 * sizeof(Real) - 32))};
  else
    return x >= Real(0) && x <= bound;
}

}  // namespace detail
}  // namespace moreau
