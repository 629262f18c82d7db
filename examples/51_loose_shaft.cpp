// A shaft in a loose bush with thrust faces (models/loose_shaft.hpp): the load leans it between opposite ends of the bush
// while it turns; number of closed contacts, and forces of the bush.
#include <cstdio>

#include "compare.hpp"
#include "models/loose_shaft.hpp"
#include "page.hpp"

int main(int count, char** words) {
  using Model = models::LooseShaft<double>;
  constexpr double dt = 2e-5;  // s
  moreau::State<Model> start;
  moreau::Stepper<Model, moreau::Newton> machine{Model{}, start};
  examples::Motion motion{machine.state};
  int closed[11] = {}, inexact = 0;
  double sum[2] = {};  // N s, of both ends
  constexpr int steps = 20000, settled = 10000;
  for (int n = 0; n < steps; ++n) {
    const auto report = motion.step(machine, dt);
    if (!report.advanced()) return std::printf("step %d: %s\n", n, moreau::name(report.status)), 1;
    ++closed[report.active];
    inexact += report.status == moreau::Status::inexact;
    for (int i = 0; i < 2 && n >= settled; ++i) sum[i] += machine.state.P_N(i);
  }
  const auto end = machine.model.body_state(machine.state, Model::shaft);
  std::printf("0.4 s, shaft at %.1f rad/s, lean %.3f mrad; %d of %d steps inexact\n", end.omega.z,
              1e3 * std::sqrt(end.frame.z.x * end.frame.z.x + end.frame.z.y * end.frame.z.y), inexact, steps);
  const double time = (steps - settled) * dt;
  std::printf("mean forces of the bush: %.2f N at the loaded end, %.2f N at the other end\n", sum[0] / time,
              sum[1] / time);
  for (int k = 0; k < 11; ++k)
    if (closed[k] > 0) std::printf("  %d contacts closed in %d steps\n", k, closed[k]);
  const auto describe = [](auto& page) {
    page.subtitle = "example 51: play of 50 um in the bush and 100 um at the faces, load of 20 N beside the bush";
    page.bodies = {"shaft"};
  };
  return examples::page("51_loose_shaft", "Shaft in a loose bush with thrust faces", machine.model, motion, describe,
                        examples::output(count, words, ""))
             ? 0
             : 1;
}
