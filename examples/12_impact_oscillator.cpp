// A mass on a spring hits a stop once per oscillation (SLG08, section 10.3).
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/impact_oscillator.hpp"
#include "models/point_mass_figures.hpp"
#include "page.hpp"

using Oscillator = models::ImpactOscillator<double>;
constexpr double h = 1e-6, t_end = 5;  // s

void compare(const double (&time)[3], const double (&speed)[3], const moreau::State<Oscillator>& end) {
  const examples::Comparison table(
      "Impact oscillator, h = 1e-6 s (assumption: stop at x = 0; the paper does not give its position)");
  table.row("first impact, s", 0.139507679820308, time[0]);
  table.row("second impact, s", 0.456188907937245, time[1]);
  table.row("third impact, s", 0.808598071496330, time[2]);
  table.row("speed before the first impact, m/s", 4.476605857119878, speed[0]);
  table.row("speed before the third impact, m/s", 4.476605857119878 * 0.36, speed[2]);
  table.row("x at 5 s, m", -0.119902271892737, end.q(0));
  table.row("v at 5 s, m/s", 2.078201219737461, end.u(0));
}

int main(int count, char** words) {
  moreau::Stepper machine{Oscillator{}, models::state_at<Oscillator>(Oscillator{}.start())};
  moreau::workstation::Csv file{examples::output(count, words, "impact_oscillator.csv"),
                                {"t [s]", "x [m]", "v [m/s]", "P_N [N s]", "energy [J]"}};
  double time[3] = {}, speed[3] = {};
  int impacts = 0;
  examples::Motion motion{machine.state};
  for (long n = 0; n < std::lround(t_end / h); ++n) {
    const double v_A = machine.state.u(0);
    const auto report = machine.step(h);
    motion(machine.state, report);
    if (!report.advanced()) return 1;
    const auto& s = machine.state;
    const bool hit = s.sigma_N[0] == 0;
    if (hit && impacts < 3) time[impacts] = s.time(), speed[impacts++] = v_A;
    if (hit || n % 2000 == 0) file.row(s.time(), s.q(0), s.u(0), s.P_N(0), machine.model.energy(s.q, s.u));
  }
  compare(time, speed, machine.state);
  const auto describe = [](auto& page) {
    page.subtitle = "example 12: steps of 1 us";
    models::impact_oscillator_figures(page);
    page.phase("x", "d/dt x");
  };
  const bool written = examples::page("12_impact_oscillator", "Impact oscillator", machine.model, motion, describe,
                                      examples::output(count, words, ""));
  return file.good() && written ? 0 : 1;
}
