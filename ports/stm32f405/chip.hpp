// Registers of an STM32F405 that this port uses, its clock and its serial line. Every wait has a bound, because QEMU's
// machine never sets some of the flags.
#pragma once
#include <cstdint>

#include "../cortex_m/registers.hpp"

namespace moreau::stm32f405 {

using port::word_at;

constexpr std::uint32_t internal_hz = 16000000, full_hz = 168000000;

// Returns the divider of the serial line for a baud rate: rounded, 16 samples per bit.
constexpr std::uint32_t divider(std::uint32_t line_hz, std::uint32_t baud) { return (line_hz + baud / 2) / baud; }

// Returns the error of the resulting baud rate in parts per thousand; a ten-bit frame tolerates about 20.
constexpr std::uint32_t off_by_permille(std::uint32_t line_hz, std::uint32_t baud) {
  const std::uint32_t real = line_hz / divider(line_hz, baud);
  return ((real > baud ? real - baud : baud - real) * 1000 + baud - 1) / baud;
}

// System clock and clock of USART1 (bus APB2), in Hz.
struct Clocks {
  std::uint32_t core_hz, line_hz;
};

// Starts the 168 MHz clock from an 8 MHz crystal; falls back to the 16 MHz reset clock if crystal or PLL do not start.
Clocks start_clock();

// Starts USART1 on PA9 (to the host) and PA10 (from the host), 8N1. The interrupt stores received bytes in a 256-byte
// buffer.
void start_serial(std::uint32_t line_hz, std::uint32_t baud);
bool serial_read(std::uint8_t& byte);
void serial_write(const std::uint8_t* bytes, std::uint32_t n);

// Starts the cycle counter of the core; QEMU does not implement it and reads 0.
void start_cycles();
inline std::uint32_t cycles() { return word_at(0xe0001004); }

[[noreturn]] void restart();  // resets the core, as after power-on

}  // namespace moreau::stm32f405
