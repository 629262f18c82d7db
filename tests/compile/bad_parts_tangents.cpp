// Parts list with a number of tangents that planar mechanisms do not have.
// Expected message: A parts list may declare: static constexpr int tangents = 0;
#include <moreau/mechanism.hpp>

namespace {
struct Parts {
  using Real = double;
  enum Names { pin, bodies };
#ifdef MISTAKE
  static constexpr int tangents = 2;
#endif
  moreau::Body<Real> body[bodies];
  moreau::RevoluteClearance<Real, moreau::ground, pin> bearing;
  auto parts() const { return std::tie(bearing); }
};
}  // namespace

bool use_model();
bool use_model() {
  using Model = moreau::Mechanism<Parts>;
  moreau::Stepper<Model> stepper{Model{}, moreau::State<Model>{}};
  return stepper.step(1e-3).advanced();
}
