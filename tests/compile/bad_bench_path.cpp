// An input that is a member of something else.
// Must say: bench: a path of input or parameter begins with a member of Model, each further one is a member of the one before
#include <moreau/bench/plant.hpp>

#include "ball.hpp"

namespace {
struct Thrown : Ball<double> {
  double wind = 0, lift = 0;
  int throws = 0;
  static double energy(const Thrown&, const moreau::State<Thrown>&) { return 0; }
};
struct Other {
  double push = 0;
};
struct ThrownBench {
  using Model = Thrown;
  static constexpr double dt = 1e-3;
  static moreau::State<Thrown> start(const Thrown&) { return {}; }
#ifdef MISTAKE
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Other::push>("N", -1, 1));
#else
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::wind>("N", -1, 1));
#endif
};
}  // namespace

bool use_bench();
bool use_bench() {
  moreau::bench::Plant<ThrownBench> plant;
  return plant.set(1, 0.5) == moreau::bench::Answer::ok;
}
