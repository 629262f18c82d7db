// Stopwatch in nanoseconds of the steady clock. It measures time, not cycles or instructions, and includes other
// programs, frequency changes and the clock call (about 20 ns, measured once and subtracted).
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
  std::uint32_t instructions() const { return 0; }  // the host does not count instructions

 private:
  static Ticks now() {
    return static_cast<Ticks>(std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  }
  Ticks begin_ = 0, empty_ = 0;
};

// Returns 0: the host does not count instructions.
inline std::uint32_t instructions_of(Ticks, std::uint32_t = 128) { return 0; }

}  // namespace moreau::port
