// Check of the declared structure of M and of the directions (model/traits.hpp), and of symmetric_steps.
//
//   M                   symmetric and positive definite
//   mass_pattern        entries below the diagonal are zero where the pattern is false
//   direction_pattern   entries of w_N and zeta_N, and of planar w_T and zeta_T, are zero where the pattern is false
//   diagonal_mass       off-diagonal entries are zero
//   touches             entries of the rows of the ideal joints are zero where touches is false
//   constant_mass       M is equal at another configuration and time
//   constant_directions w and zeta of every contact are equal at another configuration and time
//   parts               of a mechanism: each part occurs once in parts()
//
// A step never reads an entry that is declared zero. Of these declarations, a step verifies only constant_mass and
// constant_directions.
//
// symmetric_steps requires the following invariances:
//
//   force               independent of velocity
//   M, w and zeta       independent of configuration and time, for contacts, friction elements and ideal joints
//   mu                  independent of the slip velocity
//
// potential: reported if dV/dq is not 0 and h(q, 0) = dV/dq. The correct relation without other forces is h = -dV/dq.
//
// CheckReport::Finding defines the meaning of the index.
#pragma once

#include "moreau/check/energy_audit.hpp"
#include "moreau/check/parts_checker.hpp"
#include "moreau/contact/mass.hpp"
#include "moreau/math/detect.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/traits.hpp"

namespace moreau {
namespace detail {

// Returns the first row of the ideal joints that depends linearly on the rows before it, or -1.
template <class Model>
int dependent_row(const Evaluation<Model>& at) {
  EffectiveMass<Model, FactorsOf<Model>> mass;
  if (!mass.inertia().factor(at.mass())) return -1;
  return mass.factor_joints(at) ? -1 : mass.first_dependent_row();
}

// Reports a potential with the wrong sign.
template <class Model, class Q, class Real>
void check_potential([[maybe_unused]] const Model& model, [[maybe_unused]] const Q& q, [[maybe_unused]] Real t,
                     [[maybe_unused]] const CheckOptions<Real>& options, [[maybe_unused]] CheckReport<Real>& report) {
  if constexpr (!is_missing<typename Contract<Model>::Potential>) {
    const Q h = Evaluation<Model>(model, q, t).force(Q(Q::Zero()));
    Real size = Real(0), apart = Real(0), V = absolute(potential(model, q, t));
    for (int d = 0; d < Traits<Model>::dof; ++d) {
      const Real slope = difference<Real>(
          options.step_q, [&](Real step) { return potential(model, displaced_along(model, q, d, step), t); });
      size = larger(size, absolute(slope));
      apart = larger(apart, absolute(h(d) - slope));
    }
    const Real rounding = Real(64) * epsilon<Real> * (V + size) / options.step_q;
    const bool reversed = size > 4 * rounding && apart <= options.tolerance * size + rounding;
    report.add({Member::potential, 0, -1, reversed ? size : Real(0), Real(0)});
  }
}

// Checks that M is symmetric and positive definite.
template <class Real, int n>
void check_mass(const Matrix<Real, n, n>& M, const CheckOptions<Real>& options, CheckReport<Real>& report) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      const Real scale = absolute(M(i, i)) + absolute(M(j, j));
      report.add({Member::mass_symmetry, i, j, absolute(M(i, j) - M(j, i)), options.tolerance * scale});
    }
  // Eliminate without pivoting. M is positive definite if all pivots are positive.
  Matrix<Real, n, n> A = M;
  for (int k = 0; k < n; ++k) {
    const Real least = Real(4 * n) * epsilon<Real> * absolute(M(k, k));
    const bool positive = A(k, k) > least;
    // epsilon makes the reported deviation positive even if the pivot equals the bound.
    const Real missing = absolute(least - A(k, k)) + epsilon<Real>;
    report.add({Member::mass_definite, k, k, positive ? Real(0) : missing, Real(0)});
    if (!positive) return;
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j) A(i, j) -= A(i, k) * A(k, j) / A(k, k);
  }
}

// Checks that two vectors are equal within the tolerance.
template <class Real, class A, class B>
void check_equal(Member member, int index, int coordinate, const A& a, const B& b, const CheckOptions<Real>& options,
                 CheckReport<Real>& report) {
  Real change = Real(0), size = Real(0);
  for (Eigen::Index k = 0; k < a.size(); ++k) {
    change = larger(change, absolute(a.coeff(k) - b.coeff(k)));
    size = larger(size, larger(absolute(a.coeff(k)), absolute(b.coeff(k))));
  }
  report.add({member, index, coordinate, change, options.tolerance * size});
}

