// The step of a planar model with at most two closed contacts, by closed forms and in registers: what the general step
// (step.hpp) computes, at the cost of a step written by hand for the one mechanism.
//
// It only says yes: a step it is not sure of - a contact law out of range, a residual that is not plainly ok, more
// contacts, numbers that are not finite - it leaves untouched, and the general step takes over and says what is the
// matter.
#pragma once

#include "moreau/contact/closed_contact.hpp"
#include "moreau/contact/push_pair.hpp"
#include "moreau/contact/quick_judge.hpp"
#include "moreau/model/model_time.hpp"
#include "moreau/step/report.hpp"

namespace moreau {

template <class Model>
constexpr bool has_direct_step =
    Traits<Model>::tangents < 2 && Traits<Model>::frictions == 0 &&
    Traits<Model>::bilaterals <= written_out_rows&& Traits<Model>::contacts <= 8 && Traits<Model>::dof <= unroll_limit;

template <class Model>
struct DirectWorkspace {
  struct Nothing {};
  typename StepMass<Model>::Kept mass;
  std::conditional_t<(closed_at_once<Model> > 1), StickingPair<typename Model::Real, Traits<Model>::dof>, Nothing> pair;
  bool ready = false;  // options checked, constant mass factored
};

namespace detail {

template <class Real>
[[gnu::always_inline]] inline bool positive_and_finite(Real x) {
  return to_bits(x) - 1 < infinity_bits<Real> - 1;
}

}  // namespace detail

template <class Model>
class DirectStep {
 public:
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  static constexpr int contacts = T::contacts;
  using Workspace = DirectWorkspace<Model>;

  // False: nothing done.
  template <class Parts>
  [[gnu::flatten]] static bool run(Parts& s, Real dt, StepReport<Real>& report) {
    const Model& model = s.model;
    State<Model>& state = s.state;
    if (!s.direct_.ready || !detail::positive_and_finite(dt)) return false;

    const Real half = dt * Real(0.5);
    const Q& u_A = state.u;
    const Q q_M = state.q + half * u_A;
    const Evaluation<Model> at(model, q_M, model_time(model, state.time.counted_in(dt)));
    Vector<Real, contacts> gap;
    unsigned closed = 0;
    for_each_index<contacts>([&](auto i) {
      gap.coeffRef(i) = at.gap(i);
      if (gap.coeff(i) <= Real(0)) closed |= 1u << i;
    });
    if constexpr (T::bilaterals > 0)  // before anything is spent on them
      if (detail::more_than_two(closed)) return false;
    const StepMass<Model> mass(s.mass(), at, u_A, half);
    if (!mass.positive()) return false;
    Q u_E = u_A + mass.free(Q(at.force(u_A) * dt));
    auto P_B = mass.hold(u_E);
    unsigned carried = 0;  // contacts with a percussion

    Slot a, b;
    QuickVerdict<Real> verdict;
    Real probe = state.time.t0 + state.time.dt;  // finite, if everything is that u_E does not show
    int active = 0;
    if constexpr (contacts > 0)
      if (closed != 0) {
        const unsigned first = closed & (0u - closed), second = closed ^ first;
        if (second == 0) {
          std::int32_t illegal = -1;
          detail::for_the_bit<contacts>(first, [&](auto i) {
            a.id = i;
            illegal = detail::close_contact<i>(model, i, at.directions(i), model.law(i), mass, u_A, u_E, a.contact);
          });
          if ((illegal | detail::not_positive(a.contact.planar.NN)) < 0) return false;
          if (!solve_one(a.contact.planar, Real(0), s.judge, a.result, verdict)) return false;
          kick(a.contact, a.result, u_E);
          settle(a, u_E);
          detail::add_held(a.contact, a.result, P_B);
          carried = carries(a.result, a.id);
          probe += a.contact.planar.c_N + a.contact.planar.c_T;
          active = 1;
        } else if constexpr (closed_at_once<Model> == 1) {
          return false;
        } else {
          if ((second & (second - 1)) != 0) return false;
          if (!fill(model, at, mass, first, u_A, u_E, a) || !fill(model, at, mass, second, u_A, u_E, b)) return false;
          const Coupling<Real> x = coupling<Model>(a.contact, b.contact);
          if (solve_two(a, b, x, s.judge, verdict) && verdict.ok) {
            clear_cancelled(u_E, kick(a.contact, b.contact, a.result, b.result, u_E));
          } else {  // one sticks
            auto& pair = s.direct_.pair;
            copy_pair(a.contact, b.contact, x, u_E, pair);
            if (!pair.solve(s.judge)) return false;
            u_E = pair.u_E;
            a.result = pair.a;
            b.result = pair.b;
            verdict = pair.verdict;
          }
          detail::add_held(a.contact, a.result, P_B);
          detail::add_held(b.contact, b.result, P_B);
          carried = carries(a.result, a.id) | carries(b.result, b.id);
          for (const Slot* c : {&a, &b}) probe += c->contact.planar.c_N + c->contact.planar.c_T;
          active = 2;
        }
        if (!verdict.ok) return false;
      }
    Q q_E = q_M + half * u_E;
    if constexpr (puts_back<Model>)
      if (put_back_pair<false>(model, state.time.counted_in(dt).next(), mass, carried, q_E) < 0) return false;
    Real sum = (probe + q_E.coeff(0)) + u_E.coeff(0);
    for_each_index<T::dof - 1>([&](auto j) { sum = (sum + q_E.coeff(j + 1)) + u_E.coeff(j + 1); });
    for_each_index<contacts>([&](auto i) { sum += gap.coeff(i); });
    if (!(sum - sum == Real(0))) return false;

    for_each_index<contacts>([&](auto i) { s.gaps().coeffRef(i) = gap.coeff(i); });
    for_each_index<contacts>([&](auto i) {
      state.P_N.coeffRef(i) = Real(0);
      if constexpr (T::tangents == 1) state.P_T.coeffRef(0, i) = Real(0);
    });
    for_each_index<contacts>([&](auto i) { state.sigma_N[std::size_t(i)] = state.sigma_T[std::size_t(i)] = 1; });
    if (active > 0) store(a, state);
    if (active > 1) store(b, state);
    state.q = q_E;
    state.u = u_E;
    for_each_index<T::bilaterals>([&](auto j) { state.P_B.coeffRef(j) = P_B.coeff(j) + Real(0); });  // no -0
    if (state.time.dt == dt)
      ++state.time.n;
    else
      state.time = state.time.counted_in(dt).next();
    report = StepReport<Real>{};
    report.active = report.iterations = active;
    report.residual = verdict.residual;
    report.relative = verdict.relative;
    return true;
  }

