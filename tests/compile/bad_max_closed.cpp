// max_closed limits the rows of Sweeps and Newton in constant time; the direct solution has closed_at_once.
// Expected message: for Exact and ClosedForms, declare closed_at_once
#include <moreau/moreau.hpp>

#include "ball.hpp"

struct Limited : Ball<double> {
  static constexpr int max_closed = 1;
};
#ifdef MISTAKE
using Solver = moreau::Exact;
#else
using Solver = moreau::Sweeps;
#endif

bool use_solver();
bool use_solver() {
  moreau::Stepper<Limited, Solver, moreau::Timing::constant> stepper(Limited{}, moreau::State<Limited>{});
  return stepper.step(1e-3).advanced();
}
