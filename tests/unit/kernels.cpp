// Sums in a fixed order, unrolled loops, the test for non-finite values.
#include <moreau/math/kernels.hpp>

#include <initializer_list>
#include <utility>

#include "support/test.hpp"

namespace {

const Real nan_value = std::numeric_limits<Real>::quiet_NaN();
const Real infinite = std::numeric_limits<Real>::infinity();
constexpr Real huge = Real(1) / std::numeric_limits<Real>::epsilon();  // huge + 1 is exact, huge + 1/2 is not

template <int n>
void each_index_is_visited_once_in_order() {
  int next = 0;
  moreau::detail::for_each_index<n>([&](int i) {
    CHECK_EQUAL(next, i);
    ++next;
  });
  CHECK_EQUAL(n, next);
}

}  // namespace

void test_each_index_is_visited_once_in_order(void) {
  each_index_is_visited_once_in_order<0>();
  each_index_is_visited_once_in_order<1>();
  each_index_is_visited_once_in_order<moreau::detail::unroll_limit>();
  each_index_is_visited_once_in_order<moreau::detail::unroll_limit + 1>();
  each_index_is_visited_once_in_order<50>();
}

// The terms cancel only if they are added from the first to the last; any other order gives another result.
template <int n>
void dot_adds_from_the_first_to_the_last() {
  moreau::Vector<Real, n> a = moreau::Vector<Real, n>::Zero(), ones = moreau::Vector<Real, n>::Ones();
  a(0) = 4 * huge;
  a(1) = -4 * huge;
  a(n - 1) = Real(0.25);
  CHECK_EQUAL(Real(0.25), moreau::dot(a, ones));
  std::swap(a(1), a(n - 1));  // 4 huge + 0.25 - 4 huge: the quarter is rounded off
  CHECK_EQUAL(Real(0), moreau::dot(a, ones));
}

void test_dot_adds_from_the_first_to_the_last(void) {
  dot_adds_from_the_first_to_the_last<3>();
  dot_adds_from_the_first_to_the_last<4>();
  dot_adds_from_the_first_to_the_last<8>();
  dot_adds_from_the_first_to_the_last<17>();
}

void test_dot_of_empty_vectors_is_zero(void) {
  const moreau::Vector<Real, 0> none;
  CHECK_EQUAL(Real(0), moreau::dot(none, none));
}

void test_add_scaled(void) {
  moreau::Vector<Real, 3> y(1, 2, 3);
  moreau::detail::add_scaled(y, Real(-2), moreau::Vector<Real, 3>(1, 0, Real(0.5)));
  CHECK_EQUAL(Real(-1), y(0));
  CHECK_EQUAL(Real(2), y(1));
  CHECK_EQUAL(Real(2), y(2));
}

void test_probe_detects_non_finite_values(void) {
  CHECK_EQUAL(Real(0), moreau::detail::finite_probe(std::numeric_limits<Real>::max()));
  CHECK_EQUAL(Real(0), moreau::detail::finite_probe(-std::numeric_limits<Real>::denorm_min()));
  for (const Real bad : {nan_value, infinite, -infinite}) {
    CHECK(!(moreau::detail::finite_probe(bad) == 0));
    moreau::Vector<Real, 5> v = moreau::Vector<Real, 5>::Ones();
    CHECK_EQUAL(Real(0), moreau::detail::finite_probe(v));
    for (int i = 0; i < 5; ++i) {
      v.setOnes();
      v(i) = bad;
      CHECK(!(moreau::detail::finite_probe(v) == 0));
    }
  }
}

void test_absolute_and_larger(void) {
  CHECK_EQUAL(Real(2), moreau::detail::absolute(Real(-2)));
  CHECK_EQUAL(Real(2), moreau::detail::absolute(Real(2)));
  CHECK(moreau::detail::absolute(nan_value) != moreau::detail::absolute(nan_value));
  CHECK_EQUAL(Real(3), moreau::detail::larger(Real(3), Real(-4)));
  CHECK_EQUAL(Real(3), moreau::detail::larger(Real(-4), Real(3)));
}

TEST_MAIN({
  TEST(test_each_index_is_visited_once_in_order);
  TEST(test_dot_adds_from_the_first_to_the_last);
  TEST(test_dot_of_empty_vectors_is_zero);
  TEST(test_add_scaled);
  TEST(test_probe_detects_non_finite_values);
  TEST(test_absolute_and_larger);
})
