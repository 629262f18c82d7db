// An FMU, loaded as by an importer: every function, bit-identical results, invalid calls. FMU_CALLS selects the
// version.
#include <cmath>
#include <string>
#include <vector>

#include "test_benches/reference.hpp"

#include FMU_CALLS

namespace {

constexpr int run = 3000;
constexpr double dt = Bench::dt;

C begun(double start = 0) {
  const C c = make();
  CHECK(c != nullptr);
  CHECK_EQUAL(ok, begin(c, start, false, 0));
  CHECK_EQUAL(ok, int(exit_initialization(c)));
  return c;
}

int set(C c, int i, double value) {
  const unsigned vr = unsigned(i);
  return set_real(c, &vr, 1, &value);
}
double get(C c, int i) {
  const unsigned vr = unsigned(i);
  double value = 0;
  int whole = 0;
  if (List::of(i).whole) {
    CHECK_EQUAL(ok, get_whole(c, &vr, 1, &whole));
    return whole;
  }
  CHECK_EQUAL(ok, get_real(c, &vr, 1, &value));
  return value;
}
std::vector<double> values(C c) {
  std::vector<double> all;
  for (int i = 0; i < List::count; ++i) all.push_back(get(c, i));
  return all;
}
int step(C c, int n) {
  CHECK_EQUAL(ok, set(c, input, driven(n)));
  return do_step(c, n * dt, dt);
}

void test_bits_equal_library(void) {
  Reference reference;
  const C c = begun();
  for (int n = 0; n < run; ++n) {
    CHECK(reference.step(n));
    CHECK_EQUAL(ok, step(c, n));  // an inexact step, too
    reference.each_value([&](const char* name, double expected) {
      const double value = get(c, List::find(name));
      if (!same(expected, value)) std::printf("step %d, %s: %.17g %.17g\n", n, name, expected, value);
      CHECK(same(expected, value));
    });
  }
  free_instance(c);
}

// Ten steps per call, with communication points and step sizes as importers compute them: sums, differences, single
// precision.
void test_communication_steps_are_counted(void) {
  const C fine = begun(), summed = begun(), difference = begun(), single = begun();
  double t = 0;
  for (int n = 0; n < run; n += 10) {
    for (int k = 0; k < 10; ++k) CHECK(do_step(fine, (n + k) * dt, dt) == ok);
    CHECK(do_step(summed, t, 10 * dt) == ok);
    CHECK(do_step(difference, n * dt, (n + 10) * dt - n * dt) == ok);
    CHECK(do_step(single, n * dt, double(float(10 * dt))) == ok);
    t += 10 * dt;
    CHECK(alike(values(fine), values(summed)) && alike(values(fine), values(difference)));
    CHECK(alike(values(fine), values(single)));
  }
  CHECK_EQUAL(error, do_step(fine, t, 0));
  CHECK_EQUAL(error, do_step(fine, t, -dt));
  CHECK_EQUAL(error, do_step(fine, t, NAN));
  CHECK_EQUAL(error, do_step(fine, t, INFINITY));
  CHECK_EQUAL(error, do_step(fine, t + dt, dt));
  CHECK_EQUAL(error, do_step(fine, NAN, dt));
  CHECK(alike(values(fine), values(summed)));
  CHECK(do_step(fine, t, std::nextafter(dt, 0)) == ok);
  for (const C c : {fine, summed, difference, single}) free_instance(c);
}

// Communication steps of a frame of 60 Hz, as an importer computes them: the state is that of the nearest grid point.
void test_communication_steps_off_the_grid(void) {
  const C fine = begun(), frames = begun();
  const double frame = dt < 5e-5 ? 1.0 / 60 / 8 : 1.0 / 60;  // s
  std::int64_t n = 0;
  for (int k = 0; k < 60; ++k) {
    const double t = k * frame, end = (k + 1) * frame;
    CHECK_EQUAL(ok, do_step(frames, t, end - t));
    CHECK(last_time(frames) == end);
    for (; double(n) < std::floor(end / dt + 0.5); ++n) CHECK_EQUAL(ok, do_step(fine, double(n) * dt, dt));
    CHECK(alike(values(fine), values(frames)));
    CHECK_WITHIN(0.501 * dt, end, get(frames, 0));
  }
  CHECK(std::floor(frame / dt) != frame / dt);
  const double end = 60 * frame;
  const auto before = values(frames);
  CHECK_EQUAL(ok, do_step(frames, end, dt / 1000));  // no grid point in between
  CHECK(alike(before, values(frames)));
  CHECK_EQUAL(error, do_step(frames, end + 0.6 * dt, dt));  // wrong communication point
  for (const C c : {fine, frames}) free_instance(c);
}

void test_instances_are_independent(void) {
  const C alone = begun(), one = begun(), other = begun();
  for (int n = 0; n < run; ++n) CHECK(step(alone, n) == ok);
  for (int n = 0; n < run; ++n) {
    CHECK(step(one, n) == ok);
    CHECK_EQUAL(ok, set(other, input, driven(run - n)));
    CHECK(do_step(other, n * dt, dt) == ok);
  }
  CHECK(alike(values(alone), values(one)));
  CHECK(values(one) != values(other));
  for (const C c : {alone, one, other}) free_instance(c);
}

void test_reset_equals_new_instance(void) {
  const C used = begun(), fresh = begun();
  for (int n = 0; n < run; ++n) (void)step(used, n);
  for (int i = 0; i < List::count; ++i)
    if (List::of(i).kind == moreau::bench::Kind::parameter) CHECK_EQUAL(ok, set(used, i, 0.9 * get(used, i)));
  CHECK_EQUAL(ok, int(terminate(used)));
  CHECK_EQUAL(ok, int(reset(used)));
  CHECK_EQUAL(ok, begin(used, 0, false, 0));
  CHECK_EQUAL(ok, int(exit_initialization(used)));
  for (int n = 0; n < run; ++n) CHECK_EQUAL(step(fresh, n), step(used, n));
  CHECK(alike(values(fresh), values(used)));
  for (const C c : {used, fresh}) free_instance(c);
}

void test_restored_instance_continues_bit_identically(void) {
  const C c = begun(), other = begun();
  const int half = run / 2 + 7;
  for (int n = 0; n < half; ++n) (void)step(c, n);
  void *state = nullptr, *elsewhere = nullptr;
  CHECK_EQUAL(ok, int(get_state(c, &state)));
  std::size_t size = 0;
  CHECK_EQUAL(ok, int(state_size(c, state, &size)));
  std::vector<char> bytes(size);
  CHECK_EQUAL(ok, int(serialise(c, state, bytes.data(), size)));
  const auto middle = values(c);
  for (int n = half; n < run; ++n) (void)step(c, n);
  const auto end = values(c);

  CHECK_EQUAL(ok, int(set_state(c, state)));
  CHECK(alike(middle, values(c)));
  for (int n = half; n < run; ++n) (void)step(c, n);
  CHECK(alike(end, values(c)));

  CHECK_EQUAL(ok, int(deserialise(other, bytes.data(), size, &elsewhere)));
  CHECK_EQUAL(ok, int(set_state(other, elsewhere)));
  CHECK(alike(middle, values(other)));
  for (int n = half; n < run; ++n) (void)step(other, n);
  CHECK(alike(end, values(other)));

  void* none = nullptr;
  for (std::size_t i = 0; i < size; ++i) {
    bytes[i] = char(bytes[i] ^ 1 << i % 8);
    CHECK_EQUAL(error, int(deserialise(other, bytes.data(), size, &none)));
    bytes[i] = char(bytes[i] ^ 1 << i % 8);
  }
  CHECK_EQUAL(error, int(deserialise(other, bytes.data(), size - 1, &none)));
  CHECK(none == nullptr);
  CHECK_EQUAL(error, int(set_state(other, state)));  // a state of another instance
  CHECK_EQUAL(ok, int(free_state(c, &state)));
  CHECK(state == nullptr);
  CHECK_EQUAL(ok, int(free_state(c, &state)));
  void* gone = elsewhere;
  CHECK_EQUAL(ok, int(free_state(other, &elsewhere)));
  CHECK_EQUAL(error, int(set_state(other, gone)));
  void* many[9] = {};
  for (int k = 0; k < 8; ++k) CHECK_EQUAL(ok, int(get_state(c, &many[k])));
  CHECK_EQUAL(error, int(get_state(c, &many[8])));
  CHECK_EQUAL(ok, int(get_state(c, &many[3])));  // an existing state is overwritten
  for (const C one : {c, other}) free_instance(one);
}

void test_step_without_solution_keeps_state(void) {
  if (List::find("crank.m") < 0 && List::find("m_S") < 0 && List::find("pinion.m") < 0) return;
  const C c = begun();
  for (int n = 0; n < 50; ++n) (void)step(c, n);
  for (int i = 0; i < List::count; ++i)  // a mechanism without mass
    if (List::of(i).unit.is("kg") || List::of(i).unit.is("kg.m2")) CHECK_EQUAL(ok, set(c, i, List::of(i).min));
  const auto before = values(c);
  const int logged_before = logged;
  const int answer = do_step(c, 50 * dt, 10 * dt);
  if (answer == ok) return free_instance(c);  // a small mass, but a valid one
  CHECK(logged > logged_before);
  CHECK(last_category == "logStatusError" || last_category == "logStatusDiscard");
  const auto after = values(c);
  for (int i = 0; i < List::count; ++i)
    if (std::strncmp(List::of(i).name.text, "step.", 5) != 0)
      CHECK(same(before[std::size_t(i)], after[std::size_t(i)]));
  CHECK(after[std::size_t(List::find("step.status"))] >= 2);
  CHECK_EQUAL(error, do_step(c, 50 * dt, dt));  // wrong communication point
  CHECK_WITHIN(dt / 4, 50 * dt, last_time(c));
  CHECK_EQUAL(ok, int(reset(c)));
  free_instance(c);
}

void test_parameters_change_start(void) {
  const int gap = List::find("r_M");  // of the woodpecker: its sleeve starts at the pole
  if (gap < 0) return;
  const double r_M = 4e-3;
  Model wide;
  Plant::Table::of(gap).set(wide, r_M);
  const double expected = Bench::start(wide).q[1];
  for (const bool early : {true, false}) {
    const C c = make();
    if (early) CHECK_EQUAL(ok, set(c, gap, r_M));
    CHECK_EQUAL(ok, begin(c, 0, false, 0));
    if (!early) CHECK_EQUAL(ok, set(c, gap, r_M));
    CHECK(same(expected, get(c, List::find("phi_M"))));
    CHECK_EQUAL(ok, int(exit_initialization(c)));
    CHECK(same(expected, get(c, List::find("phi_M"))));
    CHECK_EQUAL(ok, set(c, gap, 0.9 * r_M));  // tunable from here on
    CHECK(same(expected, get(c, List::find("phi_M"))));
    free_instance(c);
  }
}

void test_any_start_time(void) {
  const C c = make();
  CHECK_EQUAL(ok, begin(c, 2.5, true, 2.5 + 20 * dt));
  CHECK_EQUAL(ok, int(exit_initialization(c)));
  CHECK(get(c, 0) == 2.5);
  CHECK(do_step(c, 2.5, 15 * dt) == ok);
  CHECK_EQUAL(error, do_step(c, 2.5 + 15 * dt, 10 * dt));  // beyond the stop time
  CHECK(do_step(c, 2.5 + 15 * dt, 5 * dt) == ok);
  free_instance(c);
}

void test_calls_in_the_wrong_order(void) {
  const C c = make();
  double value = 0;
  const unsigned vr = 1;
  CHECK_EQUAL(error, do_step(c, 0, dt));
  CHECK_EQUAL(error, int(exit_initialization(c)));
  CHECK_EQUAL(error, int(terminate(c)));
  CHECK_EQUAL(error, get_real(c, &vr, 1, &value));
  CHECK_EQUAL(error, begin(c, NAN, false, 0));
  CHECK_EQUAL(error, begin(c, 1, true, 0));
  CHECK_EQUAL(ok, begin(c, 0, false, 0));
  CHECK_EQUAL(error, begin(c, 0, false, 0));
  CHECK_EQUAL(error, do_step(c, 0, dt));
  CHECK_EQUAL(ok, int(exit_initialization(c)));
  CHECK_EQUAL(error, int(exit_initialization(c)));
  CHECK(do_step(c, 0, dt) == ok);
  CHECK_EQUAL(ok, int(terminate(c)));
  CHECK_EQUAL(error, do_step(c, dt, dt));
  CHECK_EQUAL(error, set(c, input, driven(0)));
  CHECK_EQUAL(ok, get_real(c, &vr, 1, &value));
  free_instance(c);
  CHECK_EQUAL(error, int(reset(c)));  // no longer an instance
  free_instance(c);
  free_instance(nullptr);
}

void test_wrong_arguments(void) {
  const C c = begun();
  const auto before = values(c);
  const unsigned time = 0, unknown = unsigned(List::count), drive = input, status = unsigned(List::find("step.status"));
  double value = 0;
  int whole = 0;
  CHECK_EQUAL(error, get_real(nullptr, &drive, 1, &value));
  CHECK_EQUAL(error, get_real(&value, &drive, 1, &value));  // an address that is not an instance
  CHECK_EQUAL(error, get_real(c, nullptr, 1, &value));
  CHECK_EQUAL(error, get_real(c, &drive, 1, nullptr));
  CHECK_EQUAL(ok, get_real(c, nullptr, 0, nullptr));
  CHECK_EQUAL(error, get_real(c, &unknown, 1, &value));
  CHECK_EQUAL(error, get_real(c, &status, 1, &value));
  CHECK_EQUAL(error, get_whole(c, &drive, 1, &whole));
  CHECK_EQUAL(ok, get_whole(c, &status, 1, &whole));
  CHECK_EQUAL(error, set(c, int(time), 1));
  CHECK_EQUAL(error, set(c, int(unknown), 1));
  CHECK_EQUAL(error, set(c, int(status), 1));
  CHECK_EQUAL(discard, set(c, input, NAN));
  CHECK_EQUAL(discard, set(c, input, INFINITY));
  CHECK_EQUAL(discard, set(c, input, List::of(input).max * 1.01 + 1));
  const unsigned both[] = {drive, unknown};
  const double two[] = {driven(0) * 1.5, 0};
  CHECK_EQUAL(error, set_real(c, both, 2, two));  // sets neither of them
  CHECK_EQUAL(error, set_real(c, nullptr, 1, two));
  CHECK_EQUAL(error, int(get_state(c, nullptr)));
  CHECK_EQUAL(error, int(set_state(c, nullptr)));
  CHECK_EQUAL(error, int(set_state(c, &value)));
  CHECK_EQUAL(ok, int(free_state(c, nullptr)));
  CHECK(alike(before, values(c)));
  free_instance(c);
}

void test_17th_instance_is_rejected(void) {
  C all[16];
  for (C& c : all) CHECK((c = make()) != nullptr);
  const int before = logged;
  CHECK(make() == nullptr);
  CHECK_EQUAL(before + 1, logged);
  free_instance(all[5]);
  CHECK((all[5] = make()) != nullptr);
  for (const C c : all) free_instance(c);
}

void test_unsupported_functions(void) {
  const C c = begun();
  call_unsupported_functions(c);
  const char *const categories[] = {"logAll"}, *const none[] = {"logNothing"};
  CHECK_EQUAL(ok, int(set_logging(c, 1, 1, categories)));
  CHECK_EQUAL(error, int(set_logging(c, 1, 1, none)));
  CHECK_EQUAL(error, int(set_logging(c, 1, 1, nullptr)));
  for (const char* name : {"DoStep", "Reset", "GetVersion"}) {
    const std::string plain = FMU_PREFIX + std::string(name), prefixed = attribute("modelIdentifier") + "_" + plain;
    CHECK(dlsym(library(), plain.c_str()) != nullptr);
    CHECK(dlsym(library(), prefixed.c_str()) == dlsym(library(), plain.c_str()));
  }
  free_instance(c);
}

void test_million_steps_allocate_no_memory(void) {
  const C c = begun();
  void* state = nullptr;
  (void)do_step(c, 0, 1000 * dt);
  (void)get_state(c, &state);
  (void)resident();
  const long before = resident();
  CHECK(before > 0);
  for (int n = 1; n <= 1000; ++n) {
    CHECK(do_step(c, n * 1000 * dt, 1000 * dt) == ok);
    (void)values(c);
    (void)get_state(c, &state);
  }
  CHECK_WITHIN(pages_touched_late, before, resident());
  free_instance(c);
}

}  // namespace

TEST_MAIN({
  TEST(test_bits_equal_library);
  TEST(test_communication_steps_are_counted);
  TEST(test_communication_steps_off_the_grid);
  TEST(test_instances_are_independent);
  TEST(test_reset_equals_new_instance);
  TEST(test_restored_instance_continues_bit_identically);
  TEST(test_step_without_solution_keeps_state);
  TEST(test_parameters_change_start);
  TEST(test_any_start_time);
  TEST(test_calls_in_the_wrong_order);
  TEST(test_rejected_instances);
  TEST(test_wrong_arguments);
  TEST(test_17th_instance_is_rejected);
  TEST(test_unsupported_functions);
  TEST(test_million_steps_allocate_no_memory);
})
