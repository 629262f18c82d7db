// What a bench answers to a call: the statuses of a step, and what is wrong with a call. One sentence for each.
#pragma once

#include <moreau/moreau.hpp>

namespace moreau::bench {

// The first eight are those of moreau::Status, with the same numbers. A call that answers anything but `ok` and
// `inexact` has changed nothing, but for the report of a step that was refused.
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
    {"inexact", "the step advanced; its violation of the contact laws is not plainly rounding: look at step.residual"},
    {"no_solution", "the step found no percussions that the contact laws accept; the state is unchanged"},
    {"mass_not_positive_definite", "the mass matrix is singular or indefinite; the state is unchanged"},
    {"constraints_dependent", "ideal joints say the same twice; the state is unchanged"},
    {"not_finite", "the model or the state gave a number that is none; the state is unchanged"},
    {"invalid_argument",
     "a parameter of the contact laws or the step is out of range, or a joint is open at the start; the state is "
     "unchanged"},
    {"not_finished", "a run ended before its end"},
    {"null_pointer", "a pointer is null"},
    {"wrong_size", "a size is not what the header of this bench says"},
    {"misaligned", "the memory is not aligned as the header of this bench says"},
    {"not_initialised", "this memory holds no bench: call init first"},
    {"unknown_variable", "no variable has this index or name"},
    {"not_settable", "this variable can be read only"},
    {"not_a_number", "the value is NaN or infinite"},
    {"out_of_range", "the value is outside the variable's range"},
    {"wrong_bytes", "these bytes are damaged, or those of another bench"}};
inline constexpr int answers = int(sizeof sentences / sizeof sentences[0]);
static_assert(answers == int(Answer::wrong_bytes) + 1, "one sentence for every answer");
static_assert(answer(Status::not_finished) == Answer::not_finished, "the first answers are the statuses");

}  // namespace detail

constexpr Sentence sentence(Answer a) {
  const int i = static_cast<int>(a);
  return i >= 0 && i < detail::answers ? detail::sentences[i] : Sentence{"unknown", "no such status"};
}

}  // namespace moreau::bench
