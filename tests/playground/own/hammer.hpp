// A hammer on a pivot, above an anvil: one body, one ideal joint, one contact.
#pragma once
#include <moreau/bench/mechanism.hpp>

namespace bench = moreau::bench;

struct Hammer {
  using Real = double;
  enum Names { arm, bodies };

  moreau::Body<double> body[bodies] = {{0.4, 2e-3}};                       // kg, kg m2
  moreau::Revolute<double, moreau::ground, arm> pivot{{0, 0}, {-0.1, 0}};  // m
  moreau::PointOnLine<double, moreau::ground, arm> anvil;
  moreau::Gravity<double> gravity;
  moreau::Motor<double, moreau::ground, arm> motor;

  auto parts() const { return std::tie(pivot, anvil, gravity, motor); }

  Hammer() {
    anvil.on_A.y = -0.02;  // m
    anvil.on_B.x = 0.1;
    anvil.radius = 0.015;
    anvil.law.eps_N = 0.6;
    gravity.g.y = -9.81;  // m/s2
  }
};

struct HammerBench {
  using Model = moreau::Mechanism<Hammer>;
  static constexpr double dt = 1e-4;  // s

  static constexpr auto variables = bench::variables(
      bench::input<&Hammer::motor, &decltype(Hammer::motor)::torque>("N.m", -2, 2, "torque of the motor"),
      bench::mechanism<Hammer, &Hammer::pivot, &Hammer::anvil, &Hammer::gravity, &Hammer::motor>());

  static moreau::State<Model> start(const Model&) {
    moreau::State<Model> state;
    state.q(Model::angle_of<Hammer::arm>) = 0.8;  // rad
    return state;
  }
};
