// Friction element without its bound.
// Expected message: Model needs: Real friction_bound(int element, const Vector<Real, dof>& q, Real t) const;   // N or N m
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
  static constexpr int frictions = 1;
#ifndef MISTAKE
  Real friction_bound(int, const Q&, Real) const { return 1; }
#endif
  moreau::FrictionDirections<Real, 2> friction_directions(int, const Q&, Real) const { return {}; }
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
