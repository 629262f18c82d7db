// What became of a step. Only ok and inexact advance the state; after any other the state is what it was, bit for bit.
#pragma once

namespace moreau {

enum class Status {
  ok,                          // the judge accepts the percussions
  inexact,                     // advanced with a violation between the judge's two thresholds
  no_solution,                 // no percussions found that the judge lets pass
  mass_not_positive_definite,  // M(q_M, t_M) is singular or indefinite
  constraints_dependent,       // the bilateral rows are linearly dependent
  not_finite,                  // NaN or infinity in q, u, in what the model returned, or in the result
  invalid_argument,            // dt <= 0, eps outside 0..1, mu < 0, w_N = 0, options out of range
  not_finished                 // of a run of many steps: ended by its own bounds or on request, before its end
};

constexpr const char* name(Status status) {
  switch (status) {
    case Status::ok:
      return "ok";
    case Status::inexact:
      return "inexact";
    case Status::no_solution:
      return "no_solution";
    case Status::mass_not_positive_definite:
      return "mass_not_positive_definite";
    case Status::constraints_dependent:
      return "constraints_dependent";
    case Status::not_finite:
      return "not_finite";
    case Status::invalid_argument:
      return "invalid_argument";
    case Status::not_finished:
      return "not_finished";
  }
  return "unknown";
}

}  // namespace moreau
