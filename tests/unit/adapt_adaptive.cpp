// The adaptive run as a tool: end time, summary, rejected calls, and termination in every case.
#include <cmath>
#include <moreau/moreau.hpp>

#include "models/falling_mass.hpp"
#include "models/impact_oscillator.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

using moreau::Status;
using Ball = models::FallingMass<Real>;
using Toy = models::Woodpecker<Real>;
constexpr bool is_double = sizeof(Real) == 8;

moreau::AdaptiveOptions<Real> quick() {
  auto o = moreau::AdaptiveOptions<Real>::paper();
  o.dt_min = Real(is_double ? 1e-7 : 1e-5);
  o.dt_max = Real(5e-3);
  o.atol = o.rtol = Real(is_double ? 1e-8 : 1e-4);
  return o;
}

// Every accepted step is recorded once, in order, without gaps; the sums of the summary are those of the steps.
void test_records_every_step(void) {
  Toy model;
  moreau::Stepper toy{model, models::state_at<Toy>(model.start())};
  moreau::Adaptive run{toy, quick()};
  Real t = 0, smallest = 1;
  std::int64_t steps = 0, switchings = 0;
  const auto s = run.advance_to(Real(0.15), [&](const auto& state, const auto& step) {
    CHECK(step.t_A == t && state.time() > t);
    t = state.time();
    CHECK(step.advanced() && step.order >= 1 && step.order <= 6);
    CHECK_WITHIN(4 * moreau::detail::epsilon<Real> * t, step.t_A + step.dt, state.time());
    smallest = step.dt < smallest ? step.dt : smallest;
    for (const auto& w : step.switchings) CHECK(w.t > step.t_A && w.t < state.time());
    switchings += step.switchings.count;
    ++steps;
  });
  CHECK(s.status == Status::ok && s.finished());
  CHECK(t == Real(0.15) && toy.state.time() == Real(0.15));  // exactly
  CHECK_EQUAL(steps, s.accepted);
  CHECK_EQUAL(switchings, s.switchings);
  CHECK(s.switchings >= 12 && s.rejected > 0 && s.base_steps > s.accepted);
  CHECK(smallest == s.dt_smallest);
}

// In several calls or in one: the same motion within the tolerances. A saved state repeats it bit-identically.
void test_continues_and_repeats(void) {
  Toy model;
  moreau::Stepper toy{model, models::state_at<Toy>(model.start())};
  moreau::Adaptive run{toy, quick()};
  CHECK(run.advance_to(Real(0.05)).finished());
  const auto saved = toy.state;
  CHECK(run.advance_to(Real(0.06)).finished());
  CHECK(run.advance_to(Real(0.06)).accepted == 0);
  const auto pieces = run.advance_to(Real(0.1));
  CHECK(pieces.finished() && pieces.dt_smallest >= run.options.dt_min / 2);
  const auto there = toy.state;

  Real q[2];
  for (Real& end : q) {
    toy.state = saved;
    CHECK(run.advance_to(Real(0.1)).finished());
    end = toy.state.q(2);
  }
  CHECK(q[0] == q[1]);
  CHECK_WITHIN(is_double ? 1e-5 : 1e-2, there.q(2), q[0]);
}

void test_invalid_arguments_are_rejected(void) {
  Ball model;
  moreau::Stepper ball{model, models::state_at<Ball>(model.start())};
  const auto before = ball.state;
  const auto is_rejected = [&](moreau::AdaptiveOptions<Real> o, Real t_end) {
    moreau::Adaptive run{ball, o};
    const auto s = run.advance_to(t_end);
    return s.status == Status::invalid_argument && s.accepted == 0 && ball.state.time() == before.time();
  };
  auto o = quick();
  CHECK(is_rejected(o, Real(-1)));
  CHECK(is_rejected(o, Real(std::nan(""))));
  o.dt_min = 0;
  CHECK(is_rejected(o, Real(1)));
  o = quick();
  o.dt_max = o.dt_min / 2;
  CHECK(is_rejected(o, Real(1)));
  o = quick();
  o.order_max = 2 * moreau::detail::order_columns + 1;  // the ball has two orders per column
  CHECK(is_rejected(o, Real(1)));
  o = quick();
  o.atol = o.rtol = 0;
  CHECK(is_rejected(o, Real(1)));
  o = quick();
  o.dt_min = Real(1e-25);  // below the resolution of the time
  CHECK(is_rejected(o, Real(1)));
  ball.state.set_time(Real(1e12));  // here every step is below the resolution of the time
  CHECK(moreau::Adaptive(ball, quick()).advance_to(Real(2e12)).status == Status::invalid_argument);
}

