// Spatial directions of a planar contact.
// Expected message: Model needs: Directions<Real, dof, tangents> directions(int contact, const Vector<Real, dof>& q, Real t)
// const;
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
#ifdef MISTAKE
  moreau::Directions<Real, 2, 2> directions(int, const Q&, Real) const { return {}; }
#else
  moreau::Directions<Real, 2, 1> directions(int, const Q&, Real) const { return {}; }
#endif
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
