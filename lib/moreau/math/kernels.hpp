// Sums in a fixed order, bit-identical with every compiler and optimisation level.
//
// Eigen can vectorise a reduction, and a vectorised sum rounds differently. Every sum of products is therefore a loop
// or an unrolled loop, from the first index to the last. Element-wise Eigen operations are safe.
#pragma once

#include <limits>
#include <type_traits>
#include <utility>

#include "moreau/math/bits.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/math/types.hpp"

namespace moreau {
namespace detail {

// Largest trip count of loops that are unrolled at compile time. Larger loops use the same order of operations.
constexpr int unroll_limit = 12;

template <class F, int... i>
MOREAU_ALWAYS_INLINE void unroll(F&& f, std::integer_sequence<int, i...>) {
  (f(std::integral_constant<int, i>{}), ...);
}

// Calls f(0), ..., f(n - 1). The index is a compile-time constant for n <= unroll_limit.
template <int n, class F>
MOREAU_ALWAYS_INLINE void for_each_index(F&& f) {
  if constexpr (n <= unroll_limit) {
    unroll(f, std::make_integer_sequence<int, n>{});
  } else {
    for (int i = 0; i < n; ++i) f(i);
  }
}

// Calls f(0), ..., f(n - 1), unrolled in blocks of at most unroll_limit indices.
template <int n, class F>
MOREAU_ALWAYS_INLINE void for_each_in_blocks(const F& f) {
  if constexpr (n <= unroll_limit) {
    for_each_index<n>(f);
  } else {
    constexpr int rest = n % unroll_limit;
    for (int first = 0; first < n - rest; first += unroll_limit)
      for_each_index<unroll_limit>([&](auto i) { f(first + i); });
    for_each_index<rest>([&](auto i) { f(n - rest + i); });
  }
}

}  // namespace detail

// Returns a^T b.
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

// Adds s x to y.
template <class Real, int n>
MOREAU_ALWAYS_INLINE void add_scaled(Vector<Real, n>& y, Real s, const Vector<Real, n>& x) {
  for_each_index<n>([&](auto i) { y.coeffRef(i) += s * x.coeff(i); });
}

// Returns 0 if x is finite, otherwise NaN. A sum of probes tests many numbers with one comparison.
template <class Real, std::enable_if_t<std::is_arithmetic_v<Real>, int> = 0>
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

// Distance from 1 to the next larger Real.
template <class Real>
constexpr Real epsilon = std::numeric_limits<Real>::epsilon();

}  // namespace detail
}  // namespace moreau
