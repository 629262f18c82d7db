// Lemke's method on the contact problem (pivoting.hpp). Measures for robustness:
//
//   - ratio test with a tolerance: rows that tie within it are equal, z0 leaves first, then the largest pivot. Later
//     attempts break ties by a perturbation of q, which excludes cycles;
//   - percussions and velocities scaled (lcp.hpp), so that one tolerance fits;
//   - one refinement with the true residual: the columns of the nonbasic slacks are the inverse of the final basis;
//   - further attempts with other covering vectors and tolerances; the best result is kept;
//   - at most four contacts and elements: exhaustive mode enumeration (mode_enumeration.hpp);
//   - final prox sweeps (best_answer.hpp): where one law moves by m/s and another by 1e-9 m/s, the rounding errors of the
//     tableau are those of the fastest law, and it treats the slow one as still.
//
// Bounded: the attempts of lemke_attempts (of few laws the first ones) with pivots_given(n) pivots each, then the
// enumeration, then final_sweeps, at most twice.
#pragma once

#include "moreau/solve/mode_enumeration.hpp"
#include "moreau/solve/pivoting.hpp"

namespace moreau {
namespace detail {

constexpr LemkeAttempt lemke_attempts[] = {{0, 0.0f, false}, {0, 2.0f, true},   {0, 256.0f, true},
                                           {1, 2.0f, true},  {2, 256.0f, true}, {2, 2.0f, false}};
constexpr int lemke_attempts_of_few = 2;  // where all sets of modes follow

// What an attempt at n laws gets. Of a million problems drawn at random all but a few that end well take less
// (tests/solvers/pivots.cpp); what takes more goes round in circles, until rounding lets it out, if it does.
constexpr int pivots_given(int n) { return 3 * n + 4; }

// Few enough laws for an exhaustive mode enumeration after the first attempts.
template <class Problem>
bool is_enumerable(const Problem& problem) {
  return problem.k + problem.elements > 0 && problem.k + problem.elements <= most_predicted;
}

// Attempts of pivoting until the judge accepts one. `pivots` counts on.
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
