// H = { i | g_N,i(q_M, t_M) <= 0 }: the contacts that may carry a percussion in this step (GS05 section 5, 3b).
#pragma once

#include <array>
#include <cstdint>

#include "moreau/math/kernels.hpp"
#include "moreau/model/evaluation.hpp"

namespace moreau {

// Which contacts are closed in a step is for the gap to say; directions are those of the middle. (Runs of adapt/ put
// something else in its place: adapt/held_contacts.hpp.)
struct ByGap {
  template <class Real>
  static constexpr bool closed(int, Real gap) {
    return gap <= Real(0);
  }
  static constexpr bool holds(int) { return false; }
  template <class At>
  static constexpr auto directions(const At& at, int i) {
    return at.directions(i);
  }
  template <class At>
  static constexpr auto friction_directions(const At& at, int j) {
    return at.friction_directions(j);
  }
  // The normal velocity that restitution turns round.
  template <class D, class Q>
  static constexpr auto gamma_A(const D& d, const Q& u_A, int) {
    return dot(d.w_N, u_A) + d.zeta_N;
  }
};

template <class Model>
struct ActiveSet {
  using Real = typename Traits<Model>::Real;
  static constexpr int contacts = Traits<Model>::contacts;

  Vector<Real, contacts> gap_M = Vector<Real, contacts>::Zero();  // m
  std::array<std::int16_t, std::size_t(contacts)> contact{};      // H[0..k-1], ascending
  int k = 0;

  // False where a gap is not finite: such a contact is neither open nor closed.
  [[nodiscard]] bool find(const Evaluation<Model>& at) { return find(at, ByGap{}); }

  template <class How>
  [[nodiscard]] bool find(const Evaluation<Model>& at, const How& how) {
    k = 0;
    Real probe = Real(0);
    for_each_index<contacts>([&](auto i) {
      const Real g = at.gap(i);
      gap_M.coeffRef(i) = g;
      probe += finite_probe(g);
      if (how.closed(i, g)) contact[std::size_t(k++)] = static_cast<std::int16_t>(int(i));
    });
    return probe == Real(0);
  }

  bool closed(int i) const { return gap_M.coeff(i) <= Real(0); }
};

}  // namespace moreau
