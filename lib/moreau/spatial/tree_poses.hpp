// Poses and velocities of the bodies of a mechanism in joint coordinates in space: the functions of spatial/poses.hpp.
//
// place() and move() determine the coordinates of the inboard joint of a body, as far as the joint permits the pose or
// the velocity. Bodies outboard of it keep their poses and velocities as far as their joints permit. Place and move a
// parent before its children.
#pragma once

#include "moreau/math/angle.hpp"
#include "moreau/spatial/poses.hpp"
#include "moreau/spatial/principal.hpp"
#include "moreau/spatial/tree_kinematics.hpp"

namespace moreau {
namespace spatial {
namespace detail {

MOREAU_SHADOWING_BEGIN

template <class Parts_>
class SpatialTreePoses : public moreau::detail::PartLaws<Parts_> {
  using K = SpatialKinematics<Parts_>;
  static constexpr JointTree<K::bodies> tree = K::tree;

 public:
  using Real = typename K::Real;
  using Bodies = std::array<BodyState<Real>, std::size_t(K::bodies)>;
  using StateVector = SpatialVector<Real, K::dof>;
  using Coordinates = Vector<Real, K::dof>;

  SpatialTreePoses() = default;
  SpatialTreePoses(const Parts_& parts) : moreau::detail::PartLaws<Parts_>(parts) {}

  // Returns the index of the rotation about an axis of a body in q and u. For a body on a joint with angles, returns
  // the index of one of these angles. Returns -1 if the body has no rotation coordinate or does not exist.
  static constexpr int turn_index(int body, int axis) {
    if (body < 0 || body >= K::bodies || tree.turns(body) == 0) return -1;
    return tree.turn(body) + (axis < tree.turns(body) ? axis : tree.turns(body) - 1);
  }
  // Sets position and orientation of a body. The quaternion is normalised. A quaternion of length 0 gives NaN.
  template <class State>
  void place(State& state, int body, Point<Real> r, Quaternion<Real> q = {}) const {
    const Quaternion<Real> unit = unit_quaternion(q);
    typename K::At now;
    K::place(*this, state.q, state.time(), now);
    Frame<Real> wanted[K::bodies];
    K::outward([&](auto b) { wanted[b] = b == body ? Frame<Real>::at(r, unit) : K::template frame<b>(now); });
    K::outward([&](auto b) {
      if (!tree.is_on_path(body, b)) return;
      if constexpr (tree.is_absolute(b))
        if (b == body) set_point(state.q, tree.turn(b), rodrigues_of(unit));
      set_coordinates<b>(*this, now, wanted[b], state.q);
      K::place(*this, state.q, state.time(), now);
    });
  }
  // Sets the velocity of the centre of mass and the angular velocity, both in the world.
  template <class State>
  void move(State& state, int body, Point<Real> v, Point<Real> omega = {}) const {
    typename K::At a;
    K::place(*this, state.q, state.time(), a);
    const Bodies before = body_states(state);
    K::outward([&](auto b) {
      if (!tree.is_on_path(body, b)) return;
      set_velocities<b>(a, K::template motion<tree.parent[b]>(a, state.u), b == body ? v : before[b].v,
                        b == body ? omega : before[b].omega, state.u);
    });
  }
  // Returns position and orientation of a body. The ground and numbers out of range have the pose of the world.
  template <class State>
  Pose<Real> pose(const State& state, int body) const {
    if (body < 0 || body >= K::bodies) return {};
    const Frame<Real> frame = body_state(state, body).frame;
    const Quaternion<Real> q = quaternion_of_axes(frame);
    return {frame.r, q.w < Real(0) ? Quaternion<Real>{-q.w, -q.x, -q.y, -q.z} : q};
  }

  // Returns frames and velocities of all bodies, in the order of their numbers.
  Bodies body_states(const StateVector& q, const StateVector& u, Real t) const {
    typename K::At a;
    K::place(*this, q, t, a);
    Bodies found;
    K::template each<K::bodies>([&](auto b) { found[std::size_t(b)] = K::template state<b>(a, u); });
    return found;
  }
  template <class State>
  Bodies body_states(const State& state) const {
    return body_states(state.q, state.u, state.time());
  }
  // Returns frame and velocities of a body. The ground and numbers out of range give BodyState{}.
  template <class State>
  BodyState<Real> body_state(const State& state, int body) const {
    return body >= 0 && body < K::bodies ? body_states(state)[std::size_t(body)] : BodyState<Real>{};
  }

