// A planar mechanism from its parts list: an ordinary Model that nobody has to derive.
//
//   q = (x, y, phi) of every body,  M = diag(m, m, J),  h = fields + actions                maximal coordinates
//   contacts, bilaterals, frictions: those of the parts, in the order of the list
//
// Mechanism<Parts> is Parts (mechanism/parts.hpp) plus the functions a Model has; the parts stay accessible under their
// names, so inputs and parameters may change between steps. M is constant and diagonal and a row touches two bodies:
// the step makes use of both (contact/diagonal_mass.hpp).
//
// Parts may declare `tangents = 0` (frictionless), `endless = true` (angles are wrapped; no part may count turns),
// `closed_at_once = 1` (one contact at a time), `projections` (rounds of the position projection per step) and period()
// (of prescribed motions).
#pragma once

#include <array>

#include "moreau/math/angle.hpp"
#include "moreau/mechanism/parts_list.hpp"

namespace moreau {

// The user's names are members here: a part called `row` is no reason to warn of a local of that name.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"

template <class Parts_>
struct Mechanism : Parts_ {
  using List = PartsList<Parts_>;
  using Real = typename List::Real;
  static constexpr int dof = 3 * List::bodies, contacts = List::contacts, tangents = List::tangents;
  static constexpr int bilaterals = List::bilaterals, frictions = List::frictions;
  static constexpr bool constant_mass = true, diagonal_mass = true;
  static constexpr int projections = List::projections;
  using Q = Vector<Real, dof>;

  Mechanism() = default;
  Mechanism(const Parts_& parts) : Parts_(parts) {}

  struct At {
    Real t;
    std::array<Frame<Real>, std::size_t(List::bodies) + 1> frame;  // of every body; the last one is the ground
    std::array<JointContact<Real>, std::size_t(contacts)> contact;
  };

  At at(const Q& q, Real t) const {
    At a;
    a.t = t;
    for_each_index<List::bodies>([&](auto b) {
      a.frame[std::size_t(b)] = Frame<Real>::at({q.coeff(3 * b), q.coeff(3 * b + 1)}, q.coeff(3 * b + 2));
    });
    a.frame[std::size_t(List::bodies)] = Frame<Real>{};
    List::for_each(*this, [&](auto i, const auto& part) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (detail::PartContacts<Part>::value > 0)
        for_each_index<Part::contacts>([&](auto k) {
          a.contact[std::size_t(List::template first_contact<i> + k)] =
              part.contact(k, frame_A(a, part), frame_B(a, part));
        });
    });
    return a;
  }

  Matrix<Real, dof, dof> mass(const At&) const {
    Matrix<Real, dof, dof> M = Matrix<Real, dof, dof>::Zero();
    for (int b = 0; b < List::bodies; ++b) {
      M(3 * b, 3 * b) = M(3 * b + 1, 3 * b + 1) = this->body[b].m;
      M(3 * b + 2, 3 * b + 2) = this->body[b].J;
    }
    return M;
  }

