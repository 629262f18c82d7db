// Calls of an FMU for co-simulation, common to FMI 2.0 and 3.0. fmi2.cpp.in and fmi3.cpp.in define the exported
// functions with them. Importers may end a run at a warning without a message, so no function returns one.
//
//   ok        done; an inexact step also logs a warning
//   warning   only of a log message
//   discard   a value out of range or non-finite, or a step without a solution; nothing changed
//   error     an invalid call, or a step that the model rejected; nothing changed
//
// The codes have the same numbers in both versions of FMI. Log: callable of each version, log(instance's name, result,
// category, message), with the types of integers and enumerations of that version as Log::Integer and Log::Enumeration.
// Service: none, or that of fmu_xcp.hpp.
//
// After a rejected step an instance still returns values and states, and can be terminated, reset or set to a state.
#pragma once

#include "moreau/bench/fmu_service.hpp"
#include "moreau/bench/slave.hpp"

namespace moreau::bench {

enum class Result : int { ok, warning, discard, error };

template <class Bench, class Log, class Service = NoService>
class Fmu {
  enum Category : unsigned { warnings = 1, discards = 2, errors = 4, all = 7 };

  struct Instance {
    Slave<Bench> slave;
    Service service;
    Log log;
    char name[128] = {};
    unsigned wanted = discards | errors;  // logged categories
    Result last_step = Result::ok;
    bool found_inexact = false;  // since the start of the run

    // Logs a message; the only text output of an FMU. Messages contain no "%".
    Result say(Result status, const char* message) const {
      const Category category = status == Result::warning ? warnings : (status == Result::discard ? discards : errors);
      const char* text = category == warnings   ? "logStatusWarning"
                         : category == discards ? "logStatusDiscard"
                                                : "logStatusError";
      if ((wanted & category) != 0) log(name, status, text, message);
      return status;
    }
    // Logs the first inexact step of a run, and every one if warnings are logged. The state advanced.
    Result inexact() {
      const char* message = sentence(Answer::inexact).text;
      if (!found_inexact || (wanted & warnings) != 0) log(name, Result::warning, "logStatusWarning", message);
      found_inexact = true;
      return Result::ok;
    }
  };

  inline static Pool<Instance, instances> pool;

  // Returns f(instance) if c is an instance in one of these modes.
  template <class F>
  static Result with(void* c, unsigned modes, const F& f) {
    Instance* i = pool.find(c);
    if (i == nullptr) return Result::error;
    [[maybe_unused]] const auto lock = i->service.lock();
    if ((i->slave.mode & modes) == 0) return i->say(Result::error, "this function is not allowed in the present mode");
    return f(*i);
  }
  static Result say(Instance& i, Answer a) {
    if (a == Answer::ok) return Result::ok;
    const bool of_the_value = a == Answer::out_of_range || a == Answer::not_a_number;
    return i.say(of_the_value ? Result::discard : Result::error, sentence(a).text);
  }

 public:
  // Returns null if an argument is invalid, and logs the reason. `wrong`: error found by the calling version, or null.
  static void* instantiate(const char* name, const char* token, const char* own_token, const Log& log, bool logging,
                           const char* wrong) {
    const auto refuse = [&](const char* why) -> void* {
      log(name == nullptr ? "" : name, Result::error, "logStatusError", why);
      return nullptr;
    };
    if (wrong != nullptr) return refuse(wrong);
    if (name == nullptr || name[0] == 0) return refuse("an instance needs a name");
    if (token == nullptr || std::strcmp(token, own_token) != 0) return refuse("the token does not belong to this FMU");
    Instance* i = pool.take();
    if (i == nullptr) return refuse("an FMU has at most 16 instances");
    std::strncpy(i->name, name, sizeof i->name - 1);
    i->log = log;
    if (logging) i->wanted = all;
    if (const char* why = different_bits()) log(i->name, Result::warning, "logStatusWarning", why);
    return i;
  }
  static void free_instance(void* c) {
    if (Instance* i = pool.find(c)) i->service.stop(), pool.give_back(i);
  }
  static Result set_debug_logging(void* c, bool on, std::size_t n, const char* const categories[]) {
    return with(c, any_mode, [=](Instance& i) {
      if (n > 0 && categories == nullptr) return say(i, Answer::null_pointer);
      unsigned wanted = n == 0 ? unsigned(all) : 0u;
      for (std::size_t k = 0; k < n; ++k) {
        const char* name = categories[k] == nullptr ? "" : categories[k];
        const unsigned one = std::strcmp(name, "logStatusWarning") == 0   ? unsigned(warnings)
                             : std::strcmp(name, "logStatusDiscard") == 0 ? unsigned(discards)
                             : std::strcmp(name, "logStatusError") == 0   ? unsigned(errors)
                             : std::strcmp(name, "logAll") == 0           ? unsigned(all)
                                                                          : 0u;
        if (one == 0) return i.say(Result::error, "unknown log category");
        wanted |= one;
      }
      i.wanted = on ? wanted : unsigned(discards | errors);
      return Result::ok;
    });
  }

