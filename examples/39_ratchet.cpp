// A ratchet: the wheel turns clockwise under a small torque, and a pawl holds it against a large one. Printed: the angle
// of the wheel and the force on the pawl.
// Runs on: host, target
#include "models/ratchet.hpp"

#include <moreau/port/console.hpp>

#include "page.hpp"

using Real = float;
using Ratchet = models::Ratchet<Real>;
using moreau::port::print;

constexpr auto wheel = Ratchet::angle_of<Ratchet::wheel>;

int main() {
  Ratchet model;
  moreau::Stepper machine{model, models::ratchet_start(model)};
  examples::Motion motion{machine.state};
  for (int n = 0; n < 60000; ++n) {  // 0.6 s
    const bool forward = (n / 10000) % 2 == 0;
    machine.model.load.torque = forward ? Real(-0.2) : Real(2);  // N m
    const auto before = machine.state;
    const auto report = machine.step(Real(1e-5));
    motion(machine.state, report);
    if (!report.advanced()) {
      print("step ", n, ": ", moreau::name(report.status));
      return 1;
    }
    if (n % 10000 != 9999) continue;
    const auto tooth = joint_output(machine.model, &Ratchet::tooth, before, machine.state);
    print(forward ? "forward   " : "backward  ", "t ", machine.state.time(), " s  wheel ", machine.state.q(wheel),
          " rad  speed ", machine.state.u(wheel), " rad/s  force on the pawl ",
          moreau::sqrt(dot(tooth.load.force, tooth.load.force)), " N");
    if (forward) continue;
    // Backward, the wheel rests against a flank, at a multiple of 30 degrees.
    const Real teeth = machine.state.q(wheel) / Ratchet::pitch, rest = teeth - Real(int(teeth - Real(0.5)));
    if (rest > Real(0.01) || rest < Real(-0.01) || machine.state.u(wheel) > Real(0.01)) return 1;
  }
  const auto describe = [](auto& page) {
    page.subtitle = "example 39: steps of 0.01 ms, in float";
    page.bodies = {"wheel", "pawl"};
  };
  return examples::page("39_ratchet", "Ratchet", machine.model, motion, describe) ? 0 : 1;
}
