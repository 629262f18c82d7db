// Contact data of one closed planar contact, in registers.
//
//   z = M^-1 w,   G = w^T z,   c = w^T u_free + zeta + eps gamma_A
//
// The values are bit-identical to those of assemble.hpp. If the contact index is a compile-time constant, structural
// zeros of the directions need no instructions.
#pragma once

#include "moreau/contact/impact_instants.hpp"
#include "moreau/contact/laws.hpp"
#include "moreau/contact/mass.hpp"
#include "moreau/contact/prescribed_sliding.hpp"
#include "moreau/math/branching.hpp"
#include "moreau/model/state.hpp"

namespace moreau {
namespace detail {

// Contact problem of one planar contact.
template <class Real>
struct PlanarContact {
  Real NN, NT, TN, TT;  // kg^-1
  Real c_N, c_T;        // m/s
  Real mu;
};

// Coupling of two contacts by G: rows of the first contact, columns of the second.
template <class Real>
struct Coupling {
  Real NN, NT, TN, TT;
};

// Percussion of one planar contact.
template <class Real>
struct Percussion {
  Real N = Real(0), T = Real(0);  // N s
};

// Percussion and discrete state of one contact.
template <class Real>
struct ContactResult {
  Real P_N = Real(0), P_T = Real(0);
  std::uint8_t sigma_N = 1, sigma_T = 1;
};

// Directions, responses and contact problem of one closed contact.
template <class Model>
struct ClosedContact {
  using Real = typename Traits<Model>::Real;
  using Q = Vector<Real, Traits<Model>::dof>;
  Q w_N, w_T, z_N, z_T;
  typename StepMass<Model>::Multipliers P_B_N, P_B_T;  // joint percussions due to a unit percussion
  Real zeta_N, zeta_T;
  PlanarContact<Real> planar;

  ClosedContact() {
    if constexpr (Traits<Model>::tangents == 0) {
      w_T = z_T = Q::Zero();
      planar.NT = planar.TN = planar.TT = planar.c_T = planar.mu = Real(0);
    }
  }
};

// Returns the entries of G with the rows of `a` and the columns of `b`. `contact` is the index of `a` if it is a
// compile-time constant, otherwise -1.
template <class Model, int contact = -1, class Rows>
Coupling<typename Model::Real> coupling(const Rows& a, const ClosedContact<Model>& b) {
  using Normal = DirectionPattern<Model, contact, 0>;
  using Tangent = DirectionPattern<Model, contact, 1>;
  return {sparse_dot<Normal>(a.w_N, b.z_N), sparse_dot<Normal>(a.w_N, b.z_T), sparse_dot<Tangent>(a.w_T, b.z_N),
          sparse_dot<Tangent>(a.w_T, b.z_T)};
}

// Returns a negative number unless 0 <= x <= bound. A NaN with the sign bit set passes this test, but fails the later
// test of u_E.
template <class Real>
std::int32_t outside(Real x, Real bound) {
  return (!in_range<Branchless>(x, bound)).bits;
}

// Returns a negative number unless x > 0.
template <class Real>
std::int32_t not_positive(Real x) {
  return static_cast<std::int32_t>((to_bits(x) | (to_bits(x) - 1)) >> (8 * sizeof(Real) - 32));
}

// Returns w^T u + zeta.
template <class Pattern, class Real, int n>
Real relative_velocity(const Vector<Real, n>& w, Real zeta, const Vector<Real, n>& u) {
  const Real gamma = sparse_dot<Pattern>(w, u);
  return Pattern::entry(n) ? gamma + zeta : gamma;
}

// Sets directions, responses and entries of G. `contact` is the index if it is a compile-time constant, otherwise -1.
template <int contact, class Model, class D, class Mass>
void set_rows(const D& d, const Mass& mass, ClosedContact<Model>& out) {
  using Normal = DirectionPattern<Model, contact, 0>;
  using Tangent = DirectionPattern<Model, contact, 1>;
  auto& p = out.planar;
  out.w_N = d.w_N;
  out.zeta_N = d.zeta_N;
  out.z_N = mass.template constrained_change<Normal>(out.w_N, out.P_B_N);
  p.NN = sparse_dot<Normal>(out.w_N, out.z_N);
  if constexpr (Traits<Model>::tangents == 1) {
    out.w_T = d.w_T.col(0);
    out.zeta_T = d.zeta_T;
    out.z_T = mass.template constrained_change<Tangent>(out.w_T, out.P_B_T);
    p.NT = p.TN = sparse_dot<Tangent>(out.w_T, out.z_N);
    p.TT = sparse_dot<Tangent>(out.w_T, out.z_T);
  }
}

// Number of a closed contact in the step and its bias acceleration, for models that declare second_order.
template <class Model, bool at_instants = Traits<Model>::second_order>
struct ContactInstant {
  static constexpr ContactInstant numbered(int) { return {}; }
};
template <class Model>
struct ContactInstant<Model, true> {
  int k = 0;
  ContactBias<typename Model::Real, Traits<Model>::tangents> bias{};

