// The contract of ports/README.md on every port.
#include "../../ports/contract.hpp"

#include <cstring>

#include "support/test.hpp"

using namespace moreau::port;

// ---- text ----------------------------------------------------------------------------------------------------------

namespace {

template <class T>
void check_text(const char* expected, T value) {
  TEST_ASSERT_EQUAL_STRING(expected, Text(value).c_str());
}

}  // namespace

void test_integers_as_text(void) {
  check_text("0", 0);
  check_text("-1", -1);
  check_text("4294967295", 0xffffffffu);
  check_text("-2147483648", std::int32_t{-2147483647 - 1});
  check_text("18446744073709551615", ~std::uint64_t{0});
  check_text("-9223372036854775808", std::int64_t{-0x7fffffffffffffff - 1});
}

void test_reals_as_text(void) {
  check_text("0", 0.0f);
  check_text("-0", -0.0f);
  check_text("1", 1.0f);
  check_text("-10", -10.0f);
  check_text("0.5", 0.5f);
  check_text("0.100000001", 0.1f);
  check_text("123456792", 123456789.0f);
  check_text("9.99999997e-7", 1e-6f);
  check_text("0.0000100000025", 1.00000025e-5f);
  check_text("3.40282347e38", 3.40282347e38f);
  check_text("1.40129846e-45", 1.40129846e-45f);
  check_text("nan", -__builtin_nanf(""));
  check_text("-inf", -__builtin_inff());
}

void test_doubles_as_text(void) {
  check_text("0.10000000000000001", 0.1);
  check_text("3.1415926535897931", 3.141592653589793);
  check_text("1.7976931348623157e308", 1.7976931348623157e308);
  check_text("2.2250738585072014e-308", 2.2250738585072014e-308);
  check_text("4.9406564584124654e-324", 4.9406564584124654e-324);
  check_text("99999999999999984", 99999999999999984.0);
  check_text("1e17", 1e17);
}

// ---- latest --------------------------------------------------------------------------------------------------------

namespace {

// Large enough that a copy takes many instructions, so that mixed halves of two values are detected.
struct Block {
  std::uint32_t word[24] = {};
  Block() = default;
  explicit Block(std::uint32_t value) {
    for (std::uint32_t& w : word) w = value;
  }
  bool whole() const {
    for (const std::uint32_t w : word)
      if (w != word[0]) return false;
    return true;
  }
};

struct Exchange {
  Latest<Block> up{Block{}}, down{Block{}};
  std::uint32_t sent = 0, torn = 0, backwards = 0;
  volatile std::uint32_t last = 0;  // the main loop reads it while the timer runs
};

void exchange_in_callback(void* context) {
  auto& x = *static_cast<Exchange*>(context);
  ++x.sent;
  x.up.publish(Block{x.sent});
  const Block command = x.down.read();
  if (!command.whole()) ++x.torn;
  if (command.word[0] < x.last) ++x.backwards;
  x.last = command.word[0];
}

}  // namespace

void test_latest_returns_the_first_then_the_newest_value(void) {
  Latest<int> latest(7);
  CHECK_EQUAL(7, latest.read());
  CHECK_EQUAL(7, latest.read());
  for (int i = 0; i < 10; ++i) {
    latest.publish(i);
    if (i % 3 == 0) CHECK_EQUAL(i, latest.read());
  }
  CHECK_EQUAL(9, latest.read());
}

void test_latest_is_consistent_and_in_order_across_an_interrupt(void) {
  static Exchange x;
  Periodic timer;
  CHECK(timer.start(10000, exchange_in_callback, &x));
  std::uint32_t torn = 0, backwards = 0, last = 0, commands = 0;
  // a loaded host can run 500 calls before the first iteration of this loop
  while (timer.calls() < 500 || x.last == 0) {
    const Block seen = x.up.read();
    if (!seen.whole()) ++torn;
    if (seen.word[0] < last) ++backwards;
    last = seen.word[0];
    ++commands;
    x.down.publish(Block{commands});
  }
  timer.stop();
  CHECK_EQUAL(0u, torn);
  CHECK_EQUAL(0u, backwards);
  CHECK_EQUAL(0u, x.torn);
  CHECK_EQUAL(0u, x.backwards);
  CHECK_EQUAL(x.sent, x.up.read().word[0]);
  CHECK(x.last > 0);
}

