// User-defined clearance joint without a contact law.
// Expected message: A joint with play needs: ContactLaw<Real> law;   // eps_N, eps_T, mu
#include <moreau/mechanism.hpp>

namespace {
struct Floor {
  static constexpr int body_A = moreau::ground, body_B = 0, contacts = 1;
#ifndef MISTAKE
  moreau::ContactLaw<double> law{};
#endif
  moreau::JointContact<double> contact(int, const moreau::Frame<double>&, const moreau::Frame<double>& body) const {
    moreau::JointContact<double> c;
    c.g_N = body.r.y;
    c.n = {0, 1};
    c.p = body.r;
    return c;
  }
};
struct Ball {
  using Real = double;
  enum Names { ball, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  Floor floor;
  auto parts() const { return std::tie(floor); }
};
}  // namespace

bool use_mechanism();
bool use_mechanism() {
  using Model = moreau::Mechanism<Ball>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  return machine.step(1e-3).advanced();
}
