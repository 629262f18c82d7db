// prox_C(x): the point of the convex set C nearest to x (SLG08 eq. 20), for the three sets a percussion can live in.
#pragma once

#include "moreau/math/kernels.hpp"
#include "moreau/math/sqrt.hpp"

namespace moreau {

// C = [0, inf): a unilateral contact. A NaN passes through, so that the judge sees it.
template <class Real>
[[gnu::always_inline]] inline Real prox_nonnegative(Real x) {
  return x < Real(0) ? Real(0) : x;
}

// C = [-radius, radius]: planar friction.
template <class Real>
[[gnu::always_inline]] inline Real prox_interval(Real x, Real radius) {
  return x > radius ? radius : (x < -radius ? -radius : x);
}

// |x| without the overflow and the underflow of a sum of squares.
template <class Real>
[[gnu::always_inline]] inline Real length(const Vector<Real, 1>& x) {
  return absolute(x.coeff(0));
}
template <class Real>
inline Real length(const Vector<Real, 2>& x) {
  const Real a = absolute(x.coeff(0)), b = absolute(x.coeff(1)), longer = larger(a, b);
  if (!(longer > Real(0))) return a + b;  // zero, or not a number
  const Real ratio = (a < b ? a : b) / longer;
  return longer * sqrt(Real(1) + ratio * ratio);
}

// C = disc of that radius: spatial friction.
template <class Real>
inline Vector<Real, 2> prox_disc(const Vector<Real, 2>& x, Real radius) {
  const Real distance = length(x);
  if (!(distance > radius)) return x;
  const Real shrink = radius / distance;
  return {x.coeff(0) * shrink, x.coeff(1) * shrink};
}

// One name for the friction set of either dimension.
template <class Real>
[[gnu::always_inline]] inline Vector<Real, 1> prox_friction(const Vector<Real, 1>& x, Real radius) {
  return Vector<Real, 1>(prox_interval(x.coeff(0), radius));
}
template <class Real>
inline Vector<Real, 2> prox_friction(const Vector<Real, 2>& x, Real radius) {
  return prox_disc(x, radius);
}

}  // namespace moreau
