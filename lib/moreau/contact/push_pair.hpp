// The end of a step of few contacts, in position: put_back.hpp for at most two contacts that are pushed.
//
//   one     z = sunk / G_pp                        unless that would sink another contact deeper than its depth
//   two     G z = sunk by L D L^T                  where the two depend on each other, each takes half of its share
//
// Those that have carried a percussion and sunk are pushed, or the one that has and the one that its push would sink.
// With a third one this returns true, and the general step makes the step again.
//
// One course for both timings: every number is computed, masks choose. With Timing::data nothing is computed where
// nothing has sunk.
#pragma once

#include "moreau/contact/put_back.hpp"
#include "moreau/contact/step_mass.hpp"
#include "moreau/math/choice.hpp"
#include "moreau/model/model_time.hpp"

namespace moreau {

template <class Model>
constexpr bool pushes_contacts = Traits<Model>::contacts > 0 && Contract<Model>::has_depth;

template <class Model>
constexpr bool puts_back = pushes_contacts<Model> || Traits<Model>::bilaterals > 0;

namespace detail {

[[gnu::always_inline]] inline bool more_than_two(unsigned bits) {
  bits &= bits - 1;
  return (bits & (bits - 1)) != 0;
}

template <class Model, class Choice>
class PushPair {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Normal = DirectionPattern<Model, -1, 0>;
  static constexpr int n = Traits<Model>::contacts;
  using Condition = typename Choice::Condition;
  static constexpr unsigned beyond = 1u << n;

 public:
  // `carried`: bit i for a contact i that carried a percussion. True: more than two would have to be pushed.
  [[gnu::always_inline]] Condition run(const Model& model, const Evaluation<Model>& at, const StepMass<Model>& mass,
                                       unsigned carried, Q& q) {
    unsigned sunk = 0;
    for_each_index<n>([&](auto i) {
      sunk_[i] = -at.gap(i) - model.depth(i);
      sunk |= Choice::bit(Choice::positive(sunk_[i])) << i;
    });
    const unsigned pushed = carried & sunk;  // what is not there never sinks
    if (Choice::leave(Choice::of(pushed == 0))) return Choice::of(false);
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
    const unsigned others = choose<Choice>(Choice::of(also != 0), also, sinks);
    const int s = cpu::count_trailing_zeros(others | beyond);
    const Pushed second = push(mass, s);

    const Real across = sparse_dot<Normal>(w_[s], first.Z), L = across / first.G, pivot = second.G - L * across;
    const Condition independent = Choice::less(Cholesky<Real, n>::singular_pivot * second.G, pivot);
    const Real share = Real(0.5);
    const Real z_s = choose<Choice>(independent, (sunk_[s] - L * sunk_[p]) / pivot, share * sunk_[s] / second.G);
    const Real z_p = choose<Choice>(independent, sunk_[p] / first.G - L * z_s, share * sunk_[p] / first.G);
    const unsigned third = sunk_by(first, z_p, second, z_s) & ~(pushed | others);

    Q back = q;
    add_scaled(back, Choice::larger(Real(0), z_p), first.Z);
    add_scaled(back, Choice::larger(Real(0), z_s), second.Z);
    const Condition any = Choice::of(pushed != 0);
    Choice::overwrite(any, q, back);
    return any && Choice::of(((others & (others - 1)) | third) != 0);
  }

 private:
  // What a unit push of one contact does to q; 1 for the one that is not there, so that it can be divided by.
  struct Pushed {
    Q Z;
    Real G;
  };
  Pushed push(const StepMass<Model>& mass, int i) const {
    Pushed out;
    typename StepMass<Model>::Multipliers unused;
    out.Z = mass.template solve<Normal>(w_[i], unused);
    out.G = sparse_dot<Normal>(w_[i], out.Z) + Real(i / n);
    return out;
  }

  // Contacts that would be deeper than their depth, and deeper than they are, after a push or two.
  unsigned sunk_by(const Pushed& a, Real z_a) const {
    unsigned deeper = 0;
    for_each_index<n>([&](auto i) {
      const Real after = sunk_[i] - sparse_dot<Normal>(w_[i], a.Z) * z_a;
      deeper |= Choice::bit(Choice::positive(after) && Choice::less(sunk_[i], after)) << i;
    });
    return deeper;
  }
  unsigned sunk_by(const Pushed& a, Real z_a, const Pushed& b, Real z_b) const {
    unsigned deeper = 0;
    for_each_index<n>([&](auto i) {
      const Real after = (sunk_[i] - sparse_dot<Normal>(w_[i], a.Z) * z_a) - sparse_dot<Normal>(w_[i], b.Z) * z_b;
      deeper |= Choice::bit(Choice::positive(after) && Choice::less(sunk_[i], after)) << i;
    });
    return deeper;
  }
  Q w_[n + 1];
  Real sunk_[n + 1];
};

// Bit `contact` of those that carried a percussion.
template <class Choice, class Result>
MOREAU_ALWAYS_INLINE unsigned carries(const Result& of_contact, int contact) {
  return Choice::bit(Choice::positive(of_contact.P_N)) << contact;
}

// Joints and contacts back in place. True: not done, it takes the general step.
template <class Choice, class Model>
MOREAU_ALWAYS_INLINE typename Choice::Condition put_back_pair(
    const Model& model, const Time<typename Traits<Model>::Real>& time_E, const StepMass<Model>& mass, unsigned carried,
    Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q) {
  auto refused = Choice::of(false);
  put_back(
      model, reduced(model, time_E), mass,
      [&](const Evaluation<Model>& at, auto& q_at) {
        refused = PushPair<Model, Choice>{}.run(model, at, mass, carried, q_at);
      },
      q);
  return refused;
}

}  // namespace detail
}  // namespace moreau
