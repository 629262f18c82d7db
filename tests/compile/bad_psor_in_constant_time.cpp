// Constant time has no convergence check of the sweeps: a tolerance would be ignored.
// Expected message: Timing::constant makes max_iterations sweeps and ignores Psor::tolerance: take the solver Sweeps
#include "ball.hpp"

#ifdef MISTAKE
using Solver = moreau::Psor;
#else
using Solver = moreau::Sweeps;
#endif

bool used_in_constant_time();
bool used_in_constant_time() {
  moreau::Stepper<Ball<double>, Solver, moreau::Timing::constant> ball{{}, {}};
  return ball.step(1e-3).advanced();
}
