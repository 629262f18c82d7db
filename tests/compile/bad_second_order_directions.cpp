// Constant time requires the directions of any contact at the same cost.
// Expected message: Model declares second_order, which Timing::constant with Exact and ClosedForms supports with
#include <moreau/moreau.hpp>

#include "ball.hpp"

namespace {
struct Model : Ball<double> {
  static constexpr int contacts = 2;
  static constexpr bool second_order = true;
#ifndef MISTAKE
  static constexpr bool uniform_contacts = true;
#endif
};
}  // namespace

bool use_model();
bool use_model() {
  moreau::Stepper<Model, moreau::Exact, moreau::Timing::constant> stepper{Model{}, {}};
  return stepper.step(1e-3).advanced();
}
