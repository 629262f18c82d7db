// The woodpecker toy (GS05; SLG08, section 10.4): one cycle's incidents, the limit cycle, the figures of both papers.
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/woodpecker.hpp"
#include "page.hpp"

namespace {

using Woodpecker = models::Woodpecker<double>;
const char* law_of[] = {"unilateral", "friction"};

// Prints what changes in the first cycle: Table VII of SLG08.
bool incidents(double h) {
  const Woodpecker model;
  moreau::Stepper toy{model, models::state_at<Woodpecker>(model.start())};
  std::printf("\nIncidents of the first cycle, h = %g s\n%-12s %8s %8s   %s\n", h, "contact", "from", "to", "t in s");
  for (long n = 0; n < std::lround(0.125 / h); ++n) {
    const auto before = toy.state;
    if (!toy.step(h).advanced()) return false;
    for (std::size_t i = 0; i < 3 && n > 0; ++i) {
      const bool was = before.sigma_N[i] == 0, is = toy.state.sigma_N[i] == 0;
      const bool stuck = before.sigma_T[i] == 0, sticks = toy.state.sigma_T[i] == 0;
      const double t = toy.state.time();
      if (was != is)
        std::printf("%-10s %zu %8s %8s   %.6f\n", law_of[0], i + 1, was ? "closed" : "open", is ? "closed" : "open", t);
      if (was && is && stuck != sticks)
        std::printf("%-10s %zu %8s %8s   %.6f\n", law_of[1], i + 1, stuck ? "stick" : "slip", sticks ? "stick" : "slip",
                    t);
    }
  }
  return true;
}

struct Cycle {
  double period = 0, drop = 0;
  bool advanced = true;
};

// Mean of the last 20 of `cycles` cycles, from sticking to sticking of the lower edge: they alternate about the limit.
Cycle limit_cycle(double h, int cycles) {
  const Woodpecker model;
  moreau::Stepper toy{model, models::state_at<Woodpecker>(model.start())};
  double t = 0, y = 0;
  int seen = 0;
  bool stuck = false, closed = false;
  while (seen <= cycles) {
    if (!toy.step(h).advanced()) return {0, 0, false};
    const bool closes = toy.state.sigma_N[1] == 0, sticks = closes && toy.state.sigma_T[1] == 0;
    if (sticks && !stuck && closed && seen++ == cycles - 20) t = toy.state.time(), y = toy.state.q(0);
    stuck = sticks, closed = closes;
  }
  return {(toy.state.time() - t) / 20, (y - toy.state.q(0)) / 20};
}

}  // namespace

int main(int count, char** words) {
  const Woodpecker model;
  moreau::workstation::Csv file{examples::output(count, words, "woodpecker.csv"),
                                {"t [s]", "y [m]", "phi_M [rad]", "phi_S [rad]", "v [m/s]", "omega_M [rad/s]",
                                 "omega_S [rad/s]", "beak", "lower", "lower_sticks", "upper"}};
  moreau::Stepper toy{model, models::state_at<Woodpecker>(model.start())};
  const double h = 1e-6;
  examples::Motion<Woodpecker> motion;
  double y_half = 0, y_literal = 0;
  for (long n = 0; n < 1500000; ++n) {
    if (!motion.step(toy, h).advanced()) return 1;
    if (n == 499999) y_half = toy.state.q(0);
    const auto& s = toy.state;
    const auto on = [](auto sigma) { return sigma == 0 ? 1 : 0; };
    const bool impact = s.sigma_N[0] == 0;
    if (n % 250 == 0 || impact)
      file.row(s.time(), s.q, s.u, on(s.sigma_N[0]), on(s.sigma_N[1]), on(s.sigma_T[1]), on(s.sigma_N[2]));
  }
  moreau::Stepper printed{model, models::state_at<Woodpecker>(model.start_as_printed())};
  for (long n = 0; n < 500000; ++n)
    if (!printed.step(h).advanced()) return 1;
  y_literal = printed.state.q(0);

  if (!incidents(h)) return 1;
  const Cycle cycle = limit_cycle(2e-6, 60);
  const examples::Comparison table("Woodpecker");
  table.row("y at 0.5 s, start on the contact, m", -0.06261048613423, y_half);
  table.row("y at 0.5 s, start as printed, m", -0.0626205106811542818, y_literal);
  table.row("period of the limit cycle, s", 0.1459760651437518, cycle.period);
  table.row("drop per cycle, mm", 19.44537928471653, 1000 * cycle.drop);
  const auto says = [](auto& page) {
    page.subtitle = "example 13: steps of 1 us";
    page.coordinates = {{"y", "m"}, {"phi_M", "rad"}, {"phi_S", "rad"}};
    page.output("angle of the woodpecker phi_S", "rad", [](const auto& q, const auto&, double) { return q(2); });
    page.output("angle of the sleeve phi_M", "rad", [](const auto& q, const auto&, double) { return q(1); });
    page.output("height y", "m", [](const auto& q, const auto&, double) { return q(0); });
    page.figure("GS05, figure 4: woodpecker", {{"t"}, 0, 1.5}, {{"phi_S"}});
    page.figure("GS05, figure 4: its speed", {{"t"}, 0, 1.5}, {{"d/dt phi_S"}});
    page.figure("GS05, figure 5: sleeve", {{"t"}, 0, 1.5}, {{"phi_M"}});
    page.figure("GS05, figure 5: its speed", {{"t"}, 0, 1.5}, {{"d/dt phi_M"}});
    page.figure("GS05, figure 6: limit cycle", {{"phi_S"}}, {{"d/dt phi_S"}});
    page.figure("GS05, figure 6: of the sleeve", {{"phi_M"}}, {{"d/dt phi_M"}});
    page.phase("phi_S", "d/dt phi_S");
    page.phase("phi_M", "d/dt phi_M");
  };
  const bool written =
      examples::page("13_woodpecker", "Woodpecker toy", model, motion, says, examples::output(count, words, ""));
  return cycle.advanced && file.good() && written ? 0 : 1;
}
