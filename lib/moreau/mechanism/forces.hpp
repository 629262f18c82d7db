// Forces and moments between two bodies: springs, dampers, motors; and a field that acts on every body: gravity.
//
//   spring         f = stiffness (|d| - length) + damping |d|'        along d, from its point on A to its point on B
//   torsion        m = stiffness (phi_B - phi_A - angle) + damping (omega_B - omega_A)
//   motor          m = torque - damping (omega_B - omega_A)           torque may change between steps
//
// All of it is explicit (the step's h sees u_A): damping d is stable for dt d / m < 2 only.
#pragma once

#include "moreau/math/branching.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/mechanism/body.hpp"

namespace moreau {

// The wrenches of a force part on its two bodies.
template <class Real>
struct Action {
  Wrench<Real> A, B;

  // Turns B and turns A back.
  static constexpr Action moment(Real on_B) { return {{{}, -on_B}, {{}, on_B}}; }
};

// The weight of every body.
template <class Real>
struct Gravity {
  Point<Real> g{Real(0), Real(-9.81)};  // m/s^2
  Point<Real> field(const Body<Real>& body) const { return body.m * g; }
};

// A spring with a damper between two points.
template <class Real, int A, int B>
struct Spring {
  static constexpr int body_A = A, body_B = B;

  Point<Real> on_A, on_B;                      // m, its ends
  Real stiffness = Real(0), length = Real(0);  // N/m; m, when unstressed
  Real damping = Real(0);                      // N s/m

  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    const Point<Real> a = state_A.frame.world(on_A), b = state_B.frame.world(on_B), d = b - a;
    const Real distance = sqrt(dot(d, d));
    const Real inverse = Real(1) / detail::Branchless::select_if_less(Real(0), distance, distance, Real(1));
    const Point<Real> e = inverse * d;  // 0 where the ends meet: no direction, no force
    const Real f = stiffness * (distance - length) + damping * dot(e, state_B.velocity_of(b) - state_A.velocity_of(a));
    return {wrench_at(state_A.frame, a, f * e), wrench_at(state_B.frame, b, -f * e)};
  }
};

// A spring with a damper between two angles.
template <class Real, int A, int B>
struct TorsionSpring {
  static constexpr int body_A = A, body_B = B;
  static constexpr bool counts_turns = true;

  Real stiffness = Real(0), angle = Real(0);  // N m/rad; rad, when unstressed
  Real damping = Real(0);                     // N m s

  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    return Action<Real>::moment(-stiffness * (state_B.frame.phi - state_A.frame.phi - angle) -
                                damping * (state_B.omega - state_A.omega));
  }
};

// A moment between two bodies, less a damping.
template <class Real, int A, int B>
struct Motor {
  static constexpr int body_A = A, body_B = B;

  Real torque = Real(0);   // N m, on B; the other way round on A
  Real damping = Real(0);  // N m s: how the torque falls with speed

  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    return Action<Real>::moment(torque - damping * (state_B.omega - state_A.omega));
  }
};

// A force of fixed size on a point of B, with a direction that turns with A.
template <class Real, int A, int B>
struct Pull {
  static constexpr int body_A = A, body_B = B;

  Point<Real> force;  // N, in A
  Point<Real> on_B;   // m, where, in B

  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    const Point<Real> f = state_A.frame.turn(force), p = state_B.frame.world(on_B);
    return {wrench_at(state_A.frame, p, -f), wrench_at(state_B.frame, p, f)};
  }
};

}  // namespace moreau
