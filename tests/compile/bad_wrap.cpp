// Non-const wrap, which would be ignored silently.
// Expected message: Model needs: Vector<Real, dof> wrap(const Vector<Real, dof>& q) const;
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
#ifdef MISTAKE
  Q wrap(const Q& q) { return q; }
#else
  Q wrap(const Q& q) const { return q; }
#endif
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
