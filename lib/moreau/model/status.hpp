// What became of a step. Only ok and inexact advance the state; after any other the state is what it was, bit for bit.
#pragma once

namespace moreau {

enum class Status {
  ok,                          // the judge accepts the percussions
  inexact,                     // advanced with a violation between the judge's two thresholds
  no_solution,                 // no percussions found that the judge accepts or calls inexact
  mass_not_positive_definite,  // M(q_M, t_M) is singular or indefinite
  constraints_dependent,       // the bilateral rows are linearly dependent
  not_finite,                  // NaN or infinity in q, u, in what the model returned, or in the result
  invalid_argument,            // dt <= 0, eps outside 0..1, mu < 0, w_N = 0, options out of range
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

}  // namespace moreau
