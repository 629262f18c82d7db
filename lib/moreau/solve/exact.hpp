// At most two closed planar contacts, exactly: guess the mode of each contact, solve the linear equations it means,
// verify (mode_guess.hpp). A consistent set of modes is a solution of the contact problem, to rounding.
//
// The modes of the last step (read off the warm start) are tried first, then all 4^k in a fixed order.
//
// Declined, and handed to its own bounded Lemke solver (counted as a fallback): more than two closed contacts, friction
// elements, or no consistent set of modes found.
#pragma once

#include "moreau/solve/lemke.hpp"
#include "moreau/solve/mode_guess.hpp"

namespace moreau {

struct Exact {
  float tolerance = 64.0f;  // in roundings of what a quantity was added up from: how far a sign may be off
  Lemke fallback{};

  constexpr bool valid() const { return tolerance >= 1.0f && tolerance <= 1e5f && fallback.valid(); }
};

template <class Problem>
struct Workspace<Exact, Problem> {
  static_assert(planar<Problem>,
                "Exact solves planar friction only (tangents 0 or 1, friction_dim 1): use Psor for spatial contacts");
  int fallbacks = 0;
  Workspace<Lemke, Problem> lemke;
};

template <class Problem>
int solve(const Problem& problem, const Exact& options, Workspace<Exact, Problem>& work,
          typename Problem::Percussions& P) {
  work.fallbacks = 0;
  int tried = 0;
  if constexpr (planar<Problem> && Problem::capacity > 0) {
    if (Problem::contacts > 0 && problem.k <= 2 && problem.elements == 0) {
      detail::ModeGuess<Problem> guess(problem, typename Problem::Real(options.tolerance));
      typename Problem::Percussions candidate;
      const int all =
          problem.k == 0 ? 1 : (problem.k == 1 ? detail::mode_count : detail::mode_count * detail::mode_count);
      guess.read(P);
      for (int code = -1; code < all; ++code) {
        if (code >= 0 && !guess.set(code)) continue;
        ++tried;
        if (guess.solve(candidate)) {
          P = candidate;
          return tried;
        }
      }
    }
    ++work.fallbacks;
    tried += solve(problem, options.fallback, work.lemke, P);
  }
  return tried;
}

}  // namespace moreau
