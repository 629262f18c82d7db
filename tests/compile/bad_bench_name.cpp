// Name that is not a valid identifier.
// Expected message: bench: a variable's name is empty, longer than 63 characters, or not a sequence of identifiers separated by dots
#include "thrown.hpp"

namespace {
struct ThrownBench : OfThrown {
#ifdef MISTAKE
  static constexpr auto variables = moreau::bench::variables(moreau::bench::coordinate<0>("2nd axis", "m"));
#else
  static constexpr auto variables = moreau::bench::variables(moreau::bench::coordinate<0>("second_axis", "m"));
#endif
};
}  // namespace

template bool use<ThrownBench>();
