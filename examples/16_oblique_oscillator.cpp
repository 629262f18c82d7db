// A mass with a rotating unbalance on three feet on an oblique plane (WP96, section 7): nine linearly dependent contact
// directions.
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/oblique_oscillator.hpp"
#include "models/oblique_oscillator_figures.hpp"
#include "page.hpp"

namespace {

using Body = models::ObliqueOscillator<double>;
constexpr double h = 1e-5;  // s

struct Run {
  explicit Run(const moreau::State<Body>& start) : motion(start) {}

  examples::Motion<Body> motion;
  double x = 0, y = 0, gamma = 0, sticks = 0, least_normal_force = 1e9;  // m, m, rad, s, N
  bool advanced = true;
};

// The first second of a motion.
Run run(const Body& body, const std::string& path) {
  moreau::Stepper machine{body, models::state_at<Body>(body.start())};
  moreau::workstation::Csv file{
      path,
      {"t [s]", "x [m]", "y [m]", "gamma [rad]", "vx [m/s]", "vy [m/s]", "omega [rad/s]", "ax [m/s^2]", "ay [m/s^2]",
       "alpha [rad/s^2]", "N_1 [N]", "N_2 [N]", "N_3 [N]", "sticks"}};
  Run result{machine.state};
  for (long n = 0; n < std::lround(1.0 / h); ++n) {
    const auto u_A = machine.state.u;
    const auto report = machine.step(h);
    result.motion(machine.state, report);
    result.advanced = report.advanced();
    if (!result.advanced) break;
    const auto& s = machine.state;
    const bool sticks = std::fabs(s.u(0)) + std::fabs(s.u(1)) + std::fabs(s.u(5)) < 1e-7;
    result.sticks += sticks ? h : 0;
    for (int i = 0; i < 3; ++i) result.least_normal_force = std::fmin(result.least_normal_force, s.P_N(i) / h);
    if (n % 100 != 0) continue;
    const auto acceleration = (s.u - u_A) / h;
    file.row(s.time(), s.q(0), s.q(1), s.q(5), s.u(0), s.u(1), s.u(5), acceleration(0), acceleration(1),
             acceleration(5), s.P_N(0) / h, s.P_N(1) / h, s.P_N(2) / h, sticks ? 1 : 0);
  }
  result.x = machine.state.q(0), result.y = machine.state.q(1), result.gamma = machine.state.q(5);
  return result;
}

void compare(const Run& printed, const Run& rough, const Run& exchanged) {
  const examples::Comparison table(
      "Oscillator on an oblique plane, first second, h = 1e-5 s (the paper gives curves, no numbers)");
  table.row("data as printed: x, m", 0.0922218067079840, printed.x);
  table.row("data as printed: gamma, rad", 0.0144498880641591, printed.gamma);
  table.row("data as printed: sticking, % of the time", 0, 100 * printed.sticks);
  table.row("mu = 0.13: x, mm", 5.67627481402317670, 1000 * rough.x);
  table.row("mu = 0.13: y, mm", -7.35887313603673e-2, 1000 * rough.y);
  table.row("mu = 0.13: gamma, rad", 1.54144714823591e-2, rough.gamma);
  table.row("mu = 0.13: sticking, % of the time", 38.597, 100 * rough.sticks);
  table.row("mu = 0.115, delta = 0.098: x, mm", 4.71758616489943, 1000 * exchanged.x);
  table.row("mu = 0.115, delta = 0.098: gamma, rad", 1.58498840315226596e-2, exchanged.gamma);
  table.row("mu = 0.115, delta = 0.098: sticking, % of the time", 42.058, 100 * exchanged.sticks);
}

void explain(double least_normal_force) {
  std::printf(
      "\nThe paper prints mu = 0.098 and delta = 0.115. Since tan(delta) = 0.1155 > mu, the body never sticks and its "
      "speed grows.\n"
      "The motion of the paper's figures requires mu between 0.1155 and about 0.151, or a smaller inclination. The "
      "least normal force\n"
      "of the three runs is %.3f N: no foot lifts off. Psor needs most sweeps just before the feet slip. The friction "
      "forces of single\n"
      "feet are then not determined; their resultant is.\n",
      least_normal_force);
}

}  // namespace

int main(int count, char** words) {
  Body printed, rough, exchanged;
  rough.mu = 0.13;
  exchanged.mu = 0.115, exchanged.delta = 0.098;
  const Run a = run(printed, examples::output(count, words, "oblique_printed.csv"));
  const Run b = run(rough, examples::output(count, words, "oblique_rough.csv"));
  const Run c = run(exchanged, examples::output(count, words, "oblique_exchanged.csv"));
  compare(a, b, c);
  explain(std::fmin(a.least_normal_force, std::fmin(b.least_normal_force, c.least_normal_force)));
  const auto describe = [](auto& page) {
    page.subtitle = "example 16: mu 0.13, steps of 10 us";
    models::oblique_oscillator_figures(page);
  };
  const bool written = examples::page("16_oblique_oscillator", "Three feet on an oblique plane", rough, b.motion,
                                      describe, examples::output(count, words, ""));
  return a.advanced && b.advanced && c.advanced && written ? 0 : 1;
}
