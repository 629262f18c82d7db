// The contacts of a planar model of which one or two are closed (midpoint.hpp): closed forms (solve/closed_forms.hpp), everything
// in registers, at the cost of a step written by hand for the one mechanism.
//
//   Branching   as fast as the contacts allow
//   Branchless   in constant time, whatever the two do: gaps, directions and laws of all contacts are evaluated, at most two
//            closed ones are picked by index, every candidate answer is computed.
//
// Both do the same operations, so the same bits. What a step is not sure of - a law out of range, a residual that is not
// plainly ok, more contacts, numbers that are not finite - it leaves untouched: the general step names it.
#pragma once

#include "moreau/contact/contact_table.hpp"
#include "moreau/contact/position_correction.hpp"
#include "moreau/solve/closed_forms.hpp"
#include "moreau/step/commit.hpp"
#include "moreau/step/midpoint.hpp"

namespace moreau {
namespace detail {

template <class Model>
constexpr bool has_few_contacts = (Traits<Model>::tangents < 2 && Traits<Model>::frictions == 0 &&
                                   Traits<Model>::bilaterals <= written_out_rows && Traits<Model>::contacts <= 8 &&
                                   Traits<Model>::dof <= unroll_limit);

struct Nothing {};

// In constant time a model may be asked only for constant indices of contacts, unless it says otherwise.
template <class Model, class Flow>
constexpr bool stores_rows = Flow::branchless && !uniform_contacts<Model> && !tables_contacts<Model>;

// What such a step keeps in the stepper. (How far contacts stand off, too: on the stack its computed index would keep all of
// DirectContacts there, +350 instructions on a Cortex-M4F, GCC 12.)
template <class Model, class Flow>
struct DirectWorkspace : StandOff<Model> {
  using Real = typename Traits<Model>::Real;
  std::conditional_t<(Traits<Model>::bilaterals > 0), Nothing, FewMass<Model>> mass;
  using Stored =
      std::conditional_t<stores_rows<Model, Flow>, StoredContact<Model>[Traits<Model>::contacts + 1], Nothing>;
  std::conditional_t<tables_contacts<Model>, ContactTable<Model>, Stored> rows;

  // What a constant mass is kept as. False where there is no such mass.
  MOREAU_COLD MOREAU_NOINLINE MOREAU_FLATTEN bool keep(const Model& model, const State<Model>& state) {
    const Real t = reduced(model, state.time());
    if constexpr (tables_contacts<Model>)
      return rows.fill(model, state.q, t, mass);
    else
      return mass.factor(Evaluation<Model>(model, state.q, t).mass());
  }
};

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
  static constexpr bool two = closed_at_once<Model> == 2;

  template <class Home>
  DirectContacts(Home& home, StepReport<Real>& report)
      : model_(home.model),
        judge_(home.judge),
        work_(home.few_),
        storage_(home.mass()),
        ready_(home.ready_),
        state_(home.state),
        gap_out_(home.gap_M_),
        before_(home.state),
        report_(report) {}

  bool ready(Real dt) {
    if constexpr (tables_contacts<Model>)
      if (!work_.rows.is_of(model_)) {
        if (Flow::branchless) ++report_.fallbacks;
        if (!work_.keep(model_, state_)) return false;
      }
    return ready_ && positive_and_normal(dt);
  }

  Time<Real> counted(const Time<Real>& time, Real dt) {
    const Time<Real> counted = counted_in<Flow>(time, dt);
    probe_ = counted.t0;
    return counted;
  }

  static Evaluation<Model> at(const Model& model, const Q& q, Real t) { return {model, q, t}; }
  bool find(const Evaluation<Model>& at) {
    using Sign =
        std::conditional_t<cpu::has_conditional_move<Real>, Branchless, Flow>;  // an FPU subtracts, cheaper than a jump
    unsigned open = 0;
    for_each_index<contacts>([&](auto i) {
      const Real g = at.gap(i);
      gap_M_.coeffRef(i) = g;
      probe_ += g;
      work_.set(model_, i, g);
      open |= Sign::as_bit(Sign::positive(g)) << i;
      if constexpr (stores_rows<Model, Flow>) work_.rows[i].set(at.directions(i), model_.law(i));
    });
    closed_ = (((1u << contacts) - 1) & ~open) | before_.bits;
    if constexpr (T::bilaterals > 0)  // before anything is spent on them
      if (Flow::may_exit(Flow::condition(more_than_two(closed_)))) return false;
    return true;
  }

  Mass mass(const Evaluation<Model>& at, const Q& u_A, Real half) { return Mass(storage_, at, u_A, half); }
  bool positive(const Mass& mass, const Evaluation<Model>&) {
    refused_ = !Flow::condition(mass.positive());
    if constexpr (!T::constant_mass && T::bilaterals == 0) probe_ += mass.pivots();
    if (Flow::branchless && mass.renewed()) ++report_.fallbacks;
    return !Flow::may_exit(refused_);
  }
  static Q force(const Evaluation<Model>& at, const Mass&, const Q& u_A, Real) { return at.force(u_A); }

