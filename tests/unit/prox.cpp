// The nearest point of each admissible set, by its definition: the point is in the set, and the step to it is normal to
// the set.
#include "support/test.hpp"

#include <limits>
#include <moreau/contact/laws.hpp>

#include "support/bits_hash.hpp"

namespace {

using Pair = moreau::Vector<Real, 2>;
constexpr Real rounding_bound = Real(8) * moreau::detail::epsilon<Real>;
constexpr Real tiny = std::numeric_limits<Real>::denorm_min(), huge = std::numeric_limits<Real>::max();
const Real not_a_number = std::numeric_limits<Real>::quiet_NaN();

}  // namespace

void test_half_line(void) {
  CHECK_EQUAL(Real(0), moreau::detail::prox_nonnegative(Real(-2)));
  CHECK_EQUAL(Real(2), moreau::detail::prox_nonnegative(Real(2)));
  CHECK_EQUAL(Real(0), moreau::detail::prox_nonnegative(Real(-0.0)));
  CHECK_EQUAL(tiny, moreau::detail::prox_nonnegative(tiny));
  const Real through = moreau::detail::prox_nonnegative(not_a_number);
  CHECK(through != through);
}

void test_interval(void) {
  CHECK_EQUAL(Real(0.5), moreau::detail::prox_interval(Real(2), Real(0.5)));
  CHECK_EQUAL(Real(-0.5), moreau::detail::prox_interval(Real(-2), Real(0.5)));
  CHECK_EQUAL(Real(0.25), moreau::detail::prox_interval(Real(0.25), Real(0.5)));
  CHECK_EQUAL(Real(0), moreau::detail::prox_interval(Real(7), Real(0)));
  const Real through = moreau::detail::prox_interval(not_a_number, Real(1));
  CHECK(through != through);
}

void test_point_inside_disc_is_bit_identical(void) {
  const Pair inside(Real(0.3), Real(-0.4));
  CHECK(moreau::detail::prox_disc(inside, Real(0.51)) == inside);
  CHECK(moreau::detail::prox_disc(Pair(Real(0), Real(0)), Real(0)) == Pair(Real(0), Real(0)));
}

void test_point_outside_disc_is_projected_radially(void) {
  test::Random random(1);
  for (int i = 0; i < 10000; ++i) {
    const Pair x(random.between(Real(-3), Real(3)), random.between(Real(-3), Real(3)));
    const Real radius = random.between(Real(0), Real(2));
    const Pair y = moreau::detail::prox_disc(x, radius);
    CHECK(moreau::detail::length(y) <= radius * (Real(1) + rounding_bound) || y == x);
    CHECK_WITHIN(rounding_bound * Real(9), Real(0), x(0) * y(1) - x(1) * y(0));  // same direction
    CHECK(x(0) * y(0) + x(1) * y(1) >= Real(0));
  }
}

// A sum of squares would overflow or underflow at the ends of the range.
void test_length_at_the_ends_of_the_range(void) {
  CHECK_EQUAL(Real(5), moreau::detail::length(Pair(Real(3), Real(-4))));
  const Real small = std::numeric_limits<Real>::min() * Real(16), large = huge / Real(16);
  CHECK_WITHIN(rounding_bound, Real(5), moreau::detail::length(Pair(Real(3) * small, Real(4) * small)) / small);
  CHECK_WITHIN(rounding_bound, Real(5), moreau::detail::length(Pair(Real(3) * large, Real(4) * large)) / large);
  CHECK_EQUAL(tiny, moreau::detail::length(Pair(Real(0), -tiny)));
  const Real through = moreau::detail::length(Pair(Real(1), not_a_number));
  CHECK(through != through);
}

void test_disc_at_the_ends_of_the_range(void) {
  const Real small = std::numeric_limits<Real>::min() * Real(1024);
  const Pair y = moreau::detail::prox_disc(Pair(Real(3) * small, Real(4) * small), small);
  CHECK_WITHIN(rounding_bound, Real(0.6), y(0) / small);
  CHECK_WITHIN(rounding_bound, Real(0.8), y(1) / small);
}

// Branching and Branchless use one formula: bit-identical results.
void test_both_policies_are_bit_identical(void) {
  using moreau::detail::Branchless;
  using Single = moreau::Vector<Real, 1>;
  const auto same = [](Real a, Real b) { return moreau::detail::to_bits(a) == moreau::detail::to_bits(b); };
  const Real special[] = {Real(0), Real(-0.0), tiny, -tiny, Real(1), Real(-1), huge, -huge};
  test::Random random(2);
  for (int i = 0; i < 10000; ++i) {
    const auto any = [&] {
      return i % 2 == 0 ? special[(random.bits() >> 40) % 8] : random.between(Real(-3), Real(3));
    };
    const Pair x(any(), any());
    const Real radius = moreau::detail::absolute(any());
    const Pair a = moreau::detail::prox_disc(x, radius), b = moreau::detail::prox_disc<Branchless>(x, radius);
    CHECK(same(a(0), b(0)) && same(a(1), b(1)));
    CHECK(same(moreau::detail::length(x), moreau::detail::length<Branchless>(x)));
    CHECK(same(moreau::detail::prox_nonnegative(x(0)), moreau::detail::prox_nonnegative<Branchless>(x(0))));
    CHECK(same(moreau::detail::prox_interval(x(0), radius), moreau::detail::prox_interval<Branchless>(x(0), radius)));
    CHECK(same(moreau::detail::length(Single(x(0))), moreau::detail::length<Branchless>(Single(x(0)))));
  }
}

// The range of a law includes its ends.
template <class Flow>
void check_range(void) {
  const auto in_range = [](Real x) { return bool(Flow::as_bit(moreau::detail::in_range<Flow>(x, Real(1)))); };
  for (const Real good : {Real(0), tiny, Real(0.5), Real(1)}) CHECK(in_range(good));
  for (const Real bad : {-tiny, Real(-1), Real(1) + moreau::detail::epsilon<Real>, huge, not_a_number})
    CHECK(!in_range(bad));
}
void test_range_of_a_law(void) {
  check_range<moreau::detail::Branching>();
  check_range<moreau::detail::Branchless>();
}

TEST_MAIN({
  TEST(test_range_of_a_law);
  TEST(test_half_line);
  TEST(test_interval);
  TEST(test_point_inside_disc_is_bit_identical);
  TEST(test_point_outside_disc_is_projected_radially);
  TEST(test_length_at_the_ends_of_the_range);
  TEST(test_disc_at_the_ends_of_the_range);
  TEST(test_both_policies_are_bit_identical);
})
