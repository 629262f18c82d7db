// A gear pair with backlash under a reversing motor, as a HIL bench runs it: a position controller sees the motor, the
// load is behind 0.2 mm of backlash. What the controller does not see is printed: the hammering when the flanks change.
// Runs on: host, target
#include <moreau/port/console.hpp>

#include <cmath>

#include "models/gear_drive.hpp"
#include "page.hpp"

using Real = float;
using moreau::port::print;

// The drive of the model, its wheel in a seal that rubs.
struct SealedDrive : models::GearDriveParts<Real> {
  moreau::TurningFriction<Real, moreau::ground, wheel> seal{0.05f};  // N m
  auto parts() const { return std::tie(motor_shaft, load_shaft, mesh, motor, seal); }
};

int main() {
  using Drive = moreau::Mechanism<SealedDrive>;
  moreau::Stepper bench{Drive{}, models::gear_drive_start(Drive{})};
  const Real h{1e-4};
  int impacts = 0;
  Real hardest{0}, lag{0};
  bool was_closed = false;
  examples::Motion<Drive> motion;
  for (int n = 0; n < 20000; ++n) {
    const Real wanted = (n / 5000) % 2 == 0 ? Real(6) : Real(0);  // rad of the pinion, back and forth every 0.5 s
    const Real torque = Real(0.05) * (wanted - bench.state.q(2)) - Real(0.004) * bench.state.u(2);
    bench.model.motor.torque = torque > Real(0.1) ? Real(0.1) : (torque < Real(-0.1) ? Real(-0.1) : torque);
    const auto before = bench.state;
    const auto report = motion.step(bench, h);
    if (!report.advanced()) {
      print("step ", n, ": ", moreau::name(report.status));
      return 1;
    }
    const auto mesh = joint_output(bench.model, &SealedDrive::mesh, before, bench.state);
    if (mesh.closed != 0 && !was_closed) ++impacts;
    was_closed = mesh.closed != 0;
    const Real P = bench.state.P_N(0) + bench.state.P_N(1);
    if (P > hardest) hardest = P;
    const Real s = Real(0.02) * bench.state.q(2) + Real(0.08) * bench.state.q(5);
    if (std::abs(s) > lag) lag = std::abs(s);
    if (n % 2500 == 2499)
      print("t ", bench.state.time(), " s  motor ", bench.state.q(2), " rad  load ", bench.state.q(5), " rad  teeth ",
            moreau::name(configuration(bench.model.mesh, mesh)), "  impacts so far ", impacts, "  hardest ", hardest,
            " N s");
  }
  print("the load lags by at most ", lag, " m of the ", bench.model.mesh.play, " m there are");
  const auto says = [](auto& page) {
    page.subtitle = "example 34: reversing motor, steps of 0.1 ms, in float";
    page.bodies = {"pinion", "wheel"};
    page.output("angle of the motor", "rad", [](const auto& q, const auto&, double) { return q(2); });
    page.output("angle of the load", "rad", [](const auto& q, const auto&, double) { return q(5); });
    page.output("lead of the load", "m", [](const auto& q, const auto&, double) {
      return 0.02 * static_cast<double>(q(2)) + 0.08 * static_cast<double>(q(5));
    });
    page.quantity("speed of the lead", "m/s", [](const auto&, const auto& u, double) {
      return 0.02 * static_cast<double>(u(2)) + 0.08 * static_cast<double>(u(5));
    });
    page.figure("Between the flanks", {{"lead of the load"}, -1.1e-4, 1.1e-4}, {{"speed of the lead"}});
    page.figure("Motor and load", {{"t"}, 0, 2}, {{"angle of the motor", "angle of the load"}, -3, 8});
    page.phase("lead of the load", "speed of the lead");
  };
  if (!examples::page("34_gear_backlash", "Gears with backlash", bench.model, motion, says)) return 1;
  return lag < Real(1.1) * bench.model.mesh.play && impacts > 4 ? 0 : 1;
}
