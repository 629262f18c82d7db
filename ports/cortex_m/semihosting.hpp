// Semihosting: a debugger or QEMU executes a request at the breakpoint 0xAB. Without either, the breakpoint is a fault;
// a product replaces console.hpp and exit.hpp.
#pragma once
#include <cstdint>

namespace moreau::port::semihosting {

enum class Request : std::uint32_t { write0 = 0x04, exit_extended = 0x20 };

inline std::uint32_t call(Request request, const void* argument) {
  register std::uint32_t r0 asm("r0") = static_cast<std::uint32_t>(request);
  register const void* r1 asm("r1") = argument;
  asm volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}

inline void write(const char* text) { call(Request::write0, text); }

[[noreturn]] inline void exit(int code) {
  constexpr std::uint32_t application_exit = 0x20026;
  const std::uint32_t argument[2] = {application_exit, static_cast<std::uint32_t>(code)};
  for (;;) call(Request::exit_extended, argument);
}

}  // namespace moreau::port::semihosting
