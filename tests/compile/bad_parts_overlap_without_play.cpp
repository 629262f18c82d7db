// The earlier name of allowed_penetration_without_play.
// Expected message: A parts list declares `kept_overlap_without_play`: the member is called allowed_penetration_without_play
#include <moreau/mechanism.hpp>

namespace {
struct Parts {
  using Real = double;
  enum Names { pin, bodies };
#ifdef MISTAKE
  static constexpr Real kept_overlap_without_play = 1e-3;
#else
  static constexpr Real allowed_penetration_without_play = 1e-3;
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
