// Two numbers for a commanded speed: the second could be an acceleration or a start angle.
// Expected message: CommandedSpeed takes one number, the speed
#include <moreau/mechanism.hpp>

namespace {
struct Turned {
  using Real = double;
  enum Names { disk, bodies };
  moreau::Body<Real> body[bodies] = {{1, 1}};
  moreau::Drive<Real, moreau::ground, disk> drive;
  auto parts() const { return std::tie(drive); }
};
}  // namespace

bool use_model();
bool use_model() {
  using Model = moreau::Mechanism<Turned>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
#ifdef MISTAKE
  machine.model.drive.law = {60, 0.3};
#else
  machine.model.drive.law = {60};
#endif
  return machine.step(1e-3).advanced();
}
