// Where the slider of a slider-crank is when its crank passes 110 degrees and the slider flies from
// one face of its guide to the other, against the mechanism without play, and how hard it
// hits the guide: over the tolerances of play, friction and restitution of a series.
//
//   examples/studies/run_studies.sh slider_error
#include "models/driven_slider_crank.hpp"

#include <moreau/study/commands.hpp>

using Model = models::DrivenSliderCrank<double>;

// m: along the guide, from the place at the same crank angle without play.
double error(const Model& crank, const Model::Vector& q) {
  const auto one = moreau::sincos(q(0)), two = moreau::sincos(q(1));
  const double sin_2 = -crank.l_1 * one.sin / crank.l_2;
  return crank.l_2 * (two.cos - moreau::sqrt(1 - sin_2 * sin_2));
}

int main(int count, char** words) {
  using namespace moreau::study;
  Study<Model> study{"slider_error"};
  study.dt = 2e-5, study.steps = 21'000;  // ten turns
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
