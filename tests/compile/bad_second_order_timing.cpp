// Solver that does not support second_order in constant time.
// Expected message: Model declares second_order, which Timing::constant supports with Exact and ClosedForms only
#include <moreau/moreau.hpp>

#include "ball.hpp"

namespace {
struct Model : Ball<double> {
  static constexpr bool second_order = true;
};
}  // namespace

bool use_model();
bool use_model() {
#ifdef MISTAKE
  moreau::Stepper<Model, moreau::Sweeps, moreau::Timing::constant> stepper{Model{}, {}};
#else
  moreau::Stepper<Model, moreau::Exact, moreau::Timing::constant> stepper{Model{}, {}};
#endif
  return stepper.step(1e-3).advanced();
}
