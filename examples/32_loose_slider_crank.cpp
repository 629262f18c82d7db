// A slider-crank with play in all four joints (models/loose_slider_crank.hpp): number of closed contacts, and energy
// dissipated in each joint.
// Runs on: host, target
#include <moreau/port/console.hpp>

#include "models/loose_slider_crank.hpp"
#include "page.hpp"

using Real = float;
using moreau::port::print;

using Loose = models::LooseSliderCrankParts<Real>;
using Model = moreau::Mechanism<Loose>;

// Dissipation per joint and largest penetration of all joints.
struct Joints {
  Real dissipated[4] = {}, worst_gap{0};  // J, m

  template <class Joint>
  void add(int i, Joint joint, const Model& model, const moreau::State<Model>& before,
           const moreau::State<Model>& after) {
    const auto out = joint_output(model, joint, before, after);
    dissipated[i] += out.dissipated;
    if (out.g_N < worst_gap) worst_gap = out.g_N;
  }
  void operator()(const Model& model, const moreau::State<Model>& before, const moreau::State<Model>& after) {
    add(0, &Loose::bearing, model, before, after);
    add(1, &Loose::crank_pin, model, before, after);
    add(2, &Loose::wrist_pin, model, before, after);
    add(3, &Loose::guide, model, before, after);
  }
};

// All pins centred, the crank at 60 rad/s.
moreau::State<Model> centred() {
  return models::centred_at_angles(Model{}, models::SliderCrank<Real>{}, {0, 0, 0}, {60, -30, 0});
}

int main() {
  moreau::Stepper machine{Model{}, centred()};
  examples::Motion motion{machine.state};
  Joints joints;
  int closed[8] = {}, fallbacks = 0;
  for (int n = 0; n < 50000; ++n) {
    const auto before = machine.state;
    const auto report = motion.step(machine, Real(2e-5));
    if (!report.advanced()) {
      print("step ", n, ": ", moreau::name(report.status));
      return 1;
    }
    ++closed[report.active];
    fallbacks += report.fallbacks;
    joints(machine.model, before, machine.state);
  }
  print("1 s, crank at ", machine.model.body_state(machine.state, Loose::crank).omega, " rad/s; largest penetration ",
        -joints.worst_gap, " m; fallbacks ", fallbacks);
  print("dissipated in the bearing ", joints.dissipated[0], ", crank pin ", joints.dissipated[1], ", wrist pin ",
        joints.dissipated[2], ", guide ", joints.dissipated[3], " J");
  for (int k = 0; k < 8; ++k) print("  ", k, " contacts closed in ", closed[k], " steps");
  const auto describe = [](auto& page) {
    page.subtitle = "example 32: play in the guide and in all three pins, steps of 20 us, in float";
    page.bodies = {"crank", "rod", "slider"};
    page.contacts = {"bearing", "crank pin", "wrist pin", "corner 1", "corner 2", "corner 3", "corner 4"};
  };
  return examples::page("32_loose_slider_crank", "Slider-crank with play in all joints", machine.model, motion,
                        describe)
             ? 0
             : 1;
}
