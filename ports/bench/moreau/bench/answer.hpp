// Return codes of a bench: the statuses of a step and the errors of a call, each with one sentence.
#pragma once

#include <moreau/moreau.hpp>

namespace moreau::bench {

// The first eight have the numbers of moreau::Status. A call that returns any code other than `ok` and `inexact`
// changes nothing except the report of a rejected step.
enum class Answer : int {
  ok,
  inexact,
  no_solution,
  mass_not_positive_definite,
  constraints_dependent,
  not_finite,
  invalid_argument,
  not_finished,
  null_pointer,
  wrong_size,
  misaligned,
  not_initialised,
  unknown_variable,
  not_settable,
  not_a_number,
  out_of_range,
  wrong_bytes
};

constexpr Answer answer(Status status) { return static_cast<Answer>(static_cast<int>(status)); }
constexpr bool advanced(Answer a) { return a == Answer::ok || a == Answer::inexact; }

struct Sentence {
  const char *name, *text;
};

namespace detail {

inline constexpr Sentence sentences[] = {
    {"ok", "done"},
    {"inexact", "the step advanced, but the residual of the contact laws exceeds rounding error: see step.residual"},
    {"no_solution", "no percussions satisfy the contact laws; the state is unchanged"},
    {"mass_not_positive_definite", "the mass matrix is singular or indefinite; the state is unchanged"},
    {"constraints_dependent", "the constraints of the ideal joints are linearly dependent; the state is unchanged"},
    {"not_finite", "the model or the state contains a non-finite value; the state is unchanged"},
    {"invalid_argument",
     "a parameter of the contact laws or the step is out of range, or a joint is open at the start; the state is "
     "unchanged"},
    {"not_finished", "a run ended before its end time"},
    {"null_pointer", "a pointer is null"},
    {"wrong_size", "a size differs from the one in the header of this bench"},
    {"misaligned", "the memory is not aligned as the header of this bench requires"},
    {"not_initialised", "the memory contains no bench: call init first"},
    {"unknown_variable", "no variable has this index or name"},
    {"not_settable", "the variable is read-only"},
    {"not_a_number", "the value is NaN or infinite"},
    {"out_of_range", "the value is outside the variable's range"},
    {"wrong_bytes", "the bytes are damaged or belong to another bench"}};
inline constexpr int answers = int(sizeof sentences / sizeof sentences[0]);
static_assert(answers == int(Answer::wrong_bytes) + 1, "each code needs one sentence");
static_assert(answer(Status::not_finished) == Answer::not_finished, "the first codes are the statuses");

}  // namespace detail

constexpr Sentence sentence(Answer a) {
  const int i = static_cast<int>(a);
  return i >= 0 && i < detail::answers ? detail::sentences[i] : Sentence{"unknown", "no such status"};
}

}  // namespace moreau::bench
