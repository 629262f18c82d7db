// Spring-loaded flat follower on an eccentric of given speed: a persistent contact on a moving surface.
//
//   q = (y)                               height of the follower's face above the axis of the cam
//   s(t) = radius + e sin(omega t)        highest point of the eccentric
//   g_N = y - s,   w_N = 1,   zeta_N = -s'
//
// While the contact is closed, y = s, and the contact force is:
//
//   m s" = -preload - c (s - radius) - m g + lambda_N
//   lambda_N(t) = preload + m g + (c - m omega^2) e sin(omega t)
//
// It is positive at all times, and the contact never opens, for omega < sqrt(c / m + (preload + m g) / (m e)). The
// default data give 280 rad/s.
#pragma once
#include "start.hpp"

namespace models {

template <class R>
struct Cam {
  using Real = R;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  static constexpr bool constant_mass = true;
  using Vector = moreau::Vector<Real, 1>;
  using Matrix = moreau::Matrix<Real, 1, 1>;

  Real m{0.1};                  // follower, kg
  Real c{3000}, preload{23};    // spring, N/m; its force at y = radius, N
  Real radius{0.02}, e{0.005};  // radius of the eccentric, eccentricity, m
  Real omega{60};               // speed of the cam, rad/s
  Real gravity{9.81};           // m/s^2
  Real eps_N{0.4};

  Real period() const { return 2 * moreau::pi<Real> / omega; }
  Matrix mass(const Vector&, Real) const { return Matrix(m); }
  Vector force(const Vector& q, const Vector&, Real) const {
    return Vector(-preload - c * (q(0) - radius) - m * gravity);
  }
  Real gap(int, const Vector& q, Real t) const { return q(0) - (radius + e * moreau::sin(omega * t)); }
  moreau::Directions<Real, 1, 0> directions(int, const Vector&, Real t) const {
    moreau::Directions<Real, 1, 0> d;
    d.w_N(0) = Real(1);
    d.zeta_N = -(e * omega) * moreau::cos(omega * t);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {eps_N, Real(0), Real(0)}; }

  // On the cam at t = 0, with the velocity of its surface.
  Start<Real, 1> start() const { return {Vector(radius), Vector(e * omega)}; }

  // lambda_N while the contact is closed, N.
  Real contact_force(Real t) const {
    return preload + m * gravity + (c - m * omega * omega) * (e * moreau::sin(omega * t));
  }
};

}  // namespace models
