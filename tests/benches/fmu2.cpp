// An FMU 2.0, loaded as an importer loads it: every function, the bits of the library, hostile calls.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "benches/reference.hpp"

#include <moreau/bench/fmi2.hpp>

#include "support/test.hpp"

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

namespace {

const std::string folder = BENCH_FOLDER;
constexpr int run = 3000;
constexpr double dt = Bench::dt;

std::string library_path() {  // another build of the same sources may be tested instead
  const char* other = std::getenv("MOREAU_FMU_BINARY");
  return other != nullptr ? other : folder + "/binaries/linux64/" TEXT(BENCH_NAME) ".so";
}
void* library() {
  static void* handle = dlopen(library_path().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) std::printf("%s\n", dlerror());
  return handle;
}
template <class F>
F* function(const char* name) {
  void* found = dlsym(library(), name);
  if (found == nullptr) {
    std::printf("no function %s\n", name);
    std::exit(1);
  }
  return reinterpret_cast<F*>(found);
}

using C = fmi2Component;
using Vr = const fmi2ValueReference*;
const auto instantiate =
    function<C(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions*, int, int)>(
        "fmi2Instantiate");
const auto free_instance = function<void(C)>("fmi2FreeInstance");
const auto setup = function<fmi2Status(C, int, double, double, int, double)>("fmi2SetupExperiment");
const auto enter = function<fmi2Status(C)>("fmi2EnterInitializationMode");
const auto leave = function<fmi2Status(C)>("fmi2ExitInitializationMode");
const auto terminate = function<fmi2Status(C)>("fmi2Terminate");
const auto reset = function<fmi2Status(C)>("fmi2Reset");
const auto get_real = function<fmi2Status(C, Vr, std::size_t, double*)>("fmi2GetReal");
const auto get_integer = function<fmi2Status(C, Vr, std::size_t, int*)>("fmi2GetInteger");
const auto set_real = function<fmi2Status(C, Vr, std::size_t, const double*)>("fmi2SetReal");
const auto do_step = function<fmi2Status(C, double, double, int)>("fmi2DoStep");
const auto get_state = function<fmi2Status(C, fmi2FMUstate*)>("fmi2GetFMUstate");
const auto set_state = function<fmi2Status(C, fmi2FMUstate)>("fmi2SetFMUstate");
const auto free_state = function<fmi2Status(C, fmi2FMUstate*)>("fmi2FreeFMUstate");
const auto state_size = function<fmi2Status(C, fmi2FMUstate, std::size_t*)>("fmi2SerializedFMUstateSize");
const auto serialise = function<fmi2Status(C, fmi2FMUstate, char*, std::size_t)>("fmi2SerializeFMUstate");
const auto deserialise = function<fmi2Status(C, const char*, std::size_t, fmi2FMUstate*)>("fmi2DeSerializeFMUstate");

std::string guid() {
  std::ifstream file(folder + "/modelDescription.xml");
  std::stringstream text;
  text << file.rdbuf();
  const std::size_t at = text.str().find("guid=\"") + 6;
  return text.str().substr(at, text.str().find('"', at) - at);
}

int logged = 0;
std::string last_category;
void log(fmi2ComponentEnvironment, fmi2String name, fmi2Status, fmi2String category, fmi2String message, ...) {
  ++logged;
  last_category = category;
  CHECK(name != nullptr && message != nullptr && std::strlen(message) > 4 && std::strchr(message, '%') == nullptr);
}
const fmi2CallbackFunctions callbacks = {log, nullptr, nullptr, nullptr, nullptr};

C make(const char* name = "one") {
  return instantiate(name, fmi2CoSimulation, guid().c_str(), nullptr, &callbacks, 0, 0);
}
C begun(double start = 0) {
  const C c = make();
  CHECK(c != nullptr);
  CHECK_EQUAL(fmi2OK, setup(c, 0, 0, start, 0, 0));
  CHECK_EQUAL(fmi2OK, enter(c));
  CHECK_EQUAL(fmi2OK, leave(c));
  return c;
}

fmi2Status set(C c, int i, double value) {
  const fmi2ValueReference vr = fmi2ValueReference(i);
  return set_real(c, &vr, 1, &value);
}
double get(C c, int i) {
  const fmi2ValueReference vr = fmi2ValueReference(i);
  double value = 0;
  int whole = 0;
  if (List::of(i).whole) {
    CHECK_EQUAL(fmi2OK, get_integer(c, &vr, 1, &whole));
    return whole;
  }
  CHECK_EQUAL(fmi2OK, get_real(c, &vr, 1, &value));
  return value;
}
std::vector<double> values(C c) {
  std::vector<double> all;
  for (int i = 0; i < List::count; ++i) all.push_back(get(c, i));
  return all;
}
fmi2Status step(C c, int n) {
  CHECK_EQUAL(fmi2OK, set(c, input, driven(n)));
  return do_step(c, n * dt, dt, 1);
}

void test_the_bits_are_those_of_the_library(void) {
  Reference reference;
  const C c = begun();
  for (int n = 0; n < run; ++n) {
    CHECK(reference.step(n));
    const bool exact = reference.report.status == moreau::Status::ok;
    CHECK_EQUAL(exact ? fmi2OK : fmi2Warning, step(c, n));
    reference.each_value([&](const char* name, double expected) {
      const double value = get(c, List::find(name));
      if (!same(expected, value)) std::printf("step %d, %s: %.17g %.17g\n", n, name, expected, value);
      CHECK(same(expected, value));
    });
  }
  free_instance(c);
}

// Ten steps at once, with points and sizes as importers compute them: sums, differences, in single precision.
void test_communication_steps_are_counted(void) {
  const C fine = begun(), summed = begun(), difference = begun(), single = begun();
  double t = 0;
  for (int n = 0; n < run; n += 10) {
    for (int k = 0; k < 10; ++k) CHECK(do_step(fine, (n + k) * dt, dt, 1) <= fmi2Warning);
    CHECK(do_step(summed, t, 10 * dt, 1) <= fmi2Warning);
    CHECK(do_step(difference, n * dt, (n + 10) * dt - n * dt, 1) <= fmi2Warning);
    CHECK(do_step(single, n * dt, double(float(10 * dt)), 1) <= fmi2Warning);
    t += 10 * dt;
    CHECK(alike(values(fine), values(summed)) && alike(values(fine), values(difference)));
    CHECK(alike(values(fine), values(single)));
  }
  CHECK_EQUAL(fmi2Error, do_step(fine, t, 1.5 * dt, 1));
  CHECK_EQUAL(fmi2Error, do_step(fine, t, 1.001 * dt, 1));
  CHECK_EQUAL(fmi2Error, do_step(fine, t, 0, 1));
  CHECK_EQUAL(fmi2Error, do_step(fine, t, -dt, 1));
  CHECK_EQUAL(fmi2Error, do_step(fine, t, NAN, 1));
  CHECK_EQUAL(fmi2Error, do_step(fine, t, INFINITY, 1));
  CHECK_EQUAL(fmi2Error, do_step(fine, t + dt, dt, 1));
  CHECK_EQUAL(fmi2Error, do_step(fine, NAN, dt, 1));
  CHECK(alike(values(fine), values(summed)));
  CHECK(do_step(fine, t, std::nextafter(dt, 0), 1) <= fmi2Warning);
  for (const C c : {fine, summed, difference, single}) free_instance(c);
}

void test_two_instances_know_nothing_of_each_other(void) {
  const C alone = begun(), one = begun(), other = begun();
  for (int n = 0; n < run; ++n) CHECK(step(alone, n) <= fmi2Warning);
  for (int n = 0; n < run; ++n) {
    CHECK(step(one, n) <= fmi2Warning);
    CHECK_EQUAL(fmi2OK, set(other, input, driven(run - n)));
    CHECK(do_step(other, n * dt, dt, 1) <= fmi2Warning);
  }
  CHECK(alike(values(alone), values(one)));
  CHECK(values(one) != values(other));
  for (const C c : {alone, one, other}) free_instance(c);
}

void test_reset_is_fresh(void) {
  const C used = begun(), fresh = begun();
  for (int n = 0; n < run; ++n) (void)step(used, n);
  for (int i = 0; i < List::count; ++i)
    if (List::of(i).kind == moreau::bench::Kind::parameter) CHECK_EQUAL(fmi2OK, set(used, i, 0.75 * get(used, i)));
  CHECK_EQUAL(fmi2OK, terminate(used));
  CHECK_EQUAL(fmi2OK, reset(used));
  CHECK_EQUAL(fmi2OK, setup(used, 0, 0, 0, 0, 0));
  CHECK_EQUAL(fmi2OK, enter(used));
  CHECK_EQUAL(fmi2OK, leave(used));
  for (int n = 0; n < run; ++n) CHECK_EQUAL(step(fresh, n), step(used, n));
  CHECK(alike(values(fresh), values(used)));
  for (const C c : {used, fresh}) free_instance(c);
}

void test_a_restored_instance_goes_on_to_the_bit(void) {
  const C c = begun(), other = begun();
  const int half = run / 2 + 7;
  for (int n = 0; n < half; ++n) (void)step(c, n);
  fmi2FMUstate state = nullptr, elsewhere = nullptr;
  CHECK_EQUAL(fmi2OK, get_state(c, &state));
  std::size_t size = 0;
  CHECK_EQUAL(fmi2OK, state_size(c, state, &size));
  std::vector<char> bytes(size);
  CHECK_EQUAL(fmi2OK, serialise(c, state, bytes.data(), size));
  const auto middle = values(c);
  for (int n = half; n < run; ++n) (void)step(c, n);
  const auto end = values(c);

  CHECK_EQUAL(fmi2OK, set_state(c, state));
  CHECK(alike(middle, values(c)));
  for (int n = half; n < run; ++n) (void)step(c, n);
  CHECK(alike(end, values(c)));

  CHECK_EQUAL(fmi2OK, deserialise(other, bytes.data(), size, &elsewhere));
  CHECK_EQUAL(fmi2OK, set_state(other, elsewhere));
  CHECK(alike(middle, values(other)));
  for (int n = half; n < run; ++n) (void)step(other, n);
  CHECK(alike(end, values(other)));

  bytes[size / 2] = char(bytes[size / 2] ^ 4);
  fmi2FMUstate none = nullptr;
  CHECK_EQUAL(fmi2Error, deserialise(other, bytes.data(), size, &none));
  CHECK_EQUAL(fmi2Error, deserialise(other, bytes.data(), size - 1, &none));
  CHECK(none == nullptr);
  CHECK_EQUAL(fmi2Error, set_state(other, state));  // a state of another instance
  CHECK_EQUAL(fmi2OK, free_state(c, &state));
  CHECK(state == nullptr);
  CHECK_EQUAL(fmi2OK, free_state(c, &state));
  fmi2FMUstate gone = elsewhere;
  CHECK_EQUAL(fmi2OK, free_state(other, &elsewhere));
  CHECK_EQUAL(fmi2Error, set_state(other, gone));
  fmi2FMUstate many[9] = {};
  for (int k = 0; k < 8; ++k) CHECK_EQUAL(fmi2OK, get_state(c, &many[k]));
  CHECK_EQUAL(fmi2Error, get_state(c, &many[8]));
  CHECK_EQUAL(fmi2OK, get_state(c, &many[3]));  // one that is there is written again
  for (const C one : {c, other}) free_instance(one);
}

void test_a_step_without_a_solution_changes_nothing(void) {
  if (List::find("crank.m") < 0 && List::find("m_S") < 0 && List::find("pinion.m") < 0) return;
  const C c = begun();
  for (int n = 0; n < 50; ++n) (void)step(c, n);
  for (int i = 0; i < List::count; ++i)  // a mechanism without mass
    if (List::of(i).unit.is("kg") || List::of(i).unit.is("kg.m2")) CHECK_EQUAL(fmi2OK, set(c, i, List::of(i).min));
  const auto before = values(c);
  const int logged_before = logged;
  const fmi2Status answer = do_step(c, 50 * dt, 10 * dt, 1);
  if (answer == fmi2OK || answer == fmi2Warning) return free_instance(c);  // light, but there
  CHECK(logged > logged_before);
  CHECK(last_category == "logStatusError" || last_category == "logStatusDiscard");
  const auto after = values(c);
  for (int i = 0; i < List::count; ++i)
    if (std::strncmp(List::of(i).name.text, "step.", 5) != 0)
      CHECK(same(before[std::size_t(i)], after[std::size_t(i)]));
  CHECK(after[std::size_t(List::find("step.status"))] >= 2);
  CHECK_EQUAL(fmi2Error, do_step(c, 50 * dt, dt, 1));  // not from here
  double last = 0;
  CHECK_EQUAL(fmi2OK,
              function<fmi2Status(C, fmi2StatusKind, double*)>("fmi2GetRealStatus")(c, fmi2LastSuccessfulTime, &last));
  CHECK_WITHIN(dt / 4, 50 * dt, last);
  CHECK_EQUAL(fmi2OK, reset(c));
  free_instance(c);
}

void test_parameters_move_the_start_and_time_may_begin_anywhere(void) {
  const C c = make();
  CHECK_EQUAL(fmi2OK, setup(c, 0, 0, 2.5, 1, 2.5 + 20 * dt));
  CHECK_EQUAL(fmi2OK, enter(c));
  CHECK_EQUAL(fmi2OK, leave(c));
  CHECK(get(c, 0) == 2.5);
  CHECK(do_step(c, 2.5, 15 * dt, 1) <= fmi2Warning);
  CHECK_EQUAL(fmi2Error, do_step(c, 2.5 + 15 * dt, 10 * dt, 1));  // beyond the stop time
  CHECK(do_step(c, 2.5 + 15 * dt, 5 * dt, 1) <= fmi2Warning);
  free_instance(c);
}

void test_calls_in_the_wrong_order(void) {
  const C c = make();
  double value = 0;
  const fmi2ValueReference vr = 1;
  CHECK_EQUAL(fmi2Error, do_step(c, 0, dt, 1));
  CHECK_EQUAL(fmi2Error, leave(c));
  CHECK_EQUAL(fmi2Error, terminate(c));
  CHECK_EQUAL(fmi2Error, get_real(c, &vr, 1, &value));
  CHECK_EQUAL(fmi2Error, setup(c, 0, 0, NAN, 0, 0));
  CHECK_EQUAL(fmi2Error, setup(c, 0, 0, 1, 1, 0));
  CHECK_EQUAL(fmi2OK, setup(c, 0, 0, 0, 0, 0));
  CHECK_EQUAL(fmi2OK, enter(c));
  CHECK_EQUAL(fmi2Error, enter(c));
  CHECK_EQUAL(fmi2Error, setup(c, 0, 0, 0, 0, 0));
  CHECK_EQUAL(fmi2Error, do_step(c, 0, dt, 1));
  CHECK_EQUAL(fmi2OK, leave(c));
  CHECK_EQUAL(fmi2Error, leave(c));
  CHECK(do_step(c, 0, dt, 1) <= fmi2Warning);
  CHECK_EQUAL(fmi2OK, terminate(c));
  CHECK_EQUAL(fmi2Error, do_step(c, dt, dt, 1));
  CHECK_EQUAL(fmi2Error, set(c, input, driven(0)));
  CHECK_EQUAL(fmi2OK, get_real(c, &vr, 1, &value));
  free_instance(c);
  CHECK_EQUAL(fmi2Error, reset(c));  // it is no instance any more
  free_instance(c);
  free_instance(nullptr);
}

void test_wrong_arguments(void) {
  CHECK(instantiate("x", fmi2CoSimulation, "{other}", nullptr, &callbacks, 0, 0) == nullptr);
  CHECK(instantiate("x", fmi2CoSimulation, nullptr, nullptr, &callbacks, 0, 0) == nullptr);
  CHECK(instantiate("x", fmi2ModelExchange, guid().c_str(), nullptr, &callbacks, 0, 0) == nullptr);
  CHECK(instantiate("", fmi2CoSimulation, guid().c_str(), nullptr, &callbacks, 0, 0) == nullptr);
  CHECK(instantiate(nullptr, fmi2CoSimulation, guid().c_str(), nullptr, &callbacks, 0, 0) == nullptr);
  CHECK(instantiate("x", fmi2CoSimulation, guid().c_str(), nullptr, nullptr, 0, 0) == nullptr);

  const C c = begun();
  const auto before = values(c);
  const fmi2ValueReference time = 0, unknown = fmi2ValueReference(List::count), drive = input,
                           status = fmi2ValueReference(List::find("step.status"));
  double value = 0;
  int whole = 0;
  CHECK_EQUAL(fmi2Error, get_real(nullptr, &drive, 1, &value));
  CHECK_EQUAL(fmi2Error, get_real(&value, &drive, 1, &value));  // an address that is no instance
  CHECK_EQUAL(fmi2Error, get_real(c, nullptr, 1, &value));
  CHECK_EQUAL(fmi2Error, get_real(c, &drive, 1, nullptr));
  CHECK_EQUAL(fmi2OK, get_real(c, nullptr, 0, nullptr));
  CHECK_EQUAL(fmi2Error, get_real(c, &unknown, 1, &value));
  CHECK_EQUAL(fmi2Error, get_real(c, &status, 1, &value));
  CHECK_EQUAL(fmi2Error, get_integer(c, &drive, 1, &whole));
  CHECK_EQUAL(fmi2OK, get_integer(c, &status, 1, &whole));
  CHECK_EQUAL(fmi2Error, set(c, int(time), 1));
  CHECK_EQUAL(fmi2Error, set(c, int(unknown), 1));
  CHECK_EQUAL(fmi2Error, set(c, int(status), 1));
  CHECK_EQUAL(fmi2Discard, set(c, input, NAN));
  CHECK_EQUAL(fmi2Discard, set(c, input, INFINITY));
  CHECK_EQUAL(fmi2Discard, set(c, input, List::of(input).max * 1.01 + 1));
  const fmi2ValueReference both[] = {drive, unknown};
  const double two[] = {driven(0) * 1.5, 0};
  CHECK_EQUAL(fmi2Error, set_real(c, both, 2, two));  // none of them
  CHECK_EQUAL(fmi2Error, set_real(c, nullptr, 1, two));
  CHECK_EQUAL(fmi2Error, get_state(c, nullptr));
  CHECK_EQUAL(fmi2Error, set_state(c, nullptr));
  CHECK_EQUAL(fmi2Error, set_state(c, &value));
  CHECK_EQUAL(fmi2OK, free_state(c, nullptr));
  CHECK(alike(before, values(c)));
  free_instance(c);
}

void test_the_17th_instance(void) {
  C all[16];
  for (C& c : all) CHECK((c = make()) != nullptr);
  const int before = logged;
  CHECK(make() == nullptr);
  CHECK_EQUAL(before + 1, logged);
  free_instance(all[5]);
  CHECK((all[5] = make()) != nullptr);
  for (const C c : all) free_instance(c);
}

void test_what_is_not_offered(void) {
  const C c = begun();
  fmi2Status answer;
  int whole;
  fmi2String text;
  CHECK_EQUAL(fmi2Error, function<fmi2Status(C)>("fmi2CancelStep")(c));
  CHECK_EQUAL(fmi2Error, function<fmi2Status(C, Vr, std::size_t, Vr, std::size_t, const double*, double*)>(
                             "fmi2GetDirectionalDerivative")(c, nullptr, 0, nullptr, 0, nullptr, nullptr));
  CHECK_EQUAL(fmi2Error, function<fmi2Status(C, Vr, std::size_t, const int*, const double*)>(
                             "fmi2SetRealInputDerivatives")(c, nullptr, 0, nullptr, nullptr));
  CHECK_EQUAL(fmi2Error, function<fmi2Status(C, Vr, std::size_t, const int*, double*)>("fmi2GetRealOutputDerivatives")(
                             c, nullptr, 0, nullptr, nullptr));
  for (const char* name : {"fmi2GetBoolean", "fmi2SetBoolean", "fmi2GetString", "fmi2SetString"}) {
    const auto call = function<fmi2Status(C, Vr, std::size_t, void*)>(name);
    const fmi2ValueReference vr = 0;
    CHECK_EQUAL(fmi2OK, call(c, nullptr, 0, nullptr));
    CHECK_EQUAL(fmi2Error, call(c, &vr, 1, &whole));
  }
  CHECK_EQUAL(fmi2Error,
              function<fmi2Status(C, Vr, std::size_t, const int*)>("fmi2SetInteger")(c, nullptr, 1, nullptr));
  CHECK_EQUAL(fmi2OK,
              function<fmi2Status(C, fmi2StatusKind, fmi2Status*)>("fmi2GetStatus")(c, fmi2DoStepStatus, &answer));
  CHECK_EQUAL(fmi2OK, function<fmi2Status(C, fmi2StatusKind, int*)>("fmi2GetBooleanStatus")(c, fmi2Terminated, &whole));
  CHECK_EQUAL(0, whole);
  CHECK_EQUAL(fmi2Discard,
              function<fmi2Status(C, fmi2StatusKind, int*)>("fmi2GetIntegerStatus")(c, fmi2DoStepStatus, &whole));
  CHECK_EQUAL(fmi2Discard,
              function<fmi2Status(C, fmi2StatusKind, fmi2String*)>("fmi2GetStringStatus")(c, fmi2PendingStatus, &text));
  CHECK(std::string(function<const char*()>("fmi2GetVersion")()) == "2.0");
  CHECK(std::string(function<const char*()>("fmi2GetTypesPlatform")()) == "default");
  const fmi2String categories[] = {"logAll"}, none[] = {"logNothing"};
  const auto logging = function<fmi2Status(C, int, std::size_t, const fmi2String*)>("fmi2SetDebugLogging");
  CHECK_EQUAL(fmi2OK, logging(c, 1, 1, categories));
  CHECK_EQUAL(fmi2Error, logging(c, 1, 1, none));
  CHECK_EQUAL(fmi2Error, logging(c, 1, 1, nullptr));
  for (const char* name : {"fmi2DoStep", "fmi2Instantiate", "fmi2GetStringStatus"})
    CHECK(dlsym(library(), (std::string(TEXT(BENCH_NAME) "_") + name).c_str()) == dlsym(library(), name));
  free_instance(c);
}

void test_a_million_steps_take_no_memory(void) {
  const C c = begun();
  fmi2FMUstate state = nullptr;
  (void)do_step(c, 0, 1000 * dt, 1);
  (void)get_state(c, &state);
  (void)resident();
  const long before = resident();
  CHECK(before > 0);
  for (int n = 1; n <= 1000; ++n) {
    CHECK(do_step(c, n * 1000 * dt, 1000 * dt, 1) <= fmi2Warning);
    (void)values(c);
    (void)get_state(c, &state);
  }
  CHECK_WITHIN(pages_touched_late, before, resident());
  free_instance(c);
}

}  // namespace

TEST_MAIN({
  TEST(test_the_bits_are_those_of_the_library);
  TEST(test_communication_steps_are_counted);
  TEST(test_two_instances_know_nothing_of_each_other);
  TEST(test_reset_is_fresh);
  TEST(test_a_restored_instance_goes_on_to_the_bit);
  TEST(test_a_step_without_a_solution_changes_nothing);
  TEST(test_parameters_move_the_start_and_time_may_begin_anywhere);
  TEST(test_calls_in_the_wrong_order);
  TEST(test_wrong_arguments);
  TEST(test_the_17th_instance);
  TEST(test_what_is_not_offered);
  TEST(test_a_million_steps_take_no_memory);
})
