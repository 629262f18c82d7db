// Orders of convergence with a fixed order p (SLG08 Figures 12e and 14): the slope of log error over log dt_max.
//
// Forces of position alone make the base step symmetric: its error expands in dt^2, and an odd p shows p + 1 wherever
// the smooth motion dominates. The oscillator's dt_min = dt_max^p keeps the switching points at order p.
#include <cmath>

#include "along.hpp"
#include "models/impact_oscillator.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

constexpr int points =
    96;  // of dt_max, equally spaced in its logarithm: many, where an impact falls in its step is chance
constexpr double tolerance = 0.25;

struct Range {
  double from, to;  // of dt_max, s
};

// Slope over the range; error(p, dt_max) is one run.
template <class Error>
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
  moreau::AdaptiveOptions<Real> o;
  o.dt_min = dt_min;
  o.dt_max = dt_max;
  o.order_fixed = p;
  o.pace = pace;  // predicted: full steps soon after a switching point, so that dt_max is what is measured
  return o;
}

// The closed form: arcs of a harmonic motion between the impacts.
class Oscillator {
 public:
  double x(double t) {
    while (t > next_) strike();
    return arc(t);
  }

 private:
  const double omega_ = std::sqrt(200.0);
  double t_ = 0, a_ = -0.35, b_ = 0.2 / omega_;  // x = -0.15 + a cos + b sin from t_ on
  double next_ = 0.139507679820308;
  double arc(double t) const { return -0.15 + a_ * std::cos(omega_ * (t - t_)) + b_ * std::sin(omega_ * (t - t_)); }
  double speed(double t) const {
    return omega_ * (b_ * std::cos(omega_ * (t - t_)) - a_ * std::sin(omega_ * (t - t_)));
  }
  void strike() {
    for (int i = 0; i < 5; ++i) next_ -= arc(next_) / speed(next_);
    const double v = -0.6 * speed(next_);
    t_ = next_;
    a_ = 0.15;
    b_ = v / omega_;
    next_ = t_ + 2 * (3.14159265358979323846 + std::atan(b_ / a_)) / omega_;  // tan(omega t / 2) = b / a
  }
};

double oscillator_error(int p, double dt_max) {
  using Model = models::ImpactOscillator<Real>;
  Model model;
  moreau::Stepper toy{model, models::state_at<Model>(model.start())};
  moreau::Adaptive run{toy, fixed_order(p, p == 1 ? dt_max : std::pow(dt_max, p), dt_max, moreau::Pace::doubling)};
  Oscillator exact;
  constexpr double t_end = 1;  // 3 impacts
  double mean = 0;
  const auto s = run.advance_to(t_end, [&](const auto& state, const auto& step) {
    if (state.time() > 0.2) mean += step.dt / t_end * std::abs(state.q(0) - exact.x(state.time()));
  });
  CHECK(s.finished());
  return mean;
}

void test_impact_oscillator(void) {
  // dt_min = dt_max^p >= 1e-11 sets the lower ends
  const Range range[] = {{1e-4, 5e-3}, {1e-4, 1e-2}, {5e-4, 1.5e-2}, {2e-3, 2e-2}, {6.4e-3, 1.5e-2}, {1.48e-2, 5e-2}};
  for (int p = 1; p <= 6; ++p)
    CHECK_WITHIN(tolerance, p, slope("impact oscillator", p, range[p - 1], oscillator_error));
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
  for (int p = 1; p <= 6; ++p) CHECK(slope("woodpecker", p, range[p - 1], error) >= p - tolerance);
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
    CHECK_WITHIN(tolerance, p, slope("slider-crank", p, range[p - 1], [](int order, double dt) {
                   return crank_error(order, dt, moreau::ForceAt::begin);
                 }));
}

// With the force at the predicted midpoint velocity one step is of second order: the first column is as good as two.
void test_predicted_force(void) {
  CHECK_WITHIN(tolerance, 2, slope("slider-crank, predicted midpoint velocity,", 1, {4e-6, 2e-4}, [](int p, double dt) {
                 return crank_error(p, dt, moreau::ForceAt::predicted);
               }));
}

}  // namespace

TEST_MAIN(TEST(test_impact_oscillator) TEST(test_woodpecker) TEST(test_slider_crank) TEST(test_predicted_force))
