// Part missing in the list of the bench.
// Expected message: bench: mechanism<Parts, &Parts::part, ...> needs every part of parts(), each once
#include <moreau/bench/mechanism.hpp>
#include <moreau/bench/plant.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  moreau::Revolute<Real, moreau::ground, bob> pivot;
  moreau::Gravity<Real> gravity;
  auto parts() const { return std::tie(pivot, gravity); }
};
struct PendulumBench {
  using Model = moreau::Mechanism<Pendulum>;
  static constexpr double dt = 1e-3;
  static moreau::State<Model> start(const Model&) { return {}; }
#ifdef MISTAKE
  static constexpr auto variables =
      moreau::bench::variables(moreau::bench::mechanism<Pendulum, &Pendulum::gravity, &Pendulum::gravity>());
#else
  static constexpr auto variables =
      moreau::bench::variables(moreau::bench::mechanism<Pendulum, &Pendulum::pivot, &Pendulum::gravity>());
#endif
};
}  // namespace

bool use_bench();
bool use_bench() {
  moreau::bench::Plant<PendulumBench> plant;
  return plant.step() == moreau::bench::Answer::ok;
}
