// friction() of a part without the number of its rows.
// Expected message: Dry friction needs: static constexpr int frictions = ...;   // the number of its rows; friction() has no effect without it
#include <moreau/mechanism.hpp>

namespace {
using Frame = moreau::Frame<double>;
using State = moreau::BodyState<double>;

struct Rail {
  static constexpr int body_A = moreau::ground, body_B = 0;
#ifdef MISTAKE
  static constexpr int friction_rows = 1;
#else
  static constexpr int frictions = 1;
#endif
  double bound = 1;
  moreau::FrictionRow<double> friction(int, const Frame&, const Frame&) const { return {{{}, -1}, {{}, 1}}; }
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
