// Real-time loop: every period is called once or counted as skipped, at its planned instant or later, and the
// histograms contain all periods.
#include <time.h>
#include <moreau/workstation/real_time.hpp>

#include <vector>

#include "support/test.hpp"

namespace {

using moreau::workstation::RealTimeLoop;
using moreau::workstation::TimeHistogram;

double now() {
  timespec at{};
  CHECK_EQUAL(0, clock_gettime(CLOCK_MONOTONIC, &at));
  return double(at.tv_sec) + 1e-9 * double(at.tv_nsec);
}
void work_for(double seconds) {
  for (const double end = now() + seconds; now() < end;) {}
}

void test_periods_are_called_or_skipped(void) {
  constexpr double period = 2e-3, rounding = 1e-6;  // s
  RealTimeLoop loop(period);
  std::vector<long> numbers;
  const double start = now();
  double first = 0, last = 0;
  loop.run(100, [&](std::int64_t n) {
    numbers.push_back(long(n));
    last = now();
    if (n == 0) first = last;
    // No period before its planned instant; the wake-up of the first one may be late.
    CHECK(last - start >= double(n + 1) * period - rounding);
    if (n == 20) work_for(4.5 * period);
    return true;
  });
  CHECK_EQUAL(100, int(loop.periods + loop.skipped));
  CHECK_EQUAL(int(numbers.size()), int(loop.periods));
  CHECK(loop.overruns >= 1 && loop.skipped >= 3);
  for (std::size_t k = 1; k < numbers.size(); ++k) CHECK(numbers[k] > numbers[k - 1]);
  CHECK_EQUAL(int(loop.periods), int(loop.wake_up.times()));
  CHECK_EQUAL(int(loop.periods), int(loop.work.times()));
  CHECK(loop.work.longest() >= 4.5 * period);
}

void test_body_ends_the_loop(void) {
  RealTimeLoop loop(1e-3);
  loop.run(1000, [](std::int64_t n) { return n < 2; });
  CHECK(loop.periods <= 3 && loop.skipped <= 2);
}

void test_histogram(void) {
  TimeHistogram times;
  for (int us = 0; us < 100; ++us) times.add(1000 * us + 500);
  times.add(-5);
  times.add(5000000);
  CHECK_EQUAL(102, int(times.times()));
  CHECK_EQUAL(2, int(times.count(0)));
  CHECK_EQUAL(1, int(times.count(TimeHistogram::bins - 1)));
  CHECK_WITHIN(1e-9, 50e-6, times.quantile(0.5));  // 51 of 102 times are shorter
  CHECK_WITHIN(1e-9, 5e-3, times.longest());
  CHECK_WITHIN(1e-9, 5e-3, times.quantile(1));
}

}  // namespace

TEST_MAIN({
  TEST(test_periods_are_called_or_skipped);
  TEST(test_body_ends_the_loop);
  TEST(test_histogram);
})
