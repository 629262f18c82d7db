// Estimate of the reach of the steps (step/reach.hpp) before a run: detects a dt that is too long for the play.
//
//   v^2 = gamma_N^2 + 2 |a_N| 2 play,   a_N = w_N^T u'        approach velocity after crossing the clearance
//   v dt / play <= StepReach::limit
//
// u' is the acceleration at (q, u, t) with the forces of the ideal joints and without contact forces. The estimate
// requires CheckOptions::dt and a model with play_of(). The estimate does not include faster motion later in the run;
// step_reach() and the summary of a run report the reach of this motion.
#pragma once

#include "moreau/check/findings.hpp"
#include "moreau/contact/mass.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/step/reach.hpp"

namespace moreau {
namespace detail {

// Reports a negative or non-numeric play, and the estimated reach of each contact with play.
template <class Model, class Q, class Real>
void check_step_size([[maybe_unused]] const Model& model, [[maybe_unused]] const Q& q, [[maybe_unused]] const Q& u,
                     [[maybe_unused]] Real t, [[maybe_unused]] const CheckOptions<Real>& options,
                     [[maybe_unused]] CheckReport<Real>& report) {
  if constexpr (Contract<Model>::has_play && Traits<Model>::contacts > 0) {
    for (int i = 0; i < Traits<Model>::contacts; ++i) {
      const Real play = model.play_of(i);
      report.add({Member::play, i, 0, play >= Real(0) ? Real(0) : Real(1), Real(0)});
    }
    const Evaluation<Model> at(model, q, t);
    EffectiveMass<Model, FactorsOf<Model>> mass;
    if (!(options.dt > Real(0)) || !mass.factor(at.mass()) || !mass.factor_joints(at)) return;
    typename EffectiveMass<Model, FactorsOf<Model>>::Multipliers unused;
    const Q acceleration = mass.constrained_change(at.force(u), unused);
    for (int i = 0; i < Traits<Model>::contacts; ++i) {
      const Real play = model.play_of(i);
      if (!(play > Real(0))) continue;
      const auto d = at.directions(i);
      const Real gamma = dot(d.w_N, u) + d.zeta_N, a_N = absolute(Real(dot(d.w_N, acceleration)));
      const Real v = sqrt(gamma * gamma + Real(4) * a_N * play);
      report.add({Member::step_size, i, 0, v * options.dt / play, StepReach<Real>::limit});
    }
  }
}

}  // namespace detail
}  // namespace moreau
