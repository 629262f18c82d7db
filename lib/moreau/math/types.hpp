// Fixed-size vectors and matrices: the vocabulary of every interface.
//
// Unaligned storage (no 16-byte padding, no alignment rules for users' structs). Vector<Real, n> is Matrix<Real, n, 1>.
// Any size may be 0: a model without contacts is an ordinary model.
#pragma once

// A step finds a NaN by comparing, a sign by its bit, and adds up in a fixed order: where the compiler may assume that
// none of this matters, every step is `ok` and the state NaN. lib/MODEL.md says which options a compiler does not tell.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "moreau needs IEEE arithmetic: compile without -ffast-math, -Ofast, -ffinite-math-only and their parts"
#endif

// No fused multiply-add, in this file and in all that follows: clang takes the order from here, whatever its default.
// g++ has nothing like it and needs -ffp-contract=off.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#include <Eigen/Core>

namespace moreau {

// A matrix of fixed size; n x 1 is a Vector.
template <class Real, int rows, int cols>
using Matrix =
    Eigen::Matrix<Real, rows, cols,
                  int(Eigen::DontAlign) | (rows == 1 && cols != 1 ? int(Eigen::RowMajor) : int(Eigen::ColMajor))>;

// A vector of n numbers.
template <class Real, int n>
using Vector = Matrix<Real, n, 1>;

}  // namespace moreau
