// S = L D L^T where the zeros of S are known at compile time: they are never stored, multiplied or tested.
//
//   (L D)_ij = S_ij - sum_k<j (L D)_ik L_jk        fill-in: L_ij may differ from 0 iff S_ij does, or some k has both
//
// Pattern: static constexpr int n and static constexpr bool entry(int i, int j), i >= j. All loops are written out, so
// this is for small n; the sums run in the order of cholesky.hpp, and it differs from it only in leaving out zeros.
#pragma once

#include <array>

#include "moreau/math/cholesky.hpp"

namespace moreau {
namespace detail {

// f(first), ..., f(last - 1), written out.
template <int first, int last, class F>
[[gnu::always_inline]] inline void written_out(F&& f) {
  if constexpr (last > first)
    unroll([&](auto i) { f(std::integral_constant<int, first + decltype(i)::value>{}); },
           std::make_integer_sequence<int, last - first>{});
}

template <class Pattern>
constexpr auto filled() {
  constexpr int n = Pattern::n;
  std::array<std::array<bool, std::size_t(n)>, std::size_t(n)> L{};
  for (int j = 0; j < n; ++j)
    for (int i = j + 1; i < n; ++i) {
      bool any = Pattern::entry(i, j);
      for (int k = 0; k < j; ++k) any = any || (L[std::size_t(i)][std::size_t(k)] && L[std::size_t(j)][std::size_t(k)]);
      L[std::size_t(i)][std::size_t(j)] = any;
    }
  return L;
}

}  // namespace detail

template <class Real, class Pattern>
class SparseCholesky {
 public:
  static constexpr int n = Pattern::n;
  static constexpr Real singular_pivot = Cholesky<Real, n>::singular_pivot;

  // False where S is not positive definite. Only entries of the pattern are read.
  [[nodiscard]] bool factor(const Matrix<Real, n, n>& S) {
    bool positive = true;
    detail::written_out<0, n>([&](auto j) {
      Real d = S.coeff(j, j);
      detail::written_out<0, j>([&](auto k) {
        if constexpr (fills(j, k)) {
          const Real LD = L_.coeff(j, k);  // rows below j hold L D, rows above hold L
          L_.coeffRef(j, k) = LD * D_inverse_.coeff(k);
          d -= LD * L_.coeff(j, k);
        }
      });
      positive = positive && d > singular_pivot * S.coeff(j, j) && S.coeff(j, j) > Real(0);
      D_inverse_.coeffRef(j) = Real(1) / d;
      detail::written_out<j + 1, n>([&](auto i) {
        if constexpr (fills(i, j)) {
          Real sum = Pattern::entry(i, j) ? S.coeff(i, j) : Real(0);
          detail::written_out<0, j>([&](auto k) {
            if constexpr (fills(i, k) && fills(j, k)) sum -= L_.coeff(i, k) * L_.coeff(j, k);
          });
          L_.coeffRef(i, j) = sum;
        }
      });
    });
    return positive;
  }

  // S^-1 b
  Vector<Real, n> solve(Vector<Real, n> x) const {
    detail::written_out<1, n>([&](auto i) {
      detail::written_out<0, i>([&](auto k) {
        if constexpr (fills(i, k)) x.coeffRef(i) -= L_.coeff(i, k) * x.coeff(k);
      });
    });
    detail::written_out<0, n>([&](auto i) { x.coeffRef(i) *= D_inverse_.coeff(i); });
    detail::written_out<1, n>([&](auto behind) {
      constexpr int i = n - 1 - behind;
      detail::written_out<i + 1, n>([&](auto k) {
        if constexpr (fills(k, i)) x.coeffRef(i) -= L_.coeff(k, i) * x.coeff(k);
      });
    });
    return x;
  }

 private:
  static constexpr auto pattern = detail::filled<Pattern>();
  static constexpr bool fills(int i, int j) { return pattern[std::size_t(i)][std::size_t(j)]; }

  Matrix<Real, n, n> L_;  // strictly lower part
  Vector<Real, n> D_inverse_;
};

}  // namespace moreau
