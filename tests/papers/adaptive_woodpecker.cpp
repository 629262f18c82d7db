// The adaptive woodpecker (SLG08 section 10.4): Table VII, one limit cycle to 1e-9 s, and what fixed steps would need.
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

struct Incident {
  LawKind law;
  int contact;  // counted from 1, as the paper's table does
  LawMode to;
};

// Table VII in its order; which of the reference's instants each belongs to (an impact closes a contact and opens it).
constexpr Incident table_VII[] = {{LawKind::friction, 2, LawMode::stick}, {LawKind::friction, 2, LawMode::slip},
                                  {LawKind::contact, 2, LawMode::open},   {LawKind::contact, 3, LawMode::closed},
                                  {LawKind::contact, 3, LawMode::open},   {LawKind::contact, 1, LawMode::closed},
                                  {LawKind::contact, 1, LawMode::open},   {LawKind::contact, 3, LawMode::closed},
                                  {LawKind::contact, 3, LawMode::open},   {LawKind::contact, 2, LawMode::closed},
                                  {LawKind::contact, 2, LawMode::open},   {LawKind::contact, 2, LawMode::closed}};
constexpr int instant_of[] = {0, 1, 2, 3, 3, 4, 4, 5, 6, 7, 7, 8};
// The same incidents in the order of the limit cycle, which starts sticking: event 1 is the start of slip.
constexpr int cycle_incident[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0};
constexpr int cycle_event[] = {1, 2, 3, 3, 4, 4, 5, 6, 7, 7, 8, 9};

Options paper(double dt_min, double dt_max, double tolerance) {
  Options o = Options::paper();  // in powers of dt, though the model declares symmetric_steps
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
  Options o = paper(1e-7, 5e-3, 1e-8);  // the paper's steps
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
  moreau::port::print("Table VII with dt_min 1e-7: ", s.base_steps, " base steps, instants within ", worst, " s\n");
  CHECK(worst <= 5e-6);  // every impact passes its error, about dt_min, on to the next ones, larger
}

struct Cycle {
  double worst = 0, period = 0;
  std::int64_t base_steps = 0;
};

// One cycle from the turning point to the next: the worst event time, the period.
Cycle cycle(const Options& o) {
  Toy model;
  moreau::Stepper toy{model, models::state_at<Toy>(model.start_on_cycle())};
  // stick ends where friction reaches its bound: a margin of 1e-8 of it is 6e-10 s here; the solver is exact
  toy.judge.sigma_margin = 1e-11;
  moreau::Adaptive run{toy, o};
  Cycle seen;
  int n = 0;
  const auto s = run.advance_to(0.1455, [&](const auto&, const auto& step) {
    for (const auto& w : step.switchings) {
      CHECK(n < 12);
      const Incident& expected = table_VII[cycle_incident[n]];
      CHECK(w.law == expected.law && w.index + 1 == expected.contact && w.to == expected.to);
      seen.worst = std::fmax(seen.worst, std::abs(w.t - data::woodpecker_cycle[cycle_event[n]].t));
      ++n;
    }
  });
  CHECK_EQUAL(12, n);
  CHECK(s.finished());
  // phi_S' = 0 by the secant, every time from the same state
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
  moreau::port::print("woodpecker cycle, ", name, ", dt_min ", o.dt_min, ": events within ", seen.worst,
                      " s, period within ", off, " s, ", seen.base_steps, " base steps\n");
  CHECK(seen.worst <= goal);
  CHECK(off <= goal);
  CHECK(seen.base_steps <= base_steps);
}

void test_cycle_to_a_nanosecond(void) {
  check_cycle("paper", paper(3e-11, 3e-3, 1e-10), 1e-9, 60000);
  check_cycle("improved", improved(3e-11, 3e-3, 1e-10), 1e-9, 15000);
}
void test_cycle_to_a_tenth_of_a_microsecond(void) {
  check_cycle("paper", paper(5e-9, 3e-3, 3e-8), 1e-7, 15000);
  check_cycle("improved", improved(5e-9, 3e-3, 3e-8), 1e-7, 5000);
}

// The event right after each event of the reference, from the reference's state: what one switching point costs.
void test_each_switching_point_to_two_minimal_steps(void) {
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
        // right after an event the contact that took part lets go: not the one that is looked for
        for (const auto& w : step.switchings)
          if (first == 0 && w.t > 1e-6) first = w.t;
      });
      CHECK(s.finished());
      worst = std::fmax(worst, std::abs(first - (to.t - from.t)));
    }
  moreau::port::print("one switching point with dt_min ", dt_min, ": within ", worst, " s\n");
  CHECK(worst <= 2 * dt_min);
}

// Fixed steps are of first order: how many a cycle would take for the same accuracy. The error of an event scatters
// with where it falls in its step: the mean over some steps of the worst event of the cycle.
void test_fixed_steps_would_need_a_hundred_million(void) {
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
    moreau::port::print("fixed steps of ", step, " s: events within ", worst, " s\n");
    error_in_steps += worst / step / 5;
  }
  const double steps = data::woodpecker_period / (1e-9 / error_in_steps);
  moreau::port::print("fixed steps: for events within 1e-9 s a cycle would take ", steps, " steps\n");
  CHECK(steps > 1e8);
}

}  // namespace

TEST_MAIN({
  TEST(test_table_VII);
  TEST(test_cycle_to_a_nanosecond);
  TEST(test_cycle_to_a_tenth_of_a_microsecond);
  TEST(test_each_switching_point_to_two_minimal_steps);
  TEST(test_fixed_steps_would_need_a_hundred_million);
})
