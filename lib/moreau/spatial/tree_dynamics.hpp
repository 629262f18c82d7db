// Mass matrix, generalised forces and rows in the coordinates of a spanning tree in space
// (spatial/tree_kinematics.hpp).
//
//   M = J^T M_b J,   h = J^T (f - M_b (accelerations in the motion without forces)),   w = J^T (wrenches on bodies)
//
// J maps u to the velocities of the centres of mass and the angular velocities of all bodies, and M_b contains their
// inertia. J^T of forces F_b and of moments N_b about the bases, from the tips to the roots, with the vector E_k from
// base_b to the base of a child k:
//
//   F_b = f_b + sum of F_k,   N_b = C_b x f_b + n_b + sum of E_k x F_k + sum of N_k, except of absolute children k
//   translation along d:  d . F_b        rotation about e:  e . N_b
//
// Column j of M is J^T of the momenta due to u_j = 1. For a rotation, absolute bodies move as point masses that include
// all their descendants, because they do not turn.
#pragma once

#include "moreau/mechanism/tree_dynamics.hpp"
#include "moreau/spatial/tree_kinematics.hpp"

namespace moreau {
namespace spatial {
namespace detail {

// Wrench without initial values.
template <class Real>
struct RawWrenchInSpace {
  RawPoint<Real> force, moment;
  MOREAU_ALWAYS_INLINE operator Wrench<Real>() const { return {force, moment}; }
  MOREAU_ALWAYS_INLINE RawWrenchInSpace& operator=(const Wrench<Real>& w) {
    force = w.force, moment = w.moment;
    return *this;
  }
};

template <class Parts>
class SpatialDynamics : public SpatialKinematics<Parts> {
  using K = SpatialKinematics<Parts>;

 public:
  using typename K::At, typename K::List, typename K::P, typename K::Q, typename K::Real;
  using RawWrench = RawWrenchInSpace<Real>;
  static constexpr int bodies = K::bodies, dof = K::dof;
  static constexpr JointTree<bodies> tree = K::tree;
  using Mass = Matrix<Real, dof, dof>;

  // Returns true if M_ij can differ from 0.
  static constexpr bool mass_entry(int i, int j) {
    const int a = tree.owner[i], b = tree.owner[j];
    if (i == j) return true;
    if (a == b) return has_moment(a) && !(tree.is_slide(i) && tree.is_slide(j));
    return tree.is_on_path(a, b) || tree.is_on_path(b, a);
  }

  // Sets M.
  MOREAU_ALWAYS_INLINE static void set_mass(const Parts& list, const At& a, Mass& M) {
    Composite of[bodies];
    K::inward([&](auto b) {
      of[b].m = list.body[b].m;
      of[b].moment = P{};
      if constexpr (!tree.is_free(b)) of[b].moment = list.body[b].m * arm<b>(a);
      K::template for_each_child<b>([&](auto k) {
        of[b].m += of[k].m;
        of[b].moment = P(of[b].moment) + of[k].m * arm_of_child<k>(a);
        if constexpr (!tree.is_absolute(k)) of[b].moment = P(of[b].moment) + P(of[k].moment);
      });
    });
    K::template each<dof>([&](auto i) {
      K::template each<dof>([&](auto j) {
        if constexpr (!mass_entry(i, j)) M.coeffRef(i, j) = Real(0);
      });
    });
    K::template each<dof>([&](auto j) {
      constexpr int b = tree.owner[j];
      if constexpr (tree.is_slide(j)) {
        if constexpr (has_moment(b) || !tree.is_free(b)) {
          const P d = axis<j>(a);
          add_column<b, j>(a, of[b].m * d, cross(P(of[b].moment), d), M);
        } else {
          M.coeffRef(j, j) = of[b].m;
        }
      } else if constexpr (!has_moment(b)) {
        M.coeffRef(j, j) = component(list.body[b].J, j - tree.turn(b));
      } else {
        const P e = axis<j>(a);
        add_column<b, j>(a, cross(e, P(of[b].moment)), angular_momentum<b>(list, a, of, e), M);
      }
    });
  }

