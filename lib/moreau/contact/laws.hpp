// Admissible sets of percussions and the projections onto them.
//
//   prox_C(x) = the point of the convex set C nearest to x        (SLG08 eq. 20)
//
//   prox_nonnegative   C = [0, inf)             a unilateral contact
//   prox_interval      C = [-radius, radius]    planar friction
//   prox_disc          C = disc of this radius  spatial friction
//
// With Branching, the projections propagate NaN. With Branchless, the projection of a NaN is arbitrary; the acceptance
// test then detects a NaN in the contact problem. In the code below, the template parameter `C` is not the set but the
// policy Branching or Branchless (math/branching.hpp).
#pragma once

#include "moreau/math/branching.hpp"
#include "moreau/math/sqrt.hpp"

namespace moreau {
namespace detail {

// Returns max(x, 0), the projection onto the admissible set of a unilateral contact.
template <class C = Branching, class Real>
Real prox_nonnegative(Real x) {
  return select<C>(C::negative(x), Real(0), x);
}

// Returns x limited to [-radius, radius], the projection onto the admissible set of planar friction.
template <class C = Branching, class Real>
Real prox_interval(Real x, Real radius) {
  // if (x > radius) return radius; if (x < -radius) return -radius; return x;
  const auto above = C::less(radius, x);
  if (C::may_exit(above)) return radius;
  const Real low = select<C>(C::less(x, -radius), -radius, x);
  return select<C>(above, radius, low);
}

// Returns the Euclidean norm of x. The components are divided by the larger one, so no square overflows.
template <class C = Branching, class Real>
Real length(const Vector<Real, 1>& x) {
  return absolute(x.coeff(0));
}
template <class C = Branching, class Real>
inline Real length(const Vector<Real, 2>& x) {
  const Real a = absolute(x.coeff(0)), b = absolute(x.coeff(1));
  // longer = max(a, b); if (longer == 0) return 0;
  const auto swap = C::less(a, b);
  const Real longer = select<C>(swap, b, a);
  const auto some = C::positive(longer);
  if (C::may_exit(!some)) return a + b;  // zero or NaN
  const Real ratio = select<C>(swap, a, b) / select<C>(some, longer, Real(1));
  return longer * sqrt(Real(1) + ratio * ratio);
}

// Returns x limited to the disc with this radius, the projection onto the admissible set of spatial friction.
template <class C = Branching, class Real>
inline Vector<Real, 2> prox_disc(const Vector<Real, 2>& x, Real radius) {
  // if (|x| <= radius) return x; return x * (radius / |x|);
  const Real distance = length<C>(x);
  const auto outside = C::less(radius, distance);
  if (C::may_exit(!outside)) return x;
  const Real shrink = radius / select<C>(outside, distance, Real(1));
  return select<C>(outside, Vector<Real, 2>(x.coeff(0) * shrink, x.coeff(1) * shrink), x);
}

// Returns the projection onto the admissible set of planar (one component) or spatial friction (two).
template <class C = Branching, class Real>
Vector<Real, 1> prox_friction(const Vector<Real, 1>& x, Real radius) {
  return Vector<Real, 1>(prox_interval<C>(x.coeff(0), radius));
}
template <class C = Branching, class Real>
inline Vector<Real, 2> prox_friction(const Vector<Real, 2>& x, Real radius) {
  return prox_disc<C>(x, radius);
}

// Returns true if 0 <= x <= bound. A NaN in x is out of range. `bound` must not be NaN.
//
// Branchless also rejects -0. The fallback, a step with ActiveContacts, accepts -0.
template <class C, class Real>
typename C::Condition in_range(Real x, Real bound) {
  if constexpr (C::branchless)
    return !Mask{static_cast<std::int32_t>((to_bits(x) | (to_bits(bound) - to_bits(x))) >> (8 * sizeof(Real) - 32))};
  else
    return x >= Real(0) && x <= bound;
}

}  // namespace detail
}  // namespace moreau
