// M = L D L^T for a symmetric positive definite M, without square roots and without a library call.
//
// Eigen's own decompositions reference malloc on bare metal from some size on; this one never does.
// Only the lower triangle of M is read.
#pragma once

#include "moreau/math/kernels.hpp"

namespace moreau {

template <class Real, int n>
class Cholesky {
 public:
  // A pivot this much smaller than its diagonal entry is rounding, not inertia: M is singular to working precision.
  static constexpr Real singular_pivot = Real(2 * (n + 1)) * epsilon<Real>;

  // False where M is not positive definite (a NaN counts as not positive).
  [[nodiscard]] bool factor(const Matrix<Real, n, n>& M) {
    bool positive = true;
    for (int j = 0; j < n; ++j) {
      Real d = M.coeff(j, j);
      for (int k = 0; k < j; ++k) {
        const Real LD = L_.coeff(j, k);  // rows below j hold L D, rows above hold L
        L_.coeffRef(j, k) = LD * D_inverse_.coeff(k);
        d -= LD * L_.coeff(j, k);
      }
      positive = positive && d > singular_pivot * M.coeff(j, j) && M.coeff(j, j) > Real(0);
      D_inverse_.coeffRef(j) = Real(1) / d;
      for (int i = j + 1; i < n; ++i) {
        Real sum = M.coeff(i, j);
        for (int k = 0; k < j; ++k) sum -= L_.coeff(i, k) * L_.coeff(j, k);
        L_.coeffRef(i, j) = sum;
      }
    }
    return positive;
  }

  // M^-1 b
  [[gnu::always_inline]] Vector<Real, n> solve(Vector<Real, n> x) const {
    for (int i = 1; i < n; ++i)
      for (int k = 0; k < i; ++k) x.coeffRef(i) -= L_.coeff(i, k) * x.coeff(k);
    for (int i = 0; i < n; ++i) x.coeffRef(i) *= D_inverse_.coeff(i);
    for (int i = n - 2; i >= 0; --i)
      for (int k = i + 1; k < n; ++k) x.coeffRef(i) -= L_.coeff(k, i) * x.coeff(k);
    return x;
  }

 private:
  Matrix<Real, n, n> L_;  // strictly lower part
  Vector<Real, n> D_inverse_;
};

}  // namespace moreau
