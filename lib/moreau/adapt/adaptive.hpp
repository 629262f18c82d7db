// Step-size adjustment on top of the unchanged step (SLG08 section 9.3, Tables III-VI, Figure 7).
//
//   moreau::Stepper toy{model, start};
//   moreau::Adaptive run{toy, options};
//   const auto summary = run.advance_to(1.5, [](const auto& state, const auto& step) { ... });
//
// Steps in which a law changes are halved down to dt_min, smooth steps are extrapolated and doubled up to dt_max.
//
//   smooth      previous <- actual, accepted <- previous; grows if t_B of the accepted step > t_no_increase   (IV)
//   inaccurate  actual again, shorter
//   switching   actual and previous are rejected: from the end of accepted with dt / 2; t_no_increase = t_E    (V)
//   resolved    accepted and previous <- actual; t_no_increase = t_E                                           (VI)
//
// The recorder gets every accepted step once, in order: the state at its end and a Step (a StepReport with dt, order
// and the switchings it resolved). `stepper.state` is the last accepted one at any time, so an interrupted run
// leaves a valid state. Nothing allocates; every attempt costs base steps, and of those there are base_steps_max.
//
// Differences from the paper: the last step before t_end has no successor, so a look ahead of dt_min confirms it; minimal
// steps are accepted at once; a switching point right behind a longer step rejects that step, as in (36); a base step
// without solution is treated like a switching point. Locate::secant looks ahead of every step: none is pending.
//
// ThreeSteps (SLG08 section 9.3, Figure 8):
//
//   accepted   cannot be rejected any more; the recorder has seen it, and it is the stepper's state
//   previous   carried out, but a switching point at its end shows only in its successor (may be the accepted one)
//   actual     being carried out
//
// Rejecting a step means not copying its state.
#pragma once

#include "moreau/adapt/main_step.hpp"
#include "moreau/adapt/pace.hpp"
#include "moreau/adapt/search.hpp"

namespace moreau {
namespace detail {

template <class Model>
class ThreeSteps {
 public:
  State<Model> accepted, previous, actual;
  State<Model> earlier;  // the accepted step before the accepted one
  using Step = MainStep<Model>;
  Step previous_step, actual_step;
  bool pending = false;                  // previous is not accepted yet
  typename Step::Real t_B_accepted = 0;  // s, where the accepted step began

  void begin(const State<Model>& state) {
    accepted = previous = state;
    pending = false;
  }
  void keep_actual() {
    previous = actual;
    previous_step = actual_step;
    pending = true;
  }
  // Each calls accept(state, step) for what becomes accepted.
  template <class Accept>
  void accept_previous(Accept& accept) {
    if (!pending) return;
    pending = false;
    take(previous, previous_step, accept);
  }
  template <class Accept>
  void accept_actual(Accept& accept) {
    previous = actual;
    take(actual, actual_step, accept);
  }
  // Back to the accepted step; how many steps that rejects, the actual one included.
  int drop_back(bool actual_was_tried) {
    const int rejected = (pending ? 1 : 0) + (actual_was_tried ? 1 : 0);
    previous = accepted;
    pending = false;
    return rejected;
  }

 private:
  template <class Accept>
  void take(const State<Model>& state, const Step& step, Accept& accept) {
    earlier = accepted;
    accepted = state;
    t_B_accepted = step.t_A;
    accept(accepted, step);
  }
};

}  // namespace detail

template <class Stepper>
class Adaptive {
 public:
  using Real = typename Stepper::Real;
  using Options = AdaptiveOptions<Real>;
  using Model = typename Stepper::Model;
  // What a recorder gets: a StepReport with t_A and dt (s), order, error in tolerances, and the switchings it resolved.
  using Step = detail::MainStep<Model>;

  // What a call of advance_to did.
  struct Summary {
    // Where a run stands, for a progress display. The library has no clock: hand in the time that has passed.
    struct Progress {
      Real t, dt;  // s
      Real done;   // 0..1 of this call
      std::int64_t base_steps;
      double remaining(double elapsed) const { return done > Real(0) ? elapsed * (1 / double(done) - 1) : 0; }
    };

    std::int64_t accepted = 0, rejected = 0;  // main steps
    std::int64_t base_steps = 0;              // Moreau steps, those of rejected main steps included
    std::int64_t switchings = 0;              // laws that changed at resolved switching points
    Real dt_smallest = Real(0);               // s, of the accepted steps
    Status status = Status::ok;  // the worst of the accepted steps; what ended the run where it ended early
    Cause cause = Cause::none;   // of the step that ended it, with
    std::int16_t index = 0;      // what it names, as in StepReport
    // Whether t_end was reached: a run that stops before it has another status.
    constexpr bool finished() const { return status == Status::ok || status == Status::inexact; }
  };

  Stepper& stepper;
  Options options;

  explicit Adaptive(Stepper& a_stepper, const Options& an_options = {}) : stepper(a_stepper), options(an_options) {}

