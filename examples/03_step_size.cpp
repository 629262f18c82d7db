// A toggle clamp at two step sizes: with a dt that is too long for the play of its pins, every step returns ok, but the
// clamp rattles instead of locking. The reach of the steps shows it and recommends a dt.
#include <moreau/port/console.hpp>

#include <cmath>

#include "models/toggle_clamp.hpp"
#include "page.hpp"

using Clamp = models::ToggleClamp<double>;
using moreau::port::print;

// One run of 0.1 s.
struct Run {
  moreau::Stepper<Clamp> machine{Clamp{}, models::open_toggle_clamp<double>()};
  examples::Motion<Clamp> motion{machine.state};
  double locked = 0, load = 0;  // s, last time without force on the stop; N, largest force on a pin in the last 20 ms
  bool advanced = true;

  explicit Run(double dt) {
    constexpr int pins = 3, stop = 3;  // contact indices: the pins, then the stop
    constexpr double seconds = 0.1;
    const long steps = std::lround(seconds / dt);
    for (long n = 0; n < steps && advanced; ++n) {
      advanced = motion.step(machine, dt).advanced();
      if (!(machine.state.P_N(stop) > 0)) locked = machine.state.time();
      for (int pin = 0; pin < pins && machine.state.time() > seconds - 0.02; ++pin)
        load = std::fmax(load, machine.contact(pin).force_N);
    }
    const auto reach = motion.reach().worst();
    print("dt ", dt, " s: locked at ", locked, " s, then ", load, " N in the pins; largest reach ", reach.value,
          " plays, pin ", reach.contact, ", ", reach.t, " s");
  }
};

int main() {
  double dt = 5e-5;  // s
  const Run first{dt};
  if (!first.motion.reach().dt_too_long()) return 1;
  dt = first.motion.reach().recommended_dt();
  print("dt is too long for the play; recommended dt ", dt, " s");
  const Run second{dt};
  const auto describe = [](auto& page) {
    page.subtitle = "example 03: pins with 0.02 to 0.04 mm of play, at the recommended dt";
    page.bodies = {"lever", "link", "ram"};
    page.contacts = {"bearing", "knee", "ram pin", "stop"};
  };
  if (!examples::page("03_step_size", "Toggle clamp", second.machine.model, second.motion, describe)) return 1;
  const bool right = second.advanced && std::abs(second.locked - 0.0144) < 7e-4;  // scatter of the impacts at the stop
  return right && !second.motion.reach().dt_too_long() ? 0 : 1;
}
