// A mass with an unbalance on three feet on an oblique plane (WP96, section 7): nine dependent contact directions.
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/oblique_oscillator.hpp"
#include "page.hpp"

namespace {

using Body = models::ObliqueOscillator<double>;
constexpr double h = 1e-5;

struct Seen {
  double x = 0, y = 0, gamma = 0, sticks = 0, normal_least = 1e9;
  bool advanced = true;
};

Seen run(const Body& body, const std::string& path, examples::Motion<Body>& motion) {
  moreau::Stepper toy{body, models::state_at<Body>(body.start())};
  moreau::workstation::Csv file{
      path,
      {"t [s]", "x [m]", "y [m]", "gamma [rad]", "vx [m/s]", "vy [m/s]", "omega [rad/s]", "ax [m/s^2]", "ay [m/s^2]",
       "alpha [rad/s^2]", "N_1 [N]", "N_2 [N]", "N_3 [N]", "sticks"}};
  Seen seen;
  const long steps = std::lround(1.0 / h);
  for (long n = 0; n < steps; ++n) {
    const auto u_A = toy.state.u;
    if (!motion.step(toy, h).advanced()) return {0, 0, 0, 0, 0, false};
    const auto& s = toy.state;
    const bool sticks = std::fabs(s.u(0)) + std::fabs(s.u(1)) + std::fabs(s.u(5)) < 1e-7;
    seen.sticks += sticks ? h : 0;
    for (int i = 0; i < 3; ++i) seen.normal_least = std::fmin(seen.normal_least, s.P_N(i) / h);
    if (n % 100 != 0) continue;
    const auto acceleration = (s.u - u_A) / h;
    file.row(s.time(), s.q(0), s.q(1), s.q(5), s.u(0), s.u(1), s.u(5), acceleration(0), acceleration(1),
             acceleration(5), s.P_N(0) / h, s.P_N(1) / h, s.P_N(2) / h, sticks ? 1 : 0);
  }
  seen.x = toy.state.q(0), seen.y = toy.state.q(1), seen.gamma = toy.state.q(5);
  return seen;
}

}  // namespace

int main(int count, char** words) {
  const Body printed;
  Body rough, exchanged;
  rough.mu = 0.13;
  exchanged.mu = 0.115, exchanged.delta = 0.098;
  examples::Motion<Body> motion, not_shown, not_shown_either;
  const Seen a = run(printed, examples::output(count, words, "oblique_printed.csv"), not_shown);
  const Seen b = run(rough, examples::output(count, words, "oblique_rough.csv"), motion);
  const Seen c = run(exchanged, examples::output(count, words, "oblique_exchanged.csv"), not_shown_either);

  const examples::Comparison table(
      "Oscillator on an oblique plane, first second, h = 1e-5 s (the paper gives curves, no numbers)");
  table.row("printed data: x, m", 0.0922218067079840, a.x);
  table.row("printed data: gamma, rad", 0.0144498880641591, a.gamma);
  table.row("printed data: sticks, % of the time", 0, 100 * a.sticks);
  table.row("mu = 0.13: x, mm", 5.67627481402317670, 1000 * b.x);
  table.row("mu = 0.13: y, mm", -7.35887313603673e-2, 1000 * b.y);
  table.row("mu = 0.13: gamma, rad", 1.54144714823591e-2, b.gamma);
  table.row("mu = 0.13: sticks, % of the time", 38.597, 100 * b.sticks);
  table.row("mu = 0.115, delta = 0.098: x, mm", 4.71758616489943, 1000 * c.x);
  table.row("mu = 0.115, delta = 0.098: gamma, rad", 1.58498840315226596e-2, c.gamma);
  table.row("mu = 0.115, delta = 0.098: sticks, % of the time", 42.058, 100 * c.sticks);
  std::printf(
      "\nThe paper prints mu = 0.098 and delta = 0.115: tan(delta) = 0.1155 > mu, so the body never sticks and runs "
      "away. The motion\n"
      "of its figures needs a mu between 0.1155 and about 0.151, or a flatter plane. The least normal force of the "
      "three runs is\n"
      "%.3f N: no foot takes off. Psor needs most sweeps when the feet are about to let go, where single friction "
      "forces are not\n"
      "determined; what they do to the body is.\n",
      std::fmin(a.normal_least, std::fmin(b.normal_least, c.normal_least)));
  const auto says = [](auto& page) {
    page.subtitle = "example 16: mu 0.13, steps of 10 us";
    page.coordinates = {{"x", "m"}, {"y", "m"}, {"z", "m"}, {"alpha", "rad"}, {"beta", "rad"}, {"gamma", "rad"}};
    page.output("x", "m", [](const auto& q, const auto&, double) { return q(0); });
    page.output("x'", "m/s", [](const auto&, const auto& u, double) { return u(0); });
    page.output("gamma", "rad", [](const auto& q, const auto&, double) { return q(5); });
    const std::pair<const char*, int> plane[] = {{"x", 0}, {"y", 1}, {"gamma", 5}};
    for (const auto& [name, i] : plane) {
      const std::string is = name, second = "d²/dt² " + is;
      page.rate(second, i == 5 ? "rad/s²" : "m/s²", [i = i](const auto&, const auto& u, double) { return u(i); });
      page.figure("WP96, figure 6: " + is, {{"t"}, 0, 1}, {{is}});
      page.figure("WP96, figure 8: " + is, {{"d/dt " + is}}, {{second}}).dots = true;
    }
    page.figure("WP96, figure 7: the path", {{"x"}}, {{"y"}});
    page.phase("x", "x'");
  };
  const bool written = examples::page("16_oblique_oscillator", "Three feet on an oblique plane", rough, motion, says,
                                      examples::output(count, words, ""));
  return a.advanced && b.advanced && c.advanced && written ? 0 : 1;
}
