// Assembly of the contact problem of one step.
//
//   G = W^T M^-1 W,   c = gamma_free + eps gamma_A,   gamma = W^T u + zeta,   u_free = u_A + M^-1 h dt
//
// Departures from SLG08:
//
//   - zeta enters c once. In the paper, c_i adds zeta to (1 + eps) gamma_B, which already contains it.
//   - With ideal joints, M^-1 is the effective inverse mass (mass.hpp).
//
// With Timing::constant every contact of the model has rows. The rows of an open contact have zero directions, c and
// mu, so its percussion is 0.
#pragma once

#include "moreau/contact/active_set.hpp"
#include "moreau/contact/contact_problem.hpp"
#include "moreau/contact/laws.hpp"
#include "moreau/contact/mass.hpp"
#include "moreau/contact/prescribed_sliding.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/status.hpp"

namespace moreau {
namespace detail {

template <class Model>
using ProblemOf = ContactProblem<typename Traits<Model>::Real, Traits<Model>::contacts, Traits<Model>::tangents,
                                 Traits<Model>::frictions, Traits<Model>::friction_dim>;

// Returns c of one row.
template <class Real, int n>
MOREAU_ALWAYS_INLINE Real free_velocity(const Vector<Real, n>& w, Real zeta, Real eps, Real gamma_A,
                                        const Vector<Real, n>& u_free) {
  return dot(w, u_free) + zeta + eps * gamma_A;
}

// Returns true if all parameters of the contact laws are in their ranges.
template <class C, class Real>
MOREAU_ALWAYS_INLINE typename C::Condition lawful(Real eps_N, Real eps_T, Real mu) {
  return in_range<C>(eps_N, Real(1)) && in_range<C>(eps_T, Real(1)) &&
         in_range<C>(mu, std::numeric_limits<Real>::max());
}

// Validity of an assembled problem. With Branchless it is tested once, at the end of the step.
template <class C, class Real>
struct Filled {
  typename C::Condition lawful = C::condition(true);  // all law parameters are in their ranges
  typename C::Condition pushes = C::condition(true);  // w_N != 0 for every closed contact
  Real sum = Real(0);                                 // NaN if c or the diagonal of G is non-finite

  Status status() const {
    if (!C::declassify(lawful)) return Status::invalid_argument;  // including NaN
    if (!(sum == Real(0))) return Status::not_finite;
    return C::declassify(pushes) ? Status::ok : Status::invalid_argument;
  }
};

// The two policies for velocities, directions and restitution of the contacts in a step: `base` for the base step
// (step/active_contacts.hpp), and `policy` (ContactPolicy, contact/impact_instants.hpp).
template <class Base, class Policy>
struct ContactRules {
  static constexpr bool at_instants = Policy::at_instants;
  const Base& base;
  Policy& policy;
};
template <class Base, class Policy>
ContactRules(const Base&, Policy&) -> ContactRules<Base, Policy>;

// Workspace of the assembly.
template <class Model, class Mass = WorkspaceMass<Model>>
struct Assembly {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Problem = ProblemOf<Model>;
  static constexpr std::size_t capacity = std::size_t(Problem::capacity);

  ActiveSet<Model> H;
  Mass mass;
  Problem problem;
  std::array<Q, capacity> W, Z;                           // directions; changes of u due to unit percussions
  std::array<Vector<Real, T::bilaterals>, capacity> P_B;  // joint percussions due to unit percussions

  // Fills problem, W, Z and P_B. The step fails unless the status is ok. If rules.base.holds(i) is true, the
  // restitution of contact i is 0.
  template <class Rules>
  [[nodiscard]] Status fill(const Model& model, const Evaluation<Model>& at, const Q& u_A, const Q& u_free, Real dt,
                            const Rules& rules) {
    problem.k = H.k;
    if (T::frictions == 0 && H.k == 0) return Status::ok;
    return fill_set<Branching>(H, H, model, at, u_A, u_free, dt, rules).status();
  }

