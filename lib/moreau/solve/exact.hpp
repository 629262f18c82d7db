// Few closed planar contacts, exactly: guess the mode of each contact, solve the linear equations it means,
// verify (mode_prediction.hpp). A consistent set of modes is a solution of the contact problem, to rounding.
//
// One or two closed contacts: the modes of the last step (read off the warm start), then all 4^k in a fixed order.
// Three or four: the modes of the last step, then at most `revisions` times those that the refuted guess implies.
//
// Declined, and handed to its own bounded Lemke solver (counted as a fallback): more closed contacts, friction
// elements, or no consistent set of modes found.
#pragma once

#include "moreau/solve/lemke.hpp"
#include "moreau/solve/mode_prediction.hpp"

namespace moreau {

struct Exact {
  float tolerance = 64.0f;  // in roundings of what a quantity was added up from: how far a sign may be off
  Lemke fallback{};

  constexpr bool valid() const { return tolerance >= 1.0f && tolerance <= 1e5f && fallback.valid(); }
};

template <class Problem>
struct Workspace<Exact, Problem> {
  static_assert(detail::planar<Problem>,
                "Exact solves planar friction only (tangents 0 or 1, friction_dim 1): use Psor for spatial contacts");
  int fallbacks = 0;
  Workspace<Lemke, Problem> lemke;
};

namespace detail {

constexpr int revisions = 6;

template <class Problem>
bool solve_by_prediction(const Problem& problem, const Exact& options, typename Problem::Percussions& P,
                         const Judge<typename Problem::Real>& judge, int& tried) {
  ModePrediction<Problem> guess(problem, typename Problem::Real(options.tolerance), judge);
  typename Problem::Percussions candidate;
  const bool each = problem.k <= 2;  // few enough to try every set
  const int sets = problem.k == 0 ? 1 : (problem.k == 1 ? mode_count : mode_count * mode_count);
  guess.read(P);
  for (int code = -1; code < (each ? sets : revisions); ++code) {
    if (code >= 0 && each && !guess.set(code)) continue;
    if (code >= 0 && !each && !guess.revise(candidate, code >= revisions / 2)) return false;
    ++tried;
    if (guess.solve(candidate)) {
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
  int tried = 0;
  if constexpr (detail::planar<Problem> && Problem::capacity > 0) {
    if (Problem::contacts > 0 && problem.k <= detail::most_predicted && problem.elements == 0 &&
        detail::solve_by_prediction(problem, options, P, judge, tried))
      return tried;
    ++work.fallbacks;
    tried += solve(problem, options.fallback, work.lemke, P, judge);
  }
  return tried;
}

}  // namespace moreau
