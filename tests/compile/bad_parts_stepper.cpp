// Parts list in place of a model.
// Expected message: Model needs: Mechanism<Parts> instead of Parts;   // a parts list is not a model
#include <moreau/mechanism.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  moreau::Gravity<Real> gravity;
  auto parts() const { return std::tie(gravity); }
};
#ifdef MISTAKE
using Model = Pendulum;
#else
using Model = moreau::Mechanism<Pendulum>;
#endif
}  // namespace

bool use_mechanism();
bool use_mechanism() {
  moreau::Stepper machine{Model{}, {}};
  return machine.step(1e-3).advanced();
}
