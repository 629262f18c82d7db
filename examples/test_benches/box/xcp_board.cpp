// Board with an XCP slave: an STM32F405 steps a slider-crank in periods of 1 ms and serves a master on its serial line.
// Commands are answered and bytes are sent between the periods; a full line drops packets and never delays a step.
#include <moreau/bench/xcp.hpp>
#include <moreau/bench/xcp_transport.hpp>

#include "chip.hpp"
#include "works.hpp"

int main() {
  using namespace moreau::stm32f405;
  namespace bench = moreau::bench;
  constexpr int steps = 10, pause = 20;  // steps of 1e-4 s per period; periods without a byte that end a frame
  const Clocks clocks = start_clock();
  start_serial(clocks.line_hz, 921600);
  static bench::Plant<box::CrankBench> plant;
  static bench::XcpSlave<box::CrankBench> xcp(plant, "crank");
  static bench::XcpSerial<> from_master, to_master;
  static bench::XcpQueue<2048> queue;
  const auto send = [](const std::uint8_t* packet, int n) {
    std::uint8_t frame[bench::XcpSerial<>::most_frame];
    (void)queue.push(frame, to_master.encode(packet, n, frame));
  };
  int quiet = 0;
  for (std::uint32_t period = 1;; ++period) {
    for (int n = 0; n < steps; ++n)
      if (!bench::advanced(plant.step())) restart();
    const std::uint32_t clock = 1000 * period;  // us
    xcp.sample(clock, send);
    std::uint8_t byte;
    for (++quiet; serial_read(byte); quiet = 0)
      if (from_master.take(byte)) {
        std::uint8_t response[bench::XcpSizes::packet];
        const int n = xcp.answer(from_master.packet(), from_master.size(), clock, response);
        if (n > 0) send(response, n);
      }
    if (quiet >= pause) from_master.idle();
    while (queue.pop(byte)) serial_write(&byte, 1);
  }
}
