// Adaptive simulation of the woodpecker toy (SLG08 section 10.4): Table VII, one limit cycle to 1e-9 s, and the
// number of fixed steps for the same accuracy.
#include <cmath>

#include "data/woodpecker.hpp"
#include "data/woodpecker_cycle.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

using Toy = models::Woodpecker<Real>;
using Options = moreau::AdaptiveOptions<Real>;
using Laws = moreau::DiscreteState<Toy>;
using LawKind = Laws::LawKind;
using LawMode = Laws::LawMode;

struct Event {
  LawKind law;
  int contact;  // numbered from 1, as in the paper's table
  LawMode to;
};

// Table VII in its order, with the index of each reference instant (an impact closes and opens its contact).
constexpr Event table_VII[] = {{LawKind::friction, 2, LawMode::stick}, {LawKind::friction, 2, LawMode::slip},
                               {LawKind::contact, 2, LawMode::open},   {LawKind::contact, 3, LawMode::closed},
                               {LawKind::contact, 3, LawMode::open},   {LawKind::contact, 1, LawMode::closed},
                               {LawKind::contact, 1, LawMode::open},   {LawKind::contact, 3, LawMode::closed},
                               {LawKind::contact, 3, LawMode::open},   {LawKind::contact, 2, LawMode::closed},
                               {LawKind::contact, 2, LawMode::open},   {LawKind::contact, 2, LawMode::closed}};
constexpr int instant_of[] = {0, 1, 2, 3, 3, 4, 4, 5, 6, 7, 7, 8};
// The same events in the order of the limit cycle, which starts in the sticking phase: event 1 is the start of slip.
constexpr int cycle_incident[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0};
constexpr int cycle_event[] = {1, 2, 3, 3, 4, 4, 5, 6, 7, 7, 8, 9};

Options paper(double dt_min, double dt_max, double tolerance) {
  Options o = Options::paper();  // in powers of dt, although the model declares symmetric_steps
  o.dt_min = dt_min;
  o.dt_max = dt_max;
  o.atol = o.rtol = tolerance;
  o.order_max = 8;
  return o;
}
Options improved(double dt_min, double dt_max, double tolerance) {
  Options o = paper(dt_min, dt_max, tolerance);
  o.locate = moreau::Locate::secant;
  o.pace = moreau::Pace::predicted;
  o.powers = moreau::Powers::declared;
  return o;
}

void test_table_VII(void) {
  Toy model;
  moreau::Stepper toy{model, models::state_at<Toy>(model.start())};
  Options o = paper(1e-7, 5e-3, 1e-8);  // step sizes of the paper
  o.order_max = 6;
  moreau::Adaptive run{toy, o};
  int n = 0;
  double worst = 0;
  const auto s = run.advance_to(0.125, [&](const auto&, const auto& step) {
    for (const auto& w : step.switchings) {
      CHECK(n < 12);
      CHECK(w.law == table_VII[n].law && w.index + 1 == table_VII[n].contact && w.to == table_VII[n].to);
      worst = std::fmax(worst, std::abs(w.t - data::woodpecker_incidents[instant_of[n]]));
      ++n;
    }
  });
  CHECK_EQUAL(12, n);
  CHECK(s.status == moreau::Status::ok);
  CHECK(s.dt_smallest >= 0.99e-7);
  moreau::port::print("Table VII with dt_min 1e-7: ", s.base_steps, " base steps, instant errors below ", worst,
                      " s\n");
  CHECK(worst <= 5e-6);  // each impact amplifies its time error, about dt_min, to the next ones
}

struct Cycle {
  double worst = 0, period = 0;
  std::int64_t base_steps = 0;
};

// One cycle between turning points: largest error of an event time, and the period.
Cycle cycle(const Options& o) {
  Toy model;
  moreau::Stepper toy{model, models::state_at<Toy>(model.start_on_cycle())};
  // The stick ends when friction reaches its bound: a margin of 1e-8 of it is 6e-10 s here; the solver is exact
  toy.judge.sigma_margin = 1e-11;
  moreau::Adaptive run{toy, o};
  Cycle seen;
  int n = 0;
  const auto s = run.advance_to(0.1455, [&](const auto&, const auto& step) {
    for (const auto& w : step.switchings) {
      CHECK(n < 12);
      const Event& expected = table_VII[cycle_incident[n]];
      CHECK(w.law == expected.law && w.index + 1 == expected.contact && w.to == expected.to);
      seen.worst = std::fmax(seen.worst, std::abs(w.t - data::woodpecker_cycle[cycle_event[n]].t));
      ++n;
    }
  });
  CHECK_EQUAL(12, n);
  CHECK(s.finished());
  // phi_S' = 0 by the secant method, always from the same state
  const auto before = toy.state;
  const auto turning = [&](double t) {
    toy.state = before;
    const auto last = run.advance_to(t);
    CHECK(last.finished());
    seen.base_steps = s.base_steps + last.base_steps;
    return double(toy.state.u(2));
  };
  double t_0 = 0.1458, t_1 = 0.1460, f_0 = turning(t_0), f_1 = turning(t_1);
  for (int i = 0; i < 8 && f_1 != f_0; ++i) {
    const double t = t_1 - f_1 * (t_1 - t_0) / (f_1 - f_0);
    t_0 = t_1;
    f_0 = f_1;
    t_1 = t;
    f_1 = turning(t);
  }
  seen.period = t_1;
  return seen;
}

