// Toggle clamp: a lever and a link push a ram against a spring. Beyond the dead centre of lever and link, the lever
// rests on a stop, and the spring holds the clamp closed with 160 N.
//
//          knee
//         /    \           lever 40 mm, link 40 mm
//   bearing     ram pin -- ram ~~~ spring
//
// The three pins have a play of 0.02 to 0.04 mm on the diameter, so the reach of a step limits dt (lib/STEP.md). A
// motor at the lever stands for the hand: a constant torque.
#pragma once
#include <moreau/mechanism.hpp>

namespace models {

template <class R>
struct ToggleClampParts {
  using Real = R;
  enum Names { lever, link, ram, bodies };
  static constexpr R l_1{0.04}, l_2{0.04};  // m: lever, link

  moreau::Body<R> body[bodies] = {{R(0.05), R(7e-5)}, {R(0.03), R(6e-6)}, {R(0.08), R(1e-5)}};
  moreau::RevoluteClearance<R, moreau::ground, lever> bearing;
  moreau::RevoluteClearance<R, lever, link> knee;
  moreau::RevoluteClearance<R, link, ram> ram_pin;
  moreau::Prismatic<R, moreau::ground, ram> guide;
  moreau::PointOnLine<R, moreau::ground, lever> stop;
  moreau::Spring<R, moreau::ground, ram> spring;
  moreau::Motor<R, moreau::ground, lever> hand;

  auto parts() const { return std::tie(bearing, knee, ram_pin, guide, stop, spring, hand); }

  ToggleClampParts() {
    const auto loosen = [](auto& pin, R play) {
      pin.play = play;
      pin.radius = R(3e-3);              // m
      pin.law = {R(0.3), R(0), R(0.1)};  // eps_N, eps_T, mu
    };
    loosen(bearing, R(2e-5));  // m, on the radius
    loosen(knee, R(1.5e-5));
    loosen(ram_pin, R(1e-5));
    bearing.on_B.x = -l_1 / R(2);
    knee.on_A.x = l_1 / R(2);
    knee.on_B.x = -l_2 / R(2);
    ram_pin.on_A.x = l_2 / R(2);
    stop.on_A = {l_1, R(-1.4e-3)};  // the knee rests 1.4 mm below the dead centre
    stop.on_B.x = l_1 / R(2);
    stop.law.eps_N = R(0.2);
    spring.on_A.x = l_1 + l_2 + R(0.02);
    spring.stiffness = R(2.5e4);  // N/m
    spring.length = R(0.0264);    // m: 160 N at the dead centre
    hand.torque = R(-2.2);        // N m
  }
};

template <class R>
using ToggleClamp = moreau::Mechanism<ToggleClampParts<R>>;

// Open clamp at rest, all pins centred.
template <class R>
moreau::State<ToggleClamp<R>> open_toggle_clamp(R angle = R(0.35)) {
  using Model = ToggleClamp<R>;
  const R l = ToggleClampParts<R>::l_1;
  const auto a = moreau::sincos(angle);
  moreau::State<Model> start;
  start.q(Model::template x_of<Model::lever>) = l / 2 * a.cos;
  start.q(Model::template y_of<Model::lever>) = l / 2 * a.sin;
  start.q(Model::template angle_of<Model::lever>) = angle;
  start.q(Model::template x_of<Model::link>) = R(1.5) * l * a.cos;
  start.q(Model::template y_of<Model::link>) = l / 2 * a.sin;
  start.q(Model::template angle_of<Model::link>) = -angle;
  start.q(Model::template slide_of<Model::ram>) = 2 * l * a.cos;
  return start;
}

}  // namespace models
