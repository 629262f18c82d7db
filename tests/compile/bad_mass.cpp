// Mass that is a scalar instead of a matrix.
// Expected message: Model needs: Matrix<Real, dof, dof> mass(const Vector<Real, dof>& q, Real t) const;
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
#ifdef MISTAKE
  Real mass(const Q&, Real) const { return 1; }
#else
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return moreau::Matrix<Real, 2, 2>::Identity(); }
#endif
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
