// Tolerance study of a slider-crank in space (models/spatial_slider_crank.hpp): position error of the slider against the
// mechanism with nominal lengths and without play, at a crank angle of 90 degrees. The play of the ball, its friction and
// restitution, the lengths of crank and rod and the height of the guide vary.
//
//   build/host/examples/studies/spatial_slider_error run      then: quantiles, worst
#include <cmath>
#include <moreau/study/commands.hpp>

#include "models/spatial_slider_crank.hpp"

using Model = models::SpatialSliderCrank<double>;
using Parts = models::SpatialSliderCrankParts<double>;

// Direction of the crank.
moreau::spatial::Point<double> crank(const Model& model, const moreau::State<Model>& state) {
  return model.pose(state, Model::crank).frame().x;
}

// Slider minus nominal slider at the same angle of the crank, m.
double error(const Model& model, const moreau::State<Model>& state) {
  const auto axis = crank(model, state);
  return model.pose(state, Model::slider).r.x - model.slider_at(std::atan2(axis.y, axis.x));
}

int main(int count, char** words) {
  using namespace moreau::study;
  Study<Model> study{"spatial_slider_error"};
  study.dt = 1e-5, study.steps = 20'000;  // one turn
  study.sampling = sobol(256);
  study.start = [](const Model& model) {
    auto start = models::centred_spatial_slider_crank(model, 40.0);
    (void)moreau::close_joints(model, start);
    return start;
  };
  study.parameter("play", "m", triangular(0.05e-3, 0.1e-3, 0.2e-3), [](Model& m, double x) { m.ball.play = x; });
  study.parameter("mu", "1", uniform(0.05, 0.15), [](Model& m, double x) { m.ball.law.mu = x; });
  study.parameter("eps_N", "1", uniform(0.3, 0.5), [](Model& m, double x) { m.ball.law.eps_N = x; });
  study.parameter("r", "m", normal(Parts::r, 1e-5), [](Model& m, double x) { m.ball.on_A.x = x; });
  study.parameter("l", "m", normal(Parts::l, 2e-5), [](Model& m, double x) { m.wrist.on_A.x = x - Parts::l / 2; });
  study.parameter("height", "m", normal(Parts::above + Parts::z, 2e-5), [](Model& m, double x) { m.guide.on_A.z = x; });
  const auto past_90_degrees = [](const auto& machine) { return -crank(machine.model, machine.state).x; };
  return commands(
      study, count, words,
      section(
          "error", "m", past_90_degrees, [](const auto& machine) { return error(machine.model, machine.state); }, 1),
      largest("P_N", "N s", hardest_percussion()));
}
