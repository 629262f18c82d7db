// Upper bound of the cost of a fallback: the worst-case costs of the parts of a step behind the direct solution,
// times the largest numbers of these parts that the constants of the solver allow.
//
//   Exact          step without solver + rounds of the active-set prediction + mode enumeration + final sweeps
//   ClosedForms    the same with one sweep + the other sweeps
//
// The cost of a part is its maximum over random problems, in instructions. It depends on the numbers through a few
// comparisons only and hardly varies. Problems have at most four laws: `Exact` pivots only with more.
#pragma once
#include <algorithm>

#include "solvers/crowds.hpp"
#include "trajectory.hpp"

namespace counting {

// A solver without work, to measure the cost of the rest of the step.
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

// Upper limits that the constants set.
struct Allowed {
  int rounds, sweeps;
};
inline Allowed allowed(const moreau::Exact&) { return {1 + moreau::detail::revisions, moreau::detail::final_sweeps}; }
inline Allowed allowed(const moreau::ClosedForms& options) { return {0, options.sweeps}; }

// All combinations of modes that may be solved again, each at the cost of the one with all percussions as unknowns.
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

// Exact's solver: the largest number of prediction rounds, nested elimination, enumeration and sweeps, each at its
// worst-case cost.
template <class Problem>
std::uint32_t worst_solve(int k, int draws) {
  static_assert(moreau::detail::always_enumerable<Problem>, "more laws: Lemke's attempts are missing here");
  static Problem problem;
  static moreau::detail::Trial<Problem> trial;
  const moreau::Exact options;
  const moreau::Judge<Real> judge;
  moreau::Judge<Real> strict;  // accepts nothing: the enumeration reaches its last combination, and all sweeps follow
  strict.rtol = std::numeric_limits<Real>::min();
  crowds::Crowd crowd(57);
  moreau::port::Stopwatch watch;
  std::uint32_t round = 0, elimination = 0, search = 0;
  for (int n = 0; n < draws; ++n) {
    crowd.draw(k, problem);
    typename Problem::Percussions P = Problem::Percussions::Zero();
    int tried = 0;
    const auto prediction =
        instructions(watch, [&] { (void)moreau::detail::solve_by_prediction(problem, options, P, judge, tried); });
    round = std::max(round, (prediction + std::uint32_t(tried) - 1) / std::uint32_t(tried));
    elimination = std::max(elimination,
                           instructions(watch, [&] { (void)moreau::detail::solve_by_elimination(problem, judge, P); }));
    P.setZero();
    search = std::max(search, instructions(watch, [&] {
                        moreau::detail::BestAnswer<Problem> best(problem, strict, trial, P);
                        if (!moreau::detail::enumerate_modes(problem, strict, best)) best.sweep_finally();
                      }));
  }
  return std::uint32_t(allowed(options).rounds) * round + elimination + search + confirmed_sets(problem, judge);
}

}  // namespace counting
