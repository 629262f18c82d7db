// Recorder contract: a callback after each committed step, with the new state and the report of the step.
//
//   void operator()(const State<Model>& state, const StepReport<Real>& report);
//
// A lambda, a RingBuffer (target) and a StateLog (workstation) are recorders. A recorder does not change the state. A
// recorder with limited storage drops samples when the storage is full, and counts them. Failed steps leave the state
// unchanged and are not recorded.
#pragma once

#include <type_traits>

#include "moreau/model/state.hpp"
#include "moreau/step/report.hpp"

namespace moreau {
namespace detail {

// Compile-time check of a recorder.
template <class Recorder, class Model>
struct RequireRecorder {
  static constexpr bool met =
      std::is_invocable_v<Recorder&, const State<Model>&, const StepReport<typename Traits<Model>::Real>&>;
  static_assert(met, "Recorder needs: void operator()(const State<Model>& state, const StepReport<Real>& report);");
};

// Recorder without storage.
struct NoRecorder {
  template <class State, class Report>
  void operator()(const State&, const Report&) const {}
};

}  // namespace detail

// Time, coordinates, velocities, normal percussions and status of a step.
template <class Model>
struct Sample {
  using Real = typename Traits<Model>::Real;
  Real t = Real(0);                                                                           // s
  Vector<Real, Traits<Model>::dof> q = Vector<Real, Traits<Model>::dof>::Zero();              // m, rad
  Vector<Real, Traits<Model>::dof> u = Vector<Real, Traits<Model>::dof>::Zero();              // m/s, rad/s
  Vector<Real, Traits<Model>::contacts> P_N = Vector<Real, Traits<Model>::contacts>::Zero();  // N s
  Status status = Status::ok;

  Sample() = default;
  Sample(const State<Model>& state, const StepReport<Real>& report)
      : t(state.time()), q(state.q), u(state.u), P_N(state.P_N), status(report.status) {}
};

// Runs and records `steps` steps of size dt. Returns the report of the last step, or of the first step that does not
// advance. Before the first step, the parameters of the model (contact laws, allowed penetrations, parts) are
// validated.
template <class Stepper, class Recorder = detail::NoRecorder>
StepReport<typename Stepper::Real> run(Stepper& stepper, typename Stepper::Real dt, std::int64_t steps,
                                       Recorder&& recorder = {}) {
  using Contract = detail::RequireRecorder<std::remove_reference_t<Recorder>, typename Stepper::Model>;
  StepReport<typename Stepper::Real> report;
  if constexpr (Contract::met) {
    stepper.mass_changed();
    for (std::int64_t i = 0; i < steps; ++i) {
      report = stepper.step(dt);
      if (!report.advanced()) return report;
      recorder(stepper.state, report);
    }
  }
  return report;
}

}  // namespace moreau
