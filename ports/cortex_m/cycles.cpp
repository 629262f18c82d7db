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
  begin();
  empty_instructions_ = instructions();
}

[[gnu::noipa]] void Stopwatch::begin() {
  asm volatile("" ::: "memory");
  begin_ = systick::value();
}

namespace {

// The register counts down and wraps around.
Ticks span(std::uint32_t begin, std::uint32_t now) {
  return begin >= now ? begin - now : begin + systick::reload() + 1 - now;
}

}  // namespace

[[gnu::noipa]] Ticks Stopwatch::end() const {
  const std::uint32_t now = systick::value();
  asm volatile("" ::: "memory");
  const Ticks all = span(begin_, now);
  return all > empty_ ? all - empty_ : 0;
}

[[gnu::noipa]] std::uint32_t Stopwatch::instructions() const {
  const std::uint32_t now = systick::value();
  asm volatile("" ::: "memory");
  const std::uint32_t all = instructions_of(span(begin_, now));
  return all > empty_instructions_ ? all - empty_instructions_ : 0;
}

}  // namespace moreau::port
