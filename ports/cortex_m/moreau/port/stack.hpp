// How deep the stack has been: the start-up code paints it, these functions look where the paint is gone.
#pragma once
#include <cstddef>
#include <cstdint>

extern "C" std::uint32_t moreau_stack_bottom[], moreau_stack_top[];

namespace moreau::port {

constexpr std::uint32_t stack_paint_word = 0x5bad5bad;
constexpr std::size_t stack_guard_bytes = 64;  // never used: what touches it is an overflow

inline std::size_t stack_size() {
  return static_cast<std::size_t>(reinterpret_cast<char*>(moreau_stack_top) -
                                  reinterpret_cast<char*>(moreau_stack_bottom)) -
         stack_guard_bytes;
}

// Paints anew what lies below the caller's frame, to measure one call by itself:
//   stack_paint(); f(); used = stack_used() - depth of the caller, see stack_depth().
[[gnu::noinline]] void stack_paint();

// Bytes between the top of the stack and the deepest word that lost its paint.
std::size_t stack_used();

// Bytes between the top of the stack and the caller's stack pointer.
inline std::size_t stack_depth() {
  std::uint32_t sp;
  asm volatile("mov %0, sp" : "=r"(sp));
  return static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(moreau_stack_top) - sp);
}

}  // namespace moreau::port
