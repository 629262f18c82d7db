// Adaptive step-size control (SLG08 section 9.3, Tables III-VI, Figure 7). With AdaptiveOptions::paper(), the base step
// is that of the stepper; the default options modify it (held_contacts.hpp).
//
//   moreau::Stepper toy{model, start};
//   moreau::Adaptive run{toy, options};
//   const auto summary = run.advance_to(1.5, [](const auto& state, const auto& step) { ... });
//
// A step that contains a mode change (open or closed, stick or slip) is shortened down to dt_min. Smooth steps are
// extrapolated and lengthened up to dt_max.
//
//   smooth      accepted <- previous <- current; increase dt if t_B of the accepted step > t_no_increase (Table IV)
//   inaccurate  repeat the current step with a smaller dt
//   switching   reject current and previous; restart at the end of accepted with dt / 2; t_no_increase = t_E (Table V)
//   resolved    accepted and previous <- current; t_no_increase = t_E (Table VI)
//
// The recorder receives each accepted step once, in order: the state at its end and a Step. A Step is a StepReport with
// dt, order and the resolved switchings. `stepper.state` is always the last accepted state, so an interrupted run
// leaves a valid state. No memory is allocated. Once base_steps_max base steps have been executed, a call starts no
// further main step.
//
// Departures from the paper:
//
//   - The last step before t_end has no successor in which a switching point could be detected. Trial steps of dt_min
//     beyond t_end take the place of the successor.
//   - Minimal steps (dt < 2.5 dt_min) are accepted at once.
//   - A switching point in the step directly after a longer step also rejects the longer step. The paper states this
//     rule only in equation (36).
//   - A base step without solution is treated as a switching point.
//   - With Locate::secant, trial steps of dt_min follow every step immediately, so no step is ever pending.
//
// ThreeSteps (SLG08 section 9.3, Figure 8):
//
//   accepted   final: recorded, and stored as the state of the stepper
//   previous   computed but not yet accepted, because a switching point at its end is detected only in its successor;
//              equal to `accepted` if no step is pending
//   current    being computed (`actual` in the code)
//
// The stepper keeps the accepted state, so the rejection of a step requires no restoration.
#pragma once

#include "moreau/adapt/main_step.hpp"
#include "moreau/adapt/pace.hpp"
#include "moreau/adapt/search.hpp"

namespace moreau {
namespace detail {

// Accepted, previous and current step.
template <class Model>
class ThreeSteps {
 public:
  State<Model> accepted, previous, actual;
  State<Model> earlier;  // the step accepted before `accepted`
  using Step = MainStep<Model>;
  Step previous_step, actual_step;
  bool pending = false;                  // true if `previous` awaits acceptance
  typename Step::Real t_B_accepted = 0;  // start of the accepted step, s

  void begin(const State<Model>& state) {
    accepted = previous = state;
    pending = false;
  }
  void keep_actual() {
    previous = actual;
    previous_step = actual_step;
    pending = true;
  }
  // Accepts the previous or the current step, and calls accept(state, step).
  template <class Accept>
  void accept_previous(Accept& accept) {
    if (!pending) return;
    pending = false;
    commit(previous, previous_step, accept);
  }
  template <class Accept>
  void accept_actual(Accept& accept) {
    previous = actual;
    commit(actual, actual_step, accept);
  }
  // Rolls back to the accepted step. Returns the number of rejected steps, including the current one.
  int roll_back(bool actual_computed) {
    const int rejected = (pending ? 1 : 0) + (actual_computed ? 1 : 0);
    previous = accepted;
    pending = false;
    return rejected;
  }

 private:
  template <class Accept>
  void commit(const State<Model>& state, const Step& step, Accept& accept) {
    earlier = accepted;
    accepted = state;
    t_B_accepted = step.t_A;
    accept(accepted, step);
  }
};

}  // namespace detail

// Time integration with adaptive step size.
template <class Stepper>
class Adaptive {
 public:
  using Real = typename Stepper::Real;
  using Options = AdaptiveOptions<Real>;
  using Model = typename Stepper::Model;
  // Report for recorders: a StepReport with t_A and dt (s), order, error relative to the tolerance, and switchings.
  using Step = detail::MainStep<Model>;

