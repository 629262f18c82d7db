// Lemke is planar; the friction of a spatial contact has a disc as its admissible set.
// Expected message: Lemke solves planar friction only (tangents 0 or 1, friction_dim 1): use Psor for spatial contacts
#include <moreau/moreau.hpp>

namespace {
struct Coin {  // one spatial contact
  using Real = double;
  static constexpr int dof = 3, contacts = 1, tangents = 2;
  using Q = moreau::Vector<Real, 3>;
  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const { return moreau::Matrix<Real, 3, 3>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q(0, 0, -9.81); }
  Real gap(int, const Q& q, Real) const { return q(2); }
  moreau::Directions<Real, 3, 2> directions(int, const Q&, Real) const { return {}; }
  moreau::ContactLaw<Real> law(int) const { return {}; }
};
#ifdef MISTAKE
using Solver = moreau::Lemke;
#else
using Solver = moreau::Psor;
#endif
}  // namespace

bool use_solver();
bool use_solver() {
  moreau::Stepper<Coin, Solver> stepper(Coin{}, moreau::State<Coin>{}, Solver{});
  return stepper.step(1e-3).advanced();
}
