// A four-bar with play in three of its four joints: what a step costs, and how much faster than real time that is.
// Runs on: host, target
// Instruction time: 128 ns
#include <limits>

#include <moreau/port/console.hpp>
#include <moreau/port/cycles.hpp>

#include "models/four_bar.hpp"
#include "page.hpp"

template <class Model>
int run(const char* name) {
  using Real = typename Model::Real;
  constexpr Real h{1e-4};
  constexpr int steps = 20000;
  moreau::Stepper machine{Model{}, models::four_bar_start<Model>(Real(30))};
  moreau::port::Stopwatch watch;
  moreau::port::Ticks least = std::numeric_limits<moreau::port::Ticks>::max(), most = 0, all = 0;
  int three_closed = 0, inexact = 0;
  examples::Motion<Model> motion;
  for (int n = 0; n < steps; ++n) {
    watch.begin();
    const auto report = machine.step(h);
    const auto ticks = watch.end();
    motion(machine.state, report, static_cast<float>(ticks) / static_cast<float>(moreau::port::ticks_per_second));
    if (!report.advanced()) {
      moreau::port::print("step ", n, ": ", moreau::name(report.status));
      return 1;
    }
    least = ticks < least ? ticks : least;
    most = ticks > most ? ticks : most;
    all += ticks;
    three_closed += report.active == 3;
    inexact += report.status == moreau::Status::inexact;
  }
  const auto& model = machine.model;
  const auto before = machine.state;
  if (!machine.step(h).advanced()) return 1;
  const auto pin = moreau::joint_output(model, &Model::rocker_pin, before, machine.state);

  moreau::port::print(name, ": ", Model::dof - Model::bilaterals, " degrees of freedom, three closed in ", three_closed,
                      " of ", steps, " steps, inexact ", inexact);
  const float mean = static_cast<float>(all) / static_cast<float>(steps);
  const float seconds = mean / static_cast<float>(moreau::port::ticks_per_second);
  if (const std::uint32_t one = moreau::port::instructions_of(1); one == 0 && moreau::port::instructions_of(100) == 0)
    moreau::port::print("  a step: ", mean * 1e9f / static_cast<float>(moreau::port::ticks_per_second), " ns, ",
                        static_cast<float>(h) / seconds, " times faster than real time at 0.1 ms");
  else
    moreau::port::print(
        "  instructions of a step: ", moreau::port::instructions_of(least), " / ",
        static_cast<std::uint32_t>(mean * 1e12f / static_cast<float>(moreau::port::ticks_per_second) / 128000.0f),
        " / ", moreau::port::instructions_of(most), " (least, mean, most)");
  moreau::port::print("  ", sizeof machine, " bytes; rocker pin: uses ", pin.play_used, " of its play, load ",
                      pin.load.force.x, " ", pin.load.force.y, " N, lost in this step ", pin.dissipated, " J");
  const auto says = [&](auto& page) {
    page.subtitle = "example 33: three loose pins, steps of 0.1 ms";
    page.bodies = {"crank", "coupler", "rocker"};
    page.contacts = {"crank pin", "rocker pin", "pivot"};
    page.output("angle of the rocker", "rad", [](const auto& q, const auto&, double) { return q(8); });
    // Where the pin of the rocker is in its bearing, as the coupler sees it.
    const double on_coupler = double(model.rocker_pin.on_A.x), on_rocker = double(model.rocker_pin.on_B.x);
    const auto leans = [=](const auto& q) {
      const auto coupler = moreau::Frame<double>::at({q(3), q(4)}, q(5)),
                 rocker = moreau::Frame<double>::at({q(6), q(7)}, q(8));
      return coupler.turn_back(rocker.world({on_rocker, 0}) - coupler.world({on_coupler, 0}));
    };
    page.quantity("pin, along the coupler", "m", [=](const auto& q, const auto&, double) { return leans(q).x; });
    page.quantity("pin, across it", "m", [=](const auto& q, const auto&, double) { return leans(q).y; });
    page.figure("Rocker pin in its bearing", {{"pin, along the coupler"}, -6e-4, 6e-4},
                {{"pin, across it"}, -6e-4, 6e-4});
    page.figure("Loads of the pins", {{"t"}, 1.8, 2},
                {{"force on crank pin", "force on rocker pin", "force on pivot"}});
  };
  return examples::page("33_four_bar", "Four-bar with play in three pins", model, motion, says) ? 0 : 1;
}

int main() {
  int failed = run<models::FourBarWithPlay<float>>("float");
#if !defined(__ARM_FP) || (__ARM_FP & 8)
  failed += run<models::FourBarWithPlay<double>>("double");
#endif
  return failed;
}
