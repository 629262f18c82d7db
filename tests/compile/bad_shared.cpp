// Model with shared terms, `at`, whose gap does not take them.
// Expected message: Model needs: Real gap(int contact, const A& a) const;   // g_N(q,t), with a = at(q, t)
#include "ball.hpp"

namespace {
struct Model {
  using Real = double;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  using Q = moreau::Vector<Real, 1>;
  struct A {
    Real height;
  };
  A at(const Q& q, Real) const { return {q(0)}; }
  moreau::Matrix<Real, 1, 1> mass(const A&) const { return Q(1); }
  Q force(const A&, const Q&) const { return Q(-9.81); }
#ifdef MISTAKE
  Real gap(int, const Q& q, Real) const { return q(0); }
#else
  Real gap(int, const A& a) const { return a.height; }
#endif
  moreau::Directions<Real, 1, 0> directions(int, const A&) const { return {}; }
  moreau::ContactLaw<Real> law(int) const { return {}; }
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
