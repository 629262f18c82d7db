// Fixed-size vectors and matrices: the vocabulary of every interface.
//
// Unaligned storage (no 16-byte padding, no alignment rules for users' structs). Vector<Real, n> is Matrix<Real, n, 1>.
// Any size may be 0: a model without contacts is an ordinary model.
#pragma once

#include <Eigen/Core>

namespace moreau {

template <class Real, int rows, int cols>
using Matrix =
    Eigen::Matrix<Real, rows, cols,
                  int(Eigen::DontAlign) | (rows == 1 && cols != 1 ? int(Eigen::RowMajor) : int(Eigen::ColMajor))>;

template <class Real, int n>
using Vector = Matrix<Real, n, 1>;

}  // namespace moreau
