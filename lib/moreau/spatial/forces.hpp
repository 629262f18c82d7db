// Forces and moments between two bodies in space, and gravity.
//
//   spring           tension stiffness (|d| - length) + damping |d|',   d from the end point on A to that on B
//   torsion spring   moment on B  -stiffness (angle about axis_A - angle) - damping (rate of the angle)
//   bushing          force on B   -K d - D d',   moment on B   -K_r theta - D_r (omega_B - omega_A),   in the axes of A
//   motor            moment on B  torque - damping axis . (omega_B - omega_A)  about the axis of A
//   pull             force of constant magnitude on a point of B, with a direction fixed in A
//
// theta is the rotation vector from A to B. The torsion spring and the bushing measure rotations of less than half a
// turn. As in the plane (mechanism/forces.hpp), forces are explicit: a damper on a mass m requires dt damping / m < 2.
#pragma once

#include "moreau/mechanism/forces.hpp"
#include "moreau/spatial/body_state.hpp"

namespace moreau {
namespace spatial {

// Wrenches of a force part on its two bodies.
template <class Real>
struct Action {
  Wrench<Real> A, B;

  // Returns a force on B at the world point p, and its reaction on A.
  static constexpr Action force(const BodyState<Real>& A, const BodyState<Real>& B, Point<Real> p, Point<Real> on_B) {
    return {wrench_at(A.frame, p, -on_B), wrench_at(B.frame, p, on_B)};
  }
  // Returns a moment on B, given in the world, and its reaction on A.
  static constexpr Action moment(const BodyState<Real>& A, const BodyState<Real>& B, Point<Real> on_B) {
    return {wrench_of_moment(A.frame, -on_B), wrench_of_moment(B.frame, on_B)};
  }
};

namespace detail {

// Returns atan(x) for |x| <= 1: a polynomial and two corrections. `off` is the tangent of the error; its arctangent is
// a series.
template <class Real>
Real arc_tangent(Real x) {
  Real angle = x * (Real(0.9724) - Real(0.1919) * (x * x));  // within 5e-3
  for (int round = 0; round < 2; ++round) {
    const SinCos<Real> s = sincos(angle);
    const Real off = (x * s.cos - s.sin) / (s.cos + x * s.sin);
    angle += off - off * (off * off) / Real(3);
  }
  return angle;
}

// Returns the angle in (-pi, pi) with sine and cosine proportional to the arguments; 0 if sine = 0 and cosine <= 0.
template <class Real>
Real angle_of(Real sine, Real cosine) {
  using C = moreau::detail::Branchless;
  const Real sum = moreau::sqrt(sine * sine + cosine * cosine) + cosine;
  const Real of_quarter = sum + moreau::sqrt(sum * sum + sine * sine);  // tan(a/4) = sine / of_quarter
  return Real(4) * arc_tangent(sine / C::select_if_less(Real(0), of_quarter, of_quarter, Real(1)));
}

// Returns the rotation vector from the axes of A to those of B, along the axes of A.
template <class Real>
Point<Real> rotation_between(const Frame<Real>& A, const Frame<Real>& B) {
  using C = moreau::detail::Branchless;
  const Point<Real> x = A.turn_back(B.x), y = A.turn_back(B.y), z = A.turn_back(B.z);
  const Point<Real> twice{y.z - z.y, z.x - x.z, x.y - y.x};  // 2 sin(angle) axis
  const Real sine = moreau::sqrt(dot(twice, twice)), angle = angle_of(sine, x.x + y.y + z.z - Real(1));
  return C::select_if_less(Real(0), sine, angle, Real(0.5)) / C::select_if_less(Real(0), sine, sine, Real(1)) * twice;
}

}  // namespace detail

// Gravity on every body.
template <class Real>
struct Gravity {
  Point<Real> g{Real(0), Real(0), Real(-9.81)};  // gravitational acceleration, m/s^2
  Point<Real> field(const Body<Real>& body) const { return body.m * g; }
};

// Spring and damper between two points.
template <class Real, int A, int B>
struct Spring {
  static constexpr int body_A = A, body_B = B;

  Point<Real> on_A, on_B;    // end points in A and B, m
  Real stiffness = Real(0);  // N/m
  Real length = Real(0);     // unstressed length, m
  Real damping = Real(0);    // N s/m, >= 0

