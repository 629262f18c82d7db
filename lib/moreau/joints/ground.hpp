// Frame and state of the ground, with types of their own.
//
// Their transformations and velocities take no operations. A compiler does not omit the products of Frame{} and
// BodyState{} with 0 and 1, because 0 x differs from 0 for an infinite x. Joints of the library accept both; a
// user-defined joint receives Frame{} or BodyState{} by conversion.
#pragma once

#include "moreau/joints/body_state.hpp"

namespace moreau {
namespace detail {

template <class Real>
struct GroundFrame {
  static constexpr Point<Real> r{};
  static constexpr Real phi = Real(0), sin = Real(0), cos = Real(1);

  constexpr operator Frame<Real>() const { return {}; }
  constexpr Point<Real> turn(Point<Real> a) const { return a; }
  constexpr Point<Real> turn_back(Point<Real> a) const { return a; }
  constexpr Point<Real> world(Point<Real> local) const { return local; }
  constexpr Point<Real> local(Point<Real> world) const { return world; }
};

template <class Real>
struct GroundState {
  GroundFrame<Real> frame;
  static constexpr Point<Real> v{};
  static constexpr Real omega = Real(0);

  constexpr operator BodyState<Real>() const { return {}; }
  constexpr Point<Real> velocity_of(Point<Real>) const { return {}; }
};

// True for a frame or a state of the ground.
template <class Any>
inline constexpr bool is_ground = false;
template <class Real>
inline constexpr bool is_ground<GroundFrame<Real>> = true;
template <class Real>
inline constexpr bool is_ground<GroundState<Real>> = true;

// Returns the wrench on the ground of a force at the world point p.
template <class Real>
constexpr Wrench<Real> wrench_at(const GroundFrame<Real>&, Point<Real> p, Point<Real> force) {
  return {force, cross(p, force)};
}

// Returns the velocity of the point p of B relative to the same point of A.
template <class StateA, class StateB, class Real>
constexpr Point<Real> velocity_between(const StateA& A, const StateB& B, Point<Real> p) {
  if constexpr (is_ground<StateA>)
    return B.velocity_of(p);
  else if constexpr (is_ground<StateB>)
    return -A.velocity_of(p);
  else
    return B.velocity_of(p) - A.velocity_of(p);
}

}  // namespace detail
}  // namespace moreau
