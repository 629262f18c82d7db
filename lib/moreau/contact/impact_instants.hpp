// Impacts at their instants within a step, for models that declare `second_order`.
//
//   du       (u_free - u_A) + du_held: the smooth part of u_E - u_A; du_held: u_E - u_free of the previous step, scaled
//            to dt, or 0 if that step contained an impact
//   h dt     dt h(u_M) + dt_last/2 (h(u_A) - h(u_A - du_last)) after a step of dt_last with an impact, du_last its
//            u_E - u_free; u_M is the predicted velocity of the midpoint (step/force.hpp)
//   delta    w_N^T du
//   tau      dt/2 (dw_N/dt^T u + dzeta/dt): rotation and acceleration of the surface from the midpoint to the end
//   r        g_M / (gamma_A dt), at most 1: the impact precedes the midpoint by r dt (predicted_gaps.hpp: or follows it)
//   gamma-   gamma_A + (1/2 - r) delta - 2 r tau,     gamma+ = eps max(0, -gamma-)
//
//   impact        closed in this step, gamma_A < 0, or struck
//   struck        at rest, gamma- < 0, gamma_free + tau < 0 (gamma_free = w_N^T u_free + zeta), and leaves, with
//                 r = 1/2 and delta - G_NN P_last in place of delta: a velocity jump, whose rebound outlasts this step
//                 even without P_last, the percussion of the previous step scaled to dt
//     leaves      gamma+ + (1/2 + r) (delta + 2 tau) > 0:   xi_N = gamma_E - (gamma+ + (1/2 + r) delta + 2 r tau)
//     rests       otherwise, the next flight ends in this step: xi_N = gamma_E + tau
//   all others    xi_N = gamma_E + tau + eps max(0, gamma_A), at rest without the last term
//
//   q_E      q_M + dt/2 u_E + s (u_E - u_A - du),     s = r dt of the earliest impact, or s that gives g_E = 0 if it
//            rests; without an impact s = 0
//
// In the papers a percussion acts at the midpoint and replaces the acceleration of its step. Each of these two
// simplifications causes an error of first order per impact. Correcting only one increases the error. All contacts
// share one shift of q: with one shift per contact, two coupled corners move a light slider through its guide.
// Without restitution of a contact that separates, the rebound of a coupled contact would gain energy: both would push.
//
// In the step of an impact, h is evaluated at a velocity before the impact. The second term of h dt supplies the change
// of h by the impact over half a step, because the percussion acts at q_M.
//
// A contact at rest stays closed until its percussion vanishes, without restitution unless it is struck: its gamma- is
// otherwise of second order. tau is dt/2 times the bias acceleration of the contact or, if the model lacks this
// function, (w(q_A + dt u_A) - w(q_M))^T u_A + zeta_E - zeta_M. Friction elements are treated alike. For a model with
// drift(), the free motion replaces q_A + dt u_A, and changes u_A (contact/free_velocities.hpp). With
// allowed_penetration(), a contact at rest whose gap exceeds dt (|gamma_A| + |tau|) and rounding has been moved by the
// user, or its surface has ended; the excess divided by dt is then added to xi. Without this function, no gap opens a
// contact at rest.
//
// The steps are of second order if M and the directions are constant and h is independent of u. Otherwise impacts leave
// a smaller error of first order, because M, the directions and h of the step are those of its midpoint.
//
// Departures from the papers: all of the above. Models without `second_order` and adaptive runs follow the papers.
#pragma once

#include "moreau/contact/contacts_by_gap.hpp"
#include "moreau/contact/free_velocities.hpp"
#include "moreau/contact/predicted_gaps.hpp"
#include "moreau/contact/previous_changes.hpp"
#include "moreau/math/cholesky.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/time.hpp"

namespace moreau {
namespace detail {

// Contacts of one step with impacts at their instants. ContactsByGap has the same interface.
template <class C, class Model>
class ImpactInstants : public FreeVelocities<Model> {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Condition = typename C::Condition;
  static constexpr bool stores_rounding =
      C::branchless && Contract<Model>::has_allowed_penetration && !uniform_contacts<Model>;
  template <int contact>
  using TangentPattern = std::conditional_t<T::tangents == 1, DirectionPattern<Model, contact, 1>, AllEntries>;

 public:
  using FreeVelocities<Model>::u_A;
  static constexpr bool at_instants = true;

  ImpactInstants(const State<Model>& last, MidpointGaps<Model>& midpoint)
      : FreeVelocities<Model>(last), last_(last), midpoint_(midpoint) {}

