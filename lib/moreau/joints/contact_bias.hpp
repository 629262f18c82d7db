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
//
// `curvature` is that of the curve through c, in 1/m; positive if n rotates counterclockwise while c moves along t.
#pragma once

#include "moreau/joints/body_state.hpp"
#include "moreau/joints/joint_contact.hpp"

namespace moreau {
namespace detail {

// Returns the bias acceleration of a contact whose normal rotates at omega_n and whose point moves at v_p.
template <class Real>
constexpr ContactBias<Real> moving_contact_bias(const JointContact<Real>& c, const BodyState<Real>& A,
                                                const BodyState<Real>& B, Real omega_n, Point<Real> v_p) {
  const Point<Real> t = -quarter_turn(c.n), v = B.velocity_of(c.p) - A.velocity_of(c.p);
  const Point<Real> a = B.omega * quarter_turn(v_p - B.v) - A.omega * quarter_turn(v_p - A.v);
  // n' = -omega_n t,  t' = omega_n n
  return {dot(c.n, a) - omega_n * dot(t, v), dot(t, a) + omega_n * dot(c.n, v)};
}

template <class Real>
constexpr ContactBias<Real> rolling_contact_bias(const JointContact<Real>& c, const BodyState<Real>& A,
                                                 const BodyState<Real>& B, Real curvature, Real radius) {
  const Point<Real> t = -quarter_turn(c.n), centre = c.p + radius * c.n, v_c = B.velocity_of(centre);
  const Real omega_n = A.omega + curvature * dot(t, v_c - A.velocity_of(centre));
  return moving_contact_bias(c, A, B, omega_n, v_c + (radius * omega_n) * t);
}

template <class Real>
constexpr ContactBias<Real> edge_contact_bias(const JointContact<Real>& c, const BodyState<Real>& A,
                                              const BodyState<Real>& B) {
  return moving_contact_bias(c, A, B, B.omega, A.velocity_of(c.p));
}

}  // namespace detail
}  // namespace moreau
