// Position correction of at most two active contacts, a special case of position_correction.hpp.
//
//   one contact    z = penetration / G_pp
//   two contacts   G z = penetration        by L D L^T; if dependent, each receives half of its individual correction;
//                                           if one would pull (z < 0, not separated), the other one acts alone
//
// A contact is active if it carried a percussion and either penetrates by more than its allowed penetration or is a
// contact at rest with a positive gap (`separated`, impact_instants.hpp). If the correction of a single active
// contact would make another contact penetrate, both are active. With a third active contact, the step is rejected, and
// ActiveContacts (step/active_contacts.hpp) repeats it.
//
// Gaps at the end of the step are those of the model at q_E. With second_order, bias accelerations of all contacts and
// without ideal joints, they are extrapolated from the midpoint, which saves an evaluation of the model:
//
//   g_E = g_M + w_N^T (q_E - q_M) + dt/2 (zeta_N + tau / 2)       tau: impact_instants.hpp
//
// The error is of third order in dt; in the step of an impact it is of second order, because tau is computed with the
// velocity before the impact. The error does not accumulate, because the next step evaluates g_M. The last term is
// omitted for contacts that carried no percussion.
//
// Both timing modes execute the same operations and select results by masks. With Timing::variable, the correction of a
// step without active contacts returns at once.
#pragma once

#include "moreau/contact/impact_instants.hpp"
#include "moreau/contact/position_correction.hpp"

namespace moreau {
namespace detail {

// Returns true if more than n bits are set.
template <int n>
MOREAU_ALWAYS_INLINE bool more_than(unsigned bits) {
  for (int i = 0; i < n; ++i) bits &= bits - 1;
  return bits != 0;
}

// Position correction of one or two contacts.
template <class Model, class Flow>
class PositionCorrectionPair {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  using Normal = DirectionPattern<Model, -1, 0>;
  static constexpr int n = Traits<Model>::contacts;
  using Condition = typename Flow::Condition;
  static constexpr unsigned absent = 1u << n;

 public:
  // Corrects q. Bit i of `carried` is set if contact i carried a percussion in this step. Returns true if more than two
  // contacts are active; q is then invalid.
  MOREAU_ALWAYS_INLINE Condition correct(const Model& model, const Evaluation<Model>& at, const StepMass<Model>& mass,
                                         unsigned carried, const ContactPolicy<Flow, Model>& policy,
                                         const Vector<Real, n>& gap_M, Q& q) {
    // Find active contacts.
    Found found;
    for_each_index<n>([&](auto i) { found.add(find(model, i, at.gap(i), carried, policy, gap_M), i); });
    const unsigned active = found.active(carried);
    if (Flow::may_exit(Flow::condition(active == 0))) return Flow::condition(false);
    for_each_index<n>([&](auto i) { set_normal(at, i); });
    return solve(mass, active, found.separated, q);
  }

  // As above, with extrapolated gaps and the model at the midpoint.
  MOREAU_ALWAYS_INLINE Condition extrapolated(const Model& model, const Evaluation<Model>& at,
                                              const StepMass<Model>& mass, unsigned carried,
                                              const ContactPolicy<Flow, Model>& policy, const Vector<Real, n>& gap_M,
                                              Q& q) {
    // Find active contacts.
    Found found;
    const auto add = [&](auto i) {
      set_normal(at, i);
      found.add(find(model, i, policy.extrapolated_gap(i, w_[i]), carried, policy, gap_M), i);
    };
    for_each_index<n>([&](auto i) {  // if (carried i) add(i);
      if (!Flow::may_exit(!nth_bit<Flow>(carried, i))) add(i);
    });
    const unsigned active = found.active(carried);
    if (Flow::may_exit(Flow::condition(active == 0))) return Flow::condition(false);
    if constexpr (!Flow::branchless)
      for_each_index<n>([&](auto i) {
        if ((carried >> i & 1u) == 0) add(i);
      });
    return solve(mass, active, found.separated, q);
  }

 private:
  // Masks of the contacts that penetrate by more than the allowed penetration, or are separated.
  struct Found {
    unsigned penetrating = 0, separated = 0;

