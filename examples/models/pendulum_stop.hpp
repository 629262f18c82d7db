// Pendulum on an inclined stop. With one degree of freedom w_N and w_T are parallel: only one combination of normal
// force and friction is determined.
//
//   q = (phi),   J phi" = -m g s sin phi - damping phi'
//   r_tip = (l sin phi, -l cos phi),   n = (cos beta, sin beta),   beta = stop - slope      tip; normal of the stop
//   g_N = l (sin(phi - beta) - sin(slope)),   w_N = l cos(phi - beta),   w_T = l sin(phi - beta)
//
// At rest w_N P_N + w_T P_T = m g s sin(stop) dt. The possible share of friction grows with mu; for mu > 1 / tan(slope)
// the tip jams on the stop.
#pragma once
#include "start.hpp"

namespace models {

template <class R>
struct PendulumStop {
  using Real = R;
  static constexpr int dof = 1, contacts = 1;
  static constexpr bool constant_mass = true;
  using Vector = moreau::Vector<Real, 1>;
  using Matrix = moreau::Matrix<Real, 1, 1>;

  Real m{0.5}, J{0.03};        // kg, kg m^2 about the pivot
  Real s{0.2}, l{0.3};         // distances of centre of mass and tip from the pivot, m
  Real stop{0.5}, slope{0.4};  // angle at contact; angle between the path of the tip and the normal, rad
  Real damping{0.02};          // N m s
  Real gravity{9.81};          // m/s^2
  Real eps_N{0.4}, eps_T{0}, mu{0.5};

  struct At {
    Real sin_phi;
    moreau::SinCos<Real> tip;  // of phi - beta
  };
  At at(const Vector& q, Real) const { return {moreau::sin(q(0)), moreau::sincos(q(0) - (stop - slope))}; }

  Matrix mass(const At&) const { return Matrix(J); }
  Vector force(const At& a, const Vector& u) const { return Vector(-m * gravity * s * a.sin_phi - damping * u(0)); }
  Real gap(int, const At& a) const { return l * (a.tip.sin - moreau::sin(slope)); }
  moreau::Directions<Real, 1> directions(int, const At& a) const {
    moreau::Directions<Real, 1> d;
    d.w_N(0) = l * a.tip.cos;
    d.w_T(0) = l * a.tip.sin;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {eps_N, eps_T, mu}; }

  // 0.1 rad from the stop, at rest: the pendulum falls, bounces and comes to rest.
  Start<Real, 1> start() const { return {Vector(stop + Real(0.1)), Vector(Real(0))}; }

  // Kinetic and potential energy, J.
  Real energy(const Vector& q, const Vector& u) const {
    return J * u(0) * u(0) / Real(2) - m * gravity * s * moreau::cos(q(0));
  }
};

}  // namespace models
