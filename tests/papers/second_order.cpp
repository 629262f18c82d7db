// Steps of second order against the independent reference solutions of slider-crank and woodpecker.
#include <cstring>

#include "reference_cases.hpp"
#include "support/second_order.hpp"
#include "support/test.hpp"

namespace {

// The median error of a case exceeds its goal by less than this factor. Measured: 12 % for the symmetric start with
// eps 0.4 (tests/benchmarks/SECOND_ORDER.md), below the goal for all others.
constexpr double margin_of_symmetric_start = 1.15;

void test_errors_within_their_goals(void) {
  int with_goal = 0;
  papers::visit_reference_cases<test::Second>([&](const papers::ReferenceCase& of, const papers::CaseErrors& errors) {
    moreau::port::print(of.name, ", dt ", of.dt, ": ", errors.median(), ", largest ", errors.largest());
    CHECK_EQUAL(0, errors.not_ok);
    if (of.goal == 0) return;
    ++with_goal;
    const bool symmetric = std::strstr(of.name, "symmetric") != nullptr;
    CHECK(errors.median() <= of.goal * (symmetric ? margin_of_symmetric_start : 1));
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
