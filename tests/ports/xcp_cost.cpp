// Instructions of the XCP slave per call on a Cortex-M4F: a period without and with a running list, and a command. The
// period of a loop includes them, so they are bounded.
#include <moreau/bench/xcp.hpp>
#include <moreau/port/console.hpp>
#include <moreau/port/cycles.hpp>

#include "support/test.hpp"
#include "test_benches/box/works.hpp"

namespace {

using Slave = moreau::bench::XcpSlave<box::CrankBench>;
using List = moreau::bench::Table<box::CrankBench>;

moreau::bench::Plant<box::CrankBench> plant;
Slave slave(plant, "crank");
volatile int sink;

template <class F>
std::uint32_t counted(const F& f) {
  moreau::port::Stopwatch watch;
  watch.begin();
  f();
  return watch.instructions();
}
int ask(std::initializer_list<int> command) {
  std::uint8_t bytes[16] = {}, response[moreau::bench::XcpSizes::packet];
  int n = 0;
  for (const int byte : command) bytes[n++] = static_cast<std::uint8_t>(byte);
  return slave.answer(bytes, n, 0, response);
}
void send(const std::uint8_t* packet, int n) { sink = packet[n - 1]; }

void test_instructions(void) {
  for (int n = 0; n < 20; ++n) CHECK(plant.step() == moreau::bench::Answer::ok);
  CHECK_EQUAL(8, ask({0xff, 0}));
  const auto without = counted([] { slave.sample(0, send); });
  const int variables[] = {0,
                           List::find("crank.phi"),
                           List::find("crank.omega"),
                           List::find("slider.x"),
                           List::find("slider.v_x"),
                           List::find("motor.torque")};
  CHECK(ask({0xd6}) == 1 && ask({0xd5, 0, 1, 0}) == 1 && ask({0xd4, 0, 0, 0, 1}) == 1);
  CHECK(ask({0xd3, 0, 0, 0, 0, 6}) == 1 && ask({0xe2, 0, 0, 0, 0, 0}) == 1);
  for (const int v : variables) CHECK_EQUAL(1, ask({0xe1, 0xff, 8, 0, 8 * v & 0xff, 8 * v >> 8, 0, 0}));
  CHECK(ask({0xde, 1, 0, 0}) == 2);
  const auto with = counted([] { slave.sample(0, send); });
  const auto poll = counted([&] { sink = ask({0xf4, 8, 0, 0, 8 * variables[1] & 0xff, 8 * variables[1] >> 8, 0, 0}); });
  moreau::port::print("instructions: no list ", without, ", six variables ", with, ", SHORT_UPLOAD ", poll);
  constexpr unsigned most_without = 20, most_with = 3700, most_poll = 1300;  // a third above the counts
  CHECK(without < most_without && with < most_with && poll < most_poll);
}

}  // namespace

TEST_MAIN({ TEST(test_instructions); })
