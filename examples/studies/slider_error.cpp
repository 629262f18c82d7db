// Tolerance study of a slider-crank: position error of the slider against the mechanism without play at a crank angle
// of 110 degrees, where the slider moves freely between the faces of its guide, and largest percussion in the guide.
// Play, friction and restitution vary.
//
//   examples/studies/run_studies.sh slider_error
#include "models/driven_slider_crank.hpp"

#include <moreau/study/commands.hpp>

using Model = models::DrivenSliderCrank<double>;

// Position error along the guide relative to the mechanism without play at the same crank angle, m.
double error(const Model& crank, const Model::Vector& q) {
  const auto one = moreau::sincos(q(0)), two = moreau::sincos(q(1));
  const double sin_2 = -crank.l_1 * one.sin / crank.l_2;
  return crank.l_2 * (two.cos - moreau::sqrt(1 - sin_2 * sin_2));
}

int main(int count, char** words) {
  using namespace moreau::study;
  Study<Model> study{"slider_error"};
  study.dt = 2e-5, study.steps = 21'000;  // 10 turns
  study.sampling = sobol(4096);
  study.start = [](const Model& crank) { return models::state_at<Model>(crank.start()); };
  study.parameter("play", "m", triangular(0.1e-3, 0.2e-3, 0.4e-3), &Model::play);
  study.parameter("mu", "1", uniform(0.01, 0.12), &Model::mu);
  study.parameter("eps_N", "1", normal(0.4, 0.05, 0.2, 0.6), &Model::eps_N);
  const auto past_110_degrees = [](const auto& machine) {
    return moreau::sin(machine.state.q(0) - moreau::pi<double> * 110 / 180);
  };
  return commands(
      study, count, words,
      section(
          "error", "m", past_110_degrees, [](const auto& machine) { return error(machine.model, machine.state.q); }, 8),
      largest("P_N", "N s", hardest_percussion()));
}
