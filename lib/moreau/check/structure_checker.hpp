// Does a model declare the structure of M and of its directions (model/traits.hpp) as it is?
//
//   M                   symmetric and positive definite
//   mass_pattern        no entry where it is false, on and below the diagonal
//   direction_pattern   the same for w_N, w_T and their zeta
//   diagonal_mass       no entry beside the diagonal
//   constant_mass       the same at another place and time
//   parts               of a mechanism: none stands twice in parts()
//
// A step takes the model at its word: an entry that is declared zero is never read.
#pragma once

#include "moreau/check/differences.hpp"
#include "moreau/check/findings.hpp"
#include "moreau/math/detect.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {
namespace detail {

template <class Model>
using repeated_part_in = decltype(Model::List::repeated_part(const_object<Model>()));

template <class Real, int n>
void look_at_mass(const Matrix<Real, n, n>& M, const CheckOptions<Real>& options, CheckReport<Real>& report) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const Real scale = absolute(M(i, i)) + absolute(M(j, j));
      report.add({Member::mass_symmetry, i, j, absolute(M(i, j) - M(j, i)), options.tolerance * scale});
    }
  // Elimination without exchange: M is positive definite as long as the pivots are.
  Matrix<Real, n, n> A = M;
  for (int k = 0; k < n; ++k) {
    const Real least = Real(4 * n) * epsilon<Real> * absolute(M(k, k));
    const bool positive = A(k, k) > least;
    // not positive: beyond what is allowed in any case, also where the difference is 0
    const Real missing = absolute(least - A(k, k)) + epsilon<Real>;
    report.add({Member::mass_definite, k, k, positive ? Real(0) : missing, Real(0)});
    if (!positive) return;
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j) A(i, j) -= A(i, k) * A(k, j) / A(k, k);
  }
}

template <class Model, class Real = typename Traits<Model>::Real, class Q = Vector<Real, Traits<Model>::dof>>
void look_at_structure(const Model& model, const Q& q, Real t, const CheckOptions<Real>& options,
                       CheckReport<Real>& report) {
  using T = Traits<Model>;
  constexpr int n = T::dof;
  const Evaluation<Model> at(model, q, t);
  const Matrix<Real, n, n> M = at.mass();
  if constexpr (detected<repeated_part_in, Model>) {
    const int twice = Model::List::repeated_part(model);
    const Real deviation = twice < 0 ? Real(0) : std::numeric_limits<Real>::infinity();
    report.add({Member::parts, twice < 0 ? 0 : twice, 0, deviation, Real(0)});
  }
  look_at_mass<Real, n>(M, options, report);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      if constexpr (T::diagonal_mass) report.add({Member::diagonal_mass, i, j, absolute(M(i, j)), Real(0)});
      if constexpr (MassPattern<Model>::declared)
        if (!MassPattern<Model>::entry(i, j)) report.add({Member::mass_pattern, i, j, absolute(M(i, j)), Real(0)});
    }
  if constexpr (T::constant_mass) {
    const Matrix<Real, n, n> later = Evaluation<Model>(model, Q(q + Q::Constant(options.length / 10)), t + 1).mass();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        report.add({Member::constant_mass, i, j, absolute(M(i, j) - later(i, j)),
                    options.tolerance * (absolute(M(i, j)) + absolute(later(i, j)))});
  }
  if constexpr (DirectionPattern<Model, 0, 0>::declared && T::contacts > 0)
    for (int i = 0; i < T::contacts; ++i) {
      const auto d = at.directions(i);
      const auto zero = [&](int row, int j, Real x) {
        if (!Model::direction_pattern(i, row, j)) report.add({Member::direction_pattern, i, j, absolute(x), Real(0)});
      };
      for (int j = 0; j < n; ++j) zero(0, j, d.w_N(j));
      zero(0, n, d.zeta_N);
      if constexpr (T::tangents == 1) {
        for (int j = 0; j < n; ++j) zero(1, j, d.w_T(j, 0));
        zero(1, n, d.zeta_T);
      }
    }
}

}  // namespace detail
}  // namespace moreau
