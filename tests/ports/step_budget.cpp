// Overrun policies of a control loop: steps that exceed the budget are counted, held, or end the loop after the
// configured grace. First with given costs, then with a timer, a stepper and steps that exceed the budget.
#include <moreau/moreau.hpp>
#include <moreau/port/periodic.hpp>
#include <moreau/port/step_budget.hpp>

#include "models/woodpecker.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

using namespace moreau::port;

namespace {

constexpr Ticks good = 10, limit = 100, bad = 101;

StepBudget with(Overrun policy, std::uint32_t grace) {
  StepBudget budget;
  budget.ticks = limit;
  budget.grace = grace;
  budget.policy = policy;
  return budget;
}

// One period of a loop; returns true if a step was computed.
bool period(StepBudget& budget, Ticks cost, bool advanced = true) {
  if (!budget.due()) return false;
  budget.account_for(cost, advanced);
  return true;
}

}  // namespace

void test_steps_within_the_budget_are_unaffected(void) {
  for (const Overrun policy : {Overrun::count, Overrun::hold, Overrun::safe}) {
    StepBudget budget = with(policy, 0);
    for (int n = 0; n < 100; ++n) CHECK(period(budget, n % 2 == 0 ? good : limit));
    const StepAccount& account = budget.account();
    CHECK(account.steps == 100 && account.overruns == 0 && account.held == 0 && account.failures == 0 && !account.safe);
    CHECK(account.last == limit && account.worst == limit);
    CHECK(account.histogram[3] == 50 && account.histogram[6] == 50);  // 8 <= 10 < 16, 64 <= 100 < 128
  }
}

void test_count_continues(void) {
  StepBudget budget = with(Overrun::count, 2);
  for (int n = 0; n < 50; ++n) CHECK(period(budget, bad + Ticks(n)));
  CHECK(budget.account().overruns == 50 && budget.account().held == 0 && !budget.account().safe);
  CHECK(budget.account().worst == bad + 49);
}

void test_hold_skips_the_period_after_an_overrun(void) {
  StepBudget budget = with(Overrun::hold, 0);
  CHECK(period(budget, good) && period(budget, bad));
  CHECK(!period(budget, good) && budget.account().steps == 2 && budget.account().held == 1);
  CHECK(period(budget, good) && period(budget, good));
  for (int n = 0; n < 10; ++n) CHECK(period(budget, bad) && !period(budget, bad));  // every other period, permanently
  CHECK(budget.account().overruns == 11 && budget.account().held == 11 && !budget.account().safe);
}

void test_grace_counts_consecutive_overruns(void) {
  StepBudget budget = with(Overrun::hold, 3);
  for (int round = 0; round < 5; ++round) {  // three in a row are tolerated, repeatedly
    for (int n = 0; n < 3; ++n) CHECK(period(budget, bad));
    CHECK(period(budget, good));
  }
  CHECK(budget.account().held == 0);
  for (int n = 0; n < 4; ++n) CHECK(period(budget, bad));
  CHECK(!period(budget, bad));  // the fourth exceeds the grace
  CHECK(budget.account().held == 1);
  CHECK(period(budget, bad) && !period(budget, bad));  // a held period does not count as a step within the budget
}

void test_safe_ends_until_restart(void) {
  StepBudget budget = with(Overrun::safe, 2);
  for (int n = 0; n < 2; ++n) CHECK(period(budget, bad));
  CHECK(!budget.account().safe && period(budget, good));
  for (int n = 0; n < 3; ++n) CHECK(period(budget, bad));
  CHECK(budget.account().safe);
  for (int n = 0; n < 20; ++n) CHECK(!period(budget, good));
  CHECK(budget.account().steps == 6 && budget.account().overruns == 5 && budget.account().held == 0);
  budget.restart();
  CHECK(!budget.account().safe && period(budget, bad) && period(budget, bad) && period(budget, good));
  CHECK(budget.account().overruns == 7);
}

void test_steps_that_do_not_advance_end_in_the_safe_state(void) {
  for (const Overrun policy : {Overrun::count, Overrun::hold, Overrun::safe}) {
    StepBudget budget = with(policy, 1);
    CHECK(period(budget, good, false) && period(budget, good, true) && period(budget, good, false));
    CHECK(!budget.account().safe);
    CHECK(period(budget, good, false) && budget.account().safe && !period(budget, good));
    CHECK_EQUAL(3u, budget.account().failures);
  }
}

