// A mass falls on a table and bounces to rest (SLG08, section 10.1): infinitely many impacts in 0.68 s.
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/falling_mass.hpp"
#include "models/point_mass_figures.hpp"
#include "page.hpp"

using Ball = models::FallingMass<double>;
constexpr double h = 1e-6, t_end = 1.0;  // s

// Impact times, apex after the first impact, and the last instant above 20 g h.
struct Bounces {
  double impact[4] = {}, apex = 0, last_lift = 0;
  int impacts = 0;

  void operator()(const Ball& ball, const moreau::State<Ball>& before, const moreau::State<Ball>& after) {
    const double t = after.time(), v = after.u(0);
    if (before.u(0) < 0 && v > 0 && impacts < 4) impact[impacts++] = t;
    if (impacts == 1) apex = std::fmax(apex, after.q(0));
    if (v > 20 * ball.gravity * h) last_lift = t;
  }
};

void compare(const Ball& ball, const Bounces& bounces, double rest) {
  const double t_1 = std::sqrt(2 * ball.z_0 / ball.gravity);
  const examples::Comparison table("Falling mass, h = 1e-6 s");
  table.row("first impact, s", t_1, bounces.impact[0]);
  table.row("second impact, s", t_1 * (1 + 2 * ball.eps_N), bounces.impact[1]);
  table.row("height after the first impact, m", ball.z_0 * ball.eps_N * ball.eps_N, bounces.apex);
  table.row("accumulation of the impacts (last one above 20 g h), s", t_1 * (1 + ball.eps_N) / (1 - ball.eps_N),
            bounces.last_lift);
  table.row("height at rest, m", 0, rest);
}

int main(int count, char** words) {
  moreau::Stepper machine{Ball{}, models::state_at<Ball>(Ball{}.start())};
  moreau::workstation::Csv file{examples::output(count, words, "falling_mass.csv"),
                                {"t [s]", "z [m]", "v [m/s]", "P_N [N s]", "energy [J]"}};
  examples::Motion motion{machine.state};
  Bounces bounces;
  for (long n = 0; n < std::lround(t_end / h); ++n) {
    const auto before = machine.state;
    const auto report = machine.step(h);
    motion(machine.state, report);
    if (!report.advanced()) return 1;
    const auto& s = machine.state;
    bounces(machine.model, before, s);
    const bool hit = before.u(0) < 0 && s.u(0) > 1e-3;
    if (hit || n % 500 == 0) file.row(s.time(), s.q(0), s.u(0), hit ? s.P_N(0) : 0.0, machine.model.energy(s.q, s.u));
  }
  compare(machine.model, bounces, machine.state.q(0));
  const auto describe = [](auto& page) {
    page.subtitle = "example 10: steps of 1 us";
    models::falling_mass_figures(page);
  };
  const bool written = examples::page("10_falling_mass", "Falling mass", machine.model, motion, describe,
                                      examples::output(count, words, ""));
  return file.good() && written ? 0 : 1;
}
