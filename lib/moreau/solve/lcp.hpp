// Planar contact problem as a complementarity problem 0 <= y _|_ x >= 0 with one variable per contact law, and the
// conversion of its solution.
//
//   normal              y = xi_N,     x = P_N
//   friction            y = s xi_T,   x = mu P_N + s P_T <= 2 mu P_N
//   friction element    y = s xi_T,   x = a + s P_T      <= 2 a
//
// s = 1 or -1 selects the side of the friction cone that corresponds to x = 0. a is the bound of the friction element,
// in N s.
//
// Departures from the paper: the standard LCP (GS05 eq. 33, FLG10 eq. 85) contains both sides of every cone at once.
// Its vector x = (P_N, P_R, xi_L) is 1.5 times as long, and while P_N = 0, xi_R and xi_L are determined only up to a
// common increment. Here the tableau contains one side at a time. The pivoting (pivoting.hpp) handles the upper bound:
// it changes the sign of s if x reaches the bound. Step (vii) of FLG10 interchanges P_L and P_R; eq. 76 of FLG10 is
// correct.
//
// Friction that cannot act (mu = 0 or zero direction) has no variable. Percussions are scaled by sqrt(s_i) and
// velocities by 1 / sqrt(s_i), where s_i in 1/kg (not the side s) is the scale of contact i. One scale per row would
// deform the friction cone. All velocities are then divided by the largest one, so that the same tolerances apply to
// every problem.
#pragma once

#include "moreau/solve/solver.hpp"

namespace moreau {
namespace detail {

// Type of a contact law.
//
//   smooth     normal law of a contact without friction
//   normal     normal law of a contact with friction
//   friction   friction law of the contact of the previous normal law
//   element    friction law of a friction element
enum class Law : std::int8_t { smooth, normal, friction, element };

// Variables of the LCP and their scales.
template <class Problem>
struct LcpMap {
  using Real = typename Problem::Real;
  static constexpr int capacity =
      Problem::contacts * (Problem::tangents > 0 ? 2 : 1) + (Problem::tangents < 2 ? Problem::frictions : 0);

  int n = 0;  // number of laws
  std::array<Law, std::size_t(capacity)> law{};
  std::array<std::int16_t, std::size_t(capacity)> row{};  // row of the problem
  // unit: factor s / sqrt(s_i) between scaled x and P, with the side s, or s = 1 for a normal law. most: upper bound of
  // x: 2 a, or 2 mu per unit of P_N.
  Vector<Real, capacity> unit, most;
  Real velocity = Real(1);  // unit of scaled velocities

  // Returns true if law i is a friction law, of a contact or of a friction element.
  bool is_friction(int i) const { return law[std::size_t(i)] >= Law::friction; }
  bool is(Law l, int i) const { return (l != Law::element || Problem::frictions > 0) && law[std::size_t(i)] == l; }

  // Selects the laws, sides and scales of a problem.
  void build(const Problem& problem) {
    n = 0;
    velocity = Real(0);
    for (int i = 0; i < problem.k; ++i) {
      const int r = problem.row(i);
      const Real root = Real(1) / sqrt(contact_scale(problem, i));
      for (int t = 0; t <= Problem::tangents; ++t) velocity = larger(velocity, absolute(problem.c.coeff(r + t) * root));
      bool acts = false;
      if constexpr (Problem::tangents > 0) acts = problem.mu.coeff(i) > Real(0) && problem.diagonal(r + 1) > Real(0);
      add(acts ? Law::normal : Law::smooth, r, root, Real(0));
      if (acts) add(Law::friction, r + 1, slips_on(problem, r + 1, root), Real(2) * problem.mu.coeff(i));
    }
    if constexpr (Problem::frictions > 0)
      for (int j = 0; j < problem.elements; ++j) {
        const int r = problem.friction_row(j);
        if (!(problem.bound.coeff(j) > Real(0) && problem.diagonal(r) > Real(0))) continue;
        const Real root = Real(1) / sqrt(problem.diagonal(r));
        velocity = larger(velocity, absolute(problem.c.coeff(r) * root));
        add(Law::element, r, slips_on(problem, r, root), Real(2) * problem.bound.coeff(j) / root);
      }
    if (!(velocity > Real(0))) velocity = Real(1);
    for (int i = 0; i < n; ++i)
      if (is(Law::element, i)) most.coeffRef(i) /= velocity;
  }

  // Fills A and b of y = A x + b. A(i, j) and b(i) are writable.
  template <class Tableau>
  void fill(const Problem& problem, Tableau& lcp) const {
    for (int i = 0; i < n; ++i) lcp.b(i) = problem.c.coeff(row[std::size_t(i)]) * unit.coeff(i) / velocity;
    for (int j = n - 1; j >= 0; --j) {
      for (int i = 0; i < n; ++i)
        lcp.A(i, j) = problem.G.coeff(row[std::size_t(i)], row[std::size_t(j)]) * unit.coeff(j) * unit.coeff(i);
      const Real half = Real(0.5) * (is(Law::normal, j) ? most.coeff(j + 1) : most.coeff(j));  // P_T = s (x - half)
      for (int i = 0; i < n && is(Law::normal, j); ++i) lcp.A(i, j) -= half * lcp.A(i, j + 1);
      for (int i = 0; i < n && is(Law::element, j); ++i) lcp.b(i) -= half * lcp.A(i, j);
    }
  }

  // Computes P in N s from the solution x(i).
  template <class X, class P>
  void percussions(const Problem& problem, const X& x, P& out) const {
    if (n < problem.rows())  // otherwise every row has a variable
      for (int r = 0; r < problem.rows(); ++r) out.coeffRef(r) = Real(0);
    Real normal = Real(1);
    for (int i = 0; i < n; ++i) {
      Real p = x(i);
      if (is_friction(i)) {
        const Real limit = Real(0.5) * most.coeff(i) * (is(Law::element, i) ? Real(1) : normal);
        p = prox_interval(p - limit, limit);
      } else {
        normal = p;
      }
      out.coeffRef(row[std::size_t(i)]) = p * velocity * unit.coeff(i);
    }
  }

 private:
  // Returns `root` with the sign s of the current slip direction. If the slip continues in this direction, x = 0.
  static Real slips_on(const Problem& problem, int r, Real root) { return problem.c.coeff(r) < Real(0) ? -root : root; }
  void add(Law l, int r, Real root, Real bound) {
    law[std::size_t(n)] = l;
    row[std::size_t(n)] = static_cast<std::int16_t>(r);
    unit.coeffRef(n) = root;
    most.coeffRef(n) = bound;
    ++n;
  }
};

}  // namespace detail
}  // namespace moreau
