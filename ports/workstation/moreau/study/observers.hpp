// Observers: quantities measured in a run. An observer is called after every step and returns one or more numbers at
// the end of the run:
//
//   last("y", "m", f)               f of the stepper after the last step
//   largest("v", "m/s", f), smallest, total: over all steps; percussion(i) as f: P_N of contact i, N s;
//                                   hardest_percussion() as f: the largest P_N of all contacts
//   period("T", f, cycles)          s, mean time between upward zero crossings of f over the last cycles;
//                                   T_scatter: the longest minus the shortest of them
//   cycles("T", f, count)           s, each of the last `count` times between such crossings, newest first
//   section("x", "m", f, g, count)  g at the last `count` crossings, newest first: a Poincare section
//   events("hits", condition)       number of times the condition became true
//
// A study of a model with play_of(), for example a mechanism from parts, has the further result `reach`: the largest
// reach of the run (moreau/step/reach.hpp). dt is too long for the play in a run whose reach exceeds 0.3. A study of a
// model with ideal joints has the further result `joint_error`: the largest position error of a joint, relative to the
// motion of a step (moreau/step/joint_error.hpp). In a run with a value above 2, the ideal joints are open.
//
// A number that the run did not yield, for example for lack of crossings, is NaN. A user-defined observer is a struct
// with the members of these. Each run starts with a copy of the declared observer; begin() is called before the first
// step.
#pragma once
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "moreau/model/traits.hpp"
#include "moreau/step/reach.hpp"
#include "moreau/study/block_record.hpp"
#include "moreau/workstation/npy.hpp"

namespace moreau::study {

using workstation::Column;

namespace detail {

inline constexpr double none = std::numeric_limits<double>::quiet_NaN();

// NaN persists: it is never hidden by a larger number.
inline constexpr auto larger = [](double most, double now) { return now <= most || most != most ? most : now; };
inline constexpr auto smaller = [](double least, double now) { return now >= least || least != least ? least : now; };

template <class Value, class Fold>
struct Folded {
  Column column;
  Value value;
  Fold fold;
  double start, sum = 0;

  std::vector<Column> columns() const { return {column}; }
  template <class Stepper>
  void begin(const Stepper&) {
    sum = start;
  }
  template <class Stepper>
  void see(const Stepper& stepper) {
    sum = fold(sum, double(value(stepper)));
  }
  template <class Stepper>
  void end(const Stepper&, double* out) const {
    *out = sum;
  }
};

// Largest reach of a run, and largest joint error relative to the motion of a step.
template <class Model>
struct LargestReach {
  static constexpr bool has_play = moreau::detail::Contract<Model>::has_play && Traits<Model>::contacts > 0;
  static constexpr bool has_joints = Traits<Model>::bilaterals > 0;
  static constexpr bool has_ranges = moreau::detail::has_ranges<Model>;

  State<Model> before{};
  StepReach<typename Model::Real> reach{};

  std::vector<Column> columns() const {
    std::vector<Column> all;
    if (has_play) all.push_back({"reach", "1"});
    if (has_joints) all.push_back({"joint_error", "1"});
    if (has_ranges) all.push_back({"out_of_range", "1"});
    return all;
  }
  template <class Stepper>
  void begin(const Stepper& stepper) {
    before = stepper.state, reach = {};
  }
  template <class Stepper>
  void see(const Stepper& stepper) {
    reach.add(step_reach(stepper.model, before, stepper.state));
    before = stepper.state;
  }
  template <class Stepper>
  void end(const Stepper&, double* out) const {
    if (has_play) *out++ = double(reach.worst().value);
    if (has_joints) *out++ = double(reach.joints.relative());
    if (has_ranges) *out = reach.outside.part < 0 ? 0 : 1;
  }
};

template <class Value>
struct Last {
  Column column;
  Value value;

  std::vector<Column> columns() const { return {column}; }
  template <class Stepper>
  void begin(const Stepper&) {}
  template <class Stepper>
  void see(const Stepper&) {}
  template <class Stepper>
  void end(const Stepper& stepper, double* out) const {
    *out = double(value(stepper));
  }
};

template <class Value, class Fold>
Folded<Value, Fold> folded(const char* name, const char* unit, Value value, double start, Fold fold) {
  return {{name, unit}, value, fold, start};
}

// Returns the time in s at which f crossed 0 upward in the last step, by linear interpolation; empty without a
// crossing.
template <class Function>
struct Crossing {
  Function f;
  double before = none, t_before = 0, t = 0, fraction = 0;

  template <class Stepper>
  void begin(const Stepper& stepper) {
    before = double(f(stepper));
    t_before = double(stepper.state.time());
  }
  template <class Stepper>
  bool see(const Stepper& stepper) {
    const double now = double(f(stepper)), t_now = double(stepper.state.time());
    const bool crossed = before < 0 && now >= 0;
    if (crossed) {
      fraction = before / (before - now);
      t = t_before + (t_now - t_before) * fraction;
    }
    before = now, t_before = t_now;
    return crossed;
  }
};

// Ring buffer of the newest numbers.
struct Latest {
  std::vector<double> places;
  std::size_t count = 0;

