// A slider-crank that is loose everywhere: play in the guide and in all three pins. Seven contacts, nine degrees of
// freedom; only the types of three parts differ from models/slider_crank_parts.hpp. A motor holds the speed.
// Runs on: host, target
#include <moreau/port/console.hpp>

#include "models/slider_crank_parts.hpp"
#include "page.hpp"

using Real = float;
using moreau::port::print;

struct Loose {
  using Real = ::Real;
  enum Names { crank, rod, slider, bodies };
  static constexpr bool endless = true;

  moreau::Body<Real> body[bodies];
  moreau::RevoluteClearance<Real, moreau::ground, crank> bearing;
  moreau::RevoluteClearance<Real, crank, rod> crank_pin;
  moreau::RevoluteClearance<Real, rod, slider> wrist_pin;
  moreau::PrismaticClearance<Real, moreau::ground, slider> guide;
  moreau::Motor<Real, moreau::ground, crank> motor;
  moreau::Gravity<Real> gravity;
  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, guide, motor, gravity); }

  Loose() {
    const models::SliderCrankParts<Real> tight;
    for (int b = 0; b < bodies; ++b) body[b] = tight.body[b];
    body[slider].J = 7.9e-5f;  // of a slab of its size, kg m^2
    const auto loosen = [](auto& pin, const auto& ideal) {
      pin.on_A = ideal.on_A;
      pin.on_B = ideal.on_B;
      pin.play = 2e-4f;    // m
      pin.radius = 8e-3f;  // m
      pin.law = {0.3f, 0, 0.05f};
    };
    loosen(bearing, tight.bearing);
    loosen(crank_pin, tight.crank_pin);
    loosen(wrist_pin, tight.wrist_pin);
    guide = tight.guide;
    motor.damping = 0.02f;                 // N m s
    motor.torque = motor.damping * 60.0f;  // runs towards 60 rad/s
  }
};

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
