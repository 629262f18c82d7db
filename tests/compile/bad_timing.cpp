// The earlier name of Timing::variable.
// Expected message: Timing::data is called Timing::variable
#include <moreau/moreau.hpp>

#include "ball.hpp"

bool use_stepper();
bool use_stepper() {
#ifdef MISTAKE
  constexpr auto timing = moreau::Timing::data;
#else
  constexpr auto timing = moreau::Timing::variable;
#endif
  moreau::Stepper<Ball<double>, moreau::Exact, timing> stepper{Ball<double>{}, moreau::State<Ball<double>>{}};
  return stepper.step(1e-3).advanced();
}
