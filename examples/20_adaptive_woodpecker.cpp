// The woodpecker with extrapolated, adjusted steps (SLG08, section 10.4): the incidents of Table VII and Figure 13.
#include <cstdio>
#include <moreau/workstation/adaptive_log.hpp>
#include <moreau/workstation/watch.hpp>

#include "compare.hpp"
#include "models/woodpecker.hpp"

int main(int count, char** words) {
  using Woodpecker = models::Woodpecker<double>;
  const Woodpecker model;
  moreau::Stepper toy{model, models::state_at<Woodpecker>(model.start())};

  auto options = moreau::AdaptiveOptions<double>::paper();
  options.dt_min = 1e-7;
  options.dt_max = 5e-3;
  options.order_max = 6;
  options.atol = options.rtol = 1e-8;
  moreau::Adaptive run{toy, options};

  moreau::workstation::AdaptiveLog<Woodpecker> steps{examples::output(count, words, "adaptive_woodpecker.csv"),
                                                     {"y [m]", "phi_M [rad]", "phi_S [rad]"}};
  moreau::workstation::Csv points{examples::output(count, words, "adaptive_woodpecker_switchings.csv"),
                                  {"t [s]", "phi_S [rad]", "omega_M [rad/s]", "omega_S [rad/s]"}};
  const auto record = [&](const auto& state, const auto& step) {
    steps(state, step);
    for (const auto& w : step.switchings) {
      points.row(w.t, state.q(2), state.u(1), state.u(2));
      if (w.t < 0.125)
        std::printf("%-18s %d  %6s -> %-6s  %.7f s\n", moreau::name(w.law), w.index + 1, moreau::name(w.from),
                    moreau::name(w.to), w.t);
    }
  };
  const auto summary = run.advance_to(0.4, record, moreau::workstation::Watch{});  // Ctrl-C ends it with a valid record
  std::printf("0.4 s: %lld steps accepted, %lld rejected, %lld base steps, %lld switchings, %s\n",
              (long long)summary.accepted, (long long)summary.rejected, (long long)summary.base_steps,
              (long long)summary.switchings, moreau::name(summary.status));
  return summary.finished() && steps.good() && points.good() ? 0 : 1;
}