void check_cycle(const char* name, const Options& o, double goal, std::int64_t base_steps) {
  const Cycle seen = cycle(o);
  const double off = std::abs(seen.period - data::woodpecker_period);
  moreau::port::print("woodpecker cycle, ", name, ", dt_min ", o.dt_min, ": event errors below ", seen.worst,
                      " s, period error ", off, " s, ", seen.base_steps, " base steps\n");
  CHECK(seen.worst <= goal);
  CHECK(off <= goal);
  CHECK(seen.base_steps <= base_steps);
}

void test_limit_cycle_within_a_nanosecond(void) {
  check_cycle("paper", paper(3e-11, 3e-3, 1e-10), 1e-9, 60000);
  check_cycle("improved", improved(3e-11, 3e-3, 1e-10), 1e-9, 15000);
}
void test_limit_cycle_within_a_tenth_of_a_microsecond(void) {
  check_cycle("paper", paper(5e-9, 3e-3, 3e-8), 1e-7, 15000);
  check_cycle("improved", improved(5e-9, 3e-3, 3e-8), 1e-7, 5000);
}

// Accuracy of a single switching point: from the reference state at each event to the next event.
void test_each_switching_point_within_two_minimal_steps(void) {
  const double dt_min = 1e-9;
  double worst = 0;
  for (const bool better : {false, true})
    for (int k = 0; k < 9; ++k) {
      const auto& from = data::woodpecker_cycle[k];
      const auto& to = data::woodpecker_cycle[k + 1];
      Toy model;
      auto start = models::state_at<Toy>(model.start());
      start.q << from.q[0], from.q[1], from.q[2];
      start.u << from.u[0], from.u[1], from.u[2];
      moreau::Stepper toy{model, start};
      toy.judge.sigma_margin = 1e-11;
      moreau::Adaptive run{toy, better ? improved(dt_min, 2e-3, 1e-11) : paper(dt_min, 2e-3, 1e-11)};
      double first = 0;
      const auto s = run.advance_to(to.t - from.t + 1e-6, [&](const auto&, const auto& step) {
        // right after an event its own contact opens: not the expected event
        for (const auto& w : step.switchings)
          if (first == 0 && w.t > 1e-6) first = w.t;
      });
      CHECK(s.finished());
      worst = std::fmax(worst, std::abs(first - (to.t - from.t)));
    }
  moreau::port::print("one switching point with dt_min ", dt_min, ": error ", worst, " s\n");
  CHECK(worst <= 2 * dt_min);
}

// Fixed steps are of first order: number of steps per cycle for the same accuracy. The error of an event depends on
// its random position within a step: mean of the worst event of the cycle over several step sizes.
void test_fixed_steps_require_a_hundred_million(void) {
  const double h[] = {1e-6, 7e-7, 5e-7, 3.5e-7, 2.5e-7};
  double error_in_steps = 0;
  for (const double step : h) {
    Toy model;
    moreau::Stepper toy{model, models::state_at<Toy>(model.start_on_cycle())};
    CHECK(toy.step(step).advanced());
    int seen = 0;
    double worst = 0;
    for (int n = 1; seen < 12 && n < std::lround(0.14 / step); ++n) {
      const Laws before(toy.state);
      CHECK(toy.step(step).advanced());
      Laws::Switchings changes;
      changes.compare(before, Laws(toy.state), (n + 0.5) * step);
      for (const auto& w : changes) {
        CHECK(seen < 12);
        worst = std::fmax(worst, std::abs(w.t - data::woodpecker_cycle[cycle_event[seen++]].t));
      }
    }
    CHECK_EQUAL(12, seen);
    moreau::port::print("fixed steps of ", step, " s: event errors below ", worst, " s\n");
    error_in_steps += worst / step / 5;
  }
  const double steps = data::woodpecker_period / (1e-9 / error_in_steps);
  moreau::port::print("fixed steps: event errors below 1e-9 s require ", steps, " steps per cycle\n");
  CHECK(steps > 1e8);
}

}  // namespace

TEST_MAIN({
  TEST(test_table_VII);
  TEST(test_limit_cycle_within_a_nanosecond);
  TEST(test_limit_cycle_within_a_tenth_of_a_microsecond);
  TEST(test_each_switching_point_within_two_minimal_steps);
  TEST(test_fixed_steps_require_a_hundred_million);
})
