// Step-size adjustment on top of the unchanged step (SLG08 section 9.3, Tables III-VI, Figure 7).
//
//   moreau::Stepper toy{model, start};
//   moreau::Adaptive run{toy, options};
//   const auto summary = run.advance_to(1.5, [](const auto& state, const auto& step) { ... });
//
// Steps in which a law changes are halved down to dt_min, smooth steps are extrapolated and doubled up to dt_max. Three
// steps are kept: accepted (cannot be rejected any more), previous (carried out, but a switching point at its end shows
// only in its successor) and actual.
//
//   smooth      previous <- actual, accepted <- previous; grows if t_B of the accepted step > t_no_increase    (Table
//   IV) inaccurate  actual again with dt / 2 switching   actual and previous are rejected: from the end of accepted
//   with dt / 2; t_no_increase = t_E     (Table V) resolved    accepted and previous <- actual (Table VI)
//
// The recorder gets every accepted step once, in order: the state at its end and a MainStep (a StepReport with dt,
// order and the switchings it resolved). `stepper.state` is the last accepted one at any time, so an interrupted run
// leaves a valid state. Nothing allocates; every attempt costs base steps, and of those there are base_steps_max.
//
// Differences from the paper: the last step before t_end has no successor, so one step of dt_min looks ahead in its
// place; minimal steps are accepted at once; a base step without solution is treated like a switching point. With
// Locate::secant every step is confirmed by such a look ahead, there is no previous step, and steps grow where the
// error test needed less than order_max.
#pragma once

#include "moreau/adapt/search.hpp"

namespace moreau {

template <class Stepper>
class Adaptive {
 public:
  using Model = typename Stepper::Model;
  using Real = typename Stepper::Real;
  using Options = AdaptiveOptions<Real>;
  using Step = MainStep<Model>;

  Stepper& stepper;
  Options options;

  explicit Adaptive(Stepper& a_stepper, const Options& an_options = {}) : stepper(a_stepper), options(an_options) {}

  // To t_end exactly. recorder(state, step) sees every accepted step; watch(progress) after it says whether to go on.
  template <class Recorder, class Watch>
  Summary<Real> advance_to(Real t_end, Recorder&& recorder, Watch&& watch) {
    begin(t_end);
    while (summary_.finished() && !arrived(recorder, watch)) attempt(recorder, watch);
    summary_.base_steps = extrapolation_.base_steps;
    return summary_;
  }
  template <class Recorder>
  Summary<Real> advance_to(Real t_end, Recorder&& recorder) {
    return advance_to(t_end, recorder, [](const Progress<Real>&) { return true; });
  }
  Summary<Real> advance_to(Real t_end) {
    return advance_to(t_end, [](const State<Model>&, const Step&) {});
  }

 private:
  void begin(Real t_end) {
    summary_ = {};
    extrapolation_.base_steps = 0;
    t_begin_ = stepper.state.time();
    t_end_ = t_end;
    // dt_min has to move the time
    const Real moved = (t_end + options.dt_min) - t_end;
    if (!options.valid() || !(t_end >= t_begin_) || !(moved >= options.dt_min / 2 && moved <= 2 * options.dt_min)) {
      summary_.status = Status::invalid_argument;
      return;
    }
    pending_ = false;
    const bool goes_on = known_ && accepted_.q == stepper.state.q && accepted_.u == stepper.state.u;
    previous_ = stepper.state;
    if (goes_on && accepted_.time() == t_begin_) return;
    accepted_ = stepper.state;
    known_ = false;
    dt_ = options.dt_min;
    t_no_increase_ = t_B_accepted_ = t_begin_;
    smooth_steps_ = 0;
    search_.stop();
  }

  template <class Recorder, class Watch>
  bool arrived(Recorder& recorder, Watch& watch) {
    if (previous_.time() >= t_end_) {
      if (!pending_) return true;
      if (confirmed(previous_)) {
        accept_previous(recorder, watch);
        return true;
      }
      drop_back(t_end_, previous_step_.dt);
    }
    if (extrapolation_.base_steps >= options.base_steps_max) summary_.status = Status::not_finished;
    return false;
  }

  // One calculation step of Figure 7.
  template <class Recorder, class Watch>
  void attempt(Recorder& recorder, Watch& watch) {
    const Real left = t_end_ - previous_.time();
    const bool lands = left <= dt_ + options.dt_min / 2;
    const Real dt = lands ? left : dt_;
    const bool minimal = dt < Real(2.5) * options.dt_min;
    Exit exit = extrapolation_.run(stepper, previous_, dt, minimal, discrete_, known_, options, actual_, actual_step_);
    if (exit == Exit::failed && !minimal) exit = Exit::switching;
    if (exit == Exit::smooth || exit == Exit::resolved) finish(dt, lands);
    switch (exit) {
      case Exit::smooth:
        return smooth(dt, lands, minimal, recorder, watch);
      case Exit::resolved:
        if (pending_) return drop_back(actual_.time(), previous_step_.dt);  // it may lie in the previous step
        return resolved(dt, recorder, watch);
      case Exit::inaccurate:
        ++summary_.rejected;
        dt_ = reduced(shrink() * dt);
        return;
      case Exit::switching:
        return drop_back(previous_.time() + dt, dt);
      case Exit::failed:
        summary_.status = actual_step_.status;
    }
  }

  void finish(Real dt, bool lands) {
    if (lands) {
      actual_.time = Time<Real>(t_end_);
      actual_.time.dt = dt;
    }
    if constexpr (Contract<Model>::has_wrap) actual_.q = stepper.model.wrap(actual_.q);
  }

