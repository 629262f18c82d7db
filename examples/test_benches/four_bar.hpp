// Four-bar with play in three of its joints as a test bench: the torque of its motor is the input.
#pragma once
#include <moreau/bench/mechanism.hpp>

#include "../models/four_bar.hpp"

namespace bench = moreau::bench;

struct FourBarBench {
  using Parts = models::FourBarWithPlayParts<double>;
  using Model = moreau::Mechanism<Parts>;
  static constexpr double dt = 1e-4;  // s

  static constexpr auto variables =
      bench::variables(bench::input<&Parts::motor, &decltype(Parts::motor)::torque>("N.m", -5, 5),
                       bench::mechanism<Parts, &Parts::bearing, &Parts::crank_pin, &Parts::rocker_pin, &Parts::pivot,
                                        &Parts::motor, &Parts::gravity>());

  static moreau::State<Model> start(const Model&) { return models::four_bar_start<Model>(30); }  // rad/s
};
