// Slider-crank of slider_crank.hpp as a parts list: three bodies, three pins, a slider with play in its guide.
//
//   q = (phi_crank, phi_rod, phi_slider)
//
// No equation is derived by hand. The pins are ideal joints: the coordinates satisfy them.
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
  typename moreau::Revolute<R, rod, slider>::AtCentre wrist_pin;  // in the centre of the slider
  typename moreau::PrismaticClearance<R, moreau::ground, slider>::WithoutEnds guide;
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

// State with the angles and angular velocities of the model derived by hand.
template <class R>
moreau::State<SliderCrankFromParts<R>> from_angles(const SliderCrank<R>&, const moreau::Vector<R, 3>& angle,
                                                   const moreau::Vector<R, 3>& speed) {
  using Model = SliderCrankFromParts<R>;
  constexpr moreau::Coordinate coordinate[] = {Model::template angle_of<Model::crank>,
                                               Model::template angle_of<Model::rod>,
                                               Model::template angle_of<Model::slider>};
  moreau::State<Model> state;
  for (int b = 0; b < 3; ++b) {
    state.q(coordinate[b]) = angle(b);
    state.u(coordinate[b]) = speed(b);
  }
  return state;
}

// The same state for a model with these three bodies and other joints: all pins are centred.
template <class Model, class R = typename Model::Real>
moreau::State<Model> centred_at_angles(const Model& model, const SliderCrank<R>& d, const moreau::Vector<R, 3>& angle,
                                       const moreau::Vector<R, 3>& speed) {
  const SliderCrankFromParts<R> tight{SliderCrankParts<R>{d}};
  moreau::State<Model> state;
  model.set_bodies(tight.body_states(from_angles(d, angle, speed)), state);
  return state;
}

}  // namespace models
