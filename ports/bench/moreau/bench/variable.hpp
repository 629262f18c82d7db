// Variable of a bench: name, unit, range, description, and access functions.
//
//   time        the time of the state
//   input       a number of the model that is set between steps
//   parameter   a number of the model that is set before a run, and may be tuned between steps
//   output      a readable quantity: coordinates, contacts, joints, the report of the last step
//
// Every readable quantity is a pure function of a Record, so a restored bench returns the same values as before.
#pragma once

#include <moreau/moreau.hpp>

#include <limits>

#include "moreau/bench/name.hpp"

namespace moreau::bench {

enum class Kind : unsigned char { time, input, parameter, output };

// Model and last step: the states before and after it (identical before the first step), and its report.
template <class Model>
struct Record {
  const Model& model;
  const State<Model>&before, &state;
  const StepReport<typename Model::Real>& report;
};

template <class Model>
struct Variable {
  Name name;
  Name unit;  // "1": dimensionless
  Kind kind = Kind::output;
  bool whole = false;        // integer: a status, a count, a set of bits
  bool status = false;       // whole, with the values of Status
  bool generated = false;    // by mechanism<...>, not named in the list of the bench
  const char* meaning = "";  // one phrase without markup; may be empty
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
  double (*get)(const Record<Model>&) = nullptr;
  void (*set)(Model&, double) = nullptr;  // null: read-only
};

namespace detail {

// List of variables under construction. Explicit entries come first; generated ones skip names that already exist.
template <class Model, int room>
struct Draft {
  using Real = typename Model::Real;
  Variable<Model> item[std::size_t(room)] = {};
  int count = 0;
  bool generating = false, repeated = false, empty_range = false, bad_name = false;

  constexpr void add(Variable<Model> one) {
    one.min = static_cast<double>(static_cast<Real>(one.min));  // the bounds of a float model are rounded to float
    one.max = static_cast<double>(static_cast<Real>(one.max));
    if (find(one.name.text) >= 0) {
      if (!generating) repeated = true;
      return;
    }
    one.generated = generating;
    if (!(one.min <= one.max)) empty_range = true;
    if (!one.name.well_formed()) bad_name = true;
    item[count++] = one;
  }
  constexpr void add_output(const Name& name, const Name& unit, double (*get)(const Record<Model>&),
                            const char* meaning = "", bool whole = false) {
    Variable<Model> one;
    one.name = name;
    one.unit = unit;
    one.get = get;
    one.whole = whole;
    one.meaning = meaning;
    add(one);
  }
  constexpr int find(const char* name) const {
    for (int i = 0; i < count; ++i)
      if (item[i].name.is(name)) return i;
    return -1;
  }
};

}  // namespace detail
}  // namespace moreau::bench
