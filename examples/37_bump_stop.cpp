// A sliding gate of 20 kg runs into its end stop at 0.8 m/s: rubber buffers of several dampings, and a rigid stop.
// Printed: largest force, depth and rebound. A rigid contact has no finite force: its mean over a step depends on dt.
// Runs on: host, target
#include <moreau/mechanism.hpp>
#include <moreau/port/console.hpp>

struct Gate {
  using Real = float;
  enum Names { gate, bodies };
  moreau::Body<Real> body[bodies] = {{20, 3}};  // kg, kg m^2
  moreau::Prismatic<Real, moreau::ground, gate> rail;
  moreau::BumpStop<Real, moreau::ground, gate> buffer{{}, {-1, 0}, {0.5f, 0}};   // at the right edge of the gate
  moreau::PointOnLine<Real, moreau::ground, gate> stop{{}, {-1, 0}, {0.5f, 0}};  // behind the buffer
  auto parts() const { return std::tie(rail, buffer, stop); }

  Gate(Real damping, Real reserve) {
    buffer.stiffness = 2e4f;   // N/m
    buffer.damping = damping;  // N s/m
    stop.on_A.x = reserve;     // m, travel of the buffer
    stop.law.eps_N = 0.3f;
  }
};
using Machine = moreau::Mechanism<Gate>;
constexpr auto travel = Machine::slide_of<Machine::gate>;

bool run(const char* name, const Gate& gate, float dt) {
  moreau::State<Machine> start;
  start.q(travel) = -0.6f;  // m: the edge is 0.1 m before the buffer
  start.u(travel) = 0.8f;
  moreau::Stepper machine{Machine{gate}, start};
  float largest = 0, deepest = 0;
  for (float t = 0; t < 0.5f; t += dt) {
    const float u = machine.state.u(travel);
    if (!machine.step(dt).advanced()) return false;
    const float force = (u - machine.state.u(travel)) * 20 / dt, depth = machine.state.q(travel) + 0.5f;
    if (force > largest) largest = force;
    if (depth > deepest) deepest = depth;
  }
  moreau::port::print(name, ", dt ", dt, " s: largest force ", largest, " N, depth ", deepest, " m, rebound ",
                      -machine.state.u(travel), " m/s");
  return machine.state.u(travel) < 0;
}

int main() {
  bool ok = true;
  for (const float dt : {1e-4f, 1e-5f}) {
    ok = run("soft buffer", Gate(100, 1), dt) && ok;
    ok = run("damped buffer", Gate(700, 1), dt) && ok;
    ok = run("short buffer", Gate(100, 0.01f), dt) && ok;
    ok = run("rigid stop", Gate(0, 0), dt) && ok;
  }
  return ok ? 0 : 1;
}
