// From reset to main: FPU, .data, .bss, static constructors. A fault and the end of main restart the board.
#include <cstdint>
#include <moreau/port/console.hpp>

int main();
void tick();  // the timer interrupt

extern "C" {
extern std::uint32_t stack_top[], data_image[], data_begin[], data_end[], bss_begin[], bss_end[];
extern void (*const init_begin[])();
extern void (*const init_end[])();

// Provided for the C library: no destructors run, and abort() restarts the board.
int atexit(void (*)()) { return 0; }
void __aeabi_unwind_cpp_pr0() {}
void __aeabi_unwind_cpp_pr1() {}

[[noreturn]] void restart() {
  asm volatile("dsb" ::: "memory");
  *reinterpret_cast<volatile std::uint32_t*>(0xe000ed0c) = 0x05fa0004;  // AIRCR: system reset
  for (;;) {}
}
[[noreturn]] void abort() {
  moreau::port::print("abort");
  restart();
}
void fault() {
  moreau::port::print("fault");
  restart();
}

void reset() {
  *reinterpret_cast<volatile std::uint32_t*>(0xe000ed88) |= 0xf << 20;  // FPU, before the first float instruction
  asm volatile("dsb\n isb" ::: "memory");
  for (std::uint32_t *to = data_begin, *from = data_image; to < data_end;) *to++ = *from++;
  for (std::uint32_t* to = bss_begin; to < bss_end;) *to++ = 0;
  for (auto* construct = init_begin; construct < init_end; ++construct) (*construct)();
  main();
  restart();
}
}

struct Vectors {
  std::uint32_t* stack;
  void (*handlers[15])();
};
[[gnu::section(".vectors"), gnu::used]] const Vectors vectors = {
    stack_top,
    {reset, fault, fault, fault, fault, fault, nullptr, nullptr, nullptr, nullptr, fault, fault, nullptr, fault, tick}};
