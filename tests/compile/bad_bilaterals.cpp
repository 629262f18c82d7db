// Ideal joint without its count, which would be ignored.
// Expected message: Model needs: static constexpr int bilaterals = ...;
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
#ifndef MISTAKE
  static constexpr int bilaterals = 1;
#endif
  moreau::Bilateral<Real, 2> bilateral(int, const Q& q, Real) const { return {Q(1, 0), 0, q(0)}; }
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
