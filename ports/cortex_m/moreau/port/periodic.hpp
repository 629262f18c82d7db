// A callback at a fixed rate, from the SysTick interrupt. There is one SysTick, so there is one Periodic at a time.
// A call that is still busy when the next one is due is an overrun: it is counted and the next call follows at once.
#pragma once
#include <cstdint>

namespace moreau::port {

class Periodic {
 public:
  using Callback = void (*)(void* context);

  // False where the rate cannot be had from a 24-bit count. The callback runs in the interrupt.
  bool start(std::uint32_t calls_per_second, Callback callback, void* context);
  void stop();
  std::uint32_t calls() const;
  std::uint32_t overruns() const;
  // Sleeps until an interrupt has run: for the main loop while there is nothing to do.
  static void wait() { asm volatile("wfi" ::: "memory"); }
};

}  // namespace moreau::port
