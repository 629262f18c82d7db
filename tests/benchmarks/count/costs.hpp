// What the parts of a step behind the closed forms cost at most, and what they add up to when the constants of the
// solver let all of them happen: the bound of a fallback.
//
//   Exact          advance without a solver + rounds of the guess + Lemke: attempts, pivots, sets of modes, sweeps
//   ClosedForms    the same with one sweep + the other sweeps
//
// Prices are the worst_case seen on problems drawn at random, in instructions. A part's work does not depend on numbers
// but for a few comparisons, so they hardly differ.
#pragma once
#include <algorithm>

#include "solvers/crowds.hpp"
#include "trajectory.hpp"

namespace counting {

// A solver that does nothing: what is left of a step is the price of all else.
struct Idle {
  static constexpr bool valid() { return true; }
};

}  // namespace counting

template <class Problem>
struct moreau::Workspace<counting::Idle, Problem> {
  static constexpr int fallbacks = 0;
};

namespace counting {

template <class Problem, class P, class Judge>
int solve(const Problem&, const Idle&, moreau::Workspace<Idle, Problem>&, P&, const Judge&) {
  return 0;
}

template <class F>
[[gnu::noinline]] std::uint32_t instructions(moreau::port::Stopwatch& watch, const F& f) {
  watch.begin();
  f();
  return watch.instructions();
}

// What the constants allow with k closed contacts that all have friction.
struct Allowed {
  int rounds, pivots, sweeps;
};
inline Allowed allowed(const moreau::Exact& options, int k) {
  const int sets = k == 1 ? moreau::detail::mode_count : moreau::detail::mode_count * moreau::detail::mode_count;
  return {1 + (k <= 2 ? sets : moreau::detail::revisions),
          (k <= moreau::detail::most_predicted ? moreau::detail::lemke_attempts_of_few
                                               : int(std::size(moreau::detail::lemke_attempts))) *
              std::min(options.fallback.max_pivots, moreau::detail::pivots_given(2 * k)),
          moreau::detail::lemke_sweeps};
}
inline Allowed allowed(const moreau::ClosedForms& options, int) { return {0, 0, options.sweeps}; }

// All sets of modes that may be solved again, each as dear as the one that has all percussions as unknowns.
template <class Problem>
std::uint32_t confirmed_sets(const Problem& problem, const moreau::Judge<Real>& judge) {
  moreau::detail::ModeEquations<Problem> equations(problem);
  typename Problem::Percussions P;
  moreau::Sigmas<Problem> sigmas;
  moreau::port::Stopwatch watch;
  int stick = 0;
  for (int i = 0; i < problem.k; ++i) stick += int(moreau::detail::Mode::stick) << (2 * i);
  const auto set = instructions(watch, [&] { equations.set(stick, true, P); });
  const auto correction = instructions(watch, [&] { equations.correct(P), (void)evaluate(problem, P, judge, sigmas); });
  std::uint32_t sum = 0;
  for (const auto& search : moreau::detail::mode_searches)
    sum += std::uint32_t(std::min(search.confirmed, 1 << (2 * problem.k))) *
           (set + std::uint32_t(search.corrections) * correction);
  return sum;
}

// Exact's solver: rounds and Lemke at their worst_case, as often as they are allowed.
template <class Problem>
std::uint32_t worst_solve(int k, int draws) {
  using moreau::detail::lemke_attempts;
  static Problem problem;
  static moreau::Workspace<moreau::Lemke, Problem> work;
  const moreau::Exact options;
  const Allowed most = allowed(options, k);
  const moreau::Judge<Real> judge;
  moreau::Judge<Real> strict;  // nothing is ok: every attempt is read and weighed, all sweeps follow
  strict.rtol = std::numeric_limits<Real>::min();
  crowds::Crowd crowd(57);
  moreau::port::Stopwatch watch;
  std::uint32_t round = 0, pivot = 0, lemke = 0;
  for (int n = 0; n < draws; ++n) {
    crowd.draw(k, problem);
    typename Problem::Percussions P = Problem::Percussions::Zero();
    int tried = 0, pivots = 0, few = 0, used = 0;
    const auto guess =
        instructions(watch, [&] { (void)moreau::detail::solve_by_prediction(problem, options, P, judge, tried); });
    round = std::max(round, (guess + std::uint32_t(tried) - 1) / std::uint32_t(tried));
    work.map.build(problem);
    moreau::detail::LemkePivoting<Problem> pivoting(problem, options.fallback, work);
    const auto run = instructions(watch, [&] { (void)pivoting.run(lemke_attempts[0], most.pivots, pivots); });
    const auto start = instructions(watch, [&] { (void)pivoting.run(lemke_attempts[0], 2, few); });
    if (pivots > few) pivot = std::max(pivot, (run - start) / std::uint32_t(pivots - few) + 1);
    P.setZero();
    const auto all = instructions(watch, [&] { used = solve(problem, options.fallback, work, P, strict); });
    lemke = std::max(lemke, all + std::uint32_t(most.pivots - used) * pivot);
  }
  return std::uint32_t(most.rounds) * round + lemke + confirmed_sets(problem, judge);
}

}  // namespace counting
