// Part in space with the name of a member function of Mechanism in space.
// Expected message: A part has the name of a member of Mechanism and would be hidden by it: give it another name (not at, mass, force, gap, directions, law, allowed_penetration, bilateral, bias_acceleration, touches, wrap, contacts, frictions ...)
#include <moreau/mechanism.hpp>
#include <moreau/spatial.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::spatial::Body<Real> body[bodies] = {{1, {0.1, 0.1, 0.1}}};
#ifdef MISTAKE
  moreau::spatial::Spherical<Real, moreau::ground, bob> pose;
  auto parts() const { return std::tie(pose); }
#else
  moreau::spatial::Spherical<Real, moreau::ground, bob> ball;
  auto parts() const { return std::tie(ball); }
#endif
};
}  // namespace

bool use_mechanism_in_space();
bool use_mechanism_in_space() {
  using Model = moreau::Mechanism<Pendulum>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  return machine.step(1e-3).advanced();
}
