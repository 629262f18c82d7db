// The falling mass with adjusted steps (SLG08, section 10.1, Figures 9 and 10): after infinitely many impacts the step
// grows again - but only where a closed contact is extrapolated from odd numbers of substeps.
#include <cmath>
#include <cstdio>
#include <moreau/workstation/adaptive_log.hpp>

#include "compare.hpp"
#include "models/falling_mass.hpp"
#include "page.hpp"

namespace {

using Ball = models::FallingMass<double>;

struct Run {
  double dt = 0, speed = 0;  // the largest, after the accumulation of the impacts
  bool good = false;
};

Run fall(moreau::Substeps substeps, const std::string& path, examples::Motion<Ball>& motion) {
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
  motion.start(toy.state);
  const auto summary = run.advance_to(1.2, [&](const auto& state, const auto& step) {
    table(state, step);
    motion(state, step);
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
  examples::Motion<Ball> smooth, shaking;
  const Run odd = fall(moreau::Substeps::odd, examples::output(count, words, "adaptive_fall_odd.csv"), smooth);
  const Run every = fall(moreau::Substeps::every, examples::output(count, words, "adaptive_fall_every.csv"), shaking);
  const examples::Comparison table("Falling mass, dt_min = 10 us, dt_max = 50 ms, after the accumulation at 0.677 s");
  table.row("1 3 5 7 substeps: largest step, s", 0.05, odd.dt);
  table.row("1 3 5 7 substeps: largest velocity, m/s", 0, odd.speed);
  table.row("1 2 3 4 substeps: largest step, s", 0.05, every.dt);
  table.row("1 2 3 4 substeps: largest velocity, m/s", 0, every.speed);

  const Ball ball;
  moreau::workstation::Report<Ball> page{ball, smooth, "Falling mass, 1 3 5 7 substeps"},
      other{ball, shaking, "1 2 3 4 substeps"};
  page.subtitle = "example 21: adjusted steps";
  for (auto* each : {&page, &other}) {
    each->coordinates = {{"z", "m"}};
    each->output("z", "m", [](const auto& q, const auto&, double) { return q(0); });
    each->figure("SLG08, figures 9(a), 10(a)", {{"t"}, 0, 1.2}, {{"step size"}, 5e-6, 0.1, true});
    each->figure("SLG08, figure 10(b)", {{"t"}, 0, 1.2}, {{"order"}, 0, 7});
    each->figure("SLG08, figure 10(c)", {{"t"}, 0, 1.2}, {{"z"}, 0, 0.075});
    each->figure("SLG08, figure 10(d)", {{"t"}, 0, 1.2}, {{"d/dt z"}, -1.3, 1});
    each->figure("SLG08, figure 9(b): at rest", {{"t"}, 0.7, 0.703}, {{"d/dt z"}, -8e-9, 8e-9});
  }
  const auto written = page.write_beside(examples::output(count, words, "pages/21_adaptive_falling_mass.html"), other);
  return odd.good && every.good && written.ok ? 0 : 1;
}
