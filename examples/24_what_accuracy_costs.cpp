// Cost of accuracy: error of the coordinates at the end of a run over the computing time, for three mechanisms - with
// fixed steps of first and of second order, with the adjusted and extrapolated steps of SLG08, and with the further
// options of the library.
#include <cmath>
#include <cstdio>
#include <ctime>
#include <moreau/workstation/csv.hpp>

#include "compare.hpp"
#include "models/impact_oscillator.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"

namespace {

using Woodpecker = models::Woodpecker<double>;
using Oscillator = models::ImpactOscillator<double>;
using Crank = models::SliderCrank<double>;
using Options = moreau::AdaptiveOptions<double>;

template <class Model>
struct SecondOrder : Model {
  static constexpr bool second_order = true;
};

template <class Model>
struct Case {
  const char* name;
  double t_end;                              // s
  moreau::Vector<double, Model::dof> exact;  // coordinates at t_end
  double dt_max;
  double dt_min[2], h[2];  // first and last step size of adjusted and of fixed steps, s
  void (*improve)(Options&);
};

// Result of one run.
struct Run {
  std::int64_t base_steps = 0;
  double seconds = 0, error = 0;  // error in rad or m
  bool finished = false;
};

// Repeats a run for at least 10 ms of processor time. `seconds` of the result is the mean.
template <class Start>
Run timed(const Start& run) {
  const std::clock_t begin = std::clock();
  Run last;
  int runs = 0;
  double seconds = 0;
  while (seconds < 0.01) {
    last = run();
    ++runs;
    seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
  }
  last.seconds = seconds / runs;
  return last;
}

template <class Model, class State>
double error_of(const Case<Model>& c, const State& state) {
  return (state.q - c.exact).cwiseAbs().maxCoeff();
}

void put(moreau::workstation::Csv& file, const char* name, const char* method, double dt, const Run& run) {
  std::printf("%-10s %-12s dt %8.1e s  %8lld base steps  %8.1e s  error %.1e\n", name, method, dt,
              (long long)run.base_steps, run.seconds, run.error);
  file.row(run.base_steps, run.seconds, run.error);
}

template <template <class> class Rule, class Model>
bool fixed(const Case<Model>& c, const std::string& path, const char* method) {
  moreau::workstation::Csv file{path, {"base_steps", "time [s]", "error"}};
  using Stepped = Rule<Model>;
  for (double h = c.h[0]; h > c.h[1]; h /= 2) {
    const std::int64_t steps = std::llround(c.t_end / h);
    const Run run = timed([&] {
      moreau::Stepper machine{Stepped{}, models::state_at<Stepped>(Stepped{}.start())};
      Run now{steps};
      std::int64_t n = 0;
      while (n < steps && machine.step(c.t_end / double(steps)).advanced()) ++n;
      now.finished = n == steps, now.error = error_of(c, machine.state);
      return now;
    });
    if (!run.finished) return false;
    put(file, c.name, method, h, run);
  }
  return file.good();
}

template <class Model>
bool adjusted(const Case<Model>& c, const std::string& path, bool improved) {
  moreau::workstation::Csv file{path, {"base_steps", "time [s]", "error"}};
  Run run;
  // The closed phase of the slider-crank is not smooth in terms of its gap. It takes steps of dt_min, and the series
  // ends early.
  for (double dt_min = c.dt_min[0]; dt_min > c.dt_min[1] && run.base_steps < 500000; dt_min /= 3) {
    Options o = Options::paper();
    o.dt_min = dt_min;
    o.dt_max = c.dt_max;
    o.atol = o.rtol = std::fmax(0.3 * dt_min, 1e-11);
    o.order_max = 8;
    if (improved) c.improve(o);
    run = timed([&] {
      moreau::Stepper machine{Model{}, models::state_at<Model>(Model{}.start())};
      machine.judge.sigma_margin = 1e-11;  // where sticking ends, a margin of friction is an error in time
      moreau::Adaptive adaptive{machine, o};
      const auto summary = adaptive.advance_to(c.t_end);
      return Run{summary.base_steps, 0, error_of(c, machine.state), summary.finished()};
    });
    if (!run.finished) return false;
    put(file, c.name, improved ? "improved" : "paper", dt_min, run);
  }
  return file.good();
}

template <class Model>
using FirstOrder = Model;

template <class Model>
bool measure(const Case<Model>& c, int count, char** words) {
  const std::string path = examples::output(count, words, "cost_") + c.name;
  return fixed<FirstOrder>(c, path + "_fixed.csv", "fixed") &&
         fixed<SecondOrder>(c, path + "_second.csv", "second order") && adjusted(c, path + "_paper.csv", false) &&
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

// The exact coordinates are those of independent reference solutions (tests/papers/data).
int main(int count, char** words) {
  const Case<Woodpecker> woodpecker{
      "woodpecker", 0.5,    {-0.0626104861342253, -0.103448275862069, -0.18722812492624}, 3e-3, {1e-5, 2e-11},
      {1e-3, 3e-7}, sharper};
  const Case<Oscillator> oscillator{
      "oscillator", 2, moreau::Vector<double, 1>(-0.01303663110666), 3e-2, {1e-4, 2e-11}, {1e-2, 2e-6}, sharper};
  const Case<Crank> crank{"crank",      0.16,        {14.3177601459863645, -0.513724523794605, 0}, 5e-4, {1e-6, 2e-11},
                          {2e-4, 1e-7}, sharper_held};
  return measure(woodpecker, count, words) && measure(oscillator, count, words) && measure(crank, count, words) ? 0 : 1;
}
