// Adaptive runs with options drawn at random: every combination, steps from coarse to fine, budgets from one base step
// on. Whatever comes, a run ends with a status and within its budget, and its record is a record: no hole, no step
// back, switchings in order and inside their steps, numbers throughout.
#include <cmath>
#include <moreau/moreau.hpp>

#include "models/falling_mass.hpp"
#include "models/prismatic_joint.hpp"
#include "models/slider_crank.hpp"
#include "models/sliding_mass.hpp"
#include "models/woodpecker.hpp"
#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

using Options = moreau::AdaptiveOptions<Real>;

struct Tally {
  int runs = 0, finished = 0, refused = 0;
};

double power(test::Random& random, double from, double to) { return std::pow(10.0, random.between(from, to)); }

// Everything within what is valid, for a motion of T seconds.
Options any_options(test::Random& random, double T) {
  const auto one_of = [&random](unsigned n) { return int(random.bits() % n); };
  Options o;
  o.dt_min = T * power(random, -10, -3);
  o.dt_max = std::fmin(o.dt_min * power(random, 0, 8), 3 * T);
  o.atol = power(random, -13, -3);
  o.rtol = one_of(2) ? o.atol : 0;
  o.order_max = 1 + one_of(12);
  o.order_fixed = one_of(4) ? 0 : 1 + one_of(6);
  o.substeps = one_of(5) ? moreau::Substeps::odd : moreau::Substeps::every;
  o.powers = moreau::Powers(one_of(3));
  o.locate = moreau::Locate(one_of(2));
  o.force_at = moreau::ForceAt(one_of(2));
  o.closed = moreau::Closed(one_of(2));
  o.pace = moreau::Pace(one_of(2));
  o.base_steps_max = 1 + one_of(6000);
  return o;
}

std::int64_t most_of_an_attempt(const Options& o) {
  std::int64_t steps = 2;  // the look ahead
  for (int column = 1; column <= moreau::detail::order_columns; ++column) steps += o.substeps_of(column);
  return steps;
}

template <class Model>
void run(test::Random& random, Model model, const moreau::State<Model>& start, double T, Tally& tally) {
  const Options o = any_options(random, T);
  CHECK(o.valid());
  moreau::Stepper stepper{model, start};
  moreau::Adaptive adaptive{stepper, o};
  double t = 0, last = -1;
  const double half = random.between(0.1, 0.9) * T;
  ++tally.runs;
  for (const double end : {half, T}) {
    const auto s = adaptive.advance_to(end, [&](const auto& state, const auto& step) {
      CHECK(std::abs(step.t_A - t) <= 1e-12 * T && state.time() > t && state.time() <= end);
      CHECK(std::isfinite(state.q.sum()) && std::isfinite(state.u.sum()));
      CHECK(step.dt <= o.dt_max + o.dt_min / 2 || step.dt < Real(2.5) * o.dt_min);
      t = state.time();
      for (const auto& w : step.switchings) {
        CHECK(w.t >= step.t_A && w.t <= t && w.t >= last);
        last = w.t;
      }
    });
    CHECK(s.base_steps <= o.base_steps_max + most_of_an_attempt(o));
    CHECK(stepper.state.time() == (s.finished() ? end : t));
    if (s.finished()) continue;
    if (s.status != moreau::Status::not_finished) ++tally.refused;
    return;
  }
  ++tally.finished;
}

template <class Model>
void run_one(test::Random& random, Model model, double T, Tally& tally) {
  run(random, model, models::state_at<Model>(model.start()), T, tally);
}

void test_any_options(void) {
  test::Random random(7);
  Tally tally;
  for (int n = 0; n < 400; ++n) {
    models::FallingMass<Real> ball;
    ball.eps_N = random.between(0.0, 1.0);
    run_one(random, ball, 1, tally);
    run_one(random, models::Woodpecker<Real>{}, 0.2, tally);
    run_one(random, models::SlidingMass<Real>{}, 3, tally);
    models::PrismaticJoint<Real> slider;
    slider.s_f = random.between(0.0, 0.01);
    run_one(random, slider, 5e-3, tally);
    models::SliderCrank<Real> crank;
    crank.eps_N = random.between(0.0, 1.0);
    crank.mu = random.between(0.0, 0.3);
    auto start = models::state_at<models::SliderCrank<Real>>(crank.start());
    if (n % 2) start.q(2) = random.between(0.0, 0.01);
    run(random, crank, start, 0.05, tally);
  }
  moreau::port::print(tally.runs, " runs, ", tally.finished, " to their end, ", tally.refused, " ended by a step\n");
  CHECK(tally.finished > tally.runs / 4);
  CHECK_EQUAL(0, tally.refused);
}

}  // namespace

TEST_MAIN({ TEST(test_any_options); })
