// Ideal joints, that is, constraints g(q, t) = 0 at velocity and position level, and dry joint friction with a fixed
// bound.
//
// Bilateral percussions enforce the constraints at velocity level, and a fixed number of projections at position level.
//
//   revolute    g = p_B - p_A                               two rows, along x and y of the world
//   prismatic   g = n_A . (p_B - p_A),  n_A . x_B           two rows: across the guide, and tilt of the slider
//   weld        the rows of a revolute joint, n_A . x_B     three rows
//
//   g'                = A . (v_A, omega_A) + B . (v_B, omega_B) + zeta   A, B: the row as wrenches on both bodies
//   bias_acceleration = g'' at constant v and omega          to satisfy g' = 0 at the end of the step, not the midpoint
//
// For the tilt row, g is the sine of the tilt angle, so w is the exact derivative of g, and whole revolutions do not
// change g. The sine is also zero at 180 degrees. `reversed` therefore reports an initial state with a tilt of more
// than 90 degrees.
//
// Dry friction independent of the joint load: seals, preloaded bearings, brakes.
//
//   TurningFriction   |moment| <= bound,  opposes omega_B - omega_A
//   SlidingFriction   |force| <= bound,   opposes the velocity of the point of B along the axis of A
//
// Sticking is exact: the friction laws are set-valued percussion laws, not regularised functions of the velocity. If a
// drive prescribes the motion, friction is part of its moment (contact/prescribed_sliding.hpp).
#pragma once

#include "moreau/joints/plane.hpp"
#include "moreau/mechanism/body.hpp"

namespace moreau {

// One row of an ideal joint: wrenches on both bodies, zeta and g.
template <class Real>
struct JointRow {
  Wrench<Real> A, B;
  Real zeta = Real(0);  // velocity of the row at u = 0, m/s or rad/s
  Real g = Real(0);     // position error, m or rad
};

// Sparsity of a row: the body coordinates with nonzero entries. All other entries are omitted at compile time.
struct Touches {
  bool x = true, y = true, phi = true;
};

namespace detail {

// Returns the row of the distance from p_A to p_B along `normal`, which is fixed in A.
template <class Real>
constexpr JointRow<Real> distance_row(const Frame<Real>& A, const Frame<Real>& B, Point<Real> p_A, Point<Real> p_B,
                                      Point<Real> normal) {
  return {wrench_at(A, p_B, -normal), wrench_at(B, p_B, normal), Real(0), dot(normal, p_B - p_A)};
}

// Returns the row of the sine of the angle from `along`, a direction fixed in A, to the x axis of B.
template <class Real>
constexpr JointRow<Real> tilt_row(const Frame<Real>& B, Point<Real> along) {
  const Point<Real> x_B{B.cos, B.sin};
  const Real slope = dot(along, x_B);
  return {{{}, -slope}, {{}, slope}, Real(0), cross(along, x_B)};
}

// Returns true if the x axis of B points away from `along`.
template <class Real>
constexpr bool points_away(const Frame<Real>& B, Point<Real> along) {
  return dot(along, Point<Real>{B.cos, B.sin}) < Real(0);
}

// Returns the row of coincidence of p_B and p_A along one axis of the world.
template <class Real>
constexpr JointRow<Real> pin_row(int k, const Frame<Real>& A, const Frame<Real>& B, Point<Real> p_A, Point<Real> p_B) {
  const Point<Real> axis = k == 0 ? Point<Real>{Real(1), Real(0)} : Point<Real>{Real(0), Real(1)};
  return {wrench_at(A, p_A, -axis), wrench_at(B, p_B, axis), Real(0), k == 0 ? p_B.x - p_A.x : p_B.y - p_A.y};
}

template <class Real>
constexpr Real pin_bias(int k, const BodyState<Real>& A, const BodyState<Real>& B, Point<Real> p_A, Point<Real> p_B) {
  const Point<Real> a = centripetal(B, p_B) - centripetal(A, p_A);
  return k == 0 ? a.x : a.y;
}

template <class Real>
constexpr Real tilt_bias(const BodyState<Real>& A, const BodyState<Real>& B, Point<Real> along) {
  const Real omega = B.omega - A.omega;
  return -cross(along, Point<Real>{B.frame.cos, B.frame.sin}) * (omega * omega);
}

constexpr Touches pin_touches(int k) { return {k == 0, k == 1, true}; }

}  // namespace detail

// Revolute joint without clearance.
template <class Real, int A, int B>
struct Revolute {
  static constexpr int body_A = A, body_B = B, bilaterals = 2;
  static constexpr Touches touches(int k) { return detail::pin_touches(k); }

  Point<Real> on_A, on_B;  // centre of the pin in A and B, m
  struct AtCentre;

  JointRow<Real> bilateral(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real) const {
    return detail::pin_row(k, frame_A, frame_B, frame_A.world(on_A), frame_B.world(on_B));
  }
  Real bias_acceleration(int k, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    return detail::pin_bias(k, state_A, state_B, state_A.frame.world(on_A), state_B.frame.world(on_B));
  }
};

// Revolute joint in the centre of mass of B, such as the bearing of a balanced wheel. The constant on_B = 0 is not
// accessible. In joint coordinates, its products are omitted.
template <class Real, int A, int B>
struct Revolute<Real, A, B>::AtCentre : Revolute<Real, A, B> {
  using Joint = Revolute<Real, A, B>;
  AtCentre(Point<Real> centre = {}) { this->on_A = centre; }

