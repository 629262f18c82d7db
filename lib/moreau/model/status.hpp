// Outcome of a step or a run. A step advances the state if its status is ok or inexact; otherwise the state stays
// bit-identical.
#pragma once

#include <cstdint>

namespace moreau {

// Outcome of a step or a run.
enum class Status : std::uint8_t {
  ok,                          // the percussions satisfy the contact laws to Judge::rtol
  inexact,                     // the state advances; the violation is between Judge::rtol and Judge::reject
  no_solution,                 // every result of the solver violates the laws by more than Judge::reject
  mass_not_positive_definite,  // M(q_M, t_M) is singular or indefinite
  constraints_dependent,       // the bilateral rows are linearly dependent
  not_finite,                  // q, u, a return value of the model or the result is NaN or infinite
  invalid_argument,            // dt, a contact law, an option or a part is out of range, or w_N = 0
  not_finished                 // runs only: stopped by a limit or on request before the end time
};

namespace detail {

inline constexpr const char* status_names[] = {
    "ok",         "inexact",          "no_solution", "mass_not_positive_definite", "constraints_dependent",
    "not_finite", "invalid_argument", "not_finished"};

}  // namespace detail

// Returns the name of a status.
constexpr const char* name(Status status) {
  constexpr int count = int(Status::not_finished) + 1;
  static_assert(sizeof detail::status_names == count * sizeof(const char*), "one name for every status");
  return unsigned(status) < unsigned(count) ? detail::status_names[int(status)] : "unknown";
}

// Cause of a failed step: an argument, an option, a model function or a computed value. The report also contains the
// index of the contact, friction element, joint row, part or coordinate.
enum class Cause : std::uint8_t {
  none,
  dt,                   // not positive, subnormal, or 128 s or more
  solver,               // options out of range
  judge,                // thresholds out of range
  state,                // q, u or the time is not finite; index: coordinate
  mass,                 // singular, indefinite or not finite
  force,                // not finite
  gap,                  // not finite
  directions,           // not finite, or w_N = 0
  law,                  // eps_N, eps_T or mu out of range; mu or eps_T with tangents = 0
  allowed_penetration,  // negative, not finite, or larger than the play of the joint
  period,               // negative or not finite
  part,                 // a parameter of a part is out of range, such as play = 0; index: position in parts()
  friction_bound,       // negative or not finite
  friction_directions,  // not finite
  bilateral,            // rows linearly dependent or not finite; index: first row that depends on the rows before
  percussions,          // every result of the solver violates the laws by more than Judge::reject
  wrap,                 // not finite
  result                // q or u at the end of the step is not finite, for example by overflow
};

namespace detail {

inline constexpr const char* cause_names[] = {"none",
                                              "dt",
                                              "solver",
                                              "judge",
                                              "state",
                                              "mass",
                                              "force",
                                              "gap",
                                              "directions",
                                              "law",
                                              "allowed_penetration",
                                              "period",
                                              "part",
                                              "friction_bound",
                                              "friction_directions",
                                              "bilateral",
                                              "percussions",
                                              "wrap",
                                              "result"};

}  // namespace detail

// Returns the name of a cause.
constexpr const char* name(Cause cause) {
  constexpr int count = int(Cause::result) + 1;
  static_assert(sizeof detail::cause_names == count * sizeof(const char*), "one name for every cause");
  return unsigned(cause) < unsigned(count) ? detail::cause_names[int(cause)] : "unknown";
}

}  // namespace moreau
