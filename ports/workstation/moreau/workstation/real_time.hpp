// Real-time loop of a Linux program, with histograms of its wake-ups and work.
//
//   t_n = t_0 + n T                     planned begin of period n
//   wake-up_n = begin_n - t_n           work_n = end_n - begin_n          overrun: end_n > t_(n+1)
//
//   const std::string why = request_real_time(80);      // SCHED_FIFO, locked memory; empty, or the refused requests
//   RealTimeLoop loop(1e-3);                            // T in s
//   loop.run(60000, [&](long n) { ...; return true; }); // false ends the loop
//
// After an overrun the loop continues at the next planned period that is not over; the periods in between are skipped
// and counted. No allocation and no output between begin and end of a run.
#pragma once
#include <sched.h>
#include <sys/mman.h>
#include <time.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

namespace moreau::workstation {

// Locks the memory of the process and gives the calling thread a fixed priority, 1 to 99. Returns the requests that the
// system refused; the loop works without them, with larger latencies.
inline std::string request_real_time(int priority) {
  std::string why;
  if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
    why += std::string("memory is not locked: ") + std::strerror(errno) + "; ";
  sched_param wanted{};
  wanted.sched_priority = priority;
  if (sched_setscheduler(0, SCHED_FIFO, &wanted) != 0)
    why += std::string("no real-time priority: ") + std::strerror(errno) + "; ";
  return why;
}

// Histogram of times in bins of 1 us; the last bin contains all longer times.
class TimeHistogram {
 public:
  static constexpr int bins = 2001;

  void add(std::int64_t ns) {
    const std::int64_t us = ns < 0 ? 0 : ns / 1000;
    ++count_[std::size_t(us < bins - 1 ? us : bins - 1)];
    ++times_;
    if (ns > longest_) longest_ = ns;
  }
  std::int64_t times() const { return times_; }
  std::int64_t count(int us) const { return count_[std::size_t(us)]; }
  double longest() const { return 1e-9 * double(longest_); }  // s
  // Returns the upper end of the bin below which this share of all times lies, s.
  double quantile(double share) const {
    std::int64_t sum = 0;
    for (int us = 0; us < bins; ++us)
      if (double(sum += count_[std::size_t(us)]) >= share * double(times_))
        return us + 1 < bins ? 1e-6 * (us + 1) : longest();
    return longest();
  }

 private:
  std::array<std::int64_t, bins> count_{};
  std::int64_t times_ = 0, longest_ = 0;
};

class RealTimeLoop {
 public:
  TimeHistogram wake_up, work;
  std::int64_t periods = 0, overruns = 0, skipped = 0;

  explicit RealTimeLoop(double period) : period_(std::int64_t(period * 1e9 + 0.5)) {}

  // Calls body(n) for periods 0 <= n < most; skipped periods have no call.
  template <class Body>
  void run(std::int64_t most, const Body& body) {
    std::int64_t planned = now() + period_;
    for (std::int64_t n = 0; n < most; ++n, planned += period_) {
      const timespec at{time_t(planned / second), long(planned % second)};
      while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) == EINTR) {}
      const std::int64_t begin = now();
      const bool goes_on = body(n);
      const std::int64_t end = now();
      wake_up.add(begin - planned);
      work.add(end - begin);
      ++periods;
      if (!goes_on) return;
      if (end <= planned + period_) continue;
      ++overruns;
      const std::int64_t late = (end - planned) / period_;
      skipped += late < most - 1 - n ? late : most - 1 - n;
      n += late, planned += late * period_;
    }
  }

 private:
  static constexpr std::int64_t second = 1000000000;  // ns
  static std::int64_t now() {
    timespec at{};
    (void)clock_gettime(CLOCK_MONOTONIC, &at);
    return at.tv_sec * second + at.tv_nsec;
  }
  std::int64_t period_;  // ns
};

}  // namespace moreau::workstation
