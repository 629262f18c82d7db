// Starts of the counted fallbacks: random ones, and worst cases found by search (benchmarks/worst_case.cpp).
#pragma once
#include <algorithm>
#include <string_view>

#include "benchmarks/fallback_starts.hpp"
#include "worst_case_starts.hpp"

namespace counting {

// visit(numbers, drawn) of `draws` random starts, then of the worst cases.
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

// Sets model and state of a stepper to these numbers. The stepper has already evaluated its model: the step that
// detects the change is a separate fallback.
template <class Start, class Stepper>
void put(const typename Start::Numbers& numbers, Stepper& stepper) {
  using Model = typename Start::Model;
  stepper.model = Model();
  stepper.state = moreau::State<Model>();
  Start::apply(numbers, stepper.model, stepper.state);
  stepper.mass_changed();
}

}  // namespace counting
