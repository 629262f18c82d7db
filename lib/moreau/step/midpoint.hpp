// One step of Moreau's midpoint rule (GS05 section 5, FLG10 section 5, SLG08 section 3):
//
//   q_M = q_A + dt/2 u_A,   t_M = t_A + dt/2
//   M (u_E - u_A) = h dt + W P,   h = h(q_M, u_A, t_M)     with the contacts closed at the midpoint, g_N(q_M, t_M) <= 0
//   xi = gamma_E + eps gamma_A,   -xi in N_C(P)
//   q_E = q_M + dt/2 u_E
//
// This is the step of every solver, in both timings and in adaptive runs. `contacts` is the only thing that differs:
//
//   DirectContacts      one or two closed planar contacts in closed form, in registers   (direct_contacts.hpp)
//   ActiveContacts   those that are closed, any number, by any solver                 (active_contacts.hpp)
//   MaskedContacts      all of them, masked, a fixed number of sweeps and Newton steps   (masked_contacts.hpp)
//
// A pure function of (model, options, state, dt): what `contacts` keeps does not matter after the step. The state
// changes in commit() or not at all.
//
// h sees u_A, so explicit damping d is stable for dt d / m < 2 only.
//
// Difference from the papers: a component of u_E that is nothing but the roundings of what it was added up from is
// zero. Without that a body at rest creeps by a rounding a step, and off a contact whose gap is exactly zero.
#pragma once

#include "moreau/math/branching.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/time.hpp"
#include "moreau/step/report.hpp"

namespace moreau {
namespace detail {

// time.counted_in(dt) (model/time.hpp): the same instant, counting steps of dt from here on.
template <class Flow, class Real>
Time<Real> counted_in(const Time<Real>& old, Real dt) {
  if constexpr (!Flow::branchless) return old.counted_in(dt);
  const auto difference = to_bits(old.dt) ^ to_bits(dt);
  const Mask same = !Mask{static_cast<std::int32_t>((difference | (0 - difference)) >> (8 * sizeof(Real) - 32))};
  Time<Real> time;
  time.t0 = select<Branchless>(same, old.t0, old());
  time.dt = dt;
  time.n = old.n & std::int64_t(same.bits >> 31);
  return time;
}

// False: the state is as it was, and report.status has the cause - or another kind of contacts has to find it.
//
// `home` has model and state, and what Contacts keeps from step to step. Stepper::step is flattened, so this function and
// its verbs become one piece of code there (lib/DESIGN.md).
template <class Contacts, class Home, class Real>
bool midpoint_step(Home& home, Real dt, StepReport<Real>& report) {
  const auto& model = home.model;
  auto& state = home.state;
  using Model = std::decay_t<decltype(model)>;
  using Q = Vector<Real, Traits<Model>::dof>;
  Contacts contacts(home, report);
  if (!contacts.ready(dt)) return false;

  // Evaluate the midpoint.
  const Real half = dt * Real(0.5);
  const Time<Real> time_A = contacts.counted(state.clock, dt);
  const Q& u_A = state.u;
  const Q q_M = state.q + half * u_A;
  const auto at = contacts.at(model, q_M, model_time(model, time_A));

  // Find active contacts.
  if (!contacts.find(at)) return false;

  // Compute free velocity.
  auto mass = contacts.mass(at, u_A, half);
  if (!contacts.positive(mass, at)) return false;
  Q u_E = u_A + mass.unconstrained_change(Q(contacts.force(at, mass, u_A, half) * dt));
  auto P_B = mass.constrain(u_E);

  // Solve for percussions.
  if (!contacts.solve(at, mass, state, dt, u_E, P_B)) return false;

  // Correct end positions.
  Q q_E = q_M + half * u_E;
  if (!contacts.correct_positions(mass, time_A.next(), q_E)) return false;

  // Check, then commit.
  if (!contacts.sound(time_A, q_E, u_E)) return false;
  contacts.commit(state, time_A.next(), q_E, u_E, P_B);
  return true;
}

}  // namespace detail
}  // namespace moreau
