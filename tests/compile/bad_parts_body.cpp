// Body that no joint and no force names.
// Expected message: A body of this list is joined by no part: name it in a joint or a force, or leave it out
#include <moreau/mechanism.hpp>

namespace {
struct Pendulum {
  using Real = double;
#ifdef MISTAKE
  enum Names { bob, rod, bodies };
#else
  enum Names { bob, bodies };
#endif
  moreau::Body<Real> body[bodies];
  moreau::Revolute<Real, moreau::ground, bob> pivot;
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
