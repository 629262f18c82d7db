// Running instance of a bench: model, stepper and record of the last step, accessed by index and value. No dynamic
// allocation, no global state.
//
//   Plant<CrankBench> plant;   plant.set(i, 0.5);   plant.step();   plant.get(j, value);
//
// A value type: a copy saves it. A rejected call changes nothing. All adapters of this port (C interface, FMUs, HAL,
// frames on a serial line) drive this object and add only their calling convention.
#pragma once

#include "moreau/bench/answer.hpp"
#include "moreau/bench/bench.hpp"

namespace moreau::bench {

template <class Bench, bool met = detail::RequireBench<Bench>::met>
class Plant {};  // placeholder after the error message for an invalid bench

template <class Bench>
class Plant<Bench, true> {
  using Types = detail::BenchTypes<Bench>;

 public:
  using Model = typename Types::Model;
  using Table = bench::Table<Bench>;
  using Real = typename Model::Real;
  using Report = StepReport<Real>;
  static constexpr double dt = Bench::dt;
  // Largest error of an ideal joint at the start, m or rad. A larger one is rejected: the first step would otherwise
  // close the joint over any distance (lib/MODEL.md).
  static constexpr double most_open = 1e-5;                        // m or rad
  static_assert(Table::count > 0, "a list begins with the time");  // errors of the list are found here, used or not

  Plant() : stepper_(Types::model(), Bench::start(Types::model())) { before_[0] = before_[1] = stepper_.state; }

  // Restores the initial state, inputs and parameters.
  void reset() {
    const Model fresh = Types::model();
    const State<Model> start = Bench::start(fresh);
    put({fresh, start, start, Report{}});
  }

  // Sets the start of the model, with its present parameters, at time t.
  Answer restart(double t = 0) {
    State<Model> start = Bench::start(stepper_.model);
    start.set_time(static_cast<Real>(t));
    const auto seen = moreau::detail::inspect_start<typename Types::Stepper::StartReport>(stepper_.model, start);
    if (seen.status != Status::ok) return answer(seen.status);
    if (double(seen.miss) > most_open) return Answer::invalid_argument;
    (void)stepper_.set_state(start);
    before_[0] = before_[1] = start;
    report_ = Report{};
    return Answer::ok;
  }

  // Returns the error of setting variable i to the value, or ok.
  static Answer check(int i, double value) {
    if (i < 0 || i >= Table::count) return Answer::unknown_variable;
    const Variable<Model>& v = Table::of(i);
    if (v.set == nullptr) return Answer::not_settable;
    if (!(value - value == 0)) return Answer::not_a_number;
    const double as_stored = static_cast<double>(static_cast<Real>(value));
    return as_stored >= v.min && as_stored <= v.max ? Answer::ok : Answer::out_of_range;
  }
  Answer set(int i, double value) {
    const Answer a = check(i, value);
    if (a != Answer::ok) return a;
    Table::of(i).set(stepper_.model, value);
    if (Table::of(i).kind == Kind::parameter) stepper_.mass_changed();
    return Answer::ok;
  }
  Answer get(int i, double& value) const {
    if (i < 0 || i >= Table::count) return Answer::unknown_variable;
    value = Table::of(i).get(record());
    return Answer::ok;
  }

  // Performs one step of dt; an invalid dt is rejected by the step.
  Answer step(double with_dt = dt) {
    State<Model>& spare = before_[1 - current_];  // only q, u and time of it are read
    spare.q = stepper_.state.q;
    spare.u = stepper_.state.u;
    spare.clock = stepper_.state.clock;
    report_ = stepper_.step(static_cast<Real>(with_dt));
    if (report_.advanced()) current_ = 1 - current_;
    return answer(report_.status);
  }

  // Performs at most n steps; `done` of them advanced. Stops at the first that did not. Returns inexact if one was
  // inexact.
  Answer steps(std::int64_t n, std::int64_t& done) {
    Answer all = Answer::ok;
    for (done = 0; done < n; ++done) {
      const Answer one = step();
      if (!advanced(one)) return one;
      if (one == Answer::inexact) all = one;
    }
    return all;
  }

  // Performs n steps or none: if one does not advance, restores the state before the first.
  Answer all_steps(std::int64_t n) {
    const State<Model> before = before_[current_], state = stepper_.state;
    std::int64_t done = 0;
    const Answer a = steps(n, done);
    if (!advanced(a)) {
      before_[0] = before_[1] = before;
      stepper_.state = state;
    }
    return a;
  }

  const Report& report() const { return report_; }
  std::int64_t steps_since_start() const { return stepper_.state.clock.n; }
  const State<Model>& state() const { return stepper_.state; }

  // Saved part of a plant: everything except workspace.
  struct Snapshot {
    Model model;
    State<Model> before, state;
    Report report;
  };
  Snapshot snapshot() const { return {stepper_.model, before_[current_], stepper_.state, report_}; }
  void put(const Snapshot& saved) {
    stepper_.model = saved.model;
    stepper_.state = saved.state;
    before_[0] = before_[1] = saved.before;
    report_ = saved.report;
    stepper_.mass_changed();
  }

 private:
  Record<Model> record() const { return {stepper_.model, before_[current_], stepper_.state, report_}; }

  typename Types::Stepper stepper_;
  State<Model> before_[2];  // at the beginning of the last advanced step, and room for that of the next one
  int current_ = 0;
  Report report_;  // of the last step
};

}  // namespace moreau::bench
