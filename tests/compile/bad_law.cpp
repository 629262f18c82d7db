// Contact law in another scalar than the model's.
// Expected message: Model needs: ContactLaw<Real> law(int contact) const;   // eps_N, eps_T, mu
#include "ball.hpp"

namespace {
struct Model : Ball<float> {
#ifdef MISTAKE
  moreau::ContactLaw<double> law(int) const { return {}; }
#else
  moreau::ContactLaw<float> law(int) const { return {}; }
#endif
};
}  // namespace

bool use_model();
bool use_model() { return used<Model>(); }
