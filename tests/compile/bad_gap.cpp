// Model without a gap.
// Expected message: Model needs: Real gap(int contact, const Vector<Real, dof>& q, Real t) const;   // g_N(q,t)
#include "ball.hpp"

namespace {
struct Model {
  using Real = double;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  using Q = moreau::Vector<Real, 1>;
  moreau::Matrix<Real, 1, 1> mass(const Q&, Real) const { return Q(1); }
  Q force(const Q&, const Q&, Real) const { return Q(-9.81); }
#ifndef MISTAKE
  Real gap(int, const Q& q, Real) const { return q(0); }
#endif
  moreau::Directions<Real, 1, 0> directions(int, const Q&, Real) const { return {}; }
  moreau::ContactLaw<Real> law(int) const { return {}; }
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
