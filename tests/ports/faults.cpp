// Programs that terminate with a fault; MOREAU_FAULT selects its kind. The test compares output and exit code.
#include <cstdint>
#include <moreau/port/console.hpp>
#include <moreau/port/exit.hpp>

namespace {

[[gnu::noinline]] std::uint32_t descend(std::uint32_t depth) {
  volatile std::uint32_t block[32];
  block[depth % 32] = depth;
  return descend(depth + 1) + block[depth % 32];
}

// A frame that extends far below the stack, as that of a step with too many contacts for the board.
[[gnu::noinline, maybe_unused]] std::uint32_t use_large_frame(std::uint32_t n) {
  volatile std::uint32_t block[64000];
  block[n] = n;
  return block[n];
}

}  // namespace

int main() {
  moreau::port::write("half a line, ");  // must be printed before the end
#if MOREAU_FAULT == 1
  asm volatile("udf #0");
#elif MOREAU_FAULT == 2
  return static_cast<int>(descend(0));
#elif MOREAU_FAULT == 3
  asm volatile("svc #0");
#elif MOREAU_FAULT == 4
  *reinterpret_cast<volatile std::uint32_t*>(0xf0000000) = 1;
#elif MOREAU_FAULT == 5
  moreau::port::exit(42);
#elif MOREAU_FAULT == 6
  return use_large_frame(7) == 7 ? 0 : 1;
#endif
  return 7;
}