// An interrupted run ends with the last recorded state and can be continued.
void test_progress_and_interruption(void) {
  Toy model;
  moreau::Stepper toy{model, models::state_at<Toy>(model.start())};
  moreau::Adaptive run{toy, quick()};
  Real recorded = 0, done = 0;
  const auto s = run.advance_to(
      Real(0.1), [&](const auto& state, const auto&) { recorded = state.time(); },
      [&](const auto& p) {
        CHECK(p.done > done && p.done <= 1 && p.t == recorded && p.base_steps > 0);
        done = p.done;
        return p.t < Real(0.03);
      });
  CHECK(s.status == Status::not_finished && !s.finished());
  CHECK(toy.state.time() == recorded && recorded >= Real(0.03) && recorded < Real(0.05));
  CHECK_WITHIN(1e-6, 2 * (1 / double(done) - 1), (decltype(s)::Progress{recorded, 0, done, 0}.remaining(2)));
  CHECK((decltype(s)::Progress{recorded, 0, 0, 0}.remaining(2)) == 0);  // no estimate before the first step
  // An interruption at the end has no effect.
  CHECK(run.advance_to(
               Real(0.1), [](const auto&...) {}, [](const auto& p) { return p.done < 1; })
            .finished());
}

// Options can be changed while a run is interrupted, also during the location of a switching point: no step is longer
// than the new limit.
void test_smaller_maximum_step_during_an_interruption(void) {
  for (int stop = 5; stop < 60; stop += 3) {
    Ball model;
    moreau::Stepper ball{model, models::state_at<Ball>(model.start())};
    auto o = quick();
    o.locate = moreau::Locate::secant;
    o.pace = moreau::Pace::predicted;
    moreau::Adaptive run{ball, o};
    int steps = 0;
    run.advance_to(
        Real(0.5), [](const auto&...) {}, [&](const auto&) { return ++steps < stop; });
    run.options.dt_max = 4 * o.dt_min;
    Real longest = 0;
    const Real t_end = ball.state.time() + 40 * o.dt_min;
    CHECK(run.advance_to(t_end, [&](const auto&, const auto& step) { longest = step.dt > longest ? step.dt : longest; })
              .finished());
    CHECK(longest > 0 && longest <= run.options.dt_max + o.dt_min / 2);
  }
}

// A changed state starts a new run, with the smallest step.
void test_changed_state_starts_a_new_run(void) {
  Toy model;
  moreau::Stepper toy{model, models::state_at<Toy>(model.start())};
  const auto o = quick();
  moreau::Adaptive run{toy, o};
  const auto first_step = [&](auto change) {
    toy.state = models::state_at<Toy>(model.start());
    CHECK(run.advance_to(Real(0.01)).finished());
    change(toy.state);
    Real first = 0;
    CHECK(run.advance_to(toy.state.time() + Real(0.01),
                         [&](const auto&, const auto& step) { first = first > 0 ? first : step.dt; })
              .finished());
    return first;
  };
  CHECK(first_step([](auto&) {}) > 2 * o.dt_min);
  CHECK(first_step([](auto& state) { state.q(0) += Real(1e-3); }) < 2 * o.dt_min);
  CHECK(first_step([](auto& state) { state.u(0) += Real(1e-3); }) < 2 * o.dt_min);
  CHECK(first_step([](auto& state) { state.set_time(Real(0.02)); }) < 2 * o.dt_min);
}

