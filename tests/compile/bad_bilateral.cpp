// Ideal joint without a position error.
// Expected message: Model needs: Bilateral<Real, dof> bilateral(int row, const Vector<Real, dof>& q, Real t) const;
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
  static constexpr int bilaterals = 1;
#ifdef MISTAKE
  Q bilateral(int, const Q&, Real) const { return Q::Zero(); }
#else
  moreau::Bilateral<Real, 2> bilateral(int, const Q&, Real) const { return {Q(1, 0), 0, 0}; }
#endif
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
