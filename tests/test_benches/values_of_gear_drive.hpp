#pragma once
#include "test_benches/gear_drive.hpp"

inline auto& input_of(GearDriveBench::Model& model) { return model.motor.torque; }

template <class Stepper, class State, class Check>
void values_of(const Stepper& stepper, const State& before, const Check& check) {
  const auto out = joint_output(stepper.model, &Stepper::Model::mesh, before, stepper.state);
  check("mesh.g_N", out.g_N);
  check("mesh.play_used", out.play_used);
  check("mesh.closed", out.closed);
  check("mesh.dissipated", out.dissipated);
  const bool stepped = stepper.state.clock.dt > 0;  // 0 N s in 0 s are no load
  check("mesh.load_y", stepped ? out.load.force.y : 0);
  check("mesh.moment", stepped ? out.load.moment : 0);
}
