// Dry friction of a joint that does not depend on the joint's load: seals, preloaded bearings, brakes.
//
//   turning   |moment| <= bound,  opposes omega_B - omega_A
//   sliding   |force| <= bound,   opposes the velocity of B's point along A's axis
//
// Stick is exact: these are percussion laws of the contact problem and no steep functions of the speed.
#pragma once

#include "moreau/joints/plane.hpp"

namespace moreau {

// One friction row, seen from either body.
template <class Real>
struct FrictionRow {
  Wrench<Real> A, B;
};

template <class Real, int A, int B>
struct TurningFriction {
  static constexpr int body_A = A, body_B = B, frictions = 1;

  Real bound = Real(0);  // N m

  FrictionRow<Real> friction(int, const Frame<Real>&, const Frame<Real>&) const {
    return {{{}, Real(-1)}, {{}, Real(1)}};
  }
};

template <class Real, int A, int B>
struct SlidingFriction {
  static constexpr int body_A = A, body_B = B, frictions = 1;

  Point<Real> axis{Real(1), Real(0)};  // direction in A, a unit vector
  Point<Real> on_B;                    // m
  Real bound = Real(0);                // N

  FrictionRow<Real> friction(int, const Frame<Real>& frame_A, const Frame<Real>& frame_B) const {
    const Point<Real> along = frame_A.turn(axis), p = frame_B.world(on_B);
    return {wrench_at(frame_A, p, -along), wrench_at(frame_B, p, along)};
  }
};

}  // namespace moreau
