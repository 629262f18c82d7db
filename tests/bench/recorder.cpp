// What it costs to record a step for pictures: bench.recorder, in ns on this machine, without and with its time taken.
#include <chrono>
#include <cstdio>
#include <moreau/workstation/motion_recorder.hpp>
#include <vector>

#include "models/slider_crank_parts.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int steps = 1 << 20, rounds = 5;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

// The least of some rounds: other programs only ever add to it.
template <class Body>
double nanoseconds(Body body) {
  double least = HUGE_VAL;
  for (int r = 0; r < rounds; ++r) {
    const auto begin = Clock::now();
    body();
    least = std::fmin(least, seconds_since(begin) * 1e9 / steps);
  }
  return least;
}

template <class Model>
void cost(const char* what, moreau::Stepper<Model> machine) {
  const auto start = machine;
  const auto plain = [&] {
    machine = start;
    for (int n = 0; n < steps; ++n) (void)machine.step(1e-6);
  };
  const auto recorded = [&] {
    machine = start;
    moreau::workstation::MotionRecorder<Model> motion;
    for (int n = 0; n < steps; ++n) motion(machine.state, machine.step(1e-6));
  };
  const auto timed = [&] {
    machine = start;
    moreau::workstation::MotionRecorder<Model> motion;
    for (int n = 0; n < steps; ++n) (void)motion.step(machine, 1e-6);
  };
  const double alone = nanoseconds(plain), with = nanoseconds(recorded), with_time = nanoseconds(timed);
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
