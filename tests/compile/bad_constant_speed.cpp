// New speed of a drive that is a function of time: the body would jump.
// Expected message: no member named 'speed'
#include <moreau/mechanism.hpp>

namespace {
struct Turned {
  using Real = double;
  enum Names { disk, bodies };
  moreau::Body<Real> body[bodies] = {{1, 1}};
#ifdef MISTAKE
  moreau::Drive<Real, moreau::ground, disk, moreau::ConstantSpeed<Real>> drive;
#else
  moreau::Drive<Real, moreau::ground, disk> drive;
#endif
  auto parts() const { return std::tie(drive); }
};
}  // namespace

bool use_model();
bool use_model() {
  using Model = moreau::Mechanism<Turned>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  machine.model.drive.law.speed = 3;
  return machine.step(1e-3).advanced();
}
