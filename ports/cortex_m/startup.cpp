// From reset to main, and from any fault to a message and a non-zero exit code. Sets up stack guard, FPU, .data, .bss
// and static constructors.
#include <cstddef>
#include <cstdint>

#include "moreau/port/console.hpp"
#include "moreau/port/exit.hpp"
#include "moreau/port/stack.hpp"
#include "registers.hpp"

int main();

extern "C" {
extern std::uint32_t moreau_data_image[], moreau_data_begin[], moreau_data_end[];
extern std::uint32_t moreau_bss_begin[], moreau_bss_end[];
extern void (*const moreau_init_array_begin[])();
extern void (*const moreau_init_array_end[])();

[[noreturn]] void moreau_reset();
void moreau_fault();
[[noreturn, gnu::used]] void moreau_report_fault(std::uint32_t sp, std::uint32_t exc_return);
[[noreturn]] void moreau_unhandled();
[[gnu::weak, gnu::alias("moreau_unhandled")]] void NMI_Handler();
[[gnu::weak, gnu::alias("moreau_unhandled")]] void SVC_Handler();
[[gnu::weak, gnu::alias("moreau_unhandled")]] void PendSV_Handler();
[[gnu::weak, gnu::alias("moreau_unhandled")]] void SysTick_Handler();

// libgcc and newlib call abort() on fatal errors (assert, pure virtual call, ...).
[[noreturn]] void abort() {
  moreau::port::print("abort() was called");
  moreau::port::exit(moreau::port::exit_fault);
}

// Unwinding is disabled: the linker script drops the tables. References to their reader (setjmp of newlib 4.5) resolve
// here.
void __aeabi_unwind_cpp_pr0() {}
void __aeabi_unwind_cpp_pr1() {}

// Destructors of globals are not registered: nothing runs after main. newlib's list of them costs 1 KB and, from 4.5, a
// _fini.
int atexit(void (*)()) { return 0; }
}

#if defined(__ARM_FP)
#define MOREAU_HAS_FPU 1
#else
#define MOREAU_HAS_FPU 0
#endif
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
#define MOREAU_HAS_STACK_LIMIT 1
#else
#define MOREAU_HAS_STACK_LIMIT 0
#endif

namespace {

using namespace moreau::port;

// Faults are reported on a separate stack: the program's stack may be corrupted.
alignas(8) std::uint32_t fault_stack[96];

struct Vectors {
  std::uint32_t* stack;
  void (*handlers[15 + 64])();
};

[[gnu::section(".moreau_vectors"), gnu::used]] const Vectors vectors = {moreau_stack_top,
                                                                        {moreau_reset,
                                                                         NMI_Handler,
                                                                         moreau_fault,
                                                                         moreau_fault,
                                                                         moreau_fault,
                                                                         moreau_fault,
                                                                         moreau_fault,
                                                                         nullptr,
                                                                         nullptr,
                                                                         nullptr,
                                                                         SVC_Handler,
                                                                         moreau_unhandled,
                                                                         nullptr,
                                                                         PendSV_Handler,
                                                                         SysTick_Handler,
#define MOREAU_8(handler) handler, handler, handler, handler, handler, handler, handler, handler
                                                                         MOREAU_8(moreau_unhandled),
                                                                         MOREAU_8(moreau_unhandled),
                                                                         MOREAU_8(moreau_unhandled),
                                                                         MOREAU_8(moreau_unhandled),
                                                                         MOREAU_8(moreau_unhandled),
                                                                         MOREAU_8(moreau_unhandled),
                                                                         MOREAU_8(moreau_unhandled),
                                                                         MOREAU_8(moreau_unhandled)}};

void guard_stack() {
#if MOREAU_HAS_STACK_LIMIT
  asm volatile("msr msplim, %0" : : "r"(reinterpret_cast<char*>(moreau_stack_bottom) + stack_guard_bytes));
#elif defined(__ARM_ARCH_7M__) || defined(__ARM_ARCH_7EM__)
  if (mpu::type() == 0) return;  // no MPU: guard words and unmapped memory below the stack must suffice
  constexpr std::uint32_t valid = 1u << 4, never_execute = 1u << 28, size_64 = 5u << 1, enable = 1;
  const std::uint32_t bottom = reinterpret_cast<std::uint32_t>(moreau_stack_bottom);
  mpu::region_base() = bottom | valid;  // region 0: no access at all
  mpu::region_attributes() = never_execute | size_64 | enable;
  // Region 1: no write to the 16 MB below RAM, for a frame larger than region 0. A write to unmapped memory may have no
  // effect, and the step would continue with wrong numbers.
  constexpr std::uint32_t size_16M = 23u << 1, bytes_16M = 1u << 24, read_only = 5u << 24;
  if (bottom % bytes_16M == 0) {
    mpu::region_base() = (bottom - bytes_16M) | valid | 1u;
    mpu::region_attributes() = never_execute | read_only | size_16M | enable;
  }
  constexpr std::uint32_t default_map_elsewhere = 1u << 2;
  mpu::control() = default_map_elsewhere | enable;
  asm volatile("dsb\n isb" ::: "memory");
#endif
}

[[gnu::always_inline]] inline void paint_below(std::uint32_t* sp) {
  for (std::uint32_t* word = moreau_stack_bottom + stack_guard_bytes / 4; word < sp; ++word)
    *static_cast<volatile std::uint32_t*>(word) = stack_paint_word;
}

[[gnu::always_inline]] inline std::uint32_t* stack_pointer() {
  std::uint32_t* sp;
  asm volatile("mov %0, sp" : "=r"(sp));
  return sp;
}

bool guard_touched() {
#if !MOREAU_HAS_STACK_LIMIT && !defined(__ARM_ARCH_7M__) && !defined(__ARM_ARCH_7EM__)
  for (std::size_t i = 0; i < stack_guard_bytes / 4; ++i)
    if (moreau_stack_bottom[i] != stack_paint_word) return true;
#endif
  return false;
}

[[noreturn]] void report_overflow() {
  print("\nstack overflow: more than ", static_cast<std::uint32_t>(stack_size()), " bytes used");
  semihosting::exit(exit_stack_overflow);
}

struct Cause {
  std::uint32_t bit;
  const char* text;
};
constexpr std::uint32_t status_stack_limit = 1u << 20;
constexpr std::uint32_t memory_address_valid = 1u << 7, bus_address_valid = 1u << 15;
const Cause causes[] = {{1u << 0, "instruction fetch not allowed"},
                        {1u << 1, "data access not allowed"},
                        {1u << 3, "memory fault on exception return"},
                        {1u << 4, "memory fault on exception entry"},
                        {1u << 8, "instruction bus error"},
                        {1u << 9, "data bus error"},
                        {1u << 10, "late data bus error"},
                        {1u << 11, "bus error on exception return"},
                        {1u << 12, "bus error on exception entry"},
                        {1u << 16, "undefined instruction"},
                        {1u << 17, "invalid state"},
                        {1u << 18, "invalid return"},
                        {1u << 19, "no coprocessor (FPU off?)"},
                        {1u << 24, "unaligned access"},
                        {1u << 25, "division by zero"}};

}  // namespace

