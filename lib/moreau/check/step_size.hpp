// Estimate of the reach of the steps (step/reach.hpp) before a run: detects a dt that is too long for the play.
//
//   v^2 = gamma_N^2 + 2 |a_N| 2 play,   a_N = w_N^T u'        approach velocity after crossing the clearance
//   v dt / play <= StepReach::limit
//
// u' is the acceleration at (q, u, t) with the forces of the ideal joints and without contact forces. The estimate
// requires CheckOptions::dt and a model with play_of(). The estimate does not include faster motion later in the run;
// step_reach() and the summary of a run report the reach of this motion.
//
// Resolution of the coordinates, compared with the same motion:
//
//   epsilon sum_d |w_d| Q_d <= travel / 10,   travel = max(v dt, play / 100); without dt: play / 10
//
// For this check, a_N in v is the largest acceleration of both bodies in any direction. Q_d is the largest coordinate;
// in a mechanism from parts, the largest position or the largest angle. With a coarser resolution, the gap of a contact
// changes in discrete jumps: in float, a pin with 0.1 mm of play at 16 m from the origin of the world penetrates by 7 %
// of its play at dt = 1e-4 s, and by five plays at 2e-5 s. The remedies are an origin near the mechanism, wrapped
// angles and double precision.
#pragma once

#include <limits>

#include "moreau/check/findings.hpp"
#include "moreau/check/parts_checker.hpp"
#include "moreau/contact/mass.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/step/reach.hpp"

namespace moreau {
namespace detail {

// Reports the rounding error of gap i due to the resolution of q, compared with the motion of the contact in a step.
template <class Model, class Q, class Real>
void check_resolution(const Model& model, const Q& q, Real t, int i, Real travel, CheckReport<Real>& report) {
  using Measures = MeasuresOf<Model>;
  const auto here = Measures::motion(model, q, Vector<Real, Traits<Model>::dof>::Zero(), t);
  const Real rounding = epsilon<Real> * size_of_terms<Measures>(Measures::normal(model, i, q, t), here.q);
  report.add({Member::resolution, i, -1, rounding, travel / 10});
}

// Returns true for a contact between angles of a mechanism from parts, such as Backlash, whose play can be in rad.
template <class Model, class Q, class Real>
bool is_rotational([[maybe_unused]] const Model& model, [[maybe_unused]] int i, [[maybe_unused]] const Q& q,
                   [[maybe_unused]] Real t) {
  bool rotational = false;
  if constexpr (is_planar_mechanism<Model>) {
    const auto a = model.at(q, t);
    Model::List::template find<contacts_in>(model, i, [&](const auto& part, int k) {
      using Part = std::decay_t<decltype(part)>;
      const auto n = part.contact(k, frame_of<Part::body_A>(a), frame_of<Part::body_B>(a)).n;
      rotational = n.x == Real(0) && n.y == Real(0);
    });
  }
  return rotational;
}

// Reports a play that is negative, NaN or above length / 50 (a wrong unit), and the estimated reach of each contact
// with play.
template <class Model, class Q, class Real>
void check_step_size([[maybe_unused]] const Model& model, [[maybe_unused]] const Q& q, [[maybe_unused]] const Q& u,
                     [[maybe_unused]] Real t, [[maybe_unused]] const CheckOptions<Real>& options,
                     [[maybe_unused]] CheckReport<Real>& report) {
  if constexpr (Contract<Model>::has_play && Traits<Model>::contacts > 0) {
    const Evaluation<Model> at(model, q, t);
    for (int i = 0; i < Traits<Model>::contacts; ++i) {
      const Real play = model.play_of(i);
      report.add({Member::play, i, 0, play >= Real(0) ? Real(0) : Real(1), Real(0)});
      if (play <= std::numeric_limits<Real>::max() && !is_rotational(model, i, q, t))
        report.add({Member::play, i, 1, play, options.length / 50});
    }
    const auto M = at.mass();
    EffectiveMass<Model, FactorsOf<Model>> mass;
    if (!(options.dt > Real(0)) || !mass.factor(M) || !mass.factor_joints(at)) {
      for (int i = 0; i < Traits<Model>::contacts; ++i)
        if (model.play_of(i) > Real(0)) check_resolution(model, q, t, i, Real(model.play_of(i) / 10), report);
      return;
    }
    typename EffectiveMass<Model, FactorsOf<Model>>::Multipliers unused;
    const Q acceleration = mass.constrained_change(at.force(u), unused);
    for (int i = 0; i < Traits<Model>::contacts; ++i) {
      const Real play = model.play_of(i);
      if (!(play > Real(0))) continue;
      const auto d = at.directions(i);
      const Real gamma = dot(d.w_N, u) + d.zeta_N, a_N = absolute(Real(dot(d.w_N, acceleration)));
      const Real v = sqrt(gamma * gamma + Real(4) * a_N * play);
      report.add({Member::step_size, i, 0, v * options.dt / play, StepReach<Real>::limit});
      using Measures = MeasuresOf<Model>;
      const Real a = largest_speed<Measures>(Measures::normal(model, i, q, t), Measures::mass(model, M),
                                             Measures::motion(model, q, acceleration, t).u);
      const Real fastest = sqrt(gamma * gamma + Real(4) * a * play);  // in any direction, because normals turn
      check_resolution(model, q, t, i, larger(fastest * options.dt, play / 100), report);
    }
  }
}

}  // namespace detail
}  // namespace moreau
