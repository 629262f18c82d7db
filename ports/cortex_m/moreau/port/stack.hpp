// Stack usage: the start-up code paints the stack, these functions find the deepest overwritten word.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" std::uint32_t moreau_stack_bottom[], moreau_stack_top[];

namespace moreau::port {

constexpr std::uint32_t stack_paint_word = 0x5bad5bad;
constexpr std::size_t stack_guard_bytes = 64;  // unused; a write here is an overflow

inline std::size_t stack_size() {
  return static_cast<std::size_t>(reinterpret_cast<char*>(moreau_stack_top) -
                                  reinterpret_cast<char*>(moreau_stack_bottom)) -
         stack_guard_bytes;
}

// Repaints the stack below the caller's frame, to measure a single call:
//   stack_paint(); f(); used = stack_used() - depth of the caller, see stack_depth().
[[gnu::noinline]] void stack_paint();

// Returns the bytes between the top of the stack and the deepest overwritten word.
std::size_t stack_used();

// Returns the bytes between the top of the stack and the caller's stack pointer.
inline std::size_t stack_depth() {
  std::uint32_t sp;
  asm volatile("mov %0, sp" : "=r"(sp));
  return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(moreau_stack_top) - sp);
}

}  // namespace moreau::port
