// Slider with play on a fixed rod (CSS, section 3), pulled along the rod by a force with a lever arm.
//
//   q = (x, y, theta)                     centre of mass and angle of the slider
//   g_N = c + (y -+ l sin theta)          contacts 0, 1: left, right end below the rod's axis
//   g_N = c - (y -+ l sin theta)          contacts 2, 3: left, right end above it
//
// The contacts are at the ends of the slider's centre line, at a distance l from its centre; c is the play to either
// side.
//
// Differences from the paper (its Phi <= 0 is -g_N here, its multiplier mu is the normal force):
// - Each end has one signed gap per side. The distance (17) has no sign, and its derivative is discontinuous on the
//   axis, where the slider starts.
// - There is no row for the angle. The paper adds |theta| <= c / (2 l) to (19), but the first two rows alone allow
//   theta = asin(c / l). With the third row the rotation would stop without contact at either end.
// - The step is Moreau's, at fixed dt, instead of an optimisation over the step size and the multipliers (14).
#pragma once
#include "start.hpp"

namespace models {

template <class R>
struct PrismaticJoint {
  using Real = R;
  static constexpr int dof = 3, contacts = 4, tangents = 0;
  static constexpr bool constant_mass = true;
  using Vector = moreau::Vector<Real, 3>;
  using Matrix = moreau::Matrix<Real, 3, 3>;

  Real m{5}, J{8e-4};  // mass, kg, and moment of inertia, kg m^2
  Real l{0.01};        // half length of the slider, m
  Real c{1e-5};        // play to either side of the rod's axis, m
  Real f_x{50};        // pulling force, N
  Real s_f{0};         // lever arm of the force: distance below the centre in the slider's frame, m
  Real gravity{9.81};  // m/s^2
  Real eps_N{0};       // normal restitution

  struct At {
    Real y, sin, cos;
  };
  At at(const Vector& q, Real) const {
    const auto theta = moreau::sincos(q(2));
    return {q(1), theta.sin, theta.cos};
  }

  Matrix mass(const At&) const {
    Matrix M = Matrix::Zero();
    M(0, 0) = M(1, 1) = m;
    M(2, 2) = J;
    return M;
  }
  Vector force(const At& s, const Vector&) const { return Vector(f_x, -m * gravity, f_x * s_f * s.cos); }
  Real gap(int i, const At& s) const { return c + below(i) * (s.y + right(i) * l * s.sin); }
  moreau::Directions<Real, 3, 0> directions(int i, const At& s) const {
    moreau::Directions<Real, 3, 0> d{};
    d.w_N = Vector(Real(0), below(i), below(i) * right(i) * l * s.cos);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {eps_N, Real(0), Real(0)}; }

  // The paper's cases: 1 without lever arm, 2 with a lever arm of 0.5 mm, 3 with 10 mm and without gravity.
  static PrismaticJoint paper_case(int number) {
    PrismaticJoint joint;
    if (number == 2) joint.s_f = Real(5e-4);
    if (number == 3) joint.s_f = Real(0.01), joint.gravity = Real(0);
    return joint;
  }
  Start<Real, 3> start() const { return {Vector::Zero(), Vector::Zero()}; }

  // Pose and shapes of the picture: the centre line of the slider between the limits of its play.
  std::array<moreau::Frame<Real>, 1> poses(const Vector& q) const {
    return {moreau::Frame<Real>::at({q(0), q(1)}, q(2))};
  }
  Vector nominal(const Vector& q) const { return Vector(q(0), Real(0), Real(0)); }
  template <class Picture>
  void shapes(Picture& draw) const {
    draw.bodies({"slider"});
    const int rod = draw.guide(moreau::ground, {0, 0}, {1, 0}, 0, c, 0, 0, {0, 0}, l);
    draw.capsule(0, {-l, 0}, {l, 0}, 1e-4);
    draw.line(0, {{0, 0}, {0, -s_f}}), draw.line(0, {{0, -s_f}, {l / 3, -s_f}});  // point and direction of the force
    const char* ends[] = {"left end below", "right end below", "left end above", "right end above"};
    for (int i = 0; i < 4; ++i) draw.contact(ends[i], 0, {right(i) * l, 0}, rod, i < 2 ? -1 : 1);
  }

  static Real below(int i) { return i < 2 ? Real(1) : Real(-1); }       // side of the axis
  static Real right(int i) { return i % 2 == 1 ? Real(1) : Real(-1); }  // end of the slider
};

// The same joint with position correction: after every step with a percussion the penetration is at most 1 nm, for any
// step size. The remaining penetration keeps a closed contact closed despite rounding errors.
template <class R>
struct CorrectedPrismaticJoint : PrismaticJoint<R> {
  R rest_depth{1e-9};  // m
  R allowed_penetration(int) const { return rest_depth; }
};

}  // namespace models
