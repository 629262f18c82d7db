// Hop period of the woodpecker toy over the friction coefficient: irregular motion at low friction, then period-1, then
// period-2 motion. A hop is the time between two passages of phi_S = -0.35 rad; the last 24 hops are recorded, after
// the transient.
//
//   examples/studies/run_studies.sh period_doubling
#include "models/woodpecker.hpp"

#include <moreau/study/commands.hpp>

using Model = models::Woodpecker<double>;

int main(int count, char** words) {
  using namespace moreau::study;
  Study<Model> study{"period_doubling"};
  study.dt = 2e-5, study.steps = 1'800'000;
  study.start = [](const Model& model) { return models::state_at<Model>(model.start()); };
  study.parameter("mu", "1", grid(0.275, 0.5, 151), &Model::mu);
  return commands(study, count, words,
                  cycles(
                      "T", [](const auto& toy) { return toy.state.q(2) + 0.35; }, 24));
}
