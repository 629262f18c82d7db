// Pin in a shaken fork: play, restitution, friction of the preload and mass, from the acceleration of the pin and the
// force on the fork. No position is measured.
//
//   q = x, position of the pin in the fork;   b(t): position of the fork
//   m (x'' + b'') = friction + contacts,      g_N,0 = play + x,   g_N,1 = play - x
#pragma once
#include "plan.hpp"

namespace identification {

struct Pin {
  using Real = double;
  static constexpr int dof = 1, contacts = 2, tangents = 0, frictions = 1, closed_at_once = 1;
  static constexpr bool constant_mass = true, constant_directions = true, second_order = true;
  using Vector = moreau::Vector<double, 1>;

  double m = 0.2;                                   // kg
  double play = 2e-4, eps = 0.5;                    // m
  double mu = 0.1, preload = 2;                     // N
  double A_1 = 3e-4, A_2 = 1e-4;                    // m, two harmonics of the fork
  double omega = 2 * moreau::pi<double> * 25;       // rad/s
  static constexpr double ratio = 2.23, phase = 1;  // of the second harmonic

  double fork_speed(double t) const {
    return A_1 * omega * moreau::cos(omega * t) + A_2 * ratio * omega * moreau::cos(ratio * omega * t + phase);
  }
  double fork_acceleration(double t) const {
    const double second = ratio * omega;
    return -A_1 * omega * omega * moreau::sin(omega * t) - A_2 * second * second * moreau::sin(second * t + phase);
  }
  moreau::Matrix<double, 1, 1> mass(const Vector&, double) const { return moreau::Matrix<double, 1, 1>(m); }
  Vector force(const Vector&, const Vector&, double t) const { return Vector(-m * fork_acceleration(t)); }
  double gap(int i, const Vector& q, double) const { return i == 0 ? play + q(0) : play - q(0); }
  moreau::Directions<double, 1, 0> directions(int i, const Vector&, double) const {
    moreau::Directions<double, 1, 0> d{};
    d.w_N(0) = i == 0 ? 1 : -1;
    return d;
  }
  moreau::ContactLaw<double> law(int) const {
    moreau::ContactLaw<double> law{};
    law.eps_N = eps;
    return law;
  }
  double friction_bound(int, const Vector&, double) const { return mu * preload; }
  moreau::FrictionDirections<double, 1, 1> friction_directions(int, const Vector&, double) const {
    moreau::FrictionDirections<double, 1, 1> f{};
    f.w(0) = 1;
    return f;
  }
};

struct LoosePin {
  using Model = Pin;
  using State = moreau::State<Pin>;
  using Description = moreau::identify::Description<Pin, 4, 2, 1>;
  static constexpr Plan plan{0.6, 1e-4, 0.2};

  static Description description() {
    using namespace moreau::identify;
    Description d{"loose_pin"};
    d.dt = 1e-4;
    d.parameter("play", "m", range(5e-5, 5e-4), &Pin::play);
    d.parameter("eps", "1", range(0.1, 0.9), &Pin::eps);
    d.parameter("mu", "1", range(0, 0.4), &Pin::mu);
    d.parameter("m", "kg", range(0.1, 0.4), &Pin::m);
    d.measured("a", "m/s^2", speed, accelerometer(2000, 0.5));
    d.measured("F", "N", momentum, accelerometer(2000, 0.1));  // the force is the rate of the momentum
    d.start = start;
    return d;
  }
  static double speed(const Pin& pin, const State& s) { return s.u(0) + pin.fork_speed(s.time()); }
  static double momentum(const Pin& pin, const State& s) { return pin.m * speed(pin, s); }
  static State start(const Pin& pin, const moreau::identify::Reading&, moreau::identify::Draw& draw) {
    State s;
    s.q(0) = 0.99 * pin.play * draw.uniform(-1, 1), s.u(0) = draw.normal(0.05);
    return s;
  }

  // Fault of the model: an amplitude of the fork with an error of 5 %.
  static void disturb(Pin& pin) { pin.A_1 *= 1.05; }

  // The simulated machine.
  static std::vector<double> usual() { return {2e-4, 0.5, 0.1, 0.2}; }
  static State begin(const Pin& pin) {
    State s;
    s.q(0) = 0.3 * pin.play;
    s.set_time(-plan.before);
    return s;
  }
  static double control(const State&) { return 0; }
};

}  // namespace identification
