// within_range of a part with other arguments, which would never be called.
// Expected message: A part needs: bool within_range(const Frame<Real>& A, const Frame<Real>& B) const;   // its gaps are correct; or no within_range at all
#include <moreau/mechanism.hpp>

namespace {
struct Rail {
  static constexpr int body_A = moreau::ground, body_B = 0, bilaterals = 1;
  using Frame = moreau::Frame<double>;
  moreau::JointRow<double> bilateral(int, const Frame&, const Frame& body, double) const {
    return {{{0, -1}, 0}, {{0, 1}, 0}, 0, body.r.y};
  }
#ifdef MISTAKE
  bool within_range(double x) const { return x < 1; }
#else
  bool within_range(const Frame&, const Frame& body) const { return body.r.x < 1; }
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
