// User-defined field that returns a scalar.
// Expected message: A field needs: Point<Real> field(const Body<Real>& body) const;   // the force on every body; of the list's
// Real
#include <moreau/mechanism.hpp>

namespace {
struct Lift {
#ifdef MISTAKE
  double field(const moreau::Body<double>& body) const { return 3 * body.m; }
#else
  moreau::Point<double> field(const moreau::Body<double>& body) const { return {0, 3 * body.m}; }
#endif
};
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  Lift lift;
  auto parts() const { return std::tie(lift); }
};
}  // namespace

bool use_mechanism();
bool use_mechanism() {
  using Model = moreau::Mechanism<Pendulum>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  return machine.step(1e-3).advanced();
}
