// Input that is a member of another type.
// Expected message: bench: the path of an input or parameter begins with a member of Model, each further one is a member of the one before
#include "thrown.hpp"

namespace {
struct Other {
  double push = 0;
};
struct ThrownBench : OfThrown {
#ifdef MISTAKE
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Other::push>("N", -1, 1));
#else
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::wind>("N", -1, 1));
#endif
};
}  // namespace

template bool use<ThrownBench>();
