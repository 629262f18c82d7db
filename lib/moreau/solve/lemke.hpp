// Lemke's method for the contact problem (pivoting.hpp), with these measures for robustness:
//
//   - The ratio test has a tolerance. Of the rows within the tolerance, z0 leaves first, otherwise the row with the
//     largest pivot. Later attempts break ties by a perturbation of q, which excludes cycles.
//   - Percussions and velocities are scaled (lcp.hpp), so one tolerance fits all problems.
//   - One step of iterative refinement uses the residual of the contact problem. The columns of the nonbasic slacks
//     contain the inverse of the final basis.
//   - Further attempts use other covering vectors and tolerances. The best result is kept.
//   - For at most four contacts and elements, exhaustive mode enumeration (mode_enumeration.hpp) follows.
//   - Final prox sweeps follow (best_answer.hpp). They help if velocities differ widely, for example 1 m/s and 1e-9
//     m/s. Rounding errors in the tableau are proportional to the largest velocity and can exceed the smallest one.
//
// Upper bound of the work: all lemke_attempts with pivots_given(n) pivots each, the enumeration, and two series of
// final_sweeps. Problems with at most four contacts and elements get the first two attempts only.
#pragma once

#include "moreau/solve/mode_enumeration.hpp"
#include "moreau/solve/pivoting.hpp"

namespace moreau {
namespace detail {

// Attempts: covering vector, tie tolerance, perturbation of q.
constexpr LemkeAttempt lemke_attempts[] = {{0, 0.0f, false}, {0, 2.0f, true},   {0, 256.0f, true},
                                           {1, 2.0f, true},  {2, 256.0f, true}, {2, 2.0f, false}};
constexpr int lemke_attempts_of_few = 2;  // with at most four contacts and elements

// Pivot limit of one attempt with n variables x. In a million random problems, almost all successful attempts need
// fewer pivots (tests/solvers/pivots.cpp). Attempts that exceed this limit usually cycle until rounding errors end the
// cycle.
constexpr int pivots_given(int n) { return 3 * n + 4; }

// Returns true if exhaustive mode enumeration supports the number of contacts and elements.
template <class Problem>
bool is_enumerable(const Problem& problem) {
  return problem.k + problem.elements > 0 && problem.k + problem.elements <= most_enumerated;
}

// Returns true if the result of an attempt passes the acceptance test. Adds the number of pivots to `pivots`.
template <class Problem>
bool pivot_all(const Problem& problem, const Lemke& options, Workspace<Lemke, Problem>& work, BestAnswer<Problem>& best,
               int& pivots) {
  work.map.build(problem);
  LemkePivoting<Problem> pivoting(problem, options, work);
  const int given = pivots_given(work.map.n), most = options.max_pivots < given ? options.max_pivots : given;
  const int attempts = is_enumerable(problem) ? lemke_attempts_of_few : int(std::size(lemke_attempts));
  for (int n = 0; n < attempts; ++n) {
    if (!pivoting.run(lemke_attempts[n], most, pivots)) continue;
    pivoting.read(best.candidate());
    if (best.accept()) return true;
  }
  return false;
}

}  // namespace detail

// Solves the problem by Lemke's method and its fallbacks. Returns the number of pivots.
template <class Problem>
int solve(const Problem& problem, const Lemke& options, Workspace<Lemke, Problem>& work,
          typename Problem::Percussions& P, const Judge<typename Problem::Real>& judge = {}) {
  int pivots = 0;
  if constexpr (detail::planar<Problem>) {
    detail::BestAnswer<Problem> best(problem, judge, work, P);
    if (detail::pivot_all(problem, options, work, best, pivots)) return pivots;
    if constexpr (Problem::capacity > 0)
      if (detail::is_enumerable(problem) && detail::enumerate_modes(problem, judge, best)) return pivots;
    best.sweep_finally();
  }
  return pivots;
}

}  // namespace moreau
