// A four-bar with play in three of its four joints: cost of a step, and speed relative to real time.
// Runs on: host, target
// Instruction time: 128 ns
#include <limits>

#include <moreau/port/console.hpp>
#include <moreau/port/cycles.hpp>

#include "models/four_bar.hpp"
#include "models/four_bar_figures.hpp"
#include "page.hpp"

namespace port = moreau::port;

struct Cost {
  port::Ticks least = std::numeric_limits<port::Ticks>::max(), most = 0, all = 0;
  int steps = 0, three_closed = 0, inexact = 0;

  template <class Report>
  void add(port::Ticks ticks, const Report& report) {
    ++steps;
    least = ticks < least ? ticks : least;
    most = ticks > most ? ticks : most;
    all += ticks;
    three_closed += report.active == 3;
    inexact += report.status == moreau::Status::inexact;
  }
};

// Prints instructions on the simulated board, time elsewhere.
void print(const Cost& cost, float h) {
  const float mean = static_cast<float>(cost.all) / static_cast<float>(cost.steps);
  const float second = static_cast<float>(port::ticks_per_second);
  if (port::instructions_of(1) == 0 && port::instructions_of(100) == 0)
    port::print("  a step: ", mean * 1e9f / second, " ns, ", h / (mean / second),
                " times faster than real time at 0.1 ms");
  else
    port::print("  instructions of a step: ", port::instructions_of(cost.least), " / ",
                static_cast<std::uint32_t>(mean * 1e12f / second / 128000.0f), " / ", port::instructions_of(cost.most),
                " (least, mean, most)");
}

template <class Model>
int run(const char* name) {
  using Real = typename Model::Real;
  constexpr Real h{1e-4};  // s
  moreau::Stepper machine{Model{}, models::four_bar_start<Model>(Real(30))};
  port::Stopwatch watch;
  Cost cost;
  examples::Motion motion{machine.state};
  for (int n = 0; n < 20000; ++n) {
    watch.begin();
    const auto report = machine.step(h);
    const port::Ticks ticks = watch.end();
    motion(machine.state, report, static_cast<float>(ticks) / static_cast<float>(port::ticks_per_second));
    if (!report.advanced()) {
      port::print("step ", n, ": ", moreau::name(report.status));
      return 1;
    }
    cost.add(ticks, report);
  }
  const auto before = machine.state;
  if (!machine.step(h).advanced()) return 1;
  const auto pin = moreau::joint_output(machine.model, &Model::rocker_pin, before, machine.state);

  port::print(name, ": ", Model::dof - Model::bilaterals, " degrees of freedom, three closed in ", cost.three_closed,
              " of ", cost.steps, " steps, inexact ", cost.inexact);
  print(cost, static_cast<float>(h));
  port::print("  ", sizeof machine, " bytes; rocker pin: uses ", pin.play_used, " of its play, load ", pin.load.force.x,
              " ", pin.load.force.y, " N, dissipated in this step ", pin.dissipated, " J");
  const auto describe = [&](auto& page) {
    page.subtitle = "example 33: three pins with play, steps of 0.1 ms";
    models::four_bar_figures(page, machine.model);
  };
  return examples::page("33_four_bar", "Four-bar with play in three pins", machine.model, motion, describe) ? 0 : 1;
}

int main() {
  int failed = run<models::FourBarWithPlay<float>>("float");
#if !defined(__ARM_FP) || (__ARM_FP & 8)
  failed += run<models::FourBarWithPlay<double>>("double");
#endif
  return failed;
}
