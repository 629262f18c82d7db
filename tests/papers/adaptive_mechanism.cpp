// Adaptive simulation of mechanisms from parts: ideal joints, unbounded angles, contacts with position correction.
#include <cmath>

#include "models/four_bar.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/test.hpp"

namespace {

moreau::AdaptiveOptions<Real> options(double dt_min, double dt_max, double tolerance, moreau::Locate locate) {
  auto o = moreau::AdaptiveOptions<Real>::paper();
  o.dt_min = dt_min;
  o.dt_max = dt_max;
  o.atol = o.rtol = tolerance;
  o.order_max = 10;
  o.closed = moreau::Closed::held;
  o.pace = moreau::Pace::predicted;
  o.locate = locate;
  return o;
}

// Slider-crank from parts against the reference solution of the derived model: two turns with all impacts and closed
// phases.
void test_slider_crank_from_parts(void) {
  constexpr double eps[] = {0.1, 0.4}, theta_1[] = {14.3101594062956051, 14.3177601459863645};
  for (int k = 0; k < 2; ++k)
    for (const auto locate : {moreau::Locate::halving, moreau::Locate::secant}) {
      models::SliderCrank<Real> derived;
      derived.eps_N = eps[k];
      using Parts = models::SliderCrankFromParts<Real>;
      moreau::Stepper crank{Parts{models::SliderCrankParts<Real>(derived)},
                            models::from_angles<Real>(derived, derived.start().q, derived.start().u)};
      moreau::Adaptive run{crank, options(1e-8, 2e-4, 1e-7, locate)};
      const auto s = run.advance_to(0.16);
      const double miss =
          std::remainder(crank.state.q(Parts::angle_of<Parts::crank>) - theta_1[k], 2 * moreau::pi<double>);
      moreau::port::print("slider-crank from parts, eps ", eps[k], ": crank error ", miss, " rad after two turns, ",
                          s.base_steps, " base steps, ", s.switchings, " switchings\n");
      CHECK(s.finished());
      CHECK_WITHIN(1e-6, 0.0, miss);
      CHECK(s.base_steps < 80000);
    }
}

// Clearance in three joints. Without a reference solution, both methods of locating switching points must compute the
// same motion to its end.
void test_four_bar_with_clearance(void) {
  using Model = models::FourBarWithPlay<Real>;
  double angle[2];
  int n = 0;
  for (const auto locate : {moreau::Locate::halving, moreau::Locate::secant}) {
    moreau::Stepper machine{Model{}, models::four_bar_start<Model>(Real(30))};
    moreau::Adaptive run{machine, options(1e-7, 1e-3, 1e-6, locate)};
    const auto s = run.advance_to(0.1);
    CHECK(s.finished());
    CHECK(s.base_steps < 200000);
    angle[n++] = machine.state.q(Model::angle_of<Model::crank>);
    moreau::port::print("four-bar with clearance, 0.1 s: ", s.base_steps, " base steps, ", s.switchings,
                        " switchings, crank at ", machine.state.q(Model::angle_of<Model::crank>), "\n");
  }
  CHECK_WITHIN(1e-4, angle[0], angle[1]);
}

}  // namespace

TEST_MAIN({
  TEST(test_slider_crank_from_parts);
  TEST(test_four_bar_with_clearance);
})
