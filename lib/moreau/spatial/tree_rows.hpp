// Rows in the coordinates of a spanning tree in space (spatial/tree_dynamics.hpp): J^T of the wrenches of contacts,
// ideal joints outside the tree and friction on their two bodies. The rows of a contact are velocities of its point due
// to u_j = 1, along its three directions.
#pragma once

#include "moreau/mechanism/tree_rows.hpp"
#include "moreau/spatial/tree_dynamics.hpp"

namespace moreau {
namespace spatial {
namespace detail {

template <class Parts>
class SpatialRows : public SpatialDynamics<Parts> {
  using K = SpatialKinematics<Parts>;
  using Base = SpatialDynamics<Parts>;

 public:
  using typename Base::At, typename Base::P, typename Base::Q, typename Base::Real;
  static constexpr int dof = Base::dof;
  static constexpr JointTree<Base::bodies> tree = Base::tree;

  // Returns true if wrenches on A and B can have an entry at coordinate j. Opposite wrenches, as those of a contact,
  // have the entry 0 if coordinate j moves both bodies as one rigid body.
  static constexpr bool row_entry(int j, int A, int B, bool opposite) {
    return (tree.moves(j, A) || tree.moves(j, B)) && !(opposite && tree.moves_alike(j, A, B));
  }
  // Sets the entries of J^T of the wrenches of one row; other entries stay unchanged.
  template <int A, int B, bool opposite, class V>
  MOREAU_ALWAYS_INLINE static void set_row(const At& a, const Wrench<Real>& on_A, const Wrench<Real>& on_B, V& w) {
    const P moment_A = K::template frame<A>(a).turn(on_A.moment), moment_B = K::template frame<B>(a).turn(on_B.moment);
    K::template each<dof>([&](auto j) {
      if constexpr (row_entry(j, A, B, opposite)) {
        if constexpr (!tree.moves(j, B))
          w.coeffRef(j) = entry<j, A>(a, on_A, moment_A);
        else if constexpr (!tree.moves(j, A))
          w.coeffRef(j) = entry<j, B>(a, on_B, moment_B);
        else
          w.coeffRef(j) = entry<j, A>(a, on_A, moment_A) + entry<j, B>(a, on_B, moment_B);
      }
    });
  }

  // Returns true if the directions of a contact of this part can have an entry at coordinate j.
  template <class Part>
  static constexpr bool contact_entry(int j) {
    return row_entry(j, Part::body_A, Part::body_B, true);
  }
  // Sets the directions of a contact from the velocities of its point.
  template <class Part, int tangents>
  MOREAU_ALWAYS_INLINE static void set_directions(const JointContact<Real>& c, const At& a,
                                                  Directions<Real, dof, tangents>& d) {
    const P other = cross(c.n, c.t);
    K::template each<dof>([&](auto j) {
      if constexpr (contact_entry<Part>(j)) {
        const auto speed = relative_velocity<j, Part::body_A, Part::body_B>(a, c.p);
        d.w_N.coeffRef(j) = speed(c.n);
        if constexpr (tangents == 2) d.w_T.coeffRef(j, 0) = speed(c.t), d.w_T.coeffRef(j, 1) = speed(other);
      }
    });
  }

  // Change of the momentum of a body in a step, its forces in the world, and the point of its inboard joint: for the
  // loads of the joints (mechanism/tree_loads.hpp).
  template <int b>
  static Wrench<Real> change_of_momentum(const Parts& list, const At& a, const Q& du, const Q& mean, Real dt) {
    const Motion<Real> change = K::template motion<b>(a, du), motion = K::template motion<b>(a, mean);
    const Frame<Real> frame = K::template frame<b>(a);
    const P J = list.body[b].J, W = frame.turn_back(motion.omega);
    const P turning = frame.turn_back(change.omega + dt * motion.alpha);
    return {list.body[b].m * (change.v + dt * motion.a), frame.turn(times(J, turning) + dt * cross(W, times(J, W)))};
  }
  template <int b>
  static Wrench<Real> in_world(const At& a, const Wrench<Real>& wrench) {
    return {wrench.force, K::template frame<b>(a).turn(wrench.moment)};
  }
  template <int b>
  static P base(const At& a) {
    return a.base[b];
  }

 private:
  // Returns entry j of J^T of a wrench on one body, whose moment is also given in the world.
  template <int j, int body>
  MOREAU_ALWAYS_INLINE static Real entry(const At& a, const Wrench<Real>& w, P moment) {
    constexpr int b = tree.owner[j];
    if constexpr (tree.is_slide(j)) {
      return Base::template along<j>(a, w.force);
    } else {
      const P from = a.base[b];
      constexpr int carrier = tree.carrier(j, body);
      if constexpr (carrier != ground) {
        return dot(Base::template axis<j>(a), cross(P(a.base[carrier]) - from, w.force));
      } else if constexpr (b == body && tree.is_absolute(b)) {
        const Real of_moment = component(w.moment, j - tree.turn(b));
        if constexpr (tree.is_free(b))
          return of_moment;
        else
          return of_moment + dot(Base::template axis<j>(a), cross(Base::template arm<b>(a), w.force));
      } else {
        return dot(Base::template axis<j>(a), moment + cross(P(a.frame[body].r) - from, w.force));
      }
    }
  }
  // Returns the velocity of the point p of a body due to u_j = 1.
  template <int j, int body>
  MOREAU_ALWAYS_INLINE static P velocity(const At& a, P p) {
    if constexpr (tree.is_slide(j)) {
      return Base::template axis<j>(a);
    } else {
      constexpr int carrier = tree.carrier(j, body);
      if constexpr (carrier != ground) p = a.base[carrier];
      return cross(Base::template axis<j>(a), p - P(a.base[tree.owner[j]]));
    }
  }
  // Returns a function of a direction: the velocity of the point p of B relative to A along it due to u_j = 1.
  template <int j, int A, int B>
  MOREAU_ALWAYS_INLINE static auto relative_velocity(const At& a, P p) {
    if constexpr (tree.is_slide(j)) {
      return [&a](P n) { return tree.moves(j, B) ? Base::template along<j>(a, n) : -Base::template along<j>(a, n); };
    } else {
      P v;
      if constexpr (!tree.moves(j, A))
        v = velocity<j, B>(a, p);
      else if constexpr (!tree.moves(j, B))
        v = -velocity<j, A>(a, p);
      else
        v = velocity<j, B>(a, p) - velocity<j, A>(a, p);
      return [v](P n) { return dot(v, n); };
    }
  }
};

// Returns the generalised force of two wrenches (mechanism/tree_dynamics.hpp).
template <int A, int B, class Q, class Parts, class Real>
Q generalized(const SpatialAt<Parts>& a, const Wrench<Real>& on_A, const Wrench<Real>& on_B) {
  Q w = Q::Zero();
  SpatialRows<Parts>::template set_row<A, B, false>(a, on_A, on_B, w);
  return w;
}

}  // namespace detail
}  // namespace spatial
}  // namespace moreau
