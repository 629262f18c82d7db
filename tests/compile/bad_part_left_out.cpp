// Joint that is a member of the struct, but missing in parts().
// Expected message: A part is a member of this list but missing from parts(): std::tie(...) takes every joint and force, once
#include <moreau/mechanism.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  moreau::Revolute<Real, moreau::ground, bob> pivot;
  moreau::Gravity<Real> gravity;
#ifdef MISTAKE
  auto parts() const { return std::tie(gravity); }
#else
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
