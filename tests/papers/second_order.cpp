// Steps of second order against the independent reference solutions of slider-crank and woodpecker.

#include "support/second_order.hpp"
#include "reference_cases.hpp"
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

}  // namespace

TEST_MAIN({
  TEST(test_errors_within_their_goals);
  TEST(test_first_order_exceeds_the_goals);
})
