// The recorder contract: what is called once per committed step, with the state after it and the step's report.
//
//   void operator()(const State<Model>& state, const StepReport<Real>& report);
//
// A lambda is a recorder, so is a RingBuffer (target) or a StateLog (workstation). A recorder sees the state and
// does not change it; it drops and counts steps that it cannot take. Failed steps are not recorded: the state is as before.
#pragma once

#include <type_traits>

#include "moreau/model/state.hpp"
#include "moreau/step/report.hpp"

namespace moreau {
namespace detail {

template <class Recorder, class Model>
struct RequireRecorder {
  static constexpr bool met =
      std::is_invocable_v<Recorder&, const State<Model>&, const StepReport<typename Traits<Model>::Real>&>;
  static_assert(met, "Recorder needs: void operator()(const State<Model>& state, const StepReport<Real>& report);");
};

// Takes everything, keeps nothing.
struct NoRecorder {
  template <class State, class Report>
  void operator()(const State&, const Report&) const {}
};

}  // namespace detail

// What is usually worth keeping of a step, at a fifth of the state's size or less.
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

// n steps of dt, recorded; ends with the first step that does not advance, whose report is the answer. What the model
// has out of its range - laws, depths, parts - is refused before the first one.
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
