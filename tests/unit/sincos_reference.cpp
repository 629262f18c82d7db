// Documented error of sine and cosine against the host's library in a wider type, for a million arguments.
#include <moreau/math/sincos.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

// The reference has at least 11 more digits, accurate to about one of them, for arguments of any size.
using Wide = std::conditional_t<sizeof(Real) == 4, double, long double>;
static_assert(std::numeric_limits<Wide>::digits >= std::numeric_limits<Real>::digits + 11, "requires a wider type");

// Error in units in the last place of Real at the exact value.
double ulps(Real value, Wide exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  constexpr int lowest = std::numeric_limits<Real>::min_exponent;
  const int place = (exponent > lowest ? exponent : lowest) - std::numeric_limits<Real>::digits;
  return static_cast<double>(std::fabs(std::ldexp(static_cast<Wide>(value) - exact, -place)));
}

double worst;

void compare(Real x) {
  const auto pair = moreau::sincos(x);
  const Wide wide = static_cast<Wide>(x);
  worst = std::fmax(worst, std::fmax(ulps(pair.sin, std::sin(wide)), ulps(pair.cos, std::cos(wide))));
  if (worst != worst) worst = 1e300;
}

constexpr int points = 1000000;

}  // namespace

void test_small_and_ordinary_arguments_to_1_02_ulp(void) {
  worst = 0;
  test::Random random(11);
  const Real limit = moreau::detail::from_bits<Real>(moreau::detail::SinCosConstants<Real>::near_limit);
  for (int i = 0; i < points; i += 4) {
    compare(random.between<Real>(-4, 4));
    compare(random.between<Real>(-limit, limit));
    compare(random.between<Real>(-1, 1) * std::ldexp(Real(1), -static_cast<int>(random.bits() % 140)));
    const Real multiple = static_cast<Real>(random.bits() % 2600) * Real(1.57079632679489661923L);
    compare(moreau::detail::from_bits<Real>(moreau::detail::to_bits(multiple) +
                                            static_cast<moreau::detail::Bits<Real>>(random.bits() % 3)));
  }
  moreau::port::print("largest error up to the limit of the fast reduction: ", worst, " ulp");
  CHECK(worst <= 1.02);
}

void test_arguments_of_any_size_to_1_06_ulp(void) {
  worst = 0;
  test::Random random(12);
  for (int i = 0; i < points; ++i) compare(random.any_finite<Real>());
  moreau::port::print("largest error over all exponents: ", worst, " ulp");
  CHECK(worst <= 1.06);
}

TEST_MAIN({
  TEST(test_small_and_ordinary_arguments_to_1_02_ulp);
  TEST(test_arguments_of_any_size_to_1_06_ulp);
})
