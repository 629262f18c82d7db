// Mass matrix, generalised forces and rows in the coordinates of a spanning tree (tree_kinematics.hpp).
//
//   M = J^T M_b J,   h = J^T (f - M_b (dJ/dt) u),   w = J^T (wrenches on both bodies)
//
// J maps u to the velocities of the centres of mass and the angular velocities of all bodies, and M_b contains their
// masses. mbar_b is the mass of b and all its descendants, and D_b = m_b C_b + sum of mbar_k E_k over the children k of
// b. For a body b and its ancestor a, with the child c of a toward b:
//
//   (phi_b, phi_b)   J_b + m_b |C_b|^2 + sum of mbar_k |E_k|^2        (s_b, s_b)     mbar_b
//   (phi_a, phi_b)   E_c . D_b                                        (s_b, phi_b)   D_b x d_b
//   (phi_a, s_b)     mbar_b E_c x d_b                                 (s_a, phi_b)   D_b x d_a
//                                                                     (s_a, s_b)     mbar_b d_a . d_b
//
// with a x b = a.x b.y - a.y b.x. Bodies that share one angle add to the same entries. x and y of a free body are
// slides along (1, 0) and (0, 1).
//
// J^T of wrenches F_b, N_b: with Fbar_b = F_b + sum of Fbar_k, from the tips to the roots,
//
//   phi_b   N_b + C_b x F_b + sum of E_k x Fbar_k,        s_b   d_b . Fbar_b
#pragma once

#include "moreau/mechanism/tree_kinematics.hpp"

namespace moreau {
namespace detail {

// Wrench without initial values.
template <class Real>
struct RawWrench {
  RawPoint<Real> force;
  Real moment;
  MOREAU_ALWAYS_INLINE operator Wrench<Real>() const { return {force, moment}; }
  MOREAU_ALWAYS_INLINE RawWrench& operator=(const Wrench<Real>& w) {
    force = w.force, moment = w.moment;
    return *this;
  }
};

// Compile-time pattern of the mass matrix: for each pair of bodies (a is an ancestor of b, or a = b), the entries to
// which they contribute.
template <int bodies>
struct MassTable {
  bool entry[3 * bodies + 1][3 * bodies + 1] = {};
};

template <class Parts>
class TreeDynamics : public TreeKinematics<Parts> {
  using K = TreeKinematics<Parts>;

 public:
  using RawWrench = detail::RawWrench<typename K::Real>;
  using typename K::At;
  using typename K::List;
  using typename K::P;
  using typename K::Q;
  using typename K::Real;
  static constexpr int bodies = K::bodies, dof = K::dof;
  static constexpr SpanningTree<bodies> tree = K::tree;
  using Mass = Matrix<Real, dof, dof>;

  // Returns true if M_ij can differ from 0.
  static constexpr bool mass_entry(int i, int j) { return pattern.entry[i][j]; }

  // Sets M.
  MOREAU_ALWAYS_INLINE static void set_mass(const Parts& list, const At& a, Mass& M) {
    Real mbar[bodies];
    RawPoint<Real> D[bodies];
    K::inward([&](auto b) {
      mbar[b] = list.body[b].m;
      if constexpr (K::has_arm(b)) D[b] = list.body[b].m * P(a.C[b]);
      K::template for_each_child<b>([&](auto k) {
        mbar[b] += mbar[k];
        const P moment = mbar[k] * P(a.E[k]);
        if constexpr (!K::has_arm(b) && is_first_child(k, b))
          D[b] = moment;
        else
          D[b] = P(D[b]) + moment;
      });
    });
    for_each_constant<dof>([&](auto i) {
      for_each_constant<dof>([&](auto j) {
        if constexpr (!mass_entry(i, j)) M.coeffRef(i, j) = Real(0);
      });
    });
    for_each_constant<bodies>([&](auto b) {
      for_each_constant<bodies>([&](auto above) {
        if constexpr (tree.is_on_path(above, b)) add_pair<above, b>(list, a, mbar, D, M);
      });
    });
  }

  // Adds J^T of wrenches on all bodies, children first. wrench(b) returns the wrench on body b.
  template <class Wrenches>
  MOREAU_ALWAYS_INLINE static void set_pulled_back(const At& a, const Wrenches& wrench, Q& h) {
    RawPoint<Real> F[bodies];
    K::inward([&](auto b) {
      const Wrench<Real> on_b = wrench(b);
      F[b] = on_b.force;
      Real moment = on_b.moment;
      if constexpr (K::has_arm(b) && K::rotates(b)) moment += cross(P(a.C[b]), on_b.force);
      K::template for_each_child<b>([&](auto k) {
        if constexpr (K::rotates(b)) moment += cross(P(a.E[k]), P(F[k]));
        F[b] = P(F[b]) + P(F[k]);
      });
      if constexpr (K::rotates(b)) {
        if constexpr (is_outermost(b))
          h.coeffRef(tree.angle[b]) = moment;
        else
          h.coeffRef(tree.angle[b]) += moment;
      }
      if constexpr (tree.inboard[b] == Inboard::prismatic) h.coeffRef(tree.slide[b]) = dot(P(a.d[b]), P(F[b]));
      if constexpr (tree.is_free(b)) {
        h.coeffRef(tree.slide[b]) = F[b].x;
        h.coeffRef(tree.slide[b] + 1) = F[b].y;
      }
    });
  }

  // Sets h from the forces on all bodies.
  MOREAU_ALWAYS_INLINE static void set_force(const Parts& list, const At& a, const Q& u,
                                             const RawWrench (&acting)[bodies], Q& h) {
    set_pulled_back(
        a,
        [&](auto b) {
          Wrench<Real> on_b = acting[b];
          on_b.force = on_b.force - list.body[b].m * K::template acceleration<b>(a, u);
          return on_b;
        },
        h);
  }

