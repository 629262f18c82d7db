// A pin that rolls to and fro at the bottom of its bearing: one contact that sticks on a curved surface.
//
//   q = (x, y, phi)      the pin's centre, seen from the bearing's; its angle
//   n = (x, y) / d,   d = |(x, y)|,   play = radius of the bearing - r
//
//   g_N = play - d,   w_N = (-n, 0),   w_T = (-n_y, n_x, r)
//
// Rolling, play theta' = -r phi' with the angle theta of n against the vertical: a pendulum of the length
// play (1 + J / (m r^2)), which keeps its energy. It needs mu >= tan(theta) J / (J + m r^2) at its turning point.
#pragma once
#include "start.hpp"

namespace models {

template <class R>
struct RollingPin {
  using Real = R;
  static constexpr int dof = 3, contacts = 1;
  static constexpr bool constant_mass = true, diagonal_mass = true;
  using Vector = moreau::Vector<Real, 3>;
  using Matrix = moreau::Matrix<Real, 3, 3>;

  Real m{0.2}, r{0.01};  // kg, radius of the pin, m
  Real J{1e-5};          // of a full cylinder, kg m^2
  Real play{0.002};      // difference of the radii, m
  Real gravity{9.81};    // m/s^2
  Real theta{0.6};       // rad, where it is let go
  Real eps_N{0.4}, eps_T{0}, mu{0.5};

  struct At {
    Real n_x, n_y, d;
  };
  At at(const Vector& q, Real) const {
    const Real d = moreau::sqrt(q(0) * q(0) + q(1) * q(1));
    return {q(0) / d, q(1) / d, d};
  }

  Matrix mass(const At&) const { return Vector(m, m, J).asDiagonal(); }
  Vector force(const At&, const Vector&) const { return Vector(Real(0), -m * gravity, Real(0)); }
  Real gap(int, const At& a) const { return play - a.d; }
  moreau::Directions<Real, 3> directions(int, const At& a) const {
    moreau::Directions<Real, 3> d;
    d.w_N = Vector(-a.n_x, -a.n_y, Real(0));
    d.w_T = Vector(-a.n_y, a.n_x, r);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {eps_N, eps_T, mu}; }

  // At rest against the bearing, theta away from its bottom.
  Start<Real, 3> start() const {
    const auto a = moreau::sincos(theta);
    return {Vector(play * a.sin, -play * a.cos, Real(0)), Vector(Real(0), Real(0), Real(0))};
  }

  // Kinetic and potential energy, J; potential energy 0 at the bearing's centre.
  Real energy(const Vector& q, const Vector& u) const {
    return (m * (u(0) * u(0) + u(1) * u(1)) + J * u(2) * u(2)) / Real(2) + m * gravity * q(1);
  }
};

}  // namespace models
