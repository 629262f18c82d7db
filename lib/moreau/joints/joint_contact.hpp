// One possible contact between two bodies A and B, and its directions in any coordinates.
//
//   gamma_N = n . (v_B - v_A),  gamma_T = t . (v_B - v_A)   at one point p of the world,  t = n turned by -90 degrees
//
// n points from A into B: the gap grows when B moves along n. A contact that acts by turning alone (backlash of a gear)
// has n = 0 and the two factors turn_A, turn_B of its angular velocities instead.
//
// A joint with play is a struct with `contacts`, `contact(k, A, B)` and `law`: prismatic_clearance.hpp and its
// neighbours, or one of your own. A Mechanism takes it as it is. A hand-written model passes the derivatives of its two
// frames (FrameJacobian) to directions() and gets w_N, w_T and zeta.
#pragma once

#include "moreau/joints/plane.hpp"
#include "moreau/model/directions.hpp"

namespace moreau {

template <class Real>
struct JointContact {
  Real g_N = Real(0);  // m; rad for a rotation measured in rad
  Point<Real> n;       // unit vector, or 0
  Point<Real> p;       // m
  Real turn_A = Real(0), turn_B = Real(0);

  // Where A is touched, as a direction seen from A: of a pin in its bearing, (cos, sin) of the contact angle.
  constexpr Point<Real> side_of(const Frame<Real>& A) const { return A.turn_back(-n); }
};

namespace detail {

// The directions of one contact as wrenches on either body.
template <class Real>
struct ContactWrenches {
  Wrench<Real> N_A, N_B, T_A, T_B;
};

template <class Real>
constexpr ContactWrenches<Real> contact_wrenches(const JointContact<Real>& c, const Frame<Real>& A,
                                                 const Frame<Real>& B) {
  const Point<Real> t = -quarter_turn(c.n);
  ContactWrenches<Real> rows{wrench_at(A, c.p, -c.n), wrench_at(B, c.p, c.n), wrench_at(A, c.p, -t),
                             wrench_at(B, c.p, t)};
  rows.N_A.moment += c.turn_A;
  rows.N_B.moment += c.turn_B;
  return rows;
}

}  // namespace detail

// Derivatives of a frame: r' = (x . u, y . u) + v_0, phi' = phi . u + omega_0. Zero by default: it stands still.
template <class Real, int dof>
struct FrameJacobian {
  Vector<Real, dof> x = Vector<Real, dof>::Zero(), y = Vector<Real, dof>::Zero(), phi = Vector<Real, dof>::Zero();
  Point<Real> v_0;         // m/s, prescribed
  Real omega_0 = Real(0);  // rad/s, prescribed
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

// For a model in coordinates of its own: w_N, w_T and zeta of a contact between two frames.
template <class Real, int dof>
Directions<Real, dof> directions(const JointContact<Real>& c, const Frame<Real>& A,
                                 const FrameJacobian<Real, dof>& moves_A, const Frame<Real>& B,
                                 const FrameJacobian<Real, dof>& moves_B) {
  const detail::ContactWrenches<Real> rows = detail::contact_wrenches(c, A, B);
  Directions<Real, dof> d;
  d.w_N = detail::row(rows.N_A, moves_A, rows.N_B, moves_B);
  d.w_T = detail::row(rows.T_A, moves_A, rows.T_B, moves_B);
  d.zeta_N = detail::drift(rows.N_A, moves_A, rows.N_B, moves_B);
  d.zeta_T = detail::drift(rows.T_A, moves_A, rows.T_B, moves_B);
  return d;
}

}  // namespace moreau
