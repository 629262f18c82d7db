// Few closed planar contacts by closed forms alone (step/direct.hpp, step/constant.hpp), without a solver behind them
// and without its workspace. What they do not know - modes they refute, three or more closed contacts - is iterated by
// a fixed number of prox sweeps (step/swept_step.hpp), and the judge says how far that came: ok, inexact or
// no_solution, counted in report.fallbacks.
//
// For controllers with little memory whose mechanism closes at most two contacts at once. Where more is usual, or two
// corners of a light slider stick at the same time, Exact with Lemke behind it is the better choice.
#pragma once

namespace moreau {

struct ClosedForms {
  int sweeps = 50;

  constexpr bool valid() const { return sweeps >= 1 && sweeps <= 10000; }
};

}  // namespace moreau