  // Fills the same data for the contacts of an ActiveSet or MaskedSet. `slots` is the same set, or a ContactSlots.
  // (Inlining saves 100 bytes of stack on a Cortex-M4F with GCC 12.)
  template <class C, class Set, class Slots, class Rules>
  [[nodiscard]] MOREAU_ALWAYS_INLINE Filled<C, Real> fill_set(const Set& set, const Slots& slots, const Model& model,
                                                              const Evaluation<Model>& at, const Q& u_A,
                                                              const Q& u_free, Real dt, const Rules& rules) {
    constexpr bool limited = !std::is_same_v<Set, Slots>;
    Filled<C, Real> filled;
    problem.k = set.k;
    problem.elements = T::frictions;

    // Set contact rows.
    [[maybe_unused]] const auto end = rules.policy.end_of_step(model, u_free);
    if constexpr (T::contacts > 0)
      each<C, T::contacts>(set.k, [&](auto i) {
        filled.lawful = contact<C>(set.present(i), model, at, end, i, set.id(i), u_A, u_free, rules) && filled.lawful;
      });

    // Move rows to slots.
    if constexpr (limited) move_rows(slots);

    // Set friction rows.
    if constexpr (T::frictions > 0)
      each<C, T::frictions>(T::frictions, [&](auto j) {
        const int row = C::branchless ? slots.k * Problem::per_contact + j * T::friction_dim : problem.friction_row(j);
        filled.lawful = friction<C>(at, end, j, row, u_free, dt, rules) && filled.lawful;
      });
    if (C::may_exit(!filled.lawful)) return filled;

    // Compute matrix G. Its diagonal contains the lower limits of prescribe_sliding().
    const int rows = C::branchless && !limited ? Problem::capacity : problem.rows();
    for (int r = 0; r < rows; ++r) {
      [[maybe_unused]] const Real least = problem.G.coeff(r, r);
      for (int s = 0; s <= r; ++s)
        problem.G.coeffRef(s, r) = problem.G.coeffRef(r, s) = dot(W[std::size_t(r)], Z[std::size_t(s)]);
      if constexpr (can_prescribe_sliding<Model>) problem.G.coeffRef(r, r) = C::larger(problem.G.coeff(r, r), least);
      filled.sum += finite_probe(problem.c.coeff(r)) + finite_probe(problem.G.coeff(r, r));
    }
    for (int i = 0; i < slots.k; ++i)  // G_NN > 0 unless w_N = 0
      filled.pushes = filled.pushes && (!slots.present(i) || C::positive(problem.diagonal(problem.row(i))));
    return filled;
  }

 private:
  // Moves the rows of the contacts to their slots, in ascending order: the slot of a contact is at most its index.
  template <class Slots>
  void move_rows(const Slots& slots) {
    constexpr int per_contact = Problem::per_contact;
    for (int s = 0; s < slots.k; ++s) {
      problem.mu.coeffRef(s) = slots.of(s, [&](int i) { return problem.mu.coeff(i); });
      for (int t = 0; t < per_contact; ++t) {
        const int to = problem.row(s) + t;
        const auto row = [t](int i) { return Problem::row(i) + t; };
        problem.c.coeffRef(to) = slots.of(s, [&](int i) { return problem.c.coeff(row(i)); });
        if constexpr (can_prescribe_sliding<Model>)
          problem.G.coeffRef(to, to) = slots.of(s, [&](int i) { return problem.G.coeff(row(i), row(i)); });
        Q& w = W[std::size_t(to)];
        for (int j = 0; j < T::dof; ++j)
          w.coeffRef(j) = slots.of(s, [&](int i) { return W[std::size_t(row(i))].coeff(j); });
        Z[std::size_t(to)] = mass.constrained_change(w, P_B[std::size_t(to)]);
      }
    }
    problem.k = slots.k;
  }

