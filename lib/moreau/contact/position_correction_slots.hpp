// Position correction of a model that declares max_closed, in constant time. The equations and rules are those of
// position_correction.hpp, for the closed contacts and, in free slots (contact_slots.hpp), for contacts with a small
// gap at the end of the step.
//
//   L D L^T = G,   r_i = 1 / D_i if the contact in slot i is active, otherwise 0
//   y_i = penetration_i - sum_{j<i} L_ij y_j,   z_i = r_i y_i - sum_{l>i} L_li z_l,   L_ij = a_ij r_j
//
// The correction always executes min(n, 3) rounds. If the active set changes in the last round, or if a contact without
// a slot would penetrate, the step is rejected.
#pragma once

#include "moreau/contact/contact_slots.hpp"
#include "moreau/contact/position_correction.hpp"

namespace moreau {
namespace detail {

// Position correction of the contacts in n slots, with masks.
template <class Model, class Policy, int n>
class SlotCorrection {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  static constexpr int contacts = Traits<Model>::contacts, most_rounds = 3, rounds = n < most_rounds ? n : most_rounds;

 public:
  // Corrects q. carried(i) is true if contact i carried a percussion in this step. Returns true if the step is
  // rejected; q is then invalid.
  template <class Mass, class Carried>
  Mask correct(const Model& model, const Evaluation<Model>& at, const Mass& mass, const MaskedSet<Model>& all,
               const Carried& carried, const Policy& policy, const Vector<Real, contacts>& gap_M, Q& q) {
    // Evaluate all contacts.
    std::array<Q, std::size_t(contacts)> w;
    Vector<Real, contacts> penetration;
    Mask active[contacts], separated[contacts], here[contacts];
    std::int32_t rest = n - all.active;  // free slots
    for_each_index<contacts>([&](auto i) {
      const Real gap = at.gap(i);
      Real depth = -gap - model.allowed_penetration(i);
      separated[i] = policy.separated(model, i, gap, gap_M.coeff(i)) && carried(i);
      active[i] = (Branchless::positive(depth) && carried(i)) || separated[i];
      Branchless::assign_if(separated[i], depth, -gap);
      penetration.coeffRef(i) = depth;
      w[std::size_t(i)] = at.directions(i).w_N;
      const Mask near = Branchless::at_most(gap, Real(rounding_depths) * model.allowed_penetration(i));
      here[i] = all.present(i) || (near && Mask{-rest});
      rest -= std::int32_t(Branchless::as_bit(here[i] && !all.present(i)));
    });
    ContactSlots<Model, n> slots;
    slots.assign([&](int i) { return here[i]; });

    // Assemble contact problem.
    for (int s = 0; s < n; ++s) {
      penetration_[s] = slots.of(s, [&](int i) { return penetration.coeff(i); });
      active_[s] = slots.flag_of(s, [&](int i) { return active[i]; });
      separated_[s] = slots.flag_of(s, [&](int i) { return separated[i]; });
      Q w_s;
      for (int j = 0; j < Traits<Model>::dof; ++j)
        w_s.coeffRef(j) = slots.of(s, [&](int i) { return w[std::size_t(i)].coeff(j); });
      typename Mass::Multipliers unused;
      Z_[s] = mass.constrained_change(w_s, unused);
      for (int r = 0; r <= s; ++r) G_[s][r] = G_[r][s] = dot(w_s, Z_[r]);
    }

    // Solve for corrections.
    Mask in_slot{0}, without_slot{0};  // another contact would penetrate
    for (int round = 0; round < rounds; ++round) {
      const Mask independent = solve();
      in_slot = revises(independent);
      Q change = Q::Zero();
      for_each_index<n>([&](auto s) { add_scaled(change, z_[s], Z_[s]); });
      for_each_index<contacts>([&](auto i) {
        const Real after = penetration.coeff(i) - dot(w[std::size_t(i)], change);
        without_slot = without_slot || (penetrates(penetration.coeff(i), after) && !here[i]);
      });
    }
    displace(model, q, [&](Q& moved) { apply(moved); });
    return in_slot || without_slot;
  }

 private:
  // Solves G z = penetration for the active contacts. If their normal directions are linearly dependent, each of k
  // contacts receives 1 / k of the correction that it would need alone. Returns true if they are independent.
  Mask solve() {
    Mask independent = Branchless::condition(true);
    unsigned count = 0;
    Real a[n][n], L[n][n], r[n];
    for_each_index<n>([&](auto i) {
      for_each_index<n>([&](auto j) {
        if (j > i) return;
        a[i][j] = G_[i][j];
        for_each_index<n>([&](auto l) {
          if (l < j) a[i][j] -= a[i][l] * L[j][l];
        });
        if (j < i) L[i][j] = a[i][j] * r[j];
      });
      const Mask regular = Branchless::less(Cholesky<Real, contacts>::singular_pivot * G_[i][i], a[i][i]);
      independent = independent && (regular || !active_[i]);
      count += Branchless::as_bit(active_[i]);
      r[i] = select_or_zero<Branchless>(active_[i], Real(1) / select<Branchless>(regular, a[i][i], Real(1)));
    });
    Real y[n];
    for_each_index<n>([&](auto i) {
      y[i] = penetration_[i];
      for_each_index<n>([&](auto j) {
        if (j < i) y[i] -= L[i][j] * y[j];
      });
    });
    for_each_index<n>([&](auto k) {
      const int i = n - 1 - int(k);
      z_[i] = y[i] * r[i];
      for_each_index<n>([&](auto l) {
        if (l > i) z_[i] -= L[l][i] * z_[l];
      });
    });
    for_each_index<n>([&](auto i) {
      const Real alone = penetration_[i] / select<Branchless>(active_[i], Real(count) * G_[i][i], Real(1));
      z_[i] = select_or_zero<Branchless>(active_[i], select<Branchless>(independent, z_[i], alone));
    });
    return independent;
  }

  // Deactivates every contact that would pull, except separated ones. Without such a contact, activates every one in a
  // slot whose penetration after the correction would exceed both its allowed and its current penetration. Returns true
  // if a contact has changed.
  Mask revises(Mask independent) {
    Mask pull{0};
    for_each_index<n>([&](auto i) {
      const Mask pulls = independent && active_[i] && !separated_[i] && Branchless::negative(z_[i]);
      pull = pull || pulls;
      active_[i] = active_[i] && !pulls;
    });
    Mask other = pull;
    for_each_index<n>([&](auto i) {
      Real after = penetration_[i];
      for_each_index<n>([&](auto j) { after -= G_[i][j] * z_[j]; });
      const Mask penetrating = penetrates(penetration_[i], after) && !pull;
      other = other || (penetrating && !active_[i]);
      active_[i] = active_[i] || penetrating;
    });
    return other;
  }
  static Mask penetrates(Real before, Real after) {
    return Branchless::positive(after) && Branchless::less(before, after);
  }

  // Moves q: if (active) q += Z max(z, 0), or Z z if separated.
  void apply(Q& q) const {
    for_each_index<n>([&](auto s) {
      const Real z = select<Branchless>(separated_[s], z_[s], Branchless::larger(Real(0), z_[s]));
      add_scaled(q, z, Z_[s]);
    });
  }

  Real penetration_[n], z_[n], G_[n][n];
  Q Z_[n];
  Mask active_[n], separated_[n];
};

}  // namespace detail
}  // namespace moreau
