// Live view of one run of a study: the run waits for a browser, lasts 20 s or its own time, and ends with the last
// browser.
#pragma once
#include <chrono>
#include <memory>
#include <optional>

#include "moreau/live/view.hpp"

namespace moreau::live {

// A trace(stepper, report) of a run of `steps` steps of dt.
template <class Model>
class PacedView {
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

 public:
  std::string why;  // empty if the page is served

  struct Pace {
    double run_seconds = 20, wait_seconds = 60, samples_per_second = 1000;
  };

  PacedView(std::string title, int port, double dt, std::uint64_t steps, const Pace& pace)
      : title_(std::move(title)),
        port_(port),
        pace_(pace),
        step_(std::max(dt, pace.run_seconds / double(steps))),
        every_(std::max(1, int(1 / (step_ * pace.samples_per_second)))) {}
  PacedView(std::string title, int port, double dt, std::uint64_t steps)
      : PacedView(std::move(title), port, dt, steps, Pace{}) {}

  template <class Stepper, class Report>
  void operator()(const Stepper& stepper, const Report& report) {
    if (!view_) open(stepper.model);
    if (!why.empty()) return;
    view_->operator()(stepper.state, report);
    const auto due = begin_ + std::chrono::duration_cast<Clock::duration>(Seconds(step_ * double(++steps_)));
    if (steps_ % every_ == 0) std::this_thread::sleep_until(due);
  }
  void wait_for_end() const {
    while (view_ && view_->browsers() > 0) std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }

 private:
  void open(const Model& model) {
    view_ = std::make_unique<View<Model>>(model, title_, Options{port_, every_});
    why = view_->why;
    if (!why.empty()) return;
    std::printf("%s\n", view_->address().c_str());
    std::fflush(stdout);
    const auto last = Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(pace_.wait_seconds));
    while (view_->browsers() == 0 && Clock::now() < last) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    begin_ = Clock::now();
  }

  const std::string title_;
  const int port_;
  const Pace pace_;
  const double step_;  // s of the screen per step
  const int every_;
  std::unique_ptr<View<Model>> view_;
  Clock::time_point begin_;
  std::int64_t steps_ = 0;
};

}  // namespace moreau::live
