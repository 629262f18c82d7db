// Woodpecker toy with unknown play, restitution, friction and spring, observed by a laser and an angle sensor.
#pragma once
#include "models/woodpecker.hpp"
#include "plan.hpp"

namespace identification {

struct Toy : models::Woodpecker<double> {
  static constexpr bool second_order = true;
};

struct Woodpecker {
  using Model = Toy;
  using State = moreau::State<Toy>;
  using Description = moreau::identify::Description<Toy, 4, 2, 1>;
  static constexpr Plan plan{0.6, 2e-4, 0.2};

  static Description description() {
    using namespace moreau::identify;
    Description d{"woodpecker"};
    d.dt = 2e-4;
    d.parameter("r_M", "m", range(0.0028, 0.0036), &Toy::r_M);
    d.parameter("eps_beak", "1", range(0.2, 0.8), &Toy::eps_beak);
    d.parameter("mu", "1", range(0.15, 0.5), &Toy::mu);
    d.parameter("c_phi", "N m/rad", range(0.004, 0.008), &Toy::c_phi);
    d.measured("y", "m", height, noise(5e-6));
    d.measured("phi_S", "rad", angle, noise(2e-3));
    d.start = start;
    return d;
  }
  static double height(const Toy&, const State& s) { return s.q(0); }
  static double angle(const Toy&, const State& s) { return s.q(2); }

  // The sensors determine height and angle; the tilt of the sleeve is anywhere within its play.
  static State start(const Toy& toy, const moreau::identify::Reading& first, moreau::identify::Draw& draw) {
    State start;
    const double most = (toy.r_M - toy.r_O) / toy.h_M;
    start.q << first.value[0], most * draw.uniform(-1, 1), first.value[1];
    start.u << first.rate[0] + draw.normal(0.005), draw.normal(5), first.rate[1] + draw.normal(0.5);
    return start;
  }

  // Fault of the model: an inertia with an error of 5 %.
  static void disturb(Toy& toy) { toy.J_S *= 1.05; }

  // The simulated machine.
  static std::vector<double> usual() {
    const Toy toy;
    return {toy.r_M, toy.eps_beak, toy.mu, toy.c_phi};
  }
  static State begin(const Toy& toy) { return models::state_at<Toy>(toy.start()); }
  static double control(const State&) { return 0; }
};

}  // namespace identification