  static Result set_times(void* c, double start, bool has_stop, double stop) {
    return with(c, instantiated, [=](Instance& i) {
      const double end = has_stop ? stop : std::numeric_limits<double>::infinity();
      return i.slave.set_times(start, end)
                 ? Result::ok
                 : i.say(Result::error, "start and stop time must be finite and in this order");
    });
  }
  static Result enter_initialization(void* c) {
    return with(c, instantiated, [](Instance& i) {
      const Answer a = i.slave.plant.restart(i.slave.start);
      if (a == Answer::ok && !i.service.start(i.slave.plant, i.name))
        return i.say(Result::error, "the port of the XCP service is not available");
      if (a == Answer::ok) i.slave.mode = initialization;
      return say(i, a);
    });
  }
  static Result exit_initialization(void* c) {
    return with(c, initialization, [](Instance& i) {
      const Answer a = i.slave.plant.restart(i.slave.start);
      if (a == Answer::ok) i.slave.mode = ready;
      return say(i, a);
    });
  }
  static Result terminate(void* c) {
    const Result r = with(c, ready | failed, [](Instance& i) { return i.slave.mode = terminated, Result::ok; });
    if (r == Result::ok) pool.find(c)->service.stop();
    return r;
  }
  static Result reset(void* c) {
    if (Instance* i = pool.find(c)) i->service.stop();
    return with(c, any_mode,
                [](Instance& i) { return i.slave.reset(), i.found_inexact = false, i.last_step = Result::ok; });
  }

  // Value: double, Log::Integer or, for the status, Log::Enumeration. Reads or sets all values or none.
  template <class Reference, class Value>
  static Result get(void* c, const Reference vr[], std::size_t n, Value value[]) {
    return with(c, initialization | ready | failed | terminated, [=](Instance& i) {
      if (n > 0 && (vr == nullptr || value == nullptr)) return say(i, Answer::null_pointer);
      for (std::size_t k = 0; k < n; ++k)
        if (!is_of_type<Value>(vr[k])) return say(i, Answer::unknown_variable);
      for (std::size_t k = 0; k < n; ++k) {
        double read = 0;
        (void)i.slave.plant.get(static_cast<int>(vr[k]), read);
        value[k] = static_cast<Value>(read);
      }
      return Result::ok;
    });
  }
  template <class Reference, class Value>
  static Result set(void* c, const Reference vr[], std::size_t n, const Value value[]) {
    return with(c, instantiated | initialization | ready, [=](Instance& i) {
      if (n > 0 && (vr == nullptr || value == nullptr)) return say(i, Answer::null_pointer);
      for (std::size_t k = 0; k < n; ++k) {
        if (!is_of_type<Value>(vr[k])) return say(i, Answer::unknown_variable);
        const Answer a = Plant<Bench>::check(static_cast<int>(vr[k]), static_cast<double>(value[k]));
        if (a != Answer::ok) return say(i, a);
      }
      for (std::size_t k = 0; k < n; ++k) (void)i.slave.set(static_cast<int>(vr[k]), static_cast<double>(value[k]));
      return Result::ok;
    });
  }
  // Options of the service: gets them, or sets them from constant values.
  template <class Reference, class Value>
  static Result option(void* c, const Reference vr[], std::size_t n, Value value[]) {
    using Own = std::remove_const_t<Value>;
    constexpr bool sets = std::is_const_v<Value>;
    return with(c, sets && n > 0 ? unsigned(instantiated) : unsigned(any_mode), [=](Instance& i) {
      if (n > 0 && (vr == nullptr || value == nullptr)) return say(i, Answer::null_pointer);
      const auto own = [&](std::size_t k) {
        return i.service.template option<Own>(static_cast<unsigned>(vr[k]) - unsigned(Table<Bench>::count));
      };
      for (std::size_t k = 0; k < n; ++k)
        if (own(k) == nullptr) return say(i, Answer::unknown_variable);
      for (std::size_t k = 0; k < n; ++k)
        if constexpr (sets)
          *own(k) = value[k];
        else
          value[k] = *own(k);
      return Result::ok;
    });
  }
  static bool is_option(std::size_t vr) { return vr >= static_cast<std::size_t>(Table<Bench>::count); }
  // Other types: this FMU has none.
  static Result none(void* c, std::size_t n) {
    return with(c, any_mode, [=](Instance& i) { return n == 0 ? Result::ok : say(i, Answer::unknown_variable); });
  }

