// Cost of a step with second_order, for the two mechanisms and step sizes of steps.cpp.
#include <moreau/port/exit.hpp>

#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/second_order.hpp"
#include "trajectory.hpp"

namespace {

using counting::Real;
counting::Unsolved unsolved;

template <class Model, moreau::Timing timing>
void count_steps(const char* name, Real dt) {
  const Model model;
  counting::count_trajectory<timing>(name, "exact", model, models::state_at<Model>(model.start()), moreau::Exact{}, dt,
                                     MOREAU_COUNT_STEPS, unsolved);
}
template <class Model>
void count_timings(const char* name, Real dt) {
  count_steps<test::Second<Model>, moreau::Timing::constant>(name, dt);
  count_steps<test::Second<Model>, moreau::Timing::variable>(name, dt);
}

}  // namespace

int main() {
  count_timings<models::Woodpecker<Real>>("woodpecker_second", Real(1e-4));
  count_timings<models::SliderCrank<Real>>("slidercrank_second", Real(1e-5));
  return unsolved.exit_code();
}
