// Fixed-size vectors and matrices of all interfaces.
//
// Storage is unaligned: no padding to 16 bytes, and no alignment rules for structs that contain them. Vector<Real, n>
// is Matrix<Real, n, 1>. Any size can be 0, for example in a model without contacts.
#pragma once

// The step detects NaN by comparisons, reads signs from bits, and adds in a fixed order. With the options below, a
// compiler can remove the comparisons and change the order. Every step then returns `ok`, with NaN in the state.
// lib/MODEL.md lists further options, which define no macro.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || defined(__NO_SIGNED_ZEROS__)
#error "moreau needs IEEE arithmetic: compile without -ffast-math, -Ofast, -ffinite-math-only and their parts"
#endif

// Disables fused multiply-add with clang, here and in all code after this header. g++ does not support this pragma and
// needs -ffp-contract=off.
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif

#include <Eigen/Core>

namespace moreau {

// Matrix of fixed size; n x 1 is a Vector.
template <class Real, int rows, int cols>
using Matrix =
    Eigen::Matrix<Real, rows, cols,
                  int(Eigen::DontAlign) | (rows == 1 && cols != 1 ? int(Eigen::RowMajor) : int(Eigen::ColMajor))>;

// Vector of n numbers.
template <class Real, int n>
using Vector = Matrix<Real, n, 1>;

}  // namespace moreau
