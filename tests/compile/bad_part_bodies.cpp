// Joint to a body that is not in the list.
// Expected message: A part joins two different bodies of the list, or one of them and the ground
#include <moreau/mechanism.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
#ifdef MISTAKE
  moreau::Revolute<Real, moreau::ground, 1> pivot{{0, 0}, {0, 1}};
#else
  moreau::Revolute<Real, moreau::ground, bob> pivot{{0, 0}, {0, 1}};
#endif
  moreau::Gravity<Real> gravity;
  auto parts() const { return std::tie(pivot, gravity); }
};
}  // namespace

bool use_mechanism();
bool use_mechanism() {
  using Model = moreau::Mechanism<Pendulum>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  return machine.step(1e-3).advanced();
}