    // A contact without percussion is not active.
    unsigned active(unsigned carried) const { return (carried & penetrating) | separated; }
    void add(Found of_i, int i) {
      penetrating |= of_i.penetrating << i;
      separated |= of_i.separated << i;
    }
  };
  // Sets the penetration of contact i. Returns its bits.
  MOREAU_ALWAYS_INLINE Found find(const Model& model, int i, Real gap, unsigned carried,
                                  const ContactPolicy<Flow, Model>& policy, const Vector<Real, n>& gap_M) {
    const Condition apart = policy.separated(model, i, gap, gap_M.coeff(i)) && nth_bit<Flow>(carried, i);
    penetration_[i] = -gap - select_or_zero<Flow>(!apart, model.allowed_penetration(i));
    return {Flow::as_bit(Flow::positive(penetration_[i])), Flow::as_bit(apart)};
  }
  template <class I>
  MOREAU_ALWAYS_INLINE void set_normal(const Evaluation<Model>& at, I i) {
    const auto d = at.directions(i);
    for_each_index<Traits<Model>::dof>(
        [&](auto j) { w_[i].coeffRef(j) = Normal::entry(j) ? d.w_N.coeff(j) : Real(0); });
  }

  MOREAU_ALWAYS_INLINE Condition solve(const StepMass<Model>& mass, unsigned active, unsigned separated, Q& q) {
    w_[n] = Q::Zero();
    penetration_[n] = Real(0);

    // Select two contacts.
    const int p = cpu::count_trailing_zeros(active | absent);
    const Response first = response(mass, p);
    const unsigned also = active & (active - 1), deeper = deeper_after(first, penetration_[p] / first.G) & ~active;
    const unsigned others = select<Flow>(Flow::condition(also != 0), also, deeper);
    const int s = cpu::count_trailing_zeros(others | absent);
    const Response second = response(mass, s);

    // Solve for corrections.
    const Real across = sparse_dot<Normal>(w_[s], first.Z), L = across / first.G, pivot = second.G - L * across;
    // if (independent) G z = penetration; else z = half of penetration / G;
    const Condition independent = Flow::less(Cholesky<Real, n>::singular_pivot * second.G, pivot);
    const Real share = Real(0.5);
    const Real alone_p = penetration_[p] / first.G, alone_s = penetration_[s] / second.G;
    Real z_s = select<Flow>(independent, (penetration_[s] - L * penetration_[p]) / pivot, share * alone_s);
    Real z_p = select<Flow>(independent, alone_p - L * z_s, share * alone_p);

    // Only push: if a contact would pull, the other one acts alone.
    const Real push_p = step_of(separated, p, z_p), push_s = step_of(separated, s, z_s);
    const Condition p_pulls = independent && Flow::less(z_p, push_p), s_pulls = independent && Flow::less(z_s, push_s);
    z_p = select<Flow>(s_pulls, alone_p, push_p);
    z_s = select<Flow>(p_pulls, alone_s, push_s);
    const unsigned third = deeper_after(first, z_p, second, z_s) & ~(active | others);

    // Apply to q: if (any active) q += Z_p z_p + Z_s z_s.
    Q corrected = q;
    add_scaled(corrected, z_p, first.Z);
    add_scaled(corrected, z_s, second.Z);
    const Condition any = Flow::condition(active != 0);
    Flow::assign_if(any, q, corrected);
    return any && Flow::condition(((others & (others - 1)) | third) != 0);
  }

  // Returns separated ? z : max(z, 0). The correction of a penetration only pushes the bodies apart.
  MOREAU_ALWAYS_INLINE static Real step_of(unsigned separated, int i, Real z) {
    Real step = Flow::larger(Real(0), z);
    Flow::assign_if(nth_bit<Flow>(separated, i), step, z);
    return step;
  }
  // Displacement of q due to a unit correction of one contact. For an absent contact Z = 0 and G = 1.
  struct Response {
    Q Z;
    Real G;
  };
  Response response(const StepMass<Model>& mass, int i) const {
    Response out;
    typename StepMass<Model>::Multipliers unused;
    out.Z = mass.template constrained_change<Normal>(w_[i], unused);
    out.G = sparse_dot<Normal>(w_[i], out.Z) + Real(i / n);
    return out;
  }

