// Bench without a list of variables.
// Expected message: A bench needs: static constexpr auto variables = moreau::bench::variables(...);   // bench/entries.hpp
#include "thrown.hpp"

namespace {
struct ThrownBench : OfThrown {
#ifdef MISTAKE
#else
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::wind>("N", -1, 1));
#endif
};
}  // namespace

template bool use<ThrownBench>();
