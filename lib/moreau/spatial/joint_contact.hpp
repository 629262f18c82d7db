// One contact between two bodies A and B in space.
//
//   gamma_N = n . (v_B - v_A),  gamma_T = (t . (v_B - v_A), (n x t) . (v_B - v_A))    at the contact point p
//
// n points from A to B, so the gap grows when B moves along n. t is a sliding direction, a unit vector perpendicular to
// n; across(n) selects one. A joint with play is a struct with `contacts`, `contact(k, A, B)` and `law`, as in the
// plane.
#pragma once

#include "moreau/model/directions.hpp"
#include "moreau/spatial/body_state.hpp"

namespace moreau {
namespace spatial {

// Gap, normal, sliding direction and point of one contact.
template <class Real>
struct JointContact {
  Real g_N = Real(0);  // gap, m
  Point<Real> n, t;    // unit normal from A to B, and a unit vector perpendicular to n
  Point<Real> p;       // contact point in the world, m
};

// Returns a unit vector perpendicular to the unit vector n, without a branch. The result jumps where n.z changes its
// sign.
template <class Real>
MOREAU_ALWAYS_INLINE Point<Real> across(Point<Real> n) {
  using C = moreau::detail::Branchless;
  const Real s = C::select_if_less(n.z, Real(0), Real(-1), Real(1));
  const Real a = Real(-1) / (s + n.z);
  return {Real(1) + s * (n.x * n.x) * a, s * (n.x * n.y) * a, -s * n.x};
}

namespace detail {

// Directions of one contact as wrenches on both bodies.
template <class Real>
struct ContactWrenches {
  Wrench<Real> N_A, N_B, T_A[2], T_B[2];
};

template <class Real>
MOREAU_ALWAYS_INLINE constexpr ContactWrenches<Real> contact_wrenches(const JointContact<Real>& c, const Frame<Real>& A,
                                                                      const Frame<Real>& B) {
  const Point<Real> other = cross(c.n, c.t);
  return {wrench_at(A, c.p, -c.n),
          wrench_at(B, c.p, c.n),
          {wrench_at(A, c.p, -c.t), wrench_at(A, c.p, -other)},
          {wrench_at(B, c.p, c.t), wrench_at(B, c.p, other)}};
}

}  // namespace detail
}  // namespace spatial
}  // namespace moreau