  // Returns true if contact i rested in the previous step; it is then closed at any gap.
  Condition carried(int i) const { return nth_bit<C>(last_.resting[std::size_t(i) / 32], i % 32); }
  // Returns true if contact i, open at the midpoint, closes before the end of the step (predicted_gaps.hpp).
  template <class I>
  Condition reaches(const Evaluation<Model>& at, I i, Real gap) const {
    return closes_before_end<C>(at, last_, i, gap, Real(0.5) * dt_);
  }
  template <class I>
  void set_gap([[maybe_unused]] const Model& model, I i, Real gap) {
    midpoint_.gap.coeffRef(i) = gap;
    if constexpr (stores_rounding)
      midpoint_.rounding.coeffRef(i) = Real(rounding_depths) * model.allowed_penetration(i);
  }
  void set_time(Real t_M) { t_M_ = t_M; }
  void begin(Real dt) {
    dt_ = dt;
    held_ = held_change<C>(last_, dt);
    scale_ = dt / select<C>(C::condition(last_.clock.dt > Real(0)), last_.clock.dt, dt);
  }
  PreviousChanges<C, Model> previous() const { return {last_, dt_, held_, u_A()}; }

  // Computes du. Returns the model at q_A + dt u_A and t_E, or NoEnd if the step does not use it.
  auto end_of_step(const Model& model, const Q& u_free) {
    u_free_ = u_free;
    du_ = (u_free - u_A()) + held_;
    if constexpr (rotation_from_end<Model>)
      return Evaluation<Model>(model, q_end_ = this->free_end(model, dt_), t_M_ + Real(0.5) * dt_);
    else
      return NoEnd{};
  }

  // Returns the bias acceleration of contact i: that of the model at the midpoint, or the difference of the directions
  // `d` at the midpoint and at the end, times 2 / dt.
  template <class End, class D>
  ContactBias<Real, T::tangents> bias(const Evaluation<Model>& at, [[maybe_unused]] const End& end, int i,
                                      [[maybe_unused]] const D& d) const {
    if constexpr (Contract<Model>::has_contact_bias) {
      return at.contact_bias_acceleration(i, u_A());
    } else if constexpr (contact_rotation_from_end<Model>) {
      const auto d_E = end.directions(i);
      const Real rate = Real(2) / dt_;
      ContactBias<Real, T::tangents> bias;
      bias.N = rate * (this->free_change(d_E.w_N, d.w_N) + (d_E.zeta_N - d.zeta_N));
      for_each_index<T::tangents>([&](auto t) {
        set_component(bias.T, t,
                      rate * (this->free_change(d_E.w_T.col(t), d.w_T.col(t)) +
                              (component(d_E.zeta_T, t) - component(d.zeta_T, t))));
      });
      return bias;
    } else {
      return {};
    }
  }

  // Sets c_N and completes c_T of contact k of the set, which is contact i of the model, from the velocities at the
  // midpoint. `d` are its directions, G_NN the inverse effective mass along its normal.
  template <int contact = -1, class D, class Tangential>
  void set_contact(const Model& model, int k, int i, const D& d, Real G_NN, const ContactBias<Real, T::tangents>& bias,
                   const ContactLaw<Real>& law, Real gamma_A, Real gamma_free, Real& c_N, const Tangential& c_T) {
    const Real half = Real(0.5) * dt_, tau = half * bias.N;
    // Entries outside the pattern of a tabled contact are undefined.
    const Real delta = sparse_dot<DirectionPattern<Model, contact, 0>>(Q(d.w_N), du_), gap = midpoint_.gap.coeff(i);

    // Release a contact at rest that was moved away.
    const Condition held = carried(i);
    Real excess = Real(0);
    if constexpr (Contract<Model>::has_allowed_penetration) {
      const Real bound = dt_ * (absolute(gamma_A) + absolute(tau)) + rounding(model, i);
      excess = select_or_zero<C>(held, C::larger(gap - bound, Real(0)));
    }

    // Locate the impact.
    const Real struck = C::larger(gamma_A - tau, gamma_free + tau);  // < 0 unless the contact opens by itself
    const Condition approaches = C::negative(select<C>(held, struck, gamma_A)) && !C::positive(excess);
    Instant& instant = (of_[std::size_t(k)] = {Real(0), Real(0), tau, C::condition(false), C::condition(true)});
    Condition leaves = C::condition(false);
    const Real separating = select_or_zero<C>(!held, C::larger(gamma_A, Real(0)));
    Real target = -tau - law.eps_N * separating, before = Real(0), after = Real(0);
    if (!C::may_exit(!approaches)) {  // if (approaches)
      // gap <= 0 if the contact did not rest. If it did, it is struck at the beginning of the step.
      const Real located = C::smaller(gap / (dt_ * select<C>(approaches, gamma_A, Real(-1))), Real(1));
      const Real r = select<C>(held, Real(0.5), located);
      before = Real(0.5) - r, after = Real(0.5) + r;

      // Compute the velocity after the impact.
      const Real rotated = Real(2) * r * tau, minus = gamma_A + before * delta - rotated;
      const Real support = select_or_zero<C>(held, G_NN * (scale_ * last_.P_N.coeff(i)));
      const Real bounce = law.eps_N * C::larger(Real(0), -minus) + (after * delta - support);
      leaves = approaches && C::positive(bounce + Real(2) * after * tau);
      const Condition impact = approaches && (leaves || !held);
      target = select<C>(leaves, bounce + rotated, target);

      // Compute the shift of q: to the instant of the impact, or to g_E = 0.
      const Real missing = Real(0.5) * half * tau - gap, jump = target - gamma_free;
      const Real least = Traits<Model>::predicted_gaps ? -half : Real(0);
      const Real closing = C::smaller(C::larger(divide_or_zero<C>(missing, jump), least), dt_);
      instant = {r, select<C>(leaves, r * dt_, closing), tau, impact, !leaves};
    }
    c_N = gamma_free - target;
    if constexpr (Contract<Model>::has_allowed_penetration) c_N += excess / dt_;
    set_sliding<contact>(leaves, before, after, d, half, bias, law, c_T);
  }

