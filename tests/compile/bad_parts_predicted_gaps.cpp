// Parts list that declares predicted_gaps without steps of second order.
// Expected message: A parts list may declare: static constexpr bool predicted_gaps = true;
#include <moreau/mechanism.hpp>

namespace {
struct Parts {
  using Real = double;
  enum Names { pin, bodies };
#ifdef MISTAKE
  static constexpr bool second_order = false;
#endif
  static constexpr bool predicted_gaps = true;
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
