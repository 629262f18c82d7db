// Orders of convergence for steps of fixed order p between the events (SLG08, Figures 12 and 14): error over dt_max and
// over the number of base steps, for the impact oscillator and the woodpecker.
//
// The position of an impact within its last step is random. Each point is therefore the mean over several starts along
// the same motion.
#include <cmath>
#include <cstdio>
#include <moreau/workstation/adaptive_log.hpp>

#include "compare.hpp"
#include "models/impact_oscillator_exact.hpp"
#include "models/point_mass_figures.hpp"
#include "models/woodpecker.hpp"
#include "page.hpp"

namespace {

using Oscillator = models::ImpactOscillator<double>;
using Woodpecker = models::Woodpecker<double>;
constexpr int orders = 6, points = 8, starts = 16;

struct Point {
  double dt_max = 0, error = 0, base_steps = 0;
};

moreau::AdaptiveOptions<double> fixed_order(int p, double dt_min, double dt_max) {
  auto o = moreau::AdaptiveOptions<double>::paper();
  o.dt_min = dt_min;
  o.dt_max = dt_max;
  o.order_fixed = p;
  return o;
}

// Figure 12(e): dt_min = dt_max^p, at least 1e-11 s; below that rounding errors dominate.
Point oscillator(int p, int point) {
  const double from = std::fmax(1e-4, std::pow(1e-11, 1.0 / p)), to = std::fmin(50 * from, 0.03), t_end = 1;
  const double dt_max = from * std::pow(to / from, double(point) / (points - 1));
  Point mean{dt_max};
  for (int n = 0; n < starts; ++n) {
    const double t_0 = 0.13 * std::fmod(0.618 * (n + 1), 1.0);  // before the first impact
    models::ImpactOscillatorExact exact;
    moreau::State<Oscillator> start;
    start.q(0) = exact.x(t_0);
    start.u(0) = exact.v(t_0);
    moreau::Stepper machine{Oscillator{}, start};
    moreau::Adaptive run{machine, fixed_order(p, p == 1 ? dt_max : std::pow(dt_max, p), dt_max)};
    const auto summary = run.advance_to(t_end - t_0, [&](const auto& s, const auto& step) {
      mean.error += step.dt / t_end * std::abs(s.q(0) - exact.x(t_0 + s.time())) / starts;
    });
    mean.base_steps += double(summary.base_steps) / starts;
  }
  return mean;
}

// Figure 14: dt_min = 1e-10 s; a motion with sticking, slipping and separation.
double phi_S(int p, double dt_max, Point& point) {
  const Woodpecker model;
  moreau::Stepper toy{model, models::state_at<Woodpecker>(model.start_on_cycle())};
  moreau::Adaptive run{toy, fixed_order(p, 1e-10, dt_max)};
  point.base_steps = double(run.advance_to(0.04).base_steps);
  return toy.state.q(2);
}
Point woodpecker(int p, int point) {
  static const double reference = [] {
    Point unused;
    return phi_S(10, 3e-4, unused);
  }();
  const double from[] = {1e-5, 1e-5, 1.5e-4, 3e-4, 7e-4, 7e-4}, to[] = {3e-4, 3e-4, 1.5e-3, 1.5e-3, 2e-3, 2e-3};
  Point one{from[p - 1] * std::pow(to[p - 1] / from[p - 1], double(point) / (points - 1))};
  one.error = std::abs(phi_S(p, one.dt_max, one) - reference);
  return one;
}

// Errors of all orders, for the page.
struct Errors {
  std::vector<moreau::workstation::Figure::Table> over_dt, over_cost;
};
// Writes one file per order and prints the slope of log error over log dt_max.
template <class Measure>
bool write(const char* name, const char* error, int count, char** words, Measure measure, Errors& errors) {
  bool good = true;
  for (int p = 1; p <= orders; ++p) {
    const std::string path = examples::output(count, words, name) + "_" + std::to_string(p) + ".csv";
    moreau::workstation::Csv file{path, {"dt_max [s]", error, "base_steps"}};
    double x = 0, y = 0, xx = 0, xy = 0;
    const std::string title = "p = " + std::to_string(p);
    errors.over_dt.push_back({title, {}, {}}), errors.over_cost.push_back({title, {}, {}});
    for (int i = 0; i < points; ++i) {
      const Point point = measure(p, i);
      file.row(point.dt_max, point.error, point.base_steps);
      errors.over_dt.back().x.push_back(point.dt_max), errors.over_dt.back().y.push_back(point.error);
      errors.over_cost.back().x.push_back(point.base_steps), errors.over_cost.back().y.push_back(point.error);
      const double log_dt = std::log(point.dt_max), log_e = std::log(point.error);
      x += log_dt / points;
      y += log_e / points;
      xx += log_dt * log_dt;
      xy += log_dt * log_e;
    }
    std::printf("%-16s p = %d: slope %.2f\n", name, p, (xy - points * x * y) / (xx - points * x * x));
    good = good && file.good();
  }
  return good;
}

// Figure 12(b) to (d): records a run of order 4.
bool write_motion(const std::string& path, const Oscillator& model, examples::Motion<Oscillator>& motion) {
  moreau::Stepper machine{model, models::state_at<Oscillator>(model.start())};
  moreau::Adaptive run{machine, fixed_order(4, 1e-8, 1e-2)};
  moreau::workstation::AdaptiveLog<Oscillator> table{path, {"x [m]"}};
  const auto record = [&](const auto& state, const auto& step) { table(state, step), motion(state, step); };
  return run.advance_to(5, record).finished() && table.good();
}

template <class Page>
void describe_errors(Page& page, const Errors& of_oscillator, const Errors& of_woodpecker) {
  const auto errors = [&](const char* caption, const char* x, const char* y, const auto& tables) {
    page.figure(caption, {{x}, 0, 0, true}, {{y}, 0, 0, true}).table = tables;
  };
  errors("SLG08, figure 12(e)", "dt_max in s", "error of x in m", of_oscillator.over_dt);
  errors("SLG08, figure 12(f)", "base steps", "error of x in m", of_oscillator.over_cost);
  errors("SLG08, figure 14: woodpecker", "dt_max in s", "error of phi_S in rad", of_woodpecker.over_dt);
}

}  // namespace

int main(int count, char** words) {
  const Oscillator model;
  examples::Motion motion{models::state_at<Oscillator>(model.start())};
  Errors of_oscillator, of_woodpecker;
  const bool good = write_motion(examples::output(count, words, "adaptive_oscillator.csv"), model, motion) &&
                    write("order_oscillator", "error [m]", count, words, oscillator, of_oscillator) &&
                    write("order_woodpecker", "error [rad]", count, words, woodpecker, of_woodpecker);
  const auto describe = [&](auto& page) {
    page.subtitle = "example 23: steps of order 4; below, the errors of orders 1 to 6";
    models::impact_oscillator_figures(page);
    describe_errors(page, of_oscillator, of_woodpecker);
  };
  const bool written = examples::page("23_adaptive_orders", "Impact oscillator, steps of fixed order", model, motion,
                                      describe, examples::output(count, words, ""));
  return good && written ? 0 : 1;
}
