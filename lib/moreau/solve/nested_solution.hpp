// Nested elimination of a contact problem with its verdict: percussions, sigma and QuickVerdict of all laws
// (nested_elimination.hpp, contact/judge.hpp).
#pragma once

#include "moreau/solve/nested_elimination.hpp"

namespace moreau {
namespace detail {

// Solution of the laws of one problem, in the order of the rows.
template <class Real, class Laws>
struct LawResults {
  Real P[first_row<Laws>(Laws::count) + 1];
  ContactResult<Real> contact[Laws::contacts + 1];
  std::uint8_t sigma_T[Laws::elements + 1];  // of the elements
};

// Calls f(first), ..., f(last - 1). With Laws::unrolled the index is a compile-time constant.
template <class Laws, int first, int last, class F>
MOREAU_ALWAYS_INLINE void each_index(const F& f) {
  if constexpr (Laws::unrolled)
    for_each_index<last - first>([&f](auto i) { f(std::integral_constant<int, first + i>{}); });
  else
    for (int i = first; i < last; ++i) f(i);
}

// Returns the verdict for the first n laws, and sets their sigma. The sum of a row begins with the rows of its own law.
template <class Flow, int n, class Real, class Laws>
MOREAU_ALWAYS_INLINE QuickVerdict<Flow, Real> evaluate(const LawProblem<Real, Laws, n>& problem,
                                                       const Judge<Real>& judge, LawResults<Real, Laws>& results) {
  constexpr int rows = first_row<Laws>(n);
  const Real* const P = results.P;
  const auto add_others = [&](auto i, int r, RowSum<Real>& sum) {
    each_index<Laws, 0, rows>([&](auto s) {
      const int law = law_of<Laws>(s);
      if (law != i && Laws::coupled(Laws::count, i, law)) sum.add(problem.A[r][s] * P[s]);
    });
  };
  QuickVerdict<Flow, Real> verdict;
  each_index<Laws, 0, Laws::elements>([&](auto i) {
    const int T = i;
    RowSum<Real> sum(problem.b[T], problem.A[T][T] * P[T]);
    add_others(i, T, sum);
    const Real carried = problem.A[T][T] * P[T], limit = problem.A[T][T] * problem.limit[i];
    results.sigma_T[i] =
        sigma_T<Flow>(Flow::condition(true), absolute(carried - sum.xi), limit, judge.sigma_margin * sum.v);
    verdict = verdict + QuickVerdict<Flow, Real>(absolute(miss_T<Flow>(carried, limit, sum.xi)), sum.v, problem.b[T]);
  });
  each_index<Laws, Laws::elements, n>([&](auto i) {
    const int N = first_row<Laws>(i), T = N + 1;
    const PlanarContact<Real> contact{problem.A[N][N], problem.A[N][T], problem.A[T][N], problem.A[T][T],
                                      problem.b[N],    problem.b[T],    problem.limit[i]};
    RowSum<Real> sum_N(problem.b[N], problem.A[N][N] * P[N], problem.A[N][T] * P[T]);
    RowSum<Real> sum_T(problem.b[T], problem.A[T][N] * P[N], problem.A[T][T] * P[T]);
    add_others(i, N, sum_N);
    add_others(i, T, sum_T);
    verdict = verdict + evaluate<Flow>(contact, Percussion<Real>{P[N], P[T]}, sum_N, sum_T, judge,
                                       results.contact[i - Laws::elements]);
  });
  return verdict;
}

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
