// Accurate solution of the linear equations of one mode combination (mode_system.hpp) by iterative refinement. Residual
// velocities are computed in twice the working precision (twofold.hpp), so each refinement step reduces the error of
// the previous one.
//
// The equations of contacts can be regularised: each diagonal entry is multiplied by 1 + mode_regularisation. For
// linearly dependent contact directions, the percussions then have moderate magnitudes. The refinement also removes the
// effect of the regularisation, but converges slowly for nearly singular equations.
#pragma once

#include "moreau/math/twofold.hpp"
#include "moreau/solve/mode_system.hpp"

namespace moreau {
namespace detail {

// Regularisation relative to a diagonal entry. This term exceeds the rounding error of a zero pivot after elimination,
// and is at most a tenth of the acceptance tolerance.
template <class Real>
constexpr Real mode_regularisation = Real(8) * epsilon<Real>;

// LU factorisation and iterative refinement of one mode combination.
template <class Problem>
class ModeEquations {
 public:
  using Real = typename Problem::Real;
  using Percussions = typename Problem::Percussions;
  explicit ModeEquations(const Problem& problem) : problem_(problem) {}

  // Selects combination `code` of all 4^k, and sets P to the percussions that its modes prescribe.
  void set(int code, bool regularised, Percussions& P) {
    P = Percussions::Zero();
    unknowns_.count = 0;
    for (int i = 0; i < problem_.k + problem_.elements; ++i, code /= mode_count) {
      const Mode mode = static_cast<Mode>(code % mode_count);
      i < problem_.k ? set_contact(i, mode) : set_element(i - problem_.k, mode, P);
    }
    factor(regularised ? mode_regularisation<Real> : Real(0));
  }

  // Corrects P such that the velocities of the equations vanish. The first call solves the equations; each further call
  // refines the result.
  void correct(Percussions& P) const {
    const int n = unknowns_.count;
    Real x[most];
    for (int i = 0; i < n; ++i) {
      const int e = equation_[i];
      x[i] = velocity(unknowns_.row[e], P) * unit_[e];
      for (int j = 0; j < i; ++j) x[i] -= A_[i][j] * x[j];
    }
    for (int i = n - 1; i >= 0; --i) {
      for (int j = i + 1; j < n; ++j) x[i] -= A_[i][j] * x[j];
      x[i] /= A_[i][i];
      P.coeffRef(unknowns_.row[i]) -= x[i] * unit_[i];
      unknowns_.drag_along(i, P);
    }
  }

 private:
  static constexpr int most = most_unknowns<Problem>;
  void set_contact(int i, Mode mode) {
    const int n = problem_.row(i);
    if (mode == Mode::open) return;
    add(n, unknowns_.drag_of(problem_, i, mode));
    if (mode == Mode::stick) add(n + 1, Real(0));
  }
  void set_element(int j, Mode mode, Percussions& P) {
    if constexpr (Problem::frictions > 0) {
      const int r = problem_.friction_row(j);
      const Real bound = problem_.bound.coeff(j);
      if (mode == Mode::stick) return add(r, Real(0));
      if (problem_.diagonal(r) > Real(0)) P.coeffRef(r) = mode == Mode::slip_plus ? -bound : bound;
    }
  }
  void add(int row, Real drag) {
    unit_[unknowns_.count] = Real(1) / sqrt(problem_.diagonal(row));
    unknowns_.add(row, drag);
  }

  // Factors A = L U with row pivoting.
  void factor(Real regularisation) {
    const int n = unknowns_.count;
    for (int i = 0; i < n; ++i) {
      const int row = unknowns_.row[i];
      equation_[i] = i;
      for (int j = 0; j < n; ++j) {
        const Real added = i == j ? regularisation * problem_.diagonal(row) : Real(0);
        A_[i][j] = (unknowns_.entry(problem_, row, j) + added) * unit_[i] * unit_[j];
      }
    }
    for (int j = 0; j < n; ++j) {
      const int p = pivot_row(A_, n, j);
      std::swap(equation_[j], equation_[p]);
      eliminate_column(A_, n, n, j, p, 0);
    }
  }

  // Returns xi_r, computed in twice the working precision.
  Real velocity(int r, const Percussions& P) const {
    TwofoldSum<Real> xi(problem_.c.coeff(r));
    for (int s = 0; s < problem_.rows(); ++s) xi.add_product(problem_.G.coeff(r, s), P.coeff(s));
    return xi.value();
  }

  const Problem& problem_;
  ModeUnknowns<Problem> unknowns_;
  int equation_[most] = {};
  Real unit_[most] = {}, A_[most][most] = {};
};

}  // namespace detail
}  // namespace moreau
