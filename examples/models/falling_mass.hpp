// Mass that falls on a table and bounces to rest (SLG08, section 10.1).
//
//   m z" = -m g + lambda_N,   g_N = z >= 0,   xi_N = z'(+) + eps_N z'(-)
//
//   t_1 = sqrt(2 z_0 / g),   t_n = t_1 + 2 t_1 (eps - eps^n) / (1 - eps)     impact times
//
// The impact times accumulate at t_1 (1 + eps) / (1 - eps).
#pragma once
#include "start.hpp"

namespace models {

template <class R>
struct FallingMass {
  using Real = R;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  static constexpr bool constant_mass = true, symmetric_steps = true;
  using Vector = moreau::Vector<Real, 1>;

  Real m{1};           // mass, kg
  Real gravity{9.81};  // m/s^2
  Real eps_N{0.7};     // normal restitution
  Real z_0{0.07};      // initial height, m

  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return Vector(m); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(-m * gravity); }
  Real gap(int, const Vector& q, Real) const { return q(0); }
  moreau::Directions<Real, 1, 0> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 1, 0> d;
    d.w_N(0) = Real(1);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {eps_N, Real(0), Real(0)}; }

  // Pose and shapes of the picture.
  std::array<moreau::Frame<Real>, 1> poses(const Vector& q) const {
    return {moreau::Frame<Real>::at({Real(0), q(0)}, Real(0))};
  }
  template <class Picture>
  void shapes(Picture& draw) const {
    draw.bodies({"mass"});
    const int table = draw.face(moreau::ground, {-0.08, 0}, {0.08, 0}, 0);
    draw.disk(0, {0, 0.006}, 0.006);
    draw.contact("table", 0, {0, 0}, table);
  }

  Start<Real, 1> start() const { return {Vector(z_0), Vector(Real(0))}; }
  // Kinetic and potential energy, J.
  Real energy(const Vector& q, const Vector& u) const { return m * (u(0) * u(0) / Real(2) + gravity * q(0)); }
};

}  // namespace models
