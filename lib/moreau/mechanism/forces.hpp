// Forces and moments between two bodies (springs, dampers, motors), and gravity.
//
//   spring           tension stiffness (|d| - length) + damping |d|',   d from the end point on A to that on B
//   torsion spring   moment on A stiffness (phi_B - phi_A - angle) + damping (omega_B - omega_A),   reaction on B
//   motor            moment on B torque - damping (omega_B - omega_A),   reaction on A
//
// All forces are evaluated explicitly, at q_M and either at the velocity u_A at the beginning of the step or at a
// predicted velocity (step/force.hpp). A damper on a mass m is stable only for dt damping / m < 2. The torque of a
// motor can change between steps. A negative damping creates energy and is rejected. A negative stiffness, for example
// of an over-centre spring, is valid.
#pragma once

#include "moreau/math/branching.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/mechanism/body.hpp"

namespace moreau {

// Wrenches of a force part on its two bodies.
template <class Real>
struct Action {
  Wrench<Real> A, B;

  // Returns a moment on B and its reaction on A.
  static constexpr Action moment(Real on_B) { return {{{}, -on_B}, {{}, on_B}}; }
};

namespace detail {

// Returns the force on A of a spring and damper between the points a of A and b of B. It vanishes if they coincide.
template <class Spring, class State, class Point>
Point spring_force(const Spring& spring, const State& state_A, const State& state_B, Point a, Point b) {
  using Real = decltype(a.x);
  const Point d = b - a;
  const Real distance = sqrt(dot(d, d));
  const Real inverse = Real(1) / Branchless::select_if_less(Real(0), distance, distance, Real(1));
  const Point e = inverse * d;
  const Real f = spring.stiffness * (distance - spring.length) +
                 spring.damping * dot(e, state_B.velocity_of(b) - state_A.velocity_of(a));
  return f * e;
}

}  // namespace detail

// Gravity on every body.
template <class Real>
struct Gravity {
  Point<Real> g{Real(0), Real(-9.81)};  // gravitational acceleration, m/s^2
  Point<Real> field(const Body<Real>& body) const { return body.m * g; }
};

// Spring and damper between two points.
template <class Real, int A, int B>
struct Spring {
  static constexpr int body_A = A, body_B = B;

  Point<Real> on_A, on_B;                      // end points in A and B, m
  Real stiffness = Real(0), length = Real(0);  // N/m; unstressed length, m
  Real damping = Real(0);                      // N s/m, >= 0

  constexpr bool valid() const { return damping >= Real(0); }
  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    const Point<Real> a = state_A.frame.world(on_A), b = state_B.frame.world(on_B);
    const Point<Real> force = detail::spring_force(*this, state_A, state_B, a, b);
    return {wrench_at(state_A.frame, a, force), wrench_at(state_B.frame, b, -force)};
  }
};

// Torsion spring and damper between two bodies.
template <class Real, int A, int B>
struct TorsionSpring {
  static constexpr int body_A = A, body_B = B;
  static constexpr bool counts_turns = true;

  Real stiffness = Real(0), angle = Real(0);  // N m/rad; unstressed angle, rad
  Real damping = Real(0);                     // N m s, >= 0

  constexpr bool valid() const { return damping >= Real(0); }
  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    return Action<Real>::moment(-stiffness * (state_B.frame.phi - state_A.frame.phi - angle) -
                                damping * (state_B.omega - state_A.omega));
  }
};

// Motor torque that decreases linearly with speed.
template <class Real, int A, int B>
struct Motor {
  static constexpr int body_A = A, body_B = B;

  Real torque = Real(0);   // on B, with its reaction on A, N m
  Real damping = Real(0);  // decrease of the torque per speed, N m s, >= 0

  constexpr bool valid() const { return damping >= Real(0); }
  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    return Action<Real>::moment(torque - damping * (state_B.omega - state_A.omega));
  }
};

// Force of constant magnitude on a point of B, with a direction fixed in A.
template <class Real, int A, int B>
struct Pull {
  static constexpr int body_A = A, body_B = B;

  Point<Real> force;  // force in A, N
  Point<Real> on_B;   // point of application in B, m

  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    const Point<Real> f = state_A.frame.turn(force), p = state_B.frame.world(on_B);
    return {wrench_at(state_A.frame, p, -f), wrench_at(state_B.frame, p, f)};
  }
};

}  // namespace moreau
