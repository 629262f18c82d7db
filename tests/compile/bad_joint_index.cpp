// Coordinates of a mechanism by number: written, read, or as a list of values.
// Expected message: q(Model::angle_of<Parts::body>)
// With: -DWRITTEN
// With: -DREAD
// With: -DLISTED
#include <moreau/mechanism.hpp>

namespace {
struct Pendulum {
  using Real = double;
  enum Names { bob, bodies };
  moreau::Body<Real> body[bodies] = {{1, 0.1}};
  moreau::Revolute<Real, moreau::ground, bob> pivot;
  moreau::Gravity<Real> gravity;
  auto parts() const { return std::tie(pivot, gravity); }
};
}  // namespace

double use_mechanism();
double use_mechanism() {
  using Model = moreau::Mechanism<Pendulum>;
  moreau::State<Model> start;
#ifdef WRITTEN
  start.q(2) = 0.3;
#elif defined(LISTED)
  start.q << 0, 0, 0.3;
#else
  start.q(Model::angle_of<Model::bob>) = 0.3;
#endif
  const auto& state = start;
#ifdef READ
  return state.u(2);
#else
  return state.u(Model::angle_of<Model::bob>);
#endif
}
