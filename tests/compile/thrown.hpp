// A ball in the wind, the members of its bench apart from the variables, and calls that use the bench.
#pragma once
#include <moreau/bench/plant.hpp>

#include "ball.hpp"

struct Thrown : Ball<double> {
  double wind = 0, lift = 0;
  int throws = 0;
  static double energy(const Thrown&, const moreau::State<Thrown>&) { return 0; }
};

struct OfThrown {
  using Model = Thrown;
  static constexpr double dt = 1e-3;
  static moreau::State<Thrown> start(const Thrown&) { return {}; }
};

template <class Bench>
bool use() {
  moreau::bench::Plant<Bench> plant;
  return plant.set(1, 0.5) == moreau::bench::Answer::ok;
}
