// One closed planar contact as a step sees it: directions, what a unit percussion does to u, its entries of G and c.
// The same numbers as assemble.hpp, but in registers: the index of the contact is a constant where there are few.
#pragma once

#include "moreau/contact/laws.hpp"
#include "moreau/contact/mass.hpp"
#include "moreau/math/choice.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

template <class Real>
struct PlanarContact {
  Real NN, NT, TT;  // kg^-1
  Real c_N, c_T;    // m/s
  Real mu;          // 0 where friction cannot act

  template <class Choice>
  MOREAU_ALWAYS_INLINE void become(typename Choice::Condition c, const PlanarContact& other) {
    Choice::overwrite(c, NN, other.NN, NT, other.NT);
    Choice::overwrite(c, TT, other.TT, mu, other.mu);
    Choice::overwrite(c, c_N, other.c_N, c_T, other.c_T);
  }
};

// What couples two contacts: the entries of G between the rows of the first and the columns of the second.
template <class Real>
struct Coupling {
  Real NN, NT, TN, TT;
};

// What a step stores of one contact.
template <class Real>
struct ContactResult {
  Real P_N = Real(0), P_T = Real(0);
  std::uint8_t sigma_N = 1, sigma_T = 1;
};

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
MOREAU_ALWAYS_INLINE Coupling<typename Model::Real> coupling(const Rows& a, const ClosedContact<Model>& b) {
  using Normal = DirectionPattern<Model, -1, 0>;
  using Tangent = DirectionPattern<Model, -1, 1>;
  return {sparse_dot<Normal>(a.w_N, b.z_N), sparse_dot<Normal>(a.w_N, b.z_T), sparse_dot<Tangent>(a.w_T, b.z_N),
          sparse_dot<Tangent>(a.w_T, b.z_T)};
}

// u_E += M^-1 W P of one contact.
template <class Model, class Real>
MOREAU_ALWAYS_INLINE void kick(const ClosedContact<Model>& c, const ContactResult<Real>& P,
                               typename ClosedContact<Model>::Q& u_E) {
  add_scaled(u_E, P.P_N, c.z_N);
  add_scaled(u_E, P.P_T, c.z_T);
}

// The same of two contacts. Returns the magnitudes of what u_E is then the sum of.
template <class Model, class Real>
MOREAU_ALWAYS_INLINE typename ClosedContact<Model>::Q kick(const ClosedContact<Model>& a, const ClosedContact<Model>& b,
                                                           const ContactResult<Real>& A, const ContactResult<Real>& B,
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

// Not negative where 0 <= x <= bound (a negative NaN gets through, and is found in u_E).
template <class Real>
MOREAU_ALWAYS_INLINE std::int32_t outside(Real x, Real bound) {
  return (!in_range<Select>(x, bound)).bits;
}

// Not negative where x > 0 (zeros of either sign are not).
template <class Real>
MOREAU_ALWAYS_INLINE std::int32_t not_positive(Real x) {
  return static_cast<std::int32_t>((to_bits(x) | (to_bits(x) - 1)) >> (8 * sizeof(Real) - 32));
}

// Above this friction coefficient the general step takes over (sigma needs a closer look there).
constexpr int largest_direct_mu = 32;

// zeta + eps gamma_A: what xi has besides w^T u_E.
template <class Pattern, int n, class Real>
MOREAU_ALWAYS_INLINE Real offset(Real zeta, Real eps, Real gamma_A) {
  return Pattern::entry(n) ? zeta + eps * gamma_A : eps * gamma_A;
}

// w^T u + zeta
template <class Pattern, class Real, int n>
MOREAU_ALWAYS_INLINE Real relative_velocity(const Vector<Real, n>& w, Real zeta, const Vector<Real, n>& u) {
  const Real gamma = sparse_dot<Pattern>(w, u);
  return Pattern::entry(n) ? gamma + zeta : gamma;
}

// `contact`: the index as a constant, or -1 where it is computed.
// Not negative where the law is legal. That the contact has a normal direction (NN > 0) is for the caller to see.
template <int contact, class Model, class D>
MOREAU_ALWAYS_INLINE std::int32_t close_contact(const Model& model, int i, const D& d,
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
    p.mu = Select::if_less(Real(0), p.TT, mu, Real(0));
    return outside(law.eps_N, Real(1)) | outside(law.eps_T, Real(1)) | outside(mu, Real(largest_direct_mu));
  } else {
    out.w_T = out.z_T = ClosedContact<Model>::Q::Zero();
    p.NT = p.TT = p.c_T = p.mu = out.offset_T = Real(0);
    return outside(law.eps_N, Real(1));
  }
}

