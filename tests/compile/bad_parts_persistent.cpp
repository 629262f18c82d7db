// A former option of the contact rule.
// Expected message: A parts list declares `persistent_contacts`: leave it out, contacts at rest stay closed;
#include <moreau/mechanism.hpp>

namespace {
struct Parts {
  using Real = double;
  enum Names { pin, bodies };
#ifdef MISTAKE
  static constexpr bool persistent_contacts = false;
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
