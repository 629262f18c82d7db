// A stopwatch in nanoseconds of the steady clock. It is time, not cycles or instructions: other programs, frequency
// changes and the clock's own call (some 20 ns, taken off as measured once) are in it.
#pragma once
#include <chrono>
#include <cstdint>

namespace moreau::port {

using Ticks = std::uint64_t;
constexpr std::uint32_t ticks_per_second = 1000000000;
constexpr const char* tick_name = "ns";

class Stopwatch {
 public:
  Stopwatch() {
    for (int i = 0; i < 100; ++i) {
      begin();
      const Ticks t = now() - begin_;
      if (i == 0 || t < empty_) empty_ = t;
    }
  }
  void begin() { begin_ = now(); }
  Ticks end() const {
    const Ticks t = now() - begin_;
    return t > empty_ ? t - empty_ : 0;
  }
  std::uint32_t instructions() const { return 0; }  // the host counts none

 private:
  static Ticks now() {
    return static_cast<Ticks>(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  }
  Ticks begin_ = 0, empty_ = 0;
};

// The host counts no instructions.
inline std::uint32_t instructions_of(Ticks, std::uint32_t = 128) { return 0; }

}  // namespace moreau::port
