// Frame and state of the ground in space, with types of their own: their transformations take no operations
// (joints/ground.hpp).
//
//   frame_of_part<A>(frame_A)    GroundFrame if A is the ground, otherwise frame_A; state_of_part likewise
#pragma once

#include "moreau/spatial/body_state.hpp"

namespace moreau {
namespace spatial {
namespace detail {

template <class Real>
struct GroundFrame {
  static constexpr Point<Real> r{};

  static constexpr Point<Real> turn(Point<Real> a) { return a; }
  static constexpr Point<Real> turn_back(Point<Real> a) { return a; }
  static constexpr Point<Real> world(Point<Real> local) { return local; }
};
template <class Real>
struct GroundState {
  GroundFrame<Real> frame;

  static constexpr Point<Real> velocity_of(Point<Real>) { return {}; }
};
template <class Any>
inline constexpr bool is_ground = false;
template <class Real>
inline constexpr bool is_ground<GroundState<Real>> = true;

template <class Real>
constexpr Wrench<Real> wrench_at(const GroundFrame<Real>&, Point<Real> p, Point<Real> force) {
  return {force, cross(p, force)};
}
template <class Real>
constexpr Wrench<Real> wrench_of_moment(const GroundFrame<Real>&, Point<Real> moment) {
  return {{}, moment};
}

template <int body, class Real>
constexpr decltype(auto) frame_of_part([[maybe_unused]] const Frame<Real>& frame) {
  if constexpr (body == ground)
    return GroundFrame<Real>{};
  else
    return (frame);
}
template <int body, class Real>
constexpr decltype(auto) state_of_part([[maybe_unused]] const BodyState<Real>& state) {
  if constexpr (body == ground)
    return GroundState<Real>{};
  else
    return (state);
}

}  // namespace detail
}  // namespace spatial
}  // namespace moreau
