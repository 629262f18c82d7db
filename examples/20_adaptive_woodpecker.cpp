// The woodpecker with extrapolated, adjusted steps (SLG08, section 10.4): Table VII, Figure 13, and what accuracy
// costs.
#include <cmath>
#include <cstdio>
#include <moreau/port/csv.hpp>
#include <string>

#include "models/woodpecker.hpp"

namespace {

using Woodpecker = models::Woodpecker<double>;
using Options = moreau::AdaptiveOptions<double>;

// The paper's algorithm, or with everything beside it that this model allows.
Options options(double dt_min, double tolerance, bool improved) {
  Options o;
  o.dt_min = dt_min;
  o.dt_max = 3e-3;
  o.atol = o.rtol = tolerance;
  o.order_max = 8;
  if (improved) {
    o.locate = moreau::Locate::secant;
    o.pace = moreau::Pace::predicted;
    o.powers = moreau::Powers::even;
  }
  return o;
}

// Figure 13: a row per accepted step, a row per switching.
bool record(const std::string& folder) {
  const Woodpecker model;
  moreau::Stepper toy{model, models::state_at<Woodpecker>(model.start())};
  Options paper = options(1e-7, 1e-8, false);
  paper.dt_max = 5e-3;
  paper.order_max = 6;
  moreau::Adaptive run{toy, paper};
  moreau::port::Csv steps{folder + "adaptive_woodpecker.csv",
                          {"t", "dt", "order", "y", "phi_M", "phi_S", "v", "omega_M", "omega_S", "P_N_0", "P_N_1",
                           "P_N_2", "switches", "beak", "lower", "upper", "lower_sticks"}};
  moreau::port::Csv switchings{folder + "adaptive_woodpecker_switchings.csv", {"t", "contact", "phi_S", "omega_S"}};
  const auto s = run.advance_to(0.4, [&](const auto& state, const auto& step) {
    const auto closed = [&](std::size_t i) { return int(state.sigma_N[i] == 0); };
    steps.row(state.time(), step.dt, step.order, state.q, state.u, state.P_N, step.switchings.count, closed(0),
              closed(1), closed(2), int(state.sigma_T[1] == 0));
    for (const auto& w : step.switchings) {
      switchings.row(w.t, w.index + 1, state.q(2), state.u(2));
      if (w.t < 0.125)
        std::printf("%-18s %d  %6s -> %-6s  %.7f s\n", moreau::name(w.law), w.index + 1, moreau::name(w.from),
                    moreau::name(w.to), w.t);
    }
  });
  std::printf("0.4 s: %lld steps accepted, %lld rejected, %lld base steps, %lld switchings, %s\n",
              (long long)s.accepted, (long long)s.rejected, (long long)s.base_steps, (long long)s.switchings,
              moreau::name(s.status));
  return s.finished() && steps.good() && switchings.good();
}

// When the cycle sticks again: the last of its events, from the turning point on.
constexpr double sticks_again = 0.13479281872239257;

bool adaptive_cost(const std::string& path, bool improved) {
  moreau::port::Csv file{path, {"base_steps", "error"}};
  bool finished = true;
  for (double dt_min = 1e-5; dt_min > 2e-11; dt_min /= 3) {
    const Woodpecker model;
    moreau::Stepper toy{model, models::state_at<Woodpecker>(model.start_on_cycle())};
    moreau::Adaptive run{toy, options(dt_min, dt_min < 1e-9 ? 1e-10 : 0.3 * dt_min, improved)};
    double t = 0;
    const auto s = run.advance_to(0.14, [&](const auto&, const auto& step) {
      for (const auto& w : step.switchings)
        if (w.to == moreau::LawMode::stick) t = w.t;
    });
    finished = finished && s.finished();
    file.row(s.base_steps, std::abs(t - sticks_again));
    std::printf("%-9s dt_min %8.1e  %8lld base steps  error %.1e s\n", improved ? "improved" : "paper", dt_min,
                (long long)s.base_steps, std::abs(t - sticks_again));
  }
  return finished && file.good();
}

bool fixed_cost(const std::string& path) {
  moreau::port::Csv file{path, {"base_steps", "error"}};
  for (double h = 1e-4; h > 3e-7; h /= 2) {
    const Woodpecker model;
    moreau::Stepper toy{model, models::state_at<Woodpecker>(model.start_on_cycle())};
    double t = 0;
    bool slipped = false;
    const long steps = std::lround(0.14 / h);
    for (long n = 0; n < steps && t == 0; ++n) {
      if (!toy.step(h).advanced()) return false;
      const bool sticks = toy.state.sigma_T[1] == 0;
      if (double(n) * h > 0.05 && !sticks) slipped = true;
      if (slipped && sticks) t = (double(n) + 0.5) * h;
    }
    file.row(steps, std::abs(t - sticks_again));
    std::printf("fixed     h      %8.1e  %8ld base steps  error %.1e s\n", h, steps, std::abs(t - sticks_again));
  }
  return file.good();
}

}  // namespace

int main(int count, char** words) {
  const std::string folder = count > 1 ? std::string(words[1]) + "/" : "";
  const bool ok = record(folder) && fixed_cost(folder + "cost_fixed.csv") &&
                  adaptive_cost(folder + "cost_paper.csv", false) && adaptive_cost(folder + "cost_improved.csv", true);
  return ok ? 0 : 1;
}
