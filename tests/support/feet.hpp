// Spatial body of 1 kg on feet, under a varying force: its feet stick, slip and lift off. With more than three feet,
// the distribution of the normal forces is indeterminate. With the centre of mass far above them, prox sweeps converge
// slowly: a stiff problem.
//
//   q = (x, y, z, alpha, beta, gamma)   centre of mass and small rotations; the feet are on a circle h below it
#pragma once
#include <moreau/moreau.hpp>

#include "bits_hash.hpp"

namespace test {

// Directions of a foot at (x, y, -h) from the centre. Passed by reference and inlined, so that no copy is among the
// counted instructions.
template <class Real>
MOREAU_ALWAYS_INLINE void directions_of_foot(const Real& x, const Real& y, const Real& h,
                                             moreau::Directions<Real, 6, 2>& d) {
  d.w_N << 0, 0, 1, y, -x, 0;
  d.w_T.col(0) << 1, 0, 0, 0, -h, -y;
  d.w_T.col(1) << 0, 1, 0, h, 0, x;
}

// Random bodies: inertias in kg m^2, and friction coefficients of their feet.
template <class Real>
void draw_inertia(Random& random, Real (&inertia)[3]) {
  for (Real& J : inertia) J = random.between(Real(1e-4), Real(1e-2));
}
template <class Real>
Real draw_friction(Random& random) {
  return random.between(Real(0.1), Real(0.9));
}
// Adds a random velocity at the start of a step of dt in which the body rests, slides or lands.
template <class Real>
void draw_velocity(Random& random, Real dt, Real* u) {
  const auto number = [&random] { return random.between(Real(-1), Real(1)); };
  const Real slow = dt * Real(9.81) / 2;
  for (int j = 0; j < 6; ++j) u[j] += slow * number();
  const auto kind = random.bits() % 3;
  if (kind > 0) u[0] += Real(0.3) * number(), u[1] += Real(0.3) * number();
  if (kind > 1) u[2] -= random.between(Real(0), Real(1));
}

template <class R, int count>
struct Feet {
  using Real = R;
  static constexpr int dof = 6, contacts = count, tangents = 2;
  static constexpr bool constant_mass = true;
  using Vector = moreau::Vector<Real, 6>;
  using Matrix = moreau::Matrix<Real, 6, 6>;

  Real inertia[3] = {Real(4e-3), Real(4e-3), Real(6e-3)};  // kg m^2
  Real radius{0.1}, h{0.2};                                // m
  Real mu{0.3};
  Real push{4}, rate{20};  // N, rad/s

  Matrix mass(const Vector&, Real) const {
    Matrix M = Matrix::Identity();
    for (int j = 3; j < 6; ++j) M(j, j) = inertia[j - 3];
    return M;
  }
  Vector force(const Vector&, const Vector&, Real t) const {
    const auto slow = moreau::sincos(rate * t), fast = moreau::sincos(Real(2.7) * rate * t);
    Vector f = Vector::Zero();
    f(0) = push * slow.sin, f(1) = Real(0.6) * push * fast.cos, f(2) = Real(-9.81);
    f(3) = Real(0.05) * push * fast.sin, f(4) = Real(0.03) * push * slow.cos, f(5) = Real(0.05) * push * slow.sin;
    return f;
  }
  Real gap(int i, const Vector& q, Real) const {
    const auto foot = at(i);
    return q(2) + foot.sin * radius * q(3) - foot.cos * radius * q(4);
  }
  moreau::Directions<Real, 6, 2> directions(int i, const Vector&, Real) const {
    const Real a = radius * at(i).cos, b = radius * at(i).sin;
    moreau::Directions<Real, 6, 2> d{};
    directions_of_foot(a, b, h, d);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0.2), Real(0), mu}; }

  moreau::State<Feet> start() const {
    moreau::State<Feet> state;
    state.q(2) = Real(-1e-6);  // on all feet
    return state;
  }

 private:
  static moreau::SinCos<Real> at(int i) {
    return moreau::sincos(Real(0.4) + Real(6.2831853071795865) / Real(count) * Real(i));
  }
};

}  // namespace test