  // To t_end exactly. recorder(state, step) sees every accepted step; the run goes on while watch(progress) is true.
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
    asked_ = options.template resolved<Model>();
    extrapolation_.base_steps = 0;
    t_begin_ = now.time();
    t_end_ = t_end;
    stepper.mass_changed();  // what is out of its range ends the run at once
    if (!asked_.valid() || !(t_end >= t_begin_) || !asked_.moves(t_begin_) || !asked_.moves(t_end)) {
      summary_.status = Status::invalid_argument;
      return;
    }
    const State<Model>& last = steps_.accepted;
    const bool goes_on = known_ && last.q == now.q && last.u == now.u && last.time() == t_begin_;
    steps_.begin(now);
    if (goes_on) return;
    known_ = false;
    dt_ = asked_.dt_min;
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
      drop_back(t_end_, steps_.previous_step.dt, false);
    }
    if (extrapolation_.base_steps < asked_.base_steps_max) return false;
    summary_.status = Status::not_finished;
    return true;
  }

  // One calculation step of Figure 7.
  template <class Accept>
  void attempt(Accept& accept) {
    auto& [accepted, previous, actual, earlier, previous_step, step, pending, t_B_accepted] = steps_;
    const Real left = t_end_ - previous.time();
    const Real most =
        detail::larger(dt_ < asked_.dt_max ? dt_ : asked_.dt_max, asked_.dt_min);  // of this call's options
    const bool lands = left <= most + asked_.dt_min / 2;
    const Real dt = lands ? left : most;
    const bool minimal = dt < Real(2.5) * asked_.dt_min;
    const auto exit = extrapolation_.run(stepper, previous, dt, minimal, discrete_, known_, asked_, actual, step);
    if (lands) {
      actual.set_time(t_end_);
      actual.clock.dt = dt;
    }
    if (exit == detail::Exit::smooth) return smooth(dt, minimal, accept);
    if (exit == detail::Exit::resolved)
      return pending ? drop_back(actual.time(), previous_step.dt, true) : resolved(dt, accept);
    if (exit == detail::Exit::switching || (exit == detail::Exit::failed && !minimal))
      return drop_back(previous.time() + dt, dt, true);
    if (exit == detail::Exit::failed) {
      summary_.status = step.status;
      summary_.cause = step.cause;
      summary_.index = step.index;
      return;
    }
    ++summary_.rejected;
    dt_ = detail::descended(detail::shrinkage(step, asked_) * dt, asked_);
  }

  // Table IV
  template <class Accept>
  void smooth(Real dt, bool minimal, Accept& accept) {
    const bool looks_ahead = asked_.locate == Locate::secant;
    if (!minimal && looks_ahead && !confirmed(steps_.actual)) return drop_back(steps_.actual.time(), dt, true);
    steps_.accept_previous(accept);
    if (minimal || looks_ahead)
      steps_.accept_actual(accept);
    else
      steps_.keep_actual();
    known_ = true;
    ++smooth_steps_;
    if (search_.active() && search_.passed(steps_.accepted.time())) search_.stop();
    if (search_.active())
      dt_ = search_dt();
    else if (looks_ahead || steps_.t_B_accepted > t_no_increase_)
      dt_ = detail::climbed(detail::growth(steps_.actual_step, asked_) * detail::larger(dt, dt_),
                            asked_);  // dt < dt_: only cut by t_end
  }

  // Table VI
  template <class Accept>
  void resolved(Real dt, Accept& accept) {
    Step& step = steps_.actual_step;
    if (known_) step.switchings.compare(discrete_, extrapolation_.seen(), step.t_A + dt / 2);
    discrete_ = extrapolation_.seen();
    known_ = true;
    steps_.accept_actual(accept);
    t_no_increase_ = steps_.accepted.time();
    smooth_steps_ = 0;
    search_.stop();
    dt_ = detail::climbed(detail::growth(step, asked_) * dt, asked_);
  }

  // Table V: back to the accepted step, from where a switching point is searched before t_E.
  void drop_back(Real t_E, Real dt, bool actual_was_tried) {
    summary_.rejected += steps_.drop_back(actual_was_tried);
    t_no_increase_ = t_E;
    dt_ = detail::descended(dt / 2, asked_);
    if (asked_.locate == Locate::secant && extrapolation_.seen() != discrete_) {
      search_.behind(steps_.accepted.time(), t_E, discrete_, extrapolation_.seen());
      dt_ = search_dt();
    }
  }

  Real search_dt() {
    const bool two_values = smooth_steps_ >= 2;
    return search_.next_dt(stepper.model, steps_.earlier, steps_.accepted, two_values, asked_.dt_min);
  }
  bool stopped() const { return !summary_.finished(); }
  bool confirmed(const State<Model>& E) { return extrapolation_.persistent(stepper, E, asked_.dt_min); }
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

  Options asked_;  // the options of this call
  detail::ThreeSteps<Model> steps_;
  bool known_ = false;             // discrete_ is that of the accepted step
  DiscreteState<Model> discrete_;  // of the accepted and the previous step
  Real dt_ = Real(0), t_no_increase_ = Real(0), t_begin_ = Real(0), t_end_ = Real(0);
  int smooth_steps_ = 0;  // since the last switching point
  Summary summary_;
  detail::Extrapolation<Stepper> extrapolation_;
  detail::Search<Model> search_;
};

}  // namespace moreau
