// Cost of accuracy: error of the instant of one event over the number of base steps, for three mechanisms - with fixed
// steps, with the adjusted and extrapolated steps of SLG08, and with the further options of the library.
#include <cmath>
#include <cstdio>
#include <moreau/workstation/csv.hpp>

#include "compare.hpp"
#include "models/impact_oscillator.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"

namespace {

using Laws = moreau::DiscreteState<models::Woodpecker<double>>;
using LawKind = Laws::LawKind;
using LawMode = Laws::LawMode;
using Options = moreau::AdaptiveOptions<double>;

// The n-th change of a law to the mode `to`, at the reference instant t.
struct Event {
  LawKind law;
  int index;
  LawMode to;
  int n;
  double t, t_end;  // s
};

template <class Model>
struct Case {
  const char* name;
  moreau::State<Model> start;
  Event event;
  double dt_max;
  double dt_min[2], h[2];  // first and last step size of adjusted and of fixed steps, s
  void (*improve)(Options&);
};

// Finds the event among the mode changes of a run.
struct Detector {
  Event event;
  int changes_so_far = 0;
  double error = std::nan("");  // s; NaN: the event did not occur

  template <class Changes>
  void operator()(const Changes& changes) {
    for (const auto& w : changes)
      if (w.law == event.law && w.index == event.index && w.to == event.to && ++changes_so_far == event.n)
        error = std::abs(w.t - event.t);
  }
};

void put(moreau::workstation::Csv& file, const char* name, const char* method, double dt, std::int64_t base_steps,
         double error) {
  std::printf("%-10s %-9s dt %8.1e s  %8lld base steps  error %.1e s\n", name, method, dt, (long long)base_steps,
              error);
  if (error > 0) file.row(base_steps, error);
}

template <class Model>
bool fixed(const Case<Model>& c, const std::string& path) {
  moreau::workstation::Csv file{path, {"base_steps", "error [s]"}};
  for (double h = c.h[0]; h > c.h[1]; h /= 2) {
    moreau::Stepper machine{Model{}, c.start};
    Detector detector{c.event};
    std::int64_t n = 0;
    for (; double(n) * h < c.event.t_end; ++n) {
      const moreau::DiscreteState<Model> before(machine.state);
      if (!machine.step(h).advanced()) return false;
      typename moreau::DiscreteState<Model>::Switchings changes;
      changes.compare(before, moreau::DiscreteState<Model>(machine.state), (double(n) + 0.5) * h);
      if (n > 0) detector(changes);
    }
    put(file, c.name, "fixed", h, n, detector.error);
  }
  return file.good();
}

template <class Model>
bool adjusted(const Case<Model>& c, const std::string& path, bool improved) {
  moreau::workstation::Csv file{path, {"base_steps", "error [s]"}};
  std::int64_t base_steps = 0;
  // The closed phase of the slider-crank is not smooth in terms of its gap. It takes steps of dt_min, and the series
  // ends early.
  for (double dt_min = c.dt_min[0]; dt_min > c.dt_min[1] && base_steps < 500000; dt_min /= 3) {
    Options o = Options::paper();
    o.dt_min = dt_min;
    o.dt_max = c.dt_max;
    o.atol = o.rtol = std::fmax(0.3 * dt_min, 1e-11);
    o.order_max = 8;
    if (improved) c.improve(o);
    moreau::Stepper machine{Model{}, c.start};
    machine.judge.sigma_margin = 1e-11;  // where sticking ends, a margin of friction is an error in time
    moreau::Adaptive run{machine, o};
    Detector detector{c.event};
    const auto summary =
        run.advance_to(c.event.t_end, [&](const auto&, const auto& step) { detector(step.switchings); });
    if (!summary.finished()) return false;
    base_steps = summary.base_steps;
    put(file, c.name, improved ? "improved" : "paper", dt_min, base_steps, detector.error);
  }
  return file.good();
}

template <class Model>
bool measure(const Case<Model>& c, int count, char** words) {
  const std::string path = examples::output(count, words, "cost_") + c.name;
  return fixed(c, path + "_fixed.csv") && adjusted(c, path + "_paper.csv", false) &&
         adjusted(c, path + "_improved.csv", true);
}

void sharper(Options& o) {
  o.locate = moreau::Locate::secant;
  o.pace = moreau::Pace::predicted;
  o.powers = moreau::Powers::declared;  // powers of dt^2 if declared by the model: woodpecker, oscillator
}
void sharper_held(Options& o) {  // for velocity-dependent forces and rotating directions
  sharper(o);
  o.force_at = moreau::ForceAt::predicted;
  o.closed = moreau::Closed::held;
}

}  // namespace

int main(int count, char** words) {
  using Woodpecker = models::Woodpecker<double>;
  using Oscillator = models::ImpactOscillator<double>;
  using Crank = models::SliderCrank<double>;
  const Case<Woodpecker> woodpecker{"woodpecker",
                                    models::state_at<Woodpecker>(Woodpecker{}.start_on_cycle()),
                                    {LawKind::friction, 1, LawMode::stick, 1, 0.13479281872239257, 0.14},
                                    3e-3,
                                    {1e-5, 2e-11},
                                    {1e-4, 3e-7},
                                    sharper};
  const Case<Oscillator> oscillator{"oscillator",
                                    models::state_at<Oscillator>(Oscillator{}.start()),
                                    {LawKind::contact, 0, LawMode::closed, 3, 0.808598071496330, 0.85},
                                    3e-2,
                                    {1e-4, 2e-11},
                                    {1e-3, 2e-6},
                                    sharper};
  const Case<Crank> crank{"crank",
                          models::state_at<Crank>(Crank{}.start()),
                          {LawKind::contact, 2, LawMode::closed, 1, 2.58895628757890581e-2, 0.026},
                          5e-4,
                          {1e-6, 2e-11},
                          {3e-5, 1e-7},
                          sharper_held};
  return measure(woodpecker, count, words) && measure(oscillator, count, words) && measure(crank, count, words) ? 0 : 1;
}
