// Position correction at the end of a step: ideal joints return to g = 0. Contacts that carried a percussion return to
// their allowed penetration, in models that declare it (depth). Persistent contacts also return from a separation.
//
//   joints       q <- q - Y S^-1 g                        `projections` rounds
//   penetration  q <- q + Z_N z,  G_NN z = -g_N - depth   where the penetration is deeper, in the first round
//   separation   q <- q + Z_N z,  G_NN z = -g_N           where a persistent contact is separated and carried a
//                                                         percussion in the previous step, too
//                                                         (persistent_contacts.hpp)
//
// A velocity that satisfies a constraint at the midpoint moves along its tangent. On a curve the end lies beside it, by
// half the square of the angle turned. For an ideal joint this drift does not influence the next step. For a contact it
// accumulates: a pin that leans on its bearing penetrates by play (dt omega)^2 / 2 in every step, and passes the wall
// in seconds. The allowed penetration keeps a resting contact closed in spite of rounding.
//
// Differences from the papers: Moreau's rule has no position correction. Without allowed_penetration() contacts have none here
// either. It changes q, never u. Lifting a contact against gravity adds energy, of the order of its penetration.
#pragma once

#include "moreau/contact/mass.hpp"
#include "moreau/contact/persistent_contacts.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/math/cholesky.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/time.hpp"

namespace moreau {
namespace detail {

// The position correction of any number of contacts. Active are the contacts that carried a percussion and penetrate
// or are separated, and those that the correction itself would make penetrate. (The correction of one corner of a light
// slider turns the slider, and the other corner penetrates as deep. Without the second rule the two alternated from
// step to step, in float until they were 2 mm out.) Branchless solves the system of the active contacts once per contact.
template <class C, class Model, class Persistent>
class PositionCorrection {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Condition = typename C::Condition;
  static constexpr int n = Traits<Model>::contacts;

 public:
  // carried(i): contact i carried a percussion in this step.
  template <class Mass, class Carried>
  void correct(const Model& model, const Evaluation<Model>& at, const Mass& mass, const Carried& carried,
               const Persistent& persistent, const Vector<Real, n>& gap_M, Q& q) {
    Condition any = C::condition(false);
    each<C, n>(n, [&](auto i) {
      const Real gap = at.gap(i);
      Real penetration = -gap - model.allowed_penetration(i);
      separated_[int(i)] = persistent.separated(model, i, gap, gap_M.coeff(i)) && carried(i);
      active_[int(i)] = (C::positive(penetration) && carried(i)) || separated_[int(i)];
      C::assign_if(separated_[int(i)], penetration, -gap);
      penetration_.coeffRef(i) = penetration;
      any = any || active_[int(i)];
    });
    if (C::may_exit(!any)) return;
    each<C, n>(n, [&](auto i) {
      const Q w = at.directions(i).w_N;
      typename Mass::Multipliers unused;
      Z_[std::size_t(i)] = mass.constrained_change(w, unused);
      for (int j = 0; j <= i; ++j) G_.coeffRef(i, j) = G_.coeffRef(j, i) = dot(w, Z_[std::size_t(j)]);
    });
    for (int round = 0; round < n; ++round) {
      solve();
      if (C::may_exit(!penetrates_another())) break;
    }
    for (int i = 0; i < n; ++i) {
      if (C::may_exit(!active_[i])) continue;
      Q corrected = q;
      Real z = C::larger(Real(0), z_.coeff(i));
      C::assign_if(separated_[i], z, z_.coeff(i));
      add_scaled(corrected, z, Z_[std::size_t(i)]);
      C::assign_if(active_[i], q, corrected);
    }
  }

 private:
  // G z = penetration over the active contacts. If directions are linearly dependent (a slider tight between both
  // faces), each takes its share. The other contacts get the equation z = 0: the size of the system is constant.
  void solve() {
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
  }

  // Makes active what the correction would make penetrate deeper than its depth. True if there is any.
  Condition penetrates_another() {
    Condition other = C::condition(false);
    for (int i = 0; i < n; ++i) {
      Real after = penetration_.coeff(i);
      for (int j = 0; j < n; ++j) {
        if (C::may_exit(!active_[j])) continue;
        after -= select_or_zero<C>(active_[j], G_.coeff(i, j) * z_.coeff(j));
      }
      const Condition penetrates = C::positive(after) && C::less(penetration_.coeff(i), after);
      other = other || (penetrates && !active_[i]);
      active_[i] = active_[i] || penetrates;
    }
    return other;
  }

  Vector<Real, n> penetration_, z_;
  Matrix<Real, n, n> G_;
  std::array<Q, std::size_t(n)> Z_;
  Condition active_[std::size_t(n + 1)];
  Condition separated_[std::size_t(n + 1)];  // the separated ones among the active
};

template <class Model>
constexpr bool corrects_contacts = Traits<Model>::contacts > 0 && Contract<Model>::has_allowed_penetration;

template <class Model>
constexpr bool corrects_positions = corrects_contacts<Model> || Traits<Model>::bilaterals > 0;

// The rounds of the position correction at time t. contacts(at, q) corrects the contacts, before the first projection
// of the joints.
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
    if constexpr (joints) mass.project(q, at);
  }
}

// Corrects joints and any number of contacts. carried(i): contact i of the model carried a percussion in this step.
// (`persistent` by value: a reference to an empty object draws -Wmaybe-uninitialized from GCC 12.)
template <class C, class Model, class Mass, class Carried, class Persistent>
void correct_all_positions(const Model& model, typename Traits<Model>::Real t, const Mass& mass, const Carried& carried,
                           Persistent persistent,
                           const Vector<typename Traits<Model>::Real, Traits<Model>::contacts>& gap_M,
                           Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q) {
  correction_rounds(
      model, t, mass,
      [&](const Evaluation<Model>& at, auto& q_at) {
        PositionCorrection<C, Model, Persistent>{}.correct(model, at, mass, carried, persistent, gap_M, q_at);
      },
      q);
}

}  // namespace detail
}  // namespace moreau
