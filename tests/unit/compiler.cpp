// Compiler extensions of compiler.hpp have the results of plain C++: this file is built with and without
// MOREAU_NO_EXTENSIONS.
#include <moreau/math/compiler.hpp>

#include <cmath>
#include <initializer_list>
#include <limits>

#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace cpu = moreau::detail::cpu;

namespace {

MOREAU_ALWAYS_INLINE int one() { return 1; }
MOREAU_COLD MOREAU_NOINLINE int two() { return one() + one(); }
MOREAU_FLATTEN int four() { return two() + two(); }

MOREAU_SHADOWING_BEGIN
int hides(int four) { return four; }  // -Wshadow -Werror elsewhere
MOREAU_SHADOWING_END

template <class R>
bool same_bits(R a, R b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

void test_attributes_and_pragmas_are_accepted(void) {
  CHECK_EQUAL(4, four());
  CHECK_EQUAL(5, hides(5));
  cpu::keep(one());
}

void test_count_trailing_zeros(void) {
  test::Random random(31);
  for (int bit = 0; bit < 32; ++bit) {
    CHECK_EQUAL(bit, cpu::count_trailing_zeros(std::uint32_t{1} << bit));
    for (int i = 0; i < 20; ++i) {
      const auto above = static_cast<std::uint32_t>(random.between<double>(0, 4294967295.0));
      CHECK_EQUAL(bit, cpu::count_trailing_zeros((above | 1) << bit));
    }
  }
}

template <int words>
void check_rotated_sum() {
  test::Random random(words);
  std::uint32_t object[words + 1];
  for (auto& word : object) word = static_cast<std::uint32_t>(random.bits());
  const auto* bytes = reinterpret_cast<const unsigned char*>(object);
  std::uint32_t expected = 7;
  for (int i = 0; i < words; ++i) expected = cpu::rotated_sum(expected, object[i]);
  CHECK_EQUAL(expected, cpu::rotated_sum<words>(7, bytes));
  for (int bit = 0; bit < 32 * words; ++bit) {
    object[bit / 32] ^= std::uint32_t{1} << bit % 32;
    CHECK(expected != cpu::rotated_sum<words>(7, bytes));
    object[bit / 32] ^= std::uint32_t{1} << bit % 32;
  }
}
void test_rotated_sum_depends_on_every_bit(void) {
  CHECK_EQUAL(7u, cpu::rotated_sum<0>(7, nullptr));
  check_rotated_sum<1>();
  check_rotated_sum<8>();
  check_rotated_sum<17>();
}

template <class R>
void check_absolute() {
  using limits = std::numeric_limits<R>;
  for (const R x : {R(0), R(1.5), limits::denorm_min(), limits::infinity(), limits::quiet_NaN()}) {
    CHECK(same_bits(x, cpu::absolute(x)));
    CHECK(same_bits(x, cpu::absolute(-x)));
  }
}
void test_absolute_clears_only_the_sign(void) {
  check_absolute<float>();  // models of one scalar can use numbers of the other
  check_absolute<double>();
}

void test_run_time_condition_is_not_a_known_constant(void) {
  for (volatile int yes = 0; yes < 2; yes = yes + 1) CHECK(!cpu::is_known(yes != 0));
}

namespace {

// Templates, so that functions missing in a unit are not looked up.
template <class R>
void check_roots() {
  if constexpr (cpu::has_sqrt<R>) {
    for (const R x :
         {R(0), R(2), R(1e-30), R(1e30), std::numeric_limits<R>::max(), std::numeric_limits<R>::infinity()}) {
      R root = -1;
      cpu::set_sqrt(root, x);
      CHECK(same_bits(std::sqrt(x), root));
    }
  }
}

template <class R>
void check_moves() {
  if constexpr (cpu::has_conditional_move<R>) {
    for (const std::int32_t c : std::initializer_list<std::int32_t>{-1, -2147483647 - 1, 0, 1}) {
      R x = 1, y = 2;
      cpu::move_if(c, x, R(3));
      CHECK_EQUAL(c < 0 ? R(3) : R(1), x);
      cpu::move_if(c, x, R(5), y, R(6));
      CHECK_EQUAL(c < 0 ? R(5) : R(1), x);
      CHECK_EQUAL(c < 0 ? R(6) : R(2), y);
    }
    for (const R p : {R(-1), R(1), R(2), std::numeric_limits<R>::quiet_NaN()}) {
      R x = 3;
      cpu::move_if_less(p, R(1), x, R(4));
      CHECK_EQUAL(p < R(1) ? R(4) : R(3), x);
      cpu::move_if_less(R(1), p, x, R(5));
      CHECK_EQUAL(p < R(1) ? R(4) : (p > R(1) ? R(5) : R(3)), x);
    }
    for (const R start : {R(0), R(2), std::numeric_limits<R>::infinity(), std::numeric_limits<R>::quiet_NaN()}) {
      R x = start;
      cpu::negate_if(std::int32_t{0}, x);
      CHECK(same_bits(start, x));
      cpu::negate_if(std::int32_t{-1}, x);
      CHECK(same_bits(-start, x));
    }
  }
}

}  // namespace

void test_square_root_instruction(void) { check_roots<Real>(); }

void test_conditional_moves(void) { check_moves<Real>(); }

void test_no_extensions_without_support(void) {
#ifdef MOREAU_NO_EXTENSIONS
  CHECK(!cpu::has_sqrt<Real> && !cpu::has_conditional_move<Real>);
#elif defined(__x86_64__)
  CHECK(cpu::has_sqrt<Real> && cpu::has_conditional_move<Real>);
#endif
}

TEST_MAIN({
  TEST(test_attributes_and_pragmas_are_accepted);
  TEST(test_count_trailing_zeros);
  TEST(test_rotated_sum_depends_on_every_bit);
  TEST(test_absolute_clears_only_the_sign);
  TEST(test_run_time_condition_is_not_a_known_constant);
  TEST(test_square_root_instruction);
  TEST(test_conditional_moves);
  TEST(test_no_extensions_without_support);
})
