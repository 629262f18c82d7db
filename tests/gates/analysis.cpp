// Input of the gates `analysis` and `thorough`: every header of lib/, and steps of models that together use all
// features.
#include <moreau/adapt/adaptive.hpp>
#include <moreau/check/energy_audit.hpp>
#include <moreau/check/model_checker.hpp>
#include <moreau/mechanism.hpp>
#include <moreau/moreau.hpp>

#include "models/cam_follower.hpp"
#include "models/oblique_oscillator.hpp"
#include "models/ratchet.hpp"
#include "models/slider_crank_parts.hpp"
#include "models/woodpecker.hpp"

namespace {

template <class Solver, moreau::Timing timing, class Model>
bool step(const Model& model) {
  moreau::Stepper<Model, Solver, timing> stepper{model, moreau::State<Model>{}};
  return stepper.step(typename Model::Real(1e-4)).advanced() && stepper.start_report().status == moreau::Status::ok;
}

}  // namespace

int main() {
  using moreau::Timing;
  const models::SliderCrank<float> crank;
  const models::SliderCrankFromParts<double> parts;
  bool good = step<moreau::Exact, Timing::variable>(crank) && step<moreau::Exact, Timing::constant>(crank);
  good = good && step<moreau::ClosedForms, Timing::constant>(models::Woodpecker<double>{});
  good = good && step<moreau::Sweeps, Timing::constant>(models::ObliqueOscillator<float>{});
  good = good && step<moreau::Newton, Timing::constant>(models::ObliqueOscillator<double>{});
  good = good && step<moreau::Cascade<moreau::Lemke, moreau::Psor>, Timing::variable>(parts);
  good = good && step<moreau::Exact, Timing::constant>(models::CamFollower<float>{});
  good = good && step<moreau::Exact, Timing::constant>(models::Ratchet<double>{});
  return good && step<moreau::Exact, Timing::constant>(parts) ? 0 : 1;
}
