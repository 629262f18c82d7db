// A study as it should not be: its numbers come from the environment, and from whatever is in the machine's memory if that is
// asked for; some of its runs cannot start, others fail. commands.py looks at what the program says of that.
#include <moreau/study/commands.hpp>

#include <cstdlib>

#include "studies/swing.hpp"

int main(int count, char** words) {
  using namespace moreau::study;
  const auto from_environment = [](const char* name) {
    const char* text = std::getenv(name);
    return text ? std::atof(text) : 0;
  };
  Study<Swing> study{"swing"};
  study.dt = 1e-3, study.steps = 100;
  study.sampling = latin(20);
  study.model.gravity = from_environment("GRAVITY");
  study.start = [](const Swing&) {
    moreau::State<Swing> s{};
    s.q(0) = 0.5;
    return s;
  };
  study.parameter("c", "N/m", grid(1, 3, 3), &Swing::stiffness);
  study.parameter("m", "kg", uniform(0.5, 1), &Swing::mass_);
  study.parameter("floor", "m", grid({-10, 0.6}), &Swing::floor);  // the second one is above the mass
  study.parameter("eps", "1", list({0.5, 2}), &Swing::eps);        // the second one is no restitution
  const double noise = from_environment("NOISE");
  return commands(study, count, words, last("q", "m", [noise](const auto& s) {
                    return s.state.q(0) + (s.model.stiffness > 1 ? noise : 0);  // the first runs do not show it
                  }));
}
