// C interface of a test bench: bit-identical to the library, in any order of instances, after a reset and after a
// restore.
#include <cstdio>
#include <vector>

#include "test_benches/reference.hpp"

#include BENCH_HEADER
#include "support/test.hpp"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define C(function) JOIN(BENCH_NAME, function)
using Handle = BENCH_NAME;

namespace {

constexpr int ok = 0, inexact = 1, run = often(3000);

struct Held {
  alignas(16) unsigned char memory[sizeof(Plant) + 1024];
  Handle* bench = nullptr;
  Held() { CHECK_EQUAL(ok, int(C(init)(memory, sizeof memory, &bench))); }
  int step(int n) {
    CHECK_EQUAL(ok, int(C(set)(bench, input, driven(n))));
    return C(step)(bench);
  }
};

std::vector<double> values(const Handle* bench) {
  std::vector<double> all(std::size_t(List::count), 0.0);
  for (int i = 0; i < List::count; ++i) CHECK_EQUAL(ok, int(C(get)(bench, i, &all[std::size_t(i)])));
  return all;
}

void test_bits_equal_library(void) {
  Reference reference;
  Held held;
  int contacts = 0;
  for (int n = 0; n < run; ++n) {
    const bool advanced = reference.step(n);
    CHECK_EQUAL(int(reference.report.status), held.step(n));
    CHECK(advanced);
    contacts += reference.report.active;
    reference.each_value([&](const char* name, double expected) {
      double value = 0;
      CHECK_EQUAL(ok, int(C(get_named)(held.bench, name, &value)));
      if (!same(expected, value)) std::printf("step %d, %s: %.17g %.17g\n", n, name, expected, value);
      CHECK(same(expected, value));
    });
  }
  CHECK(contacts > 0);  // the run has impacts
}

void test_instances_are_independent(void) {
  Held alone, one, other;
  for (int n = 0; n < run; ++n) {
    (void)alone.step(n);
    (void)one.step(n);
    (void)other.step(run - n);
  }
  CHECK(alike(values(alone.bench), values(one.bench)));
  CHECK(values(one.bench) != values(other.bench));
}

void test_reset_equals_new_instance(void) {
  Held used, fresh;
  for (int n = 0; n < run; ++n) (void)used.step(n);
  for (int i = 0; i < List::count; ++i)
    if (List::of(i).kind == moreau::bench::Kind::parameter) {
      double value = 0;
      (void)C(get)(used.bench, i, &value);
      CHECK_EQUAL(ok, int(C(set)(used.bench, i, value * 0.9)));
    }
  CHECK_EQUAL(ok, int(C(reset)(used.bench)));
  CHECK(alike(values(fresh.bench), values(used.bench)));
  for (int n = 0; n < run; ++n) CHECK_EQUAL(fresh.step(n), used.step(n));
  CHECK(alike(values(fresh.bench), values(used.bench)));
}

void test_restored_bench_continues_bit_identically(void) {
  Held original, restored;
  for (int i = 0; i < List::count; ++i)  // with its own parameters
    if (List::of(i).kind == moreau::bench::Kind::parameter) {
      double value = 0;
      (void)C(get)(original.bench, i, &value);
      CHECK_EQUAL(ok, int(C(set)(original.bench, i, value * 0.98)));
    }
  for (int n = 0; n < run / 2 + 7; ++n) (void)original.step(n);
  static unsigned char bytes[1 << 16], again[sizeof bytes];
  std::size_t size = 0;
  while (size < sizeof bytes && C(save)(original.bench, bytes, size) != ok) ++size;
  CHECK(size < sizeof bytes);
  CHECK_EQUAL(ok, int(C(restore)(restored.bench, bytes, size)));
  CHECK(alike(values(original.bench), values(restored.bench)));
  CHECK_EQUAL(ok, int(C(save)(restored.bench, again, size)));
  CHECK(std::memcmp(bytes, again, size) == 0);
  for (int n = run / 2 + 7; n < run; ++n) {
    CHECK_EQUAL(original.step(n), restored.step(n));
    CHECK(alike(values(original.bench), values(restored.bench)));
  }
}

void test_damaged_state_is_rejected(void) {
  Held original, other;
  for (int n = 0; n < 100; ++n) (void)original.step(n);
  static unsigned char bytes[1 << 16];
  std::size_t size = 0;
  while (C(save)(original.bench, bytes, size) != ok) ++size;
  const auto before = values(other.bench);
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = static_cast<unsigned char>(bytes[i] ^ (1u << (i % 8)));
    CHECK(C(restore)(other.bench, bytes, size) != ok);
    bytes[i] = static_cast<unsigned char>(bytes[i] ^ (1u << (i % 8)));
  }
  CHECK(alike(before, values(other.bench)));
  CHECK_EQUAL(ok, int(C(restore)(other.bench, bytes, size)));
}

void test_step_of_many_equals_single_steps(void) {
  Held many, single;
  (void)C(set)(many.bench, input, driven(0));
  long done = 0;
  const int answer = C(step_many)(many.bench, 200, &done);
  CHECK(answer == ok || answer == inexact);
  CHECK_EQUAL(200, done);
  for (int n = 0; n < 200; ++n) (void)single.step(0);
  CHECK(alike(values(single.bench), values(many.bench)));
}

void test_million_steps_allocate_no_memory(void) {
  if (retains_freed_memory) TEST_IGNORE_MESSAGE("AddressSanitizer retains freed memory");
  Held held;
  long done = 0;
  (void)C(step_many)(held.bench, 1000, &done);
  (void)resident();
  const long before = resident();
  CHECK(before > 0);
  for (int n = 0; n < 1000; ++n) {
    (void)C(step_many)(held.bench, 1000, &done);
    (void)values(held.bench);
  }
  CHECK_WITHIN(pages_touched_late, before, resident());
}

}  // namespace

TEST_MAIN({
  TEST(test_bits_equal_library);
  TEST(test_instances_are_independent);
  TEST(test_reset_equals_new_instance);
  TEST(test_restored_bench_continues_bit_identically);
  TEST(test_damaged_state_is_rejected);
  TEST(test_step_of_many_equals_single_steps);
  TEST(test_million_steps_allocate_no_memory);
})
