// Fast path for several closed planar contacts and friction elements: nested elimination (midpoint.hpp,
// solve/nested_solution.hpp). It extends DirectContacts to more than two slots, each of which stores one closed
// contact.
//
//   closed_at_once >= contacts   slot i is contact i, with couplings known at compile time (law_couplings.hpp)
//   otherwise                    the closed contacts, selected by index as in DirectContacts; all are coupled
//
// Friction elements are laws of the problem in every step. Their directions and bounds need not be constant.
//
// With Branching, absent contacts are skipped. With Branchless, an absent contact has c = 0 and no couplings, so its
// percussion is 0 and the instruction count is constant. The results of both are bit-identical.
//
// A step is rejected for the same reasons as in DirectContacts. With three or more slots, the position correction
// covers all contacts of the model.
#pragma once

#include "moreau/contact/law_couplings.hpp"
#include "moreau/contact/position_correction_nested.hpp"
#include "moreau/solve/nested_solution.hpp"
#include "moreau/step/direct_contacts.hpp"

namespace moreau {
namespace detail {

// Closed contacts and friction elements with their direct solution.
template <class Model, class Flow>
class NestedContacts : public DirectContacts<Model, Flow> {
  using Base = DirectContacts<Model, Flow>;
  using Base::active_, Base::at_instants, Base::closed_, Base::judge_, Base::model_, Base::policy_, Base::probe_,
      Base::report_, Base::verdict_;

 public:
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Mass = typename Base::Mass;
  using P_joints = typename Base::P_joints;
  using Condition = typename Flow::Condition;
  static constexpr int elements = T::frictions;
  static constexpr int slots = T::contacts < closed_at_once<Model> ? T::contacts : closed_at_once<Model>;
  static constexpr bool fixed = has_fixed_slots<Model>;
  using Laws = std::conditional_t<fixed, ModelLaws<Model>, CoupledLaws<elements, slots, true>>;

  using Base::Base;

  bool solve(const Evaluation<Model>& at, const Mass& mass, const State<Model>& state, const Q&, Real dt, Q& u_E,
             P_joints& P_B) {
    // Count closed contacts.
    active_ = 0;
    for_each_index<T::contacts>([&](auto i) { active_ += int(closed_ >> i & 1u); });
    if (elements == 0 && Flow::may_exit(Flow::condition(closed_ == 0))) return policy_.clear(), true;
    if (this->reject(Flow::condition(active_ > slots))) return false;

    // Set contact problem.
    const auto end = policy_.end_of_step(model_, u_E);
    if (this->reject(close_contacts(at, end, mass, state.u, u_E) || set_elements(at, end, mass, u_E, dt))) return false;
    couple();

    // Solve for percussions.
    verdict_ = solve_nested<Flow, Laws::count>(problem_, judge_, results_);
    push<Flow>(u_E, [&](const auto& add) {
      for_each_slot([&](auto s) {
        slot_[s].result = results_.contact[s];
        Base::template add_columns<Moved<s>>(slot_[s], add);
      });
      for_each_index<elements>([&](auto j) { add(results_.P[j], element_[j].z, AllEntries{}); });
    });

    // Accept or reject.
    if (this->reject(verdict_.template rejected<first_row<Laws>(Laws::count)>(judge_))) return false;
    for_each_slot([&](auto s) { add_joint_percussions(slot_[s].contact, slot_[s].result, P_B); });
    if constexpr (T::bilaterals > 0)
      for_each_index<elements>([&](auto j) { add_scaled(P_B, results_.P[j], element_[j].P_B); });
    if constexpr (at_instants) finish(u_E);
    return true;
  }

  bool correct_positions(const Evaluation<Model>&, const Mass& mass, const Time<Real>& time_E, Q& q_E) {
    policy_.move(q_E);
    if constexpr (corrects_positions<Model>) {
      unsigned carried = 0;
      for_each_slot([&](auto s) { carried |= carries<Flow>(slot_[s].result, slot_[s].id); });
      return !this->reject(correct_joints_and_contacts(mass, time_E, carried, q_E));
    }
    return true;
  }

