// ClosedForms has no solver for contacts outside its direct solution: here a spatial contact.
// Expected message: ClosedForms needs a planar model of at most 12 degrees of freedom, 1 to 8 contacts and 4 friction
#include <moreau/moreau.hpp>

namespace {
struct Coin {
  using Real = double;
#ifdef MISTAKE
  static constexpr int dof = 3, contacts = 1, tangents = 2;
#else
  static constexpr int dof = 3, contacts = 1, tangents = 1;
#endif
  using Q = moreau::Vector<Real, 3>;
  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const { return moreau::Matrix<Real, 3, 3>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q(0, 0, -9.81); }
  Real gap(int, const Q& q, Real) const { return q(2); }
  moreau::Directions<Real, 3, tangents> directions(int, const Q&, Real) const { return {}; }
  moreau::ContactLaw<Real> law(int) const { return {}; }
};
}  // namespace

bool use_solver();
bool use_solver() {
  moreau::Stepper<Coin, moreau::ClosedForms> stepper(Coin{}, moreau::State<Coin>{});
  return stepper.step(1e-3).advanced();
}
