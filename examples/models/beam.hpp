// Rigid beam with both ends on a table: two persistent contacts with a common tangential direction.
//
//   q = (x, y, phi)                        centre of mass and angle
//   e_0, e_1 = R(phi) (-+half, -height)    lower edges relative to the centre of mass
//   g_N,i = y + e_i,y
//   w_N,i = (0, 1, e_i,x),   w_T,i = (1, 0, -e_i,y)
//
// For phi = 0, w_T,0 = w_T,1: only the sum of the two friction percussions is determined, P_T,0 + P_T,1 = -push dt in
// sticking. The normal percussions follow from force and moment balance, P_N,i = load dt (half -+ load_x) / (2 half).
#pragma once
#include "start.hpp"

namespace models {

template <class R>
struct Beam {
  using Real = R;
  static constexpr int dof = 3, contacts = 2;
  static constexpr bool constant_mass = true, diagonal_mass = true;
  using Vector = moreau::Vector<Real, 3>;
  using Matrix = moreau::Matrix<Real, 3, 3>;

  Real m{2}, J{0.06};            // kg, kg m^2
  Real half{0.3}, height{0.02};  // half length; centre of mass above the lower face, m
  Real load{20},
      load_x{0.1};  // N downwards including the weight; its point of action, m from the centre; load 0: no load
  Real push{2};     // N along the table, at the height of the lower face
  Real eps_N{0.4}, eps_T{0}, mu{0.3};

  struct At {
    Real sin, cos;  // of phi
    Vector q;
  };
  At at(const Vector& q, Real) const {
    const auto a = moreau::sincos(q(2));
    return {a.sin, a.cos, q};
  }

  Matrix mass(const At&) const { return Vector(m, m, J).asDiagonal(); }
  Vector force(const At& a, const Vector&) const {
    return Vector(push, -load, push * (height * a.cos) - load * (load_x * a.cos));
  }
  Real gap(int i, const At& a) const { return a.q(1) + edge_y(i, a); }
  moreau::Directions<Real, 3> directions(int i, const At& a) const {
    moreau::Directions<Real, 3> d;
    d.w_N = Vector(Real(0), Real(1), edge_x(i, a));
    d.w_T = Vector(Real(1), Real(0), -edge_y(i, a));
    return d;
  }
  // Rates of gamma_N and gamma_T at constant u, for the rule of second order.
  moreau::ContactBias<Real> contact_bias_acceleration(int i, const At& a, const Vector& u) const {
    const Real squared = u(2) * u(2);
    return {-edge_y(i, a) * squared, -edge_x(i, a) * squared};
  }
  moreau::ContactLaw<Real> law(int) const { return {eps_N, eps_T, mu}; }

  // Flat on the table, at rest.
  Start<Real, 3> start() const { return {Vector(Real(0), height, Real(0)), Vector(Real(0), Real(0), Real(0))}; }

 private:
  Real edge_x(int i, const At& a) const { return (i == 0 ? -half : half) * a.cos + height * a.sin; }
  Real edge_y(int i, const At& a) const { return (i == 0 ? -half : half) * a.sin - height * a.cos; }
};

}  // namespace models
