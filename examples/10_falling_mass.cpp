// A mass falls on a table and bounces to rest (SLG08, section 10.1): infinitely many impacts in 0.68 s.
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/falling_mass.hpp"
#include "page.hpp"

int main(int count, char** words) {
  using Ball = models::FallingMass<double>;
  const Ball ball;
  moreau::Stepper toy{ball, models::state_at<Ball>(ball.start())};
  moreau::workstation::Csv file{examples::output(count, words, "falling_mass.csv"),
                                {"t [s]", "z [m]", "v [m/s]", "P_N [N s]", "energy [J]"}};

  const double h = 1e-6, t_end = 1.0;
  double impact[4] = {}, apex = 0, last_lift = 0;
  int impacts = 0;
  examples::Motion<Ball> motion;
  for (long n = 0; n < std::lround(t_end / h); ++n) {
    const double v_A = toy.state.u(0);
    if (!motion.step(toy, h).advanced()) return 1;
    const double t = toy.state.time(), z = toy.state.q(0), v = toy.state.u(0);
    if (v_A < 0 && v > 0 && impacts < 4) impact[impacts++] = t;
    if (impacts == 1) apex = std::fmax(apex, z);
    if (v > 20 * ball.gravity * h) last_lift = t;
    const bool hit = v_A < 0 && v > 1e-3;
    if (hit || n % 500 == 0) file.row(t, z, v, hit ? toy.state.P_N(0) : 0.0, ball.energy(toy.state.q, toy.state.u));
  }

  const double t_1 = std::sqrt(2 * ball.z_0 / ball.gravity);
  const examples::Comparison table("Falling mass, h = 1e-6 s");
  table.row("first impact, s", t_1, impact[0]);
  table.row("second impact, s", t_1 * (1 + 2 * ball.eps_N), impact[1]);
  table.row("height after the first impact, m", ball.z_0 * ball.eps_N * ball.eps_N, apex);
  table.row("accumulation of the impacts (last one above 20 g h), s", t_1 * (1 + ball.eps_N) / (1 - ball.eps_N),
            last_lift);
  table.row("height at rest, m", 0, toy.state.q(0));
  const auto says = [](auto& page) {
    page.subtitle = "example 10: steps of 1 us";
    page.coordinates = {{"z", "m"}};
    page.output("z", "m", [](const auto& q, const auto&, double) { return q(0); });
    page.figure("SLG08, figure 10(c)", {{"t"}, 0, 1}, {{"z"}, 0, 0.07});
    page.figure("SLG08, figure 10(d)", {{"t"}, 0, 1}, {{"d/dt z"}, -1.3, 1});
  };
  const bool written =
      examples::page("10_falling_mass", "Falling mass", ball, motion, says, examples::output(count, words, ""));
  return file.good() && written ? 0 : 1;
}
