// A slider-crank that is loose everywhere (models/loose_slider_crank.hpp): how often its contacts meet, and what is lost
// in each joint.
// Runs on: host, target
#include <moreau/port/console.hpp>

#include "models/loose_slider_crank.hpp"
#include "page.hpp"

using Real = float;
using moreau::port::print;

using Loose = models::LooseSliderCrankParts<Real>;

int main() {
  using Model = moreau::Mechanism<Loose>;
  const models::SliderCrank<Real> hand;
  const auto centred = models::from_angles(hand, {0, 0, 0}, {60, -30, 0});
  moreau::State<Model> start;
  start.q = centred.q;
  start.u = centred.u;
  moreau::Stepper machine{Model{}, start};
  examples::Motion<Model> motion;
  int together[8] = {}, fallbacks = 0;
  Real lost[4] = {}, worst_gap{0};
  for (int n = 0; n < 50000; ++n) {
    const auto before = machine.state;
    const auto report = motion.step(machine, Real(2e-5));
    if (!report.advanced()) {
      print("step ", n, ": ", moreau::name(report.status));
      return 1;
    }
    ++together[report.active];
    fallbacks += report.fallbacks;
    const auto add = [&](int i, auto joint) {
      const auto out = joint_output(machine.model, joint, before, machine.state);
      lost[i] += out.dissipated;
      if (out.g_N < worst_gap) worst_gap = out.g_N;
    };
    add(0, &Loose::bearing);
    add(1, &Loose::crank_pin);
    add(2, &Loose::wrist_pin);
    add(3, &Loose::guide);
  }
  print("1 s, crank at ", machine.state.u(2), " rad/s; deepest overlap ", worst_gap, " m; fallbacks ", fallbacks);
  print("lost in the bearing ", lost[0], ", crank pin ", lost[1], ", wrist pin ", lost[2], ", guide ", lost[3], " J");
  for (int k = 0; k < 8; ++k) print("  ", k, " contacts closed in ", together[k], " steps");
  const auto says = [](auto& page) {
    page.subtitle = "example 32: play in the guide and in all three pins, steps of 20 us, in float";
    page.bodies = {"crank", "rod", "slider"};
    page.contacts = {"bearing", "crank pin", "wrist pin", "corner 1", "corner 2", "corner 3", "corner 4"};
  };
  return examples::page("32_loose_slider_crank", "Slider-crank, loose everywhere", machine.model, motion, says) ? 0 : 1;
}
