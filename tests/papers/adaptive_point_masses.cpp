// Adaptive simulation of the falling mass and the sliding mass (SLG08 sections 10.1, 10.2; Figures 9 to 11).
#include <cmath>

#include "models/falling_mass.hpp"
#include "models/sliding_mass.hpp"
#include "support/test.hpp"

namespace {

using Ball = models::FallingMass<Real>;
constexpr double accumulation = 0.676950916898304529;

struct Fall {
  double largest_dt = 0, largest_u = 0, last_switching = 0;  // the first two from 0.7 s on
  int largest_order = 0;
  std::int64_t base_steps = 0;
};

Fall fall(moreau::Substeps substeps, moreau::Locate locate, double dt_max) {
  Ball model;
  moreau::Stepper ball{model, models::state_at<Ball>(model.start())};
  auto o = moreau::AdaptiveOptions<Real>::paper();
  o.dt_min = 1e-5;  // step sizes of the paper
  o.dt_max = dt_max;
  o.atol = o.rtol = 1e-8;
  o.substeps = substeps;
  o.locate = locate;
  moreau::Adaptive run{ball, o};
  Fall seen;
  const auto s = run.advance_to(1.2, [&](const auto& state, const auto& step) {
    if (step.switchings.count > 0) seen.last_switching = state.time();
    seen.largest_order = step.order > seen.largest_order ? step.order : seen.largest_order;
    if (state.time() < 0.7) return;
    seen.largest_dt = std::fmax(seen.largest_dt, step.dt);
    seen.largest_u = std::fmax(seen.largest_u, std::abs(state.u(0)));
  });
  CHECK(s.finished());
  seen.base_steps = s.base_steps;
  return seen;
}

// Figure 10: the step size recovers after the accumulation, the ball rests, and order 2 is exact for a parabola.
void test_step_size_recovers_with_odd_substeps(void) {
  for (const auto locate : {moreau::Locate::halving, moreau::Locate::secant}) {
    const Fall seen = fall(moreau::Substeps::odd, locate, 0.05);
    CHECK_WITHIN(1e-12, 0.05, seen.largest_dt);
    CHECK(seen.largest_u < 1e-10);
    CHECK_EQUAL(2, seen.largest_order);
    CHECK_WITHIN(1e-4, accumulation, seen.last_switching);  // flights shorter than a few steps are not resolved
    moreau::port::print("falling mass: ", seen.base_steps, " base steps, last switching ", seen.last_switching, " s\n");
  }
}

// Figure 9: with 1, 2, 3, ... substeps the resting contact oscillates and the step size stays small.
void test_step_size_stays_small_with_all_substep_numbers(void) {
  const Fall seen = fall(moreau::Substeps::every, moreau::Locate::halving, 0.05);
  CHECK(seen.largest_dt <= 1e-4);
  moreau::port::print("falling mass, 1 2 3 4 substeps: dt stays at ", seen.largest_dt, " s, ", seen.base_steps,
                      " base steps\n");
}

// Position and velocity after four impacts. The error falls with dt_min.
void test_first_order_in_dt_min(void) {
  const double t = 0.52, t_4 = 0.48573219319561874388, v_4 = 0.28137835192850213295;
  const double z = v_4 * (t - t_4) - 9.81 * (t - t_4) * (t - t_4) / 2;
  double error[3];
  const double dt_min[] = {1e-5, 1e-7, 1e-9};
  for (int i = 0; i < 3; ++i) {
    Ball model;
    moreau::Stepper ball{model, models::state_at<Ball>(model.start())};
    auto o = moreau::AdaptiveOptions<Real>::paper();
    o.dt_min = dt_min[i];
    o.dt_max = 0.05;
    moreau::Adaptive run{ball, o};
    CHECK(run.advance_to(t).finished());
    error[i] = std::abs(ball.state.q(0) - z);
    CHECK(error[i] <= 20 * dt_min[i]);  // 4 impacts at 1 m/s and less
  }
  moreau::port::print("falling mass: z errors ", error[0], " ", error[1], " ", error[2],
                      " m for dt_min 1e-5 1e-7 1e-9\n");
}

// Reversal and stop of the sliding mass. The caller switches the force off at 3 s.
void check_slide(moreau::Locate locate, moreau::Pace pace) {
  using Mass = models::SlidingMass<Real>;
  using Laws = moreau::DiscreteState<Mass>;
  constexpr double t_A = 0.459676977245798, t_C = 3.665650043750861, goal = 1e-8;
  Mass model;
  moreau::Stepper mass{model, models::state_at<Mass>(model.start())};
  auto o = moreau::AdaptiveOptions<Real>::paper();
  o.dt_min = 1e-9;
  o.dt_max = 0.05;
  o.atol = o.rtol = 1e-11;
  o.order_max = 8;
  o.locate = locate;
  o.pace = pace;
  moreau::Adaptive run{mass, o};
  auto s = run.advance_to(0.45);
  std::int64_t base_steps = s.base_steps;
  const auto before = mass.state;
  double t_0 = 0.455, t_1 = 0.465;
  const auto u_x = [&](double t) {
    mass.state = before;
    CHECK(run.advance_to(t).finished());
    return double(mass.state.u(0));
  };
  double f_0 = u_x(t_0), f_1 = u_x(t_1);
  for (int i = 0; i < 8 && f_1 != f_0; ++i) {
    const double t = t_1 - f_1 * (t_1 - t_0) / (f_1 - f_0);
    t_0 = t_1;
    f_0 = f_1;
    t_1 = t;
    f_1 = u_x(t);
  }
  CHECK_WITHIN(goal, t_A, t_1);

  int sticks = 0;
  double at = 0;
  mass.state = before;
  s = run.advance_to(3.0);
  CHECK(s.finished() && s.switchings == 0);
  base_steps += s.base_steps;
  CHECK_WITHIN(1e-9, -1.270987965576474, mass.state.q(0));
  s = run.advance_to(4.0, [&](const auto&, const auto& step) {
    for (const auto& w : step.switchings) {
      CHECK(w.law == Laws::LawKind::element && w.to == Laws::LawMode::stick);
      at = w.t;
      ++sticks;
    }
  });
  base_steps += s.base_steps;
  CHECK(s.finished());
  CHECK_EQUAL(1, sticks);
  CHECK_WITHIN(goal, t_C, at);
  CHECK_WITHIN(1e-9, -1.711878974036901, mass.state.q(0));
  CHECK_WITHIN(1e-9, -0.298770868760569, mass.state.q(1));
  moreau::port::print("sliding mass: t_A error ", t_1 - t_A, " s, t_C error ", at - t_C, " s, ", base_steps,
                      " base steps\n");
}
void test_sliding_mass(void) {
  check_slide(moreau::Locate::halving, moreau::Pace::doubling);
  check_slide(moreau::Locate::secant, moreau::Pace::predicted);
}

}  // namespace

TEST_MAIN({
  TEST(test_step_size_recovers_with_odd_substeps);
  TEST(test_step_size_stays_small_with_all_substep_numbers);
  TEST(test_first_order_in_dt_min);
  TEST(test_sliding_mass);
})
