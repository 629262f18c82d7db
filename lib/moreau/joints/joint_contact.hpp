// One contact between two bodies A and B, and its directions in generalised coordinates.
//
//   gamma_N = n . (v_B - v_A),  gamma_T = t . (v_B - v_A)   at the contact point p,  t = n rotated by -90 degrees
//
// n points from A to B, so the gap grows when B moves along n. A purely rotational contact, such as the backlash of a
// gear, has n = 0. Its relative velocity is turn_A omega_A + turn_B omega_B, where turn_A and turn_B are lever arms or
// gear ratios.
//
// A joint with clearance is a struct with `contacts`, `contact(k, A, B)` and `law`, as in prismatic_clearance.hpp. A
// Mechanism accepts joints of the library and user-defined joints. A hand-derived model passes the Jacobians of both
// frames (FrameJacobian) to directions(), which returns w_N, w_T and zeta.
#pragma once

#include "moreau/joints/plane.hpp"
#include "moreau/model/directions.hpp"

namespace moreau {

// Gap, normal and point of one contact.
template <class Real>
struct JointContact {
  Real g_N = Real(0);                       // gap, in m, or in rad if turn_A and turn_B are dimensionless
  Point<Real> n;                            // unit normal from A to B, or 0
  Point<Real> p;                            // contact point in the world frame, m
  Real turn_A = Real(0), turn_B = Real(0);  // factors of the angular velocities, m or dimensionless

  // Returns -n in frame A. For a pin in its bearing this is (cos, sin) of the contact angle.
  constexpr Point<Real> side_of(const Frame<Real>& A) const { return A.turn_back(-n); }
};

namespace detail {

// Directions of one contact as wrenches on both bodies.
template <class Real>
struct ContactWrenches {
  Wrench<Real> N_A, N_B, T_A, T_B;
};

template <class Real, class FrameA, class FrameB>
constexpr ContactWrenches<Real> contact_wrenches(const JointContact<Real>& c, const FrameA& A, const FrameB& B) {
  const Point<Real> t = -quarter_turn(c.n);
  ContactWrenches<Real> rows{wrench_at(A, c.p, -c.n), wrench_at(B, c.p, c.n), wrench_at(A, c.p, -t),
                             wrench_at(B, c.p, t)};
  rows.N_A.moment += c.turn_A;
  rows.N_B.moment += c.turn_B;
  return rows;
}

}  // namespace detail

// Jacobian of a frame: r' = (x . u, y . u) + v_0, phi' = phi . u + omega_0. Default: a fixed frame.
template <class Real, int dof>
struct FrameJacobian {
  Vector<Real, dof> x = Vector<Real, dof>::Zero(), y = Vector<Real, dof>::Zero(), phi = Vector<Real, dof>::Zero();
  Point<Real> v_0;         // prescribed velocity, m/s
  Real omega_0 = Real(0);  // prescribed angular velocity, rad/s
};

namespace detail {

template <class Real, int dof>
Vector<Real, dof> row(const Wrench<Real>& a, const FrameJacobian<Real, dof>& A, const Wrench<Real>& b,
                      const FrameJacobian<Real, dof>& B) {
  Vector<Real, dof> w = Vector<Real, dof>::Zero();
  for (const auto& [wrench, frame] : {std::pair{a, &A}, std::pair{b, &B}}) {
    add_scaled(w, wrench.force.x, frame->x);
    add_scaled(w, wrench.force.y, frame->y);
    add_scaled(w, wrench.moment, frame->phi);
  }
  return w;
}

template <class Real, int dof>
Real drift(const Wrench<Real>& a, const FrameJacobian<Real, dof>& A, const Wrench<Real>& b,
           const FrameJacobian<Real, dof>& B) {
  return dot(a.force, A.v_0) + a.moment * A.omega_0 + dot(b.force, B.v_0) + b.moment * B.omega_0;
}

}  // namespace detail

// Returns w_N, w_T and zeta of a contact between two frames, for models in generalised coordinates.
template <class Real, int dof>
Directions<Real, dof> directions(const JointContact<Real>& c, const Frame<Real>& A,
                                 const FrameJacobian<Real, dof>& jacobian_A, const Frame<Real>& B,
                                 const FrameJacobian<Real, dof>& jacobian_B) {
  const detail::ContactWrenches<Real> rows = detail::contact_wrenches(c, A, B);
  Directions<Real, dof> d;
  d.w_N = detail::row(rows.N_A, jacobian_A, rows.N_B, jacobian_B);
  d.w_T = detail::row(rows.T_A, jacobian_A, rows.T_B, jacobian_B);
  d.zeta_N = detail::drift(rows.N_A, jacobian_A, rows.N_B, jacobian_B);
  d.zeta_T = detail::drift(rows.T_A, jacobian_A, rows.T_B, jacobian_B);
  return d;
}

}  // namespace moreau
