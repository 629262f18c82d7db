// Extrapolation of dt -> 0 by Aitken-Neville (SLG08 eqs 42, 43), for any vector of numbers:
//
//   T_i,j+1 = T_i,j + (T_i,j - T_i-1,j) / ((n_i / n_i-j)^e - 1)       e = 1, or 2 where the error expands in dt^2
//
// Only the last row is kept. n_i is odd for closed contacts: there one step is gamma_E = -eps gamma_A whatever dt is,
// n_i of them give (-eps)^n_i gamma_A, and only values of one sign extrapolate to something smaller (section 8.2).
//
// Differences from the paper: "always smaller" is too much said; what holds for odd n is |T_i,i / gamma_A| <= 1.
#pragma once

#include "moreau/adapt/options.hpp"
#include "moreau/math/kernels.hpp"

namespace moreau {
namespace detail {

template <class Real, int size>
class Tableau {
 public:
  using Values = Vector<Real, size>;

  void clear() { rows_ = 0; }

  // Adds T_i,1, computed with n substeps, and completes row i; at most order_columns of them.
  void add(const Values& first, int n, Powers powers) {
    if (rows_ > 0) previous_ = best();
    n_[std::size_t(rows_)] = Real(n);
    Values above = row_[0];  // T_i-1,j
    row_[0] = first;
    for (int j = 1; j <= rows_; ++j) {
      const Real ratio = Real(n) / n_[std::size_t(rows_ - j)];
      const Real divisor = (powers == Powers::even ? ratio * ratio : ratio) - Real(1);
      const Values next_above = row_[std::size_t(j)];
      row_[std::size_t(j)] = row_[std::size_t(j - 1)] + (row_[std::size_t(j - 1)] - above) / divisor;
      above = next_above;
    }
    ++rows_;
  }

  int rows() const { return rows_; }
  const Values& best() const { return row_[std::size_t(rows_ - 1)]; }  // T_i,i
  const Values& entry(int column) const { return row_[std::size_t(column)]; }

  // The largest |T_i,i - T_i-1,i-1| / (atol + rtol |T_i,i|), number by number: converged where it is at most 1.
  // Infinite for the first row; a NaN stays one.
  Real error(Real atol, Real rtol) const {
    if (rows_ < 2) return std::numeric_limits<Real>::infinity();
    Real worst = Real(0);
    for (int k = 0; k < size; ++k) {
      const Real change = absolute(best().coeff(k) - previous_.coeff(k));
      const Real ratio = change == Real(0) ? Real(0) : change / (atol + rtol * absolute(best().coeff(k)));
      if (!(ratio <= worst)) worst = ratio;
    }
    return worst;
  }

 private:
  std::array<Values, std::size_t(order_columns)> row_{};  // T_i,1 .. T_i,i
  std::array<Real, std::size_t(order_columns)> n_{};
  Values previous_ = Values::Zero();  // T_i-1,i-1
  int rows_ = 0;
};

}  // namespace detail
}  // namespace moreau