// Calls compare(a, b) for each vector of two sets of directions.
template <class Real, int dof, int tangents, class Compare>
void each_direction(const Directions<Real, dof, tangents>& a, const Directions<Real, dof, tangents>& b,
                    const Compare& compare) {
  const auto single = [](Real x) { return Vector<Real, 1>(x); };
  compare(a.w_N, b.w_N);
  compare(single(a.zeta_N), single(b.zeta_N));
  if constexpr (tangents > 0) compare(a.w_T, b.w_T);
  for (int k = 0; k < tangents; ++k) compare(single(component(a.zeta_T, k)), single(component(b.zeta_T, k)));
}

// Checks M and the declared structure at (q, t).
template <class Model, class Real = typename Traits<Model>::Real, class Q = Vector<Real, Traits<Model>::dof>>
void check_structure(const Model& model, const Q& q, Real t, const CheckOptions<Real>& options,
                     CheckReport<Real>& report) {
  using T = Traits<Model>;
  constexpr int n = T::dof;
  const Evaluation<Model> at(model, q, t);
  const Matrix<Real, n, n> M = at.mass();
  if constexpr (is_mechanism<Model>) {
    const int repeated = Model::List::repeated_part(model);
    const Real deviation = repeated < 0 ? Real(0) : std::numeric_limits<Real>::infinity();
    report.add({Member::parts, repeated < 0 ? 0 : repeated, 0, deviation, Real(0)});
  }
  check_mass<Real, n>(M, options, report);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      if constexpr (T::diagonal_mass) report.add({Member::diagonal_mass, i, j, absolute(M(i, j)), Real(0)});
      if constexpr (MassPattern<Model>::declared)
        if (!MassPattern<Model>::entry(i, j)) report.add({Member::mass_pattern, i, j, absolute(M(i, j)), Real(0)});
    }
  if constexpr (T::diagonal_mass && T::bilaterals > 0)
    for (int j = 0; j < T::bilaterals; ++j) {
      const auto row = at.bilateral(j);
      for (int d = 0; d < n; ++d)
        if (!Model::touches(j, d)) report.add({Member::touches, j, d, absolute(row.w(d)), Real(0)});
    }
  const Q elsewhere = q + Q::Constant(options.length / 10);
  const Evaluation<Model> there(model, elsewhere, t + 1);
  if constexpr (T::constant_mass) {
    const Matrix<Real, n, n> later = there.mass();
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        report.add({Member::constant_mass, i, j, absolute(M(i, j) - later(i, j)),
                    options.tolerance * (absolute(M(i, j)) + absolute(later(i, j)))});
  }
  if constexpr (T::constant_directions && T::contacts > 0)
    for (int i = 0; i < T::contacts; ++i)
      each_direction(at.directions(i), there.directions(i), [&](const auto& a, const auto& b) {
        check_equal(Member::constant_directions, i, 0, a, b, options, report);
      });
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

// Checks the declaration symmetric_steps at (q, u, t).
template <class Model, class Real = typename Traits<Model>::Real, class Q = Vector<Real, Traits<Model>::dof>>
void check_symmetry(const Model& model, const Q& q, const Q& u, Real t, const CheckOptions<Real>& options,
                    CheckReport<Real>& report) {
  using T = Traits<Model>;
  const Q elsewhere = q + Q::Constant(options.length / 10);
  const Real later = t + Real(0.0123);
  const Evaluation<Model> here(model, q, t), there(model, elsewhere, later);
  const auto compare = [&](int index, int coordinate, const auto& a, const auto& b) {
    check_equal(Member::symmetric_steps, index, coordinate, a, b, options, report);
  };
  const auto single = [](Real x) { return Vector<Real, 1>(x); };

  compare(1, 0, here.mass(), there.mass());
  const Q h = here.force(u), ones = Q::Constant(Real(1));
  for (const Q& other : {Q(-u), Q(u + ones), Q(Real(2) * u - ones)}) compare(2, 0, h, here.force(other));
  if constexpr (T::contacts > 0)
    for (int i = 0; i < T::contacts; ++i) {
      each_direction(here.directions(i), there.directions(i),
                     [&](const auto& a, const auto& b) { compare(3, i, a, b); });
      if constexpr (Contract<Model>::has_mu) compare(4, i, single(model.mu(i, Real(0))), single(model.mu(i, Real(1))));
    }
  if constexpr (T::frictions > 0)
    for (int j = 0; j < T::frictions; ++j) {
      const auto a = here.friction_directions(j), b = there.friction_directions(j);
      compare(5, j, Q(a.w.col(0)), Q(b.w.col(0)));
      compare(5, j, single(component(a.zeta, 0)), single(component(b.zeta, 0)));
    }
  if constexpr (T::bilaterals > 0)
    for (int j = 0; j < T::bilaterals; ++j) {
      const auto a = here.bilateral(j), b = there.bilateral(j);
      compare(6, j, a.w, b.w);
      compare(6, j, single(a.zeta), single(b.zeta));
    }
}

}  // namespace detail
}  // namespace moreau
