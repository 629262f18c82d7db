// Block on a running belt, held by a spring; the friction coefficient falls with the sliding speed (WP96, Fig. 1).
//
//   q = (x, z)                                            position along the belt and normal to it
//   g_N = z,   gamma_T = x' - v_belt
//   mu(v) = mu_inf + (mu_0 - mu_inf) / (1 + v / v_half)   mu -> mu_0 for v -> 0
//
// The block sticks to the belt until the spring force reaches c x = mu_0 m g. It slips back under the lower friction
// and sticks again: a limit cycle that does not exist for constant mu.
//
// Differences from the paper: it gives the characteristic only; the system and its data are this project's.
#pragma once
#include "start.hpp"

namespace models {

template <class R>
struct BeltOscillator {
  using Real = R;
  static constexpr int dof = 2, contacts = 1;
  static constexpr bool constant_mass = true;
  using Vector = moreau::Vector<Real, 2>;
  using Matrix = moreau::Matrix<Real, 2, 2>;

  Real m{1};                     // mass, kg
  Real c{40};                    // spring, N/m
  Real v_belt{0.1};              // speed of the belt, m/s
  Real mu_0{0.4}, mu_inf{0.15};  // friction coefficient at rest and at high speed
  Real v_half{0.1};              // sliding speed with mu = (mu_0 + mu_inf) / 2, m/s
  Real gravity{9.81};            // m/s^2

  Matrix mass(const Vector&, Real) const { return m * Matrix::Identity(); }
  Vector force(const Vector& q, const Vector&, Real) const { return Vector(-c * q(0), -m * gravity); }
  Real gap(int, const Vector& q, Real) const { return q(1); }
  moreau::Directions<Real, 2> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 2> d{};
    d.w_N = Vector(Real(0), Real(1));
    d.w_T = Vector(Real(1), Real(0));
    d.zeta_T = -v_belt;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0), Real(0), mu_0}; }
  Real mu(int, Real v) const { return mu_inf + (mu_0 - mu_inf) / (Real(1) + v / v_half); }

  // Poses and shapes of the picture.
  std::array<moreau::Frame<Real>, 1> poses(const Vector& q) const {
    return {moreau::Frame<Real>::at({q(0), q(1)}, Real(0))};
  }
  template <class Picture>
  void shapes(Picture& draw) const {
    draw.bodies({"block"});
    const int belt = draw.face(moreau::ground, {-0.2, 0}, {0.3, 0}, 0);
    for (const double x : {-0.2, 0.3}) draw.disk(moreau::ground, {x, -0.04}, 0.04);
    draw.rectangle(0, {0, 0.03}, 0.05, 0.03);
    draw.line(moreau::ground, {{-0.3, 0}, {-0.3, 0.08}});
    draw.spring(moreau::ground, {-0.3, 0.03}, 0, {-0.05, 0.03});
    draw.contact("belt", 0, {0, 0}, belt);
  }

  // At rest with an unstressed spring. The penetration of 1 nm keeps the contact closed despite rounding errors.
  Start<Real, 2> start() const { return {Vector(Real(0), Real(-1e-9)), Vector(Real(0), Real(0))}; }
};

}  // namespace models