  // Completes c of friction element j, whose directions at the midpoint are `d`.
  template <class End, class D, class Tangential>
  void set_friction(const Evaluation<Model>& at, [[maybe_unused]] const End& end, int j, const D& d,
                    const Tangential& c) const {
    const Real half = Real(0.5) * dt_;
    Vector<Real, T::friction_dim> tau, gamma_A, delta;
    if constexpr (Contract<Model>::has_friction_bias) {
      const auto bias = at.friction_bias_acceleration(j, u_A());
      for_each_index<T::friction_dim>([&](auto t) { tau.coeffRef(t) = half * component(bias, t); });
    } else {
      const auto d_E = end.friction_directions(j);
      for_each_index<T::friction_dim>([&](auto t) {
        tau.coeffRef(t) = this->free_change(d_E.w.col(t), d.w.col(t)) + (component(d_E.zeta, t) - component(d.zeta, t));
      });
    }
    for_each_index<T::friction_dim>([&](auto t) {
      gamma_A.coeffRef(t) = dot(Q(d.w.col(t)), u_A()) + component(d.zeta, t);
      delta.coeffRef(t) = dot(Q(d.w.col(t)), du_);
    });
    const Condition slides = slides_steadily<C>(gamma_A, delta);
    for_each_index<T::friction_dim>(
        [&](auto t) { c(t) += select<C>(slides, Real(gamma_A.coeff(t)), Real(tau.coeff(t))); });
  }

  // Computes the shift of q and the data for the next step. carries(k): contact k of the set has a percussion.
  template <class Set, class Carries>
  void finish(const Set& set, const Carries& carries, const Q& u_free, const Q& u_E) {
    Real earliest = Real(-1), s = Real(0);
    Condition hit = C::condition(false);
    next_ = {};
    for (int k = 0; k < set.k; ++k) {
      const int i = set.id(k);
      const Instant& instant = of_[std::size_t(k)];
      const Condition carries_k = carries(k), impact = carries_k && instant.impact;
      C::assign_if(impact && C::less(earliest, instant.r), s, instant.s, earliest, instant.r);
      hit = hit || impact;
      next_.resting[T::contacts > 32 ? std::size_t(i) / 32 : 0] |= C::as_bit(carries_k && instant.rests) << i % 32;
    }
    shift_.setZero();
    if (set.k > 0) shift_ = s * ((u_E - u_A()) - du_);  // s = 0 without an impact
    if constexpr (extrapolates_gaps<Model>) path_ = Real(0.5) * dt_ * u_E + shift_;
    next_.du_held = u_E - u_free;
    next_.impact = static_cast<std::uint8_t>(C::as_bit(hit));
  }

  // Sets the data of a step without closed contacts.
  void clear() {
    next_ = {};
    shift_.setZero();
  }
  const Q& free_velocity() const { return u_free_; }

