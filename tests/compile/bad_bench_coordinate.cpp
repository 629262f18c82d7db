// Index of a coordinate out of range.
// Expected message: bench: coordinate<i> needs 0 <= i < dof
#include "thrown.hpp"

namespace {
struct ThrownBench : OfThrown {
#ifdef MISTAKE
  static constexpr auto variables = moreau::bench::variables(moreau::bench::coordinate<2>("z", "m"));
#else
  static constexpr auto variables = moreau::bench::variables(moreau::bench::coordinate<1>("z", "m"));
#endif
};
}  // namespace

template bool use<ThrownBench>();
