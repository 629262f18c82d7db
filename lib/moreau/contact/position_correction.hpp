// The end of a step, in position: ideal joints are put back on g = 0, and contacts that carried a percussion are put
// back from where they have sunk to, where the model wants that (depth), and persistent ones from where they stand off.
//
//   joints     q <- q - Y S^-1 g                                     `projections` rounds
//   contacts   q <- q + Z_N z,   G_NN z = -g_N - depth               over those that have sunk deeper, in the
//                                                                     first round
//   persistent    the same with G_NN z = -g_N                            where it stands off, and carried in the last
//                                                                     step, too (persistent_contacts.hpp)
//
// A velocity that obeys a constraint at the midpoint moves along its tangent; on anything curved that ends beside it,
// by half the square of the angle turned. For a joint the next step cannot tell. For a contact it adds up: a pin that
// leans on its bearing sinks by play (dt omega)^2 / 2 in every step, and in seconds it would be through. `allowed_penetration` is
// the overlap that stays, so that a resting contact stays closed in spite of rounding.
//
// Differences from the paper: Moreau's rule has no such correction, and without allowed_penetration() there is none for contacts.
// It moves q, never u; what a contact is lifted against gravity is energy gained, of the order of what it had sunk.
//
// PositionCorrectionPair: the same for at most two contacts that are pushed.
//
//   one     z = sunk / G_pp                        unless that would sink another contact deeper than its depth
//   two     G z = sunk by L D L^T                  where the two depend on each other, each takes half of its share
//
// Those that have carried a percussion and sunk are pushed, or the one that has and the one that its push would sink.
// With a third one the general step does the step again.
//
// One course for both timings: every number is computed, masks choose. With Timing::variable nothing is computed where
// nothing has sunk.
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

// Which contacts are pushed: those that carried a percussion and have sunk, and those that the push itself would sink.
// (Putting back one corner of a light slider turns the slider and sinks the other corner as far. Left to itself that
// one is put back in the next step, and the first sinks: in float the two took turns until they stood out by 2 mm.)
// Branchless solves the system of the pushed ones as often as it could ever be necessary, once per contact.
template <class C, class Model>
class PositionCorrection {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Condition = typename C::Condition;
  static constexpr int n = Traits<Model>::contacts;

