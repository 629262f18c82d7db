// Instruction counts of the math functions, from the board's timer under QEMU: independent of the argument, as required
// for constant time of a whole step.
#include <moreau/math/angle.hpp>
#include <moreau/math/select.hpp>
#include <moreau/math/sincos.hpp>
#include <moreau/math/sqrt.hpp>
#include <moreau/port/cycles.hpp>

#include <limits>

#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

// A timer tick is not a whole number of instructions, so that the count of a single call has an error of one. Averaged
// over this number of calls, the error is a fraction.
constexpr std::uint32_t calls = 16;

struct Cost {
  std::uint32_t least = std::numeric_limits<std::uint32_t>::max(), most = 0;
};

volatile Real sink_1, sink_2;

[[gnu::noinline]] void nothing(Real x, Real) { sink_1 = x, sink_2 = x; }
[[gnu::noinline]] void pair(Real x, Real) {
  const auto both = moreau::sincos(x);
  sink_1 = both.sin, sink_2 = both.cos;
}
[[gnu::noinline]] void wrap(Real x, Real) { sink_1 = moreau::wrap_angle(x), sink_2 = x; }
[[gnu::noinline]] void root(Real x, Real) { sink_1 = moreau::sqrt(moreau::detail::absolute(x)), sink_2 = x; }
[[gnu::noinline]] void select_one(Real x, Real y) { sink_1 = moreau::select(x < y, x * y, x - y * y), sink_2 = x; }
[[gnu::noinline]] void select_three(Real x, Real y) {
  const bool left = x < y;
  const auto [a, b] = moreau::select(left, {x * y, -y}, {x - y * y, x / (y * y + Real(1))});
  sink_1 = a, sink_2 = b + moreau::select(left, y - x, x * x);
}

// Over arguments within +-`range`, including 0 and the limits of the reduction.
Cost measure(void (*function)(Real, Real), Real range) {
  moreau::port::Stopwatch watch;
  test::Random random(51);
  Cost cost;
  for (int i = 0; i < 500; ++i) {
    const Real x = i == 0 ? Real(0) : (i == 1 ? range : (i == 2 ? -range : random.between<Real>(-range, range)));
    const Real y = random.between<Real>(-range, range);
    watch.begin();
    for (std::uint32_t call = 0; call < calls; ++call) function(x, y);
    const std::uint32_t count = (watch.instructions() + calls / 2) / calls;
    if (count < cost.least) cost.least = count;
    if (count > cost.most) cost.most = count;
  }
  return cost;
}

void check_constant(const char* what, void (*function)(Real, Real), Real range, std::uint32_t budget) {
  const Cost empty = measure(nothing, range), cost = measure(function, range);
  moreau::port::print(what, ": ", cost.least - empty.least, " to ", cost.most - empty.least, " instructions");
  CHECK_EQUAL(cost.least, cost.most);
  CHECK(cost.most - empty.most <= budget);
}

const Real near_limit = moreau::detail::from_bits<Real>(moreau::detail::SinCosConstants<Real>::near_limit);
constexpr bool is_float = sizeof(Real) == 4;

}  // namespace

// Budgets: GCC 12.2 -O2 on M4F, M7, M33, M55, with a margin of about 10 %.
void test_cost_of_sine_and_cosine_is_independent_of_the_argument(void) {
  check_constant("sincos", pair, near_limit, is_float ? 80 : 95);
}
void test_cost_of_wrapping_is_independent_of_the_argument(void) {
  check_constant("wrap_angle", wrap, near_limit, is_float ? 62 : 66);
}
void test_cost_of_the_square_root_is_independent_of_the_argument(void) { check_constant("sqrt", root, near_limit, 3); }
void test_cost_of_select_is_independent_of_the_condition(void) {
  check_constant("select with operands", select_one, 10, 14);
}
void test_cost_of_selecting_several_numbers_is_independent_of_the_condition(void) {
  check_constant("three numbers by one condition", select_three, 10, 30);
}

TEST_MAIN({
  TEST(test_cost_of_sine_and_cosine_is_independent_of_the_argument);
  TEST(test_cost_of_wrapping_is_independent_of_the_argument);
  TEST(test_cost_of_the_square_root_is_independent_of_the_argument);
  TEST(test_cost_of_select_is_independent_of_the_condition);
  TEST(test_cost_of_selecting_several_numbers_is_independent_of_the_condition);
})
