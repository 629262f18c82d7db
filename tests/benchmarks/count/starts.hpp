// The starts of counted fallbacks: drawn at random, and the worst_case that were bred (benchmarks/worst_case.cpp).
#pragma once
#include <algorithm>
#include <string_view>

#include "benchmarks/fallback_starts.hpp"
#include "worst_case_starts.hpp"

namespace counting {

// visit(numbers, drawn) of as many drawn ones as `draws`, then of the worst_case.
template <class Start, class Visit>
void each_start(int draws, const Visit& visit) {
  test::Random random(91);
  for (int n = 0; n < draws; ++n) visit(Start::draw(random), true);
  for (const auto& one : worst_case<typename Start::Model::Real>) {
    if (one.model != std::string_view(Start::name)) continue;
    typename Start::Numbers numbers;
    std::copy_n(one.numbers, numbers.size(), numbers.begin());
    visit(numbers, false);
  }
}

// The model and the state of a stepper as these numbers say. It has looked at the model already: the step that finds it changed
// is a fallback of its own.
template <class Start, class Stepper>
void put(const typename Start::Numbers& numbers, Stepper& stepper) {
  using Model = typename Start::Model;
  stepper.model = Model();
  stepper.state = moreau::State<Model>();
  Start::apply(numbers, stepper.model, stepper.state);
  stepper.mass_changed();
}

}  // namespace counting
