// A gear pair with backlash under a reversing motor, as on a HIL test bench. The position controller measures the motor
// angle; the load follows with a backlash of 0.2 mm. Printed: the impacts when the flanks change.
// Runs on: host, target
#include <moreau/port/console.hpp>

#include <cmath>

#include "models/gear_drive.hpp"
#include "models/gear_drive_figures.hpp"
#include "page.hpp"

using Real = float;
using moreau::port::print;

// The drive of the model, with friction in the wheel's seal.
struct SealedDrive : models::GearDriveParts<Real> {
  moreau::TurningFriction<Real, moreau::ground, wheel> seal{0.05f};  // N m
  auto parts() const { return std::tie(motor_shaft, load_shaft, mesh, motor, seal); }
};
using Drive = moreau::Mechanism<SealedDrive>;
constexpr auto motor = Drive::angle_of<Drive::pinion>, load = Drive::angle_of<Drive::wheel>;

// Position controller of the pinion: target angle in rad, result in N m, at most 0.1 N m.
Real torque(Real target, const moreau::State<Drive>& s) {
  const Real demand = Real(0.05) * (target - s.q(motor)) - Real(0.004) * s.u(motor);
  return demand > Real(0.1) ? Real(0.1) : (demand < Real(-0.1) ? Real(-0.1) : demand);
}

struct Impacts {
  int count = 0;
  Real hardest{0}, lag{0};  // N s; m along the line of action
  bool closed = false;

  template <class Mesh>
  void operator()(const Mesh& mesh, const moreau::State<Drive>& s) {
    if (mesh.closed != 0 && !closed) ++count;
    closed = mesh.closed != 0;
    const Real P = s.P_N(0) + s.P_N(1);
    if (P > hardest) hardest = P;
    const Real distance = std::abs(Real(0.02) * s.q(motor) + Real(0.08) * s.q(load));
    if (distance > lag) lag = distance;
  }
};

int main() {
  moreau::Stepper machine{Drive{}, models::gear_drive_start(Drive{})};
  Impacts impacts;
  examples::Motion motion{machine.state};
  for (int n = 0; n < 20000; ++n) {
    const Real target = (n / 5000) % 2 == 0 ? Real(6) : Real(0);  // rad, alternating every 0.5 s
    machine.model.motor.torque = torque(target, machine.state);
    const auto before = machine.state;
    const auto report = motion.step(machine, Real(1e-4));  // s
    if (!report.advanced()) {
      print("step ", n, ": ", moreau::name(report.status));
      return 1;
    }
    const auto mesh = joint_output(machine.model, &SealedDrive::mesh, before, machine.state);
    impacts(mesh, machine.state);
    if (n % 2500 == 2499)
      print("t ", machine.state.time(), " s  motor ", machine.state.q(motor), " rad  load ", machine.state.q(load),
            " rad  teeth ", moreau::name(configuration(machine.model.mesh, mesh)), "  impacts ", impacts.count,
            "  hardest ", impacts.hardest, " N s");
  }
  const Real play = machine.model.mesh.play;
  print("largest lag of the load ", impacts.lag, " m, play to either side ", play, " m");
  const auto describe = [](auto& page) {
    page.subtitle = "example 34: reversing motor, steps of 0.1 ms, in float";
    models::gear_drive_figures<Drive>(page);
  };
  if (!examples::page("34_gear_backlash", "Gears with backlash", machine.model, motion, describe)) return 1;
  return impacts.lag < Real(1.1) * play && impacts.count > 4 ? 0 : 1;
}
