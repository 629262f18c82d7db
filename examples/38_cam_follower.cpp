// Cam with a roller follower, driven at three speeds: contact force and lift-off. The spring holds the roller on the cam
// up to the speed at which the force m y" + k (y + preload) vanishes at the nose of the cam.
// Runs on: host, target
#include "models/cam_follower.hpp"

#include <moreau/port/console.hpp>

#include "page.hpp"

using Real = float;
using Cam = models::CamFollower<Real>;
using moreau::port::print;

int main() {
  bool ok = true;
  for (const Real speed : {20.0f, 100.0f, 140.0f}) {
    Cam model;
    model.drive.law.speed = speed;
    moreau::Stepper machine{model, models::cam_follower_start(model)};
    examples::Motion motion{machine.state};
    const Real dt{5e-5f};
    Real smallest = 1e9f, largest = 0, gap = 0;
    for (int n = 0; n < 8000; ++n) {  // 0.4 s
      const auto before = machine.state;
      const auto report = machine.step(dt);
      if (!report.advanced()) return 1;
      motion(machine.state, report);
      if (n < 100) continue;  // the first touch
      const auto roller = joint_output(machine.model, &Cam::roller, before, machine.state);
      if (roller.load.force.y < smallest) smallest = roller.load.force.y;
      if (roller.load.force.y > largest) largest = roller.load.force.y;
      if (roller.g_N > gap) gap = roller.g_N;
    }
    // At the nose y" = -lift / 2 (lobes speed)^2.
    const Real nose = 800 * (0.02f + 0.038f) - 0.2f * 0.004f * 4 * speed * speed;
    print("cam at ", speed, " rad/s: force ", smallest, "..", largest, " N, at the nose ", nose, " N, largest gap ",
          gap, " m");
    ok = ok && (nose > 0) == (gap < 2e-5f);
    const auto describe = [](auto& page) {
      page.subtitle = "example 38: 20 rad/s, steps of 0.05 ms, in float";
      page.bodies = {"cam", "follower"};
    };
    if (speed == 20.0f)
      ok = examples::page("38_cam_follower", "Cam with a roller follower", machine.model, motion, describe) && ok;
  }
  return ok ? 0 : 1;
}
