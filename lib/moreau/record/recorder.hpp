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
#include "moreau/record/flights.hpp"
#include "moreau/step/reach.hpp"
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

namespace detail {

// Summary of a run: the report of its last step, or of the first step that does not advance, the largest reach and the
// flights of the contacts.
template <class Real>
struct RunReport : StepReport<Real> {
  std::int64_t steps = 0;  // number of steps that advanced
  StepReach<Real> reach;   // largest reach of these steps: reach.dt_too_long(), reach.joints.open()
  ImpactFlights<Real>
      flights;  // of models with `second_order`; flights.dt_too_long() if dt is too long for the impacts
};

}  // namespace detail

// Runs and records `steps` steps of size dt, until a step does not advance. Before the first step, the parameters of
// the model (contact laws, allowed penetrations, parts) are validated. A negative number of steps, or a dt out of its
// range, is rejected with the cause dt. dt is also tested for steps = 0: exchanged arguments, as in run(stepper, 1000,
// 1e-4), are therefore rejected, although the conversion of 1e-4 to an integer gives 0 steps.
//
// Returns the report of the last step, or of the first step that does not advance. The result has three further
// members: `steps` (number of steps that advanced), `reach` (largest StepReach of these steps) and `flights` (impacts
// and short flights of these steps, if the model declares `second_order`; record/flights.hpp).
template <class Stepper, class Recorder = detail::NoRecorder>
detail::RunReport<typename Stepper::Real> run(Stepper& stepper, typename Stepper::Real dt, std::int64_t steps,
                                              Recorder&& recorder = {}) {
  using Model = typename Stepper::Model;
  using Contract = detail::RequireRecorder<std::remove_reference_t<Recorder>, Model>;
  detail::RunReport<typename Stepper::Real> summary;
  if constexpr (Contract::met) {
    if (steps < 0 || !detail::is_step_size(dt)) {
      summary.status = Status::invalid_argument;
      summary.cause = Cause::dt;
      return summary;
    }
    stepper.mass_changed();
    detail::FlightCounter<Model> flights;
    for (std::int64_t i = 0; i < steps; ++i) {
      const State<Model> before = stepper.state;
      StepReport<typename Stepper::Real>& report = summary;
      report = stepper.step(dt);
      if (!report.advanced()) return summary;
      summary.reach.add(step_reach(stepper.model, before, stepper.state));
      flights.add(stepper.model, before, stepper.state, summary.flights);
      ++summary.steps;
      recorder(stepper.state, report);
    }
  }
  return summary;
}

}  // namespace moreau
