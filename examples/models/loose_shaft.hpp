// Shaft in a bush with radial play, with a flange between two thrust faces. A torque that decreases with speed drives it;
// a load beside the bush leans it.
//
//        thrust faces
//            | |
//        ====|#|====  bush  ====
//     load ---+-------------------  shaft
//        ====|#|====        ====
//
// Ten contacts: two ends of the shaft in the bush, and four points of the flange at either face.
#pragma once
#include <moreau/spatial.hpp>

namespace models {

template <class R>
struct LooseShaftParts {
  using Real = R;
  enum Names { shaft, bodies };

  moreau::spatial::Body<R> body[bodies] = {{R(0.4), {R(6e-4), R(6e-4), R(2e-4)}}};
  moreau::spatial::CylindricalClearance<R, moreau::ground, shaft> bush{
      {}, {0, 0, 1}, {}, {0, 0, 1}, R(0.03), R(0.06), R(5e-5), R(0.01), {R(0.3), 0, R(0.1)}};
  moreau::spatial::ThrustClearance<R, moreau::ground, shaft> thrust{
      {0, 0, R(-0.05)}, {0, 0, 1}, {0, 0, R(-0.05)}, {0, 0, 1}, R(1e-4), R(0.02), {R(0.3), 0, R(0.1)}};
  moreau::spatial::Motor<R, moreau::ground, shaft> motor{{0, 0, 1}, R(0.05), R(5e-4)};
  moreau::spatial::Pull<R, moreau::ground, shaft> load{{0, R(-20), R(-5)}, {0, 0, R(-0.06)}};
  moreau::spatial::Gravity<R> gravity{{0, R(-9.81), 0}};

  auto parts() const { return std::tie(bush, thrust, motor, load, gravity); }

  template <class Scene>
  void solids(Scene& draw) const {
    draw.box(shaft, {0, 0, R(0.055)}, {R(0.012), R(0.004), R(0.004)});  // a key that shows the rotation
  }
};

template <class R>
using LooseShaft = moreau::Mechanism<LooseShaftParts<R>>;

}  // namespace models
