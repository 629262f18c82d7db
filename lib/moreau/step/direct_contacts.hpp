// Fast path for one or two closed planar contacts: direct solution in registers (midpoint.hpp, solve/closed_forms.hpp).
//
//   Branching    computes only the result that the contacts require
//   Branchless   constant time: evaluates all gaps, selects at most two contacts, computes all candidate solutions
//
// Both apply the same arithmetic operations, so their results are bit-identical. A step is rejected if a law parameter
// is out of range, too many contacts are closed, a value is non-finite, or QuickVerdict rejects the percussions. A
// rejected step leaves the state unchanged. ActiveContacts then repeats the step and reports the cause of any failure.
#pragma once

#include "moreau/contact/position_correction_pair.hpp"
#include "moreau/solve/closed_forms.hpp"
#include "moreau/step/commit.hpp"
#include "moreau/step/direct_workspace.hpp"
#include "moreau/step/midpoint.hpp"

namespace moreau {
namespace detail {

// One or two closed planar contacts with their direct solution.
template <class Model, class Flow>
class DirectContacts {
 public:
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Mass = StepMass<Model>;
  using P_joints = typename Mass::Multipliers;
  using Condition = typename Flow::Condition;
  using Gaps = Vector<Real, T::contacts>;
  static constexpr int contacts = T::contacts;
  static constexpr bool two = closed_at_once<Model> == 2, at_instants = T::second_order;

  template <class Context>
  DirectContacts(Context& context, StepReport<Real>& report)
      : model_(context.model),
        judge_(context.judge),
        work_(context.direct_),
        storage_(context.mass()),
        ready_(context.ready_),
        state_(context.state),
        stored_gap_M_(context.gap_M_),
        report_(report),
        policy_(context.state, context.direct_) {}

  bool ready(Real dt) {
    if constexpr (tables_contacts<Model>)
      if (!work_.rows.is_of(model_)) {
        if (Flow::branchless) ++report_.fallbacks;
        if (!work_.keep(model_, state_)) return false;
      }
    return ready_ && is_step_size(dt);
  }

  Time<Real> counted(const Time<Real>& time, Real dt) {
    if constexpr (at_instants) policy_.begin(dt);
    const Time<Real> counted = counted_in<Flow>(time, dt);
    probe_ = counted.t0;
    return counted;
  }

  Evaluation<Model> at(const Model& model, const Q& q, Real t) {
    if constexpr (at_instants) policy_.set_time(t);
    return {model, q, t};
  }
  bool find(const Evaluation<Model>& at) {
    using Sign =
        std::conditional_t<cpu::has_conditional_move<Real>, Branchless, Flow>;  // with an FPU, cheaper than a branch
    unsigned open = 0, carried = 0, reached = 0;
    for_each_index<contacts>([&](auto i) {
      const Real g = at.gap(i);
      gap_M_.coeffRef(i) = g;
      probe_ += g;
      policy_.set_gap(model_, i, g);
      open |= Sign::as_bit(Sign::positive(g)) << i;
      if constexpr (T::predicted_gaps) reached |= Flow::as_bit(policy_.reaches(at, i, g)) << i;
      if constexpr (!at_instants) carried |= Flow::as_bit(policy_.carried(i)) << i;
      if constexpr (stores_rows<Model, Flow>) {
        const auto d = at.directions(i);
        work_.rows[i].set(d, model_.law(i), contact_instant<Flow>(policy_, 0, at, NoEnd{}, i, d));
      }
    });
    if constexpr (at_instants && contacts > 0) carried = state_.resting[0];
    closed_ = (((1u << contacts) - 1) & ~open) | carried | reached;
    if constexpr (T::bilaterals > 0)  // early exit, saves the factorisation of the joint rows
      if (Flow::may_exit(Flow::condition(more_than<closed_at_once<Model>>(closed_)))) return false;
    return true;
  }

