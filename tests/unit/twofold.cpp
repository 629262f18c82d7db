// A sum of products in twice the precision: digits beyond the scalar are available when the large terms cancel.
#include <moreau/math/kernels.hpp>
#include <moreau/math/twofold.hpp>

#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

using moreau::detail::TwofoldSum;
constexpr Real eps = moreau::detail::epsilon<Real>;

}  // namespace

void test_digits_of_a_product_are_kept(void) {
  TwofoldSum<Real> sum(-1);
  sum.add_product(1 + eps, 1 + eps);  // 1 + 2 eps + eps^2
  sum.add_product(-2, eps);
  CHECK_EQUAL(eps * eps, sum.value());
}

void test_digits_of_a_sum_are_kept(void) {
  const Real large = 3 / eps, small = Real(0.375);
  TwofoldSum<Real> sum(small), other(large);
  sum.add_product(large, 1), sum.add_product(small, 2), sum.add_product(-1, large);
  CHECK_EQUAL(3 * small, sum.value());
  other.add_product(small, 3), other.add_product(-3, 1 / eps);
  CHECK_EQUAL(3 * small, other.value());
}

// Factors of few digits with both signs: the sum is an integer that a wider scalar, or 64 bits, represents exactly.
void test_sums_are_exact_within_twice_the_digits(void) {
  test::Random random(5);
  constexpr int digits = sizeof(Real) == 8 ? 30 : 15;  // of a factor: the product exceeds the digits of the scalar
  for (int n = 0; n < 1000; ++n) {
    TwofoldSum<Real> sum(0);
    std::int64_t exact = 0;
    for (int i = 0; i < 8; ++i) {
      const auto any = [&] { return static_cast<std::int64_t>(random.bits() >> (64 - digits)); };
      const std::int64_t a = any(), b = any() * (i % 2 == 0 ? 1 : -1);
      sum.add_product(static_cast<Real>(a), static_cast<Real>(b));
      exact += a * b;
    }
    CHECK_EQUAL(static_cast<Real>(exact), sum.value());
  }
}

void test_nan_stays_nan(void) {
  TwofoldSum<Real> sum(1);
  sum.add_product(std::numeric_limits<Real>::infinity(), 1);
  CHECK(!(sum.value() == sum.value()));
}

TEST_MAIN({
  TEST(test_digits_of_a_product_are_kept);
  TEST(test_digits_of_a_sum_are_kept);
  TEST(test_sums_are_exact_within_twice_the_digits);
  TEST(test_nan_stays_nan);
})
