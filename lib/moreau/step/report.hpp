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
  int iterations = 0;         // of the solver: sweeps, pivots, combinations of modes
  int fallbacks = 0;          // times a method handed over to another one: a solver, or the part in constant time
  Real residual = Real(0);    // m/s, the largest violation; of few contacts their sum
  Real relative = Real(0);    // the same, each over the velocities it was added up from

  constexpr bool advanced() const { return status == Status::ok || status == Status::inexact; }
};

}  // namespace moreau
