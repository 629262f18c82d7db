// Joints without play: rows g(q, t) = 0 that the step keeps, in velocity by bilateral percussions and in position by a
// bounded projection.
//
//   revolute    g = p_B - p_A                               two rows, along x and y of the world
//   prismatic   g = n_A . (p_B - p_A),  n_A . x_B           two rows: across the guide, and the slider's tilt
//   weld        the rows of both                            three rows
//   drive       g = phi_B - phi_A - angle(t)                one row: a motor so strong that the motion is prescribed
//
//   g'   = A . (v_A, omega_A) + B . (v_B, omega_B) + zeta   A, B: the row as wrenches on either body
//   bias_acceleration = g'' at constant v and omega                      keeps the joint closed at the end of a step, too
//
// Tilts are sines, not angles: exact derivatives either way, and whole turns do not matter. A sine is 0 at half a turn,
// too, so `reversed` tells a start that leans by more than a quarter.
//
// Dry friction of a joint that does not depend on the joint's load: seals, preloaded bearings, brakes.
//
//   turning   |moment| <= bound,  opposes omega_B - omega_A
//   sliding   |force| <= bound,   opposes the velocity of B's point along A's axis
//
// Stick is exact: these are percussion laws of the contact problem and no steep functions of the speed.
#pragma once

#include "moreau/joints/plane.hpp"
#include "moreau/math/angle.hpp"
#include "moreau/mechanism/body.hpp"

namespace moreau {

// One row of an ideal joint: as wrenches on both bodies, with zeta and g.
template <class Real>
struct JointRow {
  Wrench<Real> A, B;
  Real zeta = Real(0);  // m/s or rad/s
  Real g = Real(0);     // m or rad
};

// Which of x, y, phi of its bodies a row can have entries at; the others are left out at compile time.
struct Touches {
  bool x = true, y = true, phi = true;
};

namespace detail {

// The distance of p_B from p_A along `normal`, which is fixed in A.
template <class Real>
constexpr JointRow<Real> distance_row(const Frame<Real>& A, const Frame<Real>& B, Point<Real> p_A, Point<Real> p_B,
                                      Point<Real> normal) {
  return {wrench_at(A, p_B, -normal), wrench_at(B, p_B, normal), Real(0), dot(normal, p_B - p_A)};
}

// How far B's x axis leans out of `along`, a direction fixed in A.
template <class Real>
constexpr JointRow<Real> tilt_row(const Frame<Real>& B, Point<Real> along) {
  const Point<Real> x_B{B.cos, B.sin};
  const Real slope = dot(along, x_B);
  return {{{}, -slope}, {{}, slope}, Real(0), cross(along, x_B)};
}

// Does B's x axis point away from `along`?
template <class Real>
constexpr bool leans_back(const Frame<Real>& B, Point<Real> along) {
  return dot(along, Point<Real>{B.cos, B.sin}) < Real(0);
}

// Coincidence of p_B and p_A along one axis of the world.
template <class Real>
constexpr JointRow<Real> pin_row(int k, const Frame<Real>& A, const Frame<Real>& B, Point<Real> p_A, Point<Real> p_B) {
  const Point<Real> axis = k == 0 ? Point<Real>{Real(1), Real(0)} : Point<Real>{Real(0), Real(1)};
  return {wrench_at(A, p_A, -axis), wrench_at(B, p_B, axis), Real(0), k == 0 ? p_B.x - p_A.x : p_B.y - p_A.y};
}

// The acceleration of a body's point that moves on with v and omega.
template <class Real>
constexpr Point<Real> centripetal(const BodyState<Real>& body, Point<Real> p) {
  return (body.omega * body.omega) * (body.frame.r - p);
}

template <class Real>
constexpr Real pin_bend(int k, const BodyState<Real>& A, const BodyState<Real>& B, Point<Real> p_A, Point<Real> p_B) {
  const Point<Real> a = centripetal(B, p_B) - centripetal(A, p_A);
  return k == 0 ? a.x : a.y;
}

template <class Real>
constexpr Real tilt_bend(const BodyState<Real>& A, const BodyState<Real>& B, Point<Real> along) {
  const Real omega = B.omega - A.omega;
  return -cross(along, Point<Real>{B.frame.cos, B.frame.sin}) * (omega * omega);
}

constexpr Touches pin_touches(int k) { return {k == 0, k == 1, true}; }

}  // namespace detail

// A pin without play.
template <class Real, int A, int B>
struct Revolute {
  static constexpr int body_A = A, body_B = B, bilaterals = 2;
  static constexpr Touches touches(int k) { return detail::pin_touches(k); }

  Point<Real> on_A, on_B;  // m, the pin in either body

  JointRow<Real> bilateral(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real) const {
    return detail::pin_row(k, frame_A, frame_B, frame_A.world(on_A), frame_B.world(on_B));
  }
  Real bias_acceleration(int k, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    return detail::pin_bend(k, state_A, state_B, state_A.frame.world(on_A), state_B.frame.world(on_B));
  }
};

// A slider in a guide on A; the slider's long side is B's x axis.
template <class Real, int A, int B>
struct Prismatic {
  static constexpr int body_A = A, body_B = B, bilaterals = 2;
  static constexpr Touches touches(int k) { return {k == 0, k == 0, true}; }

