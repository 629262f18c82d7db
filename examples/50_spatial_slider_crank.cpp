// A slider-crank in space with play in the ball joint of its crank (models/spatial_slider_crank.hpp): position error of
// the slider relative to the mechanism without play, and cost of a step.
#include <cmath>
#include <cstdio>

#include "compare.hpp"
#include "models/spatial_slider_crank.hpp"
#include "page.hpp"

namespace {

using Model = models::SpatialSliderCrank<double>;
using State = moreau::State<Model>;
constexpr double dt = 1e-5;  // s

// Position of the slider minus that without play at the same angle of the crank, m.
double error(const Model& model, const State& state) {
  const auto axis = model.pose(state, Model::crank).frame().x;
  return model.pose(state, Model::slider).r.x - model.slider_at(std::atan2(axis.y, axis.x));
}

struct Result {
  double worst = 0;  // m, during the last 0.5 s
  int impacts = 0;
  bool advanced = true;
};

// Runs 0.75 s with the given play.
Result run(double play, examples::Motion<Model>* page) {
  Model model;
  model.ball.play = play;
  moreau::Stepper<Model, moreau::Newton> machine{model, models::centred_spatial_slider_crank(model, 30.0)};
  Result result;
  for (int n = 0; n < 75000 && result.advanced; ++n) {
    const bool open = machine.state.P_N(0) == 0;
    const auto report = page ? page->step(machine, dt) : machine.step(dt);
    result.advanced = report.advanced();
    result.impacts += open && machine.state.P_N(0) > 0;
    if (n >= 25000) result.worst = std::fmax(result.worst, std::fabs(error(model, machine.state)));
  }
  return result;
}

}  // namespace

int main(int count, char** words) {
  Model model;
  examples::Motion<Model> motion{models::centred_spatial_slider_crank(model, 30.0)};
  std::printf("play of the ball, um   largest position error of the slider, um   impacts in 0.75 s\n");
  bool advanced = true;
  for (const double play : {200e-6, 100e-6, 50e-6}) {
    const Result found = run(play, play == model.ball.play ? &motion : nullptr);
    advanced = advanced && found.advanced;
    std::printf("%20.0f %42.2f %18d\n", 1e6 * play, 1e6 * found.worst, found.impacts);
  }
  const auto describe = [&](auto& page) {
    page.subtitle = "example 50: crank on a hinge, play of 0.2 mm in the ball at the crank, steps of 10 us";
    page.bodies = {"crank", "rod", "slider"};
    page.output("position error of the slider", "m", [&](const auto& q, const auto&, double) {
      State state;
      state.q = q;
      return error(model, state);
    });
  };
  const bool written = examples::page("50_spatial_slider_crank", "Spatial slider-crank with a loose ball", model,
                                      motion, describe, examples::output(count, words, ""));
  return advanced && written ? 0 : 1;
}