  // Summary of a call of advance_to.
  struct Summary {
    // Progress of a run, for a display. remaining() estimates the remaining wall-clock time from the elapsed time.
    struct Progress {
      Real t, dt;  // current time and step size, s
      Real done;   // completed fraction of this call, 0 .. 1
      std::int64_t base_steps;
      double remaining(double elapsed) const { return done > Real(0) ? elapsed * (1 / double(done) - 1) : 0; }
    };

    std::int64_t accepted = 0, rejected = 0;  // main steps
    std::int64_t base_steps = 0;              // base steps, including those of rejected main steps
    std::int64_t switchings = 0;              // mode changes (contacts, friction) at resolved switching points
    Real dt_smallest = Real(0);               // smallest accepted step size, s
    Status status = Status::ok;               // worst status of the accepted steps, or the status that ended the run
    Cause cause = Cause::none;                // cause of the failure that ended the run
    std::int16_t index = 0;                   // index of the cause, as in StepReport
    // Returns true if the run reached t_end.
    constexpr bool finished() const { return status == Status::ok || status == Status::inexact; }
  };

  Stepper& stepper;
  Options options;

  explicit Adaptive(Stepper& a_stepper, const Options& an_options = {}) : stepper(a_stepper), options(an_options) {}

  // Advances to t_end; the last step ends exactly there. A limit, a failure, or watch(progress) == false ends the run
  // earlier. Calls recorder(state, step) after every accepted step.
  template <class Recorder = detail::GoOn, class Watch = detail::GoOn>
  Summary advance_to(Real t_end, Recorder&& recorder = {}, Watch&& watch = {}) {
    const auto accept = [this, &recorder, &watch](const State<Model>& state, const Step& step) {
      count(state, step);
      recorder(stepper.state, step);
      if (!watch(progress(step.dt)) && state.time() < t_end_) summary_.status = Status::not_finished;
    };
    begin(t_end);
    while (!stopped() && !ended(accept)) attempt(accept);
    summary_.base_steps = extrapolation_.base_steps;
    return summary_;
  }

 private:
  void begin(Real t_end) {
    const State<Model>& now = stepper.state;
    summary_ = {};
    run_options_ = options.template resolved<Model>();
    extrapolation_.base_steps = 0;
    t_begin_ = now.time();
    t_end_ = t_end;
    stepper.mass_changed();  // invalid model parameters end the run at once
    if (!run_options_.valid() || !(t_end >= t_begin_) || !run_options_.moves(t_begin_) || !run_options_.moves(t_end)) {
      summary_.status = Status::invalid_argument;
      return;
    }
    const State<Model>& last = steps_.accepted;
    const bool continued = known_ && last.q == now.q && last.u == now.u && last.time() == t_begin_;
    steps_.begin(now);
    if (continued) return;
    known_ = false;
    dt_ = run_options_.dt_min;
    t_no_increase_ = steps_.t_B_accepted = t_begin_;
    smooth_steps_ = 0;
    search_.stop();
  }

  template <class Accept>
  bool ended(Accept& accept) {
    if (steps_.previous.time() >= t_end_) {
      if (!steps_.pending) return true;
      if (confirmed(steps_.previous)) {
        steps_.accept_previous(accept);
        return true;
      }
      roll_back(t_end_, steps_.previous_step.dt, false);
    }
    if (extrapolation_.base_steps < run_options_.base_steps_max) return false;
    summary_.status = Status::not_finished;
    return true;
  }

  // Computes one step of Figure 7.
  template <class Accept>
  void attempt(Accept& accept) {
    auto& [accepted, previous, actual, earlier, previous_step, step, pending, t_B_accepted] = steps_;
    const Real remaining = t_end_ - previous.time();
    const Real dt_limit = detail::larger(dt_ < run_options_.dt_max ? dt_ : run_options_.dt_max, run_options_.dt_min);
    const bool ends_at_t_end = remaining <= dt_limit + run_options_.dt_min / 2;
    const Real dt = ends_at_t_end ? remaining : dt_limit;
    const bool minimal = dt < Real(2.5) * run_options_.dt_min;
    const auto exit = extrapolation_.run(stepper, previous, dt, minimal, discrete_, known_, run_options_, actual, step);
    if (ends_at_t_end) {
      actual.set_time(t_end_);
      actual.clock.dt = dt;
    }
    if (exit == detail::Exit::smooth) return smooth(dt, minimal, accept);
    if (exit == detail::Exit::resolved)
      return pending ? roll_back(actual.time(), previous_step.dt, true) : resolved(dt, accept);
    if (exit == detail::Exit::switching || (exit == detail::Exit::failed && !minimal))
      return roll_back(previous.time() + dt, dt, true);
    if (exit == detail::Exit::failed) {
      summary_.status = step.status;
      summary_.cause = step.cause;
      summary_.index = step.index;
      return;
    }
    ++summary_.rejected;
    dt_ = detail::reduced_dt(detail::reduction(step, run_options_) * dt, run_options_);
  }

