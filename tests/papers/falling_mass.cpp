// The falling mass against its closed-form solution: impacts, accumulation, rest.
#include "models/falling_mass.hpp"

#include <cmath>

#include "along.hpp"
#include "support/test.hpp"

namespace {

using Ball = models::FallingMass<Real>;

// An impact is resolved in the step that contains it. An error d of its time shifts the next impact by d (1 + eps),
// and each later shift is eps times the one before: at most 1 + (1 + eps) / (1 - eps) steps, for any number of
// impacts.
constexpr double impact_time_in_steps = 1 + 1.7 / 0.3;
// After the accumulation the ball may keep the velocity change of one step of free fall.
constexpr double rest_speed_in_g_h = 1;

double impact_time(int n) {
  const Ball ball;
  const double eps = double(ball.eps_N), t_1 = std::sqrt(2 * double(ball.z_0) / double(ball.gravity));
  return t_1 + 2 * t_1 * (eps - std::pow(eps, n)) / (1 - eps);
}

struct Bounces {
  double time[10] = {}, apex[10] = {};
  int impacts = 0;
  double rest_speed = 0, deepest = 0;
};

// Impacts (steps whose percussion exceeds that of the resting weight), the apex after each, and the motion after the
// accumulation.
template <class Solver>
Bounces bounce(double h, double until, Solver solver) {
  Ball ball;
  moreau::Stepper toy{ball, models::state_at<Ball>(ball.start()), solver};
  Bounces seen;
  for (long n = 0; n < std::lround(until / h); ++n) {
    const double v_before = double(toy.state.u(0));
    CHECK(toy.step(Real(h)).status == moreau::Status::ok);
    const double t = double(n + 1) * h, z = double(toy.state.q(0)), v = double(toy.state.u(0));
    if (v_before < 0 && v > 0 && seen.impacts < 10) seen.time[seen.impacts++] = t;
    if (seen.impacts > 0 && seen.impacts < 10) seen.apex[seen.impacts] = papers::larger(seen.apex[seen.impacts], z);
    if (t > 0.70) seen.rest_speed = papers::larger(seen.rest_speed, std::abs(v));
    seen.deepest = papers::larger(seen.deepest, -z);
  }
  return seen;
}

constexpr double fine_step = sizeof(Real) == 8 ? 1e-6 : 1e-5;

template <class Solver>
void check_bounces(Solver solver) {
  const Bounces seen = bounce(fine_step, 1.0, solver);
  CHECK_EQUAL(10, seen.impacts);
  for (int n = 0; n < 10; ++n) CHECK_WITHIN(impact_time_in_steps * fine_step, impact_time(n + 1), seen.time[n]);
  for (int n = 1; n < 10; ++n) {
    const double apex = 0.07 * std::pow(0.7, 2 * n);
    CHECK_WITHIN(2.0 * fine_step, apex, seen.apex[n]);  // speeds are exact to g h, heights to v g h / g
  }
  CHECK(seen.rest_speed <= rest_speed_in_g_h * 9.81 * fine_step);
  CHECK(seen.deepest <= 1.2 * fine_step);  // one step at the first impact's speed of 1.17 m/s
}

void test_bounces_with_the_default_solver(void) { check_bounces(moreau::default_solver<Ball>{}); }
void test_bounces_with_psor(void) { check_bounces(moreau::Psor{}); }
void test_bounces_with_lemke(void) { check_bounces(moreau::Lemke{}); }

// t_1 (1 + eps) / (1 - eps): later impacts lift the ball by less than the resolution of the step.
void test_accumulation_time_of_the_paper(void) {
  const double h = fine_step, accumulation = impact_time(1) * 1.7 / 0.3;
  CHECK_WITHIN(1e-6, 0.676950916898, accumulation);
  const Ball ball;
  moreau::Stepper toy{ball, models::state_at<Ball>(ball.start())};
  double last_lift = 0;
  for (long n = 0; n < std::lround(1.0 / h); ++n) {
    CHECK(toy.step(Real(h)).advanced());
    if (double(toy.state.u(0)) > 20 * 9.81 * h) last_lift = double(n + 1) * h;  // 20: a flight of 40 steps
  }
  CHECK_WITHIN(200 * h, accumulation, last_lift);
}

void test_stays_at_rest(void) {
  const Ball ball;
  moreau::Stepper toy{ball, models::state_at<Ball>(ball.start())};
  const Real h = Real(1e-4);
  for (int n = 0; n < 8000; ++n) CHECK(toy.step(h).advanced());
  const Real z = toy.state.q(0);
  for (int n = 0; n < 100000; ++n) CHECK(toy.step(h).advanced());
  CHECK_WITHIN(1e-6, z, toy.state.q(0));
  CHECK(std::abs(double(toy.state.u(0))) <= 9.81 * double(h));
}

// Between impacts z has an error of order h^2; the time of an impact has an error of up to one step: first order in
// z.
void test_converges_with_first_order(void) {
  const double h[] = {1e-4, 1e-5, 1e-6};
  double error[3];
  for (int i = 0; i < 3; ++i) {
    const Ball ball;
    moreau::Stepper toy{ball, models::state_at<Ball>(ball.start())};
    error[i] = 0;
    const long block = std::lround(0.02 / h[i]);
    for (int point = 1; point <= 30; ++point) {
      for (long n = 0; n < block; ++n) CHECK(toy.step(Real(h[i])).advanced());
      const double t = 0.02 * point;
      int flight = 0;
      while (flight < 60 && impact_time(flight + 1) < t) ++flight;
      const double v_0 = flight == 0 ? 0 : 9.81 * impact_time(1) * std::pow(0.7, flight);
      const double s = flight == 0 ? t : t - impact_time(flight);
      const double z = (flight == 0 ? 0.07 : 0) + v_0 * s - 9.81 * s * s / 2;
      error[i] = papers::larger(error[i], std::abs(z - double(toy.state.q(0))));
    }
  }
  const double p = papers::order(h, error);
  moreau::port::print("falling mass: z errors ", error[0], " ", error[1], " ", error[2], ", order ", p, "\n");
  CHECK_WITHIN(0.25, 1.0, p);
}

// One extrapolated step of second order across a closed contact that still moves: with the substeps 1 and 2 the
// kinetic energy grows, with 1 and 3 it falls.
double velocity_after_one_step(const int (&substeps)[2]) {
  Real T[2];
  for (int i = 0; i < 2; ++i) {
    const Ball ball;
    auto start = ball.start();
    start.q(0) = Real(-1e-3), start.u(0) = Real(-1e-6);  // stays closed; its weight holds it in the constraint mode
    moreau::Stepper toy{ball, models::state_at<Ball>(start)};
    for (int n = 0; n < substeps[i]; ++n) CHECK(toy.step(Real(1e-3) / Real(substeps[i])).advanced());
    T[i] = toy.state.u(0);
  }
  const Real ratio = Real(substeps[1]) / Real(substeps[0]);
  return double((T[1] + (T[1] - T[0]) / (ratio - 1)) / Real(-1e-6));  // T_22 of (42), over gamma_B
}
void test_even_substeps_create_energy(void) {
  CHECK_WITHIN(1e-6, 1.68, velocity_after_one_step({1, 2}));  // (47)
  CHECK(std::abs(velocity_after_one_step({1, 3})) < 1);
}

}  // namespace

TEST_MAIN({
  TEST(test_bounces_with_the_default_solver);
  TEST(test_bounces_with_psor);
  TEST(test_bounces_with_lemke);
  TEST(test_accumulation_time_of_the_paper);
  TEST(test_stays_at_rest);
  TEST(test_converges_with_first_order);
  TEST(test_even_substeps_create_energy);
})
