// H = { i | g_N,i(q_M, t_M) <= 0 }: the contacts that may carry a percussion in this step (GS05 section 5, 3b).
// Persistent contacts are closed longer: contact/persistent_contacts.hpp.
//
//   ActiveSet   lists them
//   MaskedSet   holds all contacts, the open ones masked: for constant time
//
// id(i): the model's number of the problem's contact i;  there(i): it is closed.
#pragma once

#include <array>
#include <cstdint>

#include "moreau/math/branching.hpp"
#include "moreau/model/evaluation.hpp"

namespace moreau {
namespace detail {

template <class C, class Real>
typename C::Condition closed(Real gap) {
  return C::at_most(gap, Real(0));
}

// gamma = w^T u + zeta
template <class Real, int n>
Real gamma(const Vector<Real, n>& w, Real zeta, const Vector<Real, n>& u) {
  return dot(w, u) + zeta;
}

template <class Model>
struct ActiveSet {
  using Real = typename Traits<Model>::Real;
  static constexpr int contacts = Traits<Model>::contacts;

  Vector<Real, contacts> gap_M = Vector<Real, contacts>::Zero();  // m
  std::array<std::int16_t, std::size_t(contacts)> contact{};      // H[0..k-1], ascending
  int k = 0;

  // False where a gap is not finite: such a contact is neither open nor closed.
  [[nodiscard]] bool find(const Evaluation<Model>& at) {
    return find(at, [](int, Real gap) { return detail::closed<Branching>(gap); });
  }

  // closed_at(i, gap): contact i is closed.
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
  static constexpr bool there(int) { return true; }
};

template <class Model>
struct MaskedSet {
  using Real = typename Traits<Model>::Real;
  static constexpr int contacts = Traits<Model>::contacts, k = contacts;

  Mask closed[std::size_t(contacts + 1)];
  int active = 0;
  Real sum = Real(0);  // of the gaps: not finite where one is not

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
  Mask there(int i) const { return closed[i]; }
};

}  // namespace detail
}  // namespace moreau
