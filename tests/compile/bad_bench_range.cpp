// Range from 1 to -1.
// Expected message: bench: a variable has a range with min > max or a bound that is not a number
#include "thrown.hpp"

namespace {
struct ThrownBench : OfThrown {
#ifdef MISTAKE
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::wind>("N", 1, -1));
#else
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::wind>("N", -1, 1));
#endif
};
}  // namespace

template bool use<ThrownBench>();
