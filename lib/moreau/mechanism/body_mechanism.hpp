// Mechanism as a model in the coordinates of its bodies: a parts list that declares joint_coordinates = false, or a
// parts list in space without joints that can form a tree (spatial/spanning_tree.hpp).
//
//   q = coordinates of every body (maximal coordinates): x, y, phi in the plane; for space see spatial/poses.hpp
//   M = masses and moments of inertia of the bodies, a diagonal matrix
//   h = body forces (gravity) + forces between two bodies (springs, dampers, motors)
//   contacts, bilaterals, frictions: those of the parts, in the order of the list
//
// Mechanism<Parts> derives from Parts (mechanism/parts.hpp) and adds the functions of a model. The parts stay
// accessible by name, so inputs and parameters can change between steps. M is constant and diagonal, and each contact
// or constraint row has nonzero entries for two bodies only. The step exploits both properties (contact/mass.hpp).
//
// An initial state with penetration is accepted, as in every model with allowed_penetration(). At the end of the first
// step in which such a contact transmits a percussion, position correction reduces the penetration to the allowed
// value. The status of this step is `ok`. close_joints, check_start and Stepper::set_state report an initial
// penetration.
#pragma once

#include <array>

#include "moreau/math/compiler.hpp"
#include "moreau/mechanism/body_poses.hpp"

namespace moreau {
namespace detail {

// The names of parts, which the user chooses, may coincide with those of local variables. This macro disables the
// warning.
MOREAU_SHADOWING_BEGIN

// Model of a mechanism in the coordinates of its bodies.
template <class Parts_>
struct BodyMechanism : GeometryOf<Parts_>::template Poses<Parts_> {
  using Geometry = typename PartsList<Parts_>::Geometry;
  using Poses = typename Geometry::template Poses<Parts_>;
  using List = PartsList<Parts_>;
  using Real = typename List::Real;
  static constexpr int dof = List::coordinates * List::bodies, contacts = List::contacts, tangents = List::tangents;
  static constexpr int bilaterals = List::bilaterals, frictions = List::frictions;
  static constexpr bool constant_mass = true, diagonal_mass = true;
  static constexpr int projections = List::projections, closed_at_once = List::closed_at_once;
  static constexpr bool second_order = List::second_order, predicted_gaps = List::predicted_gaps;
  static constexpr bool predicted_force = List::predicted_force;
  using Q = Vector<Real, dof>;

  BodyMechanism() = default;
  BodyMechanism(const Parts_& parts) : Poses(parts) {}

  // Frames and contacts of all parts at one (q, t).
  struct At {
    using Real = typename List::Real;
    Real t;
    std::array<typename Geometry::Frame, std::size_t(List::bodies) + 1> frame;  // of every body, then of the ground
    std::array<typename Geometry::JointContact, std::size_t(contacts)> contact;
  };

  At at(const Q& q, Real t) const {
    At a;
    a.t = t;
    for_each_index<List::bodies>([&](auto b) { a.frame[std::size_t(b)] = Geometry::frame(q, List::coordinates * b); });
    a.frame[std::size_t(List::bodies)] = {};
    List::for_each(*this, [&](auto i, const auto& part) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (brings<contacts_in, Part>)
        for_each_index<Part::contacts>([&](auto k) {
          a.contact[std::size_t(List::template rows_before<contacts_in, i> + k)] =
              part.contact(k, frame_of<Part::body_A>(a), frame_of<Part::body_B>(a));
        });
    });
    return a;
  }

  Matrix<Real, dof, dof> mass(const At&) const {
    const bool parts_are_distinct = List::repeated_part(*this) < 0;  // otherwise M = 0, and every step is rejected
    Matrix<Real, dof, dof> M = Matrix<Real, dof, dof>::Zero();
    if (parts_are_distinct)
      for_each_index<dof>([&](auto j) {
        M.coeffRef(j, j) = Geometry::inertia(this->body[j / List::coordinates], j % List::coordinates);
      });
    return M;
  }

  Q force(const At& a, const Q& u) const {
    Q h = Q::Zero();
    List::for_each(*this, [&](auto, const auto& part) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (detected<field_in, Part>)
        for_each_index<List::bodies>([&](auto b) {
          add<b>(h, typename Geometry::Wrench{part.field(this->body[b]), {}});
        });
      if constexpr (detected<action_in, Part>) {
        const auto action = part.action(state_of<Part::body_A>(*this, a, u), state_of<Part::body_B>(*this, a, u), a.t);
        add<Part::body_A>(h, action.A);
        add<Part::body_B>(h, action.B);
      }
    });
    return h;
  }

