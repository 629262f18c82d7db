// Adaptive simulation with random options and injected faults: every combination of options, coarse to fine steps,
// budgets from one base step up. Every run ends with a status and within its budget. Its record has no gap, no step
// back and finite numbers, with all switchings in order and inside their steps.
// With faults, a number that the model returns is corrupted in the middle of a run, a few times or for good; without
// the fault the run continues.
#include <cmath>
#include <limits>
#include <moreau/moreau.hpp>

#include "models/falling_mass.hpp"
#include "models/prismatic_joint.hpp"
#include "models/slider_crank.hpp"
#include "models/sliding_mass.hpp"
#include "models/woodpecker.hpp"
#include "support/bits_hash.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

using Options = moreau::AdaptiveOptions<Real>;

struct Tally {
  int runs = 0, finished = 0, refused = 0;
};

double power(test::Random& random, double from, double to) { return std::pow(10.0, random.between(from, to)); }

// Random valid options for a motion of T seconds.
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
  std::int64_t steps = 2;  // the look-ahead
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
  for (int n = 0; n < often(400); ++n) {
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
  moreau::port::print(tally.runs, " runs, ", tally.finished, " completed, ", tally.refused,
                      " ended by a rejected step\n");
  CHECK(tally.finished > tally.runs / 4);
  CHECK_EQUAL(0, tally.refused);
}

// ---- faults ------------------------------------------------------------------------------------------------------

// Corrupts one of the numbers returned by the models of a run, `times` times from one call on.
struct Fault {
  int place = -1;  // function and entry; -1: no fault
  long from = 0, times = 0, calls = 0;
  Real value = 0;

  Real passed(int a_place, Real x) {
    if (a_place != place) return x;
    const long n = calls++;
    return n >= from && n - from < times ? value : x;
  }
};
Fault fault;

struct FaultyCrank : models::SliderCrank<Real> {
  using Base = models::SliderCrank<Real>;
  static constexpr int places = 12;
  At at(const Vector& q, Real t) const { return Base::at(q, t); }
  Matrix mass(const At& s) const {
    Matrix M = Base::mass(s);
    M(0, 0) = fault.passed(0, M(0, 0)), M(2, 2) = fault.passed(1, M(2, 2));
    return M;
  }
  Vector force(const At& s, const Vector& u) const {
    const Vector h = Base::force(s, u);
    return Vector(fault.passed(2, h(0)), fault.passed(3, h(1)), fault.passed(4, h(2)));
  }
  Real gap(int i, const At& s) const { return fault.passed(i == 0 ? 5 : 6, Base::gap(i, s)); }
  moreau::Directions<Real, 3> directions(int i, const At& s) const {
    auto d = Base::directions(i, s);
    d.w_N(0) = fault.passed(7, d.w_N(0)), d.w_T(2) = fault.passed(8, d.w_T(2));
    return d;
  }
  moreau::ContactLaw<Real> law(int i) const {
    auto law = Base::law(i);
    law.eps_N = fault.passed(9, law.eps_N), law.eps_T = fault.passed(10, law.eps_T), law.mu = fault.passed(11, law.mu);
    return law;
  }
};

Real any_bad(test::Random& random) {
  using Limits = std::numeric_limits<Real>;
  const Real bad[] = {Limits::quiet_NaN(),  Limits::infinity(), -Limits::infinity(), Limits::max(), -Limits::max(),
                      Limits::denorm_min(), Real(1e20),         Real(-1e20),         Real(0),       Real(-1)};
  return bad[random.bits() % (sizeof bad / sizeof *bad)];
}

void test_faults_in_runs(void) {
  test::Random random(11);
  const FaultyCrank crank;
  const auto start = models::state_at<FaultyCrank>(crank.start_tilted());
  constexpr Real T = Real(2e-3);
  int ended = 0, finished = 0, went_on = 0;
  for (int n = 0; n < often(300); ++n) {
    Options o;
    o.dt_min = T * power(random, -3, -2);
    o.dt_max = o.dt_min * power(random, 0, 2);
    o.locate = moreau::Locate(random.bits() % 2), o.pace = moreau::Pace(random.bits() % 2);
    o.closed = moreau::Closed(random.bits() % 2), o.force_at = moreau::ForceAt(random.bits() % 2);
    o.base_steps_max = 20000;
    fault = {};
    moreau::Stepper stepper{crank, start};
    moreau::Adaptive adaptive{stepper, o};
    fault = {int(random.bits() % FaultyCrank::places), long(power(random, 0, 3.5)), long(power(random, 0, 1.5)), 0,
             any_bad(random)};
    if (random.bits() % 4 == 0) fault.times = 1L << 40;  // permanent
    auto last = test::saved(stepper.state);
    const auto run_to = [&](Real end) {
      return adaptive.advance_to(end, [&](const auto& state, const auto& step) {
        CHECK(step.t_A < state.time() && std::isfinite(state.q.sum()) && std::isfinite(state.u.sum()));
        CHECK(std::isfinite(state.P_N.sum()) && std::isfinite(state.P_T.sum()) && std::isfinite(step.dt));
        last = test::saved(state);
      });
    };
    const auto s = run_to(T);
    CHECK(s.base_steps <= o.base_steps_max + most_of_an_attempt(o));
    CHECK(test::saved(stepper.state) == last);
    CHECK(s.finished() == (stepper.state.time() == T));
    finished += s.finished(), ended += !s.finished();
    fault = {};
    const bool sane = stepper.state.u.cwiseAbs().maxCoeff() < 1e4;  // false: a huge number has taken effect
    const auto rest = run_to(T + T / 4);
    CHECK(test::saved(stepper.state) == last);
    if (sane) CHECK(rest.finished() && stepper.state.time() == T + T / 4);
    went_on += sane && !s.finished();
  }
  moreau::port::print(finished, " runs with a fault completed, ", ended, " ended early, ", went_on,
                      " of these continued without the fault");
  CHECK(finished > often(25) && ended > often(25) && went_on > often(25));
}

}  // namespace

TEST_MAIN({
  TEST(test_any_options);
  TEST(test_faults_in_runs);
})