  // Motion without forces and small displacements (model/free_motion.hpp); only for lists with absolute orientations.
  template <bool turns = tree.has_absolute(), std::enable_if_t<turns, int> = 0>
  void drift(Coordinates& q, Coordinates& u, Real h) const {
    K::template each<K::dof>([&](auto j) {
      if constexpr (!is_sigma(j)) q.coeffRef(j) += h * u.coeff(j);
    });
    each_absolute([&](auto b) {
      Point<Real> sigma = point_of(q, tree.turn(b)), Omega = point_of(u, tree.turn(b));
      rotate_freely(this->body[b].J, h, sigma, Omega);
      set_point(q, tree.turn(b), sigma);
      set_point(u, tree.turn(b), Omega);
    });
  }
  template <bool turns = tree.has_absolute(), std::enable_if_t<turns, int> = 0>
  Coordinates displaced(const Coordinates& q, const Coordinates& d) const {
    Coordinates moved = q + d;
    each_absolute(
        [&](auto b) { set_point(moved, tree.turn(b), rotated(point_of(q, tree.turn(b)), point_of(d, tree.turn(b)))); });
    return moved;
  }
  // Returns q with angles and orientations within half a turn.
  Coordinates wrap(const Coordinates& q) const {
    Coordinates wrapped = q;
    K::outward([&](auto b) {
      if constexpr (tree.is_absolute(b))
        set_point(wrapped, tree.turn(b), within_half_turn(point_of(q, tree.turn(b))));
      else
        K::template each<tree.angles(b)>(
            [&](auto k) { wrapped.coeffRef(tree.turn(b) + k) = wrap_angle(q.coeff(tree.turn(b) + k)); });
    });
    return wrapped;
  }

 private:
  // Sets the position of a free body, or the coordinates of a body on a joint with axes, from its frame; `a` contains
  // the frame of its parent.
  template <int b>
  static void set_coordinates(const Parts_& list, const typename K::At& a, const Frame<Real>& wanted, StateVector& q) {
    if constexpr (tree.is_free(b)) {
      set_point(q, tree.first[b], wanted.r);
    } else if constexpr (tree.inboard[b] != Inboard::spherical) {
      JointAxes<Real> axes = K::template axes_in_world<b>(list, a);
      const Point<Real> p = K::template outer_frame<tree.parent[b]>(a).world(K::template inboard<b>(list).on),
                        to = wanted.world(K::template outboard<b>(list).on) - p;
      K::template each<tree.slides(b)>(
          [&](auto k) { q.coeffRef(tree.first[b] + k) = dot(K::template slide_direction<b, k>(axes), to); });
      const JointAxes<Real> own = K::template axes_of<b>(K::template outboard<b>(list));
      if constexpr (tree.angles(b) == 2) {
        const Point<Real> axis = wanted.turn(own.axis);
        q.coeffRef(tree.turn(b)) = angle_of(dot(axes.third, axis), dot(axes.normal, axis));
        axes.turn(q.coeff(tree.turn(b)));
        axes = {axes.normal, axes.third, axes.axis};
      }
      if constexpr (tree.angles(b) > 0) {
        const Point<Real> normal = wanted.turn(own.normal);
        q.coeffRef(tree.turn(b) + tree.angles(b) - 1) = angle_of(dot(axes.third, normal), dot(axes.normal, normal));
      }
    }
  }
  // Sets the entries of u of a body from its velocities v and omega and from the motion of its parent.
  template <int b>
  static void set_velocities(const typename K::At& a, const Motion<Real>& parent, Point<Real> v, Point<Real> omega,
                             StateVector& u) {
    if constexpr (tree.is_absolute(b)) set_point(u, tree.turn(b), K::template frame<b>(a).turn_back(omega));
    if constexpr (tree.is_free(b)) {
      set_point(u, tree.first[b], v);
    } else {
      constexpr int p = tree.parent[b];
      Point<Real> relative = v - cross(omega, Point<Real>(a.frame[b].r) - Point<Real>(a.base[b])) - parent.v,
                  turning = omega - parent.omega;
      if constexpr (p != ground)
        relative = relative - cross(parent.omega, Point<Real>(a.base[b]) - Point<Real>(a.frame[p].r));
      K::template each<tree.slides(b)>(
          [&](auto k) { u.coeffRef(tree.first[b] + k) = dot(Point<Real>(a.direction[tree.first[b] + k]), relative); });
      K::template each<tree.angles(b)>(
          [&](auto k) { u.coeffRef(tree.turn(b) + k) = dot(Point<Real>(a.direction[tree.turn(b) + k]), turning); });
    }
  }

  static constexpr bool is_sigma(int j) { return !tree.is_slide(j) && tree.is_absolute(tree.owner[j]); }
  template <class F>
  MOREAU_ALWAYS_INLINE static void each_absolute(F&& f) {
    K::outward([&](auto b) {
      if constexpr (tree.is_absolute(b)) f(b);
    });
  }
};

MOREAU_SHADOWING_END

}  // namespace detail
}  // namespace spatial
}  // namespace moreau
