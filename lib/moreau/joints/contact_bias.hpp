// Bias acceleration of a contact between two bodies: rates of gamma_N and gamma_T at constant v and omega of both.
//
//   gamma_N = n . v,  gamma_T = t . v,   v = v_B(p) - v_A(p),   t = n rotated by -90 degrees
//   gamma_N' = n' . v + n . a,   gamma_T' = t' . v + t . a
//   a        = omega_B x (p' - v_B) - omega_A x (p' - v_A),   v_A, v_B: velocities of the origins
//
// The motion of normal and contact point depends on the geometry:
//
//   rolling     a point c of B, the centre of a pin or roller, at a distance from a curve of A:  p = c - radius n
//               n' = omega_n x n,  omega_n = omega_A + curvature t . (v_B(c) - v_A(c)),   p' = v_B(c) - radius n'
//   edge        a point of A at a straight line of B:  n' = omega_B x n,  p' = v_A(p)
//   point       a point of B at a straight line of A:  n' = omega_A x n,  p' = v_B(p)
//
// `curvature` is that of the curve through c, in 1/m; positive if n rotates counterclockwise while c moves along t.
#pragma once

#include "moreau/joints/ground.hpp"
#include "moreau/joints/joint_contact.hpp"

namespace moreau {
namespace detail {

// Returns omega_B x (v_p - v_B) - omega_A x (v_p - v_A).
template <class Real, class StateA, class StateB>
constexpr Point<Real> acceleration_between(const StateA& A, const StateB& B, Point<Real> v_p) {
  if constexpr (is_ground<StateA>)
    return B.omega * quarter_turn(v_p - B.v);
  else if constexpr (is_ground<StateB>)
    return -A.omega * quarter_turn(v_p - A.v);
  else
    return B.omega * quarter_turn(v_p - B.v) - A.omega * quarter_turn(v_p - A.v);
}

// Returns the bias acceleration of a contact whose normal rotates at omega_n and whose point moves at v_p.
template <class Real, class StateA, class StateB>
constexpr ContactBias<Real> moving_contact_bias(const JointContact<Real>& c, const StateA& A, const StateB& B,
                                                Real omega_n, Point<Real> v_p) {
  const Point<Real> t = -quarter_turn(c.n), v = velocity_between(A, B, c.p), a = acceleration_between(A, B, v_p);
  // n' = -omega_n t,  t' = omega_n n
  return {dot(c.n, a) - omega_n * dot(t, v), dot(t, a) + omega_n * dot(c.n, v)};
}

template <class Real, class StateA, class StateB>
constexpr ContactBias<Real> rolling_contact_bias(const JointContact<Real>& c, const StateA& A, const StateB& B,
                                                 Real curvature, Real radius) {
  const Point<Real> t = -quarter_turn(c.n), centre = c.p + radius * c.n, v_c = B.velocity_of(centre);
  const Real omega_n = A.omega + curvature * dot(t, velocity_between(A, B, centre));
  return moving_contact_bias(c, A, B, omega_n, v_c + (radius * omega_n) * t);
}

// Returns the bias acceleration of an edge of A at a straight line of B. On the ground, p' = 0.
template <class Real, class StateA, class StateB>
constexpr ContactBias<Real> edge_contact_bias(const JointContact<Real>& c, const StateA& A, const StateB& B) {
  if constexpr (is_ground<StateA>) {
    const Point<Real> t = -quarter_turn(c.n), v = B.velocity_of(c.p), a = -B.omega * quarter_turn(B.v);
    return {dot(c.n, a) - B.omega * dot(t, v), dot(t, a) + B.omega * dot(c.n, v)};
  } else {
    return moving_contact_bias(c, A, B, Real(B.omega), A.velocity_of(c.p));
  }
}

// Returns the bias acceleration of a point of B at a straight line of A. On the ground, n' = 0.
template <class Real, class StateA, class StateB>
constexpr ContactBias<Real> point_contact_bias(const JointContact<Real>& c, const StateA& A, const StateB& B) {
  if constexpr (is_ground<StateA>) {
    const Point<Real> a = centripetal(B, c.p);
    return {dot(c.n, a), dot(-quarter_turn(c.n), a)};
  } else {
    return moving_contact_bias(c, A, B, Real(A.omega), B.velocity_of(c.p));
  }
}

}  // namespace detail
}  // namespace moreau