// Takes what rounding has left of xi out of u_E, if wanted: xi = 0 exactly for a row with the single entry 1 or -1 (z / G
// is then exactly that), and to rounding of the remainder for any other. Without it a block that sticks creeps by an ulp
// a step, and a contact at rest opens and closes at random.
template <class Choice, class Pattern, class Real, int n>
MOREAU_ALWAYS_INLINE void remove_rounding(typename Choice::Condition wanted, Vector<Real, n>& u_E,
                                          const Vector<Real, n>& w, Real offset, const Vector<Real, n>& z, Real G) {
  if (Choice::leave(!wanted)) return;
  Real xi = sparse_dot<Pattern>(w, u_E) + offset;
  Choice::overwrite(!wanted, xi, Real(0), G, Real(1));
  for_each_index<n>([&](auto j) { u_E.coeffRef(j) -= z.coeff(j) / G * xi; });
}

// What the percussions of a contact add to those of the ideal joints.
template <class Model, class Result>
MOREAU_ALWAYS_INLINE void add_held(const ClosedContact<Model>& c, const Result& of_c,
                                   typename StepMass<Model>::Multipliers& P_B) {
  if constexpr (Traits<Model>::bilaterals > 0) {
    add_scaled(P_B, of_c.P_N, c.hold_N);
    if constexpr (Traits<Model>::tangents == 1) add_scaled(P_B, of_c.P_T, c.hold_T);
  }
}

// Directions and law of one contact, stored and loaded at an address that is computed, never branched on.
template <class Model>
struct StoredContact {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  Q w_N, w_T;
  Real zeta_N, zeta_T;
  Real eps_N, eps_T, mu;

  void set(const Directions<Real, T::dof, T::tangents>& d, const ContactLaw<Real>& law) {
    using Normal = DirectionPattern<Model, -1, 0>;
    using Tangent = DirectionPattern<Model, -1, 1>;
    for_each_index<T::dof>([&](auto j) {
      if (Normal::entry(j)) w_N.coeffRef(j) = d.w_N.coeff(j);
      if constexpr (T::tangents == 1) {
        if (Tangent::entry(j)) w_T.coeffRef(j) = d.w_T.coeff(j, 0);
      } else {
        w_T.coeffRef(j) = Real(0);  // the step multiplies it, friction or not
      }
    });
    if (Normal::entry(T::dof)) zeta_N = d.zeta_N;
    if (T::tangents == 1 && Tangent::entry(T::dof)) zeta_T = d.zeta_T;
    eps_N = law.eps_N;
    eps_T = law.eps_T;
    mu = law.mu;
  }

  // True where the law is illegal or there is no normal direction. Where `absent`, the contact is one that opens.
  SignMask close(const Model& model, int i, SignMask absent, const StepMass<Model>& mass, const Q& u_A, const Q& u_free,
                 ClosedContact<Model>& out) const {
    const SignMask illegal{
        close_contact<-1>(model, i, *this, ContactLaw<Real>{eps_N, eps_T, mu}, mass, u_A, u_free, out)};
    PlanarContact<Real>& p = out.planar;
    const SignMask refused = (illegal || SignMask{not_positive(p.NN)}) && !absent;
    Select::overwrite(absent, p.NN, Real(1), p.c_N, Real(1));
    return refused;
  }
};

// f(i) for the one bit i of n that is set, the index as a constant.
template <int n, int i = 0, class F>
MOREAU_ALWAYS_INLINE void for_the_bit(unsigned bit, const F& f) {
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
