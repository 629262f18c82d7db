// `counts_turns` that is not constant, and would have no effect.
// Expected message: A part needs: static constexpr bool counts_turns = true;   // it depends on whole turns; or no counts_turns at all
#include <moreau/mechanism.hpp>

namespace {
using Frame = moreau::Frame<double>;
using State = moreau::BodyState<double>;

struct Rail {
  static constexpr int body_A = moreau::ground, body_B = 0;
#ifdef MISTAKE
  bool counts_turns = true;
#else
  static constexpr bool counts_turns = true;
#endif
  double length = 1;
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
