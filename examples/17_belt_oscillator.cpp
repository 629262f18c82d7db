// A block on a running belt, held by a spring: friction that falls with the sliding speed causes a permanent stick-slip
// cycle (characteristic of WP96, Fig. 1).
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/belt_oscillator.hpp"
#include "page.hpp"

using Belt = models::BeltOscillator<double>;
constexpr double h = 1e-4;  // s

// Transitions between sticking and slipping, s and m.
struct Cycle {
  double caught = 0, period = 0, pulled_off = 0, x_caught = 0, x_pulled_off = 0;
  bool sticks = false;

  void operator()(const moreau::State<Belt>& s) {
    const bool stuck = sticks;
    sticks = s.sigma_T[0] == 0;
    if (sticks && !stuck) period = s.time() - caught, caught = s.time(), x_caught = s.q(0);
    if (!sticks && stuck) pulled_off = s.time() - caught, x_pulled_off = s.q(0);
  }
};

void compare(const Belt& belt, const Cycle& cycle) {
  const examples::Comparison table("Block on a belt, h = 1e-4 s (reference: Runge-Kutta between the events)");
  table.row("period of the stick-slip cycle, s", 1.72338872142, cycle.period);
  table.row("duration of sticking, s", 1.05157586183, cycle.pulled_off);
  table.row("sticking begins at x, m", -0.00705758618346, cycle.x_caught);
  table.row("sticking ends at x = mu_0 m g / c, m", belt.mu_0 * belt.m * belt.gravity / belt.c, cycle.x_pulled_off);
}

int main(int count, char** words) {
  const Belt belt;
  auto start = belt.start();
  start.q(0) = belt.mu(0, belt.v_belt) * belt.m * belt.gravity / belt.c + 1e-3;  // 1 mm from the equilibrium, m
  moreau::Stepper machine{belt, models::state_at<Belt>(start)};
  moreau::workstation::Csv file{examples::output(count, words, "belt_oscillator.csv"),
                                {"t [s]", "x [m]", "v [m/s]", "friction [N]", "slip_speed [m/s]", "mu"}};
  Cycle cycle;
  examples::Motion motion{machine.state};
  for (long n = 0; n < std::lround(20 / h); ++n) {
    const auto report = machine.step(h);
    motion(machine.state, report);
    if (!report.advanced()) return 1;
    const auto& s = machine.state;
    cycle(s);
    const double slip = std::fabs(s.u(0) - belt.v_belt);
    if (n % 50 == 0) file.row(s.time(), s.q(0), s.u(0), s.P_T(0, 0) / h, slip, belt.mu(0, slip));
  }
  compare(belt, cycle);
  const auto describe = [](auto& page) {
    page.subtitle = "example 17: steps of 0.1 ms";
    page.coordinates = {{"x", "m"}, {"z", "m"}};
    page.output("x", "m", [](const auto& q, const auto&, double) { return q(0); });
    page.phase("x", "d/dt x");
  };
  const bool written = examples::page("17_belt_oscillator", "Block on a belt", belt, motion, describe,
                                      examples::output(count, words, ""));
  return file.good() && written ? 0 : 1;
}
