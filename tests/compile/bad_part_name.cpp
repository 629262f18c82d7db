// Part with the name of a member function of Mechanism.
// Expected message: A part has the name of a member of Mechanism and would be hidden by it: give it another name (not at, mass, force, gap, directions, law, allowed_penetration, bilateral, bias_acceleration, touches, wrap, contacts, frictions ...)
#include <moreau/mechanism.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  moreau::Gravity<Real> gravity;
#ifdef MISTAKE
  moreau::Spring<Real, moreau::ground, bob> force;
  auto parts() const { return std::tie(gravity, force); }
#else
  moreau::Spring<Real, moreau::ground, bob> spring;
  auto parts() const { return std::tie(gravity, spring); }
#endif
};
}  // namespace

bool use_mechanism();
bool use_mechanism() {
  using Model = moreau::Mechanism<Pendulum>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  return machine.step(1e-3).advanced();
}
