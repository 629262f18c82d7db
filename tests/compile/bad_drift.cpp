// A drift that returns q, which would be ignored silently.
// Expected message: Model needs: void drift(Vector<Real, dof>& q, Vector<Real, dof>& u, Real h) const;
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
#ifdef MISTAKE
  Q drift(Q& q, Q& u, Real h) const { return q += h * u; }
#else
  void drift(Q& q, Q& u, Real h) const { q += h * u; }
#endif
  Q displaced(const Q& q, const Q& d) const { return q + d; }
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
