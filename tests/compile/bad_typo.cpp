// Frictionless model with one typing error.
// Expected message: Model declares `tangent`: the member is called tangents
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
#ifdef MISTAKE
  static constexpr int tangent = 0;
#else
  static constexpr int tangents = 0;
  moreau::Directions<Real, 2, 0> directions(int, const Q&, Real) const { return {}; }
#endif
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
