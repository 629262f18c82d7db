// The calls of an FMU 2.0 for co-simulation. fmi2.cpp.in makes the exported functions from them.
//
//   fmi2OK        done
//   fmi2Warning   a step was inexact; it has advanced
//   fmi2Discard   a value that is out of its range or no number, or a step without a solution: nothing has changed
//   fmi2Error     a call that is wrong, or a step that the model refused: nothing has changed
//
// After a step that was refused an instance answers values and states, and can be terminated, reset or set to a state.
#pragma once

#include "moreau/bench/fmi2.hpp"
#include "moreau/bench/slave.hpp"

namespace moreau::bench {

template <class Bench>
class Fmu2 {
  enum Category : unsigned { warnings = 1, discards = 2, errors = 4, all = 7 };

  struct Instance {
    Slave<Bench> slave;
    fmi2CallbackLogger logger = nullptr;
    fmi2ComponentEnvironment environment = nullptr;
    char name[128] = {};
    unsigned wanted = discards | errors;  // what is logged
    fmi2Status last_step = fmi2OK;

    // The only text this FMU ever gives. A message has no "%" in it.
    fmi2Status say(fmi2Status status, const char* message) const {
      const Category category = status == fmi2Warning ? warnings : (status == fmi2Discard ? discards : errors);
      const char* text = category == warnings   ? "logStatusWarning"
                         : category == discards ? "logStatusDiscard"
                                                : "logStatusError";
      if (logger != nullptr && (wanted & category) != 0) logger(environment, name, status, text, message);
      return status;
    }
  };

  inline static Pool<Instance, instances> pool;

  // f(instance) where c is an instance in one of these modes.
  template <class F>
  static fmi2Status with(fmi2Component c, unsigned modes, const F& f) {
    Instance* i = pool.find(c);
    if (i == nullptr) return fmi2Error;
    if ((i->slave.mode & modes) == 0) return i->say(fmi2Error, "this function is not allowed in the present mode");
    return f(*i);
  }
  static fmi2Status not_offered(fmi2Component c) {
    return with(c, any_mode, [](Instance& i) { return i.say(fmi2Error, "this FMU does not offer this function"); });
  }
  static fmi2Status say(Instance& i, Answer a) {
    if (a == Answer::ok) return fmi2OK;
    const bool of_the_value = a == Answer::out_of_range || a == Answer::not_a_number;
    return i.say(of_the_value ? fmi2Discard : fmi2Error, sentence(a).text);
  }

