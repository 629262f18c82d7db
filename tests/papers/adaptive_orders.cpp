// Orders of convergence at fixed order p (SLG08 Figures 12e and 14): slope of log error over log dt_max.
//
// If forces depend on the position only, the base step is symmetric and its error expands in dt^2. Odd p then have
// order p + 1 wherever the smooth motion dominates. With dt_min = dt_max^p of the oscillator, the switching points
// keep order p.
#include <cmath>

#include "along.hpp"
#include "models/impact_oscillator_exact.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

constexpr double tolerance = 0.25;
constexpr int points = 48;  // the position of a switching point within its step is random

struct Range {
  double from, to;  // of dt_max, s
};

// Slope over the range, from `points` values of dt_max that are equally spaced in the logarithm; error(p, dt_max) is
// the error of one run.
template <int points, class Error>
double slope(const char* name, int p, Range range, Error error) {
  double h[points], e[points];
  for (int i = 0; i < points; ++i) {
    h[i] = range.from * std::pow(range.to / range.from, double(i) / (points - 1));
    e[i] = error(p, h[i]);
  }
  const double s = papers::order(h, e);
  moreau::port::print(name, " p = ", p, ": slope ", s, ", errors ", e[0], " .. ", e[points - 1], " for dt_max ",
                      range.from, " .. ", range.to, "\n");
  return s;
}

moreau::AdaptiveOptions<Real> fixed_order(int p, double dt_min, double dt_max,
                                          moreau::Pace pace = moreau::Pace::predicted) {
  auto o = moreau::AdaptiveOptions<Real>::paper();
  o.dt_min = dt_min;
  o.dt_max = dt_max;
  o.order_fixed = p;
  o.pace = pace;  // predicted: full steps soon after a switching point, so that dt_max determines the error
  return o;
}

// The position of an impact within its minimal step is random, and so is the error. Mean over many starts along the
// same motion, spaced by the golden ratio.
double oscillator_error(int p, double dt_max) {
  using Model = models::ImpactOscillator<Real>;
  constexpr int starts = 256;
  constexpr double t_end = 1;  // 3 impacts
  double mean = 0;
  for (int n = 1; n <= starts; ++n) {
    const double t_0 = 0.13 * std::fmod(0.6180339887498949 * n, 1.0);  // before the first impact
    models::ImpactOscillatorExact exact;
    moreau::State<Model> start;
    start.q(0) = exact.x(t_0);
    start.u(0) = exact.v(t_0);
    moreau::Stepper toy{Model{}, start};
    moreau::Adaptive run{toy, fixed_order(p, p == 1 ? dt_max : std::pow(dt_max, p), dt_max, moreau::Pace::doubling)};
    const auto s = run.advance_to(t_end - t_0, [&](const auto& state, const auto& step) {
      mean += step.dt / t_end / starts * std::abs(state.q(0) - exact.x(t_0 + state.time()));
    });
    CHECK(s.finished());
  }
  return mean;
}

// Lower end of dt_max: 1e-4 s, or the value at which dt_min = dt_max^p reaches 1e-11 s; below that, the rounding of
// times near 1 s matters. Upper end: 30 ms, a fifteenth of the period. Above, the smooth error of p = 5, of order
// dt_max^6 and opposite sign, partly cancels the error of the impacts.
void test_impact_oscillator(void) {
  for (int p = 1; p <= 6; ++p) {
    const double from = std::fmax(1e-4, std::pow(1e-11, 1.0 / p)), to = std::fmin(50 * from, 0.03);
    CHECK_WITHIN(tolerance, p, slope<8>("impact oscillator", p, {from, to}, oscillator_error));
  }
}

// phi_S after the sticking phase, the start of slip and the opening of contact 2, dt_min = 1e-10, against order 10.
double woodpecker_phi_S(int p, double dt_max) {
  using Model = models::Woodpecker<Real>;
  Model model;
  moreau::Stepper toy{model, models::state_at<Model>(model.start_on_cycle())};
  moreau::Adaptive run{toy, fixed_order(p, 1e-10, dt_max)};
  CHECK(run.advance_to(0.04).finished());
  return toy.state.q(2);
}

void test_woodpecker(void) {
  const double reference = woodpecker_phi_S(10, 3e-4);
  const auto error = [reference](int p, double dt_max) { return std::abs(woodpecker_phi_S(p, dt_max) - reference); };
  const Range range[] = {{2e-6, 1e-4}, {1e-5, 3e-4}, {1.5e-4, 1.5e-3}, {3e-4, 1.5e-3}, {7e-4, 3e-3}, {7e-4, 3e-3}};
  for (int p = 1; p <= 6; ++p) CHECK(slope<points>("woodpecker", p, range[p - 1], error) >= p - tolerance);
}

// With velocity-dependent forces the observed order is p. omega_1 and omega_2 at 2.4 ms, before the first contact,
// from the reference table.
double crank_error(int p, double dt_max, moreau::ForceAt force_at) {
  using Model = models::SliderCrank<Real>;
  Model model;
  moreau::Stepper crank{model, models::state_at<Model>(model.start())};
  auto o = fixed_order(p, 1e-12, dt_max);
  o.force_at = force_at;
  moreau::Adaptive run{crank, o};
  CHECK(run.advance_to(2.4e-3).finished());
  return papers::larger(std::abs(crank.state.u(0) - 113.877654523600925),
                        std::abs(crank.state.u(1) + 52.1895101260162427));
}

void test_slider_crank(void) {
  // The 2.4 ms consist of whole steps except for the first ones: dt_max is well below 2.4 ms.
  const Range range[] = {{1e-6, 1e-4}, {4e-6, 2e-4}, {2e-5, 2e-4}, {8e-5, 3e-4}, {1.5e-4, 5e-4}, {1.5e-4, 8e-4}};
  for (int p = 1; p <= 6; ++p)
    CHECK_WITHIN(tolerance, p, slope<points>("slider-crank", p, range[p - 1], [](int order, double dt) {
                   return crank_error(order, dt, moreau::ForceAt::begin);
                 }));
}

// With the force at the predicted midpoint velocity one step is of second order: p = 1 already reaches order 2.
void test_predicted_force(void) {
  CHECK_WITHIN(tolerance, 2,
               slope<points>("slider-crank, predicted midpoint velocity,", 1, {4e-6, 2e-4},
                             [](int p, double dt) { return crank_error(p, dt, moreau::ForceAt::predicted); }));
}

}  // namespace

TEST_MAIN({
  TEST(test_impact_oscillator);
  TEST(test_woodpecker);
  TEST(test_slider_crank);
  TEST(test_predicted_force);
})
