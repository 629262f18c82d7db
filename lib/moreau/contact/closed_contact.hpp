// One closed planar contact as a step sees it: directions, what a unit percussion does to u, its entries of G and c.
// The same numbers as assemble.hpp, but in registers: the index of the contact is a constant where there are few.
#pragma once

#include "moreau/contact/laws.hpp"
#include "moreau/contact/pair_modes.hpp"
#include "moreau/contact/step_mass.hpp"
#include "moreau/model/state.hpp"

namespace moreau {

template <class Model>
struct ClosedContact {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  Q w_N, w_T, z_N, z_T;
  typename StepMass<Model>::Multipliers hold_N, hold_T;  // what a unit percussion does to the ideal joints
  Real offset_N, offset_T;                               // xi - w^T u_E
  PlanarContact<Real> planar;
};

// The entries of G between the rows of one contact and the columns of another.
template <class Model, class Rows>
[[gnu::always_inline]] inline Coupling<typename Model::Real> coupling(const Rows& a, const ClosedContact<Model>& b) {
  using Normal = DirectionPattern<Model, -1, 0>;
  using Tangent = DirectionPattern<Model, -1, 1>;
  return {sparse_dot<Normal>(a.w_N, b.z_N), sparse_dot<Normal>(a.w_N, b.z_T), sparse_dot<Tangent>(a.w_T, b.z_N),
          sparse_dot<Tangent>(a.w_T, b.z_T)};
}

// u_E += M^-1 W P of one contact.
template <class Model, class Real>
[[gnu::always_inline]] inline void kick(const ClosedContact<Model>& c, const ContactResult<Real>& P,
                                        typename ClosedContact<Model>::Q& u_E) {
  add_scaled(u_E, P.P_N, c.z_N);
  add_scaled(u_E, P.P_T, c.z_T);
}

// The same of two contacts. Returns the magnitudes of what u_E is then the sum of.
template <class Model, class Real>
[[gnu::always_inline]] inline typename ClosedContact<Model>::Q kick(const ClosedContact<Model>& a,
                                                                    const ClosedContact<Model>& b,
                                                                    const ContactResult<Real>& A,
                                                                    const ContactResult<Real>& B,
                                                                    typename ClosedContact<Model>::Q& u_E) {
  typename ClosedContact<Model>::Q magnitudes;
  for_each_index<Traits<Model>::dof>([&](auto j) {
    Real &u = u_E.coeffRef(j), &sum = magnitudes.coeffRef(j);
    sum = absolute(u);
    const auto add = [&](Real part) {
      u += part;
      sum += absolute(part);
    };
    add(A.P_N * a.z_N.coeff(j));
    if (Traits<Model>::tangents == 1) add(A.P_T * a.z_T.coeff(j));
    add(B.P_N * b.z_N.coeff(j));
    if (Traits<Model>::tangents == 1) add(B.P_T * b.z_T.coeff(j));
  });
  return magnitudes;
}

// For the pair's own place; u_free: without contacts.
template <class Model, class Pair>
[[gnu::always_inline]] inline void copy_pair(const ClosedContact<Model>& a, const ClosedContact<Model>& b,
                                             const Coupling<typename Model::Real>& x,
                                             const typename ClosedContact<Model>::Q& u_free, Pair& pair) {
  pair.p = a.planar;
  pair.q = b.planar;
  pair.x = x;
  pair.z_N[0] = a.z_N;
  pair.z_T[0] = a.z_T;
  pair.z_N[1] = b.z_N;
  pair.z_T[1] = b.z_T;
  pair.u_E = u_free;
}

namespace detail {

// Not negative where 0 <= x <= bound (a negative NaN gets through, and is found in u_E).
template <class Real>
[[gnu::always_inline]] inline std::int32_t outside(Real x, Real bound) {
  return (!in_range<Select>(x, bound)).bits;
}

// Not negative where x > 0 (zeros of either sign are not).
template <class Real>
[[gnu::always_inline]] inline std::int32_t not_positive(Real x) {
  return static_cast<std::int32_t>((to_bits(x) | (to_bits(x) - 1)) >> (8 * sizeof(Real) - 32));
}

// Above this friction coefficient the general step takes over (sigma needs a closer look there).
constexpr int largest_direct_mu = 32;

// zeta + eps gamma_A: what xi has besides w^T u_E.
template <class Pattern, int n, class Real>
[[gnu::always_inline]] inline Real offset(Real zeta, Real eps, Real gamma_A) {
  return Pattern::entry(n) ? zeta + eps * gamma_A : eps * gamma_A;
}

// w^T u + zeta
template <class Pattern, class Real, int n>
[[gnu::always_inline]] inline Real relative_velocity(const Vector<Real, n>& w, Real zeta, const Vector<Real, n>& u) {
  const Real gamma = sparse_dot<Pattern>(w, u);
  return Pattern::entry(n) ? gamma + zeta : gamma;
}

// `contact`: the index as a constant, or -1 where only the run knows it.
// Not negative where the law is legal. That the contact has a normal direction (NN > 0) is for the caller to see.
template <int contact, class Model, class D>
[[gnu::always_inline]] inline std::int32_t close_contact(const Model& model, int i, const D& d,
                                                         const ContactLaw<typename Model::Real>& law,
                                                         const StepMass<Model>& mass,
                                                         const typename ClosedContact<Model>::Q& u_A,
                                                         const typename ClosedContact<Model>::Q& u_free,
                                                         ClosedContact<Model>& out) {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Normal = DirectionPattern<Model, contact, 0>;
  using Tangent = DirectionPattern<Model, contact, 1>;
  auto& p = out.planar;
  out.w_N = d.w_N;
  out.z_N = mass.template solve<Normal>(d.w_N, out.hold_N);
  p.NN = sparse_dot<Normal>(d.w_N, out.z_N);
  const Real gamma_NA = relative_velocity<Normal>(d.w_N, d.zeta_N, u_A);
  out.offset_N = offset<Normal, T::dof>(d.zeta_N, law.eps_N, gamma_NA);
  p.c_N = sparse_dot<Normal>(d.w_N, u_free) + out.offset_N;
  if constexpr (T::tangents == 1) {
    out.w_T = d.w_T.col(0);
    out.z_T = mass.template solve<Tangent>(out.w_T, out.hold_T);
    p.NT = sparse_dot<Tangent>(out.w_T, out.z_N);
    p.TT = sparse_dot<Tangent>(out.w_T, out.z_T);
    const Real gamma_A = relative_velocity<Tangent>(out.w_T, d.zeta_T, u_A);
    out.offset_T = offset<Tangent, T::dof>(d.zeta_T, law.eps_T, gamma_A);
    p.c_T = sparse_dot<Tangent>(out.w_T, u_free) + out.offset_T;
    Real mu = law.mu;
    if constexpr (Contract<Model>::has_mu) mu = model.mu(i, absolute(gamma_A));
    p.mu = select(p.TT > Real(0), mu, Real(0));
    return outside(law.eps_N, Real(1)) | outside(law.eps_T, Real(1)) | outside(mu, Real(largest_direct_mu));
  } else {
    out.w_T = out.z_T = ClosedContact<Model>::Q::Zero();
    p.NT = p.TT = p.c_T = p.mu = out.offset_T = Real(0);
    return outside(law.eps_N, Real(1));
  }
}

// Takes what rounding has left of xi out of u_E: xi = 0 exactly for a row with the single entry 1 or -1 (z / G is then
// exactly that), and to rounding of the remainder for any other. Without it a block that sticks creeps by an ulp a
// step, and a contact at rest opens and closes at random.
template <class Pattern, class Real, int n>
[[gnu::always_inline]] inline void settle_row(Vector<Real, n>& u_E, const Vector<Real, n>& w, Real offset,
                                              const Vector<Real, n>& z, Real G) {
  const Real xi = sparse_dot<Pattern>(w, u_E) + offset;
  for_each_index<n>([&](auto j) { u_E.coeffRef(j) -= z.coeff(j) / G * xi; });
}

// What the percussions of a contact add to those of the ideal joints.
template <class Model, class Result>
[[gnu::always_inline]] inline void add_held(const ClosedContact<Model>& c, const Result& of_c,
                                            typename StepMass<Model>::Multipliers& P_B) {
  if constexpr (Traits<Model>::bilaterals > 0) {
    add_scaled(P_B, of_c.P_N, c.hold_N);
    if constexpr (Traits<Model>::tangents == 1) add_scaled(P_B, of_c.P_T, c.hold_T);
  }
}

// f(i) for the one bit i of n that is set, the index as a constant.
template <int n, int i = 0, class F>
[[gnu::always_inline]] inline void for_the_bit(unsigned bit, const F& f) {
  if constexpr (i + 1 >= n) {
    f(std::integral_constant<int, i>{});
  } else {
    if (bit == 1u << i)
      f(std::integral_constant<int, i>{});
    else
      for_the_bit<n, i + 1>(bit, f);
  }
}

}  // namespace detail
}  // namespace moreau