 public:
  static fmi2Component instantiate(fmi2String name, fmi2Type type, fmi2String guid, const char* own_guid,
                                   const fmi2CallbackFunctions* functions, fmi2Boolean logging) {
    if (functions == nullptr) return nullptr;
    const auto refuse = [&](const char* why) -> fmi2Component {
      if (functions->logger != nullptr)
        functions->logger(functions->componentEnvironment, name == nullptr ? "" : name, fmi2Error, "logStatusError",
                          why);
      return nullptr;
    };
    if (name == nullptr || name[0] == 0) return refuse("an instance needs a name");
    if (type != fmi2CoSimulation) return refuse("this FMU is for co-simulation only");
    if (guid == nullptr || std::strcmp(guid, own_guid) != 0) return refuse("the GUID is not that of this FMU");
    Instance* i = pool.take();
    if (i == nullptr) return refuse("there is room for 16 instances");
    std::strncpy(i->name, name, sizeof i->name - 1);
    i->logger = functions->logger;
    i->environment = functions->componentEnvironment;
    if (logging != 0) i->wanted = all;
    if (fuses()) i->say(fmi2Warning, "this build fuses multiply and add: its last bits differ; use -ffp-contract=off");
    return i;
  }
  static void free_instance(fmi2Component c) {
    if (Instance* i = pool.find(c)) pool.give_back(i);
  }
  static fmi2Status set_debug_logging(fmi2Component c, fmi2Boolean on, std::size_t n, const fmi2String categories[]) {
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
        if (one == 0) return i.say(fmi2Error, "this FMU has no such log category");
        wanted |= one;
      }
      i.wanted = on != 0 ? wanted : unsigned(discards | errors);
      return fmi2OK;
    });
  }

  static fmi2Status setup_experiment(fmi2Component c, fmi2Real start, fmi2Boolean has_stop, fmi2Real stop) {
    return with(c, instantiated, [=](Instance& i) {
      const double end = has_stop != 0 ? stop : std::numeric_limits<double>::infinity();
      return i.slave.set_times(start, end) ? fmi2OK
                                           : i.say(fmi2Error, "start and stop time are no times in this order");
    });
  }
  static fmi2Status enter_initialization(fmi2Component c) {
    return with(c, instantiated, [](Instance& i) {
      const Answer a = i.slave.plant.restart(i.slave.start);
      if (a == Answer::ok) i.slave.mode = initialization;
      return say(i, a);
    });
  }
  static fmi2Status exit_initialization(fmi2Component c) {
    return with(c, initialization, [](Instance& i) {
      const Answer a = i.slave.plant.restart(i.slave.start);
      if (a == Answer::ok) i.slave.mode = ready;
      return say(i, a);
    });
  }
  static fmi2Status terminate(fmi2Component c) {
    return with(c, ready | failed, [](Instance& i) { return i.slave.mode = terminated, fmi2OK; });
  }
  static fmi2Status reset(fmi2Component c) {
    return with(c, any_mode, [](Instance& i) { return i.slave.reset(), i.last_step = fmi2OK; });
  }

  // Value: fmi2Real for numbers, fmi2Integer for whole ones. All values, or none.
  template <class Value>
  static fmi2Status get(fmi2Component c, const fmi2ValueReference vr[], std::size_t n, Value value[]) {
    return with(c, initialization | ready | failed | terminated, [=](Instance& i) {
      if (n > 0 && (vr == nullptr || value == nullptr)) return say(i, Answer::null_pointer);
      for (std::size_t k = 0; k < n; ++k)
        if (!is_of_type<Value>(vr[k])) return say(i, Answer::unknown_variable);
      for (std::size_t k = 0; k < n; ++k) {
        double read = 0;
        (void)i.slave.plant.get(static_cast<int>(vr[k]), read);
        value[k] = static_cast<Value>(read);
      }
      return fmi2OK;
    });
  }
  template <class Value>
  static fmi2Status set(fmi2Component c, const fmi2ValueReference vr[], std::size_t n, const Value value[]) {
    return with(c, instantiated | initialization | ready, [=](Instance& i) {
      if (n > 0 && (vr == nullptr || value == nullptr)) return say(i, Answer::null_pointer);
      for (std::size_t k = 0; k < n; ++k) {
        if (!is_of_type<Value>(vr[k])) return say(i, Answer::unknown_variable);
        const Answer a = Plant<Bench>::check(static_cast<int>(vr[k]), static_cast<double>(value[k]));
        if (a != Answer::ok) return say(i, a);
      }
      for (std::size_t k = 0; k < n; ++k) (void)i.slave.set(static_cast<int>(vr[k]), static_cast<double>(value[k]));
      return fmi2OK;
    });
  }
  // Booleans and strings: there are none.
  static fmi2Status none(fmi2Component c, std::size_t n) {
    return with(c, any_mode, [=](Instance& i) { return n == 0 ? fmi2OK : say(i, Answer::unknown_variable); });
  }

  static fmi2Status get_state(fmi2Component c, fmi2FMUstate* state) {
    return with(c, any_mode, [=](Instance& i) {
      if (state == nullptr) return say(i, Answer::null_pointer);
      auto* saved = i.slave.states.find(*state);
      if (saved == nullptr && *state != nullptr) return i.say(fmi2Error, "this is no state of this instance");
      if (saved == nullptr) saved = i.slave.states.take(i.slave.saved());
      if (saved == nullptr) return i.say(fmi2Error, "there is room for 8 states of an instance: free one first");
      *saved = i.slave.saved();
      *state = saved;
      return fmi2OK;
    });
  }
  static fmi2Status set_state(fmi2Component c, fmi2FMUstate state) {
    return with_state(c, state, [](Instance& i, auto& saved) { return i.slave.put(saved), fmi2OK; });
  }
  static fmi2Status free_state(fmi2Component c, fmi2FMUstate* state) {
    if (state == nullptr || *state == nullptr) return with(c, any_mode, [](Instance&) { return fmi2OK; });
    return with_state(c, *state, [=](Instance& i, auto& saved) {
      i.slave.states.give_back(&saved);
      *state = nullptr;
      return fmi2OK;
    });
  }
  static fmi2Status serialised_size(fmi2Component c, fmi2FMUstate state, std::size_t* size) {
    return with_state(c, state, [=](Instance& i, auto&) {
      if (size == nullptr) return say(i, Answer::null_pointer);
      *size = Slave<Bench>::serialised_size;
      return fmi2OK;
    });
  }
  static fmi2Status serialise(fmi2Component c, fmi2FMUstate state, fmi2Byte bytes[], std::size_t size) {
    return with_state(c, state, [=](Instance& i, auto& saved) {
      if (bytes == nullptr) return say(i, Answer::null_pointer);
      if (size < Slave<Bench>::serialised_size) return say(i, Answer::wrong_size);
      Slave<Bench>::serialise(saved, reinterpret_cast<std::uint8_t*>(bytes));
      return fmi2OK;
    });
  }
  static fmi2Status deserialise(fmi2Component c, const fmi2Byte bytes[], std::size_t size, fmi2FMUstate* state) {
    return with(c, any_mode, [=](Instance& i) {
      if (bytes == nullptr || state == nullptr) return say(i, Answer::null_pointer);
      auto saved = i.slave.saved();
      const Answer a = Slave<Bench>::deserialise(saved, reinterpret_cast<const std::uint8_t*>(bytes), size);
      if (a != Answer::ok) return say(i, a);
      auto* place = i.slave.states.take(saved);
      if (place == nullptr) return i.say(fmi2Error, "there is room for 8 states of an instance: free one first");
      *state = place;
      return fmi2OK;
    });
  }

  static fmi2Status do_step(fmi2Component c, fmi2Real t, fmi2Real h) {
    return with(c, ready, [=](Instance& i) { return i.last_step = say(i, i.slave.advance(t, h)); });
  }
  // What a step answered. The other questions are those of steps that are still under way, and there are none.
  static fmi2Status status(fmi2Component c, fmi2StatusKind kind, fmi2Status* value) {
    return with(c, ready | failed | terminated, [=](Instance& i) {
      if (value == nullptr) return say(i, Answer::null_pointer);
      if (kind != fmi2DoStepStatus) return i.say(fmi2Discard, "this FMU has no such status");
      *value = i.last_step;
      return fmi2OK;
    });
  }
  static fmi2Status real_status(fmi2Component c, fmi2StatusKind kind, fmi2Real* value) {
    return with(c, ready | failed | terminated, [=](Instance& i) {
      if (value == nullptr) return say(i, Answer::null_pointer);
      if (kind != fmi2LastSuccessfulTime) return i.say(fmi2Discard, "this FMU has no such status");
      *value = i.slave.time();
      return fmi2OK;
    });
  }
  static fmi2Status boolean_status(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value) {
    return with(c, ready | failed | terminated, [=](Instance& i) {
      if (value == nullptr) return say(i, Answer::null_pointer);
      if (kind != fmi2Terminated) return i.say(fmi2Discard, "this FMU has no such status");
      *value = 0;  // it never asks to end a run
      return fmi2OK;
    });
  }
  template <class Value>
  static fmi2Status no_status(fmi2Component c, fmi2StatusKind, Value* value) {
    return with(c, ready | failed | terminated, [=](Instance& i) {
      return value == nullptr ? say(i, Answer::null_pointer) : i.say(fmi2Discard, "this FMU has no such status");
    });
  }
  static fmi2Status refuse(fmi2Component c) { return not_offered(c); }

 private:
  template <class Value>
  static bool is_of_type(fmi2ValueReference vr) {
    return vr < static_cast<unsigned>(Table<Bench>::count) &&
           Table<Bench>::of(static_cast<int>(vr)).whole == std::is_same_v<Value, fmi2Integer>;
  }
  template <class F>
  static fmi2Status with_state(fmi2Component c, fmi2FMUstate state, const F& f) {
    return with(c, any_mode, [=](Instance& i) {
      auto* saved = i.slave.states.find(state);
      return saved == nullptr ? i.say(fmi2Error, "this is no state of this instance") : f(i, *saved);
    });
  }
  static fmi2Status say(Instance& i, Advance a) {
    switch (a) {
      case Advance::done:
        return fmi2OK;
      case Advance::inexact:
        return i.say(fmi2Warning, sentence(Answer::inexact).text);
      case Advance::no_solution:
        return i.say(fmi2Discard, sentence(Answer::no_solution).text);
      case Advance::refused:
        return i.say(fmi2Error, sentence(answer(i.slave.plant.report().status)).text);
      case Advance::not_a_multiple:
        return i.say(fmi2Error, "the communication step is not a whole number of the internal step");
      case Advance::wrong_point:
        return i.say(fmi2Error, "the communication point is not where the last step ended");
      case Advance::beyond_stop:
        return i.say(fmi2Error, "the step goes beyond the stop time");
    }
    return fmi2Error;
  }
};

}  // namespace moreau::bench
