// Cost of following the wear of a gear drive on a board: a window of 2 ms with 80 members, counted, and the results after
// a burst, bit-identical to those of the host.
#include <moreau/identify/filter.hpp>
#include <moreau/port/cycles.hpp>

#include "identification/gear_drive.hpp"
#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau::identify;
using Machine = identification::GearDrive;
using Sample = Machine::Description::Sample;
constexpr int members = 80, window = 8, rows = 10 * window + 1;

// Burst of a drive with a backlash of 150 um: its encoder, from steps ten times shorter than those of the filter.
void measure_burst(const Machine::Description& d, Sample (&burst)[rows]) {
  auto model = d.model;
  model.play = 1.5e-4;
  moreau::Stepper<identification::Drive> drive(model, {});
  const double step = d.channel_of[0].sensor.step;
  for (int n = 0; n < rows; ++n) {
    burst[n].t = n * Machine::plan.sample;
    const double turns = drive.state.q(0) / step;
    const long whole = long(turns) - (turns < 0 ? 1 : 0);
    burst[n].measured[0] = (double(whole) + 0.5) * step;
    burst[n].input[0] = drive.model.torque = n < rows / 2 ? 0.1 : -0.1;
    for (int k = 0; k < 10; ++k) CHECK(drive.step(Machine::plan.sample / 10).advanced());
  }
}

void test_a_window_on_the_board(void) {
  static const auto d = Machine::description();
  static Filter<Machine::Description, members> filter(d);
  static Sample burst[rows];
  measure_burst(d, burst);
  Filter<Machine::Description, members>::Belief last;  // of the burst before: a backlash of 140 um
  const double values[] = {1.4e-4, 0.3, 0.05, 4e-3, 1e-4};
  for (std::size_t p = 0; p < 5; ++p) last.mean[p] = d.parameter_of[p].range.logit(values[p]), last.deviation[p] = 0.15;
  filter.begin(last, burst, window, 1);
  moreau::port::Stopwatch watch;
  moreau::port::Ticks most = 0;
  for (int n = 1; n + window <= rows; n += window) {
    filter.plan(burst + n, window);
    moreau::port::Ticks span = 0;
    for (int i = 0; i < members; ++i) {
      watch.begin();
      filter.advance(i, burst + n, window);
      span += watch.end();
    }
    watch.begin();
    filter.update(burst + n, window);
    span += watch.end();
    if (span > most) most = span;
  }
  test::BitsHash all;
  for (const double x : filter.belief().mean) all.add(x);
  for (const double x : filter.belief().deviation) all.add(x);
  moreau::port::print("RAM ", long(sizeof filter), " bytes; most expensive window ", long(most), " ticks");
  moreau::port::print("hash ", long(all.value() >> 32), " ", long(all.value() & 0xffffffffu));
#ifdef MOREAU_COUNTED
  moreau::port::print("instructions of a window ", long(moreau::port::instructions_of(most)));
#endif
  CHECK_EQUAL(0x788efb06c3c129a6u, all.value());
}

}  // namespace

TEST_MAIN(TEST(test_a_window_on_the_board))
