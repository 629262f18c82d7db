// Solver interface. A solver consists of a struct of options, a workspace in the stepper, and one function that returns
// the number of iterations:
//
//   int solve(const Problem&, const Options&, Workspace<Options, Problem>&, Problem::Percussions& P,
//             const Judge<Real>& judge = {})
//
// Options are of type float, int or bool, so that they do not depend on the scalar type. A Cascade holds the options of
// its solvers. The float and bool values, and integers up to 2^24, convert exactly to every scalar type.
//
// P is the warm start (the percussions of the last step, or zero) and the result. The work of a solver has a constant
// bound. A solver does not report success, because only the acceptance test decides success. A solver that gives up
// leaves P unchanged. `judge` contains the thresholds for solvers that try several methods until a result is
// acceptable. Workspace::fallbacks is the number of fallbacks in the last call of solve.
#pragma once

#include "moreau/contact/contact_problem.hpp"
#include "moreau/contact/judge.hpp"
#include "moreau/contact/laws.hpp"

namespace moreau {

// Memory of a solver for a problem type; every solver specialises it.
template <class Options, class Problem>
struct Workspace;

namespace detail {

// True if all friction of the problem is one-dimensional.
template <class Problem>
constexpr bool planar = Problem::tangents < 2 && (Problem::frictions == 0 || Problem::friction_dim == 1);

}  // namespace detail
}  // namespace moreau
