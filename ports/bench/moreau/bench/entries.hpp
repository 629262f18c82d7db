// Entries of the list of a bench: bench::variables(entry, entry, ...).
//
//   input<&Model::drive>("N", -5, 5)                      a number of the model, by member pointers; named after them
//   input<&Parts::motor, &Motor::torque>("N.m", -1, 1)    "motor.torque"
//   parameter<&Model::mu>("1", 0, 1)
//   output<&energy>("J")                                  Real energy(const Model&, const State<Model>&)
//   coordinate<0>("y", "m")                               q(0) and, as "v_y", u(0)
//   contact<0>("beak")                                    gap, forces and percussions of a contact, as Stepper::contact
//   friction<0>("seal")                                   force and percussion of a friction element
//   reach()                                               "step.reach" of the last step (moreau/step/reach.hpp)
//
// The last argument of inputs, parameters, outputs and coordinates may be a description: "torque of the controller".
// Defaults come from the model. Units are SI symbols with exponents, "." and one "/": "kg.m2/s2", "N.m"; "1" means
// dimensionless.
#pragma once

#include <tuple>
#include <type_traits>

#include "moreau/bench/variable.hpp"

namespace moreau::bench {
namespace detail {

// Each entry adds its variables to the draft of the list.
template <class Object, auto... path>
using Reached = decltype((std::declval<Object&>().*....*path));

template <auto first, auto... rest>
constexpr Name name_of_path() {
  Name name = spelled<first>();
  ((name.append("."), name.append(spelled<rest>().text)), ...);
  return name;
}

template <Kind kind, auto... path>
struct Number {
  const char* unit;
  double min, max;
  const char* meaning;

  template <class Model>
  static constexpr int most = 1;

  template <class Model, int room>
  constexpr void add_to(Draft<Model, room>& draft) const {
    using Real = typename Model::Real;
    constexpr bool reached = Reachable<Model>::found;
    static_assert(reached,
                  "bench: the path of an input or parameter begins with a member of Model, each further one is a "
                  "member of the one before: input<&Parts::motor, &decltype(Parts::motor)::torque>");
    if constexpr (reached) {
      constexpr bool is_number = std::is_same_v<Reached<Model, path...>, Real&>;
      static_assert(is_number, "bench: an input or a parameter must be a non-const number of the model's Real");
      if constexpr (is_number) {
        Variable<Model> one;
        one.name = name_of_path<path...>();
        one.unit = unit;
        one.kind = kind;
        one.min = min;
        one.max = max;
        one.meaning = meaning;
        one.get = [](const Record<Model>& r) { return static_cast<double>((r.model.*....*path)); };
        one.set = [](Model& model, double value) { (model.*....*path) = static_cast<Real>(value); };
        draft.add(one);
      }
    }
  }

 private:
  template <class Model, class = void>
  struct Reachable {
    static constexpr bool found = false;
  };
  template <class Model>
  struct Reachable<Model, std::void_t<Reached<Model, path...>>> {
    static constexpr bool found = true;
  };
};

template <auto function>
struct Computed {
  const char *unit, *meaning;

  template <class Model>
  static constexpr int most = 1;

  template <class Model, int room>
  constexpr void add_to(Draft<Model, room>& draft) const {
    constexpr bool fits =
        std::is_invocable_r_v<typename Model::Real, decltype(function), const Model&, const State<Model>&>;
    static_assert(fits, "bench: output<&f> needs: Real f(const Model&, const State<Model>&)");
    if constexpr (fits)
      draft.add_output(
          spelled<function>(), unit,
          [](const Record<Model>& r) { return static_cast<double>(function(r.model, r.state)); }, meaning);
  }
};

template <int i>
struct Coordinate {
  Name name, unit;
  const char* meaning;

  template <class Model>
  static constexpr int most = 2;