  static Result get_state(void* c, void** state) {
    return with(c, any_mode, [=](Instance& i) {
      if (state == nullptr) return say(i, Answer::null_pointer);
      auto* saved = i.slave.states.find(*state);
      if (saved == nullptr && *state != nullptr)
        return i.say(Result::error, "the state does not belong to this instance");
      if (saved == nullptr) saved = i.slave.states.take(i.slave.saved());
      if (saved == nullptr) return i.say(Result::error, "an instance has at most 8 saved states: free one first");
      *saved = i.slave.saved();
      *state = saved;
      return Result::ok;
    });
  }
  static Result set_state(void* c, void* state) {
    return with_state(c, state, [](Instance& i, auto& saved) { return i.slave.put(saved), Result::ok; });
  }
  static Result free_state(void* c, void** state) {
    if (state == nullptr || *state == nullptr) return with(c, any_mode, [](Instance&) { return Result::ok; });
    return with_state(c, *state, [=](Instance& i, auto& saved) {
      i.slave.states.give_back(&saved);
      *state = nullptr;
      return Result::ok;
    });
  }
  static Result serialised_size(void* c, void* state, std::size_t* size) {
    return with_state(c, state, [=](Instance& i, auto&) {
      if (size == nullptr) return say(i, Answer::null_pointer);
      *size = Slave<Bench>::serialised_size;
      return Result::ok;
    });
  }
  static Result serialise(void* c, void* state, std::uint8_t bytes[], std::size_t size) {
    return with_state(c, state, [=](Instance& i, auto& saved) {
      if (bytes == nullptr) return say(i, Answer::null_pointer);
      if (size < Slave<Bench>::serialised_size) return say(i, Answer::wrong_size);
      Slave<Bench>::serialise(saved, bytes);
      return Result::ok;
    });
  }
  static Result deserialise(void* c, const std::uint8_t bytes[], std::size_t size, void** state) {
    return with(c, any_mode, [=](Instance& i) {
      if (bytes == nullptr || state == nullptr) return say(i, Answer::null_pointer);
      auto saved = i.slave.saved();
      const Answer a = Slave<Bench>::deserialise(saved, bytes, size);
      if (a != Answer::ok) return say(i, a);
      auto* place = i.slave.states.take(saved);
      if (place == nullptr) return i.say(Result::error, "an instance has at most 8 saved states: free one first");
      *state = place;
      return Result::ok;
    });
  }

  static Result do_step(void* c, double t, double h) {
    return with(c, ready, [=](Instance& i) {
      i.last_step = say(i, i.slave.advance(t, h));
      if (i.last_step == Result::ok) i.service.sample(i.slave.reached);
      return i.last_step;
    });
  }
  // Sets *value = f(result of the last step, time) if this version supports the query.
  template <class Value, class F>
  static Result ask(void* c, bool known, Value* value, const F& f) {
    return with(c, ready | failed | terminated, [&](Instance& i) {
      if (value == nullptr) return say(i, Answer::null_pointer);
      if (!known) return i.say(Result::discard, "unknown status kind");
      *value = f(i.last_step, i.slave.reached);
      return Result::ok;
    });
  }
  // Returns the communication point of an instance, for outputs of a step besides its result.
  static double time(void* c) {
    const Instance* i = pool.find(c);
    return i == nullptr ? 0 : i->slave.reached;
  }
  static Result wrong_size(void* c) {
    return with(c, any_mode, [](Instance& i) { return say(i, Answer::wrong_size); });
  }
  static Result not_offered(void* c) {
    return with(c, any_mode,
                [](Instance& i) { return i.say(Result::error, "this FMU does not support this function"); });
  }

 private:
  template <class Value>
  static bool is_of_type(std::size_t vr) {
    if (vr >= static_cast<std::size_t>(Table<Bench>::count)) return false;
    const auto& v = Table<Bench>::of(static_cast<int>(vr));
    return v.status  ? std::is_same_v<Value, typename Log::Enumeration>
           : v.whole ? std::is_same_v<Value, typename Log::Integer>
                     : std::is_same_v<Value, double>;
  }
  template <class F>
  static Result with_state(void* c, void* state, const F& f) {
    return with(c, any_mode, [=](Instance& i) {
      auto* saved = i.slave.states.find(state);
      return saved == nullptr ? i.say(Result::error, "the state does not belong to this instance") : f(i, *saved);
    });
  }
  static Result say(Instance& i, Advance a) {
    switch (a) {
      case Advance::done:
        return Result::ok;
      case Advance::inexact:
        return i.inexact();
      case Advance::no_solution:
        return i.say(Result::discard, sentence(Answer::no_solution).text);
      case Advance::refused:
        return i.say(Result::error, sentence(answer(i.slave.plant.report().status)).text);
      case Advance::wrong_size:
        return i.say(Result::error, "the communication step must be positive and shorter than 1e15 internal steps");
      case Advance::wrong_point:
        return i.say(Result::error, "the communication point differs from the end of the last step");
      case Advance::beyond_stop:
        return i.say(Result::error, "the step exceeds the stop time");
    }
    return Result::error;
  }
};

}  // namespace moreau::bench
