// Two variables with the same name.
// Expected message: bench: two variables have the same name
#include "thrown.hpp"

namespace {
struct ThrownBench : OfThrown {
#ifdef MISTAKE
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::wind>("N", -1, 1),
                                                             moreau::bench::coordinate<0>("wind", "m"));
#else
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::wind>("N", -1, 1));
#endif
};
}  // namespace

template bool use<ThrownBench>();