// Contact with the table between t_end and the two look-ahead steps: the last step is not accepted as it is, but
// resolved.
void test_switching_right_after_the_end(void) {
  Ball model;
  auto o = quick();
  o.dt_min = Real(is_double ? 1e-5 : 1e-4);
  const Real impact = Real(std::sqrt(2 * 0.07 / 9.81));
  std::int64_t rejected = 0;
  int finished = 0;
  for (std::int64_t budget = 100; budget < 500; budget += 2) {  // the run can end at any of these points
    moreau::Stepper ball{model, models::state_at<Ball>(model.start())};
    o.base_steps_max = budget;
    moreau::Adaptive run{ball, o};
    const auto s = run.advance_to(impact - o.dt_min / 2);
    CHECK(s.switchings == 0 && ball.state.q(0) > 0 && ball.state.u(0) < 0);
    CHECK(s.finished() || (s.status == Status::not_finished && s.base_steps >= budget));
    CHECK(s.finished() == (ball.state.time() == impact - o.dt_min / 2));
    rejected = s.rejected > rejected ? s.rejected : rejected;
    if (s.finished()) ++finished;
  }
  CHECK(rejected > 0 && finished > 0 && finished < 200);
}

// Contact with the table in a last, minimal step right after a longer one: the longer one is not accepted either. Steps
// are halved until a minimal one precedes the impact, and no step is lost.
void test_switching_right_after_a_longer_step(void) {
  Ball model;
  auto o = quick();
  o.dt_min = Real(is_double ? 1e-5 : 1e-4);
  const auto ends_of = [&](Real height, Real t_end, auto&& look) {
    auto start = models::state_at<Ball>(model.start());
    start.q(0) = height;
    moreau::Stepper ball{model, start};
    moreau::Adaptive run{ball, o};
    const auto s = run.advance_to(t_end, look);
    CHECK(s.finished() && ball.state.time() == t_end);
    return s;
  };
  Real end = 0;  // end of the fifth step, which is many dt_min long
  int steps = 0;
  ends_of(Real(1), Real(0.1), [&](const auto& state, const auto&) { end = ++steps == 5 ? state.time() : end; });
  const Real impact = end + o.dt_min / 2;
  Real t = 0, before = 0, least_before = 1;
  const auto s =
      ends_of(Real(9.81 / 2) * impact * impact, end + 2 * o.dt_min, [&](const auto& state, const auto& step) {
        CHECK(step.t_A == t);
        t = state.time();
        if (step.switchings.count > 0) least_before = before;
        before = step.dt;
      });
  CHECK(s.switchings > 0 && s.rejected >= 2);
  CHECK(least_before < Real(2.5) * o.dt_min);
}

// Inexact steps make the run inexact without ending it.
void test_inexact_solver(void) {
  using Crank = models::SliderCrank<Real>;
  Crank crank;
  moreau::Psor rough;
  rough.max_iterations = 30;
  moreau::Stepper stepper{crank, models::state_at<Crank>(crank.start()), rough};
  auto o = quick();
  o.base_steps_max = 4000;
  moreau::Adaptive run{stepper, o};
  int inexact = 0, ok = 0;
  const auto s = run.advance_to(
      Real(0.003), [&](const auto&, const auto& step) { ++(step.status == Status::inexact ? inexact : ok); });
  CHECK(inexact > 0 && ok > 0 && s.status == Status::inexact && s.finished());
  CHECK(stepper.state.time() == Real(0.003));
}

void test_budget(void) {
  Toy model;
  moreau::Stepper toy{model, models::state_at<Toy>(model.start())};
  auto o = quick();
  o.base_steps_max = 500;
  moreau::Adaptive run{toy, o};
  const auto s = run.advance_to(Real(1));
  CHECK(s.status == Status::not_finished);
  CHECK(s.base_steps >= 500 && s.base_steps <= 500 + 36);  // the attempt that reached the budget is completed
  CHECK(toy.state.time() > 0 && toy.state.time() < 1);
}