  void add(double x) { places[count++ % places.size()] = x; }
  bool full() const { return count >= places.size(); }
  double newest(std::size_t back) const { return back < count ? places[(count - 1 - back) % places.size()] : none; }
};

// Returns the columns of a name: name_1, name_2, ...
inline std::vector<Column> numbered(const Column& column, std::size_t count) {
  std::vector<Column> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back({column.name + '_' + std::to_string(i + 1), column.unit});
  return all;
}

template <class Function>
struct Cycles {
  std::string name;
  Crossing<Function> crossing;
  Latest times;

  std::vector<Column> columns() const { return numbered({name, "s"}, times.places.size() - 1); }
  template <class Stepper>
  void begin(const Stepper& stepper) {
    crossing.begin(stepper);
    times.count = 0;
  }
  template <class Stepper>
  void see(const Stepper& stepper) {
    if (crossing.see(stepper)) times.add(crossing.t);
  }
  template <class Stepper>
  void end(const Stepper&, double* out) const {
    for (std::size_t i = 0; i + 1 < times.places.size(); ++i) out[i] = times.newest(i) - times.newest(i + 1);
  }
};

// Mean and spread of the last cycles.
template <class Function>
struct Period : Cycles<Function> {
  std::vector<Column> columns() const { return {{this->name, "s"}, {this->name + "_scatter", "s"}}; }
  template <class Stepper>
  void end(const Stepper& stepper, double* out) const {
    const detail::Latest& last = this->times;
    const std::size_t count = last.places.size() - 1;
    std::vector<double> all(count);
    Cycles<Function>::end(stepper, all.data());
    const auto [shortest, longest] = std::minmax_element(all.begin(), all.end());
    out[0] = (last.newest(0) - last.newest(count)) / double(count);
    out[1] = last.full() ? *longest - *shortest : none;
  }
};

template <class Function, class Value>
struct Section {
  Column column;
  Crossing<Function> crossing;
  Value value;
  Latest values;
  double before = none;

  std::vector<Column> columns() const { return numbered(column, values.places.size()); }
  template <class Stepper>
  void begin(const Stepper& stepper) {
    crossing.begin(stepper);
    before = double(value(stepper));
    values.count = 0;
  }
  template <class Stepper>
  void see(const Stepper& stepper) {
    const double now = double(value(stepper));
    if (crossing.see(stepper)) values.add(before + (now - before) * crossing.fraction);
    before = now;
  }
  template <class Stepper>
  void end(const Stepper&, double* out) const {
    for (std::size_t i = 0; i < values.places.size(); ++i) out[i] = values.newest(i);
  }
};

template <class Condition>
struct Events {
  std::string name;
  Condition condition;
  bool holds = false;
  long long count = 0;

  std::vector<Column> columns() const { return {{name, "1"}}; }
  template <class Stepper>
  void begin(const Stepper& stepper) {
    holds = bool(condition(stepper));
    count = 0;
  }
  template <class Stepper>
  void see(const Stepper& stepper) {
    const bool now = bool(condition(stepper));
    count += now && !holds;
    holds = now;
  }
  template <class Stepper>
  void end(const Stepper&, double* out) const {
    *out = double(count);
  }
};

}  // namespace detail

template <class Value>
auto last(const char* name, const char* unit, Value f) {
  return detail::Last<Value>{{name, unit}, f};
}
template <class Value>
auto largest(const char* name, const char* unit, Value f) {
  return detail::folded(name, unit, f, -std::numeric_limits<double>::infinity(), detail::larger);
}
template <class Value>
auto smallest(const char* name, const char* unit, Value f) {
  return detail::folded(name, unit, f, std::numeric_limits<double>::infinity(), detail::smaller);
}
template <class Value>
auto total(const char* name, const char* unit, Value f) {
  return detail::folded(name, unit, f, 0, [](double sum, double now) { return sum + now; });
}

inline auto percussion(int contact) {
  return [contact](const auto& stepper) {
    constexpr int contacts = Traits<typename std::decay_t<decltype(stepper)>::Model>::contacts;
    if (contact < 0 || contact >= contacts)
      throw Refusal(Exit::refused, "percussion(" + std::to_string(contact) + ") refers to no contact: the model has " +
                                       std::to_string(contacts) + ", counted from 0");
    return stepper.contact(contact).P_N;
  };
}
inline auto hardest_percussion() {
  return [](const auto& stepper) {
    constexpr int contacts = Traits<typename std::decay_t<decltype(stepper)>::Model>::contacts;
    double hardest = 0;
    for (int i = 0; i < contacts; ++i) hardest = detail::larger(hardest, double(stepper.contact(i).P_N));
    return hardest;
  };
}

template <class Function>
auto cycles(const char* name, Function f, int count) {
  return detail::Cycles<Function>{name, {f}, {std::vector<double>(std::size_t(std::max(count, 1)) + 1)}};
}
template <class Function>
auto period(const char* name, Function f, int count = 1) {
  return detail::Period<Function>{{name, {f}, {std::vector<double>(std::size_t(std::max(count, 1)) + 1)}}};
}
template <class Function, class Value>
auto section(const char* name, const char* unit, Function f, Value g, int count) {
  return detail::Section<Function, Value>{{name, unit}, {f}, g, {std::vector<double>(std::size_t(std::max(count, 1)))}};
}
template <class Condition>
auto events(const char* name, Condition condition) {
  return detail::Events<Condition>{name, condition};
}

}  // namespace moreau::study
