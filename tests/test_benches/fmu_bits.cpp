// Hash of all variables of an FMU over 3000 steps: fmu_bits <shared library> <token> <variables> <dt> <index of the first
// input> <value> <version>. The same program on Linux and on Windows, so that the binaries of both can be compared.
#ifdef _WIN32
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <moreau/bench/fmi2.hpp>
#include <moreau/bench/fmi3.hpp>

namespace {

#ifdef _WIN32
void* load(const char* path) { return reinterpret_cast<void*>(LoadLibraryA(path)); }
void* find(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}
#else
void* load(const char* path) { return dlopen(path, RTLD_NOW); }
void* find(void* library, const char* name) { return dlsym(library, name); }
#endif
void* library = nullptr;

template <class F>
F* function(const char* name) {
  void* found = find(library, name);
  if (found == nullptr) std::printf("no function %s\n", name), std::exit(1);
  F* as_function = nullptr;
  std::memcpy(&as_function, &found, sizeof found);
  return as_function;
}
// Prints warnings only: the program reads all variables as real numbers, and the FMU logs an error for each integer.
void log2(void*, const char*, fmi2Status status, const char*, const char* message, ...) {
  if (status == fmi2Warning) std::printf("warning: %s\n", message);
}
void log3(void*, fmi3Status status, const char*, const char* message) {
  if (status == fmi3Warning) std::printf("warning: %s\n", message);
}

}  // namespace

int main(int count, char** words) {
  if (count != 8 || (library = load(words[1])) == nullptr) return std::printf("cannot load the library\n"), 1;
  const unsigned variables = unsigned(std::atoi(words[3])), input = unsigned(std::atoi(words[5]));
  const double dt = std::atof(words[4]), value = std::atof(words[6]);
  const bool is_3 = std::atoi(words[7]) == 3;
  const fmi2CallbackFunctions callbacks = {log2, nullptr, nullptr, nullptr, nullptr};
  void* c = is_3 ? function<void*(const char*, const char*, const char*, bool, bool, bool, bool, const unsigned*,
                                  std::size_t, void*, fmi3LogMessageCallback, void*)>("fmi3InstantiateCoSimulation")(
                       "one", words[2], nullptr, false, false, false, false, nullptr, 0, nullptr, log3, nullptr)
                 : function<void*(const char*, int, const char*, const char*, const fmi2CallbackFunctions*, int, int)>(
                       "fmi2Instantiate")("one", 1, words[2], nullptr, &callbacks, 0, 0);
  if (c == nullptr) return 1;
  int wrong = 0;
  if (is_3) {
    wrong |= function<int(void*, bool, double, double, bool, double)>("fmi3EnterInitializationMode")(c, false, 0, 0,
                                                                                                     false, 0);
    wrong |= function<int(void*)>("fmi3ExitInitializationMode")(c);
  } else {
    wrong |= function<int(void*, int, double, double, int, double)>("fmi2SetupExperiment")(c, 0, 0, 0, 0, 0);
    wrong |= function<int(void*)>("fmi2EnterInitializationMode")(c);
    wrong |= function<int(void*)>("fmi2ExitInitializationMode")(c);
  }
  std::uint64_t hash = 14695981039346656037u;  // FNV-1a
  for (int n = 0; n < 3000; ++n) {
    const double driven = value * (n / 250 % 3 - 1);
    if (is_3) {
      bool a, b, d;
      double last;
      wrong |= function<int(void*, const unsigned*, std::size_t, const double*, std::size_t)>("fmi3SetFloat64")(
          c, &input, 1, &driven, 1);
      wrong |= function<int(void*, double, double, bool, bool*, bool*, bool*, double*)>("fmi3DoStep")(
          c, n * dt, dt, true, &a, &b, &d, &last);
    } else {
      wrong |= function<int(void*, const unsigned*, std::size_t, const double*)>("fmi2SetReal")(c, &input, 1, &driven);
      wrong |= function<int(void*, double, double, int)>("fmi2DoStep")(c, n * dt, dt, 1);
    }
    for (unsigned i = 0; i < variables; ++i) {
      double read = 0;
      const int status =
          is_3 ? function<int(void*, const unsigned*, std::size_t, double*, std::size_t)>("fmi3GetFloat64")(c, &i, 1,
                                                                                                            &read, 1)
               : function<int(void*, const unsigned*, std::size_t, double*)>("fmi2GetReal")(c, &i, 1, &read);
      unsigned char bytes[8];
      std::memcpy(bytes, &read, 8);
      for (const unsigned char byte : bytes) hash = status == 0 ? (hash ^ byte) * 1099511628211u : hash;
    }
  }
  std::printf("%08x%08x status %d\n", unsigned(hash >> 32), unsigned(hash), wrong);
  return wrong;
}