// Artificial model whose only contact opens and closes with the number of evaluations.
struct Chattering {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  using Vector = moreau::Vector<Real, 1>;
  mutable int evaluations = 0;
  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return Vector(Real(1)); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(Real(-1)); }
  Real gap(int, const Vector&, Real) const { return Real(++evaluations % 2 == 0 ? -1 : 1); }
  moreau::Directions<Real, 1, 0> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 1, 0> d;
    d.w_N(0) = 1;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
};

template <class Model>
void check_ends(const Model& model, const moreau::State<Model>& start, Real t_end, moreau::Locate locate,
                moreau::Closed closed) {
  moreau::Stepper stepper{model, start};
  auto o = quick();
  o.locate = locate;
  o.closed = closed;
  o.base_steps_max = often(200000);
  moreau::Adaptive run{stepper, o};
  const auto s = run.advance_to(t_end);
  CHECK(s.finished() || s.status == Status::not_finished);
  CHECK(s.base_steps <= o.base_steps_max + 36);
  CHECK(stepper.state.time() > 0);
}

// Accumulations of impacts, grazing, chattering: every run terminates, at its end time or at its limits.
void test_every_run_terminates(void) {
  for (const auto locate : {moreau::Locate::halving, moreau::Locate::secant})
    for (const auto closed : {moreau::Closed::by_gap, moreau::Closed::held}) {
      check_ends(Chattering{}, moreau::State<Chattering>{}, Real(1), locate, closed);

      Ball ball;
      ball.eps_N = Real(0.99);  // hundreds of impacts up to the accumulation
      check_ends(ball, models::state_at<Ball>(ball.start()), Real(60), locate, closed);

      models::ImpactOscillator<Real> grazing;  // swings from -0.3 about -0.15: touches the stop with zero velocity
      auto start = models::state_at<models::ImpactOscillator<Real>>(grazing.start());
      start.q(0) = Real(-0.3);
      start.u(0) = 0;
      check_ends(grazing, start, Real(20), locate, closed);

      models::SliderCrank<Real> crank;  // tilted: the corners rattle, with nested accumulations
      auto tilted = models::state_at<models::SliderCrank<Real>>(crank.start());
      tilted.q(2) = Real(0.01);
      check_ends(crank, tilted, Real(0.05), locate, closed);
    }
}

// wrap is applied after whole steps, never inside: the motion of the crank is the same without it.
void test_wrap(void) {
  using Crank = models::SliderCrank<Real>;
  using Endless = models::EndlessSliderCrank<Real>;
  Crank crank;
  Endless endless;
  crank.eps_N = endless.eps_N = 0;
  crank.play = endless.play = Real(0.5);  // no contact occurs
  moreau::Stepper one{crank, models::state_at<Crank>(crank.start())};
  moreau::Stepper other{endless, models::state_at<Endless>(endless.start())};
  auto o = quick();
  o.dt_max = Real(2e-4);
  moreau::Adaptive run_one{one, o};
  moreau::Adaptive run_other{other, o};
  CHECK(run_one.advance_to(Real(0.1)).finished());
  bool wrapped = false;
  CHECK(run_other
            .advance_to(Real(0.1),
                        [&](const auto& state, const auto&) {
                          CHECK(std::abs(double(state.q(0))) < 3.15);
                          wrapped = wrapped || state.q(0) < 0;
                        })
            .finished());
  CHECK(wrapped);
  const double turns = double(one.state.q(0) - other.state.q(0)) / 6.283185307179586;
  CHECK(turns > 0.5);
  CHECK_WITHIN(is_double ? 1e-5 : 1e-2, std::round(turns), turns);
}

