// Position correction of all contacts of a model with compile-time indices, for nested elimination
// (step/nested_contacts.hpp). The equations and rules are those of position_correction.hpp.
//
//   L D L^T = G,   r_i = 1 / D_i if contact i is active, otherwise 0
//   y_i = penetration_i - sum_{j<i} L_ij y_j,   z_i = r_i y_i - sum_{l>i} L_li z_l,   L_ij = a_ij r_j
//
// With r_i = 0, the row of an inactive contact has no effect, so a round masks only r. Structural zeros of the
// directions and of G need no instructions. Branchless always executes min(n, 3) rounds for n contacts. If the active
// set changes in the last round, the step is rejected. Results differ from those of position_correction.hpp by rounding
// errors only.
#pragma once

#include "moreau/contact/law_couplings.hpp"
#include "moreau/contact/position_correction.hpp"

namespace moreau {
namespace detail {

template <class C, class Model, class Policy>
class NestedPositionCorrection {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Condition = typename C::Condition;
  using Couplings = ContactCouplings<Model>;
  static constexpr int n = Traits<Model>::contacts, most_rounds = 3, rounds = n < most_rounds ? n : most_rounds;

 public:
  // Corrects q. Bit i of `carried` is set if contact i carried a percussion in this step. Returns true if the rounds do
  // not suffice; q is then invalid.
  template <class Mass>
  MOREAU_ALWAYS_INLINE Condition correct(const Model& model, const Evaluation<Model>& at, const Mass& mass,
                                         unsigned carried, const Policy& policy, const Vector<Real, n>& gap_M, Q& q) {
    // Find active contacts.
    Condition any = C::condition(false);
    for_each_index<n>([&](auto i) {
      const Real gap = at.gap(i);
      const Condition carries = nth_bit<C>(carried, i);
      penetration_[i] = -gap - model.allowed_penetration(i);
      separated_[i] = policy.separated(model, i, gap, gap_M.coeff(i)) && carries;
      active_[i] = (C::positive(penetration_[i]) && carries) || separated_[i];
      C::assign_if(separated_[i], penetration_[i], -gap);
      any = any || active_[i];
    });
    if (C::may_exit(!any)) return any;

    // Assemble contact problem.
    for_each_index<n>([&](auto i) {
      using Normal = DirectionPattern<Model, i, 0>;
      const Q w = at.directions(i).w_N;
      typename Mass::Multipliers unused;
      Z_[i] = mass.template constrained_change<Normal>(w, unused);
      for_each_index<i + 1>([&](auto j) {
        if (!Couplings::coupled(i, j)) return;
        const Real G = sparse_dot<Normal>(w, Z_[j]);
        G_[i][j] = G;
        G_[j][i] = G;
      });
      alone_[i] = penetration_[i] / G_[i][i];
    });

    // Solve for corrections.
    Condition revised = any;
    for (int round = 0; round < rounds; ++round) {
      const Condition independent = solve();
      revised = revises(independent);
      if (C::may_exit(!revised)) break;
    }

    // Apply to q: if (active) q += Z max(z, 0), or Z z if separated.
    for_each_index<n>([&](auto i) {
      if (C::may_exit(!active_[i])) return;
      Real z = C::larger(Real(0), z_[i]);
      C::assign_if(separated_[i], z, z_[i]);
      z = select_or_zero<C>(active_[i], z);
      for_each_index<Traits<Model>::dof>([&](auto j) {
        if (Couplings::moves(i, j)) q.coeffRef(j) += z * Z_[i].coeff(j);
      });
    });
    return revised;
  }

 private:
  // Solves G z = penetration for the active contacts. If their normal directions are linearly dependent, each of k
  // contacts receives 1 / k of the correction that it would need alone. Returns true if they are independent.
  MOREAU_ALWAYS_INLINE Condition solve() {
    Condition independent = C::condition(true);
    unsigned count = 0;
    Real a[n][n], L[n][n], y[n], r[n];
    for_each_index<n>([&](auto i) {
      Real D = G_[i][i];
      y[i] = penetration_[i];
      for_each_index<i>([&](auto j) {
        if (!Filled::at(j, i, j)) return;
        a[i][j] = Couplings::coupled(i, j) ? G_[i][j] : Real(0);
        for_each_index<j>([&](auto l) {
          if (Filled::at(l, i, l) && Filled::at(l, j, l)) a[i][j] -= L[i][l] * a[j][l];
        });
        L[i][j] = a[i][j] * r[j];
        D -= L[i][j] * a[i][j];
        y[i] -= L[i][j] * y[j];
      });
      r[i] = select_or_zero<C>(active_[i], Real(1) / D);
      count += C::as_bit(active_[i]);
      independent = independent && !(active_[i] && C::at_most(D, Cholesky<Real, n>::singular_pivot * G_[i][i]));
    });
    for_each_index<n>([&](auto k) {
      constexpr int i = n - 1 - k;
      z_[i] = y[i] * r[i];
      for_each_index<k>([&](auto m) {
        constexpr int l = n - 1 - m;
        if (Filled::at(i, l, i)) z_[i] -= L[l][i] * z_[l];
      });
    });
    if (C::may_exit(independent)) return independent;
    const Real share = Real(1) / Real(count);
    for_each_index<n>([&](auto i) { z_[i] = select<C>(independent, z_[i], share * alone_[i]); });
    return independent;
  }

  // Deactivates every contact that would pull, except separated ones. Without such a contact, activates every one whose
  // penetration after the correction would exceed both its allowed and its current penetration. Returns true if a
  // contact has changed.
  MOREAU_ALWAYS_INLINE Condition revises(Condition independent) {
    Condition pull = C::condition(false);
    Condition penetrates[n];
    for_each_index<n>([&](auto i) {
      const Condition pulls = independent && active_[i] && !separated_[i] && C::negative(z_[i]);
      pull = pull || pulls;
      active_[i] = active_[i] && !pulls;
    });
    if (C::may_exit(pull)) return pull;
    Condition other = pull;
    for_each_index<n>([&](auto i) {
      Real after = penetration_[i];
      for_each_index<n>([&](auto j) {
        if (Couplings::coupled(i, j)) after -= select_or_zero<C>(active_[j], G_[i][j] * z_[j]);
      });
      penetrates[i] = C::positive(after) && C::less(penetration_[i], after) && !active_[i] && !pull;
      other = other || penetrates[i];
    });
    for_each_index<n>([&](auto i) { active_[i] = active_[i] || penetrates[i]; });
    return other;
  }

  // Entries of G after the elimination of the contacts before e.
  struct Filled {
    static constexpr bool at(int e, int a, int b) { return table.at[e][a][b]; }
    struct Table {
      bool at[n][n][n] = {};
    };
    static constexpr Table make() {
      Table t;
      for (int a = 0; a < n; ++a)
        for (int b = 0; b < n; ++b) t.at[0][a][b] = Couplings::coupled(a, b);
      for (int e = 0; e + 1 < n; ++e)
        for (int a = 0; a < n; ++a)
          for (int b = 0; b < n; ++b) t.at[e + 1][a][b] = t.at[e][a][b] || (t.at[e][a][e] && t.at[e][e][b]);
      return t;
    }
    static constexpr Table table = make();
  };

  Real penetration_[n], z_[n], alone_[n];  // alone: correction of one contact without the others
  Real G_[n][n];
  Q Z_[n];
  Condition active_[n], separated_[n];  // separated: active because of a separation
};

}  // namespace detail
}  // namespace moreau
