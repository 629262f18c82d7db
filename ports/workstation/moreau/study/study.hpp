// Study: a model, distributed parameters, measured results, and the length of a run.
//
//   moreau::study::Study<Model> study{"woodpecker"};
//   study.dt = 1e-4, study.steps = 1000;
//   study.start = [](const Model& model) { return models::state_at<Model>(model.start()); };
//   study.parameter("mu", "1", uniform(0.2, 0.4), &Model::mu);
//   study.sampling = sobol(1'000'000);
//   return commands(study, count, words, last("y", "m", ...), largest("P_beak", "N s", percussion(0)));
//
// A run is computed from its parameters alone, in one thread. Its numbers are therefore bit-identical on every machine
// if the model does not call libm and the compiler does not contract multiply and add. CMake's moreau::study sets the
// compiler flags; may_fuse() checks the program.
#pragma once
#ifndef EIGEN_DONT_VECTORIZE
#error "a study needs EIGEN_DONT_VECTORIZE for bit-identical results on all machines: link moreau::study"
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

static_assert(FLT_EVAL_METHOD == 0,
              "this machine evaluates float or double in another precision, so its results differ in bits");

struct Parameter {
  Column column;
  Distribution distribution;
};

// Description of a study without its code: sufficient to plan, divide, store and merge it.
struct Description {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Column> results;  // of the observers; `status` follows
  Sampling sampling;
  std::uint64_t seed = 1;
  double dt = 0;            // s
  std::uint64_t steps = 0;  // per run
  std::uint64_t block = 0;  // runs that are computed and stored together; 0: up to 25 million steps

  Design design() const {
    std::vector<Distribution> all;
    for (const auto& p : parameters) all.push_back(p.distribution);
    return {all, sampling, seed};
  }

  std::size_t width() const { return results.size() + 1; }  // numbers per run

  std::uint64_t block_size() const {
    constexpr std::uint64_t steps_of_a_block = 25'000'000, numbers_of_a_block = 4'000'000;
    if (block > 0) return std::min(block, std::max<std::uint64_t>(design().runs(), 1));
    const std::uint64_t by_time = steps_of_a_block / std::max<std::uint64_t>(steps, 1);
    const std::uint64_t by_room = numbers_of_a_block / width();
    return std::max<std::uint64_t>(1, std::min({by_time, by_room, design().runs()}));
  }
};

// Returns the columns of a row: run, parameters, results, status. The status is the number of moreau::Status of the
// step that ended the run, or `inexact` if any step was inexact.
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

  Model model;  // values of all members that no parameter sets
  Solver solver;
  std::function<State<Model>(const Model&)> start = [](const Model&) { return State<Model>{}; };
  struct Setter {  // exactly one of the two is set
    std::function<void(Model&, double)> of_model;
    std::function<void(State<Model>&, double)> of_start;
  };
  std::vector<Setter> setters;
  // Largest penetration at the start, m; default 1e-6. A run with a larger one is rejected: its first impacts would not
  // be those of the intended mechanism. The default is the allowed penetration of a mechanism without clearance.
  double most_overlap = 1e-6;  // m
  // Largest error of an ideal joint at the start, m or rad; default 1e-5. A run with a larger one is rejected
  // (lib/MODEL.md).
  double most_open = 1e-5;  // m or rad

  explicit Study(const std::string& a_name) { name = a_name; }

  // Sets a member of the model or of its base class.
  template <class Number, class Owner>
  void parameter(const char* symbol, const char* unit, const Distribution& distribution, Number Owner::*member) {
    static_assert(std::is_base_of_v<Owner, Model>, "a parameter must be a member of the study's model");
    parameter(symbol, unit, distribution, [member](Model& m, double x) { m.*member = Number(x); });
  }
  // Sets by set(model, value), for more than one member, or by set(state, value), for a part of the start.
  template <class Set, class = std::enable_if_t<!std::is_member_pointer_v<Set>>>
  void parameter(const char* symbol, const char* unit, const Distribution& distribution, Set set) {
    constexpr bool of_model = std::is_invocable_v<Set, Model&, double>;
    static_assert(of_model || std::is_invocable_v<Set, State<Model>&, double>,
                  "a parameter needs set(Model&, double) or set(State<Model>&, double)");
    static_assert(!std::is_invocable_v<Set, Model, double> && !std::is_invocable_v<Set, State<Model>, double>,
                  "a parameter is set in a copy: take the model or state by reference, set(Model&, double)");
    parameters.push_back({{symbol, unit}, distribution});
    if constexpr (of_model)
      setters.push_back({set, {}});
    else
      setters.push_back({{}, set});
  }
};

// Runs of one thread. Order: parameters of the model, start from the model, parameters of the start.
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

  // Computes results and status from parameters; calls trace(stepper, report) after every step.
  template <class Trace>
  void operator()(const double* values, double* results, Trace&& trace) const {
    auto observers = observers_;  // fresh copies: no state persists between runs
    Stepper stepper = at_start(values);
    const auto report = stepper.start_report();
    Status status = report.status;
    if (status == Status::ok && !fault_of(report).empty()) status = Status::invalid_argument;
    if (status == Status::ok) status = run(stepper, observers, trace);
    write(stepper, observers, status, results);
  }

  // Returns why a run with these parameters does not start or which step is rejected; empty if all steps advance.
  std::string refusal(const double* values) const {
    Stepper stepper = at_start(values);
    std::string why = fault_of(stepper.start_report());
    if (!why.empty()) return why;
    auto observers = observers_;
    (void)run(stepper, observers, [&why](const Stepper& at, const auto& report) {
      if (!report.advanced())
        why = "the step from " + text_of(double(at.state.time())) + " s is rejected: " + words(report);
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
    if (start.status != Status::ok) return "the start is rejected: " + words(start);
    if (double(start.penetration) > study_.most_overlap)
      return "contact " + std::to_string(start.contact) + " penetrates by " + text_of(double(start.penetration)) +
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

  // All NaNs are stored with one bit pattern, whichever the machine produces.
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

// Returns whether this program contracts products and sums: 2^-60 is lost if the product is rounded first.
inline bool may_fuse() {
  volatile double a = 1 + 0x1p-30, b = -(1 + 0x1p-29);
  const double x = a, y = a, z = b;
  return x * y + z != 0;
}

}  // namespace moreau::study
