// Block on a plane, the smallest model with friction: q = (x, y), a constant force, a plane through the origin.
//
// The plane can be rotated, so that its directions are not aligned with the axes, and can move. All contact data are
// members, which a test can set to invalid values.
#pragma once
#include <moreau/moreau.hpp>

namespace test {

template <class R>
struct Block {
  using Real = R;
  static constexpr int dof = 2, contacts = 1;
  using Q = moreau::Vector<Real, 2>;

  Real m{0.7};                       // kg
  Real cos_plane{1}, sin_plane{0};   // rotation angle of the plane
  Real force_T{0}, force_N{-6.867};  // N, tangential and normal to the plane
  moreau::ContactLaw<Real> contact_law{};
  Real zeta_N{0}, zeta_T{0};  // m/s, velocity of the plane

  Q normal() const { return Q(-sin_plane, cos_plane); }
  Q tangent() const { return Q(cos_plane, sin_plane); }
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return m * moreau::Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return force_T * tangent() + force_N * normal(); }
  Real gap(int, const Q& q, Real) const { return q(0) * normal()(0) + q(1) * normal()(1); }
  moreau::Directions<Real, 2> directions(int, const Q&, Real) const {
    moreau::Directions<Real, 2> d;
    d.w_N = normal();
    d.w_T = tangent();
    d.zeta_N = zeta_N;
    d.zeta_T = zeta_T;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return contact_law; }
};

}  // namespace test