  bool solve(const Evaluation<Model>& at, const Mass& mass, const State<Model>& state, Real dt, Q& u_E, P_joints& P_B) {
    if constexpr (contacts > 0) {
      const Condition none = Flow::condition(closed_ == 0);
      if (Flow::may_exit(none)) return true;
      const Before<Model> before = before_step<Flow>(state, dt, work_);
      const unsigned rest = closed_ & (closed_ - 1);
      const Condition single = Flow::condition(rest == 0);
      active_ = int(closed_ != 0) + int(rest != 0);
      if (refuse(Flow::condition((two ? rest & (rest - 1) : rest) != 0))) return false;
      if (!two || Flow::may_exit(single)) {
        if (refuse(close_one(at, mass, none, before, u_E))) return false;
        probe_ += a_.contact.planar.c_N + a_.contact.planar.c_T;
        verdict_ = solve_one<Flow>(a_.contact.planar, judge_, a_.result);
        push<Flow>(u_E, [&](const auto& add) { add_columns(a_, add); });
      } else if constexpr (two) {
        if (refuse(close(at, mass, closed_, none, before, u_E, a_) || close(at, mass, rest, single, before, u_E, b_)))
          return false;
        const PlanarContact<Real>&p = b_.contact.planar, &q = a_.contact.planar;
        probe_ += (p.c_N + p.c_T) + (q.c_N + q.c_T);
        Coupling<Real> x = coupling<Model>(b_.contact, a_.contact);
        if constexpr (Flow::branchless) {
          Branchless::assign_if(single, x.NN, Real(0), x.NT, Real(0));
          Branchless::assign_if(single, x.TN, Real(0), x.TT, Real(0));
        }
        verdict_ = solve_two<Flow>(p, q, x, judge_, b_.result, a_.result);
        push<Flow>(u_E, [&](const auto& add) {
          add_columns(a_, add);
          add_columns(b_, add);
        });
        add_held(b_.contact, b_.result, P_B);
        remember(b_, !single, u_E);
      }
      if (refuse(verdict_.refused(judge_))) return false;
      add_held(a_.contact, a_.result, P_B);
      remember(a_, !none, u_E);
    }
    return true;
  }

  bool correct_positions(const Mass& mass, const Time<Real>& time_E, Q& q_E) {
    if constexpr (puts_back<Model>) {
      unsigned carried = 0;
      if (Flow::branchless || active_ > 0) carried = carries<Flow>(a_.result, a_.id);
      if (two && (Flow::branchless || active_ > 1)) carried |= carries<Flow>(b_.result, b_.id);
      if (refuse(correct_position_pair<Flow>(model_, time_E, mass, carried, carried & before_.bits, gap_M_, q_E)))
        return false;
    }
    return true;
  }

  // Everything is finite: one sum of all numbers. (q_E has u_E in it.)
  bool sound(const Time<Real>&, const Q& q_E, const Q&) {
    Real sum = probe_;
    for_each_index<T::dof>([&](auto j) { sum += q_E.coeff(j); });
    return (!Flow::branchless || !Flow::declassify(refused_)) && sum - sum == Real(0);
  }

  void commit(State<Model>& state, const Time<Real>& time_E, const Q& q_E, const Q& u_E, const P_joints& P_B) {
    for_each_index<contacts>([&](auto i) { gap_out_.coeffRef(i) = gap_M_.coeff(i); });
    clear_contacts(state);
    if (two && (Flow::branchless || active_ > 1)) store(b_, state);
    if (contacts > 0 && (Flow::branchless || active_ > 0)) store(a_, state);
    if constexpr (has_persistent_contacts<Model>) state.known[0] = closed_;
    state.q = q_E;
    state.u = u_E;
    state.clock.t0 = time_E.t0;  // all of it at once would go through the stack
    state.clock.dt = time_E.dt;
    state.clock.n = time_E.n;
    for_each_index<T::bilaterals>([&](auto j) { state.P_B.coeffRef(j) = P_B.coeff(j) + Real(0); });  // no -0
    report_.active = report_.iterations = active_;
    report_.residual = verdict_.residual;
    report_.relative = verdict_.relative;
  }

 private:
  struct Slot {
    int id = 0;
    ClosedContact<Model> contact;
    ContactResult<Real> result;
  };

  // True: the step ends here. Without jumps it goes on to its end, where sound() refuses it.
  bool refuse(Condition bad) {
    refused_ = refused_ || bad;
    return Flow::may_exit(refused_);
  }

