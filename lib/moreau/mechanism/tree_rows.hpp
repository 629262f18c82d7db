// Rows in the coordinates of a spanning tree (tree_dynamics.hpp): J^T of the wrenches that contacts, friction elements
// and ideal joints outside the tree exert on two bodies.
#pragma once

#include "moreau/mechanism/tree_dynamics.hpp"

namespace moreau {
namespace detail {

template <class Parts>
class TreeRows : public TreeDynamics<Parts> {
  using K = TreeKinematics<Parts>;
  using Base = TreeDynamics<Parts>;

 public:
  using typename Base::At, typename Base::P, typename Base::Q, typename Base::Real;
  static constexpr int bodies = Base::bodies, dof = Base::dof;
  static constexpr SpanningTree<bodies> tree = Base::tree;

  // Returns true if wrenches on A and B can have an entry at coordinate j. Opposite forces, such as those of a contact,
  // have the entry 0 if coordinate j translates both bodies equally.
  static constexpr bool row_entry(int j, int A, int B, bool opposite) {
    return (moves(j, A) || moves(j, B)) && !(opposite && tree.shifts_both(j, A, B));
  }
  // Returns true if moments on A and B have an entry at coordinate j.
  static constexpr bool turns_entry(int j, int A, int B) {
    return (A != ground && tree.angle[A] == j) || (B != ground && tree.angle[B] == j);
  }
  // Sets the entries of J^T of moments on both bodies; other entries stay unchanged.
  template <int A, int B, class V>
  MOREAU_ALWAYS_INLINE static void set_turning_row(Real on_A, Real on_B, V& w) {
    for_each_constant<dof>([&](auto j) {
      if constexpr (turns_entry(j, A, B)) {
        if constexpr (!turns_entry(j, ground, B))
          w.coeffRef(j) = on_A;
        else if constexpr (!turns_entry(j, A, ground))
          w.coeffRef(j) = on_B;
        else
          w.coeffRef(j) = on_A + on_B;
      }
    });
  }
  // Sets the entries of J^T of the wrenches of one row; other entries stay unchanged.
  template <int A, int B, bool opposite, class V>
  MOREAU_ALWAYS_INLINE static void set_row(const At& a, const Wrench<Real>& on_A, const Wrench<Real>& on_B, V& w) {
    for_each_constant<dof>([&](auto j) {
      if constexpr (row_entry(j, A, B, opposite)) {
        if constexpr (!moves(j, B))
          w.coeffRef(j) = entry<j, A>(a, on_A);
        else if constexpr (!moves(j, A))
          w.coeffRef(j) = entry<j, B>(a, on_B);
        else
          w.coeffRef(j) = entry<j, A>(a, on_A) + entry<j, B>(a, on_B);
      }
    });
  }

  // Returns true if the directions of a contact of this part can have an entry at coordinate j.
  template <class Part>
  static constexpr bool contact_entry(int j) {
    return value_or<rotational_in, Part, false> ? turns_entry(j, Part::body_A, Part::body_B)
                                                : row_entry(j, Part::body_A, Part::body_B, true);
  }
  // Sets the directions of a contact.
  template <class Part, int tangents>
  MOREAU_ALWAYS_INLINE static void set_directions(const JointContact<Real>& c, const At& a,
                                                  Directions<Real, dof, tangents>& d) {
    constexpr int A = Part::body_A, B = Part::body_B;
    if constexpr (value_or<rotational_in, Part, false>) return set_turning_row<A, B>(c.turn_A, c.turn_B, d.w_N);
    const auto rows = contact_wrenches(c, K::template frame<A>(a), K::template frame<B>(a));
    set_row<A, B, true>(a, rows.N_A, rows.N_B, d.w_N);
    if constexpr (tangents == 1) set_row<A, B, true>(a, rows.T_A, rows.T_B, d.w_T);
  }

  // Return, for the joint loads (tree_loads.hpp): the change of the momentum of a body in a step, a wrench in world
  // axes, and the base of a body (the point of its inboard joint).
  template <int b>
  static Wrench<Real> change_of_momentum(const Parts& list, const At& a, const Q& du, const Q& mean, Real dt) {
    const P dv = K::template velocity<b>(a, du) + dt * K::template acceleration<b>(a, mean);
    return {list.body[b].m * dv, list.body[b].J * K::template omega<b>(du)};
  }
  template <int>
  static Wrench<Real> in_world(const At&, const Wrench<Real>& wrench) {
    return wrench;
  }
  template <int b>
  static P base(const At& a) {
    if constexpr (K::has_arm(b))
      return P(a.r[b]) - P(a.C[b]);
    else
      return a.r[b];
  }

 private:
  static constexpr bool slides_at(int j, int b) {
    return tree.slide[b] >= 0 && j >= tree.slide[b] && j < tree.slide[b] + tree.slides(b);
  }
  // Returns true if coordinate j moves the body.
  static constexpr bool moves(int j, int body) {
    if (body == ground) return false;
    for (int b = 0; b < bodies; ++b)
      if (tree.is_on_path(b, body) && (tree.angle[b] == j || slides_at(j, b))) return true;
    return false;
  }
  // Returns entry j of J^T of a wrench on one body.
  template <int j, int body>
  MOREAU_ALWAYS_INLINE static Real entry(const At& a, const Wrench<Real>& w) {
    if constexpr (tree.turns(j, body)) {
      Real sum = tree.angle[body] == j ? w.moment : Real(0);
      for_each_constant<bodies>([&](auto b) {
        if constexpr (tree.is_on_path(b, body) && tree.angle[b] == j) {
          if constexpr (b != body)
            sum += cross(P(a.E[tree.toward(b, body)]), w.force);
          else if constexpr (K::has_arm(b))
            sum += cross(P(a.C[b]), w.force);
        }
      });
      return sum;
    } else {
      Real sum = Real(0);
      for_each_constant<bodies>([&](auto b) {
        if constexpr (tree.is_on_path(b, body) && slides_at(j, b))
          sum = Base::template along<b, j - tree.slide[b]>(w.force, a);
      });
      return sum;
    }
  }
};

// Returns the generalised force of two wrenches; the overload for the coordinates of the bodies is in parts_list.hpp.
template <int A, int B, class Q, class Parts, class Real>
Q generalized(const TreeAt<Parts>& a, const Wrench<Real>& on_A, const Wrench<Real>& on_B) {
  Q w = Q::Zero();
  TreeRows<Parts>::template set_row<A, B, false>(a, on_A, on_B, w);
  return w;
}

}  // namespace detail
}  // namespace moreau
