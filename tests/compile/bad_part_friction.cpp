// User-defined dry friction without a bound.
// Expected message: Dry friction needs: Real bound;   // N or N m
#include <moreau/mechanism.hpp>

namespace {
struct Seal {
  static constexpr int body_A = moreau::ground, body_B = 0, frictions = 1;
#ifndef MISTAKE
  double bound = 1;
#endif
  moreau::FrictionRow<double> friction(int, const moreau::Frame<double>&, const moreau::Frame<double>&) const {
    return {{{}, -1}, {{}, 1}};
  }
};
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  Seal seal;
  auto parts() const { return std::tie(seal); }
};
}  // namespace

bool use_mechanism();
bool use_mechanism() {
  using Model = moreau::Mechanism<Pendulum>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  return machine.step(1e-3).advanced();
}
