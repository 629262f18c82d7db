// Types of the Functional Mock-up Interface 3.0 for co-simulation, declared from the published interface. No header of
// the standard is copied.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;
typedef std::uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef std::int8_t fmi3Int8;
typedef std::uint8_t fmi3UInt8;
typedef std::int16_t fmi3Int16;
typedef std::uint16_t fmi3UInt16;
typedef std::int32_t fmi3Int32;
typedef std::uint32_t fmi3UInt32;
typedef std::int64_t fmi3Int64;
typedef std::uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef char fmi3Char;
typedef const fmi3Char* fmi3String;
typedef std::uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum { fmi3Independent, fmi3Constant, fmi3Fixed, fmi3Tunable, fmi3Discrete, fmi3Dependent } fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment, fmi3Status, fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment, fmi3Float64 time, fmi3Boolean set_requested,
                                               fmi3Boolean get_allowed, fmi3Boolean step_finished,
                                               fmi3Boolean can_return_early, fmi3Boolean* early_return_requested,
                                               fmi3Float64* early_return_time);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);
}
