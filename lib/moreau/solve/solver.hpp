// The solver contract. A solver is a small struct of options (float and int, widened exactly, so that bits agree), a
// workspace that lives in the stepper, and one function:
//
//   int solve(const Problem&, const Options&, Workspace<Options, Problem>&, Problem::Percussions& P,
//             const Judge<Real>& judge = {})                                                        // -> iterations
//
// P comes in as a warm start (the percussions of the last step; zero is always allowed) and goes out as the answer.
// A solver is bounded, declares no success - the judge does - and one that declines leaves P as it was. `judge` holds
// the thresholds for solvers that try again, or hand over, until an answer passes.
// Workspace::fallbacks counts how often the last solve had to hand over to another method.
#pragma once

#include "moreau/contact/contact_problem.hpp"
#include "moreau/contact/judge.hpp"
#include "moreau/contact/laws.hpp"

namespace moreau {

// The memory a solver needs for a problem; every solver specialises it.
template <class Options, class Problem>
struct Workspace;

namespace detail {

template <class Problem>
constexpr bool planar = Problem::tangents < 2 && (Problem::frictions == 0 || Problem::friction_dim == 1);

}  // namespace detail
}  // namespace moreau
