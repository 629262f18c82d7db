// The contact problem as a standard LCP y = A x + b, 0 <= y _|_ x >= 0 (GS05 eq. 33, FLG10 eq. 85), and back.
//
//   x = (P_N, P_R, xi_L),  y = (xi_N, xi_R, P_L),  P_R = mu P_N + P_T,  P_L = mu P_N - P_T,  xi_T = xi_R - xi_L
//
// Differences from the papers: a friction element of bound a has P_R = a + P_T, so its rows of b carry -G a and 2 a;
// a friction law that cannot act (mu = 0, zero direction) has no rows; percussions are scaled by sqrt(s_i), velocities
// by 1 / sqrt(s_i), one s_i per contact (per row it would deform the friction cone), and all by the largest velocity,
// so that one set of tolerances fits every problem. (FLG10 step (vii) exchanges P_L and P_R; their eq. 76 is right.)
#pragma once

#include "moreau/solve/solver.hpp"

namespace moreau {
namespace detail {

// Where the variables of the LCP sit and how they are scaled.
template <class Problem>
struct LcpMap {
  using Real = typename Problem::Real;
  static constexpr int laws = Problem::contacts * (Problem::tangents > 0 ? 1 : 0) + Problem::frictions;
  static constexpr int capacity = Problem::contacts + 2 * laws;

  int k = 0, m = 0;                                            // normals, acting friction laws
  std::array<std::int16_t, std::size_t(laws)> row{}, owner{};  // of law l: its row; its contact, or -1 - element
  Vector<Real, Problem::capacity> scale;                       // sqrt(s) of each row
  Real velocity = Real(1);                                     // the unit of scaled velocities

  int size() const { return k + 2 * m; }
  int R(int l) const { return k + l; }
  int L(int l) const { return k + m + l; }

  void build(const Problem& problem) {
    k = problem.k;
    m = 0;
    for (int i = 0; i < k; ++i) {
      const int n = problem.row(i);
      const Real root = sqrt(contact_scale(problem, i));
      for (int t = 0; t <= Problem::tangents; ++t) scale.coeffRef(n + t) = root;
      if constexpr (Problem::tangents > 0)
        if (problem.mu.coeff(i) > Real(0) && problem.diagonal(n + 1) > Real(0)) add_law(n + 1, i);
    }
    if constexpr (Problem::frictions > 0)
      for (int j = 0; j < problem.elements; ++j) {
        const int r = problem.friction_row(j);
        const bool acts = problem.bound.coeff(j) > Real(0) && problem.diagonal(r) > Real(0);
        scale.coeffRef(r) = acts ? sqrt(problem.diagonal(r)) : Real(1);
        if (acts) add_law(r, -1 - j);
      }
    velocity = Real(0);
    for (int r = 0; r < problem.rows(); ++r) velocity = larger(velocity, absolute(problem.c.coeff(r) / scale.coeff(r)));
    if (!(velocity > Real(0))) velocity = Real(1);
  }

  // A and b into any object with A(i, j) and b(i) writable.
  template <class Tableau>
  void fill(const Problem& problem, Tableau& lcp) const {
    const int n = size();
    for (int i = 0; i < n; ++i) {
      lcp.b(i) = Real(0);
      for (int j = 0; j < n; ++j) lcp.A(i, j) = Real(0);
    }
    for (int i = 0; i < k + m; ++i) {  // xi_N and xi_R
      const int r = i < k ? problem.row(i) : row[std::size_t(i - k)];
      Real free = problem.c.coeff(r) / scale.coeff(r);
      for (int j = 0; j < k; ++j) lcp.A(i, j) = G(problem, r, problem.row(j));
      for (int l = 0; l < m; ++l) {
        const Real g = G(problem, r, row[std::size_t(l)]);
        lcp.A(i, R(l)) = g;
        if (owner[std::size_t(l)] >= 0)
          lcp.A(i, owner[std::size_t(l)]) -= mu(problem, l) * g;
        else
          free -= g * bound(problem, l) * velocity;
      }
      lcp.b(i) = free / velocity;
      if (i >= k) lcp.A(i, L(i - k)) = Real(1);
    }
    for (int l = 0; l < m; ++l) {  // P_L
      lcp.A(L(l), R(l)) = Real(-1);
      if (owner[std::size_t(l)] >= 0)
        lcp.A(L(l), owner[std::size_t(l)]) = Real(2) * mu(problem, l);
      else
        lcp.b(L(l)) = Real(2) * bound(problem, l);
    }
  }

  // x(j) of the LCP -> P in N s.
  template <class X, class P>
  void percussions(const Problem& problem, const X& x, P& out) const {
    for (int r = 0; r < problem.rows(); ++r) out.coeffRef(r) = Real(0);
    for (int i = 0; i < k; ++i) out.coeffRef(problem.row(i)) = unscaled(problem.row(i), x(i));
    for (int l = 0; l < m; ++l) {
      const Real limit = owner[std::size_t(l)] >= 0 ? mu(problem, l) * x(owner[std::size_t(l)]) : bound(problem, l);
      out.coeffRef(row[std::size_t(l)]) = unscaled(row[std::size_t(l)], prox_interval(x(R(l)) - limit, limit));
    }
  }

  Real mu(const Problem& problem, int l) const { return problem.mu.coeff(owner[std::size_t(l)]); }
  Real bound(const Problem& problem, int l) const {
    return problem.bound.coeff(-1 - owner[std::size_t(l)]) * scale.coeff(row[std::size_t(l)]) / velocity;
  }

 private:
  void add_law(int r, int of) {
    row[std::size_t(m)] = static_cast<std::int16_t>(r);
    owner[std::size_t(m)] = static_cast<std::int16_t>(of);
    ++m;
  }
  Real G(const Problem& problem, int r, int s) const { return problem.G.coeff(r, s) / scale.coeff(r) / scale.coeff(s); }
  Real unscaled(int r, Real p) const { return p * velocity / scale.coeff(r); }
};

}  // namespace detail
}  // namespace moreau
