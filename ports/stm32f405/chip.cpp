#include "chip.hpp"

namespace moreau::stm32f405 {
namespace {

constexpr std::uint32_t rcc = 0x40023800, flash = 0x40023c00, gpio_a = 0x40020000, usart1 = 0x40011000;

volatile std::uint32_t& rcc_control() { return word_at(rcc); }
volatile std::uint32_t& rcc_pll() { return word_at(rcc + 0x04); }
volatile std::uint32_t& rcc_configuration() { return word_at(rcc + 0x08); }

constexpr int patience = 20000;  // polls of a flag: some milliseconds at 16 MHz

bool wait_for(volatile std::uint32_t& word, std::uint32_t mask, std::uint32_t value) {
  for (int i = 0; i < patience; ++i)
    if ((word & mask) == value) return true;
  return false;
}

// Ring buffer with one writer (the interrupt) and one reader (the program). Both counts wrap at its size.
std::uint8_t received[256];
volatile std::uint8_t written = 0, read = 0;

}  // namespace

Clocks start_clock() {
  constexpr std::uint32_t crystal_on = 1u << 16, crystal_ready = 1u << 17, pll_on = 1u << 24, pll_ready = 1u << 25;
  constexpr std::uint32_t from_pll = 2, in_use_mask = 3u << 2, in_use_pll = 2u << 2;
  // 8 MHz / 8 * 336 / 2 = 168 MHz; 48 MHz (/ 7) for USB; source: crystal
  constexpr std::uint32_t pll = 8u | 336u << 6 | 0u << 16 | 1u << 22 | 7u << 24;
  constexpr std::uint32_t buses = 5u << 10 | 4u << 13;  // APB1 divided by 4: 42 MHz, APB2 by 2: 84 MHz
  constexpr std::uint32_t five_wait_states_and_caches = 5u | 7u << 8;

  rcc_control() = rcc_control() | crystal_on;
  if (!wait_for(rcc_control(), crystal_ready, crystal_ready)) return {internal_hz, internal_hz};
  rcc_pll() = pll;
  rcc_control() = rcc_control() | pll_on;
  if (!wait_for(rcc_control(), pll_ready, pll_ready)) return {internal_hz, internal_hz};
  word_at(flash) = five_wait_states_and_caches;
  rcc_configuration() = buses;
  rcc_configuration() = buses | from_pll;
  if (!wait_for(rcc_configuration(), in_use_mask, in_use_pll)) {
    rcc_configuration() = 0;
    return {internal_hz, internal_hz};
  }
  return {full_hz, full_hz / 2};
}

void start_serial(std::uint32_t line_hz, std::uint32_t baud) {
  word_at(rcc + 0x30) = word_at(rcc + 0x30) | 1u;       // port A
  word_at(rcc + 0x44) = word_at(rcc + 0x44) | 1u << 4;  // USART1
  volatile std::uint32_t &mode = word_at(gpio_a), &pull = word_at(gpio_a + 0x0c), &high = word_at(gpio_a + 0x24);
  mode = (mode & ~(0xfu << 18)) | 0xau << 18;  // PA9, PA10: alternate function
  pull = (pull & ~(3u << 20)) | 1u << 20;      // pull-up: an open line is idle
  high = (high & ~(0xffu << 4)) | 0x77u << 4;  // number 7
  word_at(usart1 + 0x08) = divider(line_hz, baud);
  constexpr std::uint32_t enable = 1u << 13, receive_interrupt = 1u << 5, transmit = 1u << 3, receive = 1u << 2;
  word_at(usart1 + 0x0c) = enable | receive_interrupt | transmit | receive;
  word_at(0xe000e104) = 1u << (37 - 32);  // the interrupt of USART1 in the NVIC
}

bool serial_read(std::uint8_t& byte) {
  if (read == written) return false;
  byte = received[read];
  read = static_cast<std::uint8_t>(read + 1);
  return true;
}

void serial_write(const std::uint8_t* bytes, std::uint32_t n) {
  constexpr std::uint32_t empty = 1u << 7;
  for (std::uint32_t i = 0; i < n; ++i) {
    (void)wait_for(word_at(usart1), empty, empty);  // a blocked line loses bytes; the host repeats its request
    word_at(usart1 + 0x04) = bytes[i];
  }
}

void start_cycles() {
  word_at(0xe000edfc) = word_at(0xe000edfc) | 1u << 24;
  word_at(0xe0001004) = 0;
  word_at(0xe0001000) = word_at(0xe0001000) | 1u;
}

[[noreturn]] void restart() {
  asm volatile("dsb" ::: "memory");
  word_at(0xe000ed0c) = 0x05fa0004;
  while (true) asm volatile("nop");
}

}  // namespace moreau::stm32f405

// Reading the data register clears the request. A byte that finds the buffer full is lost together with its frame.
extern "C" void moreau_serial_interrupt() {
  using namespace moreau::stm32f405;
  const auto byte = static_cast<std::uint8_t>(word_at(0x40011004));
  const auto next = static_cast<std::uint8_t>(written + 1);
  if (next == read) return;
  received[written] = byte;
  written = next;
}
