// What every test file needs: Unity, the scalar it is built for, comparisons that a NaN cannot pass, and main.
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

// How often to do what takes seconds: an eighth as often where nothing is optimised (host-asan, host-O0). Coverage is not
// optimised either, and counts what the whole of it reaches.
constexpr int often(int n) {
#if defined(__OPTIMIZE__) || defined(MOREAU_WHOLE_SAMPLES)
  return n;
#else
  return n / 8;
#endif
}

// Passes when |actual - expected| <= tolerance, in any scalar; a NaN or an infinity anywhere fails. Unity's own WITHIN
// passes equal infinities and a NaN tolerance.
template <class A, class B, class C>
void check_within(A tolerance, B expected, C actual, int line) {
  const double t = static_cast<double>(tolerance), e = static_cast<double>(expected), a = static_cast<double>(actual);
  const double distance = a < e ? e - a : a - e;
  if (distance <= t && t < 1e300) return;
  moreau::port::print("expected ", e, " within ", t, ", got ", a, ", off by ", distance);
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
