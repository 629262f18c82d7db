// Mass on a spring that hits a stop (SLG08, section 10.3).
//
//   m x" = -c (x - x_free) - lambda_N,   g_N = -x >= 0,   xi_N = gamma_N(+) + eps_N gamma_N(-)
//
// Between impacts the motion is harmonic about x_free with omega = sqrt(c / m). The impact speeds fall like eps^n; in
// the limit the mass grazes the stop once per period 2 pi / omega.
//
// Differences from the paper: it does not give the position of the stop. Here the stop is at x = 0, and x <= 0.
#pragma once
#include "start.hpp"

namespace models {

template <class R>
struct ImpactOscillator {
  using Real = R;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  static constexpr bool constant_mass = true, symmetric_steps = true;
  using Vector = moreau::Vector<Real, 1>;

  Real m{0.1};         // mass, kg
  Real c{20};          // spring, N/m
  Real x_free{-0.15};  // position with unstressed spring, m
  Real eps_N{0.6};     // normal restitution

  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return Vector(m); }
  Vector force(const Vector& q, const Vector&, Real) const { return Vector(-c * (q(0) - x_free)); }
  Real gap(int, const Vector& q, Real) const { return -q(0); }
  moreau::Directions<Real, 1, 0> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 1, 0> d;
    d.w_N(0) = Real(-1);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {eps_N, Real(0), Real(0)}; }

  // Pose and shapes of the picture.
  std::array<moreau::Frame<Real>, 1> poses(const Vector& q) const {
    return {moreau::Frame<Real>::at({q(0), Real(0)}, Real(0))};
  }
  template <class Picture>
  void shapes(Picture& draw) const {
    draw.bodies({"mass"});
    const int stop = draw.face(moreau::ground, {0, -0.1}, {0, 0.1}, 0);
    draw.line(moreau::ground, {{-0.8, -0.06}, {-0.8, 0.06}});
    draw.rectangle(0, {-0.05, 0}, 0.05, 0.04);
    draw.spring(moreau::ground, {-0.8, 0}, 0, {-0.1, 0});
    draw.contact("stop", 0, {0, 0}, stop);
  }

  Start<Real, 1> start() const { return {Vector(Real(-0.5)), Vector(Real(0.2))}; }
  // Kinetic and potential energy, J.
  Real energy(const Vector& q, const Vector& u) const {
    const Real stretch = q(0) - x_free;
    return (m * u(0) * u(0) + c * stretch * stretch) / Real(2);
  }
};

}  // namespace models
