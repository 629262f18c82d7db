// Active set: the contacts that are closed at the midpoint and can transmit a percussion in this step.
//
//   H = { i | g_N,i(q_M, t_M) <= 0 }        (GS05 section 5, 3b)
//
//   ActiveSet   list of the closed contacts
//   MaskedSet   all contacts, open ones masked, for constant time
//
// id(i) maps contact i of the problem to its index in the model. present(i) is true if this contact is closed.
// contact/contact_slots.hpp contains the slots of a model that declares max_closed.
//
// Departure from the paper: with second_order, a contact at rest (contact/impact_instants.hpp) stays closed at a
// positive gap.
#pragma once

#include <array>
#include <cstdint>

#include "moreau/math/branching.hpp"
#include "moreau/model/evaluation.hpp"

namespace moreau {
namespace detail {

// Returns true if the gap is at most zero.
template <class C, class Real>
typename C::Condition closed(Real gap) {
  return C::at_most(gap, Real(0));
}

// Returns gamma = w^T u + zeta.
template <class Real, int n>
Real gamma(const Vector<Real, n>& w, Real zeta, const Vector<Real, n>& u) {
  return dot(w, u) + zeta;
}

// List of the closed contacts.
template <class Model>
struct ActiveSet {
  using Real = typename Traits<Model>::Real;
  static constexpr int contacts = Traits<Model>::contacts;

  Vector<Real, contacts> gap_M = Vector<Real, contacts>::Zero();  // m
  std::array<std::int16_t, std::size_t(contacts)> contact{};      // H[0..k-1], ascending
  int k = 0;

  // Lists the contacts with g_N <= 0. Returns false if a gap is non-finite.
  [[nodiscard]] bool find(const Evaluation<Model>& at) {
    return find(at, [](int, Real gap) { return detail::closed<Branching>(gap); });
  }

  // Lists the contacts for which closed_at(i, gap) is true. Returns false if a gap is non-finite.
  template <class Closed>
  [[nodiscard]] bool find(const Evaluation<Model>& at, const Closed& closed_at) {
    k = 0;
    Real probe = Real(0);
    for_each_index<contacts>([&](auto i) {
      const Real g = at.gap(i);
      gap_M.coeffRef(i) = g;
      probe += finite_probe(g);
      if (closed_at(i, g)) contact[std::size_t(k++)] = static_cast<std::int16_t>(int(i));
    });
    return probe == Real(0);
  }

  bool closed(int i) const { return detail::closed<Branching>(gap_M.coeff(i)); }
  int id(int i) const { return contact[std::size_t(i)]; }
  static constexpr bool present(int) { return true; }
};

// All contacts of the model, each with a mask that is set if the contact is closed.
template <class Model>
struct MaskedSet {
  using Real = typename Traits<Model>::Real;
  static constexpr int contacts = Traits<Model>::contacts, k = contacts;

  Mask closed[std::size_t(contacts + 1)];
  int active = 0;      // number of closed contacts
  Real sum = Real(0);  // sum of all gaps; non-finite if a gap is non-finite

  // Evaluates all gaps. Sets gap_M, and the mask of contact i to closed_at(i, gap).
  template <class Closed>
  void find(const Evaluation<Model>& at, const Closed& closed_at, Vector<Real, contacts>& gap_M) {
    for_each_index<contacts>([&](auto i) {
      const Real g = at.gap(i);
      gap_M.coeffRef(i) = g;
      sum += g;
      closed[int(i)] = closed_at(i, g);
      active += int(Branchless::as_bit(closed[int(i)]));
    });
  }

  static constexpr int id(int i) { return i; }
  Mask present(int i) const { return closed[i]; }
};

}  // namespace detail
}  // namespace moreau