// ---- with a timer and a model -------------------------------------------------------------------------------------

namespace {

using Toy = models::Woodpecker<float>;
using Stepper = moreau::Stepper<Toy>;

struct Loop {
  StepBudget budget;
  Stepper stepper{Toy{}, models::state_at<Toy>(Toy{}.start())};
  std::uint32_t slow_from = 0, slow_to = 0;  // steps that exceed the budget
  std::uint32_t periods = 0, moved = 0;      // moved: periods in which the state changed
  bool invalid_model = false;                // from the first period

  static void tick(void* self) { static_cast<Loop*>(self)->run(); }
  void run() {
    const auto before = test::saved(stepper.state);
    ++periods;
    if (invalid_model) stepper.model.gravity = std::numeric_limits<float>::quiet_NaN();
    if (budget.due()) {
      const std::uint32_t n = budget.account().steps;
      budget.begin();
      const auto report = stepper.step(1e-4f);
      if (n >= slow_from && n < slow_to) {
        Stopwatch watch;
        watch.begin();
        while (watch.end() <= budget.ticks) {}
      }
      budget.end(report.advanced());
    }
    moved += before != test::saved(stepper.state);
  }
};

// On boards, time is the instruction count and reproducible. The host's budget is at least ten times as long as the
// interruption of a step on a loaded machine.
constexpr bool simulated = ticks_per_second < 100000000;
constexpr std::uint32_t rate = simulated ? 50 : 100;

Loop run_loop(Overrun policy, std::uint32_t grace, std::uint32_t slow_from, std::uint32_t slow_to,
              std::uint32_t periods, bool invalid_model = false) {
  Loop loop;
  loop.budget.policy = policy;
  loop.budget.grace = grace;
  loop.budget.ticks = ticks_per_second / (simulated ? 200 : 4);
  loop.slow_from = slow_from;
  loop.slow_to = slow_to;
  loop.invalid_model = invalid_model;
  Periodic timer;
  CHECK(timer.start(rate, &Loop::tick, &loop));
  while (timer.calls() < periods) Periodic::wait();
  timer.stop();
  return loop;
}

}  // namespace

void test_loop_with_count(void) {
  const Loop loop = run_loop(Overrun::count, 0, 5, 8, 12);
  const StepAccount& account = loop.budget.account();
  CHECK(account.overruns == 3 && account.held == 0 && account.steps == loop.periods && loop.moved == loop.periods);
  CHECK(account.worst > loop.budget.ticks && account.last <= loop.budget.ticks);
}

void test_loop_with_hold(void) {
  const Loop loop = run_loop(Overrun::hold, 1, 5, 8, 12);
  const StepAccount& account = loop.budget.account();
  // steps 5, 6 and 7 are slow: the first is tolerated; after each of the others, the state is held for a period
  CHECK(account.overruns == 3 && account.held == 2 && !account.safe);
  CHECK(account.steps == loop.periods - 2 && loop.moved == account.steps);
}

void test_loop_with_safe(void) {
  const Loop loop = run_loop(Overrun::safe, 2, 4, 100, 14);
  const StepAccount& account = loop.budget.account();
  CHECK(account.safe && account.overruns == 3 && account.steps == 7 && loop.moved == 7);
  CHECK(loop.periods >= 14);  // the timer continues, the model is held
}

void test_loop_with_non_finite_input(void) {
  const Loop loop = run_loop(Overrun::count, 2, 0, 0, 8, true);
  const StepAccount& account = loop.budget.account();
  CHECK(account.safe && account.failures == 3 && account.steps == 3 && loop.moved == 0);
}

TEST_MAIN({
  TEST(test_steps_within_the_budget_are_unaffected);
  TEST(test_count_continues);
  TEST(test_hold_skips_the_period_after_an_overrun);
  TEST(test_grace_counts_consecutive_overruns);
  TEST(test_safe_ends_until_restart);
  TEST(test_steps_that_do_not_advance_end_in_the_safe_state);
  TEST(test_loop_with_count);
  TEST(test_loop_with_hold);
  TEST(test_loop_with_safe);
  TEST(test_loop_with_non_finite_input);
})
