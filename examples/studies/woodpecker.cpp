// Woodpecker with scattered friction, restitution, play and spring stiffness, a million runs: height after 0.1 s,
// largest percussion of the beak, total percussion of the lower edge, number of impacts.
//
//   build/host/examples/studies/woodpecker plan
//   build/host/examples/studies/woodpecker run && build/host/examples/studies/woodpecker merge
#include "models/woodpecker.hpp"

#include <moreau/study/commands.hpp>

using Model = models::Woodpecker<double>;

int main(int count, char** words) {
  using namespace moreau::study;
  Study<Model> study{"woodpecker"};
  study.dt = 1e-4, study.steps = 1000;
  study.sampling = sobol(1'000'000);
  study.start = [](const Model& model) { return models::state_at<Model>(model.start()); };
  study.parameter("mu", "1", uniform(0.25, 0.35), &Model::mu);
  study.parameter("eps_beak", "1", triangular(0.4, 0.5, 0.6), &Model::eps_beak);
  study.parameter("r_M", "m", normal(0.0031, 2e-5, 0.00304, 0.00316), &Model::r_M);
  study.parameter("c_phi", "N m/rad", normal(0.0056, 5e-5), &Model::c_phi);
  return commands(study, count, words, last("y", "m", [](const auto& toy) { return toy.state.q(0); }),
                  largest("P_beak", "N s", percussion(0)), total("P_lower", "N s", percussion(1)),
                  events("hits", [](const auto& toy) { return toy.contact(0).P_N > 0; }));
}