namespace moreau::port {

// The margin covers registers that a prologue pushes after the stack pointer was read.
void stack_paint() { paint_below(stack_pointer() - 16); }

std::size_t stack_used() {
  const std::uint32_t* word = moreau_stack_bottom + stack_guard_bytes / 4;
  while (word < moreau_stack_top && *word == stack_paint_word) ++word;
  return static_cast<std::size_t>(moreau_stack_top - word) * 4;
}

void exit(int code) {
  flush();
  if (guard_touched()) report_overflow();
  semihosting::exit(code);
}

}  // namespace moreau::port

extern "C" {

void moreau_reset() {
#if MOREAU_HAS_FPU
  scb::coprocessor_access() |= 0xfu << 20;  // full access, before the first FPU instruction
  asm volatile("dsb\n isb" ::: "memory");
#endif
  for (std::size_t i = 0; i < stack_guard_bytes / 4; ++i) moreau_stack_bottom[i] = stack_paint_word;
  guard_stack();
  paint_below(stack_pointer() - 16);
  const std::uint32_t* from = moreau_data_image;
  for (std::uint32_t* to = moreau_data_begin; to < moreau_data_end;) *to++ = *from++;
  for (std::uint32_t* to = moreau_bss_begin; to < moreau_bss_end;) *to++ = 0;
  for (auto* construct = moreau_init_array_begin; construct < moreau_init_array_end; ++construct) (*construct)();
  exit(main());
}

// Passes the frame address and the return code on a valid stack. The stack limit and the MPU would fault again.
[[gnu::naked]] void moreau_fault() {
#if MOREAU_HAS_STACK_LIMIT
  asm volatile("movs r2, #0\n msr msplim, r2");
#endif
  asm volatile(
      "mrs r0, msp\n"
      "mov r1, lr\n"
      "ldr r2, =%c0\n"
      "mov sp, r2\n"
      "ldr r2, =moreau_report_fault\n"
      "bx r2\n"
      ".ltorg\n"
      :
      : "i"(fault_stack + sizeof fault_stack / sizeof *fault_stack));
}

void moreau_report_fault(std::uint32_t sp, std::uint32_t) {
  const std::uint32_t lowest = reinterpret_cast<std::uint32_t>(moreau_stack_bottom) + stack_guard_bytes;
  const std::uint32_t highest = reinterpret_cast<std::uint32_t>(moreau_stack_top) - 32;
#if __ARM_ARCH_ISA_THUMB == 1
  const std::uint32_t status = 0, hard = 0;  // Armv6-M does not record the cause of a fault
#else
  const std::uint32_t status = scb::configurable_fault_status(), hard = scb::hard_fault_status();
#endif
  print("\nfault: status ", Hex{status}, ", hard fault status ", Hex{hard});
  for (const Cause& cause : causes)
    if ((status & cause.bit) != 0) print("  ", cause.text);
  if ((status & memory_address_valid) != 0) print("  address ", Hex{std::uint32_t{scb::memory_fault_address()}});
  if ((status & bus_address_valid) != 0) print("  address ", Hex{std::uint32_t{scb::bus_fault_address()}});
  if (sp >= lowest && sp <= highest) {
    const std::uint32_t* frame = reinterpret_cast<const std::uint32_t*>(sp);  // r0 r1 r2 r3 r12 lr pc psr
    print("  pc ", Hex{frame[6]}, " lr ", Hex{frame[5]});
  }
  if (sp < lowest || (status & status_stack_limit) != 0) report_overflow();
  semihosting::exit(exit_fault);
}

void moreau_unhandled() {
  std::uint32_t number;
  asm volatile("mrs %0, ipsr" : "=r"(number));
  print("\nunhandled interrupt: exception ", number & 0x1ffu);
  exit(exit_interrupt);
}
}
