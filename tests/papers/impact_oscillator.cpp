// The impact oscillator against its closed-form solution: impact times, velocities, percussions, end point.
#include "models/impact_oscillator.hpp"

#include <cmath>

#include "along.hpp"
#include "data/impact_oscillator.hpp"
#include "support/test.hpp"

namespace {

using Toy = models::ImpactOscillator<Real>;
constexpr bool is_double = sizeof(Real) == 8;

template <class Solver>
void check_impacts(Solver solver) {
  const double h = is_double ? 1e-6 : 1e-5;
  Toy model;
  moreau::Stepper toy{model, models::state_at<Toy>(model.start()), solver};
  int impacts = 0;
  double speed_before = double(toy.state.u(0));
  for (long n = 0; n < std::lround(3.0 / h) && impacts < 8; ++n) {
    CHECK(toy.step(Real(h)).status == moreau::Status::ok);
    if (toy.state.sigma_N[0] == 0) {
      const double* row = data::impact_oscillator_impacts[impacts++];
      // The step that contains the impact, plus the shift by earlier impacts; the force changes the velocity by 70
      // m/s^2 h.
      CHECK_WITHIN(4 * h, row[0], double(n + 1) * h);
      CHECK_WITHIN(300 * h, row[1], speed_before);
      CHECK_WITHIN(4.4766058571 * std::pow(0.6, impacts - 1) * 1e-4 + 300 * h, row[1], speed_before);
      CHECK_WITHIN(60 * h, row[2], double(toy.state.P_N(0)));
    }
    speed_before = double(toy.state.u(0));
  }
  CHECK_EQUAL(8, impacts);
}

void test_impacts_exact(void) { check_impacts(moreau::default_solver<Toy>{}); }
void test_impacts_lemke(void) { check_impacts(moreau::Lemke{}); }
void test_impacts_psor(void) { check_impacts(moreau::Psor{}); }

void test_converges_with_first_order(void) {
  const double h[] = {1e-4, 1e-5, 1e-6};
  double q_error[3], u_error[3];
  for (int i = 0; i < 3; ++i) {
    Toy model;
    moreau::Stepper toy{model, models::state_at<Toy>(model.start())};
    const papers::Errors e = papers::along(data::impact_oscillator, toy, h[i]);
    CHECK(e.advanced);
    q_error[i] = e.q_max, u_error[i] = e.u_mean;
    if (i == 2) {
      CHECK_WITHIN(1e-4, -0.119902271892737, toy.state.q(0));  // x(5), after 13 impacts
      CHECK_WITHIN(1e-3, 2.078201219737461, toy.state.u(0));
    }
  }
  const double p_q = papers::order(h, q_error), p_u = papers::order(h, u_error);
  moreau::port::print("impact oscillator: x ", q_error[0], " ", q_error[1], " ", q_error[2], " order ", p_q, ", v ",
                      u_error[0], " ", u_error[1], " ", u_error[2], " order ", p_u, "\n");
  CHECK_WITHIN(0.3, 1.0, p_q);
  CHECK_WITHIN(0.3, 1.0, p_u);
}

// Before the first impact the force depends on the position only: the step is the symmetric Verlet step of second
// order.
void test_smooth_phase_has_second_order(void) {
  const double h[] = {1e-3, 5e-4, 2.5e-4}, omega = std::sqrt(200.0), until = 0.125;
  double error[3];
  for (int i = 0; i < 3; ++i) {
    Toy model;
    moreau::Stepper toy{model, models::state_at<Toy>(model.start())};
    for (long n = 0; n < std::lround(until / h[i]); ++n) CHECK(toy.step(Real(h[i])).advanced());
    const double x = -0.15 - 0.35 * std::cos(omega * until) + 0.2 / omega * std::sin(omega * until);
    error[i] = std::abs(double(toy.state.q(0)) - x);
  }
  CHECK_WITHIN(0.05, 2.0, papers::order(h, error));
}

}  // namespace

TEST_MAIN({
  TEST(test_impacts_exact);
  TEST(test_impacts_lemke);
  TEST(test_impacts_psor);
  TEST(test_converges_with_first_order);
  TEST(test_smooth_phase_has_second_order);
})