  constexpr bool valid() const { return on_B.x == Real(0) && on_B.y == Real(0); }

 private:
  using Joint::on_B;
};

// Prismatic joint without clearance: guide on body A, slider along the x axis of body B.
template <class Real, int A, int B>
struct Prismatic {
  static constexpr int body_A = A, body_B = B, bilaterals = 2;
  static constexpr Touches touches(int k) { return {k == 0, k == 0, true}; }

  Point<Real> on_A;                    // a point of the guide line in A, m
  Point<Real> axis{Real(1), Real(0)};  // direction of the guide in A, a unit vector
  Point<Real> on_B;                    // a point of the slider on the guide line in B, m

  constexpr bool valid() const { return detail::is_unit(axis); }
  JointRow<Real> bilateral(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real) const {
    const Point<Real> along = frame_A.turn(axis);
    if (k == 1) return detail::tilt_row(frame_B, along);
    return detail::distance_row(frame_A, frame_B, frame_A.world(on_A), frame_B.world(on_B), quarter_turn(along));
  }
  bool reversed(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    return k == 1 && detail::points_away(frame_B, frame_A.turn(axis));
  }
  Real bias_acceleration(int k, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    if (k == 1) return detail::tilt_bias(state_A, state_B, state_A.frame.turn(axis));
    const Point<Real> p_A = state_A.frame.world(on_A), p_B = state_B.frame.world(on_B);
    const Point<Real> along = state_A.frame.turn(axis), across = quarter_turn(along);
    const Real sliding_speed = dot(along, state_B.velocity_of(p_B) - state_A.velocity_of(p_A));
    return dot(across, detail::centripetal(state_B, p_B) - detail::centripetal(state_A, p_A)) -
           Real(2) * state_A.omega * sliding_speed - (state_A.omega * state_A.omega) * dot(across, p_B - p_A);
  }
};

// Rigid connection of two bodies.
template <class Real, int A, int B>
struct Weld {
  static constexpr int body_A = A, body_B = B, bilaterals = 3;
  static constexpr Touches touches(int k) { return k < 2 ? detail::pin_touches(k) : Touches{false, false, true}; }

  Point<Real> on_A, on_B;              // a common point in A and B, m
  Point<Real> axis{Real(1), Real(0)};  // direction of the x axis of B in A, a unit vector

  constexpr bool valid() const { return detail::is_unit(axis); }
  JointRow<Real> bilateral(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B, Real) const {
    if (k == 2) return detail::tilt_row(frame_B, frame_A.turn(axis));
    return detail::pin_row(k, frame_A, frame_B, frame_A.world(on_A), frame_B.world(on_B));
  }
  bool reversed(int k, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    return k == 2 && detail::points_away(frame_B, frame_A.turn(axis));
  }
  Real bias_acceleration(int k, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    if (k == 2) return detail::tilt_bias(state_A, state_B, state_A.frame.turn(axis));
    return detail::pin_bias(k, state_A, state_B, state_A.frame.world(on_A), state_B.frame.world(on_B));
  }
};

// One friction row: wrenches on both bodies.
template <class Real>
struct FrictionRow {
  Wrench<Real> A, B;
};

// Dry friction that opposes the relative rotation of two bodies.
template <class Real, int A, int B>
struct TurningFriction {
  static constexpr int body_A = A, body_B = B, frictions = 1;

  Real bound = Real(0);  // largest friction moment, N m

  FrictionRow<Real> friction(int, const Frame<Real>&, const Frame<Real>&) const {
    return {{{}, Real(-1)}, {{}, Real(1)}};
  }
  Real friction_bias_acceleration(int, const BodyState<Real>&, const BodyState<Real>&) const { return Real(0); }
};

// Dry friction that opposes the sliding of a point of B along an axis of A.
template <class Real, int A, int B>
struct SlidingFriction {
  static constexpr int body_A = A, body_B = B, frictions = 1;

  Point<Real> axis{Real(1), Real(0)};  // direction of sliding in A, a unit vector
  Point<Real> on_B;                    // sliding point in B, m
  Real bound = Real(0);                // largest friction force, N

  constexpr bool valid() const { return detail::is_unit(axis); }
  FrictionRow<Real> friction(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> along = frame_A.turn(axis), p = frame_B.world(on_B);
    return {wrench_at(frame_A, p, -along), wrench_at(frame_B, p, along)};
  }
  // Rate of along . (v_B - v_A) at p, a point of B; `along` rotates with A.
  Real friction_bias_acceleration(int, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    const Point<Real> along = state_A.frame.turn(axis), p = state_B.frame.world(on_B), v = state_B.velocity_of(p);
    const Point<Real> sliding = v - state_A.velocity_of(p);
    const Point<Real> change = detail::centripetal(state_B, p) - state_A.omega * quarter_turn(v - state_A.v);
    return dot(along, change) + state_A.omega * dot(quarter_turn(along), sliding);
  }
};

}  // namespace moreau
