// List with fewer masses than names of bodies.
// Expected message: A parts list needs: using Real = ...;  enum Names { ..., bodies };  Body<Real> body[bodies];   // the
// bodies of the mechanism
#include <moreau/mechanism.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { arm, bob, bodies };
#ifdef MISTAKE
  moreau::Body<Real> body[1] = {{1, 0.1}};
#else
  moreau::Body<Real> body[bodies] = {{1, 0.1}, {1, 0.1}};
#endif
  moreau::Gravity<Real> gravity;
  auto parts() const { return std::tie(gravity); }
};
}  // namespace

bool use_mechanism();
bool use_mechanism() {
  using Model = moreau::Mechanism<Pendulum>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  return machine.step(1e-3).advanced();
}
