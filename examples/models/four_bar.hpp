// Four-bar with its joint type as a template parameter: ideal pins, or pins with play in three of the four joints.
//
//   crank 0.1 m, coupler 0.3 m, rocker 0.25 m, distance of the pivots 0.3 m
//   M_motor = damping (speed - omega)
//
// The bearing of the crank is always ideal. The mechanism has one degree of freedom with ideal joints and seven with
// play in the other three.
#pragma once
#include <moreau/mechanism.hpp>

namespace models {

template <class R, template <class, int, int> class Joint>
struct FourBarParts {
  using Real = R;
  enum Names { crank, coupler, rocker, bodies };
  static constexpr bool endless = true;                        // long runs: the angle of the crank is wrapped
  static constexpr R l_1{0.1}, l_2{0.3}, l_3{0.25}, l_0{0.3};  // m: crank, coupler, rocker, distance of the pivots

  moreau::Body<R> body[bodies] = {{R(0.2), R(1.7e-4)}, {R(0.4), R(3e-3)}, {R(0.35), R(1.8e-3)}};
  moreau::Revolute<R, moreau::ground, crank> bearing;
  Joint<R, crank, coupler> crank_pin;
  Joint<R, coupler, rocker> rocker_pin;
  Joint<R, moreau::ground, rocker> pivot;
  moreau::Motor<R, moreau::ground, crank> motor;
  moreau::Gravity<R> gravity;

  auto parts() const { return std::tie(bearing, crank_pin, rocker_pin, pivot, motor, gravity); }

  explicit FourBarParts(R speed = R(30)) {  // rad/s
    bearing.on_B.x = -l_1 / R(2);
    crank_pin.on_A.x = l_1 / R(2);
    crank_pin.on_B.x = -l_2 / R(2);
    rocker_pin.on_A.x = l_2 / R(2);
    rocker_pin.on_B.x = l_3 / R(2);
    pivot.on_A.x = l_0;
    pivot.on_B.x = -l_3 / R(2);
    motor.damping = R(0.05);
    motor.torque = motor.damping * speed;
  }
};

template <class R>
using IdealFourBar = moreau::Mechanism<FourBarParts<R, moreau::Revolute>>;

template <class R>
struct FourBarWithPlayParts : FourBarParts<R, moreau::RevoluteClearance> {
  explicit FourBarWithPlayParts(R play = R(5e-4), moreau::ContactLaw<R> law = {R(0.4), R(0), R(0.1)}) {  // m
    const auto loosen = [&](auto& joint) {
      joint.play = play;
      joint.radius = R(0.01);
      joint.law = law;
    };
    loosen(this->crank_pin);
    loosen(this->rocker_pin);
    loosen(this->pivot);
  }
};

template <class R>
using FourBarWithPlay = moreau::Mechanism<FourBarWithPlayParts<R>>;

// Crank along the x axis at the given speed, all pins centred: `close_joints` of the ideal mechanism finds the state.
template <class Model>
moreau::State<Model> four_bar_start(typename Model::Real speed) {
  using R = typename Model::Real;
  using Ideal = IdealFourBar<R>;
  moreau::State<Ideal> closed;
  closed.q(Ideal::template angle_of<Ideal::coupler>) = R(0.8);  // rad, a guess
  closed.q(Ideal::template angle_of<Ideal::rocker>) = R(1.6);
  closed.u(Ideal::template angle_of<Ideal::crank>) = speed;
  const auto keep = moreau::Keep<Ideal>{}.angle(Ideal::crank).omega(Ideal::crank);
  moreau::State<Model> start;
  if (moreau::close_joints(Ideal{}, closed, keep).status == moreau::Status::ok)
    Model{}.set_bodies(Ideal{}.body_states(closed), start);
  return start;
}

}  // namespace models
