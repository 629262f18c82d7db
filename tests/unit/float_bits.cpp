// Conversion of numbers to bit patterns and back, signs, powers of two.
#include <moreau/math/bits.hpp>

#include <limits>

#include "support/test.hpp"

namespace {
const Real values[] = {Real(0),
                       -Real(0),
                       Real(1),
                       Real(-1.5),
                       std::numeric_limits<Real>::denorm_min(),
                       std::numeric_limits<Real>::max(),
                       -std::numeric_limits<Real>::infinity()};
}

void test_round_trip(void) {
  for (const Real x : values) {
    const Real back = moreau::detail::from_bits<Real>(moreau::detail::to_bits(x));
    CHECK_EQUAL(x, back);
    CHECK(moreau::detail::to_bits(back) == moreau::detail::to_bits(x));
  }
}

void test_patterns_of_known_numbers(void) {
  CHECK(moreau::detail::to_bits(1.0f) == 0x3f800000u);
  CHECK(moreau::detail::to_bits(-2.0f) == 0xc0000000u);
  CHECK(moreau::detail::to_bits(1.0) == 0x3ff0000000000000u);
  CHECK(moreau::detail::to_bits(-Real(0)) == moreau::detail::sign_bit<Real>);
  CHECK(moreau::detail::to_bits(std::numeric_limits<Real>::infinity()) == moreau::detail::infinity_bits<Real>);
}

void test_magnitude_clears_only_the_sign(void) {
  for (const Real x : values) {
    CHECK(moreau::detail::to_bits(moreau::detail::absolute(x)) ==
          (moreau::detail::to_bits(x) & ~moreau::detail::sign_bit<Real>));
  }
}

void test_powers_of_two(void) {
  Real up = 1, down = 1;
  for (int e = 0; e < moreau::detail::Binary<Real>::bias; ++e, up *= 2, down /= 2) {
    CHECK_EQUAL(up, moreau::detail::power_of_two<Real>(e));
    if (e < moreau::detail::Binary<Real>::bias - 1) CHECK_EQUAL(down, moreau::detail::power_of_two<Real>(-e));
  }
}

TEST_MAIN({
  TEST(test_round_trip);
  TEST(test_patterns_of_known_numbers);
  TEST(test_magnitude_clears_only_the_sign);
  TEST(test_powers_of_two);
})
