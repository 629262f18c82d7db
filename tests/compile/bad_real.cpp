// Model that does not name its scalar.
// Expected message: Model needs: using Real = float;   // or double: the scalar of the model
#include "ball.hpp"

namespace {
struct Model : Ball<double> {
#ifdef MISTAKE
  using Real = long;
#else
  using Real = double;
#endif
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
