// Dry friction in space, with a bound independent of the joint load: seals, preloaded bearings, brakes.
//
//   TurningFriction   |moment| <= bound,  opposes axis . (omega_B - omega_A)
//   SlidingFriction   |force| <= bound,   opposes the velocity of the point of B along the axis of A
#pragma once

#include "moreau/spatial/ideal_joints.hpp"

namespace moreau {
namespace spatial {

// One friction row: wrenches on both bodies.
template <class Real>
struct FrictionRow {
  Wrench<Real> A, B;
};

// Dry friction that opposes the relative rotation of two bodies about an axis.
template <class Real, int A, int B>
struct TurningFriction {
  static constexpr int body_A = A, body_B = B, frictions = 1;

  Point<Real> axis{Real(0), Real(0), Real(1)};  // axis in A, a unit vector
  Real bound = Real(0);                         // largest friction moment, N m

  bool valid() const { return detail::is_unit(axis); }
  FrictionRow<Real> friction(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> along = frame_A.turn(axis);
    return {wrench_of_moment(frame_A, -along), wrench_of_moment(frame_B, along)};
  }
  Real friction_bias_acceleration(int, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    const Point<Real> along = state_A.frame.turn(axis);
    return dot(cross(state_A.omega, along), state_B.omega) + dot(along, state_B.alpha - state_A.alpha);
  }
};

// Dry friction that opposes the sliding of a point of B along an axis of A.
template <class Real, int A, int B>
struct SlidingFriction {
  static constexpr int body_A = A, body_B = B, frictions = 1;

  Point<Real> axis{Real(0), Real(0), Real(1)};  // direction of sliding in A, a unit vector
  Point<Real> on_B;                             // sliding point in B, m
  Real bound = Real(0);                         // largest friction force, N

  bool valid() const { return detail::is_unit(axis); }
  FrictionRow<Real> friction(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> along = frame_A.turn(axis), p = frame_B.world(on_B);
    return {wrench_at(frame_A, p, -along), wrench_at(frame_B, p, along)};
  }
  Real friction_bias_acceleration(int, const BodyState<Real>& state_A, const BodyState<Real>& state_B) const {
    return detail::distance_bias(state_A, state_B, state_B.frame.world(on_B), state_A.frame.turn(axis));
  }
};

}  // namespace spatial
}  // namespace moreau
