// Dry friction without its count, which would be ignored.
// Expected message: Model needs: static constexpr int frictions = ...;
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
#ifndef MISTAKE
  static constexpr int frictions = 1;
#endif
  Real friction_bound(int, const Q&, Real) const { return 1; }
  moreau::FrictionDirections<Real, 2> friction_directions(int, const Q&, Real) const { return {Q(1, 0), 0}; }
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
