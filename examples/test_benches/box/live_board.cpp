// Board for a live view: an STM32F405 steps a slider-crank in periods of 1 ms and sends a sample per period over its
// serial line, without an end. A sample that the line has no time for is replaced by the next one.
#include <moreau/bench/telemetry.hpp>
#include <moreau/moreau.hpp>

#include "../../models/slider_crank.hpp"
#include "chip.hpp"

int main() {
  using namespace moreau::stm32f405;
  using Crank = models::SliderCrank<float>;
  constexpr int steps = 10;  // of 2e-5 s: a fifth of real time
  const Clocks clocks = start_clock();
  start_serial(clocks.line_hz, 921600);
#ifdef LIVE_SYSTICK_HZ  // QEMU: its SysTick has one frequency, whatever the clock registers contain
  constexpr std::uint32_t tick_hz = LIVE_SYSTICK_HZ;
#else
  const std::uint32_t tick_hz = clocks.core_hz;
#endif
  moreau::port::systick::reload() = tick_hz / 1000 - 1;
  moreau::port::systick::value() = 0;
  moreau::port::systick::control() = moreau::port::systick::enable | moreau::port::systick::processor_clock;
  static moreau::Stepper machine{Crank{}, models::state_at<Crank>(Crank{}.start_tilted())};
  static moreau::bench::TelemetrySender<Crank> telemetry(steps);
  while (true) {
    for (int n = 0; n < steps; ++n) {
      const auto report = machine.step(2e-5f);
      telemetry(machine.state, report);
      if (!report.advanced()) restart();
    }
    moreau::bench::Frame frame;
    while (telemetry.next(frame)) {
      std::uint8_t bytes[moreau::bench::most_bytes];
      serial_write(bytes, static_cast<std::uint32_t>(moreau::bench::encode(frame, bytes)));
    }
    constexpr std::uint32_t period_over = 1u << 16;  // cleared by reading
    while ((moreau::port::systick::control() & period_over) == 0) {}
  }
}
