// Loading and calls of an FMU 3.0, for the version-independent tests of fmu.cpp.
#pragma once
#include <moreau/bench/fmi3.hpp>

#include "test_benches/fmu_library.hpp"

using C = fmi3Instance;
using Vr = const fmi3ValueReference*;
using N = std::size_t;
enum { ok = fmi3OK, warning = fmi3Warning, discard = fmi3Discard, error = fmi3Error };

const auto instantiate =
    function<C(const char*, const char*, const char*, bool, bool, bool, bool, Vr, N, void*, fmi3LogMessageCallback,
               fmi3IntermediateUpdateCallback)>("fmi3InstantiateCoSimulation");
const auto free_instance = function<void(C)>("fmi3FreeInstance");
const auto exit_initialization = function<fmi3Status(C)>("fmi3ExitInitializationMode");
const auto terminate = function<fmi3Status(C)>("fmi3Terminate");
const auto reset = function<fmi3Status(C)>("fmi3Reset");
const auto get_state = function<fmi3Status(C, void**)>("fmi3GetFMUState");
const auto set_state = function<fmi3Status(C, void*)>("fmi3SetFMUState");
const auto free_state = function<fmi3Status(C, void**)>("fmi3FreeFMUState");
const auto state_size = function<fmi3Status(C, void*, N*)>("fmi3SerializedFMUStateSize");
const auto serialise = function<fmi3Status(C, void*, char*, N)>("fmi3SerializeFMUState");
const auto deserialise = function<fmi3Status(C, const char*, N, void**)>("fmi3DeserializeFMUState");
const auto get_float64 = function<fmi3Status(C, Vr, N, double*, N)>("fmi3GetFloat64");
const auto get_int32 = function<fmi3Status(C, Vr, N, int*, N)>("fmi3GetInt32");
const auto get_int64 = function<fmi3Status(C, Vr, N, std::int64_t*, N)>("fmi3GetInt64");
const auto set_float64 = function<fmi3Status(C, Vr, N, const double*, N)>("fmi3SetFloat64");
const auto set_logging = function<fmi3Status(C, bool, N, const char* const*)>("fmi3SetDebugLogging");

inline void log(fmi3InstanceEnvironment, fmi3Status, fmi3String category, fmi3String message) {
  note(category, message);
}

inline C make(const char* name, const char* token, bool event_mode, N intermediate) {
  return instantiate(name, token, nullptr, false, false, event_mode, false, nullptr, intermediate, nullptr, log,
                     nullptr);
}
inline C make() { return make("one", attribute("instantiationToken").c_str(), false, 0); }
inline int begin(C c, double start, bool has_stop, double stop) {
  return function<fmi3Status(C, bool, double, double, bool, double)>("fmi3EnterInitializationMode")(c, false, 0, start,
                                                                                                    has_stop, stop);
}
inline int get_real(C c, Vr vr, N n, double* value) { return get_float64(c, vr, n, value, n); }
// The status is an enumeration, which FMI 3.0 reads as Int64.
inline int get_whole(C c, Vr vr, N n, int* value) {
  if (n != 1 || int(*vr) >= List::count || !List::of(int(*vr)).status) return get_int32(c, vr, n, value, n);
  std::int64_t wide = 0;
  const int answer = get_int64(c, vr, n, &wide, n);
  *value = int(wide);
  return answer;
}
inline int set_real(C c, Vr vr, N n, const double* value) { return set_float64(c, vr, n, value, n); }
inline double time_of_the_last_step = -1;
inline int do_step(C c, double t, double h) {
  bool event = true, end = true, early = true;
  const int answer = function<fmi3Status(C, double, double, bool, bool*, bool*, bool*, double*)>("fmi3DoStep")(
      c, t, h, true, &event, &end, &early, &time_of_the_last_step);
  CHECK(!event && !end && !early);
  return answer;
}
inline double last_time(C) { return time_of_the_last_step; }

inline void test_rejected_instances(void) {
  const std::string token = attribute("instantiationToken");
  CHECK(make("x", "{other}", false, 0) == nullptr);
  CHECK(make("x", nullptr, false, 0) == nullptr);
  CHECK(make("", token.c_str(), false, 0) == nullptr);
  CHECK(make(nullptr, token.c_str(), false, 0) == nullptr);
  CHECK(make("x", token.c_str(), true, 0) == nullptr);   // no event mode
  CHECK(make("x", token.c_str(), false, 1) == nullptr);  // no intermediate variables
  CHECK(function<C(const char*, const char*, const char*, bool, bool, void*, fmi3LogMessageCallback)>(
            "fmi3InstantiateModelExchange")("x", token.c_str(), nullptr, false, false, nullptr, log) == nullptr);
  CHECK(function<C(const char*, const char*, const char*, bool, bool, void*, fmi3LogMessageCallback, void*, void*,
                   void*)>("fmi3InstantiateScheduledExecution")("x", token.c_str(), nullptr, false, false, nullptr, log,
                                                                nullptr, nullptr, nullptr) == nullptr);
}

