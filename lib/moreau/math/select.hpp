// condition ? a : b without a branch, for models and solvers whose instruction count must not depend on the data.
//
// The conditional operator alone is no promise: GCC moves the computation of the operand that is not needed behind a
// branch. So both operands are first pinned to registers (an empty asm: no instruction), after which the compiler has
// nothing left but a conditional move. On Cortex-M with an FPU (M4F, M7, M33, M55; float, and double where the FPU has
// it) that costs 2 to 4 instructions; an exclusive-or mask would cost 9. Elsewhere the plain operator is used:
// the value is the same everywhere, constant time is promised on those boards only.
#pragma once

#include "moreau/math/compiler.hpp"
#include "moreau/math/types.hpp"

namespace moreau {
template <class Real>
MOREAU_ALWAYS_INLINE Real select(bool condition, Real a, Real b) {
  detail::cpu::pin(a);
  detail::cpu::pin(b);
  return condition ? a : b;
}

template <class Real, int rows, int cols, int options>
MOREAU_ALWAYS_INLINE Eigen::Matrix<Real, rows, cols, options> select(
    bool condition, const Eigen::Matrix<Real, rows, cols, options>& a,
    const Eigen::Matrix<Real, rows, cols, options>& b) {
  Eigen::Matrix<Real, rows, cols, options> chosen;
  for (int j = 0; j < cols; ++j) {
    for (int i = 0; i < rows; ++i) chosen(i, j) = select(condition, a(i, j), b(i, j));
  }
  return chosen;
}

}  // namespace moreau
