// One-sided springs and bump stops: forces that act only beyond a limit and never reverse their direction.
//
//   f = max(0, stiffness d + damping d')   for d > 0, otherwise 0;   d: travel beyond the limit
//
//   one-sided spring           d = |p_B - p_A| - longest    pulls (rope, chain, tension spring)
//                              d = shortest - |p_B - p_A|   pushes (compression spring, strut)
//   bump stop                  d = radius - n_A . (p_B - p_A)
//   one-sided torsion spring   d = phi_B - phi_A - upper    moment -f on B
//                              d = lower - phi_B + phi_A    moment +f on B
//
// When d becomes positive, the force jumps to damping d'. During the return, the force vanishes at some d > 0, below
// which the damper would reverse its direction. A mass m with damping ratio zeta = damping / (2 sqrt(stiffness m)) < 1
// therefore rebounds with the coefficient of restitution exp(-zeta / s (pi - atan2(2 zeta s, 1 - 2 zeta^2))), s =
// sqrt(1 - zeta^2).
//
// These forces are evaluated explicitly (mechanism/forces.hpp). They need about ten steps per period of the undamped
// oscillation, 2 pi sqrt(m/stiffness). For a stiff stop, use a contact such as PointOnLine.
#pragma once

#include <limits>

#include "moreau/math/branching.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/mechanism/forces.hpp"

namespace moreau {
namespace detail {

// Returns the force of a one-sided spring and damper at the travel d and its rate.
template <class Real>
Real one_sided_force(Real stiffness, Real damping, Real travel, Real rate) {
  return select_or_zero<Branchless>(Branchless::positive(travel),
                                    Branchless::larger(Real(0), stiffness * travel + damping * rate));
}

template <class Real>
constexpr bool is_one_sided(Real stiffness, Real damping) {
  constexpr Real largest = std::numeric_limits<Real>::max();
  return stiffness >= Real(0) && stiffness <= largest && damping >= Real(0) && damping <= largest;
}

}  // namespace detail

// Spring and damper that act if the distance between two points is greater than `longest` or less than `shortest`.
template <class Real, int A, int B>
struct OneSidedSpring {
  static constexpr int body_A = A, body_B = B;

  Point<Real> on_A, on_B;                           // end points in A and B, m
  Real shortest = Real(0);                          // pushes below this distance, m
  Real longest = std::numeric_limits<Real>::max();  // pulls above this distance, m
  Real stiffness = Real(0), damping = Real(0);      // N/m; N s/m

  constexpr bool valid() const { return detail::is_one_sided(stiffness, damping) && shortest <= longest; }
  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    const Point<Real> a = state_A.frame.world(on_A), b = state_B.frame.world(on_B), d = b - a;
    const Real distance = sqrt(dot(d, d));
    const Real inverse = Real(1) / detail::Branchless::select_if_less(Real(0), distance, distance, Real(1));
    const Point<Real> e = inverse * d;  // e = 0 and the force vanishes if the end points coincide
    const Real rate = dot(e, state_B.velocity_of(b) - state_A.velocity_of(a));
    const Real f = detail::one_sided_force(stiffness, damping, distance - longest, rate) -
                   detail::one_sided_force(stiffness, damping, shortest - distance, -rate);
    return {wrench_at(state_A.frame, a, f * e), wrench_at(state_B.frame, b, -f * e)};
  }
};

// Elastic stop: a point or wheel of body B against a line of body A.
template <class Real, int A, int B>
struct BumpStop {
  static constexpr int body_A = A, body_B = B;

  Point<Real> on_A;                             // a point of the line in A, m
  Point<Real> normal{Real(0), Real(1)};         // unit normal of the line in A, pointing to the free side
  Point<Real> on_B;                             // the point, or centre of the wheel, in B, m
  Real radius = Real(0);                        // radius of the wheel, 0 for a point, m
  Real stiffness = Real(0), damping = Real(0);  // N/m; N s/m

  constexpr bool valid() const {
    return detail::is_one_sided(stiffness, damping) && detail::is_unit(normal) && radius >= Real(0);
  }
  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    const Point<Real> n = state_A.frame.turn(normal), centre = state_B.frame.world(on_B), p = centre - radius * n;
    const Real travel = radius - dot(n, centre - state_A.frame.world(on_A));
    const Real rate = dot(n, state_A.velocity_of(p) - state_B.velocity_of(p));
    const Real f = detail::one_sided_force(stiffness, damping, travel, rate);
    return {wrench_at(state_A.frame, p, -f * n), wrench_at(state_B.frame, p, f * n)};
  }
};

// Torsion spring and damper that act if the angle of B relative to A is above `upper` or below `lower`.
template <class Real, int A, int B>
struct OneSidedTorsionSpring {
  static constexpr int body_A = A, body_B = B;
  static constexpr bool counts_turns = true;

  Real lower = -std::numeric_limits<Real>::max();  // rad
  Real upper = std::numeric_limits<Real>::max();   // rad
  Real stiffness = Real(0), damping = Real(0);     // N m/rad; N m s

  constexpr bool valid() const { return detail::is_one_sided(stiffness, damping) && lower <= upper; }
  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    const Real angle = state_B.frame.phi - state_A.frame.phi, rate = state_B.omega - state_A.omega;
    return Action<Real>::moment(detail::one_sided_force(stiffness, damping, lower - angle, -rate) -
                                detail::one_sided_force(stiffness, damping, angle - upper, rate));
  }
};

}  // namespace moreau
