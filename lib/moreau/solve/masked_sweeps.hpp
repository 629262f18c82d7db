// Psor (psor.hpp) in constant time: a fixed number of sweeps over all laws, the absent ones masked. Nobody asks whether
// the percussions have settled; the judge says how far they came.
//
//   r = 0 for a law that is absent or has no direction to act in: its percussion starts at zero and stays there.
//
// The operations are those of psor.hpp in its order, the masked rows add zeros: the same bits as long as that one does
// not stop before the last sweep.
#pragma once

#include "moreau/contact/masked_laws.hpp"
#include "moreau/solve/psor.hpp"

namespace moreau {

template <class Of>
class MaskedSweeps {
 public:
  using Problem = FullProblem<Of>;
  using Real = typename Problem::Real;
  using Percussions = typename Problem::Percussions;
  static constexpr int contacts = Problem::contacts, tangents = Problem::tangents;
  static constexpr int elements = Problem::frictions, dim = Problem::friction_dim;
  static constexpr int first_element = contacts * Problem::per_contact;

  MaskedSweeps(const Of& problem, Real omega) : problem_(problem) {
    for (int i = 0; i < contacts; ++i) {
      const int n = problem.row(i);
      r_N_[i] = over_positive(omega, problem.diagonal(n));
      if constexpr (tangents > 0) r_T_[i] = over_positive(omega, scale<tangents>(n + 1));
    }
    for (int j = 0; j < elements; ++j) r_F_[j] = over_positive(omega, scale<dim>(first_element + j * dim));
  }

  void operator()(const Percussions& from, Percussions& to) const {
    for (int i = 0; i < contacts; ++i) {
      const int n = Problem::row(i);
      to.coeffRef(n) = prox_nonnegative<detail::Select>(from.coeff(n) - r_N_[i] * problem_.xi(n, from));
      if constexpr (tangents > 0) relax<tangents>(n + 1, r_T_[i], problem_.mu.coeff(i) * to.coeff(n), from, to);
    }
    for (int j = 0; j < elements; ++j) relax<dim>(first_element + j * dim, r_F_[j], problem_.bound.coeff(j), from, to);
  }

 private:
  template <int n>
  Real scale(int first) const {
    Real s = problem_.diagonal(first);
    for (int t = 1; t < n; ++t) s = masked_larger(s, problem_.diagonal(first + t));
    return s;
  }
  template <int n>
  [[gnu::always_inline]] void relax(int first, Real r, Real radius, const Percussions& from, Percussions& to) const {
    Vector<Real, n> x;
    for (int t = 0; t < n; ++t) x.coeffRef(t) = from.coeff(first + t) - r * problem_.xi(first + t, from);
    const Vector<Real, n> projected = prox_friction<detail::Select>(x, radius);
    for (int t = 0; t < n; ++t) to.coeffRef(first + t) = projected.coeff(t);
  }

  const Problem problem_;
  Real r_N_[std::size_t(contacts + 1)], r_T_[std::size_t(contacts + 1)], r_F_[std::size_t(elements + 1)];
};

}  // namespace moreau
