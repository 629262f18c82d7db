// Best percussions of a solver, ranked by their relative violation of the contact laws, and final prox sweeps. A solver
// executes these sweeps if its own method finds no percussions that pass the acceptance test with ok
// (contact/judge.hpp).
#pragma once

#include "moreau/solve/sweeps.hpp"

namespace moreau {
namespace detail {

// Storage of a search: candidate percussions and their sigmas.
template <class Problem>
struct Trial {
  typename Problem::Percussions candidate;
  Sigmas<Problem> modes{};
};

// Number of final sweeps. The acceptance test evaluates each of the first 10, then every 10th.
constexpr int final_sweeps = 100, judged_sweeps = 10;

// Best candidate so far, stored in P.
template <class Problem>
class BestAnswer {
 public:
  using Real = typename Problem::Real;
  using Percussions = typename Problem::Percussions;

  BestAnswer(const Problem& problem, const Judge<Real>& judge, Trial<Problem>& trial, Percussions& P)
      : problem_(problem), judge_(judge), trial_(trial), P_(P) {}

  // Returns the percussions that accept() evaluates.
  Percussions& candidate() { return trial_.candidate; }
  Real relative() const { return relative_; }   // violation of P; infinite before the first stored candidate
  int evaluated() const { return evaluated_; }  // number of evaluated candidates

  // Stores the candidate in P if it is better than all previous candidates. Returns true if the acceptance test rates
  // it ok.
  bool accept() {
    ++evaluated_;
    const auto verdict = evaluate(problem_, trial_.candidate, judge_, trial_.modes);
    if (verdict.exact || verdict.relative < relative_) {
      relative_ = verdict.relative;
      P_ = trial_.candidate;
    }
    return verdict.exact;
  }

  // Sweeps from P if its relative violation is below Judge::reject, otherwise from zero. Sweeps that start from P can
  // leave friction elements that block each other in the sticking mode. Problems with friction elements are therefore
  // swept again from zero if the sweeps from P fail.
  void sweep_finally() {
    const bool passable = relative_ < judge_.reject;
    if (!sweep_from(passable) && problem_.elements > 0 && passable) sweep_from(false);
  }

 private:
  // Sweeps from P if `best`, otherwise from zero. Returns true as soon as the acceptance test rates the percussions ok.
  // Not inlined, because few steps call it and its code would enlarge all steps.
  MOREAU_NOINLINE bool sweep_from(bool best) {
    Percussions& P = trial_.candidate;
    P = P_;
    if (!best) P.setZero();
    for (int i = 1; i <= final_sweeps; ++i) {
      measured_sweep(problem_, Real(1), P, P);
      if (i > judged_sweeps && i % judged_sweeps != 0) continue;
      if (accept()) return true;
    }
    return false;
  }

  const Problem& problem_;
  const Judge<Real>& judge_;
  Trial<Problem>& trial_;
  Percussions& P_;
  Real relative_ = std::numeric_limits<Real>::infinity();
  int evaluated_ = 0;
};

}  // namespace detail
}  // namespace moreau
