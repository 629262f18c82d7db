// Bias acceleration of a contact in space: the rates of gamma_N and gamma_T in a motion without forces.
//
//   gamma = e . v,   v = v_B(p) - v_A(p),   e = n, t or n x t
//   gamma' = e' . v + e . (a_B - a_A),      a = alpha x (p - r) + omega x (p' - v_r)
//
// n', t' and p' are the rates of the normal, of the sliding direction and of the contact point in the world.
#pragma once

#include "moreau/spatial/ground.hpp"
#include "moreau/spatial/joint_contact.hpp"

namespace moreau {
namespace spatial {

// Rates of the normal, the sliding direction and the point of one contact.
template <class Real>
struct ContactRates {
  Point<Real> n, t, p;
};

namespace detail {

// Returns the rate of across(n).
template <class Real>
Point<Real> across_rate(Point<Real> n, Point<Real> rate) {
  const Real s = moreau::detail::Branchless::select_if_less(n.z, Real(0), Real(-1), Real(1));
  const Real a = Real(-1) / (s + n.z), a_rate = (a * a) * rate.z;
  return {s * (Real(2) * n.x * rate.x * a + n.x * n.x * a_rate),
          s * ((rate.x * n.y + n.x * rate.y) * a + n.x * n.y * a_rate), -s * rate.x};
}

// Returns the acceleration of the body-fixed points at p, which moves with the velocity `rate`.
template <class Real>
constexpr Point<Real> acceleration_at(const BodyState<Real>& body, Point<Real> p, Point<Real> rate) {
  return cross(body.alpha, p - body.frame.r) + cross(body.omega, rate - body.v);
}

// Returns the bias acceleration of a contact; a state can be GroundState (spatial/ground.hpp).
template <class Real, class StateA, class StateB>
ContactBias<Real, 2> contact_bias(const JointContact<Real>& c, const ContactRates<Real>& rates, const StateA& A,
                                  const StateB& B) {
  Point<Real> v, a;
  if constexpr (!is_ground<StateB>) v = B.velocity_of(c.p), a = acceleration_at(B, c.p, rates.p);
  if constexpr (!is_ground<StateA>) v = v - A.velocity_of(c.p), a = a - acceleration_at(A, c.p, rates.p);
  const Point<Real> other = cross(c.n, c.t), other_rate = cross(rates.n, c.t) + cross(c.n, rates.t);
  ContactBias<Real, 2> bias;
  bias.N = dot(rates.n, v) + dot(c.n, a);
  bias.T(0) = dot(rates.t, v) + dot(c.t, a);
  bias.T(1) = dot(other_rate, v) + dot(other, a);
  return bias;
}

// Returns the rate of the unit vector off / |off|.
template <class Real>
Point<Real> unit_rate(Point<Real> unit, Point<Real> off, Point<Real> rate) {
  using C = moreau::detail::Branchless;
  const Real distance = moreau::sqrt(dot(off, off));
  const Real inverse = Real(1) / C::select_if_less(Real(0), distance, distance, Real(1));
  return C::select_if_less(Real(0), distance, inverse, Real(0)) * (rate - dot(unit, rate) * unit);
}

}  // namespace detail
}  // namespace spatial
}  // namespace moreau
