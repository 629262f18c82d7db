// Planar friction rotates with the velocity, so that steps are not symmetric.
// Expected message: Model declares symmetric_steps, but spatial friction changes its direction with the velocity
#include <moreau/moreau.hpp>

#include "models/sliding_mass.hpp"

namespace {
struct Model : models::SlidingMass<double> {
#ifdef MISTAKE
  static constexpr bool symmetric_steps = true;
#else
  static constexpr bool symmetric_steps = false;
#endif
};
}  // namespace

bool use_model();
bool use_model() {
  moreau::Stepper<Model> stepper{Model{}, {}};
  moreau::Adaptive run{stepper};
  return run.advance_to(1).finished();
}
