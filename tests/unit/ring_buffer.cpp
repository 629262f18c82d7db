// The ring buffer: bounded, oldest entry first, dropped entries counted.
#include <moreau/moreau.hpp>
#include <moreau/record/recorder.hpp>
#include <moreau/record/ring_buffer.hpp>

#include "models/falling_mass.hpp"
#include "support/test.hpp"

void test_entries_are_returned_in_order(void) {
  moreau::RingBuffer<int, 4> buffer;
  CHECK(buffer.empty());
  for (int i = 0; i < 3; ++i) buffer.push(i);
  CHECK_EQUAL(3u, buffer.size());
  CHECK(!buffer.full());
  for (int i = 0; i < 3; ++i) CHECK_EQUAL(i, buffer[std::size_t(i)]);
  CHECK_EQUAL(0u, buffer.dropped());
}

void test_full_buffer_drops_and_counts_the_oldest(void) {
  moreau::RingBuffer<int, 4> buffer;
  for (int i = 0; i < 11; ++i) buffer.push(i);
  CHECK(buffer.full());
  CHECK_EQUAL(4u, buffer.size());
  CHECK_EQUAL(7u, buffer.dropped());
  int expected = 7;
  for (const int entry : buffer) {
    CHECK_EQUAL(expected, entry);
    ++expected;
  }
  CHECK_EQUAL(11, expected);
}

void test_clear_empties_and_resets_the_count(void) {
  moreau::RingBuffer<int, 2> buffer;
  for (int i = 0; i < 5; ++i) buffer.push(i);
  buffer.clear();
  CHECK(buffer.empty());
  CHECK_EQUAL(0u, buffer.dropped());
  buffer.push(9);
  CHECK_EQUAL(9, buffer[0]);
}

void test_capacity_of_one_keeps_the_newest(void) {
  moreau::RingBuffer<int, 1> buffer;
  buffer.push(1);
  buffer.push(2);
  CHECK_EQUAL(2, buffer[0]);
  CHECK_EQUAL(1u, buffer.dropped());
}

void test_records_the_last_steps_of_a_run(void) {
  using Model = models::FallingMass<Real>;
  moreau::State<Model> start;
  start.q(0) = Real(0.07);
  moreau::Stepper<Model> stepper(Model{}, start);
  static moreau::RingBuffer<moreau::Sample<Model>, 16> trace;
  CHECK(moreau::run(stepper, Real(1e-3), 40, trace).advanced());
  CHECK_EQUAL(16u, trace.size());
  CHECK_EQUAL(24u, trace.dropped());
  CHECK_EQUAL(stepper.state.time(), trace[15].t);
  CHECK_EQUAL(stepper.state.q(0), trace[15].q(0));
  CHECK_WITHIN(Real(1e-6), Real(25e-3), trace[0].t);
}

TEST_MAIN({
  TEST(test_entries_are_returned_in_order);
  TEST(test_full_buffer_drops_and_counts_the_oldest);
  TEST(test_clear_empties_and_resets_the_count);
  TEST(test_capacity_of_one_keeps_the_newest);
  TEST(test_records_the_last_steps_of_a_run);
})