  Point<Real> on_A;                    // m, a point of the guide's line in A
  Point<Real> axis{Real(1), Real(0)};  // its direction in A, a unit vector
  Point<Real> on_B;                    // m, in B

  constexpr bool valid() const { return detail::is_unit(axis); }
  JointRow<Real> bilateral(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real) const {
    const Point<Real> along = frame_A.turn(axis);
    if (k == 1) return detail::tilt_row(frame_B, along);
    return detail::distance_row(frame_A, frame_B, frame_A.world(on_A), frame_B.world(on_B), quarter_turn(along));
  }
  bool reversed(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    return k == 1 && detail::leans_back(frame_B, frame_A.turn(axis));
  }
  Real bias_acceleration(int k, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    if (k == 1) return detail::tilt_bend(state_A, state_B, state_A.frame.turn(axis));
    const Point<Real> p_A = state_A.frame.world(on_A), p_B = state_B.frame.world(on_B);
    const Point<Real> along = state_A.frame.turn(axis), across = quarter_turn(along);
    const Real slides = dot(along, state_B.velocity_of(p_B) - state_A.velocity_of(p_A));
    return dot(across, detail::centripetal(state_B, p_B) - detail::centripetal(state_A, p_A)) -
           Real(2) * state_A.omega * slides - (state_A.omega * state_A.omega) * dot(across, p_B - p_A);
  }
};

// Two bodies as one.
template <class Real, int A, int B>
struct Weld {
  static constexpr int body_A = A, body_B = B, bilaterals = 3;
  static constexpr Touches touches(int k) { return k < 2 ? detail::pin_touches(k) : Touches{false, false, true}; }

  Point<Real> on_A, on_B;              // m, the same point in either body
  Point<Real> axis{Real(1), Real(0)};  // direction of B's x axis in A, a unit vector

  constexpr bool valid() const { return detail::is_unit(axis); }
  JointRow<Real> bilateral(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real) const {
    if (k == 2) return detail::tilt_row(frame_B, frame_A.turn(axis));
    return detail::pin_row(k, frame_A, frame_B, frame_A.world(on_A), frame_B.world(on_B));
  }
  bool reversed(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    return k == 2 && detail::leans_back(frame_B, frame_A.turn(axis));
  }
  Real bias_acceleration(int k, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    if (k == 2) return detail::tilt_bend(state_A, state_B, state_A.frame.turn(axis));
    return detail::pin_bend(k, state_A, state_B, state_A.frame.world(on_A), state_B.frame.world(on_B));
  }
};

// The angle a drive prescribes at one moment.
template <class Real>
struct DriveAngle {
  Real angle = Real(0);  // rad
  Real speed = Real(0);  // rad/s, its exact derivative
};

// The law of a drive that turns evenly.
template <class Real>
struct ConstantSpeed {
  Real speed = Real(0);  // rad/s
  Real start = Real(0);  // rad, at t = 0
  DriveAngle<Real> operator()(Real t) const { return {start + speed * t, speed}; }
};

// Law: any struct with DriveAngle<Real> operator()(Real t) const.
template <class Real, int A, int B, class Law = ConstantSpeed<Real>>
struct Drive {
  static constexpr int body_A = A, body_B = B, bilaterals = 1;
  static constexpr Touches touches(int) { return {false, false, true}; }

  Law law{};

  JointRow<Real> bilateral(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real t) const {
    const DriveAngle<Real> wanted = law(t);
    const Real ahead = (frame_B.phi - frame_A.phi) - wanted.angle;
    return {{{}, Real(-1)}, {{}, Real(1)}, -wanted.speed, wrap_angle(ahead)};
  }
};

// One friction row, seen from either body.
template <class Real>
struct FrictionRow {
  Wrench<Real> A, B;
};

// Dry friction between two bodies that turn.
template <class Real, int A, int B>
struct TurningFriction {
  static constexpr int body_A = A, body_B = B, frictions = 1;

  Real bound = Real(0);  // N m

  FrictionRow<Real> friction(int, const Frame<Real>&, const Frame<Real>&) const {
    return {{{}, Real(-1)}, {{}, Real(1)}};
  }
};

// Dry friction of a point of B along an axis of A.
template <class Real, int A, int B>
struct SlidingFriction {
  static constexpr int body_A = A, body_B = B, frictions = 1;

  Point<Real> axis{Real(1), Real(0)};  // direction in A, a unit vector
  Point<Real> on_B;                    // m
  Real bound = Real(0);                // N

  constexpr bool valid() const { return detail::is_unit(axis); }
  FrictionRow<Real> friction(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> along = frame_A.turn(axis), p = frame_B.world(on_B);
    return {wrench_at(frame_A, p, -along), wrench_at(frame_B, p, along)};
  }
};

}  // namespace moreau
