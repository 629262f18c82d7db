#include "moreau/port/cycles.hpp"

#include "registers.hpp"

namespace moreau::port {

Stopwatch::Stopwatch() {
  if ((systick::control() & systick::enable) == 0) {
    systick::reload() = systick::longest;
    systick::value() = 0;
    systick::control() = systick::enable | systick::processor_clock;
  }
  begin();
  empty_ = end();
}

[[gnu::noipa]] void Stopwatch::begin() {
  asm volatile("" ::: "memory");
  begin_ = systick::value();
}

[[gnu::noipa]] Ticks Stopwatch::end() const {
  const std::uint32_t now = systick::value();  // counts down and starts over
  asm volatile("" ::: "memory");
  const Ticks span = begin_ >= now ? begin_ - now : begin_ + systick::reload() + 1 - now;
  return span > empty_ ? span - empty_ : 0;
}

}  // namespace moreau::port
