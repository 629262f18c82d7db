// A block on a running belt, held by a spring: friction that falls with the sliding speed makes it stick and slip for
// ever (the characteristic of WP96, Fig. 1).
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/belt_oscillator.hpp"
#include "page.hpp"

int main(int count, char** words) {
  using Belt = models::BeltOscillator<double>;
  const Belt belt;
  auto start = belt.start();
  start.q(0) =
      belt.mu(0, belt.v_belt) * belt.m * belt.gravity / belt.c + 1e-3;  // beside the balance of spring and friction
  moreau::Stepper toy{belt, models::state_at<Belt>(start)};
  moreau::workstation::Csv file{examples::output(count, words, "belt_oscillator.csv"),
                                {"t [s]", "x [m]", "v [m/s]", "friction [N]", "slip_speed [m/s]", "mu"}};

  const double h = 1e-4;
  double caught = 0, period = 0, pulled_off = 0, x_caught = 0, x_pulled_off = 0;
  bool stuck = false;
  examples::Motion<Belt> motion;
  for (long n = 0; n < std::lround(20 / h); ++n) {
    if (!motion.step(toy, h).advanced()) return 1;
    const auto& s = toy.state;
    const bool sticks = s.sigma_T[0] == 0;
    if (sticks && !stuck) period = s.time() - caught, caught = s.time(), x_caught = s.q(0);
    if (!sticks && stuck) pulled_off = s.time() - caught, x_pulled_off = s.q(0);
    stuck = sticks;
    const double slip = std::fabs(s.u(0) - belt.v_belt);
    if (n % 50 == 0) file.row(s.time(), s.q(0), s.u(0), s.P_T(0, 0) / h, slip, belt.mu(0, slip));
  }

  const examples::Comparison table("Block on a belt, h = 1e-4 s (reference: Runge-Kutta between the events)");
  table.row("period of the stick-slip cycle, s", 1.72338872142, period);
  table.row("of which it sticks, s", 1.05157586183, pulled_off);
  table.row("caught at x, m", -0.00705758618346, x_caught);
  table.row("pulled off at x = mu_0 m g / c, m", belt.mu_0 * belt.m * belt.gravity / belt.c, x_pulled_off);
  const auto says = [](auto& page) {
    page.subtitle = "example 17: steps of 0.1 ms";
    page.coordinates = {{"x", "m"}, {"z", "m"}};
    page.output("x", "m", [](const auto& q, const auto&, double) { return q(0); });
    page.phase("x", "d/dt x");
  };
  const bool written =
      examples::page("17_belt_oscillator", "Block on a belt", belt, motion, says, examples::output(count, words, ""));
  return file.good() && written ? 0 : 1;
}
