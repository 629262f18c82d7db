// Board with telemetry: an STM32F405 steps a slider-crank and sends a sample every ten steps over its serial line.
// moreau/workstation/record_line.hpp converts the samples to a record for a page.
#include <moreau/bench/telemetry.hpp>
#include <moreau/moreau.hpp>

#include "../../models/slider_crank.hpp"
#include "chip.hpp"

int main() {
  using namespace moreau::stm32f405;
  using Crank = models::SliderCrank<float>;
  const Clocks clocks = start_clock();
  start_serial(clocks.line_hz, 115200);
  static moreau::Stepper machine{Crank{}, models::state_at<Crank>(Crank{}.start_tilted())};
  static moreau::bench::TelemetrySender<Crank> telemetry(10);
  for (int n = 0; n < 16000; ++n) {  // 2 turns
    const auto report = machine.step(1e-5f);
    telemetry(machine.state, report);
    moreau::bench::Frame frame;
    while (telemetry.next(frame)) {
      std::uint8_t bytes[moreau::bench::most_bytes];
      serial_write(bytes, static_cast<std::uint32_t>(moreau::bench::encode(frame, bytes)));
    }
    if (!report.advanced()) break;
  }
  restart();
}
