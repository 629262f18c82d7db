// Non-const force: the step has only a const model.
// Expected message: Model needs: Vector<Real, dof> force(const Vector<Real, dof>& q, const Vector<Real, dof>& u, Real t) const;
#include "ball.hpp"

namespace {
struct Model : Ball<float> {
#ifdef MISTAKE
  Q force(const Q&, const Q&, Real) { return Q::Zero(); }
#else
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
#endif
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
