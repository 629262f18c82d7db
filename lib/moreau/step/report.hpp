// What a step says about itself. Whoever drops it drops the question whether the step can be trusted.
#pragma once

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

}  // namespace moreau
