// Consistency of an initial state with its model. Use check_start together with check_model in the tests of a model.
//
//   g_N(q, t) >= -allowed_penetration            0 for a model without allowed_penetration()
//   g(q, t) = 0,   B^T u + zeta = 0              satisfied ideal joints, consistent velocities (step/close_joints.hpp)
//   within_range() of the parts is true          for example, a slider is inside its guide
//   B^T M^-1 B positive definite                 no redundant joint, no dead centre: otherwise every step fails
//   epsilon Q <= travel / 10                     resolution of q against the play (check/step_size.hpp)
//   stiffness d G <= 2 |a|                       initial compression of bump stops (check/one_sided_checker.hpp)
//   v dt / play <= 0.3                           with options.dt: dt is short enough for the play (check/step_size.hpp)
//
// Q is the largest coordinate. travel is the motion of a step; without options.dt, it is a tenth of the play.
//
// A step does not detect an inconsistent initial state: it returns `ok`. Without allowed_penetration(), an initial
// penetration remains while the contact is closed. With allowed_penetration(), as in every mechanism from parts, the
// first step in which the contact carries a percussion reduces the penetration to the allowed value.
//
//   const auto report = moreau::check_start(model, start);
//   if (!report.ok()) report.worst() contains the member, the contact or joint row, and the deviation
#pragma once

#include "moreau/check/findings.hpp"
#include "moreau/check/mass_ratio_checker.hpp"
#include "moreau/check/one_sided_checker.hpp"
#include "moreau/check/step_size.hpp"
#include "moreau/check/structure_checker.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/time.hpp"
#include "moreau/step/cause.hpp"

namespace moreau {

// Checks an initial state: finite values, no penetration, satisfied ideal joints with consistent velocities, and, in
// body coordinates, mass ratios within the precision of Real.
template <class Model>
CheckReport<typename Traits<Model>::Real> check_start(const Model& model, const State<Model>& start,
                                                      const CheckOptions<typename Traits<Model>::Real>& options = {}) {
  using T = Traits<Model>;
  using detail::Member;
  using Real = typename T::Real;
  constexpr Real roundings = Real(1000) * detail::epsilon<Real>;
  [[maybe_unused]] constexpr Real short_dt = Real(1e-6);  // s
  CheckReport<Real> report;
  const Real t = detail::reduced(model, start.clock);
  const Vector<Real, T::dof>&q = start.q, &u = start.u;
  const detail::Evaluation<Model> at(model, q, t);
  for (int d = 0; d < T::dof; ++d)
    report.add({Member::start_finite, 0, d, detail::absolute(detail::finite_probe(q(d)) + detail::finite_probe(u(d))),
                Real(0)});
  detail::check_parameters(model, report);
  if constexpr (detail::is_mechanism<Model>) {
    detail::check_ranges(model, q, t, report);
    if constexpr (detail::is_planar_mechanism<Model>)
      detail::check_compressed_stops(model, q, t, roundings * options.length, report);
  }
  if constexpr (T::contacts > 0)
    for (int i = 0; i < T::contacts; ++i) {
      Real allowed = roundings * options.length;
      if constexpr (detail::Contract<Model>::has_allowed_penetration) allowed += model.allowed_penetration(i);
      report.add({Member::start_overlap, i, 0, detail::larger(Real(0), -at.gap(i)), allowed});
    }
  if constexpr (T::bilaterals > 0)
    for (int j = 0; j < T::bilaterals; ++j) {
      const auto row = at.bilateral(j);
      Real zeta = row.zeta;
      if constexpr (detail::Contract<Model>::has_zeta_E)  // zeta_E at dt = 0, where a ramp has the speed in u
        zeta = 2 * at.zeta_E(j, u, short_dt) - at.zeta_E(j, u, 2 * short_dt);
      Real speed = zeta, terms = detail::absolute(zeta);
      for (int d = 0; d < T::dof; ++d) {
        speed += row.w(d) * u(d);
        terms += detail::absolute(row.w(d) * u(d));
      }
      report.add({Member::start_joints, j, 0, detail::joint_miss(model, q, t, j), roundings * options.length});
      report.add({Member::start_speeds, j, 0, detail::absolute(speed), roundings * terms});
    }
  detail::check_mass_ratios(at, report);
  if constexpr (T::bilaterals > 0) {
    // With a large ratio of masses, independent rows are dependent within rounding errors.
    const int row = report.worst_of(Member::mass_ratio).ok() ? detail::dependent_row(at) : -1;
    report.add({Member::start_dependent, row < 0 ? 0 : row, -1, row < 0 ? Real(0) : Real(1), Real(0)});
  }
  detail::check_step_size(model, q, u, t, options, report);
  return report;
}

}  // namespace moreau
