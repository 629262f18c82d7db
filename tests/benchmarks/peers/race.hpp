// Common part of all peer programs: timing of the steps of a machine, count of its heap calls, comparison with a
// reference solution, and rows of the page.
//
// A machine has the interface of moreau::Stepper: model, state.q(i), state.u(i), step(h).advanced().
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <moreau/moreau.hpp>
#include <string>

#include "heap.hpp"
#include "papers/along.hpp"

namespace peers {

// Report of a peer's step.
struct Report {
  int unsolved = 0;  // 1: the program reports that the contacts of this step are unsolved; -1: it never reports
  bool advanced() const { return true; }  // every step of a peer advances
};
inline int unsolved(const Report& report) { return report.unsolved; }
inline int unsolved(const moreau::StepReport<double>& report) { return report.status == moreau::Status::ok ? 0 : 1; }

// First cells of a row: the program and its settings.
struct Entrant {
  const char* program;
  const char* settings;
};

// Cells of a row; separated by tabs, because settings contain commas.
class Line {
 public:
  Line(const char* table, const Entrant& who) : text_(std::string(table) + '\t' + who.program + '\t' + who.settings) {}
  Line& operator<<(double value) {
    char cell[40];
    std::snprintf(cell, sizeof cell, "\t%.3g", value);
    text_ += cell;
    return *this;
  }
  Line& operator<<(const char* word) {
    text_ += std::string("\t") + word;
    return *this;
  }
  ~Line() {
    std::puts(text_.c_str());
    std::fflush(stdout);
  }

 private:
  std::string text_;
};

using Clock = std::chrono::steady_clock;
inline double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Duration of a time measurement; with the argument `quick` the minimum, for programs whose times are ignored.
inline double budget = 0.3;  // s
inline void read_arguments(int count, char** words) {
  if (count > 1 && std::strcmp(words[1], "quick") == 0) budget = 0;
}

struct Cost {
  double nanoseconds = 0;  // of a step, mean of a run
  double heap_calls = 0;   // of a step
  double runs = 0;         // per second, including the construction
};

// Runs of `steps` steps, each from a new or reset machine, for the time `budget`, five runs at least. All runs are
// equal, and other programs share the CPU: the minimum over the runs of each block of steps is the best estimate.
template <class Make>
Cost cost(Make make, double h, int steps) {
  constexpr int blocks = 80;
  std::array<double, blocks> least;
  least.fill(1e300);
  Cost found;
  double spent = 0, making = 1e300, stepping = 0;
  for (int run = 0; run < 5 || spent < budget; ++run) {
    const auto start = Clock::now();
    auto&& machine = make(h);
    making = std::min(making, seconds_since(start));
    const long calls = heap_calls;
    int done = 0;
    for (int block = 0; block < blocks; ++block) {
      const auto begin = Clock::now();
      for (; done < (block + 1) * steps / blocks; ++done)
        if (!machine.step(h).advanced()) return {};
      const double elapsed = seconds_since(begin);
      least[std::size_t(block)] = std::min(least[std::size_t(block)], elapsed);
      spent += elapsed;
    }
    found.heap_calls = double(heap_calls - calls) / steps;
  }
  for (const double block : least) stepping += block;
  found.nanoseconds = stepping * 1e9 / steps;
  found.runs = 1 / (making + stepping);
  return found;
}

// The error at one step size is random, as is the position of an impact within its step: median of five.
struct Median {
  std::array<double, 5> of{};
  double value() const {
    auto sorted = of;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
};

// Result of runs along a table of a reference solution, at h and four smaller steps, down to 2 h / 3.
struct Run {
  double error = 0;      // largest deviation of a position from the table
  double unsolved = 0;   // share of the steps; NaN: never reported
  bool advanced = true;  // all of them, and every coordinate was finite
};

template <class Machine>
bool is_finite(const Machine& machine) {
  double sum = 0;
  for (int i = 0; i < std::decay_t<decltype(machine.model)>::dof; ++i) sum += double(machine.state.q(i));
  return std::isfinite(sum);
}

template <std::size_t rows, std::size_t columns, class Make, class Values, class After>
Run along(const double (&table)[rows][columns], Make make, double h, Values values, After after) {
  constexpr double finer[] = {1, 1.125, 1.25, 1.375, 1.5};
  const double between = table[1][0] - table[0][0];
  Median error;
  Run run;
  long steps = 0, failed = 0;
  for (std::size_t i = 0; i < error.of.size(); ++i) {
    const double step = between / double(std::lround(finer[i] * between / h));
    auto&& machine = make(step);
    const auto e = papers::along(table, machine, step, values, [&](const auto& report) {
      ++steps;
      failed += unsolved(report);
      run.advanced = run.advanced && is_finite(machine);
      after(machine);
    });
    error.of[i] = e.q_max;
    run.advanced = run.advanced && e.advanced;
  }
  run.error = error.value();
  run.unsolved = failed < 0 ? std::nan("") : double(failed) / double(steps);
  return run;
}

}  // namespace peers
