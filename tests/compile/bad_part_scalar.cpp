// Joint in another scalar than its list.
// Expected message: An ideal joint needs: JointRow<Real> bilateral(int k, const Frame<Real>& A, const Frame<Real>& B, Real t)
// const;   // a row g = 0; of the list's Real
#include <moreau/mechanism.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
#ifdef MISTAKE
  moreau::Revolute<float, moreau::ground, bob> pivot{{0, 0}, {0, 1}};
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
