// The effective inverse mass (effective_mass.hpp) of a model in maximal coordinates: M is diagonal, and a bilateral row
// touches few of the coordinates.
//
//   M^-1 = diag(1 / m),   Y = M^-1 B,   S = B^T Y:  S_ij = 0 where rows i and j touch no coordinate in common
//
// What a row touches is known at compile time (Model::touches(row, coordinate)), so for a four-bar or a slider-crank
// half of the arithmetic is left out, and no loop remains. With more rows than `written_out_rows` the code would grow
// without end: then S is factored densely.
#pragma once

#include <cstddef>

#include "moreau/math/inverse.hpp"
#include "moreau/math/sparse_cholesky.hpp"
#include "moreau/model/evaluation.hpp"

namespace moreau {

constexpr int written_out_rows = 12;

// Diagonal entries of M, inverted. Off-diagonal entries are not looked at.
template <class Model>
class DiagonalInverse {
 public:
  using Real = typename Traits<Model>::Real;
  static constexpr int dof = Traits<Model>::dof;

  [[nodiscard]] bool factor(const Matrix<Real, dof, dof>& M) {
    bool positive = true;
    for (int d = 0; d < dof; ++d) {
      positive = positive && M.coeff(d, d) > Real(0) && M.coeff(d, d) < std::numeric_limits<Real>::infinity();
      inverse_.coeffRef(d) = Real(1) / M.coeff(d, d);
    }
    return positive;
  }
  // M^-1 b, where b has entries only at Sparsity::entry(d).
  template <class Sparsity = AllEntries>
  Vector<Real, dof> free(const Vector<Real, dof>& b) const {
    Vector<Real, dof> u;
    for_each_index<dof>([&](auto d) { u.coeffRef(d) = Sparsity::entry(d) ? b.coeff(d) * inverse_.coeff(d) : Real(0); });
    return u;
  }
  Real inverse(int d) const { return inverse_.coeff(d); }

 private:
  Vector<Real, dof> inverse_;
};

template <class Model, int bilaterals>
class DiagonalMass : public DiagonalInverse<Model> {
 public:
  using Real = typename Traits<Model>::Real;
  static constexpr int dof = Traits<Model>::dof;
  using Q = Vector<Real, dof>;
  using Multipliers = Vector<Real, bilaterals>;

  [[nodiscard]] bool constrain(const Evaluation<Model>& at, const Q& u = Q::Zero(), Real ahead = Real(0)) {
    Matrix<Real, bilaterals, bilaterals> S;
    each_row([&](auto i) {
      const auto row = at.bilateral(i);
      zeta_.coeffRef(i) = row.zeta;
      if constexpr (Contract<Model>::has_bend) zeta_.coeffRef(i) += ahead * at.bend(i, u);
      on_touched<i>([&](auto d) {
        B_.coeffRef(d, i) = row.w.coeff(d);
        Y_.coeffRef(d, i) = row.w.coeff(d) * this->inverse(d);
      });
      detail::written_out<0, i + 1>([&](auto j) {
        Real sum = Real(0);
        detail::written_out<0, dof>([&](auto d) {
          if constexpr (touches(i, d) && touches(j, d)) sum += B_.coeff(d, i) * Y_.coeff(d, j);
        });
        S.coeffRef(i, j) = sum;
      });
    });
    return S_.factor(S);
  }

  // P_B that makes B^T (u + Y P_B) + zeta = 0, for a u with entries only at Sparsity::entry(d).
  template <class Sparsity = AllEntries>
  Multipliers hold(const Q& u, bool with_zeta) const {
    Multipliers gamma;
    each_row([&](auto i) {
      Real sum = with_zeta ? zeta_.coeff(i) : Real(0);
      on_touched<i>([&](auto d) {
        if constexpr (Sparsity::entry(d)) sum += B_.coeff(d, i) * u.coeff(d);
      });
      gamma.coeffRef(i) = -sum;
    });
    return S_.solve(gamma);
  }
  void add(Q& u, const Multipliers& P_B) const {
    each_row([&](auto i) { on_touched<i>([&](auto d) { u.coeffRef(d) += P_B.coeff(i) * Y_.coeff(d, i); }); });
  }

  // One round of the position projection in the metric of M: q is moved so that g + w^T dq = 0.
  void project(Q& q, const Evaluation<Model>& at) const {
    Multipliers g;
    each_row([&](auto i) { g.coeffRef(i) = -at.bilateral(i).g; });
    add(q, S_.solve(g));
  }

 private:
  static constexpr bool touches(int row, int d) { return Model::touches(row, d); }
  struct Pattern {
    static constexpr int n = bilaterals;
    static constexpr bool entry(int i, int j) {
      for (int d = 0; d < dof; ++d)
        if (touches(i, d) && touches(j, d)) return true;
      return false;
    }
  };
  template <class F>
  [[gnu::always_inline]] static void each_row(F&& f) {
    detail::written_out<0, bilaterals>(f);
  }
  template <int row, class F>
  [[gnu::always_inline]] static void on_touched(F&& f) {
    detail::written_out<0, dof>([&](auto d) {
      if constexpr (touches(row, d)) f(d);
    });
  }

  Matrix<Real, dof, bilaterals> B_, Y_;  // only what a row touches is ever written or read
  Multipliers zeta_;
  std::conditional_t<(bilaterals <= written_out_rows), SparseCholesky<Real, Pattern>, Cholesky<Real, bilaterals>> S_;
};

template <class Model>
class DiagonalMass<Model, 0> : public DiagonalInverse<Model> {};

}  // namespace moreau
