// The exact reduction of large angles: arguments with known remainders, and consistency.
#include <moreau/math/sincos.hpp>

#include <limits>
#include <type_traits>

#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

constexpr Real eps = std::numeric_limits<Real>::epsilon();
constexpr Real quarter_pi = Real(0.78539816339744830962);

// x - k pi/2 computed with 1300 digits; the quadrant is k modulo 4.
struct Known {
  Real x;
  std::uint32_t quadrant;
  Real remainder;
};

template <class T, class = void>
struct KnownRemainders;

template <class T>
struct KnownRemainders<T, std::enable_if_t<sizeof(T) == 4>> {
  static constexpr Known list[] = {{Real(0x1.f37c8a0000000p+95), 1u, Real(0x1.bbdd520000000p-30)},
                                   {Real(0x1.fffffe0000000p+127), 0u, Real(-0x1.191cfe0000000p-1)},
                                   {Real(0x1.0010000000000p+12), 0u, Real(0x1.73e5620000000p-2)},
                                   {Real(0x1.e848000000000p+19), 0u, Real(-0x1.6e254e0000000p-2)},
                                   {Real(0x1.93e5940000000p+99), 3u, Real(-0x1.50f0d40000000p-1)},
                                   {Real(0x1.6300000000000p+8), 2u, Real(0x1.f9bd040000000p-16)},
                                   {Real(0x1.7da3a00000000p+66), 2u, Real(0x1.454a560000000p-4)}};
};

template <class T>
struct KnownRemainders<T, std::enable_if_t<sizeof(T) == 8>> {
  static constexpr Known list[] = {{Real(0x1.6ac5b262ca1ffp+849), 1u, Real(0x1.14ae72e6ba22fp-61)},
                                   {Real(0x1.fffffffffffffp+1023), 2u, Real(-0x1.453020ff06b39p-8)},
                                   {Real(0x1.0000100000000p+20), 1u, Real(-0x1.df2bd1fc95371p-3)},
                                   {Real(0x1.0f0cf064dd592p+73), 3u, Real(0x1.19eab99633cd8p-1)},
                                   {Real(0x1.7e43c8800759cp+996), 3u, Real(-0x1.39e51e3b9d3d4p-1)},
                                   {Real(0x1.6300000000000p+8), 2u, Real(0x1.f9bd03091ad49p-16)},
                                   {Real(0x1.9639000000000p+16), 0u, Real(-0x1.40efdf1f0cefbp-16)}};
};

}  // namespace

void test_known_remainders(void) {
  for (const Known& known : KnownRemainders<Real>::list) {
    const auto angle = moreau::detail::reduce_far(known.x);
    CHECK_EQUAL(known.quadrant, angle.k % 4);
    // r and r_low together represent the remainder to an ulp of its own, also for tiny remainders.
    CHECK_WITHIN(eps * moreau::detail::absolute(known.remainder), known.remainder, angle.r + angle.r_low);
  }
}

void test_remainder_is_at_most_an_eighth_of_a_turn(void) {
  test::Random random(61);
  for (int i = 0; i < 5000; ++i) {
    const Real x = 1 + moreau::detail::absolute(random.any_finite<Real>());
    const auto angle = moreau::detail::reduce_far(x);
    CHECK(moreau::detail::absolute(angle.r) <= quarter_pi * (1 + eps));
    CHECK(moreau::detail::absolute(angle.r_low) <= 2 * eps * moreau::detail::absolute(angle.r));
    CHECK(angle.r != 0);
  }
}

void test_reduction_ignores_the_sign(void) {
  test::Random random(62);
  for (int i = 0; i < 1000; ++i) {
    const Real x = 1 + moreau::detail::absolute(random.any_finite<Real>());
    const auto plus = moreau::detail::reduce_far(x), minus = moreau::detail::reduce_far(-x);
    CHECK(plus.r == minus.r && plus.r_low == minus.r_low && plus.k == minus.k);
  }
}

// Small integers: four quadrants are a turn of 6.28..., so that the sum quadrant pi/2 + r equals the argument.
void test_quadrant_and_remainder_of_small_arguments(void) {
  for (int n = 1; n <= 6; ++n) {
    const auto angle = moreau::detail::reduce_far(static_cast<Real>(n));
    const Real quadrants = static_cast<Real>(angle.k % 4);
    const Real sum = quadrants * 2 * quarter_pi + angle.r + angle.r_low;
    const Real sum_near = n == 6 ? sum + 8 * quarter_pi : sum;  // 6 rad is nearer to the full turn
    CHECK_WITHIN(8 * eps, static_cast<Real>(n), sum_near);
  }
}

// -a modulo 2^96: the carry propagates through the zero words only.
void test_negation_of_words(void) {
  const std::uint32_t numbers[][3] = {{1, 2, 3}, {1, 2, 0}, {1, 0, 0}, {0, 0, 0}, {0xffffffffu, 0, 7}};
  const std::uint32_t negatives[][3] = {{0xfffffffeu, 0xfffffffdu, 0xfffffffdu},
                                        {0xfffffffeu, 0xfffffffeu, 0},
                                        {0xffffffffu, 0, 0},
                                        {0, 0, 0},
                                        {0, 0xffffffffu, 0xfffffff9u}};
  for (int n = 0; n < 5; ++n) {
    std::uint32_t guarded[5] = {11, numbers[n][0], numbers[n][1], numbers[n][2], 13};
    moreau::detail::negate(reinterpret_cast<std::uint32_t(&)[3]>(guarded[1]));
    for (int i = 0; i < 3; ++i) CHECK_EQUAL(negatives[n][i], guarded[i + 1]);
    CHECK(guarded[0] == 11 && guarded[4] == 13);
  }
}

TEST_MAIN({
  TEST(test_negation_of_words);
  TEST(test_known_remainders);
  TEST(test_remainder_is_at_most_an_eighth_of_a_turn);
  TEST(test_reduction_ignores_the_sign);
  TEST(test_quadrant_and_remainder_of_small_arguments);
})
