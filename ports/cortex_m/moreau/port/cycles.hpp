// A stopwatch in ticks of SysTick. On hardware that runs SysTick from the processor clock a tick is a cycle. QEMU
// has no cycle model: there a tick is time, and with -icount shift=7 time is 128 ns per instruction, so ticks count
// instructions exactly (instructions_of). The longest span is 2^24 ticks, or one period while periodic.hpp runs.
#pragma once
#include <cstdint>

namespace moreau::port {

using Ticks = std::uint32_t;
constexpr std::uint32_t ticks_per_second = MOREAU_BOARD_TICK_HZ;
constexpr const char* tick_name = "SysTick";

// begin() and end() are calls, never inlined: every span then holds the same few instructions of their own, which are
// measured once and taken off.
class Stopwatch {
 public:
  Stopwatch();
  void begin();
  Ticks end() const;
  // Instead of end(), under QEMU with -icount shift=7: exact. (Ticks of a span less ticks of an empty one are off by up
  // to 2, which on mps2-an505, with 50 ns a tick, is most of an instruction; here each is rounded for itself.)
  std::uint32_t instructions() const;

 private:
  std::uint32_t begin_ = 0, empty_ = 0, empty_instructions_ = 0;
};

// Instructions in a span of ticks, under QEMU with -icount shift=7, which is 128 ns each (rounded to the nearest). With
// another time per instruction as exact as a tick of that time can be.
inline std::uint32_t instructions_of(Ticks ticks, std::uint32_t instruction_ns = 128) {
  constexpr std::uint64_t tick_ps = 1000000000000u / ticks_per_second;
  const std::uint64_t instruction_ps = std::uint64_t{1000} * instruction_ns;
  return static_cast<std::uint32_t>((ticks * tick_ps + instruction_ps / 2) / instruction_ps);
}

}  // namespace moreau::port