  Mass mass(const Evaluation<Model>& at, const Q& u_A, Real half) { return Mass(storage_, at, u_A, half); }
  bool positive(const Mass& mass, const Evaluation<Model>&) {
    rejected_ = !Flow::condition(mass.positive());
    if constexpr (!T::constant_mass && T::bilaterals == 0) probe_ += mass.pivots();
    if (Flow::branchless && mass.renewed()) ++report_.fallbacks;
    return !Flow::may_exit(rejected_);
  }
  Q force(const Evaluation<Model>& at, const Mass& mass, const Q& u_A, Real half) const {
    return force_of(at, mass, u_A, half, policy_.previous());
  }

  bool solve(const Evaluation<Model>& at, const Mass& mass, const State<Model>& state, const Q&, Real, Q& u_E,
             P_joints& P_B) {
    if constexpr (contacts > 0) {
      // Count closed contacts.
      const Condition none = Flow::condition(closed_ == 0);
      if (Flow::may_exit(none)) return policy_.clear(), true;
      const unsigned rest = closed_ & (closed_ - 1);
      const Condition single = Flow::condition(rest == 0);
      active_ = int(closed_ != 0) + int(rest != 0);
      if (reject(Flow::condition((two ? rest & (rest - 1) : rest) != 0))) return false;

      // Solve for percussions.
      const auto end = policy_.end_of_step(model_, u_E);
      if (!two || Flow::may_exit(single)) {
        if (reject(close_one(at, end, mass, none, state.u, u_E))) return false;
        probe_ += a_.contact.planar.c_N + a_.contact.planar.c_T;
        verdict_ = solve_one<Flow>(a_.contact.planar, judge_, a_.result);
        push<Flow>(u_E, [&](const auto& add) { add_columns(a_, add); });
      } else if constexpr (two) {
        if (reject(close(at, end, mass, closed_, none, state.u, u_E, a_, 0) ||
                   close(at, end, mass, rest, single, state.u, u_E, b_, 1)))
          return false;
        const PlanarContact<Real>&p = b_.contact.planar, &q = a_.contact.planar;
        probe_ += (p.c_N + p.c_T) + (q.c_N + q.c_T);
        Coupling<Real> x = coupling<Model>(b_.contact, a_.contact);
        if constexpr (Flow::branchless) {  // if (single) x = 0;
          Branchless::assign_if(single, x.NN, Real(0), x.NT, Real(0));
          Branchless::assign_if(single, x.TN, Real(0), x.TT, Real(0));
        }
        verdict_ = solve_two<Flow>(p, q, x, judge_, b_.result, a_.result);
        push<Flow>(u_E, [&](const auto& add) {
          add_columns(a_, add);
          add_columns(b_, add);
        });
        add_joint_percussions(b_.contact, b_.result, P_B);
      }

      // Accept or reject.
      if (reject(verdict_.rejected(judge_))) return false;
      add_joint_percussions(a_.contact, a_.result, P_B);
      if constexpr (at_instants) finish(none, single, u_E);
    }
    return true;
  }

  bool correct_positions(const Evaluation<Model>& at_M, const Mass& mass, const Time<Real>& time_E, Q& q_E) {
    if (contacts > 0 && (Flow::branchless || active_ > 0)) policy_.move(q_E);
    if constexpr (corrects_positions<Model>) {
      unsigned carried = Flow::branchless || active_ > 0 ? carries<Flow>(a_.result, a_.id) : 0;
      if (two && (Flow::branchless || active_ > 1)) carried |= carries<Flow>(b_.result, b_.id);
      if constexpr (extrapolates_gaps<Model>)
        return !reject(correct_pair_positions_from<Flow>(
            model_, at_M, Pair{*this, Flow::branchless ? 1 + two : active_}, mass, carried, policy_, gap_M_, q_E));
      if (reject(correct_pair_positions<Flow>(model_, time_E, mass, carried, policy_, gap_M_, q_E))) return false;
    }
    return true;
  }

