// Mechanism as a model in joint coordinates, built from a parts list.
//
//   q = x, y of free bodies, slides s and absolute angles phi        (spanning_tree.hpp; also in spatial/)
//   M = J^T M_b J,   h = J^T (f - M_b (dJ/dt) u)                     (tree_dynamics.hpp, tree_rows.hpp)
//
// Mechanism<Parts> has these coordinates unless the list declares joint_coordinates = false. Contacts and friction rows
// have the order of the list. The joints of the spanning tree (in the plane Revolute, Prismatic and Weld) have no rows,
// because the coordinates satisfy them exactly. All other ideal joints are bilateral rows w = J^T (wrenches), in the
// order of parts(): joints that close a loop, drives and user-defined joints.
//
// The terms of h that are quadratic in u are evaluated at the predicted velocity of the midpoint (step/force.hpp).
// Smooth motion is therefore of second order in dt.
#pragma once

#include "moreau/mechanism/tree_poses.hpp"
#include "moreau/mechanism/tree_rows.hpp"

namespace moreau {
namespace detail {

template <class Parts>
class TreeLoads;
template <class Parts>
struct TreeMeasures;

MOREAU_SHADOWING_BEGIN

// Model of a mechanism in joint coordinates.
template <class Parts_>
struct TreeMechanism : GeometryOf<Parts_>::template PosesOfTree<Parts_> {
  using Geometry = GeometryOf<Parts_>;
  using Poses = typename Geometry::template PosesOfTree<Parts_>;
  using List = TreeList<Parts_>;
  using Tree = typename Geometry::template EquationsOfTree<Parts_>;
  using MeasuresOfBodies = TreeMeasures<Parts_>;
  using Real = typename List::Real;
  static constexpr int dof = Tree::dof, contacts = List::contacts, tangents = List::tangents;
  static_assert(dof > 0, "All bodies of this list are welded to the ground: no coordinate remains");
  static constexpr int bilaterals = List::bilaterals, frictions = List::frictions;
  static constexpr int projections = List::projections, closed_at_once = List::closed_at_once;
  static constexpr bool uniform_contacts = List::uniform_contacts;
  static constexpr bool second_order = List::second_order, predicted_gaps = List::predicted_gaps,
                        predicted_force = true;
  using Q = Vector<Real, dof>;
  using At = typename Tree::At;

  TreeMechanism() = default;
  TreeMechanism(const Parts_& parts) : Poses(parts) {}

  At at(const Q& q, Real t) const {
    At a;
    Tree::place(*this, q, t, a);
    return a;
  }

  Matrix<Real, dof, dof> mass(const At& a) const {
    Matrix<Real, dof, dof> M;
    Tree::set_mass(*this, a, M);
    if (List::repeated_part(*this) >= 0) M.setZero();  // every step is then rejected
    return M;
  }
  static constexpr bool mass_pattern(int i, int j) { return Tree::mass_entry(i, j); }

  Q force(const At& a, const Q& u) const {
    typename Tree::RawWrench acting[List::bodies];
    set_actions(a, u, acting);
    Q h;
    Tree::set_force(*this, a, u, acting, h);
    return h;
  }

  Real gap(int i, const At& a) const {
    Real g = Real(0);
    List::template find<contacts_in>(*this, i, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (yields<Real, gap_in, Part>)
        g = part.gap(k, Tree::template frame<Part::body_A>(a), Tree::template frame<Part::body_B>(a));
      else
        g = contact(part, k, a).g_N;
    });
    return g;
  }
  Directions<Real, dof, tangents> directions(int i, const At& a) const {
    Directions<Real, dof, tangents> d;
    List::template find<contacts_in>(*this, i, [&](const auto& part, int k) {
      Tree::template set_directions<std::decay_t<decltype(part)>>(contact(part, k, a), a, d);
    });
    return d;
  }
  static constexpr bool direction_pattern(int contact, int row, int j) { return directions_.entry[row][contact][j]; }

