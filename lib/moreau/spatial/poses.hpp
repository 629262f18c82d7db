// Coordinates of the bodies of a mechanism in space, and poses by the names of the bodies.
//
//   model.place(state, Parts::rod, {x, y, z}, quaternion)      sets position and orientation of a body
//   model.move(state, Parts::rod, v, omega)                    sets its velocities in the world
//   const auto pose = model.pose(state, Parts::rod);           pose.r, pose.q = (w, x, y, z), pose.frame() with R
//   const auto rod = model.body_state(state, Parts::rod);      frame, v, omega in the world
//
//   q = (r, sigma),   u = (v, Omega) of every body (spatial/free_body.hpp)
//
// place() keeps the angular velocity in the world only if move() follows, because Omega refers to the axes of the body.
// q[j] and u[j] are coordinate number j, for loops over all coordinates; q(j) is rejected, as in the plane.
#pragma once

#include <array>

#include "moreau/mechanism/joint_vector.hpp"
#include "moreau/mechanism/part_laws.hpp"
#include "moreau/spatial/geometry.hpp"

namespace moreau {
namespace spatial {

// Position and orientation of a body.
template <class Real>
struct Pose {
  Point<Real> r;       // centre of mass in the world, m
  Quaternion<Real> q;  // orientation: unit quaternion with w >= 0

  // Returns the frame: r, and the axes of the body, which are the columns of its rotation matrix.
  constexpr Frame<Real> frame() const { return Frame<Real>::at(r, q); }
};

namespace detail {

// Returns the quaternion of unit length with w >= 0 of the same orientation.
template <class Real>
Quaternion<Real> unit_quaternion(Quaternion<Real> q) {
  const Real length = moreau::sqrt((q.w * q.w + q.x * q.x) + (q.y * q.y + q.z * q.z));
  const Real scale = (q.w < Real(0) ? Real(-1) : Real(1)) / length;
  return {scale * q.w, scale * q.x, scale * q.y, scale * q.z};
}

// q or u of a mechanism in space.
template <class Real, int n>
struct SpatialVector : Vector<Real, n> {
  using Base = Vector<Real, n>;

  SpatialVector() = default;
  template <class Other>
  SpatialVector(const Eigen::MatrixBase<Other>& other) : Base(other) {}
  template <class Other>
  SpatialVector& operator=(const Eigen::MatrixBase<Other>& other) {
    Base::operator=(other);
    return *this;
  }

  template <class Index>
  Real& operator()(const Index&) {
    static_assert(moreau::detail::refused<Index>,
                  "State of a mechanism in space: write model.place(state, body, r, quaternion), model.move(state, "
                  "body, v, omega), model.pose(state, body) or model.body_state(state, body); q[j] is coordinate j");
    return this->coeffRef(0);
  }
  template <class Index>
  Real operator()(const Index&) const {
    static_assert(moreau::detail::refused<Index>,
                  "State of a mechanism in space: write model.place(state, body, r, quaternion), model.move(state, "
                  "body, v, omega), model.pose(state, body) or model.body_state(state, body); q[j] is coordinate j");
    return Real(0);
  }
  template <class Value>
  Eigen::CommaInitializer<Base> operator<<(const Value&) {
    static_assert(moreau::detail::refused<Value>,
                  "State of a mechanism in space: write model.place(state, body, r, quaternion) and model.move(state, "
                  "body, v, omega) in place of q << and u <<");
    return Base::operator<<(Real(0));
  }
};

MOREAU_SHADOWING_BEGIN

template <class Parts_>
class SpatialPoses : public moreau::detail::PartLaws<Parts_> {
  static constexpr int body_count = moreau::detail::PartsList<Parts_>::bodies;

 public:
  using Real = typename moreau::detail::PartLaws<Parts_>::Real;
  using Bodies = std::array<BodyState<Real>, std::size_t(body_count)>;
  using StateVector = SpatialVector<Real, 6 * body_count>;