  // Returns true if the step is not rejected and the sum of all values is finite. A non-finite u_E makes q_E
  // non-finite.
  bool sound(const Time<Real>&, const Q& q_E, const Q&) {
    Real sum = probe_;
    for_each_index<T::dof>([&](auto j) { sum += q_E.coeff(j); });
    return (!Flow::branchless || !Flow::declassify(rejected_)) && sum - sum == Real(0);
  }
  bool wrap(Q& q_E) const { return wrapped(model_, q_E); }

  void commit(State<Model>& state, const Time<Real>& time_E, const Q& q_E, const Q& u_E, const P_joints& P_B) {
    clear_contacts(state);
    policy_.store(state);
    if (two && (Flow::branchless || active_ > 1)) store(b_, state);
    if (contacts > 0 && (Flow::branchless || active_ > 0)) store(a_, state);
    commit_motion(state, time_E, q_E, u_E, P_B);
  }

 protected:
  void commit_motion(State<Model>& state, const Time<Real>& time_E, const Q& q_E, const Q& u_E, const P_joints& P_B) {
    for_each_index<contacts>([&](auto i) { stored_gap_M_.coeffRef(i) = gap_M_.coeff(i); });
    store_motion(time_E, q_E, u_E, P_B, state);
    report_.active = report_.iterations = active_;
    report_.residual = verdict_.residual;
    report_.relative = verdict_.relative;
  }

  struct Slot {
    int id = 0;
    ClosedContact<Model> contact;
    ContactResult<Real> result;
  };

  // Returns true if the step ends here. Branchless continues to the end of the step, where sound() returns false.
  bool reject(Condition bad) {
    rejected_ = rejected_ || bad;
    return Flow::may_exit(rejected_);
  }

  // Computes contact k of the step, the contact of the lowest set bit of `bits`. Returns true if a law parameter is out
  // of range or w_N is 0. If no bit is set, Branchless evaluates a substitute contact with c = 0 and returns false.
  template <class End>
  Condition close(const Evaluation<Model>& at, const End& end, const Mass& mass, unsigned bits, Condition absent,
                  const Q& u_A, const Q& u_free, Slot& slot, int k) {
    if constexpr (Flow::branchless) {
      constexpr unsigned last = 1u << (contacts - 1);  // replaces an absent contact
      slot.id = contacts == 1 ? 0 : cpu::count_trailing_zeros(bits | last);
      PlanarContact<Real>& p = slot.contact.planar;
      Mask rejected;
      if constexpr (tables_contacts<Model>) {
        rejected = {from_table(k, u_A, u_free, slot)};
      } else if constexpr (stores_rows<Model, Flow>) {
        const StoredContact<Model>& row = work_.rows[slot.id];
        rejected = {close_contact<Branchless, -1>(model_, slot.id, row.directions, row.law, mass, policy_,
                                                  row.numbered(k), u_A, u_free, slot.contact)};
      } else {
        const auto d = at.directions(slot.id);
        const auto instant = contact_instant<Flow>(policy_, k, at, end, slot.id, d);
        rejected = {close_contact<Branchless, -1>(model_, slot.id, d, model_.law(slot.id), mass, policy_, instant, u_A,
                                                  u_free, slot.contact)};
      }
      // if (absent) c = 0;
      Branchless::assign_if(absent, p.c_N, Real(0), p.c_T, Real(0));
      return rejected && !absent;
    } else if constexpr (tables_contacts<Model>) {
      slot.id = cpu::count_trailing_zeros(bits);
      return from_table(k, u_A, u_free, slot) < 0;
    } else {
      Directions<Real, T::dof, T::tangents> d;
      ContactLaw<Real> law;
      ContactInstant<Model> instant;
      for_the_lowest_bit<Model>(bits, [&](auto i) {
        slot.id = i;
        d = at.directions(i);
        law = model_.law(i);
        instant = contact_instant<Flow>(policy_, k, at, end, i, d);
      });
      return close_contact<Flow, -1>(model_, slot.id, d, law, mass, policy_, instant, u_A, u_free, slot.contact) < 0;
    }
  }
  // Computes a contact from the contact table. Returns a negative number if a law parameter is out of range or w_N = 0.
  std::int32_t from_table(int k, const Q& u_A, const Q& u_free, Slot& slot) {
    const ContactLaw<Real> law = work_.rows[slot.id].load(slot.contact);
    (void)set_velocities<Flow, -1>(model_, slot.id, law, policy_, ContactInstant<Model>{}.numbered(k), u_A, u_free,
                                   slot.contact);
    return not_positive(slot.contact.planar.NN);
  }
  // Returns the result of close() for the only closed contact. With Branching, its index is a compile-time constant.
  template <class End>
  Condition close_one(const Evaluation<Model>& at, const End& end, const Mass& mass, Condition absent, const Q& u_A,
                      const Q& u_free) {
    if constexpr (Flow::branchless || tables_contacts<Model> || evaluates_by_index<Model>) {
      return close(at, end, mass, closed_, absent, u_A, u_free, a_, 0);
    } else {
      std::int32_t illegal = -1;
      for_the_bit<contacts>(closed_, [&](auto i) {
        a_.id = i;
        const auto d = at.directions(i);
        illegal = close_contact<Flow, i>(model_, i, d, model_.law(i), mass, policy_,
                                         contact_instant<Flow>(policy_, 0, at, end, i, d), u_A, u_free, a_.contact);
      });
      return illegal < 0;
    }
  }