  constexpr bool valid() const { return damping >= Real(0); }
  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    const Point<Real> a = state_A.frame.world(on_A), b = state_B.frame.world(on_B);
    const Point<Real> force = moreau::detail::spring_force(*this, state_A, state_B, a, b);
    return {wrench_at(state_A.frame, a, force), wrench_at(state_B.frame, b, -force)};
  }
};

// Torsion spring and damper about an axis of A.
template <class Real, int A, int B>
struct TorsionSpring {
  static constexpr int body_A = A, body_B = B;

  Point<Real> axis_A{Real(0), Real(0), Real(1)};    // axis in A, a unit vector
  Point<Real> normal_A{Real(1), Real(0), Real(0)};  // a unit vector of A perpendicular to axis_A
  Point<Real> normal_B{Real(1), Real(0), Real(0)};  // the direction of B whose angle from normal_A is measured
  Real stiffness = Real(0), angle = Real(0);        // N m/rad; unstressed angle, rad
  Real damping = Real(0);                           // N m s, >= 0

  bool valid() const {
    return damping >= Real(0) && detail::is_unit(axis_A) && detail::is_unit(normal_A) && detail::is_unit(normal_B);
  }
  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    const Point<Real> axis = state_A.frame.turn(axis_A), from = state_A.frame.turn(normal_A),
                      to = state_B.frame.turn(normal_B);
    const Real turned = detail::angle_of(dot(axis, cross(from, to)), dot(from, to));
    const Real moment = stiffness * (turned - angle) + damping * dot(axis, state_B.omega - state_A.omega);
    return Action<Real>::moment(state_A, state_B, -moment * axis);
  }
};

// Springs and dampers along and about the axes of A: for the relative displacement of two points, and for the relative
// rotation of the bodies.
template <class Real, int A, int B>
struct Bushing {
  static constexpr int body_A = A, body_B = B;

  Point<Real> on_A, on_B;                          // points in A and B, m
  Point<Real> stiffness, damping;                  // N/m; N s/m, >= 0
  Point<Real> turning_stiffness, turning_damping;  // N m/rad; N m s, >= 0

  constexpr bool valid() const { return is_damping(damping) && is_damping(turning_damping); }
  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    const Frame<Real>&frame_A = state_A.frame, &frame_B = state_B.frame;
    const Point<Real> p = frame_B.world(on_B), sliding = state_B.velocity_of(p) - state_A.velocity_of(p);
    const Point<Real> force = along_A(frame_A, frame_A.turn_back(p - frame_A.world(on_A)), sliding, stiffness, damping);
    const Point<Real> moment = along_A(frame_A, detail::rotation_between(frame_A, frame_B),
                                       state_B.omega - state_A.omega, turning_stiffness, turning_damping);
    Action<Real> action = Action<Real>::force(state_A, state_B, p, -force);
    const Action<Real> turning = Action<Real>::moment(state_A, state_B, -moment);
    action.A.moment = action.A.moment + turning.A.moment;
    action.B.moment = action.B.moment + turning.B.moment;
    return action;
  }

 private:
  static constexpr bool is_damping(Point<Real> d) { return d.x >= Real(0) && d.y >= Real(0) && d.z >= Real(0); }
  // Returns K d + D v in the world, from d along the axes of A and v in the world.
  static constexpr Point<Real> along_A(const Frame<Real>& frame_A, Point<Real> d, Point<Real> v, Point<Real> K,
                                       Point<Real> D) {
    return frame_A.turn(detail::times(K, d) + detail::times(D, frame_A.turn_back(v)));
  }
};

// Motor torque that decreases linearly with speed.
template <class Real, int A, int B>
struct Motor {
  static constexpr int body_A = A, body_B = B;

  Point<Real> axis_A{Real(0), Real(0), Real(1)};  // axis in A, a unit vector
  Real torque = Real(0);                          // on B, with its reaction on A, N m
  Real damping = Real(0);                         // decrease of the torque per speed, N m s, >= 0

  constexpr bool valid() const { return damping >= Real(0) && detail::is_unit(axis_A); }
  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    const Point<Real> axis = state_A.frame.turn(axis_A);
    return Action<Real>::moment(state_A, state_B, (torque - damping * dot(axis, state_B.omega - state_A.omega)) * axis);
  }
};

// Force of constant magnitude on a point of B, with a direction fixed in A.
template <class Real, int A, int B>
struct Pull {
  static constexpr int body_A = A, body_B = B;

  Point<Real> force;  // force in A, N
  Point<Real> on_B;   // point of application in B, m

  Action<Real> action(const BodyState<Real>& state_A, const BodyState<Real>& state_B, Real) const {
    return Action<Real>::force(state_A, state_B, state_B.frame.world(on_B), state_A.frame.turn(force));
  }
};

}  // namespace spatial
}  // namespace moreau
