// Nested elimination of a contact problem: solution, distribution of friction among contacts with a common tangent, and
// verdict, for the steps of NestedContacts and for Exact (nested_elimination.hpp, nested_verdict.hpp).
#pragma once

#include "moreau/solve/nested_verdict.hpp"

namespace moreau {
namespace detail {

// Distributes the friction of each pair of contacts with a common tangent (closed_forms.hpp). The distribution must not
// change the velocity of another law by more than rounding errors of its terms.
template <class Flow, int n, class Real, class Laws>
MOREAU_ALWAYS_INLINE void share_all_friction(const LawProblem<Real, Laws, n>& problem, Real* P) {
  const auto& A = problem.A;
  const auto contact = [&](int i) {
    const int N = first_row<Laws>(i), T = N + 1;
    return PlanarContact<Real>{A[N][N], A[N][T], A[T][N], A[T][T], problem.b[N], problem.b[T], problem.limit[i]};
  };
  each_index<Laws, Laws::elements, n>([&](auto q) {
    each_index<Laws, Laws::elements, n>([&](auto p) {
      if (p <= q || !Laws::may_share(p, q)) return;
      const int N_p = first_row<Laws>(p), T_p = N_p + 1, N_q = first_row<Laws>(q), T_q = N_q + 1;
      const Coupling<Real> x{A[N_p][N_q], A[N_p][T_q], A[T_p][N_q], A[T_p][T_q]};
      Percussion<Real> P_p{P[N_p], P[T_p]}, P_q{P[N_q], P[T_q]};
      share_friction<Flow>(contact(p), contact(q), x, P_p, P_q, [&](Real ratio, Real sum, Real size) {
        auto keeps = Flow::condition(true);
        each_index<Laws, 0, first_row<Laws>(n)>([&](auto r) {
          const int i = law_of<Laws>(r);
          const bool of_p = Laws::coupled(Laws::count, i, p), of_q = Laws::coupled(Laws::count, i, q);
          if (i == p || i == q || (!of_p && !of_q)) return;
          const Real A_p = of_p ? A[r][T_p] : Real(0), A_q = of_q ? A[r][T_q] : Real(0);
          keeps = keeps &&
                  Flow::at_most(absolute(A_q - ratio * A_p) * size, absolute(Real(16) * epsilon<Real> * A_p * sum));
        });
        return keeps;
      });
      P[T_p] = P_p.T;
      P[T_q] = P_q.T;
    });
  });
}

// Solves the first n laws. Returns the verdict.
template <class Flow, int n, class Real, class Laws>
MOREAU_ALWAYS_INLINE QuickVerdict<Flow, Real> solve_nested(const LawProblem<Real, Laws, n>& problem,
                                                           const Judge<Real>& judge, LawResults<Real, Laws>& results) {
  NestedElimination<Flow, Real, Laws>::template solve<n>(problem, results.P);
  if constexpr (n - Laws::elements >= 2) share_all_friction<Flow>(problem, results.P);
  return evaluate<Flow>(problem, judge, results);
}

// Solves a contact problem by nested elimination. Returns false and leaves P unchanged if the result is rejected or the
// problem has too many contacts or elements.
template <class Problem>
MOREAU_NOINLINE bool solve_by_elimination(const Problem& problem, const Judge<typename Problem::Real>& judge,
                                          typename Problem::Percussions& P) {
  using Real = typename Problem::Real;
  constexpr int e = Problem::frictions, k = Problem::contacts < most_nested ? Problem::contacts : most_nested;
  if constexpr (e <= most_nested) {
    if (problem.k > k) return false;
    using Laws = CoupledLaws<e, k>;
    constexpr int rows = first_row<Laws>(e + k);
    LawProblem<Real, Laws> laws;
    laws.present = (1u << (e + problem.k)) - 1;

    // Copy the problem, elements first. A row that the problem does not have is -1; its entries are 0.
    int row[rows];
    for (int r = 0; r < rows; ++r) {
      const int i = (r - e) / 2, t = (r - e) % 2;
      if (r < e)
        row[r] = r < problem.elements ? problem.friction_row(r) : -1;
      else
        row[r] = i < problem.k && t <= Problem::tangents ? problem.row(i) + t : -1;
    }
    for (int r = 0; r < rows; ++r) {
      laws.b[r] = row[r] < 0 ? Real(0) : problem.c.coeff(row[r]);
      for (int s = 0; s < rows; ++s)
        laws.A[r][s] = row[r] < 0 || row[s] < 0 ? Real(0) : problem.G.coeff(row[r], row[s]);
    }
    for (int j = 0; j < e; ++j) laws.limit[j] = laws.A[j][j] > Real(0) ? problem.bound.coeff(j) : Real(0);
    for (int i = 0; i < k; ++i) {
      const int T = e + 2 * i + 1;
      laws.limit[e + i] = laws.A[T][T] > Real(0) ? problem.mu.coeff(i) : Real(0);
    }

    // Solve, then store.
    LawResults<Real, Laws> results;
    if (solve_nested<Branching, e + k>(laws, judge, results).template rejected<rows>(judge)) return false;
    for (int r = 0; r < rows; ++r)
      if (row[r] >= 0) P.coeffRef(row[r]) = results.P[r];
    return true;
  }
  return false;
}

}  // namespace detail
}  // namespace moreau