  SpatialPoses() = default;
  SpatialPoses(const Parts_& parts) : moreau::detail::PartLaws<Parts_>(parts) {}

  // Returns the index of the rotation about an axis of a body in q and u; -1 if the body does not exist.
  static constexpr int turn_index(int body, int axis) {
    return body >= 0 && body < body_count ? 6 * body + 3 + axis : -1;
  }
  // Sets position and orientation of a body. The quaternion is normalised. A quaternion of length 0 gives NaN.
  template <class State>
  void place(State& state, int body, Point<Real> r, Quaternion<Real> q = {}) const {
    set_point(state.q, 6 * body, r);
    set_point(state.q, 6 * body + 3, rodrigues_of(unit_quaternion(q)));
  }
  // Sets the velocity of the centre of mass and the angular velocity, both in the world.
  template <class State>
  void move(State& state, int body, Point<Real> v, Point<Real> omega = {}) const {
    set_point(state.u, 6 * body, v);
    set_point(state.u, 6 * body + 3, frame_of_body(state.q, body).turn_back(omega));
  }
  // Returns position and orientation of a body. The ground and numbers out of range have the pose of the world.
  template <class State>
  Pose<Real> pose(const State& state, int body) const {
    if (body < 0 || body >= body_count) return {};
    return {point_of(state.q, 6 * body), quaternion_of(within_half_turn(point_of(state.q, 6 * body + 3)))};
  }

  // Returns frames and velocities of all bodies, in the order of their numbers.
  Bodies body_states(const StateVector& q, const StateVector& u, Real) const {
    Bodies found;
    for (int body = 0; body < body_count; ++body)
      found[std::size_t(body)] =
          state_of(this->body[body], frame_of_body(q, body), point_of(u, 6 * body), point_of(u, 6 * body + 3));
    return found;
  }
  template <class State>
  Bodies body_states(const State& state) const {
    return body_states(state.q, state.u, state.time());
  }
  // Returns frame and velocities of a body. The ground and numbers out of range give BodyState{}.
  template <class State>
  BodyState<Real> body_state(const State& state, int body) const {
    return body >= 0 && body < body_count ? body_states(state)[std::size_t(body)] : BodyState<Real>{};
  }

  // Motion without forces, small displacements, and orientations within half a turn of the world
  // (model/free_motion.hpp).
  using Coordinates = Vector<Real, 6 * body_count>;
  void drift(Coordinates& q, Coordinates& u, Real h) const {
    for (int body = 0; body < body_count; ++body) {
      Point<Real> sigma = point_of(q, 6 * body + 3), Omega = point_of(u, 6 * body + 3);
      rotate_freely(this->body[body].J, h, sigma, Omega);
      set_point(q, 6 * body, point_of(q, 6 * body) + h * point_of(u, 6 * body));
      set_point(q, 6 * body + 3, sigma);
      set_point(u, 6 * body + 3, Omega);
    }
  }
  Coordinates displaced(const Coordinates& q, const Coordinates& d) const {
    Coordinates moved = q + d;
    for (int body = 0; body < body_count; ++body)
      set_point(moved, 6 * body + 3, rotated(point_of(q, 6 * body + 3), point_of(d, 6 * body + 3)));
    return moved;
  }
  Coordinates wrap(const Coordinates& q) const {
    Coordinates wrapped = q;
    for (int body = 0; body < body_count; ++body)
      set_point(wrapped, 6 * body + 3, within_half_turn(point_of(q, 6 * body + 3)));
    return wrapped;
  }

 private:
  template <class Q>
  static Frame<Real> frame_of_body(const Q& q, int body) {
    return moreau::detail::PartsList<Parts_>::Geometry::frame(q, 6 * body);
  }
};

MOREAU_SHADOWING_END

}  // namespace detail
}  // namespace spatial
}  // namespace moreau