  ContactInstant numbered(int a_k) const { return {a_k, bias}; }
};

// Returns the instant of contact i, which is contact k of the step; `d` are its directions at the midpoint.
template <class Flow, class Model, class End, class D>
ContactInstant<Model> contact_instant([[maybe_unused]] const ContactPolicy<Flow, Model>& instants,
                                      [[maybe_unused]] int k, [[maybe_unused]] const Evaluation<Model>& at,
                                      [[maybe_unused]] const End& end, [[maybe_unused]] int i,
                                      [[maybe_unused]] const D& d) {
  if constexpr (Traits<Model>::second_order)
    return {k, instants.bias(at, end, i, d)};
  else
    return {};
}

// Sets c from the velocities of this step. Returns the sliding speed |gamma_TA|.
template <class Flow, int contact, class Model>
auto set_velocities(const Model& model, int i, const ContactLaw<typename Model::Real>& law,
                    ContactPolicy<Flow, Model>& policy, const ContactInstant<Model>& instant,
                    const typename ClosedContact<Model>::Q& u_A, const typename ClosedContact<Model>::Q& u_free,
                    ClosedContact<Model>& out) {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Normal = DirectionPattern<Model, contact, 0>;
  using Tangent = DirectionPattern<Model, contact, 1>;
  auto& p = out.planar;
  const Real gamma_NA = relative_velocity<Normal>(out.w_N, out.zeta_N, u_A);
  p.c_N = relative_velocity<Normal>(out.w_N, out.zeta_N, u_free);
  const Real gamma_free = p.c_N;
  p.c_N += law.eps_N * gamma_NA;
  Real slip = Real(0);
  if constexpr (T::tangents == 1) {
    const Real gamma_TA = relative_velocity<Tangent>(out.w_T, out.zeta_T, u_A);
    p.c_T = relative_velocity<Tangent>(out.w_T, out.zeta_T, u_free) + law.eps_T * gamma_TA;
    slip = absolute(gamma_TA);
  }
  if constexpr (T::second_order)
    policy.template set_contact<contact>(model, instant.k, i, out, p.NN, instant.bias, law, gamma_NA, gamma_free, p.c_N,
                                         [&p](int) -> Real& { return p.c_T; });
  return slip;
}

// Sets the friction coefficient. Returns a negative number if a parameter of the contact laws is out of range.
template <class Model>
std::int32_t set_law(const ContactLaw<typename Model::Real>& law, typename Model::Real mu,
                     PlanarContact<typename Model::Real>& p) {
  using Real = typename Model::Real;
  if constexpr (Traits<Model>::tangents == 1) {
    p.mu = Branchless::select_if_less(Real(0), p.TT, mu, Real(0));  // no friction if w_T = 0
    return outside(law.eps_N, Real(1)) | outside(law.eps_T, Real(1)) | outside(mu, std::numeric_limits<Real>::max());
  } else {
    return outside(law.eps_N, Real(1));
  }
}

// Applies prescribed_sliding.hpp: c_T and TT >= g of a prescribed row; TT = 0 without sliding.
template <class Flow, int contact, class Model>
void prescribe_sliding(const StepMass<Model>& mass, const typename ClosedContact<Model>::Q& u_free,
                       ClosedContact<Model>& out) {
  if constexpr (can_prescribe_sliding<Model>) {
    using Tangent = DirectionPattern<Model, contact, 1>;
    auto& p = out.planar;
    const auto gamma_T = relative_velocity<Tangent>(out.w_T, out.zeta_T, u_free);
    const PrescribedRow<Flow, typename Model::Real> row(Tangent{}, mass, out.P_B_T, p.TT, gamma_T);
    p.c_T = select<Flow>(row.holds, row.velocity, p.c_T);
    p.TT = select_or_zero<Flow>(row.slides, Flow::larger(p.TT, row.least));
  }
}

// Sets all data of a closed contact. Returns a negative number if a law parameter is out of range or w_N = 0.
template <class Flow, int contact, class Model, class D>
std::int32_t close_contact(const Model& model, int i, const D& d, const ContactLaw<typename Model::Real>& law,
                           const StepMass<Model>& mass, ContactPolicy<Flow, Model>& policy,
                           const ContactInstant<Model>& instant, const typename ClosedContact<Model>::Q& u_A,
                           const typename ClosedContact<Model>::Q& u_free, ClosedContact<Model>& out) {
  set_rows<contact>(d, mass, out);
  [[maybe_unused]] const auto slip = set_velocities<Flow, contact>(model, i, law, policy, instant, u_A, u_free, out);
  auto mu = law.mu;
  if constexpr (Contract<Model>::has_mu) mu = model.mu(i, slip);
  prescribe_sliding<Flow, contact>(mass, u_free, out);
  return set_law<Model>(law, mu, out.planar) | not_positive(out.planar.NN);
}

// Adds the joint percussions due to the percussion of one contact to P_B.
template <class Model, class Result>
void add_joint_percussions(const ClosedContact<Model>& c, const Result& of_c,
                           typename StepMass<Model>::Multipliers& P_B) {
  if constexpr (Traits<Model>::bilaterals > 0) {
    add_scaled(P_B, of_c.P_N, c.P_B_N);
    if constexpr (Traits<Model>::tangents == 1) add_scaled(P_B, of_c.P_T, c.P_B_T);
  }
}

// Directions and law parameters of one contact in memory. The constant-time step selects a contact by its address,
// without a branch. Structural zeros of the direction pattern stay zero.
template <class Model>
struct StoredContact : ContactInstant<Model> {
  using T = Traits<Model>;
  using Real = typename T::Real;
  Directions<Real, T::dof, T::tangents> directions;
  ContactLaw<Real> law;

