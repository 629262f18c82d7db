// The best percussions that a solver has found, by the judge's relative violation, and the prox sweeps that a solver
// ends with where no other method has found percussions that are ok.
#pragma once

#include "moreau/solve/sweeps.hpp"

namespace moreau {
namespace detail {

// Storage of a search: the percussions under test and their sigmas.
template <class Problem>
struct Trial {
  typename Problem::Percussions candidate;
  Sigmas<Problem> modes{};
};

constexpr int final_sweeps = 100, judged_sweeps = 10;  // the judge evaluates each of the first, then every 10th

template <class Problem>
class BestAnswer {
 public:
  using Real = typename Problem::Real;
  using Percussions = typename Problem::Percussions;

  BestAnswer(const Problem& problem, const Judge<Real>& judge, Trial<Problem>& trial, Percussions& P)
      : problem_(problem), judge_(judge), trial_(trial), P_(P) {}

  Percussions& candidate() { return trial_.candidate; }
  Real relative() const { return relative_; }   // violation of P; infinite before any candidate has been stored
  int evaluated() const { return evaluated_; }  // candidates so far

  // Stores the candidate in P if it is better than the best so far. True if it is ok.
  bool accept() {
    ++evaluated_;
    const auto verdict = evaluate(problem_, trial_.candidate, judge_, trial_.modes);
    if (verdict.exact || verdict.relative < relative_) {
      relative_ = verdict.relative;
      P_ = trial_.candidate;
    }
    return verdict.exact;
  }

  // Sweeps from P, or from zero if P is no better than a rejected step. Friction elements that hold each other hide
  // small motions, so problems with elements are swept from zero as well.
  void sweep_finally() {
    const bool passable = relative_ < judge_.reject;
    if (!sweep_from(passable) && problem_.elements > 0 && passable) sweep_from(false);
  }

 private:
  // Out of line: few steps need it, all would have its code. True if the percussions after one of the sweeps are ok.
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
