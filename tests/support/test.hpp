// Basis of every test file: Unity, the scalar type, comparisons that fail on NaN, and main.
//
//   #include "support/test.hpp"
//   void test_a_ball_falls(void) { CHECK_WITHIN(tolerance, expected, actual); }
//   TEST_MAIN(TEST(test_a_ball_falls))
#pragma once
#include <unity.h>

#include <cstdint>
#include <moreau/port/console.hpp>

#ifdef MOREAU_TEST_REAL
using Real = MOREAU_TEST_REAL;
#else
using Real = double;
#endif

// Number of repetitions of a slow test: an eighth in builds without optimisation (host-asan, host-O0). The coverage
// build, also without optimisation, runs all n, because its results are counted over the whole set.
constexpr int often(int n) {
#if defined(__OPTIMIZE__) || defined(MOREAU_WHOLE_SAMPLES)
  return n;
#else
  return n / 8;
#endif
}

// Passes if |actual - expected| <= tolerance, in any scalar type; any NaN or infinity fails. Unity's own WITHIN passes
// equal infinities and a NaN tolerance.
template <class A, class B, class C>
void check_within(A tolerance, B expected, C actual, int line) {
  const double t = static_cast<double>(tolerance), e = static_cast<double>(expected), a = static_cast<double>(actual);
  const double distance = a < e ? e - a : a - e;
  if (distance <= t && t < 1e300) return;
  moreau::port::print("expected ", e, " within ", t, ", got ", a, ", error ", distance);
  UNITY_TEST_FAIL(static_cast<UNITY_UINT>(line), "not within tolerance");
}
#define CHECK_WITHIN(tolerance, expected, actual) check_within((tolerance), (expected), (actual), __LINE__)
#define CHECK(condition) TEST_ASSERT_TRUE_MESSAGE((condition), #condition)
#define CHECK_EQUAL(expected, actual) TEST_ASSERT_TRUE_MESSAGE((expected) == (actual), #actual " is not " #expected)

#define TEST(function) RUN_TEST(function);
#define TEST_MAIN(...)                \
  void setUp(void) {}                 \
  void tearDown(void) {}              \
  int main() {                        \
    UNITY_BEGIN();                    \
    __VA_ARGS__                       \
    const int failures = UNITY_END(); \
    moreau::port::flush();            \
    return failures;                  \
  }
