// The woodpecker toy (GS05; SLG08, section 10.4): events of the first cycle, limit cycle, figures of both papers.
#include <moreau/workstation/csv.hpp>

#include <cmath>

#include "compare.hpp"
#include "models/woodpecker.hpp"
#include "models/woodpecker_figures.hpp"
#include "page.hpp"

namespace {

using Woodpecker = models::Woodpecker<double>;

// Prints the changes of contact mode in the first cycle: Table VII of SLG08.
bool print_events(double h) {
  const Woodpecker model;
  moreau::Stepper toy{model, models::state_at<Woodpecker>(model.start())};
  std::printf("\nEvents of the first cycle, h = %g s\n%-12s %8s %8s   %s\n", h, "law", "from", "to", "t in s");
  for (long n = 0; n < std::lround(0.125 / h); ++n) {
    const auto before = toy.state;
    if (!toy.step(h).advanced()) return false;
    for (std::size_t i = 0; i < 3 && n > 0; ++i) {
      const bool was = before.sigma_N[i] == 0, is = toy.state.sigma_N[i] == 0;
      const bool stuck = before.sigma_T[i] == 0, sticks = toy.state.sigma_T[i] == 0;
      const double t = toy.state.time();
      if (was != is)
        std::printf("%-10s %zu %8s %8s   %.6f\n", "unilateral", i + 1, was ? "closed" : "open", is ? "closed" : "open",
                    t);
      if (was && is && stuck != sticks)
        std::printf("%-10s %zu %8s %8s   %.6f\n", "friction", i + 1, stuck ? "stick" : "slip",
                    sticks ? "stick" : "slip", t);
    }
  }
  return true;
}

struct Cycle {
  double period = 0, drop = 0;  // s, m
  bool advanced = true;
};

// Mean over the last 20 of `cycles` cycles, each from one sticking of the lower edge to the next. Single cycles
// alternate about the limit.
Cycle limit_cycle(double h, int cycles) {
  const Woodpecker model;
  moreau::Stepper toy{model, models::state_at<Woodpecker>(model.start())};
  double t = 0, y = 0;
  int passed = 0;
  bool stuck = false, closed = false;
  while (passed <= cycles) {
    if (!toy.step(h).advanced()) return {0, 0, false};
    const bool closes = toy.state.sigma_N[1] == 0, sticks = closes && toy.state.sigma_T[1] == 0;
    if (sticks && !stuck && closed && passed++ == cycles - 20) t = toy.state.time(), y = toy.state.q(0);
    stuck = sticks, closed = closes;
  }
  return {(toy.state.time() - t) / 20, (y - toy.state.q(0)) / 20};
}

// Height after 0.5 s; NaN if a step fails.
double height(const models::Start<double, 3>& start, double h) {
  moreau::Stepper toy{Woodpecker{}, models::state_at<Woodpecker>(start)};
  for (long n = 0; n < std::lround(0.5 / h); ++n)
    if (!toy.step(h).advanced()) return std::nan("");
  return toy.state.q(0);
}

// Table and page of the first 1.5 s.
bool write_motion(double h, const std::string& folder) {
  moreau::Stepper toy{Woodpecker{}, models::state_at<Woodpecker>(Woodpecker{}.start())};
  moreau::workstation::Csv file{folder + "woodpecker.csv",
                                {"t [s]", "y [m]", "phi_M [rad]", "phi_S [rad]", "v [m/s]", "omega_M [rad/s]",
                                 "omega_S [rad/s]", "beak", "lower", "lower_sticks", "upper"}};
  examples::Motion motion{toy.state};
  for (long n = 0; n < std::lround(1.5 / h); ++n) {
    const auto report = toy.step(h);
    motion(toy.state, report);
    if (!report.advanced()) return false;
    const auto& s = toy.state;
    const auto on = [](auto sigma) { return sigma == 0 ? 1 : 0; };
    if (n % 250 == 0 || s.sigma_N[0] == 0)
      file.row(s.time(), s.q, s.u, on(s.sigma_N[0]), on(s.sigma_N[1]), on(s.sigma_T[1]), on(s.sigma_N[2]));
  }
  const auto describe = [](auto& page) {
    page.subtitle = "example 13: steps of 1 us";
    models::woodpecker_figures_of_gs05(page);
  };
  return examples::page("13_woodpecker", "Woodpecker toy", toy.model, motion, describe, folder) && file.good();
}

}  // namespace

int main(int count, char** words) {
  const double h = 1e-6;
  if (!print_events(h)) return 1;
  const Cycle cycle = limit_cycle(2e-6, 60);
  const double y = height(Woodpecker{}.start(), h), y_as_printed = height(Woodpecker{}.start_as_printed(), h);
  const examples::Comparison table("Woodpecker");
  table.row("y at 0.5 s, start on the contact, m", -0.06261048613423, y);
  table.row("y at 0.5 s, start as printed, m", -0.0626205106811542818, y_as_printed);
  table.row("period of the limit cycle, s", 0.1459760651437518, cycle.period);
  table.row("drop per cycle, mm", 19.44537928471653, 1000 * cycle.drop);
  const bool advanced = cycle.advanced && std::isfinite(y) && std::isfinite(y_as_printed);
  return write_motion(h, examples::output(count, words, "")) && advanced ? 0 : 1;
}
