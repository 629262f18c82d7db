// Output function with a wrong parameter type.
// Expected message: bench: output<&f> needs: Real f(const Model&, const State<Model>&)
#include "thrown.hpp"

namespace {
struct ThrownBench : OfThrown {
#ifdef MISTAKE
  static double height(double x) { return x; }
  static constexpr auto variables = moreau::bench::variables(moreau::bench::output<&height>("J"));
#else
  static constexpr auto variables = moreau::bench::variables(moreau::bench::output<&Thrown::energy>("J"));
#endif
};
}  // namespace

template bool use<ThrownBench>();
