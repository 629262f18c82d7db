// Output of one of two stops, selected by its value, which is ambiguous.
// Expected message: joint_output: no part of this type in parts(), or several; select one by name, as in joint_output(model, &Parts::guide, before, after)
#include <moreau/mechanism.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  moreau::PointOnLine<Real, moreau::ground, bob> left, right;
  auto parts() const { return std::tie(left, right); }
};
}  // namespace

double use_mechanism();
double use_mechanism() {
  using Model = moreau::Mechanism<Pendulum>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
#ifdef MISTAKE
  return joint_output(machine.model, machine.model.right, machine.state, machine.state).g_N;
#else
  return joint_output(machine.model, &Pendulum::right, machine.state, machine.state).g_N;
#endif
}
