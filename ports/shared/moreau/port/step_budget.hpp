// Time budget of a step, and the reaction to an overrun. A loop with a budget:
//
//   if (!budget.due()) return;                             // keep the last state in this period
//   budget.begin();  report = stepper.step(dt);  budget.end(report.advanced());
//
//   count   overruns are only counted
//   hold    the period after an overrun keeps the last state, so that the loop catches up
//   safe    no step is due after an overrun, until restart()
//
// `grace`: number of consecutive overruns that every policy only counts; a step within the budget resets the count.
// Steps that do not advance are counted in the same way. After more than `grace` of them in a row no step is due under
// any policy, because a model that stands still no longer represents the machine.
#pragma once
#include <cstdint>
#include <moreau/port/cycles.hpp>

namespace moreau::port {

enum class Overrun { count, hold, safe };

struct StepAccount {
  std::uint32_t steps = 0, overruns = 0, held = 0, failures = 0;
  bool safe = false;                 // safe state: no step is due
  Ticks last = 0, worst = 0;         // of one step
  std::uint32_t histogram[24] = {};  // steps below 2, 4, 8, ... ticks; the last bin holds all others
};

class StepBudget {
 public:
  Ticks ticks = ticks_per_second / 20000;
  std::uint32_t grace = 3;
  Overrun policy = Overrun::hold;

  // Call once per period. Returns true if a step is due.
  bool due() {
    if (holding_) ++account_.held;
    const bool step = !holding_ && !account_.safe;
    holding_ = false;
    return step;
  }
  void begin() { watch_.begin(); }
  void end(bool advanced) { account_for(watch_.end(), advanced); }
  const StepAccount& account() const { return account_; }

  // Leaves the safe state; the counts remain.
  void restart() {
    account_.safe = holding_ = false;
    late_in_a_row_ = failed_in_a_row_ = 0;
  }

  // Replaces end() if the cost was measured elsewhere.
  void account_for(Ticks cost, bool advanced) {
    ++account_.steps;
    account_.last = cost;
    if (cost > account_.worst) account_.worst = cost;
    ++account_.histogram[bin(cost)];
    account_.overruns += cost > ticks;
    account_.failures += !advanced;
    late_in_a_row_ = cost > ticks ? late_in_a_row_ + 1 : 0;
    failed_in_a_row_ = advanced ? 0 : failed_in_a_row_ + 1;
    holding_ = policy == Overrun::hold && late_in_a_row_ > grace;
    account_.safe = (policy == Overrun::safe && late_in_a_row_ > grace) || failed_in_a_row_ > grace;
  }

 private:
  static unsigned bin(Ticks cost) {
    constexpr unsigned last = sizeof(StepAccount::histogram) / sizeof(std::uint32_t) - 1;
    unsigned n = 0;
    while (n < last && (cost >> n) > 1) ++n;
    return n;
  }

  Stopwatch watch_;
  StepAccount account_;
  std::uint32_t late_in_a_row_ = 0, failed_in_a_row_ = 0;
  bool holding_ = false;
};

}  // namespace moreau::port
