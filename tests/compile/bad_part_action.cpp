// User-defined force without a time parameter.
// Expected message: A force needs: Action<Real> action(const BodyState<Real>& A, const BodyState<Real>& B, Real t) const;   // force and torque on both bodies, in the list's Real
#include <moreau/mechanism.hpp>

namespace {
struct Wind {
  static constexpr int body_A = moreau::ground, body_B = 0;
  using Body = const moreau::BodyState<double>&;
#ifdef MISTAKE
  moreau::Action<double> action(Body, Body) const { return {}; }
#else
  moreau::Action<double> action(Body, Body, double) const { return {}; }
#endif
};
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  Wind wind;
  auto parts() const { return std::tie(wind); }
};
}  // namespace

bool use_mechanism();
bool use_mechanism() {
  using Model = moreau::Mechanism<Pendulum>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  return machine.step(1e-3).advanced();
}
