// Selections without a branch, for models whose instruction count must not depend on the data.
//
//   select(condition, a, b)                       condition ? a : b, for numbers, vectors and matrices
//   select(condition, {a, b, ...}, {c, d, ...})   the first or the second list of numbers, with one test
//
//   const auto [side, reach] = moreau::select(x > l, {Real(1), l}, {Real(-1), x});
//
// GCC compiles the conditional operator to a branch if one condition selects several numbers, or if one operand is
// expensive. With GCC and Clang, on Cortex-M with an FPU (M4F, M7, M33, M55) and on x86 with SSE2, these functions
// compile without a branch. On Cortex-M, double also requires a double-precision FPU. On these CPUs, a condition costs
// about 5 instructions, and each selected number 1 to 3. A compile-time condition costs nothing. With other compilers,
// on other CPUs and with MOREAU_NO_EXTENSIONS, these functions are conditional operators: the values are the same, but
// constant time is not guaranteed. The condition itself must not branch: do not use && and || in it.
#pragma once

#include <array>

#include "moreau/math/branching.hpp"

namespace moreau {
namespace detail {

// Assigns x[k] = a[k] for all k < n if the condition is true.
template <int n, class Numbers, class Others>
MOREAU_ALWAYS_INLINE void replace(bool condition, Numbers& x, const Others& a) {
  using Real = std::decay_t<decltype(x[0])>;
  if (cpu::is_known(condition) || !cpu::has_conditional_move<Real>) {
    for_each_index<n>([&](auto k) { x[k] = condition ? a[k] : x[k]; });
  } else if constexpr (cpu::has_conditional_move<Real>) {
    const Mask c = Branchless::condition(condition);
    for_each_index<n / 2>([&](auto k) { Branchless::assign_if(c, x[2 * k], a[2 * k], x[2 * k + 1], a[2 * k + 1]); });
    if constexpr (n % 2 != 0) Branchless::assign_if(c, x[n - 1], a[n - 1]);
  }
}

}  // namespace detail

// Returns condition ? a : b.
template <class Real>
MOREAU_ALWAYS_INLINE Real select(bool condition, Real a, Real b) {
  Real chosen[] = {b};
  detail::replace<1>(condition, chosen, &a);
  return chosen[0];
}

template <class Real, int rows, int cols, int options>
MOREAU_ALWAYS_INLINE Eigen::Matrix<Real, rows, cols, options> select(
    bool condition, const Eigen::Matrix<Real, rows, cols, options>& a,
    const Eigen::Matrix<Real, rows, cols, options>& b) {
  Eigen::Matrix<Real, rows, cols, options> chosen = b;
  auto* x = chosen.data();
  detail::replace<rows * cols>(condition, x, a.data());
  return chosen;
}

// Returns the numbers of a if the condition is true, otherwise those of b.
template <class Real, std::size_t n>
MOREAU_ALWAYS_INLINE std::array<Real, n> select(bool condition, const Real (&a)[n], const Real (&b)[n]) {
  std::array<Real, n> chosen;
  for (std::size_t k = 0; k < n; ++k) chosen[k] = b[k];
  detail::replace<int(n)>(condition, chosen, a);
  return chosen;
}

}  // namespace moreau