// The woodpecker declares symmetric_steps: bit-identical to the option set by hand, and different from a run without
// it.
void test_symmetric_steps_are_used_where_declared(void) {
  static_assert(moreau::Traits<Toy>::symmetric_steps && !moreau::Traits<models::SliderCrank<Real>>::symmetric_steps);
  using moreau::Powers;
  Toy model;
  Real angle[3];
  std::int64_t base_steps[3];
  int n = 0;
  for (const auto powers : {Powers::declared, Powers::even, Powers::every}) {
    moreau::Stepper toy{model, models::state_at<Toy>(model.start())};
    auto o = quick();
    o.order_max = 8;
    o.powers = powers;
    moreau::Adaptive run{toy, o};
    const auto s = run.advance_to(Real(0.13));
    CHECK(s.finished());
    angle[n] = toy.state.q(2);
    base_steps[n++] = s.base_steps;
  }
  CHECK(angle[0] == angle[1] && base_steps[0] == base_steps[1]);
  CHECK(angle[0] != angle[2] && base_steps[0] < base_steps[2]);
  moreau::port::print("woodpecker: ", base_steps[0], " base steps in powers of dt^2, ", base_steps[2],
                      " in powers of dt\n");

  using Crank = models::SliderCrank<Real>;  // no declaration: every power of dt
  const auto crank_steps = [&](Powers powers) {
    Crank crank;
    moreau::Stepper stepper{crank, models::state_at<Crank>(crank.start())};
    auto o = quick();
    o.powers = powers;
    moreau::Adaptive run{stepper, o};
    return run.advance_to(Real(0.002)).base_steps;
  };
  CHECK_EQUAL(crank_steps(Powers::every), crank_steps(Powers::declared));
}

// Two columns for two orders, or one: the option set by hand reaches the same order as the declaration.
void test_every_number_of_substeps(void) {
  Toy model;
  Real angle[2];
  int n = 0;
  for (const auto substeps : {moreau::Substeps::odd, moreau::Substeps::every}) {
    moreau::Stepper toy{model, models::state_at<Toy>(model.start())};
    auto o = quick();
    o.substeps = substeps;
    moreau::Adaptive run{toy, o};
    CHECK(run.advance_to(Real(0.02)).finished());  // before the first contact: both converge
    angle[n++] = toy.state.q(2);
  }
  CHECK(angle[0] != angle[1]);
  CHECK_WITHIN(is_double ? 1e-7 : 1e-4, double(angle[0]), double(angle[1]));
}

// Equal options give bit-identical results, independent of earlier runs.
void test_runs_are_bit_identical(void) {
  Toy model;
  moreau::Stepper first{model, models::state_at<Toy>(model.start())};
  moreau::Stepper second{model, models::state_at<Toy>(model.start())};
  auto o = quick();
  o.locate = moreau::Locate::secant;
  o.pace = moreau::Pace::predicted;
  moreau::Adaptive one{first, o};
  moreau::Adaptive other{second, o};
  CHECK(other.advance_to(Real(0.02)).finished());
  second.state = models::state_at<Toy>(model.start());
  const auto a = one.advance_to(Real(0.13)), b = other.advance_to(Real(0.13));
  CHECK(a.base_steps == b.base_steps && a.accepted == b.accepted && a.rejected == b.rejected);
  CHECK(first.state.q == second.state.q && first.state.u == second.state.u);
}

}  // namespace

TEST_MAIN({
  TEST(test_records_every_step);
  TEST(test_continues_and_repeats);
  TEST(test_invalid_arguments_are_rejected);
  TEST(test_progress_and_interruption);
  TEST(test_smaller_maximum_step_during_an_interruption);
  TEST(test_changed_state_starts_a_new_run);
  TEST(test_switching_right_after_the_end);
  TEST(test_switching_right_after_a_longer_step);
  TEST(test_inexact_solver);
  TEST(test_budget);
  TEST(test_every_run_terminates);
  TEST(test_wrap);
  TEST(test_every_number_of_substeps);
  TEST(test_runs_are_bit_identical);
  TEST(test_symmetric_steps_are_used_where_declared);
})
