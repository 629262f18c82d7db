// Driven slider-crank over restitution and play: impacts per turn, and difference between successive turns. The last
// ten of 20 turns count.
//
//   examples/studies/run_studies.sh rattle_map
#include "models/driven_slider_crank.hpp"

#include <moreau/study/commands.hpp>

using Model = models::DrivenSliderCrank<double>;

int main(int count, char** words) {
  using namespace moreau::study;
  Study<Model> study{"rattle_map"};
  study.dt = 2e-5, study.steps = 42'000;  // 20 turns
  study.start = [](const Model& crank) {
    auto state = models::state_at<Model>(crank.start());
    state.q(2) = 0.2 * crank.play / crank.a;  // tilted: the corners hit one after the other
    return state;
  };
  study.parameter("eps_N", "1", grid(0, 0.9, 37), &Model::eps_N);
  study.parameter("play", "m", grid(0.05e-3, 1.5e-3, 30), &Model::play);
  const auto a_turn = [](const auto& machine) { return moreau::sin(machine.state.q(0) - moreau::pi<double> / 2); };
  const auto height = [](const auto& machine) {
    const Model& crank = machine.model;
    return crank.l_1 * moreau::sin(machine.state.q(0)) + crank.l_2 * moreau::sin(machine.state.q(1));
  };
  constexpr double least = 2e-3;  // N s; the percussion of a resting face per step is below a quarter of it
  const auto hit = [least](const auto& machine) {
    return hardest_percussion()(machine) > least && machine.state.time() > 0.42;
  };
  return commands(study, count, words, section("h", "m", a_turn, height, 9), events("hits", hit));
}
