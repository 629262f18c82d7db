// From the model to the contact problem of one step:
//
//   G = W^T M^-1 W,   c = gamma_free + eps gamma_A,   gamma = W^T u + zeta,   u_free = u_A + M^-1 h dt
//
// Differences from the paper: zeta enters once (SLG08's c_i adds it to (1 + eps) gamma_B, which already contains it);
// M^-1 is the effective inverse mass where ideal joints are kept as constraints.
#pragma once

#include "moreau/contact/active_set.hpp"
#include "moreau/contact/contact_problem.hpp"
#include "moreau/contact/effective_mass.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/status.hpp"

namespace moreau {

template <class Model>
using ProblemOf = ContactProblem<typename Traits<Model>::Real, Traits<Model>::contacts, Traits<Model>::tangents,
                                 Traits<Model>::frictions, Traits<Model>::friction_dim>;

template <class Model>
struct Assembly {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  using Problem = ProblemOf<Model>;
  static constexpr std::size_t capacity = std::size_t(Problem::capacity);

  ActiveSet<Model> H;
  EffectiveMass<Model> mass;
  Problem problem;
  std::array<Q, capacity> W, Z;                            // directions, and what a unit percussion does to u
  std::array<Vector<Real, T::bilaterals>, capacity> hold;  // and to the percussions of the ideal joints

  // Fills problem, W and Z. Everything but ok leaves the step. A contact that `how` holds has no restitution.
  template <class How>
  [[nodiscard]] Status fill(const Model& model, const Evaluation<Model>& at, const Q& u_A, const Q& u_free, Real dt,
                            const How& how) {
    problem.k = H.k;
    problem.elements = T::frictions;
    bool legal = true;
    if constexpr (T::contacts > 0)
      for (int i = 0; i < H.k; ++i) legal = contact(model, at, i, u_A, u_free, how) && legal;
    if constexpr (T::frictions > 0)
      for (int j = 0; j < T::frictions; ++j) legal = friction(at, j, u_free, dt, how) && legal;
    if (!legal) return Status::invalid_argument;  // a NaN lies in no range either
    Real probe = Real(0);
    for (int r = 0; r < problem.rows(); ++r) {
      for (int s = 0; s <= r; ++s)
        problem.G.coeffRef(s, r) = problem.G.coeffRef(r, s) = dot(W[std::size_t(r)], Z[std::size_t(s)]);
      probe += finite_probe(problem.c.coeff(r)) + finite_probe(problem.G.coeff(r, r));
    }
    if (!(probe == Real(0))) return Status::not_finite;
    for (int i = 0; i < H.k; ++i) legal = legal && problem.diagonal(problem.row(i)) > Real(0);  // w_N = 0
    return legal ? Status::ok : Status::invalid_argument;
  }

 private:
  template <class How>
  bool contact(const Model& model, const Evaluation<Model>& at, int i, const Q& u_A, const Q& u_free, const How& how) {
    const int id = H.contact[std::size_t(i)];
    const int n = problem.row(i);
    const Directions<Real, T::dof, T::tangents> d = how.directions(at, id);
    ContactLaw<Real> law = model.law(id);
    if (how.holds(id)) law.eps_N = law.eps_T = Real(0);
    const bool in_range = law.eps_N >= Real(0) && law.eps_N <= Real(1) && law.eps_T >= Real(0) && law.eps_T <= Real(1);
    set_row(n, d.w_N);
    problem.c.coeffRef(n) = dot(d.w_N, u_free) + d.zeta_N + law.eps_N * how.gamma_A(d, u_A, id);
    Real slip = Real(0);
    if constexpr (T::tangents > 0) {
      for (int t = 0; t < T::tangents; ++t) {
        const Q w_T = d.w_T.col(t);
        const Real zeta = component(d.zeta_T, t);
        const Real gamma_A = dot(w_T, u_A) + zeta;
        set_row(n + 1 + t, w_T);
        problem.c.coeffRef(n + 1 + t) = dot(w_T, u_free) + zeta + law.eps_T * gamma_A;
        slip = T::tangents == 1 ? absolute(gamma_A) : slip + gamma_A * gamma_A;
      }
    }
    if constexpr (Contract<Model>::has_mu) {
      if constexpr (T::tangents == 2) slip = sqrt(slip);
      problem.mu.coeffRef(i) = model.mu(id, slip);
    } else {
      problem.mu.coeffRef(i) = law.mu;
    }
    return in_range && problem.mu.coeff(i) >= Real(0) && problem.mu.coeff(i) < std::numeric_limits<Real>::infinity();
  }

  template <class How>
  bool friction(const Evaluation<Model>& at, int j, const Q& u_free, Real dt, const How& how) {
    const int r = problem.friction_row(j);
    const FrictionDirections<Real, T::dof, T::friction_dim> d = how.friction_directions(at, j);
    for (int t = 0; t < T::friction_dim; ++t) {
      const Q w = d.w.col(t);
      set_row(r + t, w);
      problem.c.coeffRef(r + t) = dot(w, u_free) + component(d.zeta, t);
    }
    const Real bound = at.friction_bound(j);
    problem.bound.coeffRef(j) = bound * dt;
    return bound >= Real(0) && bound < std::numeric_limits<Real>::infinity();
  }

  void set_row(int r, const Q& w) {
    Q z = mass.free(w);
    if constexpr (T::bilaterals > 0) {
      hold[std::size_t(r)] = mass.hold(z, false);
      mass.add(z, hold[std::size_t(r)]);
    }
    W[std::size_t(r)] = w;
    Z[std::size_t(r)] = z;
  }
};

}  // namespace moreau
