// A bench without a start.
// Must say: A bench needs: static moreau::State<Model> start(const Model& model);   // where it begins
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
#ifdef MISTAKE
  static moreau::State<Thrown> begin(const Thrown&) { return {}; }
#else
  static moreau::State<Thrown> start(const Thrown&) { return {}; }
#endif
  static constexpr auto variables = moreau::bench::variables(moreau::bench::input<&Thrown::wind>("N", -1, 1));
};
}  // namespace

bool use_bench();
bool use_bench() {
  moreau::bench::Plant<ThrownBench> plant;
  return plant.set(1, 0.5) == moreau::bench::Answer::ok;
}
