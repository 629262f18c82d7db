// Position errors of ideal joints over a million steps: bounded, without drift.
#include <algorithm>
#include <cmath>
#include <limits>

#include "models/four_bar.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/joint_coordinates.hpp"
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

// 15 s with impacts, in the coordinates of the bodies: all joints have rows. The crank turns at 63 to 150 rad/s; two
// bodies rotate fully, and their angles are wrapped.
struct Endless : models::SliderCrankParts<Real> {
  static constexpr bool endless = true;
};

void test_slider_crank(void) {
  using Model = moreau::Mechanism<test::InBodies<Endless>>;
  const models::SliderCrank<Real> hand;
  moreau::Stepper machine{Model{}, models::centred_at_angles(Model{}, hand, hand.start().q, hand.start().u)};
  const Real worst = worst_miss(machine, Real(1.5e-5), many);
  moreau::port::print("slider-crank, 1e6 steps: largest joint error ", worst);
  CHECK(worst <= allowed);
}

// 10 s with a crank at 30 rad/s; the joint that closes the loop has rows.
void test_four_bar(void) {
  using Model = models::IdealFourBar<Real>;
  moreau::Stepper machine{Model{}, models::four_bar_start<Model>(Real(30))};
  const Real worst = worst_miss(machine, Real(1e-5), many);
  moreau::port::print("four-bar, 1e6 steps: largest joint error ", worst);
  CHECK(worst <= allowed);
}

}  // namespace

TEST_MAIN({
  TEST(test_slider_crank);
  TEST(test_four_bar);
})
