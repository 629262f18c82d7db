// Timing::constant supports Exact, ClosedForms, Sweeps and Newton.
// Expected message: Timing::constant needs the solver Exact and a planar model
#include <moreau/moreau.hpp>

#include "ball.hpp"

#ifdef MISTAKE
using Solver = moreau::Lemke;
#else
using Solver = moreau::Sweeps;
#endif

bool use_solver();
bool use_solver() {
  moreau::Stepper<Ball<double>, Solver, moreau::Timing::constant> stepper(Ball<double>{},
                                                                          moreau::State<Ball<double>>{});
  return stepper.step(1e-3).advanced();
}
