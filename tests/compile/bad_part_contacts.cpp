// contact() of a part without the number of its contacts.
// Expected message: A joint with play needs: static constexpr int contacts = ...;   // the number of its contacts; contact() has no effect without it
#include <moreau/mechanism.hpp>

namespace {
using Frame = moreau::Frame<double>;
using State = moreau::BodyState<double>;

struct Rail {
  static constexpr int body_A = moreau::ground, body_B = 0;
#ifdef MISTAKE
  int contacts = 1;
#else
  static constexpr int contacts = 1;
#endif
  moreau::ContactLaw<double> law{};
  moreau::JointContact<double> contact(int, const Frame&, const Frame& body) const {
    return {body.r.y + 1, {0, 1}, body.r, 0, 0};
  }
  moreau::Action<double> action(const State&, const State& body, double) const {
    return moreau::Action<double>::moment(-body.omega);
  }
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