  // Sets h from the forces on all bodies.
  MOREAU_ALWAYS_INLINE static void set_force(const Parts& list, const At& a, const Q& u,
                                             const RawWrench (&acting)[bodies], Q& h) {
    Motion<Real> motion[bodies];
    K::outward([&](auto b) {
      if constexpr (tree.parent[b] == ground)
        motion[b] = K::template moved<b>(a, u, {});
      else
        motion[b] = K::template moved<b>(a, u, motion[tree.parent[b]]);
    });
    RawPoint<Real> F[bodies], N[bodies];
    K::inward([&](auto b) {
      const Wrench<Real> on_b = acting[b];
      P force = on_b.force, moment{};
      if constexpr (accelerates(b)) force = force - list.body[b].m * motion[b].a;
      if constexpr (!tree.is_free(b)) moment = cross(arm<b>(a), force);
      K::template for_each_child<b>([&](auto k) {
        moment = moment + cross(arm_of_child<k>(a), P(F[k]));
        if constexpr (!tree.is_absolute(k)) moment = moment + P(N[k]);
        force = force + P(F[k]);
      });
      const auto frame = K::template frame<b>(a);
      if constexpr (tree.is_absolute(b)) {
        P along = on_b.moment;
        if constexpr (has_moment(b)) along = along + frame.turn_back(moment);
        set_point(h, tree.turn(b), along);
      } else if constexpr (tree.rotates(b)) {
        P own = on_b.moment;
        if constexpr (tree.tumbles(b)) {
          const P J = list.body[b].J, W = frame.turn_back(motion[b].omega);
          own = own - times(J, frame.turn_back(motion[b].alpha)) - cross(W, times(J, W));
        }
        moment = moment + frame.turn(own);
      } else {
        moment = moment + frame.turn(on_b.moment);
      }
      F[b] = force, N[b] = moment;
      K::template each<tree.angles(b)>(
          [&](auto k) { h.coeffRef(tree.turn(b) + k) = dot(axis<tree.turn(b) + k>(a), moment); });
      K::template each<tree.slides(b)>(
          [&](auto k) { h.coeffRef(tree.first[b] + k) = along<tree.first[b] + k>(a, force); });
    });
  }

 protected:
  template <int b>
  MOREAU_ALWAYS_INLINE static P arm(const At& a) {
    return P(a.frame[b].r) - P(a.base[b]);
  }
  // Returns the direction of a translation or the axis of a rotation in the world.
  template <int j>
  MOREAU_ALWAYS_INLINE static P axis(const At& a) {
    constexpr int b = tree.owner[j], k = j - (tree.is_slide(j) ? tree.first[b] : tree.turn(b));
    if constexpr (tree.is_slide(j) && tree.is_free(b))
      return world_axis<Real>(k);
    else if constexpr (!tree.is_slide(j) && tree.is_absolute(b))
      return k == 0 ? P(a.frame[b].x) : (k == 1 ? P(a.frame[b].y) : P(a.frame[b].z));
    else
      return a.direction[j];
  }
  // Returns the component of a vector along a translation.
  template <int j>
  MOREAU_ALWAYS_INLINE static Real along(const At& a, P v) {
    constexpr int b = tree.owner[j];
    if constexpr (tree.is_free(b))
      return component(v, j - tree.first[b]);
    else
      return dot(axis<j>(a), v);
  }

 private:
  // Mass of a body and all its descendants, and its moment about the base.
  struct Composite {
    Real m;
    RawPoint<Real> moment;
  };

  // True if the common centre of mass of a body and its descendants can differ from its base.
  static constexpr bool has_moment(int b) { return !tree.is_free(b) || tree.has_children(b); }
  // True if the centre of mass has an acceleration in the motion without forces.
  static constexpr bool accelerates(int b) { return !tree.is_free(b) && tree.rotates(b); }

  template <int child>
  MOREAU_ALWAYS_INLINE static P arm_of_child(const At& a) {
    return P(a.base[child]) - P(a.base[tree.parent[child]]);
  }
  // Returns the angular momentum of b and its descendants about the base of b, for a rotation about this base with `e`.
  template <int b>
  MOREAU_ALWAYS_INLINE static P angular_momentum(const Parts& list, const At& a, const Composite (&of)[bodies], P e) {
    const Frame<Real> frame = K::template frame<b>(a);
    P L = frame.turn(times(list.body[b].J, frame.turn_back(e)));
    if constexpr (!tree.is_free(b)) L = L + list.body[b].m * cross(arm<b>(a), cross(e, arm<b>(a)));
    K::template for_each_child<b>([&](auto k) {
      const P E = arm_of_child<k>(a), v = cross(e, E);
      if constexpr (tree.is_absolute(k)) {
        L = L + of[k].m * cross(E, v);
      } else {
        const P moment = of[k].moment;
        L = L + cross(E, of[k].m * v + cross(e, moment)) + cross(moment, v) + angular_momentum<k>(list, a, of, e);
      }
    });
    return L;
  }
  // Sets the entries of column j at the coordinates of b and of its ancestors, from momentum and angular momentum about
  // the base of b.
  template <int b, int j>
  MOREAU_ALWAYS_INLINE static void add_column(const At& a, P momentum, P angular, Mass& M) {
    K::template each<tree.slides(b) + tree.turns(b)>([&](auto k) {
      constexpr int i = tree.first[b] + k;
      if constexpr (mass_entry(i, j) && (tree.owner[j] != b || i <= j)) {
        if constexpr (tree.is_slide(i))
          M.coeffRef(i, j) = along<i>(a, momentum);
        else
          M.coeffRef(i, j) = dot(axis<i>(a), angular);
        if constexpr (i != j) M.coeffRef(j, i) = M.coeff(i, j);
      }
    });
    constexpr int p = tree.parent[b];
    if constexpr (!tree.is_free(b) && p != ground) {
      P about_p = cross(arm_of_child<b>(a), momentum);
      if constexpr (!tree.is_absolute(b)) about_p = about_p + angular;
      add_column<p, j>(a, momentum, about_p, M);
    }
  }
};

}  // namespace detail
}  // namespace spatial
}  // namespace moreau
