// User-defined ideal joint whose bias_acceleration lacks a body.
// Expected message: An ideal joint needs: Real bias_acceleration(int k, const BodyState<Real>& A, const BodyState<Real>& B) const;   // its g'' at constant velocities; or no bias_acceleration at all
#include <moreau/mechanism.hpp>

namespace {
struct Rail {
  static constexpr int body_A = moreau::ground, body_B = 0, bilaterals = 1;
  using Frame = moreau::Frame<double>;
  moreau::JointRow<double> bilateral(int, const Frame&, const Frame& body, double) const {
    return {{{0, -1}, 0}, {{0, 1}, 0}, 0, body.r.y};
  }
#ifdef MISTAKE
  double bias_acceleration(int, const moreau::BodyState<double>&) const { return 0; }
#else
  double bias_acceleration(int, const moreau::BodyState<double>&, const moreau::BodyState<double>&) const { return 0; }
#endif
};
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  Rail rail;
  auto parts() const { return std::tie(rail); }
};
}  // namespace

bool use_mechanism();
bool use_mechanism() {
  using Model = moreau::Mechanism<Pendulum>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  return machine.step(1e-3).advanced();
}
