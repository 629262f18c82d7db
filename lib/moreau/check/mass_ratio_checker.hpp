// Check of the masses of joined bodies. For a row w of an ideal joint or a contact, the bodies A and B contribute
//
//   w^T M^-1 w = a_A + a_B,   a_b = sum over the coordinates d of body b of w_d^2 / M_dd
//
// Consider a light body with ideal joints and a percussion between this body and a heavy one. Relative to the velocity
// change of the heavy body, the velocity of the light body then has a rounding error of epsilon times the ratio of both
// contributions. If this error is above 200 rtol, most steps with such a contact are inexact. If it is above 1e-2 in
// float or 1e-4 in double, joints and contacts move apart, although steps return `ok`. The remedies are double
// precision and smaller ratios of the masses.
#pragma once

#include "moreau/check/findings.hpp"
#include "moreau/contact/judge.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/step/joint_error.hpp"

namespace moreau {
namespace detail {

// Reports the largest ratio of the contributions of two bodies to one row, in mechanisms from parts in the coordinates
// of the bodies.
template <class Model, class Real>
void check_mass_ratios(const Evaluation<Model>& at, CheckReport<Real>& report) {
  constexpr Real most = Real(200) * Judge<Real>{}.rtol / epsilon<Real>;
  if constexpr (Traits<Model>::bilaterals > 0 && has_body_coordinates<Model>) {
    constexpr int bodies = Model::List::bodies, n = Model::List::coordinates;
    const auto M = at.mass();
    bool held[bodies] = {};  // the body has an ideal joint
    const auto add = [&](const auto& w, int index) {
      Real light = Real(0), heavy = Real(0);
      int light_body = 0;
      for (int b = 0; b < bodies; ++b) {
        Real a = Real(0);
        for (int d = n * b; d < n * b + n; ++d) a += w.coeff(d) * w.coeff(d) / M.coeff(d, d);
        if (!(a > Real(0)) || !(finite_probe(a) == Real(0))) continue;  // not in this row, or without mass
        if (a > light) light_body = b;
        heavy = light > Real(0) && heavy < a ? heavy : a;
        light = larger(light, a);
      }
      if (held[light_body] && heavy > Real(0)) report.add({Member::mass_ratio, index, light_body, light / heavy, most});
    };
    for (int j = 0; j < Traits<Model>::bilaterals; ++j) {
      const auto w = at.bilateral(j).w;
      for (int d = 0; d < Traits<Model>::dof; ++d) held[d / n] = held[d / n] || w.coeff(d) != Real(0);
      add(w, j);
    }
    for (int i = 0; i < Traits<Model>::contacts; ++i) add(at.directions(i).w_N, i);
  }
}

}  // namespace detail
}  // namespace moreau
