// Callback at a fixed rate from a separate thread that sleeps until each due time of the steady clock. There is no
// real-time guarantee: overruns() counts the due times that passed before the previous call ended.
#pragma once
#include <atomic>
#include <chrono>
#include <cstdint>
#include <thread>

namespace moreau::port {

class Periodic {
 public:
  using Callback = void (*)(void* context);

  Periodic() = default;
  Periodic(const Periodic&) = delete;
  Periodic& operator=(const Periodic&) = delete;
  ~Periodic() { stop(); }

  // Returns false for a rate of 0 or above 1 MHz. The callback runs in the thread.
  bool start(std::uint32_t calls_per_second, Callback callback, void* context) {
    constexpr std::uint32_t most = 1'000'000;  // above this rate, reading the clock takes a good part of the period
    if (calls_per_second == 0 || calls_per_second > most) return false;
    stop();
    calls_ = overruns_ = 0;
    running_ = true;
    thread_ = std::thread([=] { loop(std::chrono::nanoseconds(1000000000 / calls_per_second), callback, context); });
    return true;
  }
  void stop() {  // also from the callback
    running_ = false;
    if (thread_.joinable() && thread_.get_id() != std::this_thread::get_id()) thread_.join();
  }
  std::uint32_t calls() const { return calls_; }
  std::uint32_t overruns() const { return overruns_; }
  static void wait() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

 private:
  using Clock = std::chrono::steady_clock;
  void loop(std::chrono::nanoseconds period, Callback callback, void* context) {
    Clock::time_point due = Clock::now() + period;
    while (running_) {
      std::this_thread::sleep_until(due);
      callback(context);
      ++calls_;
      due += period;
      for (const auto now = Clock::now(); due < now; due += period) ++overruns_;
    }
  }
  std::atomic<bool> running_{false};
  std::atomic<std::uint32_t> calls_{0}, overruns_{0};
  std::thread thread_;
};

}  // namespace moreau::port
