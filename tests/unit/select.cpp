// Selection by a condition: the value not selected has no effect, even if it is NaN.
#include <moreau/math/branching.hpp>
#include <moreau/math/select.hpp>

#include <limits>

#include "support/test.hpp"

namespace {
const Real nan_value = std::numeric_limits<Real>::quiet_NaN();
}

void test_number_is_selected(void) {
  for (volatile int yes = 0; yes < 2; yes = yes + 1) {
    CHECK_EQUAL(yes != 0 ? Real(3) : Real(-4), moreau::select(yes != 0, Real(3), Real(-4)));
  }
}

void test_value_not_selected_has_no_effect(void) {
  CHECK_EQUAL(Real(3), moreau::select(true, Real(3), nan_value));
  CHECK_EQUAL(Real(3), moreau::select(false, nan_value, Real(3)));
  CHECK_EQUAL(Real(3), moreau::select(false, std::numeric_limits<Real>::infinity(), Real(3)));
}

void test_vectors_and_matrices_are_selected(void) {
  moreau::Matrix<Real, 2, 3> a, b;
  for (int i = 0; i < 6; ++i) a(i) = static_cast<Real>(i), b(i) = static_cast<Real>(-i - 1);
  CHECK((moreau::select(true, a, b).array() == a.array()).all());
  CHECK((moreau::select(false, a, b).array() == b.array()).all());
  const moreau::Vector<Real, 2> v(1, 2), w(nan_value, 4);
  CHECK((moreau::select(true, v, w).array() == v.array()).all());
}

void test_several_numbers_are_selected_by_one_condition(void) {
  for (volatile int yes = 0; yes < 2; yes = yes + 1) {
    const auto [x] = moreau::select(yes != 0, {Real(1)}, {Real(-1)});
    CHECK_EQUAL(yes != 0 ? Real(1) : Real(-1), x);
    const auto [y, z] = moreau::select(yes != 0, {Real(2), nan_value}, {nan_value, Real(-3)});
    CHECK(yes != 0 ? y == Real(2) && z != z : y != y && z == Real(-3));
    const auto many = moreau::select(yes != 0, {Real(1), Real(2), Real(3), Real(4), Real(5)},
                                     {Real(-1), Real(-2), Real(-3), Real(-4), Real(-5)});
    for (int k = 0; k < 5; ++k) CHECK_EQUAL(static_cast<Real>(yes != 0 ? k + 1 : -k - 1), many[std::size_t(k)]);
  }
}

// Floating-point values are selected in FPU registers; values of other types are selected as well.
void test_integers_are_selected(void) {
  for (volatile int yes = 0; yes < 2; yes = yes + 1) {
    CHECK_EQUAL(yes != 0 ? 7 : -8, moreau::select(yes != 0, 7, -8));
    const auto [a, b] = moreau::select(yes != 0, {1, 2}, {3, 4});
    CHECK(yes != 0 ? a == 1 && b == 2 : a == 3 && b == 4);
  }
}

// A mask equals the bool of the same comparison for any two numbers except zeros of different sign: -0 - 0 is -0, so
// that -0 compares less.
void test_masks_equal_bools(void) {
  using moreau::detail::Branching;
  using moreau::detail::Branchless;
  using moreau::detail::Mask;
  static_assert(Branchless::declassify(Branchless::condition(true)) &&
                !Branchless::declassify(Branchless::condition(false)));
  static_assert(Branchless::as_bit(Branchless::condition(true)) == 1 &&
                Branchless::as_bit(Branchless::condition(false)) == 0);
  const auto same = [](bool expected, Mask mask) {
    CHECK_EQUAL(expected, Branchless::declassify(mask));
    CHECK_EQUAL(unsigned(expected), Branchless::as_bit(mask));
    Real x = 1, y = 2;
    Branchless::assign_if(mask, x, Real(3));
    CHECK_EQUAL(expected ? Real(3) : Real(1), x);
    Branchless::assign_if(mask, x, Real(5), y, Real(6));
    CHECK(expected ? x == 5 && y == 6 : x == 1 && y == 2);
  };
  const Real infinite = std::numeric_limits<Real>::infinity();
  const Real numbers[] = {0, 1, -1, Real(1.5), Real(-1e-9), std::numeric_limits<Real>::max()};
  for (const Real a : numbers) {
    same(Branching::positive(a), Branchless::positive(a));
    same(Branching::negative(a), Branchless::negative(a));
    same(Branching::finite(a), Branchless::finite(a));
    for (const Real b : numbers) {
      same(Branching::less(a, b), Branchless::less(a, b));
      same(Branching::at_most(a, b), Branchless::at_most(a, b));
      CHECK(Branching::larger(a, b) == Branchless::larger(a, b) &&
            Branching::smaller(a, b) == Branchless::smaller(a, b));
      same(a < b && b > 0, Branchless::less(a, b) && Branchless::positive(b));
      same(a < b || b > 0, Branchless::less(a, b) || Branchless::positive(b));
      same(!(a < b), !Branchless::less(a, b));
    }
  }
  for (const Real bad : {infinite, -infinite, nan_value}) same(false, Branchless::finite(bad));
}

TEST_MAIN({
  TEST(test_several_numbers_are_selected_by_one_condition);
  TEST(test_integers_are_selected);
  TEST(test_masks_equal_bools);
  TEST(test_number_is_selected);
  TEST(test_value_not_selected_has_no_effect);
  TEST(test_vectors_and_matrices_are_selected);
})
