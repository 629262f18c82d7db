// Bench without a start.
// Expected message: A bench needs: static moreau::State<Model> start(const Model& model);   // the initial state
#include "thrown.hpp"

namespace {
struct ThrownBench {
  using Model = Thrown;
  static constexpr double dt = 1e-3;
#ifdef MISTAKE
  static moreau::State<Thrown> begin(const Thrown&) { return {}; }
#else
  static moreau::State<Thrown> start(const Thrown&) { return {}; }
#endif
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::wind>("N", -1, 1));
};
}  // namespace

template bool use<ThrownBench>();
