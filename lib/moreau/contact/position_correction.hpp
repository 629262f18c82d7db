// Position correction at the end of a step.
//
//   joints        q <- q - Y S^-1 g                      `projections` rounds
//   penetration   q <- q + Z_N z,   G_NN z = -g_N - a    first round; a = allowed_penetration(), if -g_N > a
//   separation    q <- q + Z_N z,   G_NN z = -g_N        first round; contacts at rest with g_N > 0
//
// The correction applies to contacts that carried a percussion in this step, and to contacts that it would otherwise
// make penetrate. A separated contact must also have carried a percussion in the previous step (impact_instants.hpp).
// Contacts of models without allowed_penetration() are not corrected.
//
// A velocity that satisfies a constraint at the midpoint is tangent to the constraint there. On a curve, the end of the
// step deviates by the radius of curvature times half the square of the rotation angle. For an ideal joint this drift
// does not influence the next step; for a contact it accumulates. Without correction, the penetration of a pin in
// permanent contact with its bearing grows by clearance (dt omega)^2 / 2 per step. The pin would pass through the wall
// of the bearing within seconds. The allowed penetration keeps a contact at rest closed despite rounding errors.
//
// Departures from the papers: Moreau's midpoint rule has no position correction. The correction changes q and leaves u
// unchanged. If it moves a contact against gravity, it adds energy in proportion to the penetration.
#pragma once

#include "moreau/contact/contacts_by_gap.hpp"
#include "moreau/contact/mass.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/math/cholesky.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/time.hpp"

namespace moreau {
namespace detail {

// Position correction of any number of contacts.
//
// A contact is active if it carried a percussion and penetrates or is separated. A contact is also active if the
// correction would make it penetrate. Without this second rule, two contacts can alternate: the correction of one
// corner of a light slider rotates the slider, and the other corner penetrates. In float, the penetration can grow to 2
// mm by this alternation. A contact that would pull (z < 0) is inactive: of two corners with nearly the same response
// and different penetrations, one would pull, and the push of the other one would rotate the slider by radians.
// Branchless always executes n rounds, where n is the number of contacts of the model.
template <class C, class Model, class Policy>
class PositionCorrection {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Condition = typename C::Condition;
  static constexpr int n = Traits<Model>::contacts;

 public:
  // Corrects q. carried(i) is true if contact i carried a percussion in this step.
  template <class Mass, class Carried>
  void correct(const Model& model, const Evaluation<Model>& at, const Mass& mass, const Carried& carried,
               const Policy& policy, const Vector<Real, n>& gap_M, Q& q) {
    // Find active contacts.
    Condition any = C::condition(false);
    each<C, n>(n, [&](auto i) {
      const Real gap = at.gap(i);
      Real penetration = -gap - model.allowed_penetration(i);
      separated_[int(i)] = policy.separated(model, i, gap, gap_M.coeff(i)) && carried(i);
      active_[int(i)] = (C::positive(penetration) && carried(i)) || separated_[int(i)];
      C::assign_if(separated_[int(i)], penetration, -gap);
      penetration_.coeffRef(i) = penetration;
      any = any || active_[int(i)];
    });
    if (C::may_exit(!any)) return;

    // Assemble contact problem.
    each<C, n>(n, [&](auto i) {
      const Q w = at.directions(i).w_N;
      typename Mass::Multipliers unused;
      Z_[std::size_t(i)] = mass.constrained_change(w, unused);
      for (int j = 0; j <= i; ++j) G_.coeffRef(i, j) = G_.coeffRef(j, i) = dot(w, Z_[std::size_t(j)]);
    });

    // Solve for corrections.
    for (int round = 0; round < n; ++round) {
      const Condition independent = solve();
      if (C::may_exit(!revises(independent))) break;
    }

    displace(model, q, [&](Q& moved) { apply(moved); });
  }

 private:
  // Moves q: if (active) q += Z max(z, 0), or Z z if separated.
  MOREAU_ALWAYS_INLINE void apply(Q& q) const {
    for (int i = 0; i < n; ++i) {
      if (C::may_exit(!active_[i])) continue;
      Q corrected = q;
      Real z = C::larger(Real(0), z_.coeff(i));
      C::assign_if(separated_[i], z, z_.coeff(i));
      add_scaled(corrected, z, Z_[std::size_t(i)]);
      C::assign_if(active_[i], q, corrected);
    }
  }

