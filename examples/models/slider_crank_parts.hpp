// Slider-crank of slider_crank.hpp as a parts list: three bodies, three pins, a slider with play in its guide.
//
//   q = (x, y, phi) of crank, rod and slider
//
// No equation is derived by hand. The pins are ideal joints.
#pragma once
#include <moreau/mechanism.hpp>

#include "slider_crank.hpp"

namespace models {

template <class R>
struct SliderCrankParts {
  using Real = R;
  enum Names { crank, rod, slider, bodies };

  moreau::Body<R> body[bodies];
  moreau::Revolute<R, moreau::ground, crank> bearing;
  moreau::Revolute<R, crank, rod> crank_pin;
  moreau::Revolute<R, rod, slider> wrist_pin;
  moreau::PrismaticClearance<R, moreau::ground, slider> guide;
  moreau::Gravity<R> gravity;

  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, guide, gravity); }

  // Dimensions of the model derived by hand.
  SliderCrankParts(const SliderCrank<R>& d = {}) {
    body[crank] = {d.m_1, d.J_1};
    body[rod] = {d.m_2, d.J_2};
    body[slider] = {d.m_3, d.J_3};
    bearing.on_B.x = -d.l_1 / R(2);
    crank_pin.on_A.x = d.l_1 / R(2);
    crank_pin.on_B.x = -d.l_2 / R(2);
    wrist_pin.on_A.x = d.l_2 / R(2);
    guide.a = d.a;
    guide.b = d.b;
    guide.play = d.play;
    guide.law = d.law(0);
    gravity.g.y = -d.gravity;
  }
};

template <class R>
using SliderCrankFromParts = moreau::Mechanism<SliderCrankParts<R>>;

// State with the angles and angular velocities of the model derived by hand, and closed joints.
template <class R>
moreau::State<SliderCrankFromParts<R>> from_angles(const SliderCrank<R>& d, const moreau::Vector<R, 3>& angle,
                                                   const moreau::Vector<R, 3>& speed) {
  const R half_1 = d.l_1 / R(2), half_2 = d.l_2 / R(2);
  const auto one = moreau::sincos(angle(0)), two = moreau::sincos(angle(1));
  moreau::State<SliderCrankFromParts<R>> state;
  state.q << half_1 * one.cos, half_1 * one.sin, angle(0), d.l_1 * one.cos + half_2 * two.cos,
      d.l_1 * one.sin + half_2 * two.sin, angle(1), d.l_1 * one.cos + d.l_2 * two.cos,
      d.l_1 * one.sin + d.l_2 * two.sin, angle(2);
  const R x_1 = -one.sin * speed(0), y_1 = one.cos * speed(0), x_2 = -two.sin * speed(1), y_2 = two.cos * speed(1);
  state.u << half_1 * x_1, half_1 * y_1, speed(0), d.l_1 * x_1 + half_2 * x_2, d.l_1 * y_1 + half_2 * y_2, speed(1),
      d.l_1 * x_1 + d.l_2 * x_2, d.l_1 * y_1 + d.l_2 * y_2, speed(2);
  return state;
}

}  // namespace models
