// A bench that runs: model, stepper and the record of the last step, driven by index and value. No heap, no global
// state.
//
//   Plant<CrankBench> plant;   plant.set(i, 0.5);   plant.step();   plant.get(j, value);
//
// A value: copying it saves it. What is refused changes nothing. All adapters of this port - C interface, FMUs, HAL,
// frames on a wire - drive this object and add nothing to it but their own way to call.
#pragma once

#include "moreau/bench/answer.hpp"
#include "moreau/bench/bench.hpp"

namespace moreau::bench {

template <class Bench, bool met = detail::RequireBench<Bench>::met>
class Plant {};  // of what is no bench, after the sentence that says why

template <class Bench>
class Plant<Bench, true> {
  using Types = detail::BenchTypes<Bench>;

 public:
  using Model = typename Types::Model;
  using Table = bench::Table<Bench>;
  using Real = typename Model::Real;
  using Report = StepReport<Real>;
  static constexpr double dt = Bench::dt;
  // A start with an ideal joint that is open by more is refused: the first step would put the mechanism together, however
  // far its bodies are apart. More than a float has of some metres, and than joints miss after a million steps of one.
  static constexpr double most_open = 1e-5;                        // m or rad
  static_assert(Table::count > 0, "a list begins with the time");  // and its mistakes are found here, used or not

  Plant() : stepper_(Types::model(), Bench::start(Types::model())) { before_[0] = before_[1] = stepper_.state; }

  // Everything as it was when this object was made.
  void reset() {
    const Model fresh = Types::model();
    const State<Model> start = Bench::start(fresh);
    put({fresh, start, start, Report{}});
  }

  // The start of the model as it is set now, at time t.
  Answer restart(double t = 0) {
    State<Model> start = Bench::start(stepper_.model);
    start.set_time(static_cast<Real>(t));
    const auto seen = moreau::detail::look_at<typename Types::Stepper::StartReport>(stepper_.model, start);
    if (seen.status != Status::ok) return answer(seen.status);
    if (double(seen.miss) > most_open) return Answer::invalid_argument;
    (void)stepper_.set_state(start);
    before_[0] = before_[1] = start;
    report_ = Report{};
    return Answer::ok;
  }

  // What is wrong with setting variable i to that value.
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

  Answer step() {
    State<Model>& spare = before_[1 - current_];  // of q, u and the time: nothing else of it is read
    spare.q = stepper_.state.q;
    spare.u = stepper_.state.u;
    spare.clock = stepper_.state.clock;
    report_ = stepper_.step(static_cast<Real>(Bench::dt));
    if (report_.advanced()) current_ = 1 - current_;
    return answer(report_.status);
  }

  // Up to n steps; `done` of them have advanced. Ends at the first that did not; inexact where one of them was.
  Answer steps(std::int64_t n, std::int64_t& done) {
    Answer all = Answer::ok;
    for (done = 0; done < n; ++done) {
      const Answer one = step();
      if (!advanced(one)) return one;
      if (one == Answer::inexact) all = one;
    }
    return all;
  }

  // n steps, or none: where one of them does not advance, the state is again what it was before the first.
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

  // What there is to save of a plant: everything but workspace.
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
  State<Model> before_[2];  // at the begin of the last step that advanced, and room for that of the next one
  int current_ = 0;
  Report report_;  // of the last step
};

}  // namespace moreau::bench