  // Replaces the gap of contact k of the set by g_E - w_N^T (q_E - q_M), if it carried a percussion. An absent contact
  // has the index of another contact and no percussion.
  template <class Slot>
  void extrapolate(int k, const Slot& slot) {
    Real change = Real(0.5) * of_[std::size_t(k)].tau;
    if constexpr (DirectionPattern<Model, -1, 0>::entry(T::dof)) change += slot.contact.zeta_N;
    midpoint_.gap.coeffRef(slot.id) += select_or_zero<C>(C::positive(slot.result.P_N), Real(0.5) * dt_ * change);
  }
  // Returns the gap of contact i at the end of the step; `w` is w_N at the midpoint.
  Real extrapolated_gap(int i, const Q& w) const {
    return midpoint_.gap.coeff(i) + sparse_dot<DirectionPattern<Model, -1, 0>>(w, path_);
  }

  // Moves q_E by the shift.
  void move(Q& q_E) const { q_E += shift_; }

  // Returns true if the position correction closes the gap of contact i. Conditions: it rested in the previous step,
  // and 0 < gap <= 2 gap_M at the end of this step, except for rounding.
  Condition separated(const Model& model, int i, Real gap, Real gap_M) const {
    const Real least = gap - Real(rounding_depths) * model.allowed_penetration(i);
    return carried(i) && C::positive(gap) && C::at_most(least, Real(2) * C::larger(Real(0), gap_M));
  }

  // Stores the data for the next step. The second function: if (advance) store(state);
  void store(State<Model>& state) const { static_cast<SmoothMemoryOf<Model>&>(state) = next_; }
  void store(Condition advance, State<Model>& state) const {
    C::assign_if(advance, state.du_held, next_.du_held);
    C::assign_if(advance, state.impact, next_.impact);
    for (std::size_t word = 0; word < state.resting.size(); ++word)
      C::assign_if(advance, state.resting[word], next_.resting[word]);
  }

 private:
  // Impact or rest of one contact.
  struct Instant {
    Real r, s, tau;    // s in seconds
    Condition impact;  // the contact hits in this step
    Condition rests;   // the contact stays closed while it carries a percussion
  };

  // Returns the separation of contact i that can result from rounding. In constant time, i can depend on the state.
  Real rounding([[maybe_unused]] const Model& model, int i) const {
    if constexpr (stores_rounding)
      return midpoint_.rounding.coeff(i);
    else
      return Real(rounding_depths) * model.allowed_penetration(i);
  }

  // Completes c_T of a contact: eps_T and the velocity at the instant of an impact; the velocity at the end of the step
  // or, in space, the mean velocity of steady sliding.
  template <int contact, class D, class Tangential>
  void set_sliding([[maybe_unused]] Condition leaves, [[maybe_unused]] Real before, [[maybe_unused]] Real after,
                   [[maybe_unused]] const D& d, [[maybe_unused]] Real half,
                   [[maybe_unused]] const ContactBias<Real, T::tangents>& bias,
                   [[maybe_unused]] const ContactLaw<Real>& law, [[maybe_unused]] const Tangential& c_T) const {
    Vector<Real, T::tangents> delta, other;
    for_each_index<T::tangents>([&](auto t) {
      delta.coeffRef(t) = sparse_dot<TangentPattern<contact>>(Q(d.w_T.col(t)), du_);
      other.coeffRef(t) = half * component(bias.T, t);
    });
    if constexpr (T::tangents == 2) {
      Vector<Real, 2> gamma_A;
      for_each_index<2>([&](auto t) { gamma_A.coeffRef(t) = dot(Q(d.w_T.col(t)), u_A()) + component(d.zeta_T, t); });
      const Condition slides = slides_steadily<C>(gamma_A, delta);
      for_each_index<2>([&](auto t) {  // c_T contains eps_T gamma_A
        other.coeffRef(t) = select<C>(slides, (Real(1) - law.eps_T) * gamma_A.coeff(t), Real(other.coeff(t)));
      });
    }
    for_each_index<T::tangents>([&](auto t) {
      c_T(t) += select<C>(leaves, (law.eps_T * before - after) * delta.coeff(t), Real(other.coeff(t)));
    });
  }

  const State<Model>& last_;
  MidpointGaps<Model>& midpoint_;
  Real dt_, t_M_, scale_;                        // s, s, dt / dt_last
  Q u_free_, held_, du_, q_end_, shift_, path_;  // path: q_E - q_M
  std::array<Instant, std::size_t(T::contacts + 1)> of_;
  SmoothMemoryOf<Model> next_;
};

// Rule of the contacts of a fixed step.
template <class C, class Model>
using ContactPolicy =
    std::conditional_t<Traits<Model>::second_order, ImpactInstants<C, Model>, ContactsByGap<C, Model>>;

}  // namespace detail
}  // namespace moreau
