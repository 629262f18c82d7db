// Stopwatch in SysTick ticks. On hardware with SysTick at the processor clock, a tick is a cycle. QEMU has no cycle
// model: with -icount shift=7 each instruction takes 128 ns of SysTick time, so ticks give exact instruction counts
// (instructions_of). The longest span is 2^24 ticks, or one period while periodic.hpp runs.
#pragma once
#include <cstdint>

namespace moreau::port {

using Ticks = std::uint32_t;
constexpr std::uint32_t ticks_per_second = MOREAU_BOARD_TICK_HZ;
constexpr const char* tick_name = "SysTick";

// begin() and end() are never inlined: every span then contains the same few overhead instructions, which are measured
// once and subtracted.
class Stopwatch {
 public:
  Stopwatch();
  void begin();
  Ticks end() const;
  // Replaces end() under QEMU with -icount shift=7: exact. The difference of two tick counts is off by up to 2, which
  // at 50 ns per tick (mps2-an505) is most of an instruction; here each count is rounded separately.
  std::uint32_t instructions() const;

 private:
  std::uint32_t begin_ = 0, empty_ = 0, empty_instructions_ = 0;
};

// Returns the instructions in a span of ticks under QEMU, rounded to the nearest. instruction_ns: time per instruction,
// 128 with -icount shift=7; for other values the result is as accurate as the ticks.
inline std::uint32_t instructions_of(Ticks ticks, std::uint32_t instruction_ns = 128) {
  constexpr std::uint64_t tick_ps = 1000000000000u / ticks_per_second;
  const std::uint64_t instruction_ps = std::uint64_t{1000} * instruction_ns;
  return static_cast<std::uint32_t>((ticks * tick_ps + instruction_ps / 2) / instruction_ps);
}

}  // namespace moreau::port
