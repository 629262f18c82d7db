// Console of the board: UART 0 of the MPS2 boards, in place of semihosting. print() needs put() and write() only.
#pragma once
#include <cstdint>

namespace moreau::port {

inline volatile std::uint32_t& uart(std::uint32_t offset) {
  return *reinterpret_cast<volatile std::uint32_t*>(0x40004000 + offset);
}
inline void put(char c) {
  constexpr std::uint32_t data = 0x0, state = 0x4, control = 0x8, divider = 0x10;
  if (uart(control) == 0) {
    uart(divider) = 25000000 / 115200;
    uart(control) = 1;  // transmit
  }
  while ((uart(state) & 1) != 0) {}
  uart(data) = static_cast<std::uint32_t>(c);
}
inline void write(const char* text) {
  for (; *text != 0; ++text) put(*text);
}
inline void flush() {}

}  // namespace moreau::port

#include <moreau/port/text.hpp>  // print()