 private:
  struct Slot {
    int id;
    ClosedContact<Model> contact;
    ContactResult<Real> result;
  };

  static bool fill(const Model& model, const Evaluation<Model>& at, const StepMass<Model>& mass, unsigned bit,
                   const Q& u_A, const Q& u_free, Slot& slot) {
    Directions<Real, T::dof, T::tangents> d;
    ContactLaw<Real> law;
    detail::for_the_bit<contacts>(bit, [&](auto i) {
      slot.id = i;
      d = at.directions(i);
      law = model.law(i);
    });
    const std::int32_t illegal = detail::close_contact<-1>(model, slot.id, d, law, mass, u_A, u_free, slot.contact);
    return (illegal | detail::not_positive(slot.contact.planar.NN)) >= 0;
  }

  static void settle(const Slot& slot, Q& u_E) {
    const ClosedContact<Model>& c = slot.contact;
    if (slot.result.stick)
      detail::settle_row<DirectionPattern<Model, -1, 1>>(u_E, c.w_T, c.offset_T, c.z_T, c.planar.TT);
    if (slot.result.P_N > Real(0))
      detail::settle_row<DirectionPattern<Model, -1, 0>>(u_E, c.w_N, c.offset_N, c.z_N, c.planar.NN);
  }

  // Both slip, or one carries all and the other opens. False where that contradicts itself.
  static bool solve_two(Slot& a, Slot& b, const Coupling<Real>& x, const Judge<Real>& judge,
                        QuickVerdict<Real>& verdict) {
    const PlanarContact<Real>&p = a.contact.planar, &q = b.contact.planar;
    if (p.c_N >= Real(0) && q.c_N >= Real(0)) return true;
    const SlipAnswer<Real> s = slip_form(p, q, x);
    if (s.found) return slip_both(p, q, x, s, judge, a.result, b.result, verdict);
    if (s.second_opens)
      return solve_one(p, larger(absolute(q.c_N), absolute(q.c_T)), judge, a.result, verdict) &&
             (q.c_N + x.NN * a.result.P_N) + x.TN * a.result.P_T >= Real(0);
    return solve_one(q, larger(absolute(p.c_N), absolute(p.c_T)), judge, b.result, verdict) &&
           (p.c_N + x.NN * b.result.P_N) + x.NT * b.result.P_T >= Real(0);
  }

  static void store(const Slot& slot, State<Model>& state) {
    state.P_N.coeffRef(slot.id) = slot.result.P_N;
    if constexpr (T::tangents == 1) state.P_T.coeffRef(0, slot.id) = slot.result.P_T;
    state.sigma_N[std::size_t(slot.id)] = slot.result.sigma_N;
    state.sigma_T[std::size_t(slot.id)] = slot.result.sigma_T;
  }
};

}  // namespace moreau