  // Returns the rates of gamma_N and gamma_T at constant u: the sum of those at constant velocities of the bodies and
  // of the contributions of the accelerations (dJ/dt) u. Defined only if all joints with play have a bias acceleration.
  template <bool known = List::has_contact_bias, std::enable_if_t<known, int> = 0>
  ContactBias<Real, tangents> contact_bias_acceleration(int i, const At& a, const Q& u) const {
    ContactBias<Real, tangents> bias;
    List::template find<contacts_in>(*this, i, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const auto A = Tree::template state<Part::body_A>(a, u);
      const auto B = Tree::template state<Part::body_B>(a, u);
      const typename Geometry::JointContact c = part.contact(k, A.frame, B.frame);
      const auto rows = Geometry::wrenches(c, A.frame, B.frame);
      const typename Geometry::ContactBias found = part.contact_bias_acceleration(k, c, A, B);
      bias.N = found.N + row_acceleration<Part>(rows.N_A, rows.N_B, a, u);
      for_each_index<tangents>([&](auto t) {
        set_component(bias.T, t,
                      component(found.T, t) +
                          row_acceleration<Part>(Geometry::tangent_A(rows, t), Geometry::tangent_B(rows, t), a, u));
      });
    });
    return bias;
  }

  Bilateral<Real, dof> bilateral(int j, const At& a) const {
    Bilateral<Real, dof> row;
    List::template find<bilaterals_in>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const auto joint = joint_row(part, k, a);
      Tree::template set_row<Part::body_A, Part::body_B, false>(a, joint.A, joint.B, row.w);
      row.zeta = joint.zeta;
      row.g = joint.g;
    });
    return row;
  }
  Real bias_acceleration(int j, const At& a, const Q& u) const {
    Real bias = Real(0);
    List::template find<bilaterals_in>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const auto row = joint_row(part, k, a);
      bias = row_acceleration<Part>(row.A, row.B, a, u);
      if constexpr (detected<bias_acceleration_in, Part>)
        bias += part.bias_acceleration(k, Tree::template state<Part::body_A>(a, u),
                                       Tree::template state<Part::body_B>(a, u));
    });
    return bias;
  }
  // Returns zeta_E of row j. A drive with a command or with a varying speed computes it; for any other joint it is zeta
  // + dt/2 bias_acceleration. Defined only if the list has a drive with a command or with a varying speed.
  template <bool commanded = List::commanded, std::enable_if_t<commanded, int> = 0>
  Real zeta_E(int j, const At& a, const Q& u, Real dt) const {
    const Real half = dt * Real(0.5);
    Real zeta = bilateral(j, a).zeta + half * bias_acceleration(j, a, u);
    List::template find<bilaterals_in>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (detected<zeta_E_in, Part, Geometry>) zeta = command(part, k, a, u, half);
    });
    return zeta;
  }

  FrictionDirections<Real, dof> friction_directions(int j, const At& a) const {
    FrictionDirections<Real, dof> d;
    List::template find<frictions_in>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const auto row = part.friction(k, Tree::template frame<Part::body_A>(a), Tree::template frame<Part::body_B>(a));
      Tree::template set_row<Part::body_A, Part::body_B, false>(a, row.A, row.B, d.w);
    });
    return d;
  }
  Real friction_bound(int j, const At&) const {
    Real bound = Real(0);
    List::template find<frictions_in>(*this, j, [&](const auto& part, int) { bound = part.bound; });
    return bound;
  }

  template <bool known = List::has_friction_bias, std::enable_if_t<known, int> = 0>
  Real friction_bias_acceleration(int j, const At& a, const Q& u) const {
    Real bias = Real(0);
    List::template find<frictions_in>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const auto A = Tree::template state<Part::body_A>(a, u);
      const auto B = Tree::template state<Part::body_B>(a, u);
      const auto row = part.friction(k, A.frame, B.frame);
      bias = part.friction_bias_acceleration(k, A, B) + row_acceleration<Part>(row.A, row.B, a, u);
    });
    return bias;
  }

 private:
  using Wrench = typename Geometry::Wrench;
  template <class>
  friend class TreeLoads;

  // Entries of the contact directions that can differ from 0: row 0 normal, row 1 tangential, entry dof zeta.
  struct DirectionTable {
    bool entry[2][contacts + 1][dof + 1] = {};
  };
  template <int i>
  static constexpr void set_entries([[maybe_unused]] DirectionTable& table) {
    using Part = typename List::template Part<i>;
    if constexpr (brings<contacts_in, Part>)
      for (int k = 0; k < Part::contacts; ++k)
        for (int j = 0; j < dof; ++j) {
          const int contact = List::template rows_before<contacts_in, i> + k;
          table.entry[0][contact][j] = Tree::template contact_entry<Part>(j);
          table.entry[1][contact][j] = table.entry[0][contact][j] && !value_or<frictionless_in, Part, false>;
        }
  }
  template <int... i>
  static constexpr DirectionTable direction_table(std::integer_sequence<int, i...>) {
    DirectionTable table;
    (set_entries<i>(table), ...);
    return table;
  }
  static constexpr DirectionTable directions_ = direction_table(typename List::Indices{});

  template <class Part>
  MOREAU_ALWAYS_INLINE static typename Geometry::JointContact contact(const Part& part, int k, const At& a) {
    return part.contact(k, Tree::template frame<Part::body_A>(a), Tree::template frame<Part::body_B>(a));
  }
  template <class Part>
  MOREAU_ALWAYS_INLINE static typename Geometry::JointRow joint_row(const Part& part, int k, const At& a) {
    return part.bilateral(k, Tree::template frame<Part::body_A>(a), Tree::template frame<Part::body_B>(a), a.t);
  }

  // Returns the part of the bias acceleration of a row that is due to (dJ/dt) u.
  template <class Part>
  static Real row_acceleration([[maybe_unused]] const typename Geometry::Wrench& on_A,
                               [[maybe_unused]] const typename Geometry::Wrench& on_B, const At& a, const Q& u) {
    Real sum = Real(0);
    if constexpr (Part::body_A != ground) sum += dot(on_A.force, Tree::template acceleration<Part::body_A>(a, u));
    if constexpr (Part::body_B != ground) sum += dot(on_B.force, Tree::template acceleration<Part::body_B>(a, u));
    return sum;
  }
  // Returns zeta_E of a commanded drive. The velocity of the row is w^T u - dt/2 w^T (dJ/dt) u at the beginning of the
  // step and w^T u_E + dt/2 w^T (dJ/dt) u at its end. The drive receives the velocity at the beginning: `shift` is
  // subtracted from the velocity of one body along the force of the row.
  template <class Part>
  static Real command(const Part& part, int k, const At& a, const Q& u, Real half) {
    const auto row = joint_row(part, k, a);
    const Real shift = half * row_acceleration<Part>(row.A, row.B, a, u);
    typename Geometry::BodyState A = Tree::template state<Part::body_A>(a, u),
                                 B = Tree::template state<Part::body_B>(a, u);
    if constexpr (Part::body_B != ground)
      B.v = B.v - divide_or_zero<Branchless>(shift, dot(row.B.force, row.B.force)) * row.B.force;
    else
      A.v = A.v - divide_or_zero<Branchless>(shift, dot(row.A.force, row.A.force)) * row.A.force;
    return shift + part.zeta_E(k, A, B, a.t, half + half);
  }

  // Sets the sum of the forces of all parts on each body.
  void set_actions(const At& a, [[maybe_unused]] const Q& u, typename Tree::RawWrench (&acting)[List::bodies]) const {
    List::for_each(*this, [&](auto i, const auto& part) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (detected<field_in, Part>)
        for_each_constant<List::bodies>([&](auto b) { add<i, b>(acting, Wrench{part.field(this->body[b]), {}}); });
      if constexpr (detected<action_in, Part>) {
        const typename Geometry::Action action =
            part.action(Tree::template state<Part::body_A>(a, u), Tree::template state<Part::body_B>(a, u), a.t);
        add<i, Part::body_A>(acting, action.A);
        add<i, Part::body_B>(acting, action.B);
      }
    });
    for_each_constant<List::bodies>([&](auto b) {
      if constexpr (!acts_before<b>(typename List::Indices{})) acting[b] = Wrench{};
    });
  }
  // Adds the force of part i on a body. The first force is assigned.
  template <int i, int body>
  MOREAU_ALWAYS_INLINE static void add(typename Tree::RawWrench (&acting)[List::bodies], const Wrench& on_body) {
    if constexpr (body == ground)
      return;
    else if constexpr (acts_before<body>(std::make_integer_sequence<int, i>{}))
      acting[body] = Wrench{acting[body].force + on_body.force, acting[body].moment + on_body.moment};
    else
      acting[body] = on_body;
  }
  template <int body, int... i>
  static constexpr bool acts_before(std::integer_sequence<int, i...>) {
    return (acts_on<typename List::template Part<i>>(body) || ...);
  }
  template <class Part>
  static constexpr bool acts_on([[maybe_unused]] int body) {
    if constexpr (detected<field_in, Part>) return true;
    if constexpr (detected<action_in, Part>) return Part::body_A == body || Part::body_B == body;
    return false;
  }
};

MOREAU_SHADOWING_END

}  // namespace detail
}  // namespace moreau
