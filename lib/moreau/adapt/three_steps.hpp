// The three steps of SLG08 section 9.3 and Figure 8:
//
//   accepted   cannot be rejected any more; the recorder has seen it, and it is the stepper's state
//   previous   carried out, but a switching point at its end shows only in its successor (may be the accepted one)
//   actual     being carried out
//
// Rejecting a step means not copying its state.
#pragma once

#include "moreau/adapt/main_step.hpp"

namespace moreau {
namespace detail {

template <class Model>
class ThreeSteps {
 public:
  State<Model> accepted, previous, actual;
  State<Model> earlier;  // the accepted step before the accepted one
  using Step = MainStep<Model>;
  Step previous_step, actual_step;
  bool pending = false;                  // previous is not accepted yet
  typename Step::Real t_B_accepted = 0;  // s, where the accepted step began

  void begin(const State<Model>& state) {
    accepted = previous = state;
    pending = false;
  }
  void keep_actual() {
    previous = actual;
    previous_step = actual_step;
    pending = true;
  }
  // Each calls accept(state, step) for what becomes accepted.
  template <class Accept>
  void accept_previous(Accept& accept) {
    if (!pending) return;
    pending = false;
    take(previous, previous_step, accept);
  }
  template <class Accept>
  void accept_actual(Accept& accept) {
    previous = actual;
    take(actual, actual_step, accept);
  }
  // Back to the accepted step; how many steps that rejects, the actual one included.
  int drop_back(bool actual_was_tried) {
    const int rejected = (pending ? 1 : 0) + (actual_was_tried ? 1 : 0);
    previous = accepted;
    pending = false;
    return rejected;
  }

 private:
  template <class Accept>
  void take(const State<Model>& state, const Step& step, Accept& accept) {
    earlier = accepted;
    accepted = state;
    t_B_accepted = step.t_A;
    accept(accepted, step);
  }
};

}  // namespace detail
}  // namespace moreau
