// Few closed planar contacts by closed forms (few.hpp) without a solver behind them and without its workspace: the options
// of a stepper. What the forms do not solve - three or more closed contacts, pairs as in Painleve's paradox - gets a fixed
// number of prox sweeps (sweeps.hpp) on the stack, is counted in report.fallbacks, and the judge decides whether it is ok,
// inexact or no_solution.
//
// For controllers with little memory whose mechanism closes at most two contacts at once. Where more is usual, Exact with
// Lemke behind it is the better choice.
#pragma once

namespace moreau {

struct ClosedForms {
  int sweeps = 50;

  constexpr bool valid() const { return sweeps >= 1 && sweeps <= 10000; }
};

}  // namespace moreau