  Q force(const At& a, const Q& u) const {
    Q h = Q::Zero();
    List::for_each(*this, [&](auto, const auto& part) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (detail::PartField<Part>::value)
        for_each_index<List::bodies>([&](auto b) {
          detail::add<b>(h, Wrench<Real>{part.field(this->body[b]), Real(0)});
        });
      if constexpr (detail::PartActs<Part>::value) {
        const Action<Real> action = part.action(moving<Part::body_A>(a, u), moving<Part::body_B>(a, u), a.t);
        detail::add<Part::body_A>(h, action.A);
        detail::add<Part::body_B>(h, action.B);
      }
    });
    return h;
  }

  Real gap(int i, const At& a) const { return a.contact[std::size_t(i)].g_N; }

  Directions<Real, dof, tangents> directions(int i, const At& a) const {
    Directions<Real, dof, tangents> d;
    List::template find<detail::PartContacts>(*this, i, [&](const auto& part, int) {
      using Part = std::decay_t<decltype(part)>;
      const ContactRows<Real> rows = contact_rows(a.contact[std::size_t(i)], frame_A(a, part), frame_B(a, part));
      detail::add<Part::body_A>(d.w_N, rows.N_A);
      detail::add<Part::body_B>(d.w_N, rows.N_B);
      if constexpr (tangents == 1) {
        detail::add<Part::body_A>(d.w_T, rows.T_A);
        detail::add<Part::body_B>(d.w_T, rows.T_B);
      }
    });
    return d;
  }

  // A contact has entries at the coordinates of its two bodies.
  static constexpr bool direction_pattern(int contact, int, int j) { return List::contact_touches(contact, j); }

  ContactLaw<Real> law(int i) const {
    ContactLaw<Real> found;
    List::template find<detail::PartContacts>(*this, i, [&](const auto& part, int) { found = part.law; });
    return found;
  }

  // A contact that has sunk deeper is put back to this overlap (contact/put_back.hpp): kept_overlap of the joint's
  // play, enough that a contact which lasts does not open and close from step to step.
  static constexpr Real kept_overlap = Real(2e-3), without_play = Real(1e-6);  // of the play; m or rad
  Real depth(int i) const {
    Real found = without_play;
    List::template find<detail::PartContacts>(*this, i, [&](const auto& part, int) {
      if constexpr (detail::PartPlay<std::decay_t<decltype(part)>>::value) found = kept_overlap * part.play;
    });
    return found;
  }

  Bilateral<Real, dof> bilateral(int j, const At& a) const {
    Bilateral<Real, dof> row;
    List::template find<detail::PartBilaterals>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const JointRow<Real> joint = part.bilateral(k, frame_A(a, part), frame_B(a, part), a.t);
      detail::add<Part::body_A>(row.w, joint.A);
      detail::add<Part::body_B>(row.w, joint.B);
      row.zeta = joint.zeta;
      row.g = joint.g;
    });
    return row;
  }
  Real bend(int j, const At& a, const Q& u) const {
    Real bent = Real(0);
    List::template find<detail::PartBilaterals>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      if constexpr (detail::PartBends<Part>::value)
        bent = part.bend(k, moving<Part::body_A>(a, u), moving<Part::body_B>(a, u));
    });
    return bent;
  }
  static constexpr bool touches(int j, int d) { return List::touches(j, d); }

  Real friction_bound(int j, const At&) const {
    Real bound = Real(0);
    List::template find<detail::PartFrictions>(*this, j, [&](const auto& part, int) { bound = part.bound; });
    return bound;
  }
  FrictionDirections<Real, dof> friction_directions(int j, const At& a) const {
    FrictionDirections<Real, dof> d;
    List::template find<detail::PartFrictions>(*this, j, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const FrictionRow<Real> row = part.friction(k, frame_A(a, part), frame_B(a, part));
      detail::add<Part::body_A>(d.w, row.A);
      detail::add<Part::body_B>(d.w, row.B);
    });
    return d;
  }

  // Only where Parts is endless.
  template <bool endless = List::endless, std::enable_if_t<endless, int> = 0>
  Q wrap(const Q& q) const {
    Q wrapped = q;
    for_each_index<List::bodies>([&](auto b) { wrapped.coeffRef(3 * b + 2) = wrap_angle(q.coeff(3 * b + 2)); });
    return wrapped;
  }

  // The frames a part's functions want.
  template <class Part>
  static const Frame<Real>& frame_A(const At& a, const Part&) {
    return a.frame[std::size_t(List::slot(Part::body_A))];
  }
  template <class Part>
  static const Frame<Real>& frame_B(const At& a, const Part&) {
    return a.frame[std::size_t(List::slot(Part::body_B))];
  }

 private:
  template <int body>
  static Moving<Real> moving(const At& a, const Q& u) {
    if constexpr (body == ground)
      return {};
    else
      return {a.frame[std::size_t(body)], {u.coeff(3 * body), u.coeff(3 * body + 1)}, u.coeff(3 * body + 2)};
  }
};

#pragma GCC diagnostic pop

}  // namespace moreau
