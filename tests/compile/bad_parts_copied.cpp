// List with copies of its parts instead of references.
// Expected message: A parts list needs: auto parts() const { return std::tie(...); }   // every joint and force, once
#include <moreau/mechanism.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  moreau::Gravity<Real> gravity;
#ifdef MISTAKE
  auto parts() const { return std::make_tuple(gravity); }
#else
  auto parts() const { return std::tie(gravity); }
#endif
};
}  // namespace

bool use_mechanism();
bool use_mechanism() {
  using Model = moreau::Mechanism<Pendulum>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  return machine.step(1e-3).advanced();
}
