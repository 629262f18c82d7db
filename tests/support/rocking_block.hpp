// Slender block that rocks on a shaken ground between two stops: q = (x, y, angle). Its lower corners touch the ground
// and its upper corners the stops. If a corner and a stop are closed, the direct solution of the pair depends on the
// order of elimination.
#pragma once
#include <moreau/moreau.hpp>

namespace test {

template <class R>
struct RockingBlock {
  using Real = R;
  static constexpr int dof = 3, contacts = 4;
  using Q = moreau::Vector<Real, 3>;

  Real m{1}, half_width{Real(0.057)}, half_height{Real(0.15)};  // kg, m
  Real play{Real(0.0043)};                                      // m, to each stop
  Real mu_ground{Real(1.2)}, mu_stop{Real(0.94)}, eps{Real(0.08)};
  Real shake{12}, omega{18};  // m/s^2, rad/s, acceleration of the ground

  moreau::State<RockingBlock> start() const {
    moreau::State<RockingBlock> state;
    state.q(1) = half_height;
    return state;
  }
  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const {
    return Q(m, m, m * (half_width * half_width + half_height * half_height) / Real(3)).asDiagonal();
  }
  Q force(const Q&, const Q&, Real t) const { return Q(-m * shake * moreau::sin(omega * t), Real(-9.81) * m, Real(0)); }

  // Position of corner i relative to the centre: lower left and right, upper left and right.
  moreau::Vector<Real, 2> corner(int i, Real angle) const {
    const auto [s, c] = moreau::sincos(angle);
    const Real x = i % 2 == 0 ? -half_width : half_width, y = i < 2 ? -half_height : half_height;
    return {c * x - s * y, s * x + c * y};
  }
  Real gap(int i, const Q& q, Real) const {
    const auto r = corner(i, q(2));
    if (i < 2) return q(1) + r(1);
    return half_width + play + (i == 2 ? q(0) + r(0) : -q(0) - r(0));
  }
  moreau::Directions<Real, 3> directions(int i, const Q& q, Real) const {
    const auto r = corner(i, q(2));
    const Real inward = i == 2 ? Real(1) : Real(-1);
    moreau::Directions<Real, 3> d;
    d.w_N = i < 2 ? Q(Real(0), Real(1), r(0)) : Q(inward, Real(0), -inward * r(1));
    d.w_T = i < 2 ? Q(Real(1), Real(0), -r(1)) : Q(Real(0), Real(1), r(0));
    return d;
  }
  moreau::ContactLaw<Real> law(int i) const { return {eps, Real(0), i < 2 ? mu_ground : mu_stop}; }
};

}  // namespace test