 public:
  // carried(i), before(i): contact i carried a percussion, and did so in the step before.
  template <class Mass, class Carried, class Before>
  void run(const Model& model, const Evaluation<Model>& at, const Mass& mass, const Carried& carried,
           [[maybe_unused]] const Before& before, [[maybe_unused]] const Vector<Real, n>& gap_M, Q& q) {
    Condition any = C::condition(false);
    each<C, n>(n, [&](auto i) {
      const Real gap = at.gap(i);
      Real sunk = -gap - model.allowed_penetration(i);
      pushed_[int(i)] = C::positive(sunk) && carried(i);
      if constexpr (has_persistent_contacts<Model>) {
        pulled_[int(i)] = stands_off<C>(model, i, gap, gap_M.coeff(i)) && carried(i) && before(i);
        C::assign_if(pulled_[int(i)], sunk, -gap);
        pushed_[int(i)] = pushed_[int(i)] || pulled_[int(i)];
      }
      sunk_.coeffRef(i) = sunk;
      any = any || pushed_[int(i)];
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
      if (C::may_exit(!sinks_another())) break;
    }
    for (int i = 0; i < n; ++i) {
      if (C::may_exit(!pushed_[i])) continue;
      Q moved = q;
      Real z = C::larger(Real(0), z_.coeff(i));
      if constexpr (has_persistent_contacts<Model>) C::assign_if(pulled_[i], z, z_.coeff(i));
      add_scaled(moved, z, Z_[std::size_t(i)]);
      C::assign_if(pushed_[i], q, moved);
    }
  }

 private:
  // G z = sunk over the pushed ones. Where directions depend on each other (a slider tight between both faces), each
  // takes its share. The others get an equation z = 0 of their own: the size of the system is always the same.
  void solve() {
    Matrix<Real, n, n> A;
    Vector<Real, n> b;
    unsigned count = 0;
    if constexpr (!C::branchless) A.setIdentity();
    for (int i = 0; i < n; ++i) {
      count += C::as_bit(pushed_[i]);
      b.coeffRef(i) = select_or_zero<C>(pushed_[i], sunk_.coeff(i));
      if (C::may_exit(!pushed_[i])) continue;
      for (int j = 0; j <= i; ++j)
        A.coeffRef(i, j) = select<C>(pushed_[i] && pushed_[j], G_.coeff(i, j), Real(i == j ? 1 : 0));
    }
    Cholesky<Real, n> factored;
    const Condition independent = C::condition(factored.factor(A));
    const Vector<Real, n> together = factored.solve(b);
    for (int i = 0; i < n; ++i)
      z_.coeffRef(i) = select<C>(independent, together.coeff(i), b.coeff(i) / (Real(count) * A.coeff(i, i)));
  }

  Condition sinks_another() {
    Condition another = C::condition(false);
    for (int i = 0; i < n; ++i) {
      Real after = sunk_.coeff(i);
      for (int j = 0; j < n; ++j) {
        if (C::may_exit(!pushed_[j])) continue;
        after -= select_or_zero<C>(pushed_[j], G_.coeff(i, j) * z_.coeff(j));
      }
      const Condition sinks = C::positive(after) && C::less(sunk_.coeff(i), after);
      another = another || (sinks && !pushed_[i]);
      pushed_[i] = pushed_[i] || sinks;
    }
    return another;
  }

  Vector<Real, n> sunk_, z_;
  Matrix<Real, n, n> G_;
  std::array<Q, std::size_t(n)> Z_;
  Condition pushed_[std::size_t(n + 1)];
  Condition pulled_[std::size_t(remembered_contacts<Model> + 1)];  // of those: it stands off
};

template <class Model>
constexpr bool pushes_contacts = Traits<Model>::contacts > 0 && Contract<Model>::has_allowed_penetration;

template <class Model>
constexpr bool puts_back = pushes_contacts<Model> || Traits<Model>::bilaterals > 0;

// push(at, q) puts the contacts back, before the first round of the joints; both at the instant t.
template <class Model, class Mass, class Push>
MOREAU_ALWAYS_INLINE void correct_positions(const Model& model, typename Traits<Model>::Real t, const Mass& mass,
                                            const Push& push,
                                            Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q) {
  constexpr bool joints = Traits<Model>::bilaterals > 0;
  constexpr int rounds = joints ? Traits<Model>::projections : int(pushes_contacts<Model>);
  for (int round = 0; round < rounds; ++round) {
    const Evaluation<Model> at(model, q, t);
    if constexpr (pushes_contacts<Model>)
      if (round == 0) push(at, q);
    if constexpr (joints) mass.project(q, at);
  }
}

// Any number of contacts; carried(i), before(i): contact i of the model carried a percussion, and did in the step before.
template <class C, class Model, class Mass, class Carried, class Before>
void correct_all_positions(const Model& model, typename Traits<Model>::Real t, const Mass& mass, const Carried& carried,
                           const Before& before,
                           const Vector<typename Traits<Model>::Real, Traits<Model>::contacts>& gap_M,
                           Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q) {
  correct_positions(
      model, t, mass,
      [&](const Evaluation<Model>& at, auto& q_at) {
        PositionCorrection<C, Model>{}.run(model, at, mass, carried, before, gap_M, q_at);
      },
      q);
}

MOREAU_ALWAYS_INLINE bool more_than_two(unsigned bits) {
  bits &= bits - 1;
  return (bits & (bits - 1)) != 0;
}

template <class Model, class Flow>
class PositionCorrectionPair {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Normal = DirectionPattern<Model, -1, 0>;
  static constexpr int n = Traits<Model>::contacts;
  using Condition = typename Flow::Condition;
  static constexpr unsigned beyond = 1u << n;

 public:
  // Bit i of `carried`: contact i carried a percussion in this step; of `before`: and in the one before. True: more than
  // two would have to be pushed.
  MOREAU_ALWAYS_INLINE Condition run(const Model& model, const Evaluation<Model>& at, const StepMass<Model>& mass,
                                     unsigned carried, [[maybe_unused]] unsigned before,
                                     [[maybe_unused]] const Vector<Real, n>& gap_M, Q& q) {
    unsigned sunk = 0, off = 0;
    for_each_index<n>([&](auto i) {
      const Real gap = at.gap(i);
      Real kept = model.allowed_penetration(i);
      if constexpr (has_persistent_contacts<Model>) {
        const Condition lasts = stands_off<Flow>(model, i, gap, gap_M.coeff(i)) && nth_bit<Flow>(before, i);
        kept = select_or_zero<Flow>(!lasts, kept);
        off |= Flow::as_bit(lasts) << i;
      }
      sunk_[i] = -gap - kept;
      sunk |= Flow::as_bit(Flow::positive(sunk_[i])) << i;
    });
    const unsigned pushed = (carried & sunk) | off;  // what is not there never sinks
    if (Flow::may_exit(Flow::condition(pushed == 0))) return Flow::condition(false);
    for_each_index<n>([&](auto i) {
      const auto d = at.directions(i);
      for_each_index<Traits<Model>::dof>(
          [&](auto j) { w_[i].coeffRef(j) = Normal::entry(j) ? d.w_N.coeff(j) : Real(0); });
    });
    w_[n] = Q::Zero();
    sunk_[n] = Real(0);

    const int p = cpu::count_trailing_zeros(pushed | beyond);
    const Pushed first = push(mass, p);
    const unsigned also = pushed & (pushed - 1), sinks = sunk_by(first, sunk_[p] / first.G) & ~pushed;
    const unsigned others = select<Flow>(Flow::condition(also != 0), also, sinks);
    const int s = cpu::count_trailing_zeros(others | beyond);
    const Pushed second = push(mass, s);

    const Real across = sparse_dot<Normal>(w_[s], first.Z), L = across / first.G, pivot = second.G - L * across;
    const Condition independent = Flow::less(Cholesky<Real, n>::singular_pivot * second.G, pivot);
    const Real share = Real(0.5);
    const Real z_s = select<Flow>(independent, (sunk_[s] - L * sunk_[p]) / pivot, share * sunk_[s] / second.G);
    const Real z_p = select<Flow>(independent, sunk_[p] / first.G - L * z_s, share * sunk_[p] / first.G);
    const unsigned third = sunk_by(first, z_p, second, z_s) & ~(pushed | others);

    Q back = q;
    add_scaled(back, moved(off, p, z_p), first.Z);
    add_scaled(back, moved(off, s, z_s), second.Z);
    const Condition any = Flow::condition(pushed != 0);
    Flow::assign_if(any, q, back);
    return any && Flow::condition(((others & (others - 1)) | third) != 0);
  }

