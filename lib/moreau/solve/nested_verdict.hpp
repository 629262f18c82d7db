// Verdict of nested elimination: percussions, sigma and QuickVerdict of all laws (nested_elimination.hpp,
// contact/judge.hpp).
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

}  // namespace detail
}  // namespace moreau
