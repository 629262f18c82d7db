// Sine and cosine: known values, special values, symmetry, and bit-identical results on every board.
#include <moreau/math/sincos.hpp>

#include <initializer_list>
#include <limits>
#include <type_traits>

#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

constexpr Real eps = std::numeric_limits<Real>::epsilon();
constexpr Real infinite = std::numeric_limits<Real>::infinity();

struct Known {
  Real x, sin, cos;
};

// Computed with 1300 digits and rounded: arguments next to multiples of pi/2, the worst-case argument of each scalar,
// the largest and the smallest number.
template <class T, class = void>
struct KnownValues;

template <class T>
struct KnownValues<T, std::enable_if_t<sizeof(T) == 4>> {
  static constexpr Known list[] = {
      {Real(0x1.921fb6p+1), Real(-0x1.777a5cp-24), Real(-1)},
      {Real(0x1.921fb6p+0), Real(1), Real(-0x1.777a5cp-25)},
      {Real(355), Real(-0x1.f9bd03p-16), Real(-0x1.fffffep-1)},
      {Real(0x1.fffcccp+11), Real(-0x1.581186p-1), Real(0x1.7b287cp-1)},
      {Real(0x1.f37c8ap+95), Real(1), Real(-0x1.bbdd52p-30)},
      {Real(0x1.fffffep+127), Real(-0x1.0b3366p-1), Real(0x1.b4bf2cp-1)},
      {Real(0x1p-149), Real(0x1p-149), Real(1)},
      {Real(-710), Real(-0x1.f9bd04p-15), Real(1)},
  };
};

template <class T>
struct KnownValues<T, std::enable_if_t<sizeof(T) == 8>> {
  static constexpr Known list[] = {
      {Real(0x1.921fb54442d18p+1), Real(0x1.1a62633145c07p-53), Real(-1)},
      {Real(0x1.921fb54442d18p+0), Real(1), Real(0x1.1a62633145c07p-54)},
      {Real(355), Real(-0x1.f9bd0307d1de3p-16), Real(-0x1.fffffffc18e4cp-1)},
      {Real(0x1.fffffcccccccdp+19), Real(0x1.e07fa13370afbp-3), Real(0x1.f1b57557c0355p-1)},
      {Real(0x1.6ac5b262ca1ffp+849), Real(1), Real(-0x1.14ae72e6ba22fp-61)},
      {Real(0x1.fffffffffffffp+1023), Real(0x1.452fc98b34e97p-8), Real(-0x1.fffe62ecfab75p-1)},
      {Real(0x1p-1074), Real(0x1p-1074), Real(1)},
      {Real(-103993), Real(0x1.40efdf1eb8de7p-16), Real(0x1.fffffffe6da77p-1)},
  };
};

// True for equal or adjacent numbers: the bit patterns of one sign have the order of the numbers.
bool neighbours(Real a, Real b) {
  const auto x = moreau::detail::to_bits(a), y = moreau::detail::to_bits(b);
  return x == y || x == y + 1 || x + 1 == y;
}

bool is_nan(Real x) { return !(x - x == 0) && !(x == infinite) && !(x == -infinite); }

}  // namespace

void test_known_values_within_one_neighbour(void) {
  for (const Known& known : KnownValues<Real>::list) {
    const auto pair = moreau::sincos(known.x);
    CHECK(neighbours(known.sin, pair.sin));
    CHECK(neighbours(known.cos, pair.cos));
  }
}

void test_sine_of_zero_and_smallest_numbers_is_the_argument(void) {
  const Real smallest = std::numeric_limits<Real>::denorm_min();
  for (const Real x : {Real(0), -Real(0), smallest, -smallest, 3 * smallest, std::numeric_limits<Real>::min()}) {
    CHECK(moreau::detail::to_bits(moreau::sin(x)) == moreau::detail::to_bits(x));
    CHECK(moreau::cos(x) == 1);
  }
}

void test_infinite_and_nan_arguments_give_nan(void) {
  for (const Real x : {infinite, -infinite, std::numeric_limits<Real>::quiet_NaN()}) {
    CHECK(is_nan(moreau::sin(x)));
    CHECK(is_nan(moreau::cos(x)));
  }
}

