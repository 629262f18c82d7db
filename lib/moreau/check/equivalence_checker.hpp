// Checks of points at which a model must return equal values.
//
//   pure     two calls with the same arguments return identical values. A step calls a function once or several times,
//            and a repeated step calls it again, so no function may store data
//   wrap     q and wrap(q): at q, and with one coordinate displaced by one turn or by one of several other angles
//   period   t and t + period(): at 16 times within one period
//
// Displacements by other angles are omitted if wrap() does not change the result, or if the model returns non-finite
// values there.
#pragma once

#include "moreau/check/structure_checker.hpp"

namespace moreau {
namespace detail {

// Compares gaps (index 0), mass (1), force (2) and rows of the ideal joints (6) at two points that `wrap` or `period`
// declares equivalent.
template <class Model, class Q, class Real>
void check_equivalent(Member member, const Evaluation<Model>& a, const Evaluation<Model>& b, const Q& u,
                      const CheckOptions<Real>& options, CheckReport<Real>& report) {
  using T = Traits<Model>;
  const auto add = [&](int index, int coordinate, Real difference, Real allowed) {
    report.add({member, index, coordinate, absolute(difference), allowed});
  };
  if constexpr (T::contacts > 0)
    for (int i = 0; i < T::contacts; ++i)
      add(0, i, a.gap(i) - b.gap(i), options.tolerance * (absolute(a.gap(i)) + options.length));
  if constexpr (T::bilaterals > 0)
    for (int j = 0; j < T::bilaterals; ++j)
      add(6, j, a.bilateral(j).g - b.bilateral(j).g, options.tolerance * options.length);
  const auto M_a = a.mass(), M_b = b.mass();
  const Q h_a = a.force(u), h_b = b.force(u);
  Real size_M = Real(0), size_h = Real(0);
  for (int j = 0; j < T::dof; ++j) {
    size_M = larger(size_M, absolute(M_a(j, j)));
    size_h = larger(size_h, absolute(h_a(j)));
  }
  for (int j = 0; j < T::dof; ++j) {
    for (int i = 0; i < T::dof; ++i) add(1, j, M_a(i, j) - M_b(i, j), options.tolerance * size_M);
    add(2, j, h_a(j) - h_b(j), options.tolerance * size_h);
  }
}

// Returns true if gaps, mass, force and rows are finite.
template <class Model, class Q>
bool is_finite_at(const Evaluation<Model>& at, const Q& u) {
  using T = Traits<Model>;
  auto probe = finite_probe(Q(at.force(u)));
  const auto M = at.mass();
  for (int j = 0; j < T::dof; ++j) probe += finite_probe(M(j, j));
  if constexpr (T::contacts > 0)
    for (int i = 0; i < T::contacts; ++i) probe += finite_probe(at.gap(i));
  if constexpr (T::bilaterals > 0)
    for (int j = 0; j < T::bilaterals; ++j) probe += finite_probe(at.bilateral(j).g);
  return probe == 0;
}

// Compares the model at given configurations and at the wrapped ones.
template <class Model, class Q, class Real>
void check_wrap(const Model& model, const Q& q, const Q& u, Real t, const CheckOptions<Real>& options,
                CheckReport<Real>& report) {
  const auto compare = [&](const Q& there, bool always) {
    const Q wrapped = model.wrap(there);
    const Evaluation<Model> a(model, there, t);
    if (!always && (wrapped == there || !is_finite_at(a, u))) return;
    check_equivalent(Member::wrap, a, Evaluation<Model>(model, wrapped, t), u, options, report);
  };
  compare(q, true);
  constexpr Real angles[] = {Real(1.3), Real(2.6), Real(3.9), Real(5.2), Real(-1.3), Real(-2.6), Real(-3.9)};  // rad
  for (int j = 0; j < Traits<Model>::dof; ++j) {
    Q there = q;
    there(j) += 2 * pi<Real>;
    compare(there, true);
    for (const Real angle : angles) {
      there(j) = q(j) + angle;
      compare(there, false);
    }
  }
}

// Compares the model at t and one period later, at several times within one period.
template <class Model, class Q, class Real>
void check_period(const Model& model, const Q& q, const Q& u, Real t, const CheckOptions<Real>& options,
                  CheckReport<Real>& report) {
  constexpr int times = 16;
  constexpr Real between = Real(0.0618);  // fraction of the period; few motions switch at its multiples
  const Real period = model.period();
  for (int k = 0; k < times; ++k) {
    const Real there = t + Real(k) * between * period;
    check_equivalent(Member::period, Evaluation<Model>(model, q, there), Evaluation<Model>(model, q, there + period), u,
                     options, report);
  }
}

// Reports functions that return different values for the same arguments. Index as for wrap, and 3 directions, 4 mu, 5
// friction elements.
template <class Model, class Q, class Real>
void check_pure(const Model& model, const Q& q, const Q& u, Real t, CheckReport<Real>& report) {
  using T = Traits<Model>;
  const Evaluation<Model> first(model, q, t), second(model, q, t);
  const auto same = [&](int index, int coordinate, const auto& a, const auto& b) {
    Real change = Real(0);
    for (Eigen::Index k = 0; k < a.size(); ++k)
      if (const Real here = absolute(Real(a.coeff(k) - b.coeff(k))); here > change) change = here;  // false for NaN
    report.add({Member::pure, index, coordinate, change, Real(0)});
  };
  const auto single = [](Real x) { return Vector<Real, 1>(x); };
  using M = Matrix<Real, T::dof, T::dof>;
  const M mass = first.mass(), mass_again = second.mass();
  for (int j = 0; j < T::dof; ++j) same(1, j, Q(mass.col(j)), Q(mass_again.col(j)));
  const Q h = first.force(u), h_again = second.force(u);
  same(2, 0, h, h_again);
  if constexpr (T::contacts > 0)
    for (int i = 0; i < T::contacts; ++i) {
      const Real gap = first.gap(i), gap_again = second.gap(i);
      same(0, i, single(gap), single(gap_again));
      const auto d = first.directions(i), d_again = second.directions(i);
      each_direction(d, d_again, [&](const auto& a, const auto& b) {
        for (int k = 0; k < int(a.cols()); ++k) same(3, i, a.col(k), b.col(k));
      });
      if constexpr (Contract<Model>::has_mu) {
        const Real mu = model.mu(i, Real(1)), mu_again = model.mu(i, Real(1));
        same(4, i, single(mu), single(mu_again));
      }
    }
  if constexpr (T::frictions > 0)
    for (int j = 0; j < T::frictions; ++j) {
      const Real bound = first.friction_bound(j), bound_again = second.friction_bound(j);
      same(5, j, single(bound), single(bound_again));
    }
  if constexpr (T::bilaterals > 0)
    for (int j = 0; j < T::bilaterals; ++j) {
      const auto row = first.bilateral(j), row_again = second.bilateral(j);
      same(6, j, row.w, row_again.w);
      same(6, j, single(row.g), single(row_again.g));
    }
}

}  // namespace detail
}  // namespace moreau
