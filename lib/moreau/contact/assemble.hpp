// From the model to the contact problem of one step:
//
//   G = W^T M^-1 W,   c = gamma_free + eps gamma_A,   gamma = W^T u + zeta,   u_free = u_A + M^-1 h dt
//
// Of persistent contacts, gamma is taken at the ends of the step (persistent_contacts.hpp).
//
// In constant time all contacts are rows: an open one has zero directions, zero c and zero mu, whatever the model says
// of it, and so never carries a percussion.
//
// Differences from the paper: zeta enters once (SLG08's c_i adds it to (1 + eps) gamma_B, which already contains it);
// M^-1 is the effective inverse mass where ideal joints are kept as constraints.
#pragma once

#include "moreau/contact/active_set.hpp"
#include "moreau/contact/contact_problem.hpp"
#include "moreau/contact/laws.hpp"
#include "moreau/contact/mass.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/status.hpp"

namespace moreau {
namespace detail {

template <class Model>
using ProblemOf = ContactProblem<typename Traits<Model>::Real, Traits<Model>::contacts, Traits<Model>::tangents,
                                 Traits<Model>::frictions, Traits<Model>::friction_dim>;

// c of one row
template <class Real, int n>
MOREAU_ALWAYS_INLINE Real free_velocity(const Vector<Real, n>& w, Real zeta, Real eps, Real gamma_A,
                                        const Vector<Real, n>& u_free) {
  return dot(w, u_free) + zeta + eps * gamma_A;
}

template <class C, class Real>
MOREAU_ALWAYS_INLINE typename C::Condition lawful(Real eps_N, Real eps_T, Real mu) {
  return in_range<C>(eps_N, Real(1)) && in_range<C>(eps_T, Real(1)) &&
         in_range<C>(mu, std::numeric_limits<Real>::max());
}

// What was found on the way. Branchless leaves it to one look at the end of the step.
template <class C, class Real>
struct Filled {
  typename C::Condition lawful = C::condition(true);  // every law in its range
  typename C::Condition pushes = C::condition(true);  // every closed contact has a normal direction
  Real sum = Real(0);                                 // NaN where something is not finite

  Status status() const {
    if (!C::declassify(lawful)) return Status::invalid_argument;  // a NaN lies in no range either
    if (!(sum == Real(0))) return Status::not_finite;
    return C::declassify(pushes) ? Status::ok : Status::invalid_argument;
  }
};

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
  std::array<Q, capacity> W, Z;                           // directions, and what a unit percussion does to u
  std::array<Vector<Real, T::bilaterals>, capacity> P_B;  // and to the percussions of the ideal joints

  // Fills problem, W and Z. Everything but ok leaves the step. A contact that `how` holds has no restitution.
  template <class How>
  [[nodiscard]] Status fill(const Model& model, const Evaluation<Model>& at, const Q& u_A, const Q& u_free, Real dt,
                            const How& how) {
    problem.k = H.k;
    if (T::frictions == 0 && H.k == 0) return Status::ok;
    return fill_set<Branching>(H, model, at, u_A, u_free, dt, how).status();
  }

  // set: ActiveSet or MaskedSet.
  template <class C, class Set, class How>
  [[nodiscard]] Filled<C, Real> fill_set(const Set& set, const Model& model, const Evaluation<Model>& at, const Q& u_A,
                                         const Q& u_free, Real dt, const How& how) {
    Filled<C, Real> filled;
    problem.k = set.k;
    problem.elements = T::frictions;
    if constexpr (T::contacts > 0)
      each<C, T::contacts>(set.k, [&](auto i) {
        filled.lawful = contact<C>(set.there(i), model, at, i, set.id(i), u_A, u_free, how) && filled.lawful;
      });
    if constexpr (T::frictions > 0)
      each<C, T::frictions>(T::frictions,
                            [&](auto j) { filled.lawful = friction<C>(at, j, u_free, dt, how) && filled.lawful; });
    if (C::may_exit(!filled.lawful)) return filled;
    const int rows = C::branchless ? Problem::capacity : problem.rows();
    for (int r = 0; r < rows; ++r) {
      for (int s = 0; s <= r; ++s)
        problem.G.coeffRef(s, r) = problem.G.coeffRef(r, s) = dot(W[std::size_t(r)], Z[std::size_t(s)]);
      filled.sum += finite_probe(problem.c.coeff(r)) + finite_probe(problem.G.coeff(r, r));
    }
    for (int i = 0; i < set.k; ++i)  // w_N = 0
      filled.pushes = filled.pushes && (!set.there(i) || C::positive(problem.diagonal(problem.row(i))));
    return filled;
  }

