// Gear drive with backlash under a reversing position controller: backlash, restitution, friction of the seal, inertia of
// the load and damping of the motor, from torque and motor encoder alone.
//
//   q = (phi_m, phi_l)      s = r_A phi_m + r_B phi_l, lead along the line of action
//   g_N,0 = play + s,   g_N,1 = play - s
#pragma once
#include "plan.hpp"

namespace identification {

struct Drive {
  using Real = double;
  static constexpr int dof = 2, contacts = 2, tangents = 0, frictions = 1, closed_at_once = 1;
  static constexpr bool constant_mass = true, constant_directions = true, second_order = true;
  using Vector = moreau::Vector<double, 2>;

  double J_m = 5e-5, J_l = 4e-3;  // kg m^2
  double r_A = 0.02, r_B = 0.08;  // m, base radii
  double play = 1e-4, eps = 0.3;  // m along the line of action, to either side
  double d_m = 1e-4, d_l = 1e-3;  // N m s
  double seal = 0.05;             // N m, dry friction of the load
  double torque = 0;              // N m, of the motor

  moreau::Matrix<double, 2, 2> mass(const Vector&, double) const {
    moreau::Matrix<double, 2, 2> M;
    M << J_m, 0, 0, J_l;
    return M;
  }
  Vector force(const Vector&, const Vector& u, double) const { return Vector(torque - d_m * u(0), -d_l * u(1)); }
  double gap(int i, const Vector& q, double) const {
    const double s = r_A * q(0) + r_B * q(1);
    return i == 0 ? play + s : play - s;
  }
  moreau::Directions<double, 2, 0> directions(int i, const Vector&, double) const {
    moreau::Directions<double, 2, 0> d{};
    d.w_N = i == 0 ? Vector(r_A, r_B) : Vector(-r_A, -r_B);
    return d;
  }
  moreau::ContactLaw<double> law(int) const {
    moreau::ContactLaw<double> law{};
    law.eps_N = eps;
    return law;
  }
  double friction_bound(int, const Vector&, double) const { return seal; }
  moreau::FrictionDirections<double, 2, 1> friction_directions(int, const Vector&, double) const {
    moreau::FrictionDirections<double, 2, 1> f{};
    f.w = Vector(0, 1);
    return f;
  }
};

struct GearDrive {
  using Model = Drive;
  using State = moreau::State<Drive>;
  using Description = moreau::identify::Description<Drive, 5, 1, 1>;
  static constexpr Plan plan{0.5, 2.5e-4, 0.2};

  static Description description() {
    using namespace moreau::identify;
    Description d{"gear_drive"};
    d.dt = 2.5e-4;
    d.parameter("play", "m", range(2e-5, 4e-4), &Drive::play);
    d.parameter("eps", "1", range(0, 0.8), &Drive::eps);
    d.parameter("seal", "N m", range(0, 0.2), &Drive::seal);
    d.parameter("J_l", "kg m^2", range(1e-3, 1e-2), &Drive::J_l);
    d.parameter("d_m", "N m s", range(0, 5e-4), &Drive::d_m);
    d.input("torque", "N m", &Drive::torque);
    d.measured("phi_m", "rad", angle, encoder(4096));
    d.start = start;
    return d;
  }
  static double angle(const Drive&, const State& s) { return s.q(0); }

  // The load is anywhere within the backlash.
  static State start(const Drive& drive, const moreau::identify::Reading& first, moreau::identify::Draw& draw) {
    State s;
    s.q(0) = first.value[0] + draw.normal(2.5e-4), s.u(0) = first.rate[0] + draw.normal(0.3);
    s.q(1) = (0.99 * drive.play * draw.uniform(-1, 1) - drive.r_A * s.q(0)) / drive.r_B;
    s.u(1) = -drive.r_A / drive.r_B * s.u(0) + draw.normal(0.2);
    return s;
  }

  // Fault of the model: an inertia with an error of 5 %.
  static void disturb(Drive& drive) { drive.J_m *= 1.05; }

  // The simulated machine. Its controller reverses every 125 ms.
  static std::vector<double> usual() { return {1e-4, 0.3, 0.05, 4e-3, 1e-4}; }
  static State begin(const Drive&) { return {}; }
  static double control(const State& s) {
    const double t = s.time(), phase = t / 0.25 - std::floor(t / 0.25), target = phase < 0.5 ? 3 : 0;
    const double wanted =
        0.05 * (target - s.q(0)) - 0.002 * s.u(0) + 0.02 * moreau::sin(2 * moreau::pi<double> * 17 * t);
    return std::max(-0.1, std::min(0.1, wanted));
  }
};

}  // namespace identification
