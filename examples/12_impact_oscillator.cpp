// A mass on a spring hits a stop once per swing (SLG08, section 10.3).
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/impact_oscillator.hpp"
#include "page.hpp"

int main(int count, char** words) {
  using Oscillator = models::ImpactOscillator<double>;
  const Oscillator oscillator;
  moreau::Stepper toy{oscillator, models::state_at<Oscillator>(oscillator.start())};
  moreau::workstation::Csv file{examples::output(count, words, "impact_oscillator.csv"),
                                {"t [s]", "x [m]", "v [m/s]", "P_N [N s]", "energy [J]"}};

  const double h = 1e-6, t_end = 5;
  double time[3] = {}, speed[3] = {};
  int impacts = 0;
  examples::Motion<Oscillator> motion;
  for (long n = 0; n < std::lround(t_end / h); ++n) {
    const double v_A = toy.state.u(0);
    if (!motion.step(toy, h).advanced()) return 1;
    const bool hit = toy.state.sigma_N[0] == 0;
    if (hit && impacts < 3) time[impacts] = toy.state.time(), speed[impacts++] = v_A;
    if (hit || n % 2000 == 0)
      file.row(toy.state.time(), toy.state.q(0), toy.state.u(0), toy.state.P_N(0),
               oscillator.energy(toy.state.q, toy.state.u));
  }

  const examples::Comparison table(
      "Impact oscillator, h = 1e-6 s (the stop at x = 0 is an assumption: the paper leaves it out)");
  table.row("first impact, s", 0.139507679820308, time[0]);
  table.row("second impact, s", 0.456188907937245, time[1]);
  table.row("third impact, s", 0.808598071496330, time[2]);
  table.row("speed before the first impact, m/s", 4.476605857119878, speed[0]);
  table.row("speed before the third impact, m/s", 4.476605857119878 * 0.36, speed[2]);
  table.row("x at 5 s, m", -0.119902271892737, toy.state.q(0));
  table.row("v at 5 s, m/s", 2.078201219737461, toy.state.u(0));
  const auto says = [](auto& page) {
    page.subtitle = "example 12: steps of 1 us";
    page.coordinates = {{"x", "m"}};
    page.output("x", "m", [](const auto& q, const auto&, double) { return q(0); });
    page.figure("SLG08, figure 12(b): percussions", {{"t"}, 0, 5}, {{"percussion of stop"}, 0, 0.8});
    page.figure("SLG08, figure 12(c): position", {{"t"}, 0, 5}, {{"x"}, -0.6, 0.1});
    page.figure("SLG08, figure 12(d): velocity", {{"t"}, 0, 5}, {{"d/dt x"}, -6, 6});
    page.phase("x", "d/dt x");
  };
  const bool written = examples::page("12_impact_oscillator", "Impact oscillator", oscillator, motion, says,
                                      examples::output(count, words, ""));
  return file.good() && written ? 0 : 1;
}
