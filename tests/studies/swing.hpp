// A mass on a spring above a floor, far below or close by. Its motions have closed forms.
#pragma once
#include <moreau/moreau.hpp>

struct Swing {
  using Real = double;
  static constexpr int dof = 1, contacts = 1;
  using Vector = moreau::Vector<Real, 1>;

  Real stiffness = 4, mass_ = 1, floor = -10, eps = 1, gravity = 0;

  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return moreau::Matrix<Real, 1, 1>(mass_); }
  Vector force(const Vector& q, const Vector&, Real) const { return Vector(-stiffness * q(0) - gravity); }
  Real gap(int, const Vector& q, Real) const { return q(0) - floor; }
  moreau::Directions<Real, 1> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 1> d;
    d.w_N(0) = 1;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {eps, 0, 0}; }
};