// ---- periodic, cycles, stack ---------------------------------------------------------------------------------------

namespace {

struct Busy {
  volatile std::uint32_t rounds = 0;
  std::uint32_t calls = 0;
};

void be_busy(void* context) {
  auto& busy = *static_cast<Busy*>(context);
  if (++busy.calls > 3) return;  // an interrupt that is always late would block the main loop
  for (std::uint32_t i = busy.rounds; i > 0; --i) asm volatile("");
}

void run_calls(Periodic& timer, Busy& busy, std::uint32_t rate, std::uint32_t count) {
  CHECK(timer.start(rate, be_busy, &busy));
  while (timer.calls() < count) Periodic::wait();
  timer.stop();
}

}  // namespace

void test_periodic_calls_and_rejects_impossible_rates(void) {
  Periodic timer;
  static Busy busy;
  CHECK(!timer.start(0, be_busy, &busy));
  CHECK(!timer.start(2000000000, be_busy, &busy));  // beyond the resolution of any clock
  run_calls(timer, busy, 1000, 20);
  CHECK(timer.calls() >= 20u);
  CHECK_EQUAL(timer.calls(), busy.calls);
  const std::uint32_t calls = timer.calls();
  Stopwatch later;
  while (later.end() < ticks_per_second / 200) {}
  CHECK_EQUAL(calls, timer.calls());
}

void test_periodic_counts_overruns(void) {
  Periodic timer;
  static Busy busy;
  busy.rounds = 2000000;  // at 10 kHz longer than a period on any machine
  run_calls(timer, busy, 10000, 5);
  CHECK(timer.overruns() >= 2u);
}

namespace {

// Minimum of ten measurements: on a host, other processes can interrupt a measurement.
template <class Work>
Ticks ticks_of(Work work) {
  Ticks least = 0;
  for (int n = 0; n < 10; ++n) {
    Stopwatch watch;
    watch.begin();
    work();
    const Ticks ticks = watch.end();
    if (n == 0 || ticks < least) least = ticks;
  }
  return least;
}

}  // namespace

void test_longer_span_takes_more_ticks(void) {
  const Ticks nothing = ticks_of([] {});
  const Ticks loop = ticks_of([] {
    for (int i = 0; i < 20000; ++i) asm volatile("");
  });
  CHECK(loop > nothing);
  if (instructions_of(loop) > 0) CHECK_EQUAL(0u, instructions_of(nothing));
  print("empty pair ", nothing, " ", tick_name, ", loop of 20000 ", loop,
        ", instructions if -icount shift=7: ", instructions_of(loop));
}

namespace {

[[gnu::noinline]] std::uint32_t use_a_kilobyte() {
  volatile std::uint32_t block[256];
  for (std::uint32_t i = 0; i < 256; ++i) block[i] = i;
  return block[17];
}

}  // namespace

void test_stack_high_water(void) {
  if (stack_size() == 0) return;  // this port does not measure its stack
  stack_paint();
  const std::size_t before = stack_used();
  use_a_kilobyte();
  const std::size_t after = stack_used();
  CHECK(before < stack_depth() + 512);
  CHECK(after >= before + 900 && after <= before + 1200);
  CHECK(after < stack_size());
}

TEST_MAIN({
  TEST(test_integers_as_text);
  TEST(test_reals_as_text);
  TEST(test_doubles_as_text);
  TEST(test_latest_returns_the_first_then_the_newest_value);
  TEST(test_latest_is_consistent_and_in_order_across_an_interrupt);
  TEST(test_periodic_calls_and_rejects_impossible_rates);
  TEST(test_periodic_counts_overruns);
  TEST(test_longer_span_takes_more_ticks);
  TEST(test_stack_high_water);
})
