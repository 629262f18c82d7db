// Contact problem of one step, in physical units: find P for given G and c, such that
//
//   xi = G P + c,   -xi_N in N_[0,inf)(P_N),   -xi_T in N_(mu P_N B)(P_T)          (SLG08 eq. 18, GS05 eq. 17)
//
// B is the unit interval [-1, 1] (planar) or the unit disc (spatial). A friction element has a bound in place of mu
// P_N.
//
// Row order: for each contact its normal and then its tangents, followed by the friction elements.
// Units: G in kg^-1, c and xi in m/s, P and bound in N s.
//
// Capacities are template parameters; counts are run-time values. Sweeps and Psor do not read G directly; they use
// diagonal(), xi(), row() and friction_row(). The other solvers read G.
#pragma once

#include "moreau/math/branching.hpp"

namespace moreau {

// Contact problem with dense G, filled by a step or a test and read by solvers.
template <class R, int contact_capacity, int tangent_count = 1, int friction_capacity = 0, int friction_dimension = 1>
struct ContactProblem {
  using Real = R;
  static constexpr int contacts = contact_capacity;
  static constexpr int tangents = tangent_count;
  static constexpr int frictions = friction_capacity;
  static constexpr int friction_dim = friction_dimension;
  static constexpr int per_contact = 1 + tangents;
  static constexpr int capacity = contacts * per_contact + frictions * friction_dim;
  using Percussions = Vector<Real, capacity>;

  int k = 0;         // number of closed contacts
  int elements = 0;  // number of friction elements
  Matrix<Real, capacity, capacity> G;
  Vector<Real, capacity> c;
  Vector<Real, contacts> mu;      // friction coefficient
  Vector<Real, frictions> bound;  // N s, largest percussion of a friction element

  // Return the number of rows, and the index of the first row of a contact or of a friction element.
  int rows() const { return k * per_contact + elements * friction_dim; }
  static int row(int contact) { return contact * per_contact; }
  int friction_row(int element) const { return k * per_contact + element * friction_dim; }

  Real diagonal(int r) const { return G.coeff(r, r); }

  // Returns xi_r = c_r + sum_s G_rs P_s, summed in row order.
  template <class P>
  Real xi(int r, const P& percussions) const {
    Real sum = c.coeff(r);
    for (int s = 0; s < rows(); ++s) sum += G.coeff(r, s) * percussions.coeff(s);
    return sum;
  }

  // Returns |c_r| + sum_s |G_rs P_s|, the reference magnitude for rounding errors in xi_r and for violations of its
  // contact law.
  template <class P>
  Real velocity_scale(int r, const P& percussions) const {
    Real sum = detail::absolute(c.coeff(r));
    for (int s = 0; s < rows(); ++s) sum += detail::absolute(G.coeff(r, s) * percussions.coeff(s));
    return sum;
  }

  // Returns xi_r and sets its velocity_scale. Each product is computed once.
  template <class P>
  Real xi(int r, const P& percussions, Real& velocity_scale) const {
    const int n = rows();
    Real sum = c.coeff(r), all = detail::absolute(sum);
    for (int s = 0; s < n; ++s) {
      const Real product = G.coeff(r, s) * percussions.coeff(s);
      sum += product;
      all += detail::absolute(product);
    }
    velocity_scale = all;
    return sum;
  }
};

namespace detail {

// Returns the largest G_ii of the `count` rows from `first`.
template <class C, int count, class Problem>
typename Problem::Real largest_diagonal(const Problem& problem, int first) {
  typename Problem::Real s = problem.diagonal(first);
  for (int t = 1; t < count; ++t) s = C::larger(s, problem.diagonal(first + t));
  return s;
}

// Contact problem of n contacts, for constant time. The counts are constants and the sums are unrolled. The rows of
// an open contact are zero (assemble.hpp). A law is the normal law or the friction law of one contact, or the friction
// law of one friction element.
template <class Problem, int n = Problem::contacts>
struct FullProblem {
  using Real = typename Problem::Real;
  using Percussions = typename Problem::Percussions;
  static constexpr int contacts = Problem::contacts, tangents = Problem::tangents;
  static constexpr int frictions = Problem::frictions, friction_dim = Problem::friction_dim;
  static constexpr int per_contact = Problem::per_contact, capacity = Problem::capacity;
  static constexpr int k = n, elements = frictions, size = n * per_contact + frictions * friction_dim;

  const Matrix<Real, capacity, capacity>& G;
  const Vector<Real, capacity>& c;
  const Vector<Real, contacts>& mu;
  const Vector<Real, frictions>& bound;

  Vector<Real, capacity> step;  // prox step length omega / max G_ii, in the first row of each law; 0 if all G_ii = 0

  FullProblem(const Problem& p, Real omega) : G(p.G), c(p.c), mu(p.mu), bound(p.bound) {
    for (int i = 0; i < k; ++i) {
      set_step<1>(row(i), omega);
      if constexpr (tangents > 0) set_step<tangents>(row(i) + 1, omega);
    }
    for (int j = 0; j < elements; ++j) set_step<friction_dim>(friction_row(j), omega);
  }

  static constexpr int rows() { return size; }
  static constexpr int row(int contact) { return contact * per_contact; }
  static constexpr int friction_row(int element) { return k * per_contact + element * friction_dim; }
  Real diagonal(int r) const { return G.coeff(r, r); }

  Real xi(int r, const Percussions& P) const {
    Real sum = c.coeff(r);
    for_each_in_blocks<size>([&](auto s) { sum += coupling(r, s) * P.coeff(s); });
    return sum;
  }
  Real velocity_scale(int r, const Percussions& P) const {
    Real sum = absolute(c.coeff(r));
    for_each_in_blocks<size>([&](auto s) { sum += absolute(coupling(r, s) * P.coeff(s)); });
    return sum;
  }
  Real xi(int r, const Percussions& P, Real& velocity_scale) const {
    velocity_scale = this->velocity_scale(r, P);
    return xi(r, P);
  }

 private:
  // Returns G_rs = G_sr. The entries G_sr of a large problem are contiguous in memory.
  Real coupling(int r, int s) const { return size > unroll_limit ? G.coeff(s, r) : G.coeff(r, s); }

  template <int dim>
  void set_step(int first, Real omega) {
    step.coeffRef(first) = divide_or_zero<Branchless>(omega, largest_diagonal<Branchless, dim>(*this, first));
  }
};

// Returns the scale s (kg^-1) of a contact, the largest G_ii of its rows. s P is a velocity.
template <class C = Branching, class Problem>
typename Problem::Real contact_scale(const Problem& problem, int contact) {
  return largest_diagonal<C, Problem::per_contact>(problem, problem.row(contact));
}

}  // namespace detail
}  // namespace moreau