  // Computes the shift of q_E due to impacts (contact/impact_instants.hpp) and the data for the next step.
  void finish(Condition none, Condition single, const Q& u_E) {
    const auto carries = [&](int k) {
      return k == 0 ? !none && Flow::positive(a_.result.P_N) : !single && Flow::positive(b_.result.P_N);
    };
    policy_.finish(Pair{*this, Flow::branchless ? 1 + two : active_}, carries, policy_.free_velocity(), u_E);
  }
  struct Pair {
    const DirectContacts& all;
    int k;
    int id(int i) const { return slot(i).id; }
    const Slot& slot(int i) const { return i == 0 ? all.a_ : all.b_; }
  };

  // Calls add for the rows of a contact, see push() of commit.hpp.
  template <class Entries = AllEntries, class Add>
  static void add_columns(const Slot& slot, const Add& add) {
    add(slot.result.P_N, slot.contact.z_N, Entries{});
    if constexpr (T::tangents == 1) add(slot.result.P_T, slot.contact.z_T, Entries{});
  }

  // Stores percussions and sigma of a contact.
  static void store(const Slot& slot, State<Model>& state) {
    state.P_N.coeffRef(slot.id) = slot.result.P_N;
    if constexpr (T::tangents == 1) state.P_T.coeffRef(0, slot.id) = slot.result.P_T;
    state.sigma_N[std::size_t(slot.id)] = slot.result.sigma_N;
    state.sigma_T[std::size_t(slot.id)] = slot.result.sigma_T;
  }

  const Model& model_;
  const Judge<Real>& judge_;
  DirectWorkspace<Model, Flow>& work_;
  typename Mass::Storage& storage_;
  const bool& ready_;
  const State<Model>& state_;
  Gaps& stored_gap_M_;
  StepReport<Real>& report_;
  ContactPolicy<Flow, Model> policy_;
  Gaps gap_M_;
  unsigned closed_ = 0;  // bit i: contact i is closed
  int active_ = 0;       // number of closed contacts, at most two
  Slot a_, b_;
  QuickVerdict<Flow, Real> verdict_;
  Condition rejected_ = Flow::condition(false);
  Real probe_;  // sum of the values that can be non-finite although q_E is finite
};

}  // namespace detail
}  // namespace moreau
