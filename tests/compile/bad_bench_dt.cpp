// Bench whose step is a float.
// Expected message: A bench needs: static constexpr double dt = ...;   // s, step size, above 0
#include "thrown.hpp"

namespace {
struct ThrownBench {
  using Model = Thrown;
#ifdef MISTAKE
  static constexpr float dt = 1e-3f;
#else
  static constexpr double dt = 1e-3;
#endif
  static moreau::State<Thrown> start(const Thrown&) { return {}; }
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::wind>("N", -1, 1));
};
}  // namespace

template bool use<ThrownBench>();
