// Mass matrix returned as an unevaluated product of a matrix that no longer exists.
// Expected message: Model's mass returns an Eigen expression: write the return type, Matrix<Real, dof, dof>
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
#ifdef MISTAKE
  auto mass(const Q&, Real) const {
#else
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const {
#endif
      const moreau::Matrix<Real, 2, 2> unit = moreau::Matrix<Real, 2, 2>::Identity();
  return 2.0 * unit;
}
};  // namespace
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
