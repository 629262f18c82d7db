// Does a start fit its model? For users' tests, beside check_model.
//
//   g_N(q, t) >= -depth                          no contact deeper than the overlap its model keeps, 0 without allowed_penetration()
//   g(q, t) = 0,   B^T u + zeta = 0              ideal joints closed, and moving as they can (step/close_joints.hpp)
//
// A step accepts any start. What it does with a contact that overlaps: without allowed_penetration() the overlap stays as long as the
// contact does; with allowed_penetration(), and so in every mechanism from parts, the first step in which the contact carries a
// percussion moves the bodies until the kept overlap is left, however far that is. The status is `ok` in both cases.
//
//   const auto report = moreau::check_start(model, start);
//   if (!report.ok()) report.worst() names what, the contact or joint row, and by how much
#pragma once

#include "moreau/check/findings.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/time.hpp"
#include "moreau/step/cause.hpp"

namespace moreau {

// Looks at a first state: finite, no contact overlaps, ideal joints closed and at the speed they ask for.
template <class Model>
CheckReport<typename Traits<Model>::Real> check_start(const Model& model, const State<Model>& start,
                                                      const CheckOptions<typename Traits<Model>::Real>& options = {}) {
  using T = Traits<Model>;
  using detail::Member;
  using Real = typename T::Real;
  constexpr Real roundings = Real(1000) * detail::epsilon<Real>;
  CheckReport<Real> report;
  const Real t = detail::reduced(model, start.clock);
  const detail::Evaluation<Model> at(model, start.q, t);
  for (int d = 0; d < T::dof; ++d)
    report.add({Member::start_finite, 0, d,
                detail::absolute(detail::finite_probe(start.q(d)) + detail::finite_probe(start.u(d))), Real(0)});
  if constexpr (T::contacts > 0)
    for (int i = 0; i < T::contacts; ++i) {
      Real kept = roundings * options.length;
      if constexpr (detail::Contract<Model>::has_allowed_penetration) kept += model.allowed_penetration(i);
      report.add({Member::start_overlap, i, 0, detail::larger(Real(0), -at.gap(i)), kept});
    }
  if constexpr (T::bilaterals > 0)
    for (int j = 0; j < T::bilaterals; ++j) {
      const auto row = at.bilateral(j);
      Real speed = row.zeta, terms = detail::absolute(row.zeta);
      for (int d = 0; d < T::dof; ++d) {
        speed += row.w(d) * start.u(d);
        terms += detail::absolute(row.w(d) * start.u(d));
      }
      report.add({Member::start_joints, j, 0, detail::joint_miss(model, start.q, t, j), roundings * options.length});
      report.add({Member::start_speeds, j, 0, detail::absolute(speed), roundings * terms});
    }
  return report;
}

}  // namespace moreau