 private:
  // A contact that has sunk is pushed, never pulled; one that stands off may be either.
  MOREAU_ALWAYS_INLINE static Real moved([[maybe_unused]] unsigned off, [[maybe_unused]] int i, Real z) {
    Real pushed = Flow::larger(Real(0), z);
    if constexpr (has_persistent_contacts<Model>) Flow::assign_if(nth_bit<Flow>(off, i), pushed, z);
    return pushed;
  }
  // What a unit push of one contact does to q; 1 for the one that is not there, so that it can be divided by.
  struct Pushed {
    Q Z;
    Real G;
  };
  Pushed push(const StepMass<Model>& mass, int i) const {
    Pushed out;
    typename StepMass<Model>::Multipliers unused;
    out.Z = mass.template constrained_change<Normal>(w_[i], unused);
    out.G = sparse_dot<Normal>(w_[i], out.Z) + Real(i / n);
    return out;
  }

  // Contacts that would be deeper than their depth, and deeper than they are, after a push or two.
  unsigned sunk_by(const Pushed& a, Real z_a) const {
    unsigned deeper = 0;
    for_each_index<n>([&](auto i) {
      const Real after = sunk_[i] - sparse_dot<Normal>(w_[i], a.Z) * z_a;
      deeper |= Flow::as_bit(Flow::positive(after) && Flow::less(sunk_[i], after)) << i;
    });
    return deeper;
  }
  unsigned sunk_by(const Pushed& a, Real z_a, const Pushed& b, Real z_b) const {
    unsigned deeper = 0;
    for_each_index<n>([&](auto i) {
      const Real after = (sunk_[i] - sparse_dot<Normal>(w_[i], a.Z) * z_a) - sparse_dot<Normal>(w_[i], b.Z) * z_b;
      deeper |= Flow::as_bit(Flow::positive(after) && Flow::less(sunk_[i], after)) << i;
    });
    return deeper;
  }
  Q w_[n + 1];  // before it is written nothing is read
  Real sunk_[n + 1];
};

// Bit `contact` of those that carried a percussion.
template <class Flow, class Result>
MOREAU_ALWAYS_INLINE unsigned carries(const Result& of_contact, int contact) {
  return Flow::as_bit(Flow::positive(of_contact.P_N)) << contact;
}

// Joints and contacts back in place. True: not done, the general step has to.
template <class Flow, class Model>
MOREAU_ALWAYS_INLINE typename Flow::Condition correct_position_pair(
    const Model& model, const Time<typename Traits<Model>::Real>& time_E, const StepMass<Model>& mass, unsigned carried,
    unsigned before, const Vector<typename Traits<Model>::Real, Traits<Model>::contacts>& gap_M,
    Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q) {
  auto refused = Flow::condition(false);
  correct_positions(
      model, reduced(model, time_E), mass,
      [&](const Evaluation<Model>& at, auto& q_at) {
        if (Flow::may_exit(Flow::condition(carried == 0))) return;
        // {} fills with zeros what is written before it is read: a call in every step. (With jumps the stack would be twice
        // as deep without it, GCC 12.)
        if constexpr (Flow::branchless) {
          PositionCorrectionPair<Model, Flow> pair;
          refused = pair.run(model, at, mass, carried, before, gap_M, q_at);
        } else {
          refused = PositionCorrectionPair<Model, Flow>{}.run(model, at, mass, carried, before, gap_M, q_at);
        }
      },
      q);
  return refused;
}

}  // namespace detail
}  // namespace moreau
