// Point mass that slides on a table, pushed against its motion until t = 3 s (SLG08, section 10.2).
//
//   m u' = F(t) - a u / |u|   in slip
//   |lambda_T| <= a           in stick
//   F = 0                     for t >= 3 s
//
// SlidingMass has a two-dimensional dry-friction element with the given bound a.
// SlidingMassOnTable has the unilateral contact z >= 0 with friction; the bound follows from mu = a / (m g).
#pragma once
#include "start.hpp"

namespace models {

template <class Picture>
void draw_on_table(Picture& draw) {
  draw.bodies({"mass"});
  draw.line(moreau::ground, {{-2, 0}, {1, 0}}), draw.line(moreau::ground, {{0, -0.5}, {0, 0.2}});
  draw.disk(0, {0, 0}, 0.04);
}

template <class R>
struct SlidingMass {
  using Real = R;
  static constexpr int dof = 2, contacts = 0, frictions = 1, friction_dim = 2;
  static constexpr bool constant_mass = true;
  using Vector = moreau::Vector<Real, 2>;
  using Matrix = moreau::Matrix<Real, 2, 2>;

  Real m{1};                   // mass, kg
  Real a{2};                   // bound of the friction force, N
  Real F_x{-2.5}, F_y{-0.25};  // pushing force, N
  Real t_off{3};               // end of the push, s

  Matrix mass(const Vector&, Real) const { return m * Matrix::Identity(); }
  Vector force(const Vector&, const Vector&, Real t) const {
    return moreau::select(t < t_off, Vector(F_x, F_y), Vector(Real(0), Real(0)));
  }
  Real friction_bound(int, const Vector&, Real) const { return a; }
  moreau::FrictionDirections<Real, 2, 2> friction_directions(int, const Vector&, Real) const {
    moreau::FrictionDirections<Real, 2, 2> d{};
    d.w = Matrix::Identity();
    return d;
  }

  // Pose and shapes of the picture: the table from above.
  std::array<moreau::Frame<Real>, 1> poses(const Vector& q) const {
    return {moreau::Frame<Real>::at({q(0), q(1)}, Real(0))};
  }
  template <class Picture>
  void shapes(Picture& draw) const {
    draw_on_table(draw);
  }

  Start<Real, 2> start() const { return {Vector(Real(0), Real(0)), Vector(Real(2), Real(-0.2))}; }
};

template <class R>
struct SlidingMassOnTable {
  using Real = R;
  static constexpr int dof = 3, contacts = 1, tangents = 2;
  static constexpr bool constant_mass = true;
  using Vector = moreau::Vector<Real, 3>;
  using Matrix = moreau::Matrix<Real, 3, 3>;

  Real m{1};                   // mass, kg
  Real a{2};                   // bound of the friction force, N
  Real F_x{-2.5}, F_y{-0.25};  // pushing force, N
  Real t_off{3};               // end of the push, s
  Real gravity{9.81};          // m/s^2

  Matrix mass(const Vector&, Real) const { return m * Matrix::Identity(); }
  Vector force(const Vector&, const Vector&, Real t) const {
    const auto [x, y] = moreau::select(t < t_off, {F_x, F_y}, {Real(0), Real(0)});
    return Vector(x, y, -m * gravity);
  }
  Real gap(int, const Vector& q, Real) const { return q(2); }
  moreau::Directions<Real, 3, 2> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 3, 2> d{};
    d.w_N(2) = d.w_T(0, 0) = d.w_T(1, 1) = Real(1);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0), Real(0), a / (m * gravity)}; }

  // Pose and shapes of the picture: the table from above, with the friction force in its plane.
  std::array<moreau::Frame<Real>, 1> poses(const Vector& q) const {
    return {moreau::Frame<Real>::at({q(0), q(1)}, Real(0))};
  }
  template <class Picture>
  void shapes(Picture& draw) const {
    draw_on_table(draw);
    draw.contact("table", 0, {0, 0}, -1);
  }

  // The penetration of 1 nm keeps the contact closed despite rounding errors.
  Start<Real, 3> start() const { return {Vector(Real(0), Real(0), Real(-1e-9)), Vector(Real(2), Real(-0.2), Real(0))}; }
};

}  // namespace models
