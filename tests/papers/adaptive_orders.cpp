// Orders of convergence with a fixed order p (SLG08 Figures 12e and 14): the slope of log error over log dt_max.
//
// Forces of position alone make the base step symmetric: its error expands in dt^2, and an odd p shows p + 1 wherever
// the smooth motion dominates. The oscillator's dt_min = dt_max^p keeps the switching points at order p.
#include <cmath>

#include "along.hpp"
#include "models/impact_oscillator_exact.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

constexpr double tolerance = 0.25;
constexpr int points = 48;  // where a switching point falls in its step is chance

struct Range {
  double from, to;  // of dt_max, s
};

// Slope over the range at so many dt_max, equally spaced in the logarithm; error(p, dt_max) is one run.
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
  o.pace = pace;  // predicted: full steps soon after a switching point, so that dt_max is what is measured
  return o;
}

// Where an impact falls in the minimal step that resolves it is chance, and the error with it: the mean over many
// starts along the same motion, a golden ratio apart.
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

// dt_max goes up from where dt_min = dt_max^p is 1e-11 s, below which times of 1 s are rounded to a part of it that
// counts, or from 1e-4 s. It ends at 30 ms, a fifteenth of the period: above, the smooth error of p = 5, which goes
// with dt_max^6 and has the other sign, cancels part of what the impacts leave.
void test_impact_oscillator(void) {
  for (int p = 1; p <= 6; ++p) {
    const double from = std::fmax(1e-4, std::pow(1e-11, 1.0 / p)), to = std::fmin(50 * from, 0.03);
    CHECK_WITHIN(tolerance, p, slope<8>("impact oscillator", p, {from, to}, oscillator_error));
  }
}

// phi_S after the sticking phase, the start of slip and the release of contact 2, dt_min = 1e-10, against order 10.
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

// Velocity-dependent forces: order p is order p. omega_1 and omega_2 at 2.4 ms, before the first contact, from the
// reference table.
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
  // The steps are whole parts of the 2.4 ms but for the first ones: dt_max stays well below it.
  const Range range[] = {{1e-6, 1e-4}, {4e-6, 2e-4}, {2e-5, 2e-4}, {8e-5, 3e-4}, {1.5e-4, 5e-4}, {1.5e-4, 8e-4}};
  for (int p = 1; p <= 6; ++p)
    CHECK_WITHIN(tolerance, p, slope<points>("slider-crank", p, range[p - 1], [](int order, double dt) {
                   return crank_error(order, dt, moreau::ForceAt::begin);
                 }));
}

// With the force at the predicted midpoint velocity one step is of second order: the first column is as good as two.
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
