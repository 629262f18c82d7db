// A stopwatch in ticks of SysTick. On hardware that runs SysTick from the processor clock a tick is a cycle. QEMU
// has no cycle model: there a tick is time, and with -icount shift=7 time is 128 ns per instruction, so ticks count
// instructions exactly (instructions_of). The longest span is 2^24 ticks, or one period while periodic.hpp runs.
#pragma once
#include <cstdint>

#include "../../registers.hpp"

namespace moreau::port {

using Ticks = std::uint32_t;
constexpr std::uint32_t ticks_per_second = MOREAU_BOARD_TICK_HZ;
constexpr const char* tick_name = "SysTick";

class Stopwatch {
 public:
  Stopwatch() {
    if ((systick::control() & systick::enable) == 0) {
      systick::reload() = systick::longest;
      systick::value() = 0;
      systick::control() = systick::enable | systick::processor_clock;
    }
    begin();
    empty_ = span(begin_, systick::value());
  }
  void begin() { begin_ = systick::value(); }
  Ticks end() const { return span(begin_, systick::value()) - empty_; }  // an empty begin/end pair is taken off

 private:
  static Ticks span(std::uint32_t from, std::uint32_t to) {  // SysTick counts down and starts over
    return from >= to ? from - to : from + systick::reload() + 1 - to;
  }
  std::uint32_t begin_ = 0, empty_ = 0;
};

// Instructions in a span of ticks, under QEMU with -icount shift=7 (rounded to the nearest, which is exact).
inline std::uint32_t instructions_of(Ticks ticks) {
  constexpr std::uint64_t instruction_ps = 128000, tick_ps = 1000000000000u / ticks_per_second;
  return static_cast<std::uint32_t>((ticks * tick_ps + instruction_ps / 2) / instruction_ps);
}

}  // namespace moreau::port
