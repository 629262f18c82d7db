// Mechanism without a list of its parts.
// Expected message: A parts list needs: auto parts() const { return std::tie(...); }   // every joint and force, once
#include <moreau/mechanism.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  moreau::Revolute<Real, moreau::ground, bob> pivot{{0, 0}, {0, 1}};
  moreau::Gravity<Real> gravity;
#ifndef MISTAKE
  auto parts() const { return std::tie(pivot, gravity); }
#endif
};
}  // namespace

bool use_mechanism();
bool use_mechanism() {
  using Model = moreau::Mechanism<Pendulum>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  return machine.step(1e-3).advanced();
}
