// Cost of a step, counted over a whole trajectory: instructions (min, mean, max), stack, RAM. One row per trajectory
// on the console, from which tests/benchmarks/count/count_steps.py writes timing.csv, worst_case.csv and TIMING.md.
//
//   counting::Count count{"woodpecker", "float", "exact", "variable"};   // model, scalar, solver, mode
//   for (...) report = count.step(stepper, dt);                   // counts this call
//   count.print(sizeof stepper, hash);
//
// Instructions are those of QEMU with -icount shift=7; elsewhere they are 0. The count includes the call of the step
// and the code that the compiler adds around it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <moreau/port/console.hpp>
#include <moreau/port/cycles.hpp>
#include <moreau/port/stack.hpp>

namespace counting {

// Root of the measured code size: all functions that a step can call.
template <class Stepper, class Real>
[[gnu::noinline]] auto counted_step(Stepper& stepper, Real dt) {
  return stepper.step(dt);
}

class Count {
 public:
  bool only_fallbacks = false;  // steps without one are not counted

  Count(const char* model, const char* scalar, const char* solver, const char* mode)
      : model_(model), scalar_(scalar), solver_(solver), mode_(mode) {
    moreau::port::stack_paint();
    depth_ = moreau::port::stack_depth();
  }

  template <class Stepper, class Real>
  auto step(Stepper& stepper, Real dt) {
    using Root = decltype(counted_step<Stepper, Real>(stepper, dt)) (*)(Stepper&, Real);
    root_ = reinterpret_cast<std::uintptr_t>(static_cast<Root>(&counted_step<Stepper, Real>));
    watch_.begin();
    const auto report = counted_step(stepper, dt);
    last_ = watch_.instructions();
    if (!only_fallbacks || report.fallbacks > 0) add(last_);
    fallbacks_ += static_cast<std::uint32_t>(report.fallbacks);
    return report;
  }

  // ram: bytes of the stepper; hash: of every step, if there is one.
  void print(std::size_t ram, std::uint64_t hash = 0) const {
    using moreau::port::Hex;
    const std::size_t used = moreau::port::stack_used();
    const std::uint64_t hundredths = steps_ > 0 ? (100 * sum_ + steps_ / 2) / steps_ : 0;
    moreau::port::print("count,", model_, ',', scalar_, ',', solver_, ',', mode_, ',', min_, ',', hundredths / 100, '.',
                        static_cast<char>('0' + hundredths / 10 % 10), static_cast<char>('0' + hundredths % 10), ',',
                        max_, ',', static_cast<std::uint32_t>(ram), ',',
                        static_cast<std::uint32_t>(used > depth_ ? used - depth_ : 0), ',', steps_, ',', fallbacks_,
                        ',', Hex{hash}, ',', static_cast<std::uint64_t>(root_));
  }

  std::uint32_t last() const { return last_; }  // of the last step, counted or not
  std::uint32_t min() const { return min_; }
  std::uint32_t max() const { return max_; }

 private:
  void add(std::uint32_t instructions) {
    if (steps_ == 0 || instructions < min_) min_ = instructions;
    if (instructions > max_) max_ = instructions;
    sum_ += instructions;
    ++steps_;
  }

  const char *model_, *scalar_, *solver_, *mode_;
  moreau::port::Stopwatch watch_;
  std::size_t depth_ = 0;
  std::uintptr_t root_ = 0;
  std::uint32_t last_ = 0, min_ = 0, max_ = 0, steps_ = 0, fallbacks_ = 0;
  std::uint64_t sum_ = 0;
};

}  // namespace counting
