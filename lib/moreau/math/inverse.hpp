// M^-1 itself, entry by entry, for an M that never changes: a direction with one entry then costs one column.
//
// Woodpecker on Cortex-M4F: M^-1 w_N is 3 multiplications instead of the 18 operations of a solution with L D L^T.
#pragma once

#include "moreau/math/cholesky.hpp"

namespace moreau {

// sum of the terms with an index that has an entry, from the first to the last; 0 where none has.
template <class Real, int n, class Entry, class Term>
[[gnu::always_inline]] inline Real sum_over(const Entry& entry, const Term& term) {
  Real sum = Real(0);
  bool first = true;
  for_each_index<n>([&](auto j) {
    if (!entry(j)) return;
    sum = first ? term(j) : sum + term(j);
    first = false;
  });
  return sum;
}

// a^T b where a has entries only at Sparsity::entry(j).
template <class Sparsity, class Real, int n>
[[gnu::always_inline]] inline Real sparse_dot(const Vector<Real, n>& a, const Vector<Real, n>& b) {
  return sum_over<Real, n>([](int j) { return Sparsity::entry(j); }, [&](auto j) { return a.coeff(j) * b.coeff(j); });
}

struct AllEntries {
  static constexpr bool entry(int) { return true; }
};

template <class Real, int n>
class Inverse {
 public:
  [[nodiscard, gnu::cold]] bool factor(const Matrix<Real, n, n>& M) {  // once
    Cholesky<Real, n> L;
    const bool positive = L.factor(M);
    for (int j = 0; j < n; ++j) {
      Vector<Real, n> unit = Vector<Real, n>::Zero();
      unit.coeffRef(j) = Real(1);
      const Vector<Real, n> column = L.solve(unit);
      for (int i = j; i < n; ++i) inverse_.coeffRef(i, j) = column.coeff(i);
    }
    return positive;
  }

  // M^-1 b, where b has entries only at Sparsity::entry(j).
  template <class Sparsity = AllEntries>
  [[gnu::always_inline]] Vector<Real, n> solve(const Vector<Real, n>& b) const {
    Vector<Real, n> x;
    for_each_index<n>([&](auto i) {
      x.coeffRef(i) =
          sum_over<Real, n>([](int j) { return Sparsity::entry(j); }, [&](auto j) { return entry(i, j) * b.coeff(j); });
    });
    return x;
  }

 private:
  Real entry(int i, int j) const { return i < j ? inverse_.coeff(j, i) : inverse_.coeff(i, j); }
  Matrix<Real, n, n> inverse_;  // lower triangle
};

}  // namespace moreau
