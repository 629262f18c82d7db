// Driven slider-crank from parts with play in its guide: play, restitution, friction, inertia of the slider and friction
// of the motor, from a crank encoder, the position of the slider and its acceleration along and across the guide.
#pragma once
#include "models/slider_crank_parts.hpp"
#include "plan.hpp"

namespace identification {

struct CrankParts : models::SliderCrankParts<double> {
  using Base = models::SliderCrankParts<double>;
  static constexpr double speed = 60;  // rad/s

  moreau::Motor<double, moreau::ground, Base::crank> motor;
  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, guide, gravity, motor); }

  CrankParts() {
    motor.damping = 0.05;  // N m s
    body[slider].J = 7.9e-5;
    set_friction(0.02);
  }
  void set_friction(double T_c) { motor.torque = motor.damping * speed - T_c; }  // N m
};

struct SliderCrank {
  using Model = moreau::Mechanism<CrankParts>;
  using State = moreau::State<Model>;
  using Description = moreau::identify::Description<Model, 5, 4, 1>;
  static constexpr Plan plan{0.2, 1e-4, 0.1};
  static constexpr auto crank = Model::angle_of<CrankParts::crank>, rod = Model::angle_of<CrankParts::rod>,
                        slider = Model::angle_of<CrankParts::slider>;

  static Description description() {
    using namespace moreau::identify;
    Description d{"slider_crank"};
    d.dt = 1e-4, d.window = 2e-3;
    d.parameter("play", "m", range(2e-4, 2e-3), [](Model& m, double x) { m.guide.play = x; });
    d.parameter("eps", "1", range(0.1, 0.9), [](Model& m, double x) { m.guide.law.eps_N = x; });
    d.parameter("mu", "1", range(0, 0.3), [](Model& m, double x) { m.guide.law.mu = x; });
    d.parameter("J_3", "kg m^2", range(2e-5, 2e-4), [](Model& m, double x) { m.body[CrankParts::slider].J = x; });
    d.parameter("T_c", "N m", range(0, 0.1), [](Model& m, double x) { m.set_friction(x); });
    d.measured(
        "phi", "rad", [](const Model&, const State& s) { return s.q(crank); }, encoder(4096));
    d.measured(
        "x", "m", [](const Model& m, const State& s) { return at(m, s).x; }, noise(1e-6));
    d.measured(
        "a_x", "m/s^2", [](const Model& m, const State& s) { return velocity(m, s).x; }, accelerometer(2000, 1));
    d.measured(
        "a_y", "m/s^2", [](const Model& m, const State& s) { return velocity(m, s).y; }, accelerometer(2000, 1));
    d.start = start;
    return d;
  }

  // Position and velocity of the wrist pin, in the middle of the slider.
  static moreau::Point<double> at(const Model& m, const State& s) {
    const auto [one, two] = moreau::sincos(s.q(crank), s.q(rod));
    const double l_1 = 2 * m.crank_pin.on_A.x, l_2 = 2 * m.wrist_pin.on_A.x;
    return {l_1 * one.cos + l_2 * two.cos, l_1 * one.sin + l_2 * two.sin};
  }
  static moreau::Point<double> velocity(const Model& m, const State& s) {
    const auto [one, two] = moreau::sincos(s.q(crank), s.q(rod));
    const double w_1 = 2 * m.crank_pin.on_A.x * s.u(crank), w_2 = 2 * m.wrist_pin.on_A.x * s.u(rod);
    return {-w_1 * one.sin - w_2 * two.sin, w_1 * one.cos + w_2 * two.cos};
  }

  // Height and tilt of the slider are anywhere within the guide. Newton's method finds the angle of the rod.
  static State start(const Model& m, const moreau::identify::Reading& first, moreau::identify::Draw& draw) {
    State s;
    s.q(crank) = first.value[0] + draw.normal(2e-4), s.u(crank) = first.rate[0] + draw.normal(0.2);
    const double height = 0.95 * m.guide.play * draw.uniform(-1, 1), l_2 = 2 * m.wrist_pin.on_A.x;
    for (int k = 0; k < 6; ++k) s.q(rod) += (height - at(m, s).y) / (l_2 * moreau::cos(s.q(rod)));
    s.u(rod) = -velocity(m, s).y / (l_2 * moreau::cos(s.q(rod))) + draw.normal(0.3);
    s.q(slider) = (m.guide.play - moreau::detail::absolute(height)) / m.guide.a * draw.uniform(-1, 1);
    s.u(slider) = draw.normal(3);
    return s;
  }

  // Fault of the model: an inertia with an error of 5 %.
  static void disturb(Model& m) { m.body[CrankParts::crank].J *= 1.05, m.body[CrankParts::rod].J *= 1.05; }

  // The simulated machine.
  static std::vector<double> usual() { return {1e-3, 0.4, 0.1, 7.9e-5, 0.02}; }
  static State begin(const Model& m) {
    State s;
    s.u(crank) = CrankParts::speed, s.u(rod) = -CrankParts::speed * m.crank_pin.on_A.x / m.wrist_pin.on_A.x;
    return s;
  }
  static double control(const State&) { return 0; }
};

}  // namespace identification