  void set(const Directions<Real, T::dof, T::tangents>& d, const ContactLaw<Real>& a_law,
           const ContactInstant<Model>& an_instant) {
    using Normal = DirectionPattern<Model, -1, 0>;
    using Tangent = DirectionPattern<Model, -1, 1>;
    for_each_index<T::dof>([&](auto j) {
      if (Normal::entry(j)) directions.w_N.coeffRef(j) = d.w_N.coeff(j);
      if constexpr (T::tangents == 1)
        if (Tangent::entry(j)) directions.w_T.coeffRef(j, 0) = d.w_T.coeff(j, 0);
    });
    if (Normal::entry(T::dof)) directions.zeta_N = d.zeta_N;
    if (T::tangents == 1 && Tangent::entry(T::dof)) directions.zeta_T = d.zeta_T;
    law = a_law;
    static_cast<ContactInstant<Model>&>(*this) = an_instant;
  }
};

// Calls f(i), where i < n is the index of the only set bit. i is a compile-time constant.
template <int n, int i = 0, class F>
void for_the_bit(unsigned bit, const F& f) {
  if constexpr (i + 1 >= n) {
    f(std::integral_constant<int, i>{});
  } else {
    if (bit == 1u << i)
      f(std::integral_constant<int, i>{});
    else
      for_the_bit<n, i + 1>(bit, f);
  }
}

// True if contacts are evaluated with a run-time index in both timing modes: their code, which includes the bias
// acceleration, is then inlined once instead of once per contact.
template <class Model>
constexpr bool evaluates_by_index = (uniform_contacts<Model> && Contract<Model>::has_contact_bias);

// Calls f(i) for the index of the lowest set bit.
template <class Model, class F>
void for_the_lowest_bit(unsigned bits, const F& f) {
  if constexpr (evaluates_by_index<Model>)
    f(int(cpu::count_trailing_zeros(bits)));
  else
    for_the_bit<Traits<Model>::contacts>(bits & (0u - bits), f);
}

}  // namespace detail
}  // namespace moreau
