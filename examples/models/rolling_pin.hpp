// Pin that rolls back and forth at the bottom of its bearing: one sticking contact on a curved surface.
//
//   q = (x, y, phi)      centre of the pin relative to the centre of the bearing; angle of the pin
//   n = (x, y) / d,   d = |(x, y)|,   play = radius of the bearing - r
//
//   g_N = play - d,   w_N = (-n, 0),   w_T = (-n_y, n_x, r)
//
// theta is the angle between n and the vertical. In rolling, play theta' = -r phi', and the pin is a pendulum of the
// length play (1 + J / (m r^2)) with constant energy. Rolling requires mu >= tan(theta) J / (J + m r^2) at the turning
// point.
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

  Real m{0.2}, r{0.01};  // mass, kg; radius of the pin, m
  Real J{1e-5};          // moment of inertia of a solid cylinder, kg m^2
  Real play{0.002};      // difference of the radii, m
  Real gravity{9.81};    // m/s^2
  Real theta{0.6};       // initial angle, rad
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

  // At rest, in contact with the bearing at the angle theta.
  Start<Real, 3> start() const {
    const auto a = moreau::sincos(theta);
    return {Vector(play * a.sin, -play * a.cos, Real(0)), Vector(Real(0), Real(0), Real(0))};
  }

  // Kinetic and potential energy, J; potential energy 0 at the centre of the bearing.
  Real energy(const Vector& q, const Vector& u) const {
    return (m * (u(0) * u(0) + u(1) * u(1)) + J * u(2) * u(2)) / Real(2) + m * gravity * q(1);
  }
};

}  // namespace models
