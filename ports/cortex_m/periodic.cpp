#include "moreau/port/periodic.hpp"

#include "moreau/port/cycles.hpp"
#include "registers.hpp"

namespace moreau::port {
namespace {

struct Timer {
  Periodic::Callback callback;
  void* context;
  std::uint32_t calls, overruns;
};
volatile Timer timer;

}  // namespace

bool Periodic::start(std::uint32_t calls_per_second, Callback callback, void* context) {
  if (calls_per_second == 0) return false;
  const std::uint32_t period = ticks_per_second / calls_per_second;
  if (period < 2 || period - 1 > systick::longest) return false;
  stop();
  timer.callback = callback;
  timer.context = context;
  timer.calls = 0;
  timer.overruns = 0;
  systick::reload() = period - 1;
  systick::value() = 0;
  systick::control() = systick::enable | systick::interrupt | systick::processor_clock;
  return true;
}

// SysTick continues without interrupts for the stopwatches.
void Periodic::stop() {
  systick::control() = 0;
  systick::reload() = systick::longest;
  systick::value() = 0;
  systick::control() = systick::enable | systick::processor_clock;
}

std::uint32_t Periodic::calls() const { return timer.calls; }
std::uint32_t Periodic::overruns() const { return timer.overruns; }

}  // namespace moreau::port

extern "C" void SysTick_Handler() {
  using namespace moreau::port;
  timer.callback(timer.context);
  timer.calls = timer.calls + 1;
  if ((scb::interrupt_control() & scb::systick_pending) != 0) timer.overruns = timer.overruns + 1;
}
