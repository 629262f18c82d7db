// Lemke's method on the contact problem (pivoting.hpp). What keeps it on the rails:
//
//   - ratio test with a tolerance: rows that tie within it are equal, z0 leaves first, then the largest pivot; or, in
//     later attempts, what an arbitrary change of q would let block first: so it cannot go round in circles;
//   - percussions and velocities scaled (lcp.hpp), so that one tolerance fits;
//   - one refinement with the true residual: the columns of the nonbasic slacks are the inverse of the final basis;
//   - what the judge would not accept is tried again with other covering vectors and tolerances, and the best is kept;
//   - four contacts and elements or fewer: every set of modes (mode_enumeration.hpp), so that what has a solution is solved;
//   - what the judge would not accept even then gets some sweeps of the prox iteration: where one law moves by m/s and
//     another by 1e-9 m/s, the tableau, whose roundings are those of the fastest, treats the slow one as still. From
//     zero where there is nothing better, and with elements: those that hold each other hide what little moves.
//
// Bounded: as many attempts as lemke_attempts has (of few laws the first ones), of pivots_given(n) pivots each, then
// all sets of modes, then lemke_sweeps, at most twice.
#pragma once

#include "moreau/solve/mode_enumeration.hpp"
#include "moreau/solve/pivoting.hpp"
#include "moreau/solve/psor.hpp"

namespace moreau {
namespace detail {

constexpr LemkeAttempt lemke_attempts[] = {{0, 0.0f, false}, {0, 2.0f, true},   {0, 256.0f, true},
                                           {1, 2.0f, true},  {2, 256.0f, true}, {2, 2.0f, false}};
constexpr int lemke_attempts_of_few = 2;  // where all sets of modes follow

// What an attempt at n laws gets. Of a million problems drawn at random all but a few that end well take less
// (tests/solvers/pivots.cpp); what takes more goes round in circles, until rounding lets it out, if it does.
constexpr int pivots_given(int n) { return 3 * n + 4; }

constexpr int lemke_sweeps = 100, lemke_polish = 10;  // the judge is asked after each of the first, then every 10th

// The candidate replaces P where it is better than that; true where it is ok.
template <class Problem>
bool keep_better(const Problem& problem, Workspace<Lemke, Problem>& work, typename Problem::Percussions& P,
                 const Judge<typename Problem::Real>& judge, typename Problem::Real& best) {
  const auto verdict = evaluate(problem, work.candidate, judge, work.modes);
  if (verdict.exact || verdict.relative < best) {
    best = verdict.relative;
    P = work.candidate;
  }
  return verdict.exact;
}

// So few laws that all sets of modes are tried, after the first attempts.
template <class Problem>
bool all_modes_enumerated(const Problem& problem) {
  return problem.k + problem.elements > 0 && problem.k + problem.elements <= most_predicted;
}

// Attempts of pivoting until the judge accepts one; the best is in P, its violation in `best`.
template <class Problem>
bool pivot_all(const Problem& problem, const Lemke& options, Workspace<Lemke, Problem>& work,
               typename Problem::Percussions& P, const Judge<typename Problem::Real>& judge,
               typename Problem::Real& best, int& pivots) {
  work.map.build(problem);
  LemkePivoting<Problem> pivoting(problem, options, work);
  const int given = pivots_given(work.map.n), most = options.max_pivots < given ? options.max_pivots : given;
  const int attempts = all_modes_enumerated(problem) ? lemke_attempts_of_few : int(std::size(lemke_attempts));
  for (int n = 0; n < attempts; ++n) {
    if (!pivoting.run(lemke_attempts[n], most, pivots)) continue;
    pivoting.read(work.candidate);
    if (keep_better(problem, work, P, judge, best)) return true;
  }
  return false;
}

// Out of line: few steps need it, all would have its stack.
template <class Problem>
MOREAU_NOINLINE bool try_every_mode(const Problem& problem, Workspace<Lemke, Problem>& work,
                                    typename Problem::Percussions& P, const Judge<typename Problem::Real>& judge,
                                    typename Problem::Real& best) {
  return ModeEnumeration<Problem>(problem, judge).search(P, best, work.modes);
}

// Prox sweeps from P, or from zero; true where one is ok.
template <class Problem>
MOREAU_NOINLINE bool polish(const Problem& problem, Workspace<Lemke, Problem>& work, typename Problem::Percussions& P,
                            const Judge<typename Problem::Real>& judge, typename Problem::Real best, bool from_zero) {
  using Real = typename Problem::Real;
  work.candidate = P;
  if (from_zero) work.candidate.setZero();
  for (int i = 1; i <= lemke_sweeps; ++i) {
    measured_sweep(problem, Real(1), work.candidate, work.candidate);
    if (i > lemke_polish && i % lemke_polish != 0) continue;
    if (keep_better(problem, work, P, judge, best)) return true;
  }
  return false;
}

}  // namespace detail

template <class Problem>
int solve(const Problem& problem, const Lemke& options, Workspace<Lemke, Problem>& work,
          typename Problem::Percussions& P, const Judge<typename Problem::Real>& judge = {}) {
  using Real = typename Problem::Real;
  int pivots = 0;
  if constexpr (detail::planar<Problem>) {
    Real best = std::numeric_limits<Real>::infinity();
    if (detail::pivot_all(problem, options, work, P, judge, best, pivots)) return pivots;
    if constexpr (Problem::capacity > 0)
      if (detail::all_modes_enumerated(problem) && detail::try_every_mode(problem, work, P, judge, best)) return pivots;
    const bool nothing = !(best < judge.reject);
    if (!detail::polish(problem, work, P, judge, best, nothing) && problem.elements > 0 && !nothing)
      detail::polish(problem, work, P, judge, best, true);
  }
  return pivots;
}

}  // namespace moreau
