// One step of Moreau's midpoint rule (GS05 section 5, FLG10 section 5, SLG08 section 3).
//
//   q_M = q_A + dt/2 u_A,   t_M = t_A + dt/2
//   M (u_E - u_A) = h dt + W P,   h = h(q_M, u_A, t_M)     with the contacts closed at the midpoint, g_N(q_M, t_M) <= 0
//   xi = gamma_E + eps gamma_A,   -xi in N_C(P)
//   q_E = q_M + dt/2 u_E
//
// For a model with drift(), a free motion over dt/2 replaces each dt/2 u: it moves q and changes u
// (model/free_motion.hpp). u_A is then the velocity after the first free motion, and the state stores u_E after the
// second.
//
// midpoint_step() executes the steps of all solvers, of both timing modes and of adaptive runs. These steps differ in
// the contact container, which stores the contacts of one step and implements its stages:
//
//   DirectContacts   one or two closed planar contacts, solved directly in registers       (direct_contacts.hpp)
//   NestedContacts   several closed planar contacts and friction elements, solved directly (nested_contacts.hpp)
//   ActiveContacts   any number of closed contacts, with any solver                        (active_contacts.hpp)
//   MaskedContacts   all contacts, open ones masked, with a fixed number of iterations     (masked_contacts.hpp)
//
// The result is a pure function of model, options, state and dt; data stored by `contacts` does not affect it. Only
// commit() changes the state.
//
// The force h is evaluated at u_A, or at a predicted velocity of the midpoint (force.hpp). Explicit damping d is stable
// only for dt d / m < 2.
//
// Departure from the papers: a component of u_E that consists of rounding errors only is set to 0. Otherwise a body at
// rest drifts by one rounding error per step, and leaves a contact whose gap is exactly 0.
#pragma once

#include "moreau/math/branching.hpp"
#include "moreau/model/evaluation.hpp"
#include "moreau/model/free_motion.hpp"
#include "moreau/model/state.hpp"
#include "moreau/model/time.hpp"
#include "moreau/step/force.hpp"
#include "moreau/step/report.hpp"

namespace moreau {
namespace detail {

// Returns old.counted_in(dt) (model/time.hpp), for both policies: the same time, counted in steps of dt.
//
// if (old.dt == dt) return old; return {old(), dt, 0};
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

// Applies wrap() of the model, if it has one, to a finite q. Returns false if the result is non-finite.
template <class Model, class Q>
bool wrapped([[maybe_unused]] const Model& model, [[maybe_unused]] Q& q) {
  if constexpr (Contract<Model>::has_wrap) {
    q = model.wrap(q);
    return finite_probe(q) == 0;
  } else {
    return true;
  }
}

// Executes one step. Returns false if the step is rejected or fails; the state is then unchanged. ActiveContacts sets
// status and cause of a failed step. It repeats the steps that the other contact containers reject.
//
// `context` provides model, state and the storage of Contacts. Stepper::step is flattened, so the compiler inlines this
// function and all functions of Contacts into it (lib/DESIGN.md). lib/README.md lists the functions of Contacts.
template <class Contacts, class Context, class Real>
bool midpoint_step(Context& context, Real dt, StepReport<Real>& report) {
  const auto& model = context.model;
  auto& state = context.state;
  using Model = std::decay_t<decltype(model)>;
  using Q = Vector<Real, Traits<Model>::dof>;
  Contacts contacts(context, report);
  if (!contacts.ready(dt)) return false;

  // Evaluate the midpoint.
  const Real half = dt * Real(0.5);
  const Time<Real> time_A = contacts.counted(state.clock, dt);
  Q q_M = state.q;
  const auto& u_A = drifted(model, q_M, state.u, half);
  const auto at = contacts.at(model, q_M, model_time(model, time_A));

  // Find active contacts.
  if (!contacts.find(at)) return false;

  // Compute the free velocity.
  auto mass = contacts.mass(at, u_A, half);
  if (!contacts.positive(mass, at)) return false;
  Q u_E = u_A + mass.unconstrained_change(Q(contacts.force(at, mass, u_A, half) * dt));
  auto P_B = mass.constrain(u_E);

  // Solve for percussions.
  if (!contacts.solve(at, mass, state, u_A, dt, u_E, P_B)) return false;

  // Correct end positions.
  Q q_E = q_M;
  const auto& v_E = drifted(model, q_E, u_E, half);
  if (!contacts.correct_positions(at, mass, time_A.next(), q_E)) return false;

  // Check, then commit.
  if (!contacts.sound(time_A, q_E, v_E)) return false;
  if (!contacts.wrap(q_E)) return false;
  contacts.commit(state, time_A.next(), q_E, v_E, P_B);
  return true;
}

}  // namespace detail
}  // namespace moreau
