// Several solvers in sequence, each from the same warm start, until a result passes the acceptance test. If no result
// passes, the cascade returns the best one.
#pragma once

#include <tuple>

#include "moreau/solve/solver.hpp"

namespace moreau {

// Options of a cascade: the solvers in the order of execution, with their options.
template <class... Solvers>
struct Cascade {
  std::tuple<Solvers...> solvers;

  constexpr bool valid() const {
    return std::apply([](const auto&... s) { return (s.valid() && ...); }, solvers);
  }
};

template <class... Solvers, class Problem>
struct Workspace<Cascade<Solvers...>, Problem> {
  int fallbacks = 0;  // number of solvers that ran after the first
  std::tuple<Workspace<Solvers, Problem>...> parts;
  typename Problem::Percussions warm, best;
  Sigmas<Problem> modes;
};

namespace detail {

// Runs solver i and, if its result fails the acceptance test, the next solvers. Returns the number of iterations.
template <int i, class... Solvers, class Problem>
int cascade_from(const Problem& problem, const Cascade<Solvers...>& options,
                 Workspace<Cascade<Solvers...>, Problem>& work, typename Problem::Percussions& P,
                 const Judge<typename Problem::Real>& judge, typename Problem::Real best_relative) {
  P = work.warm;
  int iterations = solve(problem, std::get<i>(options.solvers), std::get<i>(work.parts), P, judge);
  const auto verdict = evaluate(problem, P, judge, work.modes);
  if (verdict.exact) return iterations;
  if (i == 0 || verdict.relative < best_relative || best_relative != best_relative) {  // replaces NaN by any value
    work.best = P;
    best_relative = verdict.relative;
  }
  if constexpr (i + 1 < int(sizeof...(Solvers))) {
    ++work.fallbacks;
    iterations += cascade_from<i + 1>(problem, options, work, P, judge, best_relative);
  } else {
    P = work.best;
  }
  return iterations;
}

}  // namespace detail

// Solves from the warm start P and stores the result in P. Returns the number of iterations of all solvers.
template <class... Solvers, class Problem>
int solve(const Problem& problem, const Cascade<Solvers...>& options, Workspace<Cascade<Solvers...>, Problem>& work,
          typename Problem::Percussions& P, const Judge<typename Problem::Real>& judge = {}) {
  work.fallbacks = 0;
  work.warm = P;
  return detail::cascade_from<0>(problem, options, work, P, judge, typename Problem::Real(0));
}

}  // namespace moreau
