// Slider-crank with play in the guide and in all three pins: seven contacts, nine degrees of freedom. A motor keeps the
// speed. Compared with slider_crank_parts.hpp only the types of three parts differ.
#pragma once

#include "slider_crank_parts.hpp"

namespace models {

template <class R>
struct LooseSliderCrankParts {
  using Real = R;
  enum Names { crank, rod, slider, bodies };
  static constexpr bool endless = true;

  moreau::Body<R> body[bodies];
  moreau::RevoluteClearance<R, moreau::ground, crank> bearing;
  moreau::RevoluteClearance<R, crank, rod> crank_pin;
  moreau::RevoluteClearance<R, rod, slider> wrist_pin;
  typename moreau::PrismaticClearance<R, moreau::ground, slider>::WithoutEnds guide;
  moreau::Motor<R, moreau::ground, crank> motor;
  moreau::Gravity<R> gravity;
  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, guide, motor, gravity); }

  LooseSliderCrankParts() {
    const SliderCrankParts<R> tight;
    for (int b = 0; b < bodies; ++b) body[b] = tight.body[b];
    body[slider].J = R(7.9e-5);  // inertia of a slab of the same size, kg m^2
    const auto loosen = [](auto& pin, const auto& ideal) {
      pin.on_A = ideal.on_A;
      pin.play = R(2e-4);    // m
      pin.radius = R(8e-3);  // m
      pin.law = {R(0.3), R(0), R(0.05)};
    };
    loosen(bearing, tight.bearing);
    bearing.on_B = tight.bearing.on_B;
    loosen(crank_pin, tight.crank_pin);
    crank_pin.on_B = tight.crank_pin.on_B;
    loosen(wrist_pin, tight.wrist_pin);
    guide = tight.guide;
    motor.damping = R(0.02);               // N m s
    motor.torque = motor.damping * R(60);  // target speed 60 rad/s
  }
};

}  // namespace models
