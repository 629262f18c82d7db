// A study: a model, the parameters that scatter, what is measured in a run, and how long a run is.
//
//   moreau::study::Study<Model> study{"woodpecker"};
//   study.dt = 1e-4, study.steps = 1000;
//   study.start = [](const Model& model) { return models::state_at<Model>(model.start()); };
//   study.parameter("mu", "1", uniform(0.2, 0.4), &Model::mu);
//   study.sampling = sobol(1'000'000);
//   return commands(study, count, words, last("y", "m", ...), largest("P_beak", "N s", percussion(0)));
//
// All of a run is computed from its parameters alone, in one thread; so its numbers have the same bits wherever it runs, if
// the model asks libm for nothing and the compiler fuses no multiplication with an addition. (CMake's moreau::study sees to
// the compiler; may_fuse() looks at the program.)
#pragma once
#ifndef EIGEN_DONT_VECTORIZE
#error "a study needs EIGEN_DONT_VECTORIZE, or Eigen's sums have other bits on other machines: link moreau::study"
#endif
#include <moreau/moreau.hpp>
#ifdef EIGEN_VECTORIZE
#error "a study needs EIGEN_DONT_VECTORIZE before Eigen is included for the first time: link moreau::study"
#endif

#include <array>
#include <cfloat>
#include <functional>
#include <limits>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "moreau/study/design.hpp"
#include "moreau/study/hash.hpp"
#include "moreau/study/observers.hpp"

namespace moreau::study {

static_assert(FLT_EVAL_METHOD == 0, "this machine computes in other precisions than float and double: its bits differ");

struct Parameter {
  Column column;
  Distribution distribution;
};

// What a study is, but for its code: enough to plan, divide, store and merge it.
struct Description {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Column> results;  // of the observers; `status` comes behind them
  Sampling sampling;
  std::uint64_t seed = 1;
  double dt = 0;            // s
  std::uint64_t steps = 0;  // of a run
  std::uint64_t block = 0;  // runs that are computed and stored together; 0: about a second or two of work

  Design design() const {
    std::vector<Distribution> all;
    for (const auto& p : parameters) all.push_back(p.distribution);
    return {all, sampling, seed};
  }

  std::size_t width() const { return results.size() + 1; }  // numbers that a run leaves

  std::uint64_t block_size() const {
    constexpr std::uint64_t steps_of_a_block = 25'000'000, numbers_of_a_block = 4'000'000;
    if (block > 0) return std::min(block, std::max<std::uint64_t>(design().runs(), 1));
    const std::uint64_t by_time = steps_of_a_block / std::max<std::uint64_t>(steps, 1);
    const std::uint64_t by_room = numbers_of_a_block / width();
    return std::max<std::uint64_t>(1, std::min({by_time, by_room, design().runs()}));
  }
};

// The parameters, the results and the status of a run in the order of a row. A status is the number of moreau::Status: that
// of the step that ended the run, or inexact where a step was.
inline std::vector<Column> columns_of(const Description& d) {
  std::vector<Column> all{{"run", "1"}};
  for (const auto& p : d.parameters) all.push_back(p.column);
  all.insert(all.end(), d.results.begin(), d.results.end());
  all.push_back({"status", "1"});
  return all;
}

template <class Model_, class Solver_ = default_solver<Model_>>
struct Study : Description {
  using Model = Model_;
  using Solver = Solver_;
  using Real = typename Model::Real;
  using Stepper = moreau::Stepper<Model, Solver>;

  Model model;  // what no parameter changes
  Solver solver;
  std::function<State<Model>(const Model&)> start = [](const Model&) { return State<Model>{}; };
  struct Setter {  // one of the two
    std::function<void(Model&, double)> of_model;
    std::function<void(State<Model>&, double)> of_start;
  };
  std::vector<Setter> setters;
  // A run whose start overlaps by more than this does not start: its gaps, and so its first impacts, are not those of the
  // mechanism that is meant. The library's own bound of an overlap that a mechanism keeps.
  double most_overlap = 1e-6;  // m
  // The same of ideal joints: the first step would put the mechanism together, however far its bodies are apart. More than
  // a float has of some metres, and than joints miss after a million steps of one.
  double most_open = 1e-5;  // m or rad

  explicit Study(const std::string& a_name) { name = a_name; }

  // A member of the model, or of what it is derived from.
  template <class Number, class Owner>
  void parameter(const char* symbol, const char* unit, const Distribution& distribution, Number Owner::*member) {
    static_assert(std::is_base_of_v<Owner, Model>, "a parameter is a member of the study's model");
    parameter(symbol, unit, distribution, [member](Model& m, double x) { m.*member = Number(x); });
  }
  // set(model, value), for what is more than one member, or set(state, value), for what is a part of the start.
  template <class Set, class = std::enable_if_t<!std::is_member_pointer_v<Set>>>
  void parameter(const char* symbol, const char* unit, const Distribution& distribution, Set set) {
    constexpr bool of_model = std::is_invocable_v<Set, Model&, double>;
    static_assert(of_model || std::is_invocable_v<Set, State<Model>&, double>,
                  "a parameter is set by set(Model&, double) or by set(State<Model>&, double)");
    parameters.push_back({{symbol, unit}, distribution});
    if constexpr (of_model)
      setters.push_back({set, {}});
    else
      setters.push_back({{}, set});
  }
};

// The runs of one thread: the model's parameters are set, then the start is made of the model, then the start's are set.
template <class Study, class... Observers>
class Runner {
  using Model = typename Study::Model;
  using Stepper = typename Study::Stepper;

