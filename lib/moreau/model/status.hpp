// What became of a step. Only ok and inexact advance the state; after any other the state is what it was, bit for bit.
#pragma once

#include <cstdint>

namespace moreau {

enum class Status : std::uint8_t {
  ok,                          // the judge accepts the percussions
  inexact,                     // advanced with a violation between the judge's two thresholds
  no_solution,                 // no percussions found that the judge accepts or calls inexact
  mass_not_positive_definite,  // M(q_M, t_M) is singular or indefinite
  constraints_dependent,       // the bilateral rows are linearly dependent
  not_finite,                  // NaN or infinity in q, u, in what the model returned, or in the result
  invalid_argument,            // dt, a law, an option or a part out of its range, w_N = 0
  not_finished                 // of a run of many steps: ended by its own bounds or on request, before its end
};

namespace detail {

inline constexpr const char* status_names[] = {
    "ok",         "inexact",          "no_solution", "mass_not_positive_definite", "constraints_dependent",
    "not_finite", "invalid_argument", "not_finished"};

}  // namespace detail

constexpr const char* name(Status status) {
  constexpr int count = int(Status::not_finished) + 1;
  static_assert(sizeof detail::status_names == count * sizeof(const char*), "one name for every status");
  return unsigned(status) < unsigned(count) ? detail::status_names[int(status)] : "unknown";
}

// Which argument, or which function of the model, made a step refuse. Its index: a contact, friction element, joint row
// or coordinate, where there are several.
enum class Cause : std::uint8_t {
  none,
  dt,                   // not positive, infinite or subnormal
  solver,               // options out of range
  judge,                // thresholds out of range
  state,                // q, u or the time is no number; index: coordinate
  mass,                 // singular, indefinite or no number
  force,                // no number
  gap,                  // no number
  directions,           // no number, or w_N = 0
  law,                  // eps_N, eps_T or mu out of range
  allowed_penetration,  // negative or no number
  period,               // the same
  part,                 // valid() of a part of the mechanism is false; index: its place in parts()
  friction_bound,       // negative or no number
  friction_directions,  // no number
  bilateral,            // rows dependent or no number
  percussions,          // none found that the judge lets pass
  wrap,                 // no number
  result                // q or u at the end of the step is no number: too large
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

constexpr const char* name(Cause cause) {
  constexpr int count = int(Cause::result) + 1;
  static_assert(sizeof detail::cause_names == count * sizeof(const char*), "one name for every cause");
  return unsigned(cause) < unsigned(count) ? detail::cause_names[int(cause)] : "unknown";
}

}  // namespace moreau
