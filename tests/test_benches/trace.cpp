// Reference output for the clients of examples/test_benches/clients, by the library alone: name, bits, value. trace
// [torque]: a constant torque.
#include <cstdio>
#include <cstdlib>

#include "test_benches/reference.hpp"

int main(int argc, char** argv) {
  Reference reference;
  for (int n = 0; n < 3000; ++n)
    if (!reference.step_with(argc > 1 ? std::atof(argv[1]) : driven(n))) return 1;
  reference.each_value([](const char* name, double value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    std::printf("%s %016llx %.17g\n", name, static_cast<unsigned long long>(bits), value);
  });
  return 0;
}
