// Callback at a fixed rate from the SysTick interrupt. There is one SysTick, so at most one Periodic runs at a time. An
// overrun is a call that is still running when the next one is due: it is counted, and the next call follows at once.
#pragma once
#include <cstdint>

namespace moreau::port {

class Periodic {
 public:
  using Callback = void (*)(void* context);

  // Returns false if a 24-bit count cannot produce the rate. The callback runs in the interrupt.
  bool start(std::uint32_t calls_per_second, Callback callback, void* context);
  void stop();
  std::uint32_t calls() const;
  std::uint32_t overruns() const;
  // Sleeps until an interrupt has run; for an idle main loop.
  static void wait() { asm volatile("wfi" ::: "memory"); }
};

}  // namespace moreau::port