  // Accepts a smooth step (Table IV).
  template <class Accept>
  void smooth(Real dt, bool minimal, Accept& accept) {
    const bool confirm_every_step = run_options_.locate == Locate::secant;
    if (!minimal && confirm_every_step && !confirmed(steps_.actual)) return roll_back(steps_.actual.time(), dt, true);
    steps_.accept_previous(accept);
    if (minimal || confirm_every_step)
      steps_.accept_actual(accept);
    else
      steps_.keep_actual();
    known_ = true;
    ++smooth_steps_;
    if (search_.active() && search_.passed(steps_.accepted.time())) search_.stop();
    if (search_.active())
      dt_ = search_dt();
    else if (confirm_every_step || steps_.t_B_accepted > t_no_increase_)
      // dt < dt_ only if this step was shortened to end at t_end.
      dt_ = detail::increased_dt(detail::growth(steps_.actual_step, run_options_) * detail::larger(dt, dt_),
                                 run_options_);
  }

  // Accepts a resolved switching point (Table VI).
  template <class Accept>
  void resolved(Real dt, Accept& accept) {
    Step& step = steps_.actual_step;
    if (known_) step.switchings.compare(discrete_, extrapolation_.discrete_state(), step.t_A + dt / 2);
    discrete_ = extrapolation_.discrete_state();
    known_ = true;
    steps_.accept_actual(accept);
    t_no_increase_ = steps_.accepted.time();
    smooth_steps_ = 0;
    search_.stop();
    dt_ = detail::increased_dt(detail::growth(step, run_options_) * dt, run_options_);
  }

  // Rolls back to the accepted step, and searches for a switching point before t_E (Table V).
  void roll_back(Real t_E, Real dt, bool actual_computed) {
    summary_.rejected += steps_.roll_back(actual_computed);
    t_no_increase_ = t_E;
    dt_ = detail::reduced_dt(dt / 2, run_options_);
    if (run_options_.locate == Locate::secant && extrapolation_.discrete_state() != discrete_) {
      search_.bracket(steps_.accepted.time(), t_E, discrete_, extrapolation_.discrete_state());
      dt_ = search_dt();
    }
  }

  Real search_dt() {
    const bool two_values = smooth_steps_ >= 2;
    return search_.next_dt(stepper.model, steps_.earlier, steps_.accepted, two_values, run_options_.dt_min);
  }
  bool stopped() const { return !summary_.finished(); }
  bool confirmed(const State<Model>& E) { return extrapolation_.persists(stepper, E, run_options_.dt_min); }
  void count(const State<Model>& state, const Step& step) {
    if (summary_.accepted == 0 || step.dt < summary_.dt_smallest) summary_.dt_smallest = step.dt;
    ++summary_.accepted;
    summary_.switchings += step.switchings.count;
    if (step.status == Status::inexact) summary_.status = Status::inexact;
    stepper.state = state;
  }
  typename Summary::Progress progress(Real dt) const {
    const Real t = stepper.state.time();
    return {t, dt, (t - t_begin_) / (t_end_ - t_begin_), extrapolation_.base_steps};
  }

  Options run_options_;  // options of this call
  detail::ThreeSteps<Model> steps_;
  bool known_ = false;             // true if discrete_ is that of the accepted step
  DiscreteState<Model> discrete_;  // discrete state common to the accepted and the previous step
  Real dt_ = Real(0), t_no_increase_ = Real(0), t_begin_ = Real(0), t_end_ = Real(0);
  int smooth_steps_ = 0;  // smooth steps since the last switching point
  Summary summary_;
  detail::Extrapolation<Stepper> extrapolation_;
  detail::Search<Model> search_;
};

}  // namespace moreau
