// Failure of the checks of test.hpp on wrong values.
#include "support/test.hpp"

#include <cstdint>
#include <cstring>
#include <limits>

namespace {

const Real not_a_number = std::numeric_limits<Real>::quiet_NaN();
const Real infinite = std::numeric_limits<Real>::infinity();

// Runs one check, returns true if it failed, and resets Unity's failure flag.
template <class Check>
bool fails(Check check) {
  const auto before = Unity.CurrentTestFailed;
  if (TEST_PROTECT()) check();
  const bool failed = Unity.CurrentTestFailed != 0;
  Unity.CurrentTestFailed = before;
  return failed;
}

}  // namespace

void test_within_passes_inside_and_fails_outside(void) {
  TEST_ASSERT_FALSE(fails([] { CHECK_WITHIN(Real(0.5), Real(1), Real(1.5)); }));
  TEST_ASSERT_TRUE(fails([] { CHECK_WITHIN(Real(0.5), Real(1), Real(1.625)); }));
  TEST_ASSERT_TRUE(fails([] { CHECK_WITHIN(Real(0.5), Real(1), Real(0.375)); }));
}

void test_within_fails_on_nan_anywhere(void) {
  TEST_ASSERT_TRUE(fails([] { CHECK_WITHIN(Real(1), Real(0), not_a_number); }));
  TEST_ASSERT_TRUE(fails([] { CHECK_WITHIN(Real(1), not_a_number, Real(0)); }));
  TEST_ASSERT_TRUE(fails([] { CHECK_WITHIN(Real(1), not_a_number, not_a_number); }));
  TEST_ASSERT_TRUE(fails([] { CHECK_WITHIN(not_a_number, Real(0), Real(0)); }));
}

void test_within_fails_on_infinity_anywhere(void) {
  TEST_ASSERT_TRUE(fails([] { CHECK_WITHIN(Real(1), Real(0), infinite); }));
  TEST_ASSERT_TRUE(fails([] { CHECK_WITHIN(Real(1), infinite, infinite); }));
  TEST_ASSERT_TRUE(fails([] { CHECK_WITHIN(infinite, Real(0), Real(0)); }));
}

void test_unity_compares_double_and_rejects_nan(void) {
  TEST_ASSERT_TRUE(
      fails([] { TEST_ASSERT_EQUAL_DOUBLE(static_cast<double>(not_a_number), static_cast<double>(not_a_number)); }));
  TEST_ASSERT_TRUE(fails([] { TEST_ASSERT_DOUBLE_WITHIN(1.0, 0.0, static_cast<double>(not_a_number)); }));
  TEST_ASSERT_TRUE(fails([] { TEST_ASSERT_FLOAT_WITHIN(1.0f, 0.0f, static_cast<float>(not_a_number)); }));
  TEST_ASSERT_TRUE(fails([] { TEST_ASSERT_DOUBLE_WITHIN(1e-12, 1.0, 1.0 + 1e-10); }));
}

void test_check_and_check_equal(void) {
  TEST_ASSERT_TRUE(fails([] { CHECK(false); }));
  TEST_ASSERT_FALSE(fails([] { CHECK(true); }));
  TEST_ASSERT_TRUE(fails([] { CHECK_EQUAL(2, 3); }));
  TEST_ASSERT_TRUE(fails([] { CHECK_EQUAL(not_a_number, not_a_number); }));
  TEST_ASSERT_FALSE(fails([] { CHECK_EQUAL(3, 3); }));
}

TEST_MAIN({
  TEST(test_within_passes_inside_and_fails_outside);
  TEST(test_within_fails_on_nan_anywhere);
  TEST(test_within_fails_on_infinity_anywhere);
  TEST(test_unity_compares_double_and_rejects_nan);
  TEST(test_check_and_check_equal);
})