 private:
  // Row `i` of contact `id`. False where its law is out of range.
  template <class C, class How>
  typename C::Condition contact(typename C::Condition there, const Model& model, const Evaluation<Model>& at, int i,
                                int id, const Q& u_A, const Q& u_free, const How& how) {
    const int n = problem.row(i);
    Directions<Real, T::dof, T::tangents> d = how.directions(at, id);
    ContactLaw<Real> law = model.law(id);
    if (how.holds(id)) law.eps_N = law.eps_T = Real(0);
    law.eps_N = select_or_zero<C>(there, law.eps_N);
    law.eps_T = select_or_zero<C>(there, law.eps_T);
    d.zeta_N = select_or_zero<C>(there, d.zeta_N);
    d.w_N = select_or_zero<C>(there, Q(d.w_N));
    set_row(n, d.w_N);
    Real gamma_NA = how.gamma_A(d, u_A, id);
    if constexpr (How::persistent) how.turn(there, id, d.zeta_N, gamma_NA);
    problem.c.coeffRef(n) = free_velocity(d.w_N, d.zeta_N, law.eps_N, gamma_NA, u_free);
    Real slip = Real(0);
    for_each_index<T::tangents>([&](auto t) {
      const Q w_T = select_or_zero<C>(there, Q(d.w_T.col(t)));
      const Real zeta = select_or_zero<C>(there, component(d.zeta_T, t)), gamma_A = gamma(w_T, zeta, u_A);
      set_row(n + 1 + t, w_T);
      problem.c.coeffRef(n + 1 + t) = free_velocity(w_T, zeta, law.eps_T, gamma_A, u_free);
      slip = T::tangents == 1 ? absolute(gamma_A) : slip + gamma_A * gamma_A;
    });
    Real mu = law.mu;
    if constexpr (Contract<Model>::has_mu) mu = model.mu(id, T::tangents == 2 ? sqrt(slip) : slip);
    problem.mu.coeffRef(i) = mu = select_or_zero<C>(there, mu);
    return lawful<C>(law.eps_N, law.eps_T, mu);
  }

  template <class C, class How>
  typename C::Condition friction(const Evaluation<Model>& at, int j, const Q& u_free, Real dt, const How& how) {
    const int r = C::branchless ? T::contacts * Problem::per_contact + j * T::friction_dim : problem.friction_row(j);
    const FrictionDirections<Real, T::dof, T::friction_dim> d = how.friction_directions(at, j);
    for_each_index<T::friction_dim>([&](auto t) {
      const Q w = d.w.col(t);
      set_row(r + t, w);
      problem.c.coeffRef(r + t) = dot(w, u_free) + component(d.zeta, t);
    });
    const Real bound = at.friction_bound(j);
    problem.bound.coeffRef(j) = bound * dt;
    return in_range<C>(bound, std::numeric_limits<Real>::max());
  }

  MOREAU_ALWAYS_INLINE void set_row(int r, const Q& w) {
    const Q z = mass.constrained_change(w, P_B[std::size_t(r)]);
    W[std::size_t(r)] = w;
    Z[std::size_t(r)] = z;
  }
};

}  // namespace detail
}  // namespace moreau
