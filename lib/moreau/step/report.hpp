// What a step reports. [[nodiscard]] at Stepper::step: the status decides whether the state advanced.
#pragma once

#include "moreau/model/directions.hpp"
#include "moreau/model/status.hpp"

namespace moreau {

template <class Real>
struct StepReport {
  Status status = Status::ok;
  Cause cause = Cause::none;  // of a refused step, with
  std::int16_t index = 0;     // the contact, element, row or coordinate it names
  int active = 0;             // closed contacts
  int iterations = 0;         // of the solver: sweeps, pivots, modes tried
  int fallbacks = 0;          // times a method handed over to another one: a solver, or the part in constant time
  Real residual = Real(0);    // m/s, the judge's largest violation
  Real relative = Real(0);    // the same over the velocities it was added up from

  constexpr bool advanced() const { return status == Status::ok || status == Status::inexact; }
};

// One contact after the last step that advanced. A contact that the model does not have: NaN, not closed.
template <class Real, int tangents>
struct ContactOutput {
  Real gap_M;                          // m, at the midpoint of the step
  bool closed;                         // gap_M <= 0
  Real P_N;                            // N s
  Tangential<Real, tangents> P_T;      // N s
  Real force_N;                        // N, mean over the step: P / dt
  Tangential<Real, tangents> force_T;  // N
};

// What a start looks like before the first step. A slightly negative gap is common and no error: a contact of a model
// without depth() keeps it, one of a model with depth() is put back to that depth when it first carries a percussion.
template <class Real>
struct StartReport {
  Status status = Status::ok;
  Cause cause = Cause::none;  // of anything but ok
  std::int16_t index = 0;
  Real penetration = Real(0);  // m, the deepest; 0 where every gap is open
  int contact = -1;            // where
};

}  // namespace moreau