void test_sine_is_exactly_odd_and_cosine_exactly_even(void) {
  test::Random random(1);
  for (int i = 0; i < 5000; ++i) {
    const Real x = random.any_finite<Real>();
    const auto plus = moreau::sincos(x), minus = moreau::sincos(-x);
    CHECK(moreau::detail::to_bits(minus.sin) == moreau::detail::to_bits(-plus.sin));
    CHECK(moreau::detail::to_bits(minus.cos) == moreau::detail::to_bits(plus.cos));
  }
}

void test_results_are_on_the_unit_circle(void) {
  test::Random random(2);
  // One ulp in each of two squares below 1, and the rounding of the sum.
  constexpr Real tolerance = 3 * eps;
  for (int i = 0; i < 5000; ++i) {
    const auto pair = moreau::sincos(random.any_finite<Real>());
    CHECK_WITHIN(tolerance, 1, pair.sin * pair.sin + pair.cos * pair.cos);
  }
}

void test_fast_and_exact_reduction_agree_at_the_limit(void) {
  const Real limit = moreau::detail::from_bits<Real>(moreau::detail::SinCosConstants<Real>::near_limit);
  const Real beyond = moreau::detail::from_bits<Real>(moreau::detail::SinCosConstants<Real>::near_limit + 1);
  const auto fast = moreau::sincos(limit), exact = moreau::detail::sincos_far(limit), next = moreau::sincos(beyond);
  CHECK_WITHIN(eps, fast.sin, exact.sin);
  CHECK_WITHIN(eps, fast.cos, exact.cos);
  const Real step = beyond - limit;  // continuation by the derivative
  CHECK_WITHIN(step * step + 2 * eps, fast.sin + step * fast.cos, next.sin);
  CHECK_WITHIN(step * step + 2 * eps, fast.cos - step * fast.sin, next.cos);
}

// The names of the single functions exist for both scalars.
template <class R>
void check_sine_and_cosine_alone() {
  for (const R x : {R(0.5), R(-3), R(1e7)}) {
    CHECK(moreau::sin(x) == moreau::sincos(x).sin);
    CHECK(moreau::cos(x) == moreau::sincos(x).cos);
    static_assert(std::is_same_v<decltype(moreau::sin(x)), R> && std::is_same_v<decltype(moreau::cos(x)), R>);
  }
}
void test_sine_and_cosine_alone(void) {
  check_sine_and_cosine_alone<float>();
  check_sine_and_cosine_alone<double>();
}

// Small and large arguments in every position.
void test_several_angles_are_bit_identical_to_each(void) {
  const Real angles[] = {Real(0.5), Real(-3), Real(1e7), Real(-2e9)};
  for (const Real a : angles)
    for (const Real b : angles) {
      const auto [one, two] = moreau::sincos(a, b);
      CHECK(one.sin == moreau::sin(a) && one.cos == moreau::cos(a));
      CHECK(two.sin == moreau::sin(b) && two.cos == moreau::cos(b));
    }
}

void test_results_are_bit_identical_on_all_machines(void) {
  test::Random random(3);
  test::BitsHash hash;
  for (int i = 0; i < 20000; ++i) {
    const Real arguments[] = {random.any_finite<Real>(), random.between<Real>(-10, 10),
                              random.between<Real>(-4000, 4000), static_cast<Real>(i) * Real(1.57079632679489661923)};
    for (const Real x : arguments) {
      const auto pair = moreau::sincos(x);
      hash.add(pair.sin);
      hash.add(pair.cos);
    }
  }
  constexpr std::uint64_t golden = sizeof(Real) == 4 ? 0xfba813fc9ca6e20bu : 0xb75979d2d63236ddu;
  moreau::port::print("hash of 160000 results: ", moreau::port::Hex{hash.value()});
  CHECK(hash.value() == golden);
}

TEST_MAIN({
  TEST(test_known_values_within_one_neighbour);
  TEST(test_sine_of_zero_and_smallest_numbers_is_the_argument);
  TEST(test_infinite_and_nan_arguments_give_nan);
  TEST(test_sine_is_exactly_odd_and_cosine_exactly_even);
  TEST(test_results_are_on_the_unit_circle);
  TEST(test_fast_and_exact_reduction_agree_at_the_limit);
  TEST(test_sine_and_cosine_alone);
  TEST(test_several_angles_are_bit_identical_to_each);
  TEST(test_results_are_bit_identical_on_all_machines);
})
