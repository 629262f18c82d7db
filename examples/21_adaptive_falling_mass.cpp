// The falling mass with adjusted steps (SLG08, section 10.1, Figures 9 and 10): after infinitely many impacts the step
// grows again - but only where a closed contact is extrapolated from odd numbers of substeps.
#include <cmath>
#include <cstdio>
#include <moreau/workstation/adaptive_log.hpp>

#include "compare.hpp"
#include "models/falling_mass.hpp"

namespace {

using Ball = models::FallingMass<double>;

struct Run {
  double dt = 0, speed = 0;  // the largest, after the accumulation of the impacts
  bool good = false;
};

Run fall(moreau::Substeps substeps, const std::string& path) {
  const Ball ball;
  moreau::Stepper toy{ball, models::state_at<Ball>(ball.start())};
  auto options = moreau::AdaptiveOptions<double>::paper();
  options.dt_min = 1e-5;
  options.dt_max = 0.05;
  options.atol = options.rtol = 1e-8;
  options.substeps = substeps;
  moreau::Adaptive run{toy, options};
  moreau::workstation::AdaptiveLog<Ball> table{path, {"z [m]"}};
  Run seen;
  const auto summary = run.advance_to(1.2, [&](const auto& state, const auto& step) {
    table(state, step);
    if (state.time() < 0.7) return;
    seen.dt = std::fmax(seen.dt, step.dt);
    seen.speed = std::fmax(seen.speed, std::abs(state.u(0)));
  });
  std::printf("%-12s substeps: %6lld base steps, status %s\n",
              substeps == moreau::Substeps::odd ? "1 3 5 7" : "1 2 3 4", (long long)summary.base_steps,
              moreau::name(summary.status));
  seen.good = summary.finished() && table.good();
  return seen;
}

}  // namespace

int main(int count, char** words) {
  const Run odd = fall(moreau::Substeps::odd, examples::output(count, words, "adaptive_fall_odd.csv"));
  const Run every = fall(moreau::Substeps::every, examples::output(count, words, "adaptive_fall_every.csv"));
  const examples::Comparison table("Falling mass, dt_min = 10 us, dt_max = 50 ms, after the accumulation at 0.677 s");
  table.row("1 3 5 7 substeps: largest step, s", 0.05, odd.dt);
  table.row("1 3 5 7 substeps: largest velocity, m/s", 0, odd.speed);
  table.row("1 2 3 4 substeps: largest step, s", 0.05, every.dt);
  table.row("1 2 3 4 substeps: largest velocity, m/s", 0, every.speed);
  return odd.good && every.good ? 0 : 1;
}
