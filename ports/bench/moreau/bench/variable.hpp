// One variable of a bench: what it is called, what it may be, and how it is read and set.
//
//   time        the time of the state
//   input       a number of the model that the bench sets between steps
//   parameter   a number of the model that is set before a run, and may be tuned between steps
//   output      what can be read: coordinates, contacts, joints, the report of the last step
//
// Everything that can be read is a pure function of a Record, so a bench that is restored reads what it read before.
#pragma once

#include <moreau/moreau.hpp>

#include <limits>

#include "moreau/bench/name.hpp"

namespace moreau::bench {

enum class Kind : unsigned char { time, input, parameter, output };

// A model and its last step: the state before and after it (twice the same before the first one), and its report.
template <class Model>
struct Record {
  const Model& model;
  const State<Model>&before, &state;
  const StepReport<typename Model::Real>& report;
};

template <class Model>
struct Variable {
  Name name;
  Name unit;  // "1": none
  Kind kind = Kind::output;
  bool whole = false;  // a whole number: a status, a count, a set of bits
  double min = -std::numeric_limits<double>::infinity(), max = std::numeric_limits<double>::infinity();
  double (*get)(const Record<Model>&) = nullptr;
  void (*set)(Model&, double) = nullptr;  // none: can only be read
};

namespace detail {

// A list of variables while it is made. Explicit entries come first; what is generated leaves out names that are there.
template <class Model, int room>
struct Draft {
  using Real = typename Model::Real;
  Variable<Model> item[std::size_t(room)] = {};
  int count = 0;
  bool generating = false, repeated = false, empty_range = false, bad_name = false;

  constexpr void add(Variable<Model> one) {
    one.min = static_cast<double>(static_cast<Real>(one.min));  // a float bench knows its bounds as floats, too
    one.max = static_cast<double>(static_cast<Real>(one.max));
    if (find(one.name.text) >= 0) {
      if (!generating) repeated = true;
      return;
    }
    if (!(one.min <= one.max)) empty_range = true;
    if (!one.name.well_formed()) bad_name = true;
    item[count++] = one;
  }
  constexpr void add_output(const Name& name, const Name& unit, double (*get)(const Record<Model>&),
                            bool whole = false) {
    Variable<Model> one;
    one.name = name;
    one.unit = unit;
    one.get = get;
    one.whole = whole;
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
