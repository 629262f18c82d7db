// Cost of the adapters: time of a step through the library, the C interface and an FMU 2.0. Smallest mean over many
// runs of 1000 steps, in ns, with the input set before each. Not a test: test_benches.cost.<name>
#include <dlfcn.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include "test_benches/reference.hpp"

#include <moreau/bench/fmi2.hpp>

#include BENCH_HEADER

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#define C(function) JOIN(BENCH_NAME, function)
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

namespace {

constexpr int rounds = 400, steps = 1000;
constexpr double dt = Bench::dt;

// Every round starts from the same state, so that all rounds make the same steps.
template <class Begin, class Step>
double nanoseconds(const Begin& begin, const Step& step) {
  double best = 1e30;
  for (int round = 0; round < rounds; ++round) {
    begin();
    const auto at = std::chrono::steady_clock::now();
    for (int n = 0; n < steps; ++n) step(n);
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - at;
    best = std::min(best, took.count() / steps);
  }
  return best;
}

template <class F>
F* function(void* library, const char* name) {
  return reinterpret_cast<F*>(dlsym(library, name));
}

double of_the_fmu() {
  const std::string folder = BENCH_FOLDER;
  void* library = dlopen((folder + "/binaries/linux64/" TEXT(BENCH_NAME) ".so").c_str(), RTLD_NOW);
  if (library == nullptr) return -1;
  std::stringstream text;
  text << std::ifstream(folder + "/modelDescription.xml").rdbuf();
  const std::size_t at = text.str().find("guid=\"") + 6;
  const std::string guid = text.str().substr(at, text.str().find('"', at) - at);
  using I = fmi2Component;
  const fmi2CallbackFunctions callbacks = {};
  const I c = function<I(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions*, int, int)>(
      library, "fmi2Instantiate")("one", fmi2CoSimulation, guid.c_str(), nullptr, &callbacks, 0, 0);
  const auto plain = [&](const char* name) { return function<fmi2Status(I)>(library, name); };
  const auto reset = plain("fmi2Reset"), enter = plain("fmi2EnterInitializationMode"),
             exit_initialization = plain("fmi2ExitInitializationMode");
  const auto set = function<fmi2Status(I, const unsigned*, std::size_t, const double*)>(library, "fmi2SetReal");
  const auto step = function<fmi2Status(I, double, double, int)>(library, "fmi2DoStep");
  return nanoseconds([&] { reset(c), enter(c), exit_initialization(c); },
                     [&](int n) {
                       const unsigned vr = input;
                       const double value = driven(n);
                       set(c, &vr, 1, &value);
                       step(c, n * dt, dt, 1);
                     });
}

}  // namespace

int main() {
  moreau::Stepper<Model> stepper{Model{}, Bench::start(Model{})};
  const double library = nanoseconds([&] { stepper.state = Bench::start(Model{}); },
                                     [&](int n) {
                                       input_of(stepper.model) = static_cast<Model::Real>(driven(n));
                                       (void)stepper.step(static_cast<Model::Real>(dt));
                                     });
  alignas(16) static unsigned char memory[sizeof(Plant) + 1024];
  BENCH_NAME* bench = nullptr;
  (void)C(init)(memory, sizeof memory, &bench);
  const auto reset = C(reset);
  const auto set = C(set);
  const auto step = C(step);
  const double c = nanoseconds([&] { reset(bench); }, [&](int n) { set(bench, input, driven(n)), step(bench); });
  const double fmu = of_the_fmu();
  std::printf("%-12s C++ %7.1f ns   C interface %+6.1f ns   FMU 2.0 %+6.1f ns\n", TEXT(BENCH_NAME), library,
              c - library, fmu - library);
  return 0;
}