  void commit(State<Model>& state, const Time<Real>& time_E, const Q& q_E, const Q& u_E, const P_joints& P_B) {
    clear_contacts(state);
    policy_.store(state);
    // With Branchless, a slot without a closed contact has the index of a substitute contact. It is stored first, so
    // that the closed contact with this index overwrites it.
    for_each_index<slots>([&](auto k) {
      constexpr int s = slots - 1 - k;
      if (Flow::branchless || Flow::may_exit(present(s))) Base::store(slot_[s], state);
    });
    for_each_index<elements>([&](auto j) {
      state.P_F.coeffRef(0, j) = results_.P[j];
      state.sigma_F[std::size_t(j)] = results_.sigma_T[j];
    });
    this->commit_motion(state, time_E, q_E, u_E, P_B);
  }

 private:
  using Slot = typename Base::Slot;
  // Direction, response and joint percussions of a friction element.
  struct Element {
    Q w, z;
    P_joints P_B;
  };

  static constexpr int row(int s) { return first_row<Laws>(elements + s); }
  // Index of the contact in slot s if it is a compile-time constant, otherwise -1.
  template <int s>
  static constexpr int of = fixed ? s : -1;
  // Coordinates that a percussion in slot s can change.
  template <int s>
  struct Moved {
    static constexpr bool entry(int j) { return !fixed || ContactCouplings<Model>::moves(s, j); }
  };
  // Returns true if slot s contains a closed contact.
  template <class S>
  Condition present(S s) const {
    return fixed ? nth_bit<Flow>(closed_, s) : Flow::condition(s < active_);
  }
  // Calls f(s) for all slots; with Branching, for those with a closed contact.
  template <class F>
  void for_each_slot(const F& f) {
    for_each_index<slots>([&](auto s) {
      if (!Flow::may_exit(!present(s))) f(s);
    });
  }

  // Sets the contacts of all slots. Returns true if a law parameter is out of range or w_N = 0.
  template <class End>
  Condition close_contacts(const Evaluation<Model>& at, const End& end, const Mass& mass, const Q& u_A,
                           const Q& u_free) {
    Condition illegal = Flow::condition(false);
    unsigned left = closed_;
    problem_.present = (1u << elements) - 1;
    if constexpr (slots > 0)  // a model without contacts has no law()
      for_each_index<slots>([&](auto s) {
        PlanarContact<Real>& p = slot_[s].contact.planar;
        const Condition here = present(s);
        if (Flow::may_exit(!here)) {
          p.c_N = p.c_T = p.NN = p.NT = p.TN = p.TT = p.mu = Real(0);
          return;
        }
        Condition bad;
        if constexpr (fixed && !tables_contacts<Model>) {
          slot_[s].id = s;
          const auto d = at.directions(s);
          const auto instant = contact_instant<Flow>(policy_, s, at, end, s, d);
          bad = Flow::condition(Mask{close_contact<Flow, s>(model_, s, d, model_.law(s), mass, policy_, instant, u_A,
                                                            u_free, slot_[s].contact)});
          Flow::assign_if(!here, p.c_N, Real(0), p.c_T, Real(0));
        } else {
          const unsigned bits = fixed ? 1u << s : left;
          bad = this->close(at, end, mass, bits, !here, u_A, u_free, slot_[s], s);
          left &= left - 1;
        }
        illegal = illegal || (bad && here);
        problem_.present |= 1u << (elements + s);
      });
    return illegal;
  }

  // Sets the friction elements. Returns true if a bound is out of range.
  template <class End>
  Condition set_elements(const Evaluation<Model>& at, [[maybe_unused]] const End& end, const Mass& mass,
                         const Q& u_free, Real dt) {
    Condition illegal = Flow::condition(false);
    for_each_index<elements>([&](auto j) {
      const auto d = at.friction_directions(j);
      Element& e = element_[j];
      e.w = d.w.col(0);
      e.z = mass.constrained_change(e.w, e.P_B);
      const Real gamma = dot(e.w, u_free) + component(d.zeta, 0);
      Real c = gamma, least = Real(0);
      if constexpr (at_instants) policy_.set_friction(at, end, j, d, [&](int) -> Real& { return c; });
      if constexpr (can_prescribe_sliding<Model>) {
        const PrescribedRow<Flow, Real> prescribed(AllEntries{}, mass, e.P_B, dot(e.w, e.z), gamma);
        const Real factor = select_or_zero<Flow>(prescribed.slides, Real(1));
        e.w *= factor;
        e.z *= factor;
        c = factor * select<Flow>(prescribed.holds, prescribed.velocity, c);
        least = factor * prescribed.least;
      }
      const Real bound = at.friction_bound(j);
      problem_.A[j][j] = Flow::larger(dot(e.w, e.z), least);
      problem_.b[j] = c;
      problem_.limit[j] = Branchless::select_if_less(Real(0), problem_.A[j][j], bound * dt, Real(0));
      probe_ += c;
      illegal = illegal || !in_range<Flow>(bound, std::numeric_limits<Real>::max());
    });
    return illegal;
  }

