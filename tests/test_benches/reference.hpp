// Reference for every client of a test bench: the same run by the library alone, and the input of each test bench.
//
// BENCH_FILE defines the test bench, its driven input (`input_of`) and its values by name (`values_of`).
#pragma once
#include <moreau/bench/plant.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

#include BENCH_FILE

using Bench = BENCH_STRUCT;
using Model = Bench::Model;
using Plant = moreau::bench::Plant<Bench>;
using List = moreau::bench::Table<Bench>;

constexpr int input = 1;  // index of the first input, after the time

// Value of the input before step n: it pushes in one direction, rests, pushes in the other.
inline double driven(int n) {
  const double middle = (List::of(input).min + List::of(input).max) / 2, half = List::of(input).max - middle;
  return middle + half * 0.1 * ((n / 250) % 3 - 1);
}

// The library alone, without list and plant. Values are read by name.
struct Reference {
  moreau::Stepper<Model> stepper{Model{}, Bench::start(Model{})};
  moreau::State<Model> before = stepper.state;
  moreau::StepReport<Model::Real> report;

  bool step(int n) { return step_with(driven(n)); }
  bool step_with(double drive) {
    input_of(stepper.model) = static_cast<Model::Real>(drive);
    const auto now = stepper.state;
    report = stepper.step(static_cast<Model::Real>(Bench::dt));
    if (report.advanced()) before = now;
    return report.advanced();
  }

  // check(name, value) for every expected value of this test bench.
  template <class Check>
  void each_value(const Check& check) const {
    const auto all = [&check](const char* name, auto value) { check(name, static_cast<double>(value)); };
    all("time", stepper.state.time());
    all("step.status", int(report.status));
    all("step.residual", report.residual);
    all("step.iterations", report.iterations);
    values_of(stepper, before, all);
  }
};

// Bit for bit; NaN differs from everything.
inline bool same(double a, double b) { return a == a && std::memcmp(&a, &b, sizeof a) == 0; }

// Compares all values of a test bench; prints the first that differs.
inline bool alike(const std::vector<double>& a, const std::vector<double>& b) {
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    if (!same(a[i], b[i])) return std::printf("%s: %.17g %.17g\n", List::of(int(i)).name.text, a[i], b[i]), false;
  return a.size() == b.size();
}

// Private memory of this process in kB, without files and libraries. One byte lost in every step is 1000 kB after a
// million steps; pages of the stack and of Unity that are first touched late are a few.
constexpr long pages_touched_late = 64;
#ifndef __has_feature  // g++ before 14
#define __has_feature(what) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr bool retains_freed_memory = true;  // this build would count the test's own vectors
#else
constexpr bool retains_freed_memory = false;
#endif
inline long resident() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  long pages = 0, held = 0, of_files = 0;
  if (file != nullptr && std::fscanf(file, "%ld %ld %ld", &pages, &held, &of_files) != 3) held = of_files = 0;
  if (file != nullptr) std::fclose(file);
  return (held - of_files) * 4;
}
