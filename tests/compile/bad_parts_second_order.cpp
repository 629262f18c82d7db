// Parts list that declares second_order as a non-static member.
// Expected message: A parts list may declare: static constexpr bool second_order = false;
#include <moreau/mechanism.hpp>

namespace {
struct Parts {
  using Real = double;
  enum Names { pin, bodies };
#ifdef MISTAKE
  bool second_order = false;
#else
  static constexpr bool second_order = false;
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