  // The contact of the lowest bit into a slot. True where its law is illegal or it has no normal direction.
  Condition close(const Evaluation<Model>& at, const Mass& mass, unsigned bits, Condition absent,
                  const Before<Model>& before, const Q& u_free, Slot& slot) {
    if constexpr (Flow::branchless) {
      constexpr unsigned last = 1u << (contacts - 1);  // what is not there is another one, opened
      slot.id = cpu::count_trailing_zeros(bits | last);
      PlanarContact<Real>& p = slot.contact.planar;
      Mask refused;
      if constexpr (tables_contacts<Model>) {
        refused = {from_table(before, u_free, slot)};
      } else if constexpr (stores_rows<Model, Flow>) {
        const StoredContact<Model>& row = work_.rows[slot.id];
        refused = {close_contact<Branchless, -1>(model_, slot.id, row.directions, row.law, mass, before, u_free,
                                                 slot.contact)};
      } else {
        refused = {close_contact<Branchless, -1>(model_, slot.id, at.directions(slot.id), model_.law(slot.id), mass,
                                                 before, u_free, slot.contact)};
      }
      Branchless::assign_if(absent, p.c_N, Real(0), p.c_T, Real(0));
      return refused && !absent;
    } else if constexpr (tables_contacts<Model>) {
      slot.id = cpu::count_trailing_zeros(bits);
      return from_table(before, u_free, slot) < 0;
    } else {
      Directions<Real, T::dof, T::tangents> d;
      ContactLaw<Real> law;
      for_the_bit<contacts>(bits & (0u - bits), [&](auto i) {
        slot.id = i;
        d = at.directions(i);
        law = model_.law(i);
      });
      return close_contact<Flow, -1>(model_, slot.id, d, law, mass, before, u_free, slot.contact) < 0;
    }
  }
  std::int32_t from_table(const Before<Model>& before, const Q& u_free, Slot& slot) {
    const ContactLaw<Real> law = work_.rows[slot.id].load(slot.contact);
    (void)set_velocities<Flow, -1>(slot.id, law, before, u_free, slot.contact);
    return not_positive(slot.contact.planar.NN);
  }
  // The same for the only one: where Branching has jumped to it, its index is a constant, its zeros are not multiplied.
  Condition close_one(const Evaluation<Model>& at, const Mass& mass, Condition absent, const Before<Model>& before,
                      const Q& u_free) {
    if constexpr (Flow::branchless || tables_contacts<Model>) {
      return close(at, mass, closed_, absent, before, u_free, a_);
    } else {
      std::int32_t illegal = -1;
      for_the_bit<contacts>(closed_, [&](auto i) {
        a_.id = i;
        illegal = close_contact<Flow, i>(model_, i, at.directions(i), model_.law(i), mass, before, u_free, a_.contact);
      });
      return illegal < 0;
    }
  }

  template <class Add>
  static void add_columns(const Slot& slot, const Add& add) {
    add(slot.result.P_N, slot.contact.z_N);
    if constexpr (T::tangents == 1) add(slot.result.P_T, slot.contact.z_T);
  }

  // gamma_E for the next step; 0 where there is no contact.
  static void remember([[maybe_unused]] Slot& slot, [[maybe_unused]] Condition there, [[maybe_unused]] const Q& u_E) {
    if constexpr (has_persistent_contacts<Model>) {
      Turned<Model>& turned = slot.contact.turned;
      turned.gamma_E += sparse_dot<DirectionPattern<Model, -1, 0>>(slot.contact.w_N, u_E);
      Flow::assign_if(!there, turned.gamma_E, Real(0), turned.rho, Real(0));
    }
  }

  static void store(const Slot& slot, State<Model>& state) {
    state.P_N.coeffRef(slot.id) = slot.result.P_N;
    if constexpr (T::tangents == 1) state.P_T.coeffRef(0, slot.id) = slot.result.P_T;
    state.sigma_N[std::size_t(slot.id)] = slot.result.sigma_N;
    state.sigma_T[std::size_t(slot.id)] = slot.result.sigma_T;
    if constexpr (has_persistent_contacts<Model>) {
      state.gamma_E.coeffRef(slot.id) = slot.contact.turned.gamma_E;
      state.rho.coeffRef(slot.id) = slot.contact.turned.rho;
    }
  }

  const Model& model_;
  const Judge<Real>& judge_;
  DirectWorkspace<Model, Flow>& work_;
  typename Mass::Storage& storage_;
  const bool& ready_;
  const State<Model>& state_;
  Gaps& gap_out_;
  const Carriers<Flow, Model> before_;
  StepReport<Real>& report_;

  Gaps gap_M_;
  unsigned closed_ = 0;  // bit i: contact i
  int active_ = 0;
  Slot a_, b_;
  QuickVerdict<Flow, Real> verdict_;
  Condition refused_ = Flow::condition(false);
  Real probe_;  // finite, if all is that q_E need not show
};

}  // namespace detail
}  // namespace moreau