  // Solves G z = penetration for the active contacts. All other contacts have the equation z = 0, so the size of the
  // system is constant. If the normal directions are linearly dependent, each of k contacts receives 1 / k of the
  // correction that it would need alone. An example is a slider jammed between both faces. Returns true if the normal
  // directions are independent.
  Condition solve() {
    Matrix<Real, n, n> A;
    Vector<Real, n> b;
    unsigned count = 0;
    if constexpr (!C::branchless) A.setIdentity();
    for (int i = 0; i < n; ++i) {
      count += C::as_bit(active_[i]);
      b.coeffRef(i) = select_or_zero<C>(active_[i], penetration_.coeff(i));
      if (C::may_exit(!active_[i])) continue;
      for (int j = 0; j <= i; ++j)
        A.coeffRef(i, j) = select<C>(active_[i] && active_[j], G_.coeff(i, j), Real(i == j ? 1 : 0));
    }
    Cholesky<Real, n> factored;
    const Condition independent = C::condition(factored.factor(A));
    const Vector<Real, n> together = factored.solve(b);
    for (int i = 0; i < n; ++i)
      z_.coeffRef(i) = select<C>(independent, together.coeff(i), b.coeff(i) / (Real(count) * A.coeff(i, i)));
    return independent;
  }

  // Deactivates every contact that would pull, except separated ones. If there is no such contact, activates every
  // contact whose penetration after the correction would exceed both its allowed and its current penetration. Returns
  // true if a contact has changed.
  Condition revises(Condition independent) {
    Condition pull = C::condition(false);
    for (int i = 0; i < n; ++i) {
      const Condition pulls = independent && active_[i] && !separated_[i] && C::negative(z_.coeff(i));
      pull = pull || pulls;
      active_[i] = active_[i] && !pulls;
    }
    if (C::may_exit(pull)) return pull;
    Condition other = pull;
    for (int i = 0; i < n; ++i) {
      Real after = penetration_.coeff(i);
      for (int j = 0; j < n; ++j) {
        if (C::may_exit(!active_[j])) continue;
        after -= select_or_zero<C>(active_[j], G_.coeff(i, j) * z_.coeff(j));
      }
      const Condition penetrates = C::positive(after) && C::less(penetration_.coeff(i), after) && !pull;
      other = other || (penetrates && !active_[i]);
      active_[i] = active_[i] || penetrates;
    }
    return other;
  }

  Vector<Real, n> penetration_, z_;
  Matrix<Real, n, n> G_;
  std::array<Q, std::size_t(n)> Z_;
  Condition active_[std::size_t(n + 1)];
  Condition separated_[std::size_t(n + 1)];  // active because of a separation
};

template <class Model>
constexpr bool corrects_contacts = Traits<Model>::contacts > 0 && Contract<Model>::has_allowed_penetration;

template <class Model>
constexpr bool corrects_positions = corrects_contacts<Model> || Traits<Model>::bilaterals > 0;

// Executes the rounds of the position correction at time t. The first round calls contacts(at, q), which corrects the
// contacts. Every round projects the joints.
template <class Model, class Mass, class Contacts>
MOREAU_ALWAYS_INLINE void correction_rounds(const Model& model, typename Traits<Model>::Real t, const Mass& mass,
                                            const Contacts& contacts,
                                            Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q) {
  constexpr bool joints = Traits<Model>::bilaterals > 0;
  constexpr int rounds = joints ? Traits<Model>::projections : int(corrects_contacts<Model>);
  for (int round = 0; round < rounds; ++round) {
    const Evaluation<Model> at(model, q, t);
    if constexpr (corrects_contacts<Model>)
      if (round == 0) contacts(at, q);
    if constexpr (joints) displace(model, q, [&](auto& moved) { mass.project(moved, at); });
  }
}

// Corrects joints and any number of contacts. carried(i) is true if contact i carried a percussion in this step.
// `policy` is passed by value, because GCC 12 issues -Wmaybe-uninitialized for a reference to an empty object.
template <class C, class Model, class Mass, class Carried, class Policy>
void correct_all_positions(const Model& model, typename Traits<Model>::Real t, const Mass& mass, const Carried& carried,
                           Policy policy, const Vector<typename Traits<Model>::Real, Traits<Model>::contacts>& gap_M,
                           Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q) {
  correction_rounds(
      model, t, mass,
      [&](const Evaluation<Model>& at, auto& q_at) {
        PositionCorrection<C, Model, Policy>{}.correct(model, at, mass, carried, policy, gap_M, q_at);
      },
      q);
}

}  // namespace detail
}  // namespace moreau
