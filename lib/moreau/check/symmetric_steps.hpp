// A model that declares symmetric_steps (model/traits.hpp): is it true? Compared are
//
//   force       at u and at other velocities
//   the rest    at (q, t) and at another place and time: M, w and zeta of contacts, friction elements, ideal joints;
//               mu at rest and in slip
//
// See Finding for what the index means.
#pragma once

#include "moreau/check/differences.hpp"
#include "moreau/check/findings.hpp"
#include "moreau/model/evaluation.hpp"

namespace moreau {
namespace detail {

template <class Model, class Real = typename Traits<Model>::Real, class Q = Vector<Real, Traits<Model>::dof>>
void look_at_symmetry(const Model& model, const Q& q, const Q& u, Real t, const CheckOptions<Real>& options,
                      CheckReport<Real>& report) {
  using T = Traits<Model>;
  const Q elsewhere = q + Q::Constant(options.length / 10);
  const Real later = t + Real(0.0123);
  const Evaluation<Model> here(model, q, t), there(model, elsewhere, later);
  const auto compare = [&](int index, int coordinate, const auto& a, const auto& b) {
    Real change = Real(0), size = Real(0);
    for (Eigen::Index k = 0; k < a.size(); ++k) {
      change = larger(change, absolute(a.coeff(k) - b.coeff(k)));
      size = larger(size, larger(absolute(a.coeff(k)), absolute(b.coeff(k))));
    }
    report.add({Member::symmetric_steps, index, coordinate, change, options.tolerance * size});
  };
  const auto single = [](Real x) { return Vector<Real, 1>(x); };

  compare(1, 0, here.mass(), there.mass());
  const Q h = here.force(u), ones = Q::Constant(Real(1));
  for (const Q& other : {Q(-u), Q(u + ones), Q(Real(2) * u - ones)}) compare(2, 0, h, here.force(other));
  if constexpr (T::contacts > 0)
    for (int i = 0; i < T::contacts; ++i) {
      const auto a = here.directions(i), b = there.directions(i);
      compare(3, i, a.w_N, b.w_N);
      compare(3, i, single(a.zeta_N), single(b.zeta_N));
      if constexpr (T::tangents > 0) compare(3, i, Q(a.w_T.col(0)), Q(b.w_T.col(0)));
      for (int k = 0; k < T::tangents; ++k)
        compare(3, i, single(component(a.zeta_T, k)), single(component(b.zeta_T, k)));
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