// Unsupported functions, called with the number of zeros of the longest signature: none of them reads its arguments.
inline void call_unsupported_functions(C c) {
  for (const char* name : {"GetNumberOfVariableDependencies",
                           "GetVariableDependencies",
                           "GetDirectionalDerivative",
                           "GetAdjointDerivative",
                           "EnterConfigurationMode",
                           "ExitConfigurationMode",
                           "EnterEventMode",
                           "EnterStepMode",
                           "EvaluateDiscreteStates",
                           "UpdateDiscreteStates",
                           "GetIntervalDecimal",
                           "GetIntervalFraction",
                           "GetShiftDecimal",
                           "GetShiftFraction",
                           "SetIntervalDecimal",
                           "SetIntervalFraction",
                           "SetShiftDecimal",
                           "SetShiftFraction",
                           "EnterContinuousTimeMode",
                           "CompletedIntegratorStep",
                           "SetContinuousStates",
                           "GetContinuousStateDerivatives",
                           "GetEventIndicators",
                           "GetContinuousStates",
                           "GetNominalsOfContinuousStates",
                           "GetNumberOfEventIndicators",
                           "GetNumberOfContinuousStates",
                           "GetOutputDerivatives"})
    CHECK_EQUAL(fmi3Error, function<fmi3Status(C, N, N, N, N, N, N, N, N)>((std::string("fmi3") + name).c_str())(
                               c, 0, 0, 0, 0, 0, 0, 0, 0));
  CHECK_EQUAL(fmi3Error, function<fmi3Status(C, double)>("fmi3SetTime")(c, 0));
  CHECK_EQUAL(fmi3Error, function<fmi3Status(C, unsigned, double)>("fmi3ActivateModelPartition")(c, 0, 0));

  const unsigned vr = 0;
  double value = 0;
  for (const char* type :
       {"Float32", "Int8", "UInt8", "Int16", "UInt16", "UInt32", "Int64", "UInt64", "Boolean", "String"})
    for (const char* way : {"Get", "Set"}) {
      const auto call = function<fmi3Status(C, Vr, N, void*, N)>((std::string("fmi3") + way + type).c_str());
      CHECK_EQUAL(fmi3OK, call(c, nullptr, 0, nullptr, 0));
      CHECK_EQUAL(fmi3Error, call(c, &vr, 1, &value, 1));
    }
  for (const char* name : {"fmi3GetBinary", "fmi3SetBinary"}) {
    CHECK_EQUAL(fmi3OK, function<fmi3Status(C, Vr, N, N*, void*, N)>(name)(c, nullptr, 0, nullptr, nullptr, 0));
    CHECK_EQUAL(fmi3Error, function<fmi3Status(C, Vr, N, N*, void*, N)>(name)(c, &vr, 1, nullptr, nullptr, 1));
  }
  for (const char* name : {"fmi3GetClock", "fmi3SetClock"}) {
    CHECK_EQUAL(fmi3OK, function<fmi3Status(C, Vr, N, void*)>(name)(c, nullptr, 0, nullptr));
    CHECK_EQUAL(fmi3Error, function<fmi3Status(C, Vr, N, void*)>(name)(c, &vr, 1, nullptr));
  }
  CHECK_EQUAL(fmi3Error, get_float64(c, &vr, 1, &value, 2));  // the numbers of values and references must be equal
  CHECK_EQUAL(fmi3Error, set_float64(c, &vr, 1, &value, 0));
  CHECK_EQUAL(fmi3Error, function<fmi3Status(C, Vr, N, const int*, N)>("fmi3SetInt32")(c, &vr, 1, nullptr, 1));
  CHECK_EQUAL(fmi3Error, function<fmi3Status(C, double, double, bool, bool*, bool*, bool*, double*)>("fmi3DoStep")(
                             c, 0, Bench::dt, true, nullptr, nullptr, nullptr, nullptr));
  CHECK(std::string(function<const char*()>("fmi3GetVersion")()) == "3.0");
}