  // Returns the mask of the contacts whose penetration after one or two corrections would exceed both their allowed and
  // their current penetration.
  unsigned deeper_after(const Response& a, Real z_a) const {
    unsigned deeper = 0;
    for_each_index<n>([&](auto i) {
      const Real after = penetration_[i] - sparse_dot<Normal>(w_[i], a.Z) * z_a;
      deeper |= Flow::as_bit(Flow::positive(after) && Flow::less(penetration_[i], after)) << i;
    });
    return deeper;
  }
  unsigned deeper_after(const Response& a, Real z_a, const Response& b, Real z_b) const {
    unsigned deeper = 0;
    for_each_index<n>([&](auto i) {
      const Real after =
          (penetration_[i] - sparse_dot<Normal>(w_[i], a.Z) * z_a) - sparse_dot<Normal>(w_[i], b.Z) * z_b;
      deeper |= Flow::as_bit(Flow::positive(after) && Flow::less(penetration_[i], after)) << i;
    });
    return deeper;
  }
  Q w_[n + 1];  // written before it is read
  Real penetration_[n + 1];
};

// Returns the bit of a contact if it carried a percussion, otherwise 0.
template <class Flow, class Result>
MOREAU_ALWAYS_INLINE unsigned carries(const Result& of_contact, int contact) {
  return Flow::as_bit(Flow::positive(of_contact.P_N)) << contact;
}

// Corrects at most two contacts by gaps extrapolated from the model at the midpoint. `set` contains the closed
// contacts. Returns true if ActiveContacts must repeat the step.
template <class Flow, class Model, class Set>
MOREAU_ALWAYS_INLINE typename Flow::Condition correct_pair_positions_from(
    const Model& model, const Evaluation<Model>& at_M, const Set& set, const StepMass<Model>& mass, unsigned carried,
    ContactPolicy<Flow, Model>& policy, const Vector<typename Traits<Model>::Real, Traits<Model>::contacts>& gap_M,
    Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q) {
  if (Flow::may_exit(Flow::condition(carried == 0))) return Flow::condition(false);
  for_each_index<closed_at_once<Model>>([&](auto k) {
    if (Flow::branchless || k < set.k) policy.extrapolate(k, set.slot(k));
  });
  PositionCorrectionPair<Model, Flow> pair;
  return pair.extrapolated(model, at_M, mass, carried, policy, gap_M, q);
}

// Corrects ideal joints and at most two contacts. Returns true if ActiveContacts must repeat the step.
template <class Flow, class Model>
MOREAU_ALWAYS_INLINE typename Flow::Condition correct_pair_positions(
    const Model& model, const Time<typename Traits<Model>::Real>& time_E, const StepMass<Model>& mass, unsigned carried,
    const ContactPolicy<Flow, Model>& policy,
    const Vector<typename Traits<Model>::Real, Traits<Model>::contacts>& gap_M,
    Vector<typename Traits<Model>::Real, Traits<Model>::dof>& q) {
  auto rejected = Flow::condition(false);
  if constexpr (Traits<Model>::bilaterals == 0)  // saves the evaluation of the model
    if (Flow::may_exit(Flow::condition(carried == 0))) return rejected;
  correction_rounds(
      model, reduced(model, time_E), mass,
      [&](const Evaluation<Model>& at, auto& q_at) {
        if (Flow::may_exit(Flow::condition(carried == 0))) return;
        // The initialiser {} clears the object with a function call, so Branchless omits it. With Branching it halves
        // the stack use (GCC 12).
        if constexpr (Flow::branchless) {
          PositionCorrectionPair<Model, Flow> pair;
          rejected = pair.correct(model, at, mass, carried, policy, gap_M, q_at);
        } else {
          rejected = PositionCorrectionPair<Model, Flow>{}.correct(model, at, mass, carried, policy, gap_M, q_at);
        }
      },
      q);
  return rejected;
}

}  // namespace detail
}  // namespace moreau
