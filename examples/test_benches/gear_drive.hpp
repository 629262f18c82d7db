// Gear pair with backlash as a test bench, in float: the torque of the controller drives the pinion, the load acts on
// the wheel.
#pragma once
#include <moreau/bench/mechanism.hpp>

#include "../models/gear_drive.hpp"

namespace bench = moreau::bench;

struct GearDriveBench {
  using Parts = models::GearDriveParts<float>;
  using Model = moreau::Mechanism<Parts>;
  static constexpr double dt = 1e-4;  // s

  static constexpr auto variables = bench::variables(
      bench::input<&Parts::motor, &decltype(Parts::motor)::torque>("N.m", -0.1, 0.1),
      bench::input<&Parts::load, &decltype(Parts::load)::torque>("N.m", -1, 1),
      bench::mechanism<Parts, &Parts::motor_shaft, &Parts::load_shaft, &Parts::mesh, &Parts::motor, &Parts::load>());

  static moreau::State<Model> start(const Model& model) { return models::gear_drive_start(model); }
};
