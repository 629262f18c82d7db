// A bench whose step is a float.
// Must say: A bench needs: static constexpr double dt = ...;   // s, of every step, more than 0
#include <moreau/bench/plant.hpp>

#include "ball.hpp"

namespace {
struct Thrown : Ball<double> {
  double wind = 0, lift = 0;
  int throws = 0;
  static double energy(const Thrown&, const moreau::State<Thrown>&) { return 0; }
};
struct ThrownBench {
  using Model = Thrown;
#ifdef MISTAKE
  static constexpr float dt = 1e-3f;
#else
  static constexpr double dt = 1e-3;
#endif
  static moreau::State<Thrown> start(const Thrown&) { return {}; }
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::wind>("N", -1, 1));
};
}  // namespace

bool use_bench();
bool use_bench() {
  moreau::bench::Plant<ThrownBench> plant;
  return plant.set(1, 0.5) == moreau::bench::Answer::ok;
}
