#pragma once
#include "test_benches/crank.hpp"

inline auto& input_of(CrankBench::Model& model) { return model.motor.torque; }

template <class Stepper, class State, class Check>
void values_of(const Stepper& stepper, const State& before, const Check& check) {
  const auto out = joint_output(stepper.model, &Stepper::Model::guide, before, stepper.state);
  check("guide.g_N", out.g_N);
  check("guide.play_used", out.play_used);
  check("guide.closed", out.closed);
  check("guide.dissipated", out.dissipated);
  const bool stepped = stepper.state.clock.dt > 0;  // 0 N s in 0 s are no load
  check("guide.load_y", stepped ? out.load.force.y : 0);
  check("guide.moment", stepped ? out.load.moment : 0);
}
