// Square root, bit-identical to the C library's: the instruction and its digit-by-digit substitute.
#include <moreau/math/sqrt.hpp>

#include <cmath>

#include <initializer_list>
#include <limits>

#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

constexpr Real infinite = std::numeric_limits<Real>::infinity();
constexpr int points = sizeof(void*) == 8 ? 1000000 : 50000;  // about a second on a board without FPU

bool same_bits(Real a, Real b) { return moreau::detail::to_bits(a) == moreau::detail::to_bits(b); }

}  // namespace

void test_all_arguments_are_rounded_correctly(void) {
  test::Random random(21);
  for (int i = 0; i < points; ++i) {
    const Real x = moreau::detail::absolute(random.any_finite<Real>());
    const Real expected = std::sqrt(x);
    CHECK(same_bits(expected, moreau::sqrt(x)));
    CHECK(same_bits(expected, moreau::detail::sqrt_by_digits(x)));
  }
}

void test_numbers_next_to_squares_are_rounded_correctly(void) {
  test::Random random(22);
  for (int i = 0; i < points / 10; ++i) {
    const Real root = random.between<Real>(1, 2), square = root * root;
    for (int step = -2; step <= 2; ++step) {
      const Real x = moreau::detail::from_bits<Real>(moreau::detail::to_bits(square) +
                                                     static_cast<moreau::detail::Bits<Real>>(step));
      CHECK(same_bits(std::sqrt(x), moreau::sqrt(x)));
      CHECK(same_bits(std::sqrt(x), moreau::detail::sqrt_by_digits(x)));
    }
  }
}

void test_limits_of_the_format(void) {
  const Real smallest = std::numeric_limits<Real>::denorm_min(), normal = std::numeric_limits<Real>::min();
  const Real largest = std::numeric_limits<Real>::max();
  for (const Real x : {Real(0), -Real(0), smallest, 2 * smallest, normal - smallest, normal, largest, infinite,
                       1 - std::numeric_limits<Real>::epsilon() / 2, Real(1), Real(2), Real(4)}) {
    CHECK(same_bits(std::sqrt(x), moreau::sqrt(x)));
    CHECK(same_bits(std::sqrt(x), moreau::detail::sqrt_by_digits(x)));
  }
}

void test_negative_numbers_and_nan_give_nan(void) {
  const Real smallest = std::numeric_limits<Real>::denorm_min();
  for (const Real x : {Real(-1), -smallest, -infinite, std::numeric_limits<Real>::quiet_NaN()}) {
    CHECK(moreau::sqrt(x) != moreau::sqrt(x));
    CHECK(moreau::detail::sqrt_by_digits(x) != moreau::detail::sqrt_by_digits(x));
  }
}

TEST_MAIN({
  TEST(test_all_arguments_are_rounded_correctly);
  TEST(test_numbers_next_to_squares_are_rounded_correctly);
  TEST(test_limits_of_the_format);
  TEST(test_negative_numbers_and_nan_give_nan);
})
