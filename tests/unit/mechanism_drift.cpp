// Position errors of ideal joints over a million steps: bounded, without drift.
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/four_bar.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/test.hpp"

namespace {

// Largest admissible error of the joints, m and rad.
constexpr Real allowed = sizeof(Real) == 8 ? Real(1e-10) : Real(1e-6);

// Largest g of the ideal joints after every step.
template <class Model>
Real worst_miss(moreau::Stepper<Model>& machine, Real dt, int steps) {
  Real worst{0};
  for (int n = 0; n < steps; ++n) {
    if (!machine.step(dt).advanced()) return std::numeric_limits<Real>::infinity();
    const auto at = machine.model.at(machine.state.q, machine.state.time());
    for (int j = 0; j < Model::bilaterals; ++j) worst = std::max(worst, std::fabs(machine.model.bilateral(j, at).g));
  }
  return worst;
}

constexpr int many = 1000000;

// 15 s with impacts, the crank between 63 and 150 rad/s; two bodies rotate fully, and their angles are wrapped.
struct Endless : models::SliderCrankParts<Real> {
  static constexpr bool endless = true;
};

void test_slider_crank(void) {
  using Model = moreau::Mechanism<Endless>;
  const models::SliderCrank<Real> hand;
  const auto free_crank = models::from_angles(hand, hand.start().q, hand.start().u);
  moreau::State<Model> start;
  start.q = free_crank.q;
  start.u = free_crank.u;
  moreau::Stepper machine{Model{}, start};
  const Real worst = worst_miss(machine, Real(1.5e-5), many);
  moreau::port::print("slider-crank, 1e6 steps: largest joint error ", worst);
  CHECK(worst <= allowed);
}

void test_four_bar_with_play(void) {
  using Model = models::FourBarWithPlay<Real>;
  moreau::Stepper machine{Model{}, models::four_bar_start<Model>(Real(30))};
  const Real worst = worst_miss(machine, Real(1e-5), many);
  moreau::port::print("four-bar with play, 1e6 steps: largest joint error ", worst);
  CHECK(worst <= allowed);
}

}  // namespace

TEST_MAIN({
  TEST(test_slider_crank);
  TEST(test_four_bar_with_play);
})