  template <class Model, int room>
  constexpr void add_to(Draft<Model, room>& draft) const {
    constexpr bool exists = i >= 0 && i < Traits<Model>::dof;
    static_assert(exists, "bench: coordinate<i> needs 0 <= i < dof");
    if constexpr (exists) {
      draft.add_output(
          name, unit, [](const Record<Model>& r) { return static_cast<double>(r.state.q.coeff(i)); }, meaning);
      draft.add_output(
          Name("v_").with(name.text), unit.with("/s"),
          [](const Record<Model>& r) { return static_cast<double>(r.state.u.coeff(i)); }, "rate of the coordinate");
    }
  }
};

// Returns 1 / dt of the last step, the factor from a percussion to its mean force; 0 before the first step, as
// Stepper::contact does.
template <class Model>
typename Model::Real per_dt(const State<Model>& state) {
  using Real = typename Model::Real;
  return state.clock.dt > Real(0) ? Real(1) / state.clock.dt : Real(0);
}

// Returns the gap of contact i at the midpoint of the last step if the step evaluated it.
template <int i, class Model>
double midpoint_gap(const Record<Model>& r) {
  using Real = typename Model::Real;
  const auto clock = r.before.clock.counted_in(r.state.clock.dt);
  const Vector<Real, Traits<Model>::dof> q_M = r.before.q + clock.dt * Real(0.5) * r.before.u;
  const moreau::detail::Evaluation<Model> at(r.model, q_M, moreau::detail::model_time(r.model, clock));
  return static_cast<double>(at.gap(i));
}

// Adds a percussion and its mean force as two outputs. P: percussion matrix of the state.
template <class Model, int room, class P>
constexpr void add_percussion(Draft<Model, room>& draft, const Name& name, const char* direction, P) {
  draft.add_output(
      name.with(".force").with(direction), "N",
      [](const Record<Model>& r) { return static_cast<double>(P::of(r.state) * per_dt(r.state)); },
      "mean force of the last step");
  draft.add_output(
      name.with(".P").with(direction), "N.s",
      [](const Record<Model>& r) { return static_cast<double>(P::of(r.state)); },
      "percussion (impulse) of the last step");
}
template <int i>
struct Normal {
  template <class S>
  static auto of(const S& state) {
    return state.P_N.coeff(i);
  }
};
template <int i, int row>
struct Tangent {
  template <class S>
  static auto of(const S& state) {
    return state.P_T.coeff(row, i);
  }
};
template <int j, int row>
struct Dry {
  template <class S>
  static auto of(const S& state) {
    return state.P_F.coeff(row, j);
  }
};

template <int i>
struct Contact {
  Name name;

  template <class Model>
  static constexpr int most = 3 + 2 * 2;

  template <class Model, int room>
  constexpr void add_to(Draft<Model, room>& draft) const {
    constexpr bool exists = i >= 0 && i < Traits<Model>::contacts;
    static_assert(exists, "bench: contact<i> needs 0 <= i < contacts");
    if constexpr (exists) {
      constexpr int tangents = Traits<Model>::tangents;
      draft.add_output(name.with(".gap"), "m", midpoint_gap<i, Model>, "gap at the midpoint of the last step");
      add_percussion(draft, name, "_N", Normal<i>{});
      if constexpr (tangents == 1) add_percussion(draft, name, "_T", Tangent<i, 0>{});
      if constexpr (tangents == 2) add_percussion(draft, name, "_T1", Tangent<i, 0>{});
      if constexpr (tangents == 2) add_percussion(draft, name, "_T2", Tangent<i, 1>{});
    }
  }
};

template <int j>
struct Friction {
  Name name;

  template <class Model>
  static constexpr int most = 2 * 2;

  template <class Model, int room>
  constexpr void add_to(Draft<Model, room>& draft) const {
    constexpr bool exists = j >= 0 && j < Traits<Model>::frictions;
    static_assert(exists, "bench: friction<j> needs 0 <= j < frictions");
    if constexpr (exists) {
      constexpr bool plane = Traits<Model>::friction_dim == 2;
      add_percussion(draft, name, plane ? "_1" : "", Dry<j, 0>{});
      if constexpr (plane) add_percussion(draft, name, "_2", Dry<j, 1>{});
    }
  }
};

struct Reach {
  template <class Model>
  static constexpr int most = 1;

  template <class Model, int room>
  constexpr void add_to(Draft<Model, room>& draft) const {
    constexpr bool has_play = Traits<Model>::contacts > 0 && moreau::detail::Contract<Model>::has_play;
    static_assert(has_play, "bench: reach() needs a model with contacts and play_of(contact), as mechanisms have");
    draft.add_output(
        "step.reach", "1",
        [](const Record<Model>& r) {
          const bool stepped = moreau::detail::one_step(r.before.clock, r.state.clock);
          return stepped ? static_cast<double>(step_reach(r.model, r.before, r.state).worst().value) : 0.0;
        },
        "largest motion of a contact in the last step, relative to its play");
  }
};

}  // namespace detail

template <auto... path>
constexpr auto input(const char* unit, double min, double max, const char* meaning = "") {
  return detail::Number<Kind::input, path...>{unit, min, max, meaning};
}
template <auto... path>
constexpr auto parameter(const char* unit, double min, double max, const char* meaning = "") {
  return detail::Number<Kind::parameter, path...>{unit, min, max, meaning};
}
template <auto function>
constexpr auto output(const char* unit, const char* meaning = "") {
  return detail::Computed<function>{unit, meaning};
}
template <int i>
constexpr auto coordinate(const char* name, const char* unit, const char* meaning = "generalised coordinate") {
  return detail::Coordinate<i>{name, unit, meaning};
}
template <int i>
constexpr auto contact(const char* name) {
  return detail::Contact<i>{name};
}
template <int j>
constexpr auto friction(const char* name) {
  return detail::Friction<j>{name};
}

// Largest motion of a contact within the last step, over its play; dt is too long for the play if it exceeds 0.3.
constexpr auto reach() { return detail::Reach{}; }

template <class... Entry>
constexpr auto variables(const Entry&... entries) {
  return std::make_tuple(entries...);
}

}  // namespace moreau::bench
