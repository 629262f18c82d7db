// Ratchet: a wheel of twelve teeth and a pawl that a spring presses into them. The wheel can turn clockwise only.
//
//   ramp i    from the valley at 30 i degrees to the tip at 30 (i + 1) degrees
//   flank i   from the tip inward to the next valley
#pragma once
#include <moreau/mechanism.hpp>

namespace models {

template <class R>
struct RatchetParts {
  using Real = R;
  enum Names { wheel, pawl, bodies };
  static constexpr int teeth = 12;
  moreau::Body<R> body[bodies] = {{R(1), R(1e-3)}, {R(0.05), R(2e-5)}};  // kg, kg m^2
  moreau::Revolute<R, moreau::ground, wheel> shaft;
  moreau::Revolute<R, moreau::ground, pawl> pin;
  moreau::PointOnPolygon<R, wheel, pawl, 2 * teeth> tooth;  // two edges per tooth
  moreau::TorsionSpring<R, moreau::ground, pawl> spring;
  moreau::Motor<R, moreau::ground, wheel> load;
  auto parts() const { return std::tie(shaft, pin, tooth, spring, load); }

  RatchetParts() {
    for (int i = 0; i < teeth; ++i) {
      const auto valley = moreau::sincos(R(i) * pitch), tip = moreau::sincos(R(i + 1) * pitch);
      tooth.corner[2 * i] = {inner * valley.cos, inner * valley.sin};
      tooth.corner[2 * i + 1] = {outer * tip.cos, outer * tip.sin};
    }
    pin.on_A = {R(-0.06), R(0.05)};   // m, left of the teeth: the pawl is under pressure
    pin.on_B = {R(-0.03), R(0.004)};  // from the middle of the pawl
    tooth.on_B = {R(0.03), R(-0.004)};
    tooth.law = {R(0.1), R(0), R(0.1)};
    spring.stiffness = R(0.2);  // N m/rad
    spring.angle = R(-1);       // rad: preload of 0.2 N m
    spring.damping = R(2e-4);   // N m s
    load.damping = R(2e-3);     // N m s
  }

  static constexpr R inner = R(0.042), outer = R(0.05), pitch = 2 * moreau::pi<R> / R(teeth);  // m, m, rad
};

template <class R>
using Ratchet = moreau::Mechanism<RatchetParts<R>>;

// At rest, with the tip of the pawl above a ramp.
template <class Model>
moreau::State<Model> ratchet_start(const Model&) {
  return {};
}

}  // namespace models