  // Copies the contacts to the contact problem and sets all couplings. if (absent) coupling = 0;
  void couple() {
    for_each_index<elements>([&](auto j) {
      for_each_index<elements>([&](auto i) {
        if (i < j) set(i, j, dot(element_[i].w, element_[j].z));
      });
    });
    for_each_index<slots>([&](auto s) {
      constexpr int N = row(s), T_ = N + 1;
      const PlanarContact<Real>& p = slot_[s].contact.planar;
      problem_.A[N][N] = p.NN;
      set(N, T_, p.NT);
      problem_.A[T_][T_] = p.TT;
      problem_.b[N] = p.c_N;
      problem_.b[T_] = p.c_T;
      problem_.limit[elements + s] = p.mu;
      probe_ += p.c_N + p.c_T;
      for_each_index<elements>([&](auto j) {
        Real x_N = Real(0), x_T = Real(0);
        if (!Flow::may_exit(!present(s))) {
          x_N = sparse_dot<DirectionPattern<Model, of<s>, 0>>(slot_[s].contact.w_N, element_[j].z);
          if (T::tangents == 1)
            x_T = sparse_dot<DirectionPattern<Model, of<s>, 1>>(slot_[s].contact.w_T, element_[j].z);
          Flow::assign_if(!present(s), x_N, Real(0), x_T, Real(0));
        }
        set(j, N, x_N);
        set(j, T_, x_T);
      });
      for_each_index<s>([&](auto r) {
        if constexpr (Laws::coupled(Laws::count, elements + r, elements + s)) {
          constexpr int M = row(r);
          Coupling<Real> x{Real(0), Real(0), Real(0), Real(0)};
          const Condition both = present(s) && present(r);
          if (!Flow::may_exit(!both)) {
            x = coupling<Model, of<s>>(slot_[s].contact, slot_[r].contact);
            Flow::assign_if(!both, x.NN, Real(0), x.NT, Real(0));
            Flow::assign_if(!both, x.TN, Real(0), x.TT, Real(0));
          }
          set(N, M, x.NN);
          set(N, M + 1, x.NT);
          set(T_, M, x.TN);
          set(T_, M + 1, x.TT);
        }
      });
    });
  }
  // Computes the shift of q_E due to impacts (contact/impact_instants.hpp) and the data for the next step.
  void finish(const Q& u_E) {
    const auto carries = [&](int k) { return present(k) && Flow::positive(slot_[k].result.P_N); };
    policy_.finish(Slots{slot_, fixed || Flow::branchless ? slots : active_}, carries, policy_.free_velocity(), u_E);
  }
  struct Slots {
    const Slot* of;
    int k;
    int id(int i) const { return of[i].id; }
  };

  // Corrects ideal joints and contacts. Returns true if ActiveContacts must repeat the step.
  Condition correct_joints_and_contacts(const Mass& mass, const Time<Real>& time_E, unsigned carried, Q& q_E) const {
    if constexpr (slots <= 2) {
      return correct_pair_positions<Flow>(model_, time_E, mass, carried, policy_, this->gap_M_, q_E);
    } else {
      Condition incomplete = Flow::condition(false);
      correction_rounds(
          model_, reduced(model_, time_E), mass,
          [&]([[maybe_unused]] const Evaluation<Model>& at, [[maybe_unused]] Q& q) {
            if (Flow::may_exit(Flow::condition(carried == 0))) return;
            if constexpr (corrects_contacts<Model>) {
              NestedPositionCorrection<Flow, Model, ContactPolicy<Flow, Model>> correction;
              incomplete = correction.correct(model_, at, mass, carried, policy_, this->gap_M_, q);
            }
          },
          q_E);
      return incomplete;
    }
  }

  void set(int r, int s, Real x) { problem_.A[r][s] = problem_.A[s][r] = x; }

  Slot slot_[slots + 1];
  Element element_[elements + 1];
  LawProblem<Real, Laws> problem_;
  LawResults<Real, Laws> results_;
};

}  // namespace detail
}  // namespace moreau
