// The falling mass with steps of adjusted size (SLG08, section 10.1, Figures 9 and 10): after infinitely many impacts
// the step grows again only if closed contacts are extrapolated from odd numbers of substeps.
#include <cmath>
#include <cstdio>
#include <moreau/workstation/adaptive_log.hpp>

#include "compare.hpp"
#include "models/falling_mass.hpp"
#include "models/point_mass_figures.hpp"
#include "page.hpp"

namespace {

using Ball = models::FallingMass<double>;

struct Run {
  explicit Run(const moreau::State<Ball>& start) : motion(start) {}

  examples::Motion<Ball> motion;
  double dt = 0, speed = 0;  // largest values after the accumulation of the impacts, s, m/s
  bool good = false;
};

Run fall(moreau::Substeps substeps, const std::string& path) {
  moreau::Stepper machine{Ball{}, models::state_at<Ball>(Ball{}.start())};
  auto options = moreau::AdaptiveOptions<double>::paper();
  options.dt_min = 1e-5;
  options.dt_max = 0.05;
  options.atol = options.rtol = 1e-8;
  options.substeps = substeps;
  moreau::Adaptive run{machine, options};
  moreau::workstation::AdaptiveLog<Ball> table{path, {"z [m]"}};
  Run result{machine.state};
  const auto summary = run.advance_to(1.2, [&](const auto& state, const auto& step) {
    table(state, step);
    result.motion(state, step);
    if (state.time() < 0.7) return;
    result.dt = std::fmax(result.dt, step.dt);
    result.speed = std::fmax(result.speed, std::abs(state.u(0)));
  });
  std::printf("%-12s substeps: %6lld base steps, status %s\n",
              substeps == moreau::Substeps::odd ? "1 3 5 7" : "1 2 3 4", (long long)summary.base_steps,
              moreau::name(summary.status));
  result.good = summary.finished() && table.good();
  return result;
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

  const Ball ball;
  moreau::workstation::Report<Ball> page{ball, odd.motion, "Falling mass, 1 3 5 7 substeps"};
  moreau::workstation::Report<Ball> second{ball, every.motion, "1 2 3 4 substeps"};
  page.subtitle = "example 21: steps of adjusted size";
  for (auto* each : {&page, &second}) models::adaptive_falling_mass_figures(*each);
  models::resting_mass_figure(second);
  const auto written = page.write_beside(examples::output(count, words, "pages/21_adaptive_falling_mass.html"), second);
  return odd.good && every.good && written.ok ? 0 : 1;
}