  Real gap(int i, const At& a) const { return a.contact[std::size_t(i)].g_N; }

  Directions<Real, dof, tangents> directions(int i, const At& a) const {
    Directions<Real, dof, tangents> d;
    List::template find<contacts_in>(*this, i, [&](const auto& part, int) {
      using Part = std::decay_t<decltype(part)>;
      const auto rows =
          Geometry::wrenches(a.contact[std::size_t(i)], frame_of<Part::body_A>(a), frame_of<Part::body_B>(a));
      add<Part::body_A>(d.w_N, rows.N_A);
      add<Part::body_B>(d.w_N, rows.N_B);
      for_each_index<tangents>([&](auto t) {
        auto w_T = d.w_T.col(t);
        add<Part::body_A>(w_T, Geometry::tangent_A(rows, t));
        add<Part::body_B>(w_T, Geometry::tangent_B(rows, t));
      });
    });
    return d;
  }

  // Returns the rates of gamma_N and gamma_T at constant u. Defined only if all joints with play have this function.
  template <bool known = List::has_contact_bias, std::enable_if_t<known, int> = 0>
  ContactBias<Real, tangents> contact_bias_acceleration(int i, const At& a, const Q& u) const {
    ContactBias<Real, tangents> bias;
    List::template find<contacts_in>(*this, i, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const auto found = part.contact_bias_acceleration(
          k, a.contact[std::size_t(i)], state_of<Part::body_A>(*this, a, u), state_of<Part::body_B>(*this, a, u));
      bias.N = found.N;
      if constexpr (tangents > 0) bias.T = found.T;
    });
    return bias;
  }

  // Returns true if j is a coordinate of one of the two bodies of the contact. Row 1 (w_T) of a frictionless part has
  // no entries.
  static constexpr bool direction_pattern(int contact, int row, int j) {
    return row == 0 ? List::contact_touches(contact, j) : List::friction_touches(contact, j);
  }

  Bilateral<Real, dof> bilateral(int j, const At& a) const {
    Bilateral<Real, dof> row;
    List::template find<bilaterals_in>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const auto joint = part.bilateral(k, frame_of<Part::body_A>(a), frame_of<Part::body_B>(a), a.t);
      add<Part::body_A>(row.w, joint.A);
      add<Part::body_B>(row.w, joint.B);
      row.zeta = joint.zeta;
      row.g = joint.g;
    });
    return row;
  }
  static constexpr bool touches(int j, int d) { return List::touches(j, d); }

  Real bias_acceleration(int j, const At& a, const Q& u) const {
    Real bias = Real(0);
    List::template find<bilaterals_in>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (detected<bias_acceleration_in, Part>)
        bias = part.bias_acceleration(k, state_of<Part::body_A>(*this, a, u), state_of<Part::body_B>(*this, a, u));
    });
    return bias;
  }
  // Returns zeta_E of row j. A drive with a command or with a varying speed computes it; for any other joint it is zeta
  // + dt/2 bias_acceleration. Defined only if the list has a drive with a command or with a varying speed.
  template <bool commanded = List::commanded, std::enable_if_t<commanded, int> = 0>
  Real zeta_E(int j, const At& a, const Q& u, Real dt) const {
    Real zeta = bilateral(j, a).zeta + dt * Real(0.5) * bias_acceleration(j, a, u);
    List::template find<bilaterals_in>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (detected<zeta_E_in, Part, Geometry>)
        zeta = part.zeta_E(k, state_of<Part::body_A>(*this, a, u), state_of<Part::body_B>(*this, a, u), a.t, dt);
    });
    return zeta;
  }

  Real friction_bound(int j, const At&) const {
    Real bound = Real(0);
    List::template find<frictions_in>(*this, j, [&](const auto& part, int) { bound = part.bound; });
    return bound;
  }
  FrictionDirections<Real, dof> friction_directions(int j, const At& a) const {
    FrictionDirections<Real, dof> d;
    List::template find<frictions_in>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const auto row = part.friction(k, frame_of<Part::body_A>(a), frame_of<Part::body_B>(a));
      add<Part::body_A>(d.w, row.A);
      add<Part::body_B>(d.w, row.B);
    });
    return d;
  }

  template <bool known = List::has_friction_bias, std::enable_if_t<known, int> = 0>
  Real friction_bias_acceleration(int j, const At& a, const Q& u) const {
    Real bias = Real(0);
    List::template find<frictions_in>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      bias =
          part.friction_bias_acceleration(k, state_of<Part::body_A>(*this, a, u), state_of<Part::body_B>(*this, a, u));
    });
    return bias;
  }
};

MOREAU_SHADOWING_END

}  // namespace detail
}  // namespace moreau
