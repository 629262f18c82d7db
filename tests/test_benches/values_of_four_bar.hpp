#pragma once
#include "test_benches/four_bar.hpp"

inline auto& input_of(FourBarBench::Model& model) { return model.motor.torque; }

template <class Stepper, class State, class Check>
void values_of(const Stepper& stepper, const State& before, const Check& check) {
  const auto out = joint_output(stepper.model, &Stepper::Model::rocker_pin, before, stepper.state);
  check("rocker_pin.g_N", out.g_N);
  check("rocker_pin.play_used", out.play_used);
  check("rocker_pin.closed", out.closed);
  check("rocker_pin.dissipated", out.dissipated);
  const bool stepped = stepper.state.clock.dt > 0;  // 0 N s in 0 s are no load
  check("rocker_pin.load_y", stepped ? out.load.force.y : 0);
  check("rocker_pin.moment", stepped ? out.load.moment : 0);
}
