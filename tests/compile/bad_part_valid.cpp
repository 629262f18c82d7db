// Part with a non-const `valid`, which would never be called.
// Expected message: A part needs: bool valid() const;   // its numbers are in their ranges; or no valid at all
#include <moreau/mechanism.hpp>

namespace {
struct Wind {
  double speed = 0;
#ifdef MISTAKE
  bool valid() { return speed >= 0; }
#else
  bool valid() const { return speed >= 0; }
#endif
  moreau::Point<double> field(const moreau::Body<double>&) const { return {speed, 0}; }
};
struct Kite {
  using Real = double;
  enum Names { kite, bodies };
  moreau::Body<double> body[bodies] = {{1, 0.1}};
  Wind wind;
  auto parts() const { return std::tie(wind); }
};
}  // namespace

bool use_mechanism();
bool use_mechanism() {
  using Model = moreau::Mechanism<Kite>;
  moreau::Stepper machine{Model{}, moreau::State<Model>{}};
  return machine.step(1e-3).advanced();
}
