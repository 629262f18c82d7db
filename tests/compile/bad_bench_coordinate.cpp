// A coordinate that the model has not.
// Must say: bench: coordinate<i> needs 0 <= i < dof
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
  static constexpr double dt = 1e-3;
  static moreau::State<Thrown> start(const Thrown&) { return {}; }
#ifdef MISTAKE
  static constexpr auto variables = moreau::bench::variables(moreau::bench::coordinate<2>("z", "m"));
#else
  static constexpr auto variables = moreau::bench::variables(moreau::bench::coordinate<1>("z", "m"));
#endif
};
}  // namespace

bool use_bench();
bool use_bench() {
  moreau::bench::Plant<ThrownBench> plant;
  return plant.set(1, 0.5) == moreau::bench::Answer::ok;
}
