// Calls of the C interface of a bench, on memory of the caller. bench.cmake generates the C functions from them:
// c_interface.h.in, c_interface.cpp.in.
//
// No dynamic allocation and no global state: benches in separate memory are independent.
#pragma once

#include <new>

#include "moreau/bench/saved.hpp"

namespace moreau::bench {

constexpr int c_abi = 1;  // increased when the header changes incompatibly

template <class Bench>
class CInterface {
  // `mark` distinguishes initialised memory from uninitialised memory.
  struct Held {
    std::uint64_t mark;
    Plant<Bench> plant;
  };
  static constexpr std::uint64_t mark = 0x6d6f726561750000u ^ Table<Bench>::identity();
  static_assert(std::is_trivially_destructible_v<Plant<Bench>>, "the caller may drop the memory at any time");

 public:
  static constexpr std::size_t size = sizeof(Held), alignment = alignof(Held), saved = saved_size<Bench>;

  static Answer init(void* memory, std::size_t given, void** bench) {
    if (memory == nullptr || bench == nullptr) return Answer::null_pointer;
    if (given < size) return Answer::wrong_size;
    if (reinterpret_cast<std::uintptr_t>(memory) % alignment != 0) return Answer::misaligned;
    *bench = new (memory) Held{mark, Plant<Bench>{}};
    return Answer::ok;
  }
  static Answer reset(void* bench) {
    return with(bench, [](Plant<Bench>& plant) { return plant.reset(), Answer::ok; });
  }
  static Answer restart(void* bench) {
    return with(bench, [](Plant<Bench>& plant) { return plant.restart(); });
  }
  static Answer find(const char* name, int* index) {
    if (name == nullptr || index == nullptr) return Answer::null_pointer;
    const int found = Table<Bench>::find(name);
    if (found < 0) return Answer::unknown_variable;
    *index = found;
    return Answer::ok;
  }
  static const Variable<typename Bench::Model>* variable(int index) {
    return index >= 0 && index < Table<Bench>::count ? &Table<Bench>::of(index) : nullptr;
  }
  static Answer set(void* bench, int index, double value) {
    return with(bench, [=](Plant<Bench>& plant) { return plant.set(index, value); });
  }
  static Answer get(const void* bench, int index, double* value) {
    if (value == nullptr) return Answer::null_pointer;
    return with(bench, [=](const Plant<Bench>& plant) { return plant.get(index, *value); });
  }
  static Answer set_named(void* bench, const char* name, double value) {
    int index = 0;
    const Answer a = find(name, &index);
    return a == Answer::ok ? set(bench, index, value) : a;
  }
  static Answer get_named(const void* bench, const char* name, double* value) {
    int index = 0;
    const Answer a = find(name, &index);
    return a == Answer::ok ? get(bench, index, value) : a;
  }
  static Answer step(void* bench) {
    return with(bench, [](Plant<Bench>& plant) { return plant.step(); });
  }
  static Answer step_many(void* bench, long n, long* done) {
    if (n < 0) return Answer::wrong_size;
    return with(bench, [=](Plant<Bench>& plant) {
      std::int64_t advanced = 0;
      const Answer a = plant.steps(n, advanced);
      if (done != nullptr) *done = static_cast<long>(advanced);
      return a;
    });
  }
  // Report: the struct of the C header.
  template <class Report>
  static Answer report(const void* bench, Report* out) {
    if (out == nullptr) return Answer::null_pointer;
    return with(bench, [=](const Plant<Bench>& plant) {
      const auto& r = plant.report();
      *out = Report{int(r.status), int(r.cause),       r.index,           r.active, r.iterations,
                    r.fallbacks,   double(r.residual), double(r.relative)};
      return Answer::ok;
    });
  }
  static Answer save(const void* bench, unsigned char* bytes, std::size_t given) {
    if (bytes == nullptr) return Answer::null_pointer;
    if (given != saved) return Answer::wrong_size;
    return with(bench, [=](const Plant<Bench>& plant) {
      bench::save<Bench>(plant.snapshot(), bytes);
      return Answer::ok;
    });
  }
  static Answer restore(void* bench, const unsigned char* bytes, std::size_t given) {
    if (bytes == nullptr) return Answer::null_pointer;
    return with(bench, [=](Plant<Bench>& plant) {
      auto next = plant.snapshot();
      const Answer a = bench::restore<Bench>(next, bytes, given);
      if (a == Answer::ok) plant.put(next);
      return a;
    });
  }

 private:
  template <class Memory, class F>
  static Answer with(Memory* bench, const F& f) {
    using H = std::conditional_t<std::is_const_v<Memory>, const Held, Held>;
    if (bench == nullptr) return Answer::null_pointer;
    if (reinterpret_cast<std::uintptr_t>(bench) % alignment != 0) return Answer::misaligned;
    H* held = static_cast<H*>(bench);
    return held->mark == mark ? f(held->plant) : Answer::not_initialised;
  }
};

}  // namespace moreau::bench
