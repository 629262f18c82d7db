// Few closed planar contacts by closed forms alone (solve/few.hpp, step/few_contacts.hpp), without a solver behind them
// and without its workspace. Other steps - modes that the forms refute, three or more closed contacts - are iterated by
// a fixed number of prox sweeps (step/swept_contacts.hpp) and counted in report.fallbacks; the judge decides whether
// they are ok, inexact or no_solution.
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
