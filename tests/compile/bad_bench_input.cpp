// Input of integer type.
// Expected message: bench: an input or a parameter must be a non-const number of the model's Real
#include "thrown.hpp"

namespace {
struct ThrownBench : OfThrown {
#ifdef MISTAKE
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::throws>("1", -1, 1));
#else
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::wind>("N", -1, 1));
#endif
};
}  // namespace

template bool use<ThrownBench>();
