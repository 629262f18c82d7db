// The contact problem (contact_problem.hpp) of the closed contacts of a planar model, row by row and without G: what
// fits on a small stack. G_rs = w_r^T z_s, z = M^-1 w, is computed wherever it is asked for, so the judge can weigh it
// like any other problem; the sweeps work on velocities.
//
//   xi_r = c_r + w_r^T d,   d = sum z_s P_s
#pragma once

#include <array>
#include <cstdint>

#include "moreau/contact/laws.hpp"
#include "moreau/contact/mass.hpp"
#include "moreau/math/compiler.hpp"
#include "moreau/model/status.hpp"

namespace moreau {
namespace detail {

template <class Model>
struct ClosedRows {
  using T = Traits<Model>;
  using Real = typename T::Real;
  using Q = Vector<Real, T::dof>;
  static constexpr int contacts = T::contacts, tangents = T::tangents, frictions = 0, friction_dim = 1;
  static constexpr int per_contact = 1 + tangents, capacity = contacts * per_contact;
  static constexpr int elements = 0;
  using Percussions = Vector<Real, capacity>;

  int k = 0;                                               // closed contacts
  std::array<std::int8_t, std::size_t(contacts)> contact;  // the model's number of each
  Percussions c;
  Vector<Real, contacts> mu;
  std::array<Q, std::size_t(capacity)> W, Z;

  int id(int i) const { return contact[std::size_t(i)]; }
  static constexpr bool there(int) { return true; }
  int rows() const { return k * per_contact; }
  static int row(int i) { return i * per_contact; }
  static int friction_row(int) { return 0; }
  MOREAU_COLD MOREAU_NOINLINE Real G(int r, int s) const { return dot(W[std::size_t(r)], Z[std::size_t(s)]); }
  Real diagonal(int r) const { return G(r, r); }

  MOREAU_COLD MOREAU_NOINLINE Real xi(int r, const Percussions& P) const {
    Real sum = c.coeff(r);
    for (int s = 0; s < rows(); ++s) sum += G(r, s) * P.coeff(s);
    return sum;
  }
  MOREAU_COLD MOREAU_NOINLINE Real yardstick(int r, const Percussions& P) const {
    Real sum = absolute(c.coeff(r));
    for (int s = 0; s < rows(); ++s) sum += absolute(G(r, s) * P.coeff(s));
    return sum;
  }

  // In the order of the general step's checks (assemble.hpp), and with its answers.
  MOREAU_COLD Status fill(const Model& model, const Evaluation<Model>& at, const StepMass<Model>& mass, const Q& u_A,
                          const Q& u_free) {
    const auto in_range = [](Real x, Real bound) { return x >= Real(0) && x <= bound; };
    bool legal = true, pushes = true;
    Real probe = Real(0);
    for (int i = 0; i < k; ++i) {
      const int n = row(i), number = id(i);
      const auto d = at.directions(number);
      const ContactLaw<Real> law = model.law(number);
      set(n, d.w_N, d.zeta_N, law.eps_N, mass, u_A, u_free);
      mu.coeffRef(i) = law.mu;
      if constexpr (tangents > 0) {
        const Real gamma_A = set(n + 1, d.w_T.col(0), d.zeta_T, law.eps_T, mass, u_A, u_free);
        if constexpr (Contract<Model>::has_mu) mu.coeffRef(i) = model.mu(number, absolute(gamma_A));
      }
      legal = legal && in_range(law.eps_N, Real(1)) && in_range(law.eps_T, Real(1)) &&
              in_range(mu.coeff(i), std::numeric_limits<Real>::max());
      for (int r = n; r < n + per_contact; ++r) probe += finite_probe(c.coeff(r)) + finite_probe(diagonal(r));
      pushes = pushes && diagonal(n) > Real(0);
    }
    if (legal && !(probe == Real(0))) return Status::not_finite;
    return legal && pushes ? Status::ok : Status::invalid_argument;
  }

  // One prox sweep (psor.hpp, omega = 1), from d as P makes it: kept up to date within the sweep, computed anew for
  // the next, because d would drift.
  MOREAU_COLD void sweep(Percussions& P) const {
    Q d = Q::Zero();
    for (int r = 0; r < rows(); ++r) add_scaled(d, P.coeff(r), Z[std::size_t(r)]);
    Real radius = Real(0);
    for (int r = 0; r < rows(); ++r) {
      const bool normal = r % per_contact == 0;
      const Real G_rr = diagonal(r), old = P.coeff(r);
      Real next = Real(0);
      if (G_rr > Real(0)) {
        next = old - (c.coeff(r) + dot(W[std::size_t(r)], d)) / G_rr;
        next = normal ? prox_nonnegative(next) : prox_interval(next, radius);
      }
      P.coeffRef(r) = next;
      if (normal) radius = mu.coeff(r / per_contact) * next;
      add_scaled(d, next - old, Z[std::size_t(r)]);
    }
  }

 private:
  Real set(int r, const Q& w, Real zeta, Real eps, const StepMass<Model>& mass, const Q& u_A, const Q& u_free) {
    typename StepMass<Model>::Multipliers none;
    const Real gamma_A = dot(w, u_A) + zeta;
    W[std::size_t(r)] = w;
    Z[std::size_t(r)] = mass.solve(w, none);
    c.coeffRef(r) = dot(w, u_free) + zeta + eps * gamma_A;
    return gamma_A;
  }
};

}  // namespace detail
}  // namespace moreau
