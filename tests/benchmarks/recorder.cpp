// Cost of recording a step for a report: benchmarks.recorder, in ns, with and without measurement of its
// computation time.
#include <chrono>
#include <cstdio>
#include <moreau/workstation/motion_recorder.hpp>
#include <vector>

#include "models/slider_crank_parts.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int steps = 1000, rounds = 5000;  // a round is shorter than a time slice of the operating system
constexpr double dt = 1e-5;                 // s; a third of a turn in a round, with impacts

// Minimum over all rounds: other programs only add time.
template <class Model, class Body>
double nanoseconds(const moreau::Stepper<Model>& start, Body body) {
  double least = HUGE_VAL;
  for (int r = 0; r < rounds; ++r) {
    auto machine = start;
    moreau::workstation::MotionRecorder<Model> motion(steps / 2);  // reaches its capacity once and joins its frames
    const auto begin = Clock::now();
    for (int n = 0; n < steps; ++n) body(machine, motion);
    least = std::fmin(least, std::chrono::duration<double, std::nano>(Clock::now() - begin).count() / steps);
  }
  return least;
}

template <class Model>
MOREAU_NOINLINE void cost(const char* what, const moreau::Stepper<Model>& start) {
  const double alone = nanoseconds(start, [](auto& machine, auto&) { (void)machine.step(dt); });
  const double with = nanoseconds(start, [](auto& machine, auto& motion) {
    const auto report = machine.step(dt);
    motion(machine.state, report);
  });
  const double with_time = nanoseconds(start, [](auto& machine, auto& motion) { (void)motion.step(machine, dt); });
  std::printf("%-12s a step %6.1f ns, recorded %+6.1f ns, recorded with its time %+6.1f ns\n", what, alone,
              with - alone, with_time - alone);
}

}  // namespace

int main() {
  const models::SliderCrank<double> crank;
  const auto start = crank.start_tilted();
  cost("by hand",
       moreau::Stepper<models::SliderCrank<double>>{crank, models::state_at<models::SliderCrank<double>>(start)});
  using Parts = models::SliderCrankFromParts<double>;
  cost("from parts", moreau::Stepper<Parts>{Parts{models::SliderCrankParts<double>{crank}},
                                            models::from_angles(crank, start.q, start.u)});
}