  // Sets the rows of active contact i, which is contact `id` of the model. If `present` is false, its directions, c,
  // restitution and mu are 0. Returns false if a parameter of its contact laws is out of range.
  template <class C, class End, class Rules>
  typename C::Condition contact(typename C::Condition present, const Model& model, const Evaluation<Model>& at,
                                [[maybe_unused]] const End& end, int i, int id, const Q& u_A, const Q& u_free,
                                const Rules& rules) {
    const int n = problem.row(i);
    Directions<Real, T::dof, T::tangents> d = rules.base.directions(at, id);
    ContactLaw<Real> law = model.law(id);
    if (rules.base.holds(id)) law.eps_N = law.eps_T = Real(0);
    law.eps_N = select_or_zero<C>(present, law.eps_N);
    law.eps_T = select_or_zero<C>(present, law.eps_T);
    d.zeta_N = select_or_zero<C>(present, d.zeta_N);
    d.w_N = select_or_zero<C>(present, Q(d.w_N));
    set_row(n, d.w_N);
    const Real gamma_NA = rules.base.gamma_A(d, u_A, id);
    problem.c.coeffRef(n) = free_velocity(d.w_N, d.zeta_N, law.eps_N, gamma_NA, u_free);
    Real slip = Real(0);
    for_each_index<T::tangents>([&](auto t) {
      const Q w_T = select_or_zero<C>(present, Q(d.w_T.col(t)));
      const Real zeta = select_or_zero<C>(present, component(d.zeta_T, t)), gamma_A = gamma(w_T, zeta, u_A);
      set_row(n + 1 + t, w_T);
      problem.c.coeffRef(n + 1 + t) = free_velocity(w_T, zeta, law.eps_T, gamma_A, u_free);
      slip = T::tangents == 1 ? absolute(gamma_A) : slip + gamma_A * gamma_A;
    });
    if constexpr (Rules::at_instants) {
      Vector<Real, 1 + T::tangents> c = Vector<Real, 1 + T::tangents>::Zero();
      rules.policy.set_contact(model, i, id, d, dot(W[std::size_t(n)], Z[std::size_t(n)]),
                               rules.policy.bias(at, end, id, d), law, gamma_NA, gamma(Q(d.w_N), d.zeta_N, u_free),
                               c.coeffRef(0), [&](int t) -> Real& { return c.coeffRef(1 + t); });
      problem.c.coeffRef(n) = select_or_zero<C>(present, Real(c.coeff(0)));
      for_each_index<T::tangents>(
          [&](auto t) { problem.c.coeffRef(n + 1 + t) += select_or_zero<C>(present, Real(c.coeff(1 + t))); });
    }
    if constexpr (can_prescribe_sliding<Model>)
      for_each_index<T::tangents>(
          [&](auto t) { prescribe_sliding<C>(n + 1 + t, select_or_zero<C>(present, component(d.zeta_T, t)), u_free); });
    Real mu = law.mu;
    if constexpr (Contract<Model>::has_mu) mu = model.mu(id, T::tangents == 2 ? sqrt(slip) : slip);
    problem.mu.coeffRef(i) = mu = select_or_zero<C>(present, mu);
    return lawful<C>(law.eps_N, law.eps_T, mu);
  }

  // Sets the rows of friction element j, from row r. Returns false if its bound is out of range.
  template <class C, class End, class Rules>
  typename C::Condition friction(const Evaluation<Model>& at, [[maybe_unused]] const End& end, int j, int r,
                                 const Q& u_free, Real dt, const Rules& rules) {
    const FrictionDirections<Real, T::dof, T::friction_dim> d = rules.base.friction_directions(at, j);
    for_each_index<T::friction_dim>([&](auto t) {
      const Q w = d.w.col(t);
      set_row(r + t, w);
      problem.c.coeffRef(r + t) = dot(w, u_free) + component(d.zeta, t);
    });
    if constexpr (Rules::at_instants)
      rules.policy.set_friction(at, end, j, d, [&](int t) -> Real& { return problem.c.coeffRef(r + t); });
    for_each_index<T::friction_dim>([&](auto t) { prescribe_sliding<C>(r + t, component(d.zeta, t), u_free); });
    const Real bound = at.friction_bound(j);
    problem.bound.coeffRef(j) = bound * dt;
    return in_range<C>(bound, std::numeric_limits<Real>::max());
  }

  // Sets W, Z and P_B of row r.
  MOREAU_ALWAYS_INLINE void set_row(int r, const Q& w) {
    const Q z = mass.constrained_change(w, P_B[std::size_t(r)]);
    W[std::size_t(r)] = w;
    Z[std::size_t(r)] = z;
    if constexpr (can_prescribe_sliding<Model>) problem.G.coeffRef(r, r) = Real(0);
  }

  // Applies prescribed_sliding.hpp to friction row r: sets c and a lower limit of G_rr; without sliding, w = z = 0.
  template <class C>
  MOREAU_ALWAYS_INLINE void prescribe_sliding([[maybe_unused]] int r, [[maybe_unused]] Real zeta,
                                              [[maybe_unused]] const Q& u_free) {
    if constexpr (can_prescribe_sliding<Model>) {
      Q &w = W[std::size_t(r)], &z = Z[std::size_t(r)];
      Real& c = problem.c.coeffRef(r);
      const PrescribedRow<C, Real> row(AllEntries{}, mass, P_B[std::size_t(r)], dot(w, z), gamma(w, zeta, u_free));
      const Real factor = select_or_zero<C>(row.slides, Real(1));  // non-finite values remain non-finite
      w *= factor;
      z *= factor;
      c = factor * select<C>(row.holds, row.velocity, c);
      problem.G.coeffRef(r, r) = factor * row.least;
    }
  }
};

}  // namespace detail
}  // namespace moreau
