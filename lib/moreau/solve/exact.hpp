// Exact solution of planar contacts and friction elements. A consistent mode combination (mode_system.hpp) solves the
// contact problem up to rounding error.
//
// At most six closed contacts and friction elements in total:
//
//   1. Active-set prediction (mode_prediction.hpp) with the modes of the previous step, taken from the warm start. Up
//      to `revisions` times, the modes are replaced by those that the rejected solution implies.
//   2. Nested elimination (nested_elimination.hpp) of at most four contacts and four elements.
//
// If both fail, or with more than six, a fallback is counted:
//
//   3. Up to four in total: exhaustive mode enumeration (mode_enumeration.hpp) and final sweeps (best_answer.hpp).
//      More than four: Lemke's method. Models with at most four in total have no workspace for it.
#pragma once

#include "moreau/solve/lemke.hpp"
#include "moreau/solve/mode_prediction.hpp"
#include "moreau/solve/nested_solution.hpp"

namespace moreau {

// Options of the exact solver.
struct Exact {
  float tolerance = 64.0f;  // tolerance of inequalities, in machine epsilons of the velocity scale, 1 to 1e5
  Lemke fallback{};         // for problems that prediction and elimination do not solve

  constexpr bool valid() const { return tolerance >= 1.0f && tolerance <= 1e5f && fallback.valid(); }
};

namespace detail {

constexpr int revisions = 2;

// True if every problem of this type has at most four contacts and friction elements.
template <class Problem>
constexpr bool always_enumerable = Problem::contacts + Problem::frictions <= most_enumerated;

}  // namespace detail

template <class Problem>
struct Workspace<Exact, Problem> {
  static_assert(detail::planar<Problem>,
                "Exact solves planar friction only (tangents 0 or 1, friction_dim 1): use Psor for spatial contacts");
  int fallbacks = 0;
  std::conditional_t<detail::always_enumerable<Problem>, detail::Trial<Problem>, Workspace<Lemke, Problem>> fallback;
};

namespace detail {

// Solves by active-set prediction. Returns false and leaves P unchanged if no predicted combination is consistent.
template <class Problem>
bool solve_by_prediction(const Problem& problem, const Exact& options, typename Problem::Percussions& P,
                         const Judge<typename Problem::Real>& judge, int& candidates) {
  ModePrediction<Problem> prediction(problem, typename Problem::Real(options.tolerance), judge);
  typename Problem::Percussions candidate;
  prediction.read(P);
  for (int n = 0; n <= revisions; ++n) {
    if (n > 0 && !prediction.revise(candidate)) return false;
    ++candidates;
    if (prediction.solve(candidate)) {
      P = candidate;
      return true;
    }
  }
  return false;
}

}  // namespace detail

template <class Problem>
int solve(const Problem& problem, const Exact& options, Workspace<Exact, Problem>& work,
          typename Problem::Percussions& P, const Judge<typename Problem::Real>& judge = {}) {
  work.fallbacks = 0;
  int candidates = 0;
  if constexpr (detail::planar<Problem> && Problem::capacity > 0) {
    const int laws = problem.k + problem.elements;
    if (detail::always_enumerable<Problem> || laws <= detail::most_predicted) {
      if (detail::solve_by_prediction(problem, options, P, judge, candidates)) return candidates;
      ++candidates;
      if (detail::solve_by_elimination(problem, judge, P)) return candidates;
    }
    ++work.fallbacks;
    if (detail::always_enumerable<Problem> || laws <= detail::most_enumerated) {
      detail::BestAnswer<Problem> best(problem, judge, work.fallback, P);
      if (!detail::enumerate_modes(problem, judge, best)) best.sweep_finally();
      candidates += best.evaluated();
    } else if constexpr (!detail::always_enumerable<Problem>) {
      candidates += solve(problem, options.fallback, work.fallback, P, judge);
    }
  }
  return candidates;
}

}  // namespace moreau
