// Progress of a long adaptive run: one line per second, and a clean end on Ctrl-C.
//
//   const auto summary = run.advance_to(1.5, recorder, moreau::workstation::Watch{});
//   if (summary.status == moreau::Status::not_finished) ... the state is the last recorded one; the run can continue
//
// Ctrl-C is intercepted during the lifetime of a Watch and has its previous effect afterwards.
#pragma once
#include <chrono>
#include <csignal>
#include <cstdio>

namespace moreau::workstation {

class Watch {
  using Clock = std::chrono::steady_clock;

 public:
  explicit Watch(std::FILE* out = stderr, double interval = 1) : out_(out), interval_(interval) {
    interrupted_ = 0;
    before_ = std::signal(SIGINT, [](int) { interrupted_ = 1; });
  }
  ~Watch() { std::signal(SIGINT, before_); }
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  template <class Progress>
  bool operator()(const Progress& p) {
    const double now = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (now >= next_) {
      next_ = now + interval_;
      std::fprintf(out_, "t %.6g s, %.1f %%, dt %.1e s, %lld base steps, %.0f s left\n", double(p.t),
                   100 * double(p.done), double(p.dt), static_cast<long long>(p.base_steps), p.remaining(now));
    }
    return interrupted_ == 0;
  }

 private:
  static inline volatile std::sig_atomic_t interrupted_ = 0;
  std::FILE* out_;
  double interval_, next_ = interval_;
  Clock::time_point begin_ = Clock::now();
  void (*before_)(int);
};

}  // namespace moreau::workstation
