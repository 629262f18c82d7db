// Gear pair with backlash: a motor drives the pinion; the load is the inertia and the damping of the wheel.
//
// s = r_A phi_pinion + r_B phi_wheel lead along the line of action
//   g_N,0 = play - s,   g_N,1 = play + s          upper and lower flank
#pragma once
#include <moreau/mechanism.hpp>

namespace models {

template <class R>
struct GearDriveParts {
  using Real = R;
  enum Names { pinion, wheel, bodies };

  moreau::Body<R> body[bodies] = {{R(0.2), R(5e-5)}, {R(2), R(4e-3)}};  // kg, kg m^2
  typename moreau::Revolute<R, moreau::ground, pinion>::AtCentre motor_shaft;
  typename moreau::Revolute<R, moreau::ground, wheel>::AtCentre load_shaft{{R(0.1), R(0)}};
  moreau::Backlash<R, pinion, wheel> mesh;
  moreau::Motor<R, moreau::ground, pinion> motor;
  moreau::Motor<R, moreau::ground, wheel> load;

  auto parts() const { return std::tie(motor_shaft, load_shaft, mesh, motor, load); }

  GearDriveParts() {
    mesh.r_A = R(0.02);  // m, base radii
    mesh.r_B = R(0.08);
    mesh.play = R(1e-4);  // m along the line of action, to either side
    mesh.law.eps_N = R(0.3);
    motor.damping = R(1e-4);  // N m s
    load.damping = R(1e-3);
  }
};

template <class R>
using GearDrive = moreau::Mechanism<GearDriveParts<R>>;

// At rest, the teeth in the middle of their backlash.
template <class Model>
moreau::State<Model> gear_drive_start(const Model&) {
  return {};
}

}  // namespace models
