// Recording: once per committed step, in order, and not after a failed step.
#include <moreau/moreau.hpp>
#include <moreau/record/recorder.hpp>

#include "models/falling_mass.hpp"
#include "support/test.hpp"

namespace {

using Model = models::FallingMass<Real>;
using Report = moreau::StepReport<Real>;

moreau::Stepper<Model> ball() {
  moreau::State<Model> start;
  start.q(0) = Real(0.07);
  return moreau::Stepper<Model>(Model{}, start);
}

// Counts calls and stores the last time.
struct Counter {
  int steps = 0;
  Real last = -1;
  void operator()(const moreau::State<Model>& state, const Report& report) {
    CHECK(report.advanced());
    CHECK(state.time() > last);
    last = state.time();
    ++steps;
  }
};

}  // namespace

void test_each_step_is_recorded_once_in_order(void) {
  auto stepper = ball();
  Counter counter;
  const auto report = moreau::run(stepper, Real(1e-3), 250, counter);
  CHECK(report.advanced());
  CHECK_EQUAL(250, counter.steps);
  CHECK_EQUAL(stepper.state.time(), counter.last);
}

void test_failed_step_ends_the_run_and_is_not_recorded(void) {
  auto stepper = ball();
  Counter counter;
  const auto report = moreau::run(stepper, Real(1e-3), 10, [&](const auto& state, const auto& step) {
    counter(state, step);
    if (counter.steps == 4) stepper.model.gravity = std::numeric_limits<Real>::quiet_NaN();
  });
  CHECK(report.status == moreau::Status::not_finite);
  CHECK_EQUAL(4, counter.steps);
  CHECK_EQUAL(counter.last, stepper.state.time());
}

void test_run_without_recorder(void) {
  auto stepper = ball();
  CHECK(moreau::run(stepper, Real(1e-3), 5).advanced());
  CHECK_WITHIN(Real(1e-6), Real(5e-3), stepper.state.time());
}

void test_sample_equals_the_state(void) {
  auto stepper = ball();
  const auto report = moreau::run(stepper, Real(1e-3), 125);  // past the first impact at 0.1195 s
  const moreau::Sample<Model> sample(stepper.state, report);
  CHECK_EQUAL(stepper.state.time(), sample.t);
  CHECK_EQUAL(stepper.state.q(0), sample.q(0));
  CHECK_EQUAL(stepper.state.u(0), sample.u(0));
  CHECK_EQUAL(stepper.state.P_N(0), sample.P_N(0));
  CHECK(sample.status == moreau::Status::ok);
  CHECK(sample.u(0) > 0);
}

TEST_MAIN({
  TEST(test_each_step_is_recorded_once_in_order);
  TEST(test_failed_step_ends_the_run_and_is_not_recorded);
  TEST(test_run_without_recorder);
  TEST(test_sample_equals_the_state);
})
