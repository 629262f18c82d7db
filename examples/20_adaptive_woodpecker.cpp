// The woodpecker with extrapolated, adjusted steps (SLG08, section 10.4): the incidents of Table VII and Figure 13.
#include <cstdio>
#include <moreau/workstation/adaptive_log.hpp>
#include <moreau/workstation/watch.hpp>

#include "compare.hpp"
#include "models/woodpecker.hpp"
#include "page.hpp"

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
  examples::Motion<Woodpecker> motion, fixed;
  const auto record = [&](const auto& state, const auto& step) {
    steps(state, step);
    motion(state, step);
    for (const auto& w : step.switchings) {
      points.row(w.t, state.q(2), state.u(1), state.u(2));
      if (w.t < 0.125)
        std::printf("%-18s %d  %6s -> %-6s  %.7f s\n", moreau::name(w.law), w.index + 1, moreau::name(w.from),
                    moreau::name(w.to), w.t);
    }
  };
  motion.start(toy.state);
  const auto summary = run.advance_to(0.4, record, moreau::workstation::Watch{});  // Ctrl-C ends it with a valid record
  std::printf("0.4 s: %lld steps accepted, %lld rejected, %lld base steps, %lld switchings, %s\n",
              (long long)summary.accepted, (long long)summary.rejected, (long long)summary.base_steps,
              (long long)summary.switchings, moreau::name(summary.status));
  // The same with fixed steps, and both in one page.
  moreau::Stepper plain{model, models::state_at<Woodpecker>(model.start())};
  for (int n = 0; n < 4000; ++n)
    if (!fixed.step(plain, 1e-4).advanced()) return 1;
  using Report = moreau::workstation::Report<Woodpecker>;
  Report reference{model, motion, "Woodpecker, adjusted steps"}, compared{model, fixed, "Woodpecker, steps of 0.1 ms"};
  for (Report* page : {&compared, &reference}) {
    page->coordinates = {{"y", "m"}, {"phi_M", "rad"}, {"phi_S", "rad"}};
    page->output("angle of the woodpecker phi_S", "rad", [](const auto& q, const auto&, double) { return q(2); });
    page->figure("SLG08, figure 13(b)", {{"phi_S"}}, {{"d/dt phi_S"}});
    page->figure("SLG08, figure 13(c)", {{"t"}, 0, 0.4}, {{"d/dt phi_M"}});
    page->figure("SLG08, figure 13(d)", {{"t"}, 0, 0.4}, {{"d/dt phi_S"}});
    page->phase("phi_S", "d/dt phi_S");
  }
  reference.figure("SLG08, figure 13(e)", {{"t"}, 0, 0.4}, {{"step size"}, 5e-8, 1e-2, true});
  reference.figure("SLG08, figure 13(f)", {{"t"}, 0, 0.4}, {{"order"}, 0, 7});
  const auto written =
      compared.write_beside(examples::output(count, words, "pages/20_adaptive_woodpecker.html"), reference);
  return written.ok && summary.finished() && steps.good() && points.good() ? 0 : 1;
}
