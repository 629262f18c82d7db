// Steps of second order against the independent reference solutions of slider-crank and woodpecker, and with impacts
// that follow each other within one step.
#include <cmath>

#include "models/slider_crank_parts.hpp"
#include "reference_cases.hpp"
#include "support/second_order.hpp"
#include "support/test.hpp"

namespace {

void test_errors_within_their_goals(void) {
  int with_goal = 0;
  papers::visit_reference_cases<test::Second>([&](const papers::ReferenceCase& of, const papers::CaseErrors& errors) {
    moreau::port::print(of.name, ", dt ", of.dt, ": ", errors.median(), ", largest ", errors.largest());
    CHECK_EQUAL(0, errors.not_ok);
    if (of.goal == 0) return;
    ++with_goal;
    CHECK(errors.median() <= of.goal);
  });
  CHECK_EQUAL(5, with_goal);
}

// Steps of first order do not reach any goal.
void test_first_order_exceeds_the_goals(void) {
  papers::visit_reference_cases<test::First>([](const papers::ReferenceCase& of, const papers::CaseErrors& errors) {
    CHECK_EQUAL(0, errors.not_ok);
    CHECK(of.goal == 0 || errors.median() > 5 * of.goal);
  });
}

// The light slider of FLG10 rattles faster than dt = 1e-4 s. It stays in its guide: 0.3 rad is eight times the tilt that
// the clearance permits.
void test_rattling_slider_stays_in_its_guide(void) {
  using Model = models::SliderCrankFromParts<double>;
  models::SliderCrank<double> hand;
  hand.eps_N = 0.9;
  const Model model{models::SliderCrankParts<double>{hand}};
  for (int k = 0; k < 200; ++k) {
    auto q = hand.start().q, u = hand.start().u;
    q(0) += 0.2 * k;
    q(1) = -std::asin(0.5 * std::sin(q(0)));
    q(2) = 2e-4 * ((k * 7) % 11 - 5);
    u(1) = -0.5 * std::cos(q(0)) / std::cos(q(1)) * u(0);
    u(2) = 0;
    moreau::Stepper machine{model, models::centred_at_angles(model, hand, q, u)};
    for (int n = 0; n < 200; ++n) {
      CHECK(machine.step(1e-4).advanced());
      CHECK_WITHIN(0.3, 0, machine.state.q(Model::angle_of<Model::slider>));
    }
  }
}

}  // namespace

TEST_MAIN({
  TEST(test_rattling_slider_stays_in_its_guide);
  TEST(test_errors_within_their_goals);
  TEST(test_first_order_exceeds_the_goals);
})
