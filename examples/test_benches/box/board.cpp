// Board of the test rig: an STM32F405 that replies to frames on its serial line, as the plant or as the controller.
#include "chip.hpp"
#include "works.hpp"

namespace {
box::EitherWork work;
moreau::bench::Server server(work);
moreau::bench::Decoder decoder;
}  // namespace

int main() {
  using namespace moreau::stm32f405;
  const Clocks clocks = start_clock();
  start_serial(clocks.line_hz, 115200);
  start_cycles();
  moreau::bench::Frame request;
  while (true) {
    std::uint8_t byte = 0;
    if (!serial_read(byte) || !decoder.take(byte, request)) continue;
    std::uint8_t bytes[moreau::bench::most_bytes];
    const std::uint32_t before = cycles();
    moreau::bench::Frame answer = server.answer(request);
    if (request.kind == moreau::bench::FrameKind::counters) {
      moreau::bench::put_number(answer, static_cast<float>(decoder.damaged));
      moreau::bench::put_number(answer, static_cast<float>(cycles() - before));
    }
    const std::size_t n = moreau::bench::encode(answer, bytes);
    serial_write(bytes, static_cast<std::uint32_t>(n));
  }
}
