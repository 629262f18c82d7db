// A gantry carries a slab that is loose in its gripper. The carriage follows position commands with limited speed and
// acceleration. Printed: the force that the drive must supply, and the impacts of the slab, at three accelerations.
// Runs on: host, target
#include <moreau/mechanism.hpp>
#include <moreau/port/console.hpp>

struct Gantry {
  using Real = float;
  enum Names { carriage, slab, bodies };
  moreau::Body<Real> body[bodies] = {{4, 0.1f}, {1, 5e-3f}};  // kg, kg m^2
  moreau::Prismatic<Real, moreau::ground, carriage> rail;
  moreau::Prismatic<Real, carriage, slab> table;  // the slab slides on the carriage
  moreau::LinearDrive<Real, moreau::ground, carriage, moreau::CommandedPosition<Real>> drive;
  moreau::PointOnLine<Real, carriage, slab> left, right;  // the jaws of the gripper, 0.2 mm apart from the slab
  moreau::SlidingFriction<Real, carriage, slab> pad{{1, 0}, {}, 2};  // N
  auto parts() const { return std::tie(rail, table, drive, left, right, pad); }

  explicit Gantry(Real acceleration) {
    drive.law = {0, 0.5f, acceleration};  // m, m/s, m/s^2
    left.on_A = {-1e-4f, 0}, left.normal = {1, 0};
    right.on_A = {1e-4f, 0}, right.normal = {-1, 0};
    left.law.eps_N = right.law.eps_N = 0.3f;
  }
};
using Machine = moreau::Mechanism<Gantry>;
constexpr auto place = Machine::slide_of<Machine::carriage>;

int main() {
  for (const float acceleration : {1.0f, 5.0f, 20.0f}) {
    moreau::Stepper machine{Machine{Gantry(acceleration)}, moreau::State<Machine>{}};
    float largest = 0;
    int impacts = 0;
    bool closed = false;
    for (int n = 0; n < 20000; ++n) {  // 2 s
      if (n == 0) machine.model.drive.law.position = 0.2f;
      if (n == 10000) machine.model.drive.law.position = 0.05f;
      const auto before = machine.state;
      if (!machine.step(1e-4f).advanced()) return 1;
      const auto drive = joint_output(machine.model, &Gantry::drive, before, machine.state);
      if (drive.load.force.x > largest) largest = drive.load.force.x;
      const bool touches = machine.contact(0).closed || machine.contact(1).closed;
      if (touches && !closed) ++impacts;
      closed = touches;
    }
    moreau::port::print("acceleration ", acceleration, " m/s^2: largest drive force ", largest, " N, impacts ", impacts,
                        ", position ", machine.state.q(place), " m");
    const float error = machine.state.q(place) - 0.05f;
    if (error > 1e-5f || error < -1e-5f) return 1;
  }
}
