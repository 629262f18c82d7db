// From reset to main on an STM32F405: vectors, FPU, .data, .bss, constructors. A fault restarts the chip; the host then
// reports a board that has not begun.
#include "chip.hpp"

int main();

extern "C" {
extern std::uint32_t moreau_stack_top[];
extern std::uint32_t moreau_data_image[], moreau_data_begin[], moreau_data_end[];
extern std::uint32_t moreau_bss_begin[], moreau_bss_end[];
extern void (*const moreau_init_array_begin[])();
extern void (*const moreau_init_array_end[])();

void moreau_serial_interrupt();
[[noreturn]] void moreau_reset();
[[noreturn]] void moreau_fault() { moreau::stm32f405::restart(); }
[[noreturn]] void abort() { moreau::stm32f405::restart(); }
int atexit(void (*)()) { return 0; }  // nothing runs after main
void __aeabi_unwind_cpp_pr0() {}
void __aeabi_unwind_cpp_pr1() {}
}

namespace {

using Handler = void (*)();
constexpr int interrupts = 82, serial = 37;

struct Vectors {
  std::uint32_t* stack;
  Handler reset, core[14], interrupt[interrupts];
};

constexpr Vectors make_vectors() {
  Vectors v = {moreau_stack_top, moreau_reset, {}, {}};
  for (Handler& one : v.core) one = moreau_fault;
  for (Handler& one : v.interrupt) one = moreau_fault;
  v.interrupt[serial] = moreau_serial_interrupt;
  return v;
}
[[gnu::section(".moreau_vectors"), gnu::used]] constexpr Vectors vectors = make_vectors();

}  // namespace

extern "C" [[noreturn]] void moreau_reset() {
  moreau::port::scb::coprocessor_access() = 0xfu << 20;
  asm volatile("dsb\n isb" ::: "memory");
  const std::uint32_t* from = moreau_data_image;
  for (std::uint32_t* to = moreau_data_begin; to < moreau_data_end; ++to) *to = *from++;
  for (std::uint32_t* to = moreau_bss_begin; to < moreau_bss_end; ++to) *to = 0;
  for (auto constructor = moreau_init_array_begin; constructor != moreau_init_array_end; ++constructor)
    (*constructor)();
  (void)main();
  moreau::stm32f405::restart();
}
