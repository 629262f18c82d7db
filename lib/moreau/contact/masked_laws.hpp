// The sets a percussion can live in (prox.hpp) and the test of a number, without a branch: the same values, the same
// bits, a cost that does not depend on the data. What is not finite makes a mask arbitrary; the step finds it in a sum.
#pragma once

#include "moreau/math/mask.hpp"
#include "moreau/contact/prox.hpp"

namespace moreau {

template <class Real>
[[gnu::always_inline]] inline Mask finite(Real x) {
  return static_cast<Mask>(((to_bits(x) & ~sign_bit<Real>)-infinity_bits<Real>) >> (8 * sizeof(Real) - 32));
}

template <class Real, int n>
[[gnu::always_inline]] inline Vector<Real, n> choose(Mask condition, const Vector<Real, n>& a,
                                                     const Vector<Real, n>& b) {
  Vector<Real, n> chosen;
  for_each_index<n>([&](auto j) { chosen.coeffRef(j) = choose(condition, a.coeff(j), b.coeff(j)); });
  return chosen;
}
template <class Real>
[[gnu::always_inline]] inline Real only_if(Mask condition, Real x) {
  return choose(condition, x, Real(0));
}
template <class Real, int n>
[[gnu::always_inline]] inline Vector<Real, n> only_if(Mask condition, const Vector<Real, n>& x) {
  return choose(condition, x, Vector<Real, n>(Vector<Real, n>::Zero()));
}

// a / b where b > 0, 0 elsewhere.
template <class Real>
[[gnu::always_inline]] inline Real over_positive(Real a, Real b) {
  const Mask there = positive(b);
  return only_if(there, a / choose(there, b, Real(1)));
}

template <class Real>
[[gnu::always_inline]] inline Real masked_prox_nonnegative(Real x) {
  return choose(sign_of(x + Real(0)), Real(0), x);
}

template <class Real>
[[gnu::always_inline]] inline Real masked_length(const Vector<Real, 1>& x) {
  return magnitude(x.coeff(0));
}
template <class Real>
[[gnu::always_inline]] inline Real masked_length(const Vector<Real, 2>& x) {
  const Real a = magnitude(x.coeff(0)), b = magnitude(x.coeff(1));
  const Mask swap = less(a, b);
  const Real longer = choose(swap, b, a), ratio = over_positive(choose(swap, a, b), longer);
  return longer * sqrt(Real(1) + ratio * ratio);
}

template <class Real>
[[gnu::always_inline]] inline Vector<Real, 1> masked_prox_friction(const Vector<Real, 1>& x, Real radius) {
  const Real low = choose(less(x.coeff(0), -radius), -radius, x.coeff(0));
  return Vector<Real, 1>(choose(less(radius, x.coeff(0)), radius, low));
}
template <class Real>
[[gnu::always_inline]] inline Vector<Real, 2> masked_prox_friction(const Vector<Real, 2>& x, Real radius) {
  const Real distance = masked_length(x), shrink = over_positive(radius, distance);
  return choose(less(radius, distance), Vector<Real, 2>(x.coeff(0) * shrink, x.coeff(1) * shrink), x);
}

// clear_cancelled (math/kernels.hpp), if it is wanted
template <class Real, int n>
[[gnu::always_inline]] inline void masked_clear_cancelled(Mask wanted, Vector<Real, n>& sum,
                                                          const Vector<Real, n>& magnitudes) {
  constexpr Real leftover = Real(4) * std::numeric_limits<Real>::epsilon();
  for_each_index<n>([&](auto j) {
    Real& x = sum.coeffRef(j);
    overwrite(wanted & ~less(leftover * magnitudes.coeff(j), magnitude(x)), x, Real(0));
  });
}

}  // namespace moreau
