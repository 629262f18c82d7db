// The simplest contact: a block of 1 kg on a floor, without rotation.
#pragma once
#include "race.hpp"
#include "systems.hpp"

namespace peers {

//   q = (x, y): along the floor, above it
struct Block {
  using Real = double;
  static constexpr int dof = 2, contacts = 1;
  static constexpr bool constant_mass = true;
  using Vector = moreau::Vector<double, 2>;

  double mass_of_block = 1;    // kg
  double gravity = 9.81;       // m/s^2
  double pull = 0;             // N, along the floor
  double eps = 0.4, mu = 0.5;  // restitution, friction

  moreau::Matrix<double, 2, 2> mass(const Vector&, double) const {
    return mass_of_block * moreau::Matrix<double, 2, 2>::Identity();
  }
  Vector force(const Vector&, const Vector&, double) const { return Vector(pull, -mass_of_block * gravity); }
  double gap(int, const Vector& q, double) const { return q(1); }
  moreau::Directions<double, 2> directions(int, const Vector&, double) const {
    moreau::Directions<double, 2> d;
    d.w_N = Vector(0, 1);
    d.w_T = Vector(1, 0);
    return d;
  }
  moreau::ContactLaw<double> law(int) const { return {eps, 0, mu}; }
};
using BlockStart = models::Start<double, 2>;

// Ratio of the velocities after and before an impact at 1 m/s: minimum and maximum over impacts at eight instants of
// a step.
struct Rebound {
  double least = 1e300, most = -1e300, mean = 0;
};
template <class Make>
Rebound rebound(Make make, double h) {
  Block block;
  block.gravity = 0;
  Rebound found;
  constexpr int phases = 8;
  for (int phase = 0; phase < phases; ++phase) {
    auto&& machine = make(block, BlockStart{{0, 2e-3 + h * phase / phases}, {0, -1}}, h);
    for (int n = 0; n < std::lround(10e-3 / h); ++n)
      if (!machine.step(h).advanced()) return {};
    const double v = machine.state.u(1);
    found.least = std::min(found.least, v);
    found.most = std::max(found.most, v);
    found.mean += v / phases;
  }
  return found;
}

// Simulates this number of seconds; calls `after` for each step. False if a step was rejected.
template <class Machine, class After>
bool steps(Machine& machine, double seconds, After after) {
  for (int n = 0; n < std::lround(seconds / dt); ++n) {
    if (!machine.step(dt).advanced()) return false;
    after();
  }
  return true;
}

// make(block, start, h) returns a machine.
template <class Make>
void probe(const Entrant& who, Make make) {
  constexpr double settling = 0.2;  // s
  const auto nothing = [] {};
  Block held;
  held.pull = 0.95 * held.mu * held.mass_of_block * held.gravity;
  auto&& resting = make(held, BlockStart{{0, 0}, {0, 0}}, dt);
  bool advanced = steps(resting, settling, nothing);
  const double before = resting.state.q(0);
  advanced = advanced && steps(resting, 1, nothing);

  const double speed = 2;  // m/s; the block stops after 0.4 s
  double highest = 0, lowest = 0;
  auto&& sliding = make(Block{}, BlockStart{{0, 0}, {speed, 0}}, dt);
  advanced = advanced && steps(sliding, settling, nothing) && steps(sliding, 0.1, [&] {
               highest = std::max(highest, double(sliding.state.q(1)));
               lowest = std::min(lowest, double(sliding.state.q(1)));
             });

  const Rebound r = rebound(make, dt);
  Line line("probes", who);
  if (!advanced) {
    line << "stopped";
    return;
  }
  line << resting.state.q(0) - before << lowest << highest << r.least << r.mean << r.most;
}

}  // namespace peers
