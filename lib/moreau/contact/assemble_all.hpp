// The contact problem (assemble.hpp) of all contacts, in constant time: an open contact has zero directions, zero c and
// zero mu, whatever the model says of it, and so never carries a percussion. Same operations as assemble.hpp, same
// bits.
//
// Not decided here, but left for one look at the end of the step: `illegal` is true (negative) where a law is out of
// range or a closed contact has no normal direction, `sum` is not finite where something is not.
#pragma once

#include "moreau/contact/assemble.hpp"
#include "moreau/contact/closed_contact.hpp"
#include "moreau/contact/masked_laws.hpp"

namespace moreau {

template <class Model>
struct AllContacts {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  static constexpr int contacts = T::contacts;

  Mask closed[std::size_t(contacts + 1)];
  int active = 0;
  Mask illegal = 0;
  Real sum = Real(0);

  void find(const Evaluation<Model>& at, Vector<Real, contacts>& gap_M) {
    for_each_index<contacts>([&](auto i) {
      const Real g = at.gap(i);
      gap_M.coeffRef(i) = g;
      sum += g;
      closed[int(i)] = ~positive(g);
      active -= closed[int(i)] >> 31;
    });
  }

  void fill(const Model& model, const Evaluation<Model>& at, Assembly<Model>& assembly, const Q& u_A, const Q& u_free,
            Real dt) {
    auto& problem = assembly.problem;
    problem.k = contacts;
    problem.elements = T::frictions;
    if constexpr (contacts > 0) for_each_index<contacts>([&](auto i) { contact(model, at, i, assembly, u_A, u_free); });
    if constexpr (T::frictions > 0)
      for_each_index<T::frictions>([&](auto j) { friction(at, j, assembly, u_free, dt); });
    for (int r = 0; r < assembly.problem.capacity; ++r) {
      for (int s = 0; s <= r; ++s)
        problem.G.coeffRef(s, r) = problem.G.coeffRef(r, s) =
            dot(assembly.W[std::size_t(r)], assembly.Z[std::size_t(s)]);
      sum += problem.c.coeff(r) + problem.G.coeff(r, r);
    }
    for (int i = 0; i < contacts; ++i) illegal |= closed[i] & ~positive(problem.diagonal(problem.row(i)));
  }

 private:
  void contact(const Model& model, const Evaluation<Model>& at, int i, Assembly<Model>& assembly, const Q& u_A,
               const Q& u_free) {
    auto& problem = assembly.problem;
    const int n = problem.row(i);
    const Mask here = closed[i];
    const Directions<Real, T::dof, T::tangents> d = at.directions(i);
    const ContactLaw<Real> law = model.law(i);
    const Real eps_N = only_if(here, law.eps_N), eps_T = only_if(here, law.eps_T), zeta_N = only_if(here, d.zeta_N);
    const Q w_N = only_if(here, d.w_N);
    set_row(assembly, n, w_N);
    problem.c.coeffRef(n) = dot(w_N, u_free) + zeta_N + eps_N * (dot(w_N, u_A) + zeta_N);
    Real slip = Real(0);
    for_each_index<T::tangents>([&](auto t) {
      const Q w_T = only_if(here, Q(d.w_T.col(t)));
      const Real zeta = only_if(here, component(d.zeta_T, t)), gamma_A = dot(w_T, u_A) + zeta;
      set_row(assembly, n + 1 + t, w_T);
      problem.c.coeffRef(n + 1 + t) = dot(w_T, u_free) + zeta + eps_T * gamma_A;
      slip = T::tangents == 1 ? magnitude(gamma_A) : slip + gamma_A * gamma_A;
    });
    Real mu = law.mu;
    if constexpr (Contract<Model>::has_mu) mu = model.mu(i, T::tangents == 2 ? sqrt(slip) : slip);
    problem.mu.coeffRef(i) = mu = only_if(here, mu);
    illegal |= detail::outside(eps_N, Real(1)) | detail::outside(eps_T, Real(1)) |
               detail::outside(mu, std::numeric_limits<Real>::max());
  }

  void friction(const Evaluation<Model>& at, int j, Assembly<Model>& assembly, const Q& u_free, Real dt) {
    auto& problem = assembly.problem;
    const int r = contacts * problem.per_contact + j * T::friction_dim;
    const FrictionDirections<Real, T::dof, T::friction_dim> d = at.friction_directions(j);
    for_each_index<T::friction_dim>([&](auto t) {
      const Q w = d.w.col(t);
      set_row(assembly, r + t, w);
      problem.c.coeffRef(r + t) = dot(w, u_free) + component(d.zeta, t);
    });
    const Real bound = at.friction_bound(j);
    problem.bound.coeffRef(j) = bound * dt;
    illegal |= detail::outside(bound, std::numeric_limits<Real>::max());
  }

  static void set_row(Assembly<Model>& assembly, int r, const Q& w) {
    Q z = assembly.mass.free(w);
    if constexpr (T::bilaterals > 0) {
      assembly.hold[std::size_t(r)] = assembly.mass.hold(z, false);
      assembly.mass.add(z, assembly.hold[std::size_t(r)]);
    }
    assembly.W[std::size_t(r)] = w;
    assembly.Z[std::size_t(r)] = z;
  }
};

}  // namespace moreau
