// Slider-crank from parts as a test bench: the torque of the controller drives the crank; the slider has play in its
// guide.
#pragma once
#include <moreau/bench/mechanism.hpp>

#include "../models/slider_crank_parts.hpp"

namespace bench = moreau::bench;

// The mechanism of the example with a motor between ground and crank.
struct Crank : models::SliderCrankParts<double> {
  moreau::Motor<double, moreau::ground, crank> motor;

  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, guide, gravity, motor); }
};

struct CrankBench {
  using Model = moreau::Mechanism<Crank>;
  static constexpr double dt = 1e-5;  // s

  static constexpr auto variables =
      bench::variables(bench::input<&Crank::motor, &decltype(Crank::motor)::torque>("N.m", -20, 20),
                       bench::parameter<&Crank::guide, &decltype(Crank::guide)::play>("m", 1e-5, 5e-3),
                       bench::mechanism<Crank, &Crank::bearing, &Crank::crank_pin, &Crank::wrist_pin, &Crank::guide,
                                        &Crank::gravity, &Crank::motor>());

  static moreau::State<Model> start(const Model& model) {
    const models::SliderCrank<double> hand;
    return models::centred_at_angles(model, hand, hand.start().q, hand.start().u);
  }
};
