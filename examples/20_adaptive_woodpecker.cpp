// The woodpecker with extrapolated steps of adjusted size (SLG08, section 10.4): events of Table VII and Figure 13.
#include <cstdio>
#include <moreau/workstation/adaptive_log.hpp>
#include <moreau/workstation/watch.hpp>

#include "compare.hpp"
#include "models/woodpecker.hpp"
#include "models/woodpecker_figures.hpp"
#include "page.hpp"

namespace {

using Woodpecker = models::Woodpecker<double>;

moreau::AdaptiveOptions<double> paper_options() {
  auto options = moreau::AdaptiveOptions<double>::paper();
  options.dt_min = 1e-7;  // s
  options.dt_max = 5e-3;  // s
  options.order_max = 6;
  options.atol = options.rtol = 1e-8;
  return options;
}

// Recorder of an adaptive run: table of the steps, table of the switching points, page. Prints the first cycle's
// events.
struct Record {
  moreau::workstation::AdaptiveLog<Woodpecker> steps;
  moreau::workstation::Csv points;
  examples::Motion<Woodpecker> motion;

  Record(const moreau::State<Woodpecker>& start, const std::string& steps_path, const std::string& points_path)
      : steps{steps_path, {"y [m]", "phi_M [rad]", "phi_S [rad]"}},
        points{points_path, {"t [s]", "phi_S [rad]", "omega_M [rad/s]", "omega_S [rad/s]"}},
        motion{start} {}

  template <class State, class Step>
  void operator()(const State& state, const Step& step) {
    steps(state, step);
    motion(state, step);
    for (const auto& w : step.switchings) {
      points.row(w.t, state.q(2), state.u(1), state.u(2));
      if (w.t < 0.125)
        std::printf("%-18s %d  %6s -> %-6s  %.7f s\n", moreau::name(w.law), w.index + 1, moreau::name(w.from),
                    moreau::name(w.to), w.t);
    }
  }
};

// Writes a page that compares the adaptive run with fixed steps of 0.1 ms.
bool write_page(const Woodpecker& model, const examples::Motion<Woodpecker>& adaptive, const std::string& path) {
  moreau::Stepper toy{model, models::state_at<Woodpecker>(model.start())};
  examples::Motion fixed{toy.state};
  for (int n = 0; n < 4000; ++n) {
    const auto report = toy.step(1e-4);
    fixed(toy.state, report);
    if (!report.advanced()) return false;
  }
  using Report = moreau::workstation::Report<Woodpecker>;
  Report reference{model, adaptive, "Woodpecker, adjusted steps"}, page{model, fixed, "Woodpecker, steps of 0.1 ms"};
  models::woodpecker_figures_of_slg08(page);
  models::adaptive_woodpecker_figures_of_slg08(reference);
  return page.write_beside(path, reference).ok;
}

}  // namespace

int main(int count, char** words) {
  const Woodpecker model;
  moreau::Stepper toy{model, models::state_at<Woodpecker>(model.start())};
  Record record{toy.state, examples::output(count, words, "adaptive_woodpecker.csv"),
                examples::output(count, words, "adaptive_woodpecker_switchings.csv")};
  moreau::Adaptive run{toy, paper_options()};
  const auto summary = run.advance_to(0.4, record, moreau::workstation::Watch{});  // Ctrl-C leaves a valid record
  std::printf("0.4 s: %lld steps accepted, %lld rejected, %lld base steps, %lld switchings, %s\n",
              (long long)summary.accepted, (long long)summary.rejected, (long long)summary.base_steps,
              (long long)summary.switchings, moreau::name(summary.status));
  const bool written =
      write_page(model, record.motion, examples::output(count, words, "pages/20_adaptive_woodpecker.html"));
  return written && summary.finished() && record.steps.good() && record.points.good() ? 0 : 1;
}
