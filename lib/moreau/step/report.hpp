// Report of one step.
#pragma once

#include "moreau/model/directions.hpp"
#include "moreau/model/status.hpp"

namespace moreau {

// Outcome of a step. If the step fails, the state is unchanged; test advanced() after every step. A dt that is too long
// for the play does not change the status: see step/reach.hpp.
template <class Real>
struct StepReport {
  // Outcome, see model/status.hpp. The state advances if the status is ok or inexact.
  Status status = Status::ok;

  // Argument, option, model function or computed value (Cause::percussions, Cause::result) that made the step fail.
  // none if the step advanced, or if Sweeps or Newton found no solution in constant time.
  Cause cause = Cause::none;

  // Index of the contact, friction element, joint row, part or coordinate of the cause. 0 if the cause has no index.
  std::int16_t index = 0;

  // Number of closed contacts.
  int active = 0;

  // Iterations of the solver: sweeps, pivots or mode combinations. If the step was solved directly, the number of
  // closed contacts.
  int iterations = 0;

  // Number of fallbacks: changes to another solver; in constant time or with ClosedForms, also steps repeated by
  // ActiveContacts; in constant time, also repeated evaluations of constant data.
  int fallbacks = 0;

  // Largest violation of a contact law, in m/s (e_i of contact/judge.hpp). If DirectContacts or NestedContacts solved
  // the step, the sum of all violations.
  Real residual = Real(0);

  // Largest ratio of a violation to its scale (e_i / v_i of contact/judge.hpp). If DirectContacts or NestedContacts
  // solved the step, the sum of all ratios.
  Real relative = Real(0);

  // Returns true if the step advanced the state.
  constexpr bool advanced() const { return status == Status::ok || status == Status::inexact; }
};

}  // namespace moreau
