// Loading and calls of an FMU 2.0, for the version-independent tests of fmu.cpp.
#pragma once
#include <moreau/bench/fmi2.hpp>

#include "test_benches/fmu_library.hpp"

using C = fmi2Component;
using Vr = const fmi2ValueReference*;
enum { ok = fmi2OK, warning = fmi2Warning, discard = fmi2Discard, error = fmi2Error };

const auto instantiate =
    function<C(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions*, int, int)>(
        "fmi2Instantiate");
const auto free_instance = function<void(C)>("fmi2FreeInstance");
const auto setup = function<fmi2Status(C, int, double, double, int, double)>("fmi2SetupExperiment");
const auto enter = function<fmi2Status(C)>("fmi2EnterInitializationMode");
const auto exit_initialization = function<fmi2Status(C)>("fmi2ExitInitializationMode");
const auto terminate = function<fmi2Status(C)>("fmi2Terminate");
const auto reset = function<fmi2Status(C)>("fmi2Reset");
const auto get_state = function<fmi2Status(C, void**)>("fmi2GetFMUstate");
const auto set_state = function<fmi2Status(C, void*)>("fmi2SetFMUstate");
const auto free_state = function<fmi2Status(C, void**)>("fmi2FreeFMUstate");
const auto state_size = function<fmi2Status(C, void*, std::size_t*)>("fmi2SerializedFMUstateSize");
const auto serialise = function<fmi2Status(C, void*, char*, std::size_t)>("fmi2SerializeFMUstate");
const auto deserialise = function<fmi2Status(C, const char*, std::size_t, void**)>("fmi2DeSerializeFMUstate");
const auto get_reals = function<fmi2Status(C, Vr, std::size_t, double*)>("fmi2GetReal");
const auto get_wholes = function<fmi2Status(C, Vr, std::size_t, int*)>("fmi2GetInteger");
const auto set_reals = function<fmi2Status(C, Vr, std::size_t, const double*)>("fmi2SetReal");

inline void log(fmi2ComponentEnvironment, fmi2String name, fmi2Status, fmi2String category, fmi2String message, ...) {
  CHECK(name != nullptr);
  note(category, message);
}
const fmi2CallbackFunctions callbacks = {log, nullptr, nullptr, nullptr, nullptr};

inline C make() { return instantiate("one", fmi2CoSimulation, attribute("guid").c_str(), nullptr, &callbacks, 0, 0); }
inline int begin(C c, double start, bool has_stop, double stop) {
  const int first = setup(c, 0, 0, start, has_stop, stop);
  return first == ok ? enter(c) : first;
}
inline int get_real(C c, Vr vr, std::size_t n, double* value) { return get_reals(c, vr, n, value); }
inline int get_whole(C c, Vr vr, std::size_t n, int* value) { return get_wholes(c, vr, n, value); }
inline int set_real(C c, Vr vr, std::size_t n, const double* value) { return set_reals(c, vr, n, value); }
inline int do_step(C c, double t, double h) {
  return function<fmi2Status(C, double, double, int)>("fmi2DoStep")(c, t, h, 1);
}
inline double last_time(C c) {
  double time = -1;
  CHECK_EQUAL(fmi2OK,
              function<fmi2Status(C, fmi2StatusKind, double*)>("fmi2GetRealStatus")(c, fmi2LastSuccessfulTime, &time));
  return time;
}

inline void test_rejected_instances(void) {
  const std::string guid = attribute("guid");
  CHECK(instantiate("x", fmi2CoSimulation, "{other}", nullptr, &callbacks, 0, 0) == nullptr);
  CHECK(instantiate("x", fmi2CoSimulation, nullptr, nullptr, &callbacks, 0, 0) == nullptr);
  CHECK(instantiate("x", fmi2ModelExchange, guid.c_str(), nullptr, &callbacks, 0, 0) == nullptr);
  CHECK(instantiate("", fmi2CoSimulation, guid.c_str(), nullptr, &callbacks, 0, 0) == nullptr);
  CHECK(instantiate(nullptr, fmi2CoSimulation, guid.c_str(), nullptr, &callbacks, 0, 0) == nullptr);
  CHECK(instantiate("x", fmi2CoSimulation, guid.c_str(), nullptr, nullptr, 0, 0) == nullptr);
}

inline void call_unsupported_functions(C c) {
  fmi2Status answer;
  int whole;
  fmi2String text;
  CHECK_EQUAL(fmi2Error, function<fmi2Status(C)>("fmi2CancelStep")(c));
  CHECK_EQUAL(fmi2Error, function<fmi2Status(C, Vr, std::size_t, Vr, std::size_t, const double*, double*)>(
                             "fmi2GetDirectionalDerivative")(c, nullptr, 0, nullptr, 0, nullptr, nullptr));
  for (const char* name : {"fmi2SetRealInputDerivatives", "fmi2GetRealOutputDerivatives"})
    CHECK_EQUAL(fmi2Error,
                function<fmi2Status(C, Vr, std::size_t, const int*, double*)>(name)(c, nullptr, 0, nullptr, nullptr));
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
}
const auto set_logging = function<fmi2Status(C, int, std::size_t, const fmi2String*)>("fmi2SetDebugLogging");
