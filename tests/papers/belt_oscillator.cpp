// Stick-slip vibration of a block on a belt: limit cycle with a falling friction characteristic, none with a constant
// one.
#include "models/belt_oscillator.hpp"

#include <cmath>

#include "along.hpp"
#include "support/test.hpp"

namespace {

using Belt = models::BeltOscillator<Real>;

// Reference cycle, by the classical Runge-Kutta method of fourth order: slip from the pull-off (c x = mu_0 m g, x' =
// v_belt) until the block reaches the belt speed, then stick until the next pull-off.
struct Cycle {
  double slip = 0, stick = 0, x_caught = 0, x_pulled_off = 0;
  double period() const { return slip + stick; }
};

Cycle reference() {
  const Belt b;
  const double m = double(b.m), c = double(b.c), v_belt = double(b.v_belt), weight = m * double(b.gravity);
  const auto acceleration = [&](double x, double v) {
    return (double(b.mu(0, Real(std::abs(v_belt - v)))) * weight - c * x) / m;
  };
  Cycle cycle;
  cycle.x_pulled_off = double(b.mu_0) * weight / c;
  double x = cycle.x_pulled_off, v = v_belt, v_before = v, t_before = 0, x_before = x;
  const double h = 1e-6;
  long n = 0;
  // First steps: the acceleration at the pull-off is 0, and slip starts because the friction falls.
  v -= 1e-12;
  do {
    v_before = v, x_before = x, t_before = double(n) * h;
    const double k1 = acceleration(x, v), k2 = acceleration(x + h / 2 * v, v + h / 2 * k1),
                 k3 = acceleration(x + h / 2 * v + h * h / 4 * k1, v + h / 2 * k2),
                 k4 = acceleration(x + h * v + h * h / 2 * k2, v + h * k3);
    x += h * v + h * h / 6 * (k1 + k2 + k3);
    v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    ++n;
  } while (!(v >= v_belt && x < 0.9 * cycle.x_pulled_off));
  const double part = (v_belt - v_before) / (v - v_before);
  cycle.slip = t_before + part * h;
  cycle.x_caught = x_before + part * (x - x_before);
  cycle.stick = (cycle.x_pulled_off - cycle.x_caught) / v_belt;
  return cycle;
}

struct Seen {
  double period = 0, stick = 0, x_caught = 0, x_pulled_off = 0, stick_speed_error = 0;
  int cycles = 0;
};

Seen run(const Belt& belt, const models::Start<Real, 2>& start, double h, double until) {
  moreau::Stepper toy{belt, models::state_at<Belt>(start)};
  Seen seen;
  double caught_at = 0, pulled_at = 0;
  bool sticking = false;
  for (long n = 0; n < std::lround(until / h); ++n) {
    CHECK(toy.step(Real(h)).status == moreau::Status::ok);
    const bool now = toy.state.sigma_T[0] == 0;
    const double t = double(n + 1) * h, x = double(toy.state.q(0));
    if (now && sticking) {
      seen.stick_speed_error = papers::larger(seen.stick_speed_error, std::abs(double(toy.state.u(0) - belt.v_belt)));
    }
    if (now && !sticking) {
      seen.period = t - caught_at, caught_at = t, seen.x_caught = x;
      ++seen.cycles;
    }
    if (!now && sticking) pulled_at = t, seen.stick = pulled_at - caught_at, seen.x_pulled_off = x;
    sticking = now;
  }
  return seen;
}

void test_stick_slip_cycle_converges(void) {
  const Cycle cycle = reference();
  const double h[] = {4e-4, 1e-4, 2.5e-5};
  double period_error[3], caught_error[3];
  for (int i = 0; i < 3; ++i) {
    const Seen seen = run({}, Belt{}.start(), h[i], 12);
    CHECK(seen.cycles >= 5);
    CHECK_WITHIN(1e-12, 0.0, seen.stick_speed_error);
    CHECK_WITHIN(3 * double(Belt{}.v_belt) * h[i], cycle.x_pulled_off, seen.x_pulled_off);
    period_error[i] = std::abs(seen.period - cycle.period());
    caught_error[i] = std::abs(seen.x_caught - cycle.x_caught);
  }
  moreau::port::print("belt: period ", cycle.period(), " s, stick ", cycle.stick, " s, from ", cycle.x_caught, " to ",
                      cycle.x_pulled_off, " m; period errors ", period_error[0], " ", period_error[1], " ",
                      period_error[2], ", errors of the stick position ", caught_error[0], " ", caught_error[1], " ",
                      caught_error[2], "\n");
  CHECK(period_error[2] < 2e-3 * cycle.period());
  CHECK(papers::order(h, period_error) > 0.7);
  CHECK(papers::order(h, caught_error) > 0.7);
}

// Start 1 mm from the balance of spring and friction. With the falling characteristic the block leaves the balance
// and reaches the same limit cycle. With a constant one it oscillates about the balance without sticking.
void test_only_a_falling_characteristic_is_unstable(void) {
  Belt belt;
  auto start = belt.start();
  start.q(0) = belt.mu(0, belt.v_belt) * belt.m * belt.gravity / belt.c + Real(1e-3);
  const Seen falling = run(belt, start, 1e-4, 40);
  CHECK(falling.cycles >= 5);
  CHECK_WITHIN(3e-3 * reference().period(), reference().period(), falling.period);

  belt.mu_0 = belt.mu_inf = belt.mu(0, belt.v_belt);
  CHECK_EQUAL(0, run(belt, start, 1e-4, 40).cycles);
}

}  // namespace

TEST_MAIN({
  TEST(test_stick_slip_cycle_converges);
  TEST(test_only_a_falling_characteristic_is_unstable);
})
