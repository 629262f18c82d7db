// Transfer of a plain problem to the library's solvers, and the answer of one solver.
#pragma once

#include <moreau/moreau.hpp>

#include "measure.hpp"

namespace problems {

template <class Real, int dim, int elements = 0>
using Problem = moreau::ContactProblem<Real, capacity, dim - 1, elements, dim - 1>;

// `gap` empty rows follow the contacts: the friction elements of a problem of full capacity start behind them.
template <class Real, int dim, int elements>
void hand_over(const PlainProblem& plain, Problem<Real, dim, elements>& problem, int gap = 0) {
  const auto at = [&](int r) { return r < plain.element(0) ? r : r + gap; };
  problem.k = plain.k;
  problem.elements = plain.elements;
  for (int r = 0; r < plain.rows(); ++r) {
    problem.c(at(r)) = static_cast<Real>(plain.q[std::size_t(r)]);
    for (int s = 0; s < plain.rows(); ++s)
      problem.G(at(r), at(s)) = static_cast<Real>(plain.G[std::size_t(r * plain.rows() + s)]);
  }
  for (int i = 0; i < plain.k; ++i) problem.mu(i) = static_cast<Real>(plain.mu[std::size_t(i)]);
  if constexpr (elements > 0)
    for (int j = 0; j < plain.elements; ++j) problem.bound(j) = static_cast<Real>(plain.bound[std::size_t(j)]);
}

struct Answer {
  bool ok = false, passable = false;  // verdicts of the acceptance test
  Wide error = 0;                     // by measure.hpp
  Rows P{};
  int iterations = 0, fallbacks = 0;
};

// One cold solve. Large objects are static: boards have small stacks.
template <class Real, int dim, class Solver>
Answer answer(const PlainProblem& plain, const Solver& solver, moreau::Workspace<Solver, Problem<Real, dim>>& work) {
  static Problem<Real, dim> problem;
  hand_over<Real, dim>(plain, problem);
  typename Problem<Real, dim>::Percussions P = Problem<Real, dim>::Percussions::Zero();
  moreau::Sigmas<Problem<Real, dim>> modes;
  const moreau::Judge<Real> judge;
  Answer result;
  result.iterations = moreau::solve(problem, solver, work, P, judge);
  result.fallbacks = work.fallbacks;
  const auto verdict = moreau::evaluate(problem, P, judge, modes);
  result.ok = verdict.exact;
  result.passable = verdict.passable;
  for (int i = 0; i < plain.rows(); ++i) result.P[std::size_t(i)] = static_cast<Wide>(P(i));
  result.error = natural_map_error(plain, result.P);
  return result;
}

}  // namespace problems