  // Table IV
  template <class Recorder, class Watch>
  void smooth(Real dt, bool lands, bool minimal, Recorder& recorder, Watch& watch) {
    const bool looks_ahead = options.locate == Locate::secant;
    if (!minimal && looks_ahead && !confirmed(actual_)) return drop_back(actual_.time(), dt);
    if (pending_) accept_previous(recorder, watch);
    if (minimal || looks_ahead)
      accept_actual(recorder, watch);
    else
      keep_actual();
    known_ = true;
    ++smooth_steps_;
    if (search_.active() && search_.passed(accepted_.time())) search_.stop();
    if (search_.active())
      dt_ = search_dt();
    else if (may_grow())
      grow(lands && dt < dt_ ? dt_ : dt);
  }

  // Table VI
  template <class Recorder, class Watch>
  void resolved(Real dt, Recorder& recorder, Watch& watch) {
    const DiscreteState<Model> now = extrapolation_.seen();
    if (known_) actual_step_.switchings.compare(discrete_, now, actual_step_.t_A + dt / 2);
    summary_.switchings += actual_step_.switchings.count;
    discrete_ = now;
    known_ = true;
    accept_actual(recorder, watch);
    t_no_increase_ = accepted_.time();
    smooth_steps_ = 0;
    search_.stop();
    grow(dt);
  }

  // Table V: back to the accepted step, from where a switching point is searched before t_E.
  void drop_back(Real t_E, Real dt) {
    summary_.rejected += pending_ && previous_.time() < t_E ? 2 : 1;
    t_no_increase_ = t_E;
    previous_ = accepted_;
    pending_ = false;
    dt_ = reduced(dt / 2);
    if (options.locate == Locate::secant && extrapolation_.seen() != discrete_) {
      search_.behind(accepted_.time(), t_E, discrete_, extrapolation_.seen());
      dt_ = search_dt();
    }
  }

  bool may_grow() const { return options.locate == Locate::secant || t_B_accepted_ > t_no_increase_; }
  void grow(Real dt) {
    dt_ = larger(growth() * dt, 3 * options.dt_min);
    if (dt_ > options.dt_max) dt_ = options.dt_max;
  }

  // Pace::predicted: the error tested is that of the column before the last, of order p, and goes with dt^(p+1). The
  // prediction is trusted for the same column; a step that stopped before the last column has orders in reserve.
  static constexpr Real largest_growth = Real(8), smallest_shrink = Real(1) / 64, safety = Real(0.5);
  Real predicted_error(Real factor) const {
    Real error = actual_step_.error;
    const int power = options.powers == Powers::even ? actual_step_.order - 1 : actual_step_.order;
    for (int i = 0; i < power; ++i) error *= factor;
    return error;
  }
  Real growth() const {
    if (options.pace == Pace::doubling) return Real(2);
    const bool last = actual_step_.order >= options.order(options.last_column());
    Real factor = largest_growth;
    while (factor > Real(1) && last && !(predicted_error(factor) <= safety)) factor /= 2;
    return factor;
  }
  Real shrink() const {
    Real factor = Real(0.5);
    if (options.pace == Pace::doubling) return factor;
    while (factor > smallest_shrink && !(predicted_error(factor) <= safety)) factor /= 2;
    return factor;
  }

  Real reduced(Real dt) const { return dt < 3 * options.dt_min ? options.dt_min : dt; }
  Real search_dt() {
    const Real dt = search_.next_dt(stepper.model, earlier_, accepted_, smooth_steps_ >= 2, options.dt_min);
    return dt < options.dt_max ? dt : options.dt_max;
  }

  bool confirmed(const State<Model>& E) { return extrapolation_.lasts(stepper, E, options.dt_min); }

  void keep_actual() {
    previous_ = actual_;
    previous_step_ = actual_step_;
    pending_ = true;
  }
  template <class Recorder, class Watch>
  void accept_previous(Recorder& recorder, Watch& watch) {
    pending_ = false;
    accept(previous_, previous_step_, recorder, watch);
  }
  template <class Recorder, class Watch>
  void accept_actual(Recorder& recorder, Watch& watch) {
    previous_ = actual_;
    accept(actual_, actual_step_, recorder, watch);
  }

  template <class Recorder, class Watch>
  void accept(const State<Model>& state, const Step& step, Recorder& recorder, Watch& watch) {
    if (options.locate == Locate::secant) earlier_ = accepted_;
    accepted_ = state;
    t_B_accepted_ = step.t_A;
    if (summary_.accepted == 0 || step.dt < summary_.dt_smallest) summary_.dt_smallest = step.dt;
    ++summary_.accepted;
    if (step.status == Status::inexact) summary_.status = Status::inexact;
    stepper.state = state;
    recorder(stepper.state, step);
    const Real t = state.time(), whole = t_end_ - t_begin_;
    const Progress<Real> progress{t, step.dt, whole > Real(0) ? (t - t_begin_) / whole : Real(1),
                                  extrapolation_.base_steps};
    if (!watch(progress) && t < t_end_) summary_.status = Status::not_finished;
  }

  State<Model> accepted_, previous_, actual_, earlier_;
  Step previous_step_, actual_step_;
  bool pending_ = false;           // previous_ is ahead of accepted_
  bool known_ = false;             // discrete_ is that of accepted_
  DiscreteState<Model> discrete_;  // of the accepted and the previous step
  Real dt_ = Real(0), t_no_increase_ = Real(0), t_B_accepted_ = Real(0), t_begin_ = Real(0), t_end_ = Real(0);
  int smooth_steps_ = 0;  // since the last switching point
  Summary<Real> summary_;
  Extrapolation<Stepper> extrapolation_;
  Search<Model> search_;
};

}  // namespace moreau
