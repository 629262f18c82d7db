// Misspelled `endless`, which would have no effect.
// Expected message: A parts list declares `endles`: the member is called endless
#include <moreau/mechanism.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
#ifdef MISTAKE
  static constexpr bool endles = true;
#else
  static constexpr bool endless = true;
#endif
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
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
