// Board with a machine to be identified: an STM32F405 computes an adaptive run of the woodpecker in double and sends a
// sample every 0.2 ms of its time over its serial line. moreau/identify/telemetry.hpp converts the samples to a record.
#include <moreau/adapt/adaptive.hpp>
#include <moreau/bench/telemetry.hpp>

#include "../../identification/woodpecker.hpp"
#include "chip.hpp"

int main() {
  using namespace moreau::stm32f405;
  using Toy = identification::Toy;
  const Clocks clocks = start_clock();
  start_serial(clocks.line_hz, 921600);
  static moreau::Stepper<Toy> machine{Toy{}, identification::Woodpecker::begin(Toy{})};
  moreau::AdaptiveOptions<double> options;
  options.dt_max = 2e-4, options.dt_min = 1e-9;
  options.atol = options.rtol = 1e-8;
  static moreau::Adaptive<moreau::Stepper<Toy>> run(machine, options);
  static moreau::bench::TelemetrySender<Toy> telemetry;
  for (int n = 1; n <= 2000; ++n) {  // 0.4 s
    if (!run.advance_to(n * 2e-4).finished()) break;
    moreau::StepReport<double> advanced;
    telemetry(machine.state, advanced);
    moreau::bench::Frame frame;
    while (telemetry.next(frame)) {
      std::uint8_t bytes[moreau::bench::most_bytes];
      serial_write(bytes, static_cast<std::uint32_t>(moreau::bench::encode(frame, bytes)));
    }
  }
  restart();
}
