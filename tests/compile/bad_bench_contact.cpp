// Index of a contact out of range.
// Expected message: bench: contact<i> needs 0 <= i < contacts
#include "thrown.hpp"

namespace {
struct ThrownBench : OfThrown {
#ifdef MISTAKE
  static constexpr auto variables = moreau::bench::variables(moreau::bench::contact<1>("floor"));
#else
  static constexpr auto variables = moreau::bench::variables(moreau::bench::contact<0>("floor"));
#endif
};
}  // namespace

template bool use<ThrownBench>();