 public:
  Runner(const Study& study, const std::tuple<Observers...>& observers) : study_(study), observers_(observers) {
    std::size_t place = 0;
    const auto next = [&](std::size_t width) { return std::exchange(place, place + width); };
    std::apply([&](const auto&... each) { places_ = {next(each.columns().size())...}; }, observers_);
  }

  // From parameters to results and status; every step is shown to trace(stepper, report).
  template <class Trace>
  void operator()(const double* values, double* results, Trace&& trace) const {
    auto observers = observers_;  // as they were declared: nothing stays from run to run
    Stepper stepper = at_start(values);
    const auto report = stepper.start_report();
    Status status = report.status;
    if (status == Status::ok && !fault_of(report).empty()) status = Status::invalid_argument;
    if (status == Status::ok) status = run(stepper, observers, trace);
    write(stepper, observers, status, results);
  }

  // Why a run with these parameters does not start, or which step is refused, in words; empty where all advance.
  std::string refusal(const double* values) const {
    Stepper stepper = at_start(values);
    std::string why = fault_of(stepper.start_report());
    if (!why.empty()) return why;
    auto observers = observers_;
    (void)run(stepper, observers, [&why](const Stepper& at, const auto& report) {
      if (!report.advanced())
        why = "the step from " + text_of(double(at.state.time())) + " s is refused: " + words(report);
    });
    return why;
  }

 private:
  Stepper at_start(const double* values) const {
    Model model = study_.model;
    for (std::size_t i = 0; i < study_.setters.size(); ++i)
      if (const auto& set = study_.setters[i].of_model) set(model, values[i]);
    State<Model> start = study_.start(model);
    for (std::size_t i = 0; i < study_.setters.size(); ++i)
      if (const auto& set = study_.setters[i].of_start) set(start, values[i]);
    return Stepper(model, start, study_.solver);
  }

  template <class Report>
  static std::string words(const Report& report) {
    return std::string(name(report.status)) + ", " + name(report.cause) + ' ' + std::to_string(report.index);
  }
  std::string fault_of(const typename Stepper::StartReport& start) const {
    if (start.status != Status::ok) return "the start is refused: " + words(start);
    if (double(start.penetration) > study_.most_overlap)
      return "contact " + std::to_string(start.contact) + " overlaps by " + text_of(double(start.penetration)) +
             " m at the start, more than most_overlap";
    if (double(start.miss) > study_.most_open)
      return "row " + std::to_string(start.row) + " of the ideal joints is open by " + text_of(double(start.miss)) +
             " m or rad at the start, more than most_open";
    return "";
  }

  template <class Trace>
  Status run(Stepper& stepper, std::tuple<Observers...>& observers, Trace&& trace) const {
    using Real = typename Study::Real;
    Status worst = Status::ok;
    std::apply([&](auto&... each) { (each.begin(stepper), ...); }, observers);
    for (std::uint64_t n = 0; n < study_.steps; ++n) {
      const auto report = stepper.step(Real(study_.dt));
      if (!report.advanced()) {
        trace(stepper, report);
        return report.status;
      }
      if (report.status > worst) worst = report.status;
      std::apply([&](auto&... each) { (each.see(stepper), ...); }, observers);
      trace(stepper, report);
    }
    return worst;
  }

  // Not a number has one pattern, whichever the machine's is.
  void write(const Stepper& stepper, const std::tuple<Observers...>& observers, Status status, double* results) const {
    const std::size_t count = study_.results.size();
    for (std::size_t i = 0; i < count; ++i) results[i] = detail::none;
    if (status == Status::ok || status == Status::inexact) {
      const std::size_t* place = places_.data();
      std::apply([&](const auto&... each) { (each.end(stepper, results + *place++), ...); }, observers);
      for (std::size_t i = 0; i < count; ++i)
        if (results[i] != results[i]) results[i] = detail::none;
    }
    results[count] = double(int(status));
  }

  const Study& study_;
  const std::tuple<Observers...> observers_;
  std::array<std::size_t, sizeof...(Observers)> places_{};  // of their numbers in the row
};

// Whether this program fuses products with sums: 2^-60 is lost where the product is rounded first.
inline bool may_fuse() {
  volatile double a = 1 + 0x1p-30, b = -(1 + 0x1p-29);
  const double x = a, y = a, z = b;
  return x * y + z != 0;
}

}  // namespace moreau::study
