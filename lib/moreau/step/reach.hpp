// Reach of a step: the distance that a contact covers within dt, relative to its play. The reach detects a dt that is
// too long although every step returns `ok`.
//
//   travel        |gamma_N| dt / play,          gamma_N = w_N(q_M)^T u_A + zeta_N        contacts with play
//   turn          sqrt(|gamma' dt| dt / play),  gamma' dt = gamma_N(q_E) - gamma_N(q_A) at the velocity (u_A + u_E) / 2
//   penetration   -g_N(q_M) / a,                a = allowed_penetration()
//
// A step detects a contact at its midpoint. With travel = 1, a body crosses the play within one step, and penetrates by
// up to the play. The normal of a contact is constant within a step. For a pin that rolls or slides in its bearing,
// `turn` is the angle in rad by which the normal turns within the step. `turn` is evaluated only for contacts that
// carried a percussion, because the normals of other contacts have no effect.
//
// dt is too long if travel or turn exceeds `limit` = 0.3 in any step (tests/benchmarks/REACH.md). The reach changes no
// result. It is a function of the model and two states, and a step does not compute it.
//
// The play of contact i is play_of(i) of the model. Mechanisms from parts have this function. A hand-derived model
// without play_of() has neither travel nor turn. For models with ideal joints, the reach also contains their position
// error (step/joint_error.hpp). For mechanisms from parts, it contains the first part outside its range, such as a
// slider outside its guide.
#pragma once

#include <limits>

#include "moreau/math/kernels.hpp"
#include "moreau/math/sqrt.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/step_motion.hpp"
#include "moreau/model/time.hpp"
#include "moreau/step/joint_error.hpp"

namespace moreau {

// Reach of one step, or largest reach of several steps.
template <class Real>
struct StepReach {
  // Largest value of one measure.
  struct Extreme {
    Real value = Real(0);  // NaN if two states do not enclose exactly one step
    int contact = -1;      // index of the contact; -1 if no contact has this measure
    Real t = Real(0);      // s, time at the end of the step
    Real dt = Real(0);     // s, length of the step

    // Replaces this value if the other one is larger or NaN.
    constexpr void add(const Extreme& other) {
      if (other.contact >= 0 && (contact < 0 || !(other.value <= value)) && !(value != value)) *this = other;
    }
  };

  Extreme travel;       // gap velocity times dt over the play
  Extreme turn;         // rad, angle turned by a normal
  Extreme penetration;  // deepest penetration over the allowed one

  // Position error of the ideal joints. joints.open() returns true if a joint is open.
  using JointError = detail::JointError<Real>;
  JointError joints;

  // First part of a mechanism outside its range, such as a slider that has left its guide.
  struct Outside {
    int part = -1;     // position in parts(); -1 if all parts are in their ranges
    Real t = Real(0);  // s, time at the end of the step
  };
  Outside outside;

  // Largest travel and turn of a suitable dt.
  static constexpr Real limit = Real(0.3);
  // Reach of the recommended dt. Impacts vary from run to run, so it is a third of the limit.
  static constexpr Real recommended = Real(0.1);

  // Returns the larger of travel and turn.
  constexpr Extreme worst() const {
    Extreme larger = travel;
    larger.add(turn);
    return larger;
  }
  // Returns true if dt is too long for the play.
  constexpr bool dt_too_long() const { return !(worst().value <= limit); }
  // Returns the dt with the recommended reach at the same velocities, in s; 0 if no contact has play.
  constexpr Real recommended_dt() const {
    const Extreme w = worst();
    return w.value > Real(0) ? w.dt * (recommended / w.value) : Real(0);
  }

