// Interface of a model to a test bench: a model, a step size, a start, and a list of variables. Defined once, beside
// the model:
//
//   struct CrankBench {
//     using Model = moreau::Mechanism<Crank>;
//     static constexpr double dt = 1e-4;                                        // s, step size
//     static moreau::State<Model> start(const Model& model);                    // from the present parameters
//     static constexpr auto variables = moreau::bench::variables(...);          // bench/entries.hpp, bench/mechanism.hpp
//   };
//
//   optional   using Stepper = moreau::Stepper<Model, ...>;   static Model model();   // else Stepper<Model>, Model{}
//
// Every list begins with `time` and ends with the report of the last step: step.status .residual .relative .active
// .iterations .fallbacks.
#pragma once

#include "moreau/bench/entries.hpp"

namespace moreau::bench {
namespace detail {

using moreau::detail::detected;

// clang-format off
template <class B> using model_of = typename B::Model;
template <class B> using dt_of =
    std::enable_if_t<std::is_same_v<decltype(B::dt), const double>, decltype(sizeof(char[B::dt > 0 ? 1 : -1]))>;
template <class B> using started = decltype(B::start(std::declval<const typename B::Model&>()));
template <class B> using start_of = std::enable_if_t<std::is_same_v<started<B>, State<typename B::Model>>>;
template <class B> using variables_of = decltype(std::tuple_size<std::decay_t<decltype(B::variables)>>::value);
template <class B> using stepper_of = typename B::Stepper;
template <class B> using own_model_of = decltype(B::model());
// clang-format on

template <class B>
struct RequireBench {
  static constexpr bool model = detected<model_of, B>, dt = detected<dt_of, B>, start = detected<start_of, B>,
                        list = detected<variables_of, B>;
  static_assert(model, "A bench needs: using Model = ...;   // the model to step");
  static_assert(!model || dt, "A bench needs: static constexpr double dt = ...;   // s, step size, above 0");
  static_assert(!model || !dt || start,
                "A bench needs: static moreau::State<Model> start(const Model& model);   // the initial state");
  static_assert(
      !model || !dt || !start || list,
      "A bench needs: static constexpr auto variables = moreau::bench::variables(...);   // bench/entries.hpp");
  static constexpr bool met = model && dt && start && list;
};

template <class Entry>
using is_generated = moreau::detail::Bool<Entry::generated>;

template <class Model, class... Entry>
constexpr auto make_draft(const std::tuple<Entry...>& entries) {
  constexpr int of_report = 6, room = 1 + (0 + ... + Entry::template most<Model>)+of_report;
  using R = const Record<Model>&;
  Draft<Model, room> draft;
  draft.add_output(
      "time", "s", [](R r) { return double(r.state.time()); }, "time of the state");
  draft.item[0].kind = Kind::time;
  const auto add = [&draft](const auto& entry, bool wanted) {
    constexpr bool generated = detected<is_generated, std::decay_t<decltype(entry)>>;
    draft.generating = generated;
    if (generated == wanted) entry.add_to(draft);
  };
  std::apply([&](const auto&... entry) { (add(entry, false), ...); }, entries);
  std::apply([&](const auto&... entry) { (add(entry, true), ...); }, entries);
  draft.generating = false;
  draft.add_output(
      "step.status", "1", [](R r) { return double(int(r.report.status)); }, "outcome of the last step", true);
  draft.item[draft.count - 1].status = true;
  draft.add_output(
      "step.residual", "m/s", [](R r) { return double(r.report.residual); },
      "largest violation of the contact laws, as a velocity");
  draft.add_output(
      "step.relative", "1", [](R r) { return double(r.report.relative); },
      "residual relative to the velocities of the contacts");
  draft.add_output(
      "step.active", "1", [](R r) { return double(r.report.active); }, "number of active contacts", true);
  draft.add_output(
      "step.iterations", "1", [](R r) { return double(r.report.iterations); }, "iterations of the solver", true);
  draft.add_output(
      "step.fallbacks", "1", [](R r) { return double(r.report.fallbacks); },
      "changes to another method in the last step", true);
  return draft;
}

template <class Bench>
struct BenchTypes {
  using Model = typename Bench::Model;
  using Stepper = std::conditional_t<detected<stepper_of, Bench>, moreau::detail::Detected<stepper_of, Bench>,
                                     moreau::Stepper<Model>>;
  static_assert(std::is_same_v<typename Stepper::Model, Model>, "The Stepper of a bench must have its Model");

  static Model model() {
    if constexpr (detected<own_model_of, Bench>)
      return Bench::model();
    else
      return Model{};
  }
};

}  // namespace detail

// The complete, checked list of variables of a bench.
template <class Bench>
struct Table {
  using Model = typename Bench::Model;
  static constexpr auto draft = detail::make_draft<Model>(Bench::variables);
  static_assert(!draft.repeated, "bench: two variables have the same name");
  static_assert(!draft.empty_range, "bench: a variable has a range with min > max or a bound that is not a number");
  static_assert(!draft.bad_name,
                "bench: a variable's name is empty, longer than 63 characters, or not a sequence of identifiers "
                "separated by dots");

  static constexpr int count = draft.count;
  static constexpr const Variable<Model>& of(int i) { return draft.item[i]; }
  static constexpr int find(const char* name) { return draft.find(name); }

  // Number of variables that can be set: the saved part of a model. Counted by kind: with -fsanitize=undefined g++ 14
  // does not accept a comparison of function addresses as a constant expression.
  static constexpr int settable() {
    int n = 0;
    for (int i = 0; i < count; ++i) n += draft.item[i].kind == Kind::input || draft.item[i].kind == Kind::parameter;
    return n;
  }

  // Hash of the list and the step size. Saved bytes of another bench are rejected.
  static constexpr std::uint32_t identity() {
    std::uint32_t hash = 2166136261u;                                                // FNV-1a
    for (auto dt = static_cast<std::uint64_t>(Bench::dt * 1e15); dt != 0; dt >>= 8)  // in fs
      hash = (hash ^ static_cast<std::uint32_t>(dt & 0xff)) * 16777619u;
    const auto add = [&hash](const Name& text) {
      for (int i = 0; i <= text.length; ++i) hash = (hash ^ static_cast<unsigned char>(text.text[i])) * 16777619u;
    };
    for (int i = 0; i < count; ++i) {
      add(draft.item[i].name);
      add(draft.item[i].unit);
    }
    return hash;
  }
};

}  // namespace moreau::bench
