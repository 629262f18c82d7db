// Wrapped angles: their range, their direction, and the speed of a crank over hours in float.
#include <moreau/math/angle.hpp>

#include <initializer_list>
#include <limits>

#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

constexpr Real eps = std::numeric_limits<Real>::epsilon();
constexpr Real pi = moreau::pi<Real>;

bool same_bits(Real a, Real b) { return moreau::detail::to_bits(a) == moreau::detail::to_bits(b); }

// Same direction: sine and cosine agree up to one rounding of the wrapped angle (eps is an ulp between 1 and 2; the
// wrapped angle is below 4) and one of each function.
constexpr Real direction_tolerance = 3 * eps;

void check_wrapped(Real x) {
  const Real w = moreau::wrap_angle(x);
  CHECK(w >= -pi && w < pi);
  CHECK_WITHIN(direction_tolerance, moreau::sin(x), moreau::sin(w));
  CHECK_WITHIN(direction_tolerance, moreau::cos(x), moreau::cos(w));
}

}  // namespace

void test_angles_inside_are_bit_identical(void) {
  const Real below = moreau::detail::from_bits<Real>(moreau::detail::to_bits(pi) - 1);
  for (const Real x : {Real(0), -Real(0), -pi, below, -below, Real(1), Real(-3), std::numeric_limits<Real>::min()}) {
    CHECK(same_bits(x, moreau::wrap_angle(x)));
  }
  test::Random random(31);
  for (int i = 0; i < 2000; ++i) {
    const Real x = random.between<Real>(-pi, pi);
    CHECK(same_bits(x, moreau::wrap_angle(x)));
  }
}

void test_wrapping_preserves_the_direction(void) {
  test::Random random(32);
  for (int i = 0; i < 2000; ++i) {
    check_wrapped(random.between<Real>(-10, 10));
    check_wrapped(random.between<Real>(-4000, 4000));
    check_wrapped(random.any_finite<Real>());
  }
}

void test_limits_of_the_range(void) {
  check_wrapped(pi);
  for (int turn = -50; turn <= 50; ++turn) {
    const Real odd = static_cast<Real>(2 * turn + 1) * pi;
    for (int step = -3; step <= 3; ++step) {
      check_wrapped(moreau::detail::from_bits<Real>(moreau::detail::to_bits(odd) +
                                                    static_cast<moreau::detail::Bits<Real>>(step)));
    }
  }
  const Real limit = moreau::detail::from_bits<Real>(moreau::detail::SinCosConstants<Real>::near_limit);
  check_wrapped(limit);
  check_wrapped(moreau::detail::from_bits<Real>(moreau::detail::to_bits(limit) + 1));
}

void test_infinite_and_nan_give_nan(void) {
  const Real infinite = std::numeric_limits<Real>::infinity();
  for (const Real x : {infinite, -infinite, std::numeric_limits<Real>::quiet_NaN()}) {
    CHECK(moreau::wrap_angle(x) != moreau::wrap_angle(x));
  }
}

// Crank at 150 rad/s, 10 kHz, 10 s: without wrapping, the resolution of a float is then 1.2e-4 rad, an error of 3 %.
void test_wrapped_crank_has_the_correct_speed(void) {
  const Real step = Real(0.015);
  constexpr int steps = 100000;
  Real angle = 0;
  int turns = 0;
  for (int i = 0; i < steps; ++i) {
    const Real next = angle + step, wrapped = moreau::wrap_angle(next);
    if (wrapped < 0 && next > 0) ++turns;
    angle = wrapped;
  }
  const double total = turns * 6.283185307179586 + static_cast<double>(angle);
  const double exact = steps * static_cast<double>(step);
  // Rounding of the sum: at most half an ulp of pi each; this bound is reached only if all have the same sign.
  const double tolerance = steps * 0.5 * 2 * static_cast<double>(eps);
  CHECK_WITHIN(tolerance, exact, total);
  CHECK_WITHIN(1e-4 * exact, exact, total);
}

void test_results_are_bit_identical_on_all_machines(void) {
  test::Random random(33);
  test::BitsHash hash;
  for (int i = 0; i < 10000; ++i) {
    hash.add(moreau::wrap_angle(random.between<Real>(-20, 20)));
    hash.add(moreau::wrap_angle(random.any_finite<Real>()));
  }
  constexpr std::uint64_t golden = sizeof(Real) == 4 ? 0x9d52824e06dc0b98u : 0x37057a335687c182u;
  moreau::port::print("hash of 20000 results: ", moreau::port::Hex{hash.value()});
  CHECK(hash.value() == golden);
}

TEST_MAIN({
  TEST(test_angles_inside_are_bit_identical);
  TEST(test_wrapping_preserves_the_direction);
  TEST(test_limits_of_the_range);
  TEST(test_infinite_and_nan_give_nan);
  TEST(test_wrapped_crank_has_the_correct_speed);
  TEST(test_results_are_bit_identical_on_all_machines);
})