 private:
  static constexpr bool is_first_child(int child, int body) {
    for (int k = 0; k < child; ++k)
      if (tree.is_child(k, body)) return false;
    return true;
  }
  // Returns true if no body visited before b by inward() has the same angle.
  static constexpr bool is_outermost(int b) {
    for (int k = bodies - 1; tree.order[k] != b; --k)
      if (tree.angle[tree.order[k]] == tree.angle[b]) return false;
    return true;
  }
  static constexpr bool has_moment(int b) { return K::has_arm(b) || tree.has_children(b); }

  // Calls f(i, j) for all entries (i >= j or i <= j) to which the pair contributes, in the order of add_pair().
  template <class F>
  static constexpr void visit(int a, int b, F&& f) {
    const bool turned = tree.angle[b] >= 0 && (a == b || has_moment(b));
    if (turned && tree.angle[a] >= 0) f(tree.angle[a], tree.angle[b]);
    for (int k = 0; k < tree.slides(a); ++k) {
      if (tree.angle[b] >= 0 && has_moment(b)) f(tree.slide[a] + k, tree.angle[b]);
      for (int n = 0; n < tree.slides(b); ++n)
        if (a != b || k == n) f(tree.slide[a] + k, tree.slide[b] + n);
    }
    if (a != b && tree.angle[a] >= 0)
      for (int k = 0; k < tree.slides(b); ++k) f(tree.angle[a], tree.slide[b] + k);
  }
  static constexpr MassTable<bodies> make_pattern() {
    MassTable<bodies> table;
    for (int b = 0; b < bodies; ++b)
      for (int a = 0; a < bodies; ++a)
        if (tree.is_on_path(a, b))
          visit(a, b, [&table](int i, int j) { table.entry[i][j] = table.entry[j][i] = true; });
    return table;
  }
  static constexpr MassTable<bodies> pattern = make_pattern();

  // Returns true if (a, b) is the first pair that contributes to entry (i, j), in the order of set_mass().
  static constexpr bool is_first(int a, int b, int i, int j) {
    for (int low = 0; low <= b; ++low)
      for (int high = 0; high < bodies; ++high) {
        if (low == b && high == a) return true;
        bool found = false;
        if (tree.is_on_path(high, low))
          visit(high, low,
                [&](int row, int column) { found = found || (row == i && column == j) || (row == j && column == i); });
        if (found) return false;
      }
    return true;
  }
  template <int above, int b, int i, int j>
  MOREAU_ALWAYS_INLINE static void add_entry(Mass& M, Real x) {
    if constexpr (is_first(above, b, i, j))
      M.coeffRef(i, j) = x;
    else
      M.coeffRef(i, j) += x;
    if constexpr (i != j) M.coeffRef(j, i) = M.coeff(i, j);
  }
  // Adds the entries of a body with itself or with an ancestor.
  template <int above, int b>
  MOREAU_ALWAYS_INLINE static void add_pair(const Parts& list, const At& a, const Real (&mbar)[bodies],
                                            const RawPoint<Real> (&D)[bodies], Mass& M) {
    constexpr int i = tree.angle[above], j = tree.angle[b];
    if constexpr (above == b) {
      if constexpr (j >= 0) add_entry<b, b, j, j>(M, inertia<b>(list, a, mbar));
    } else if constexpr (i >= 0) {
      const P E = a.E[tree.toward(above, b)];
      if constexpr (j >= 0 && has_moment(b)) {
        const Real x = dot(E, P(D[b]));
        add_entry<above, b, i, j>(M, i == j ? Real(2) * x : x);
      }
      for_each_constant<tree.slides(b)>(
          [&](auto k) { add_entry<above, b, i, tree.slide[b] + k>(M, mbar[b] * crossed<b, k>(E, a)); });
    }
    for_each_constant<tree.slides(above)>([&]([[maybe_unused]] auto k) {
      if constexpr (j >= 0 && has_moment(b))
        add_entry<above, b, tree.slide[above] + k, j>(M, crossed<above, k>(D[b], a));
      if constexpr (above == b)
        add_entry<b, b, tree.slide[b] + k, tree.slide[b] + k>(M, mbar[b]);
      else if constexpr (tree.slides(b) > 0)
        add_entry<above, b, tree.slide[above] + k, tree.slide[b]>(M, mbar[b] * along<above, k>(a.d[b], a));
    });
  }
  // Returns the moment of inertia of b, and of the masses that its pins carry, about its base.
  template <int b>
  MOREAU_ALWAYS_INLINE static Real inertia(const Parts& list, const At& a, const Real (&mbar)[bodies]) {
    const Body<Real>& body = list.body[b];
    Real J = body.J;
    if constexpr (K::has_arm(b)) J += body.m * dot(P(a.C[b]), P(a.C[b]));
    K::template for_each_child<b>([&](auto k) { J += mbar[k] * dot(P(a.E[k]), P(a.E[k])); });
    return J;
  }

 protected:
  // Component of a vector along slide k of a body, and its cross product with this slide.
  template <int b, int k>
  MOREAU_ALWAYS_INLINE static Real along(P v, [[maybe_unused]] const At& a) {
    if constexpr (tree.is_free(b))
      return k == 0 ? v.x : v.y;
    else
      return dot(v, P(a.d[b]));
  }
  template <int b, int k>
  MOREAU_ALWAYS_INLINE static Real crossed(P v, [[maybe_unused]] const At& a) {
    if constexpr (tree.is_free(b))
      return k == 0 ? -v.y : v.x;
    else
      return cross(v, P(a.d[b]));
  }
};

}  // namespace detail
}  // namespace moreau
