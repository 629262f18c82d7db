// What a step says about itself. Whoever drops it drops the question whether the step can be trusted.
#pragma once

#include "moreau/model/directions.hpp"
#include "moreau/model/status.hpp"

namespace moreau {

template <class Real>
struct StepReport {
  Status status = Status::ok;
  int active = 0;           // closed contacts
  int iterations = 0;       // of the solver: sweeps, pivots, modes tried
  int fallbacks = 0;        // times the solver handed over to another method
  Real residual = Real(0);  // m/s, the judge's largest violation
  Real relative = Real(0);  // the same over the velocities it was added up from

  constexpr bool advanced() const { return status == Status::ok || status == Status::inexact; }
};

// One contact after a step.
template <class Real, int tangents>
struct ContactOutput {
  Real gap_M;                          // m, at the midpoint of the step
  bool closed;                         // gap_M <= 0
  Real P_N;                            // N s
  Tangential<Real, tangents> P_T;      // N s
  Real force_N;                        // N, mean over the step: P / dt
  Tangential<Real, tangents> force_T;  // N
};

// What a state looks like before the first step. A slightly negative gap is common and no error.
template <class Real>
struct StartReport {
  Status status = Status::ok;
  Real penetration = Real(0);  // m, the deepest; 0 where every gap is open
  int contact = -1;            // where
};

}  // namespace moreau
