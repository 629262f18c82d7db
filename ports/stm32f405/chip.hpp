// The registers of an STM32F405 that this port touches, its clock and its serial line. Every wait has a bound: QEMU's
// machine never sets some of the flags.
#pragma once
#include <cstdint>

#include "../cortex_m/registers.hpp"

namespace moreau::stm32f405 {

using port::word_at;

constexpr std::uint32_t internal_hz = 16000000, full_hz = 168000000;

// What the serial line's divider has to be for a baud rate: rounded, with sixteen samples a bit.
constexpr std::uint32_t divider(std::uint32_t line_hz, std::uint32_t baud) { return (line_hz + baud / 2) / baud; }

// How far the baud rate of that divider is off, in parts of a thousand; a frame of ten bits bears about 20.
constexpr std::uint32_t off_by_permille(std::uint32_t line_hz, std::uint32_t baud) {
  const std::uint32_t real = line_hz / divider(line_hz, baud);
  return ((real > baud ? real - baud : baud - real) * 1000 + baud - 1) / baud;
}

// A system clock and the clock of USART1 (on the bus APB2).
struct Clocks {
  std::uint32_t core_hz, line_hz;
};

// 168 MHz from a crystal of 8 MHz; where crystal or PLL do not start, what the chip wakes up with: 16 MHz.
Clocks start_clock();

// USART1 on PA9 (to the host) and PA10 (from it), 8N1. Bytes arrive by interrupt into a buffer of 256.
void start_serial(std::uint32_t line_hz, std::uint32_t baud);
bool serial_read(std::uint8_t& byte);
void serial_write(const std::uint8_t* bytes, std::uint32_t n);

// The cycle counter of the core; QEMU has none and answers 0.
void start_cycles();
inline std::uint32_t cycles() { return word_at(0xe0001004); }

[[noreturn]] void restart();  // the core, as a power-on would

}  // namespace moreau::stm32f405