  // Adds the reach of one or several other steps.
  constexpr void add(const StepReach& other) {
    travel.add(other.travel);
    turn.add(other.turn);
    penetration.add(other.penetration);
    joints.add(other.joints);
    if (outside.part < 0) outside = other.outside;
  }
};

namespace detail {

// True for a mechanism with a part that has a range.
template <class Model>
using ranges_of_list = Bool<bool(Model::List::has_ranges)>;
template <class Model>
inline constexpr bool has_ranges = value_or<ranges_of_list, Model, false>;

// True if the reach of the model has at least one measure of contacts.
template <class Model>
inline constexpr bool has_reach = Traits<Model>::contacts > 0 &&
                                  (Contract<Model>::has_play || Contract<Model>::has_allowed_penetration);

// Returns the turn of the contacts that carried a percussion, from the change of their normal velocities between both
// ends of the step.
template <class Model, class Real = typename Traits<Model>::Real>
typename StepReach<Real>::Extreme turn_of(const Model& model, const State<Model>& before, const State<Model>& after,
                                          Real t_M) {
  const Real dt = after.clock.dt;
  using Q = Vector<Real, Traits<Model>::dof>;
  const StepMotion<Model> motion(model, before, after);
  const Q u = Real(0.5) * (motion.u_A + motion.u_E);
  Q q_A = motion.q_M, q_E = motion.q_M;
  const Q u_A = drifted(model, q_A, u, -dt / 2), u_E = drifted(model, q_E, u, dt / 2);  // the motion at constant speed
  const Evaluation<Model> at_A(model, q_A, reduced(model, before.clock)), at_E(model, q_E, t_M + dt / 2);
  typename StepReach<Real>::Extreme turn;
  for (int i = 0; i < Traits<Model>::contacts; ++i) {
    const Real play = model.play_of(i);
    if (!(play > Real(0)) || !(after.P_N.coeff(i) > Real(0))) continue;
    const auto A = at_A.directions(i), E = at_E.directions(i);
    const Real change = (dot(E.w_N, u_E) + E.zeta_N) - (dot(A.w_N, u_A) + A.zeta_N);
    turn.add({sqrt(absolute(change) * dt / play), i, after.time(), dt});
  }
  return turn;
}

}  // namespace detail

// Returns the reach of the committed step from `before` to `after`.
template <class Model>
StepReach<typename Traits<Model>::Real> step_reach([[maybe_unused]] const Model& model,
                                                   [[maybe_unused]] const State<Model>& before,
                                                   [[maybe_unused]] const State<Model>& after) {
  using Real = typename Traits<Model>::Real;
  using Extreme = typename StepReach<Real>::Extreme;
  StepReach<Real> reach;
  reach.joints = detail::joint_error(model, before, after);
  if constexpr (detail::has_ranges<Model>) {
    const auto at_E = model.at(after.q, detail::reduced(model, after.clock));
    reach.outside = {Model::List::part_out_of_range(model, at_E), after.time()};
  }
  if constexpr (detail::has_reach<Model>) {
    const Real dt = after.clock.dt, t = after.time();
    if (!detail::one_step(before.clock, after.clock)) {
      reach.travel = reach.turn = reach.penetration = Extreme{std::numeric_limits<Real>::quiet_NaN(), 0, t, dt};
      return reach;
    }
    const Real t_M = detail::model_time(model, before.clock.counted_in(dt));
    const detail::StepMotion<Model> motion(model, before, after);
    const detail::Evaluation<Model> at(model, motion.q_M, t_M);
    bool any = false;
    for (int i = 0; i < Traits<Model>::contacts; ++i) {
      any = any || after.P_N.coeff(i) > Real(0);
      if constexpr (detail::Contract<Model>::has_play)
        if (const Real play = model.play_of(i); play > Real(0)) {
          const auto d = at.directions(i);
          const Real gamma = dot(d.w_N, motion.u_A) + d.zeta_N;
          reach.travel.add({detail::absolute(gamma) * dt / play, i, t, dt});
        }
      if constexpr (detail::Contract<Model>::has_allowed_penetration)
        if (const Real allowed = model.allowed_penetration(i); allowed > Real(0))
          reach.penetration.add({detail::larger(Real(0), -at.gap(i)) / allowed, i, t, dt});
    }
    if constexpr (detail::Contract<Model>::has_play)
      if (any) reach.turn = detail::turn_of(model, before, after, t_M);
  }
  return reach;
}

}  // namespace moreau
