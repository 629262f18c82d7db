// Sums whose order no compiler may choose: the same bits from every compiler, at every optimisation level.
//
// An Eigen reduction may be vectorised, and a vectorised sum rounds differently; element by element operations are
// safe. So every product that adds up is written here, once, from the first index to the last.
#pragma once

#include <limits>
#include <type_traits>
#include <utility>

#include "moreau/math/bits.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/math/types.hpp"

namespace moreau {
namespace detail {

// Up to here loops are written out at compile time; above, the loop stays a loop (same order, same bits).
constexpr int unroll_limit = 12;

template <class F, int... i>
MOREAU_ALWAYS_INLINE void unroll(F&& f, std::integer_sequence<int, i...>) {
  (f(std::integral_constant<int, i>{}), ...);
}

// f(0), f(1), ..., f(n - 1). The index is a compile-time constant where n is small.
template <int n, class F>
MOREAU_ALWAYS_INLINE void for_each_index(F&& f) {
  if constexpr (n <= unroll_limit) {
    unroll(f, std::make_integer_sequence<int, n>{});
  } else {
    for (int i = 0; i < n; ++i) f(i);
  }
}

}  // namespace detail

// a^T b
template <class Real, int n>
MOREAU_ALWAYS_INLINE Real dot(const Vector<Real, n>& a, const Vector<Real, n>& b) {
  if constexpr (n == 0) {
    return Real(0);
  } else {
    Real sum = a.coeff(0) * b.coeff(0);
    detail::for_each_index<n - 1>([&](auto i) { sum += a.coeff(i + 1) * b.coeff(i + 1); });
    return sum;
  }
}

namespace detail {

// y += s x
template <class Real, int n>
MOREAU_ALWAYS_INLINE void add_scaled(Vector<Real, n>& y, Real s, const Vector<Real, n>& x) {
  for_each_index<n>([&](auto i) { y.coeffRef(i) += s * x.coeff(i); });
}

// 0 where x is finite, NaN otherwise: adding these up tests many numbers with one comparison.
template <class Real>
MOREAU_ALWAYS_INLINE Real finite_probe(Real x) {
  return x * Real(0);
}

template <class Real, int n>
MOREAU_ALWAYS_INLINE Real finite_probe(const Vector<Real, n>& x) {
  Real sum = Real(0);
  for_each_index<n>([&](auto i) { sum += finite_probe(x.coeff(i)); });
  return sum;
}

template <class Real>
MOREAU_ALWAYS_INLINE Real larger(Real a, Real b) {
  return a < b ? b : a;
}

// One rounding of 1.
template <class Real>
constexpr Real epsilon = std::numeric_limits<Real>::epsilon();

}  // namespace detail
}  // namespace moreau
