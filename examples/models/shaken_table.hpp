// Block on a table with vertical harmonic motion below the limit of separation.
//
//   q = (y),   s(t) = offset + a sin(omega t),   a omega^2 = shake g,   shake < 1
//   g_N = y - s,   w_N = 1,   zeta_N = -s'
//   lambda_N(t) = m (g + s") = m g (1 - shake sin(omega t)) > 0      the contact never opens
//
// A large `offset` tests the resolution of float: at 1 m it is 0.1 um, the amplitude of the default table 90 um.
#pragma once
#include "start.hpp"

namespace models {

template <class R>
struct ShakenTable {
  using Real = R;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  static constexpr bool constant_mass = true;
  using Vector = moreau::Vector<Real, 1>;
  using Matrix = moreau::Matrix<Real, 1, 1>;

  Real m{1};           // kg
  Real offset{0};      // mean height of the table, m
  Real frequency{50};  // Hz
  Real shake{0.9};     // largest acceleration of the table, in g
  Real gravity{9.81};  // m/s^2
  Real eps_N{0.4};

  Real omega() const { return 2 * moreau::pi<Real> * frequency; }
  Real amplitude() const { return shake * gravity / (omega() * omega()); }
  Real period() const { return Real(1) / frequency; }
  Matrix mass(const Vector&, Real) const { return Matrix(m); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(-m * gravity); }
  Real gap(int, const Vector& q, Real t) const { return (q(0) - offset) - amplitude() * moreau::sin(omega() * t); }
  moreau::Directions<Real, 1, 0> directions(int, const Vector&, Real t) const {
    moreau::Directions<Real, 1, 0> d;
    d.w_N(0) = Real(1);
    d.zeta_N = -(amplitude() * omega()) * moreau::cos(omega() * t);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {eps_N, Real(0), Real(0)}; }

  // On the table at t = 0, with its velocity.
  Start<Real, 1> start() const { return {Vector(offset), Vector(amplitude() * omega())}; }

  // lambda_N while the contact is closed, N.
  Real contact_force(Real t) const { return m * gravity * (Real(1) - shake * moreau::sin(omega() * t)); }
};

}  // namespace models
