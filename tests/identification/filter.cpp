// The filter core: comparison with the Kalman filter, bits on host and board, functions without libm.
#include <moreau/identify/filter.hpp>

#include <algorithm>
#include <cmath>

#include "identification/loose_pin.hpp"
#include "identification/woodpecker.hpp"
#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau::identify;

// Mass under a constant force: a linear model, exact in every step.
struct Mass {
  using Real = double;
  static constexpr int dof = 1, contacts = 0, tangents = 0;
  using Vector = moreau::Vector<double, 1>;
  double f = 0, unused = 1;
  moreau::Matrix<double, 1, 1> mass(const Vector&, double) const { return moreau::Matrix<double, 1, 1>(2.0); }
  Vector force(const Vector&, const Vector&, double) const { return Vector(f); }
};

auto falling() {
  Description<Mass, 1, 1, 1> d{"mass"};
  d.dt = 1e-2, d.window = 1e-2;
  d.parameter("unused", "1", range(0, 2), &Mass::unused);
  d.input("f", "N", &Mass::f);
  d.measured(
      "x", "m", [](const Mass&, const moreau::State<Mass>& s) { return s.q(0); }, noise(0.1));
  d.start = [](const Mass&, const Reading&, Draw& draw) {
    moreau::State<Mass> s;
    s.q(0) = draw.normal(0.5), s.u(0) = draw.normal(1);
    return s;
  };
  return d;
}

// Mean and covariance of the Kalman filter, started from those of the members.
struct Kalman {
  double x = 0, v = 0, xx = 0, xv = 0, vv = 0;

  template <class Filter>
  explicit Kalman(const Filter& filter) {
    constexpr int n = Filter::members;
    for (int i = 0; i < n; ++i) x += filter.state(i).q(0) / n, v += filter.state(i).u(0) / n;
    for (int i = 0; i < n; ++i) {
      const double a = filter.state(i).q(0) - x, b = filter.state(i).u(0) - v;
      xx += a * a / (n - 1), xv += a * b / (n - 1), vv += b * b / (n - 1);
    }
  }
  void predict(double dt, double acceleration) {
    x += dt * v + dt * dt / 2 * acceleration, v += dt * acceleration;
    xx += 2 * dt * xv + dt * dt * vv, xv += dt * vv;
  }
  void update(double y, double R) {
    const double k = xx / (xx + R), l = xv / (xx + R), e = y - x;
    x += k * e, v += l * e;
    vv -= l * xv, xv -= k * xv, xx -= k * xx;
  }
};

void test_the_filter_of_a_linear_model_is_the_kalman_filter(void) {
  const auto d = falling();
  using Filter = Filter<decltype(falling()), 24>;
  static Filter filter(d);
  filter.inflation = filter.state_inflation = 1;
  Filter::Sample row;
  row.measured = {0.2}, row.input = {3};
  Belief<1> fixed;  // without deviation, the parameter is constant
  filter.begin(fixed, &row, 1, 5);
  Kalman kalman(filter);
  Draw draw(7, 0);
  for (int n = 1; n <= 60; ++n) {
    kalman.predict(d.dt, row.input[0] / 2);
    row.t = n * d.dt, row.input = {n % 20 < 10 ? 3.0 : -3.0};
    row.measured = {kalman.x + draw.normal(0.12)};
    if (n % 7 != 0) kalman.update(row.measured[0], 0.01);
    if (n % 7 == 0) row.measured = {std::numeric_limits<double>::quiet_NaN()};
    filter.assimilate(&row, 1);
  }
  const Kalman ensemble(filter);
  constexpr double rounding = 1e-12;  // of sums over 24 members, 60 updates
  CHECK_WITHIN(rounding, kalman.x, ensemble.x);
  CHECK_WITHIN(rounding, kalman.v, ensemble.v);
  CHECK_WITHIN(rounding, kalman.xx, ensemble.xx);
  CHECK_WITHIN(rounding, kalman.xv, ensemble.xv);
  CHECK_WITHIN(rounding, kalman.vv, ensemble.vv);
}

// Two windows of the woodpecker with ten rows each, with few members.
std::uint64_t hash_of_a_run() {
  const auto d = identification::Woodpecker::description();
  using Filter = Filter<identification::Woodpecker::Description, 12>;
  static Filter filter(d);
  Filter::Sample rows[21];
  for (int n = 0; n < 21; ++n) rows[n].t = n * 2e-4, rows[n].measured = {-0.3 * rows[n].t, -0.28 - 7.0 * rows[n].t};
  Filter::Belief prior;
  prior.deviation.fill(1);
  filter.begin(prior, rows, 10, 3);
  filter.assimilate(rows + 1, 10);
  filter.assimilate(rows + 11, 10);
  test::BitsHash all;
  for (const double x : filter.belief().mean) all.add(x);
  for (const double x : filter.belief().deviation) all.add(x);
  for (int i = 0; i < Filter::members; ++i)
    for (int j = 0; j < 3; ++j) all.add(filter.state(i).q(j)), all.add(filter.state(i).u(j));
  return all.value();
}

void test_the_filter_has_the_same_bits_on_host_and_board(void) {
  const std::uint64_t hash = hash_of_a_run();
  moreau::port::print("hash ", long(hash >> 32), " ", long(hash & 0xffffffffu));
  CHECK_EQUAL(0x73ba67b7316bbc3au, hash);  // of the host
}

void test_exponential_and_logit(void) {
  constexpr double rounding = 1e-15;  // relative: a few units of the last place
  const double values[] = {-30, -2.5, -0.1, 0, 1e-09, 0.3466, 1, 7, 40};
  const double expected[] = {9.357622968840175e-14, 0.0820849986238988, 0.9048374180359595, 1.0,
                             1.000000001,           1.4142509118505286, 2.718281828459045,  1096.6331584284585,
                             2.3538526683702e+17};
  for (int i = 0; i < 9; ++i) CHECK_WITHIN(rounding * expected[i], expected[i], exponential(values[i]));
  const Range r = range(2e-4, 2e-3);
  for (const double x : {2.1e-4, 1e-3, 1.9e-3}) CHECK_WITHIN(rounding, x, r.at(r.logit(x)));
  CHECK_EQUAL(-most_logit, r.logit(1e-4));
  CHECK_EQUAL(most_logit, r.logit(3e-3));
  constexpr double h = 1e-5, of_difference = 1e-12;
  CHECK_WITHIN(of_difference, (r.at(0.5 + h) - r.at(0.5 - h)) / (2 * h), r.slope(0.5));
}

// Response of the accelerometer to a jump of the velocity: an impulse behind two poles; its area is the jump.
void test_accelerometer_and_force_cell(void) {
  const Sensor sensor = accelerometer(500, 1);
  SensorMemory memory, cell;
  memory.begin(sensor, 0), cell.begin(force_cell(500, 1), 0);
  constexpr double dt = 1e-5;
  double area = 0, force_area = 0, peak = 0;
  for (int n = 0; n < 1000; ++n) {
    memory.step(sensor, n < 10 ? 0 : 2, dt);
    cell.step(force_cell(500, 1), n == 10 ? 2 : 0, dt);
    const double a = memory.read(sensor, dt);
    area += a * dt, force_area += cell.read(force_cell(500, 1), dt) * dt;
    peak = a > peak ? a : peak;
  }
  constexpr double discretisation = 2e-3;  // of the area after 10 ms and (dt / tau)^2
  CHECK_WITHIN(discretisation, 2, area);
  CHECK_WITHIN(discretisation, 2, force_area);
  const double per_tau = 2 * moreau::pi<double> * 500, highest = 2 * per_tau / 2.718281828459045;
  CHECK_WITHIN(5e-3 * highest, highest, peak);
  // Constant acceleration in long steps.
  memory.begin(sensor, 0);
  constexpr double long_step = 6e-4, rounding = 1e-12;
  for (int n = 1; n <= 2; ++n) memory.step(sensor, 3 * n * long_step, long_step);
  const double x = per_tau * 2 * long_step;
  CHECK_WITHIN(rounding, 3 * (1 - (1 + x) * exponential(-x)), memory.read(sensor, long_step));
}

// A step locates its impact, so the readings of an accelerometer are those of steps ten times shorter.
void test_an_accelerometer_resolves_the_instant_of_an_impact(void) {
  using Machine = identification::LoosePin;
  const auto d = Machine::description();
  const Sensor sensor = d.channel_of[0].sensor;
  moreau::State<identification::Pin> start;
  start.u(0) = 0.2;
  constexpr double row = 1e-4;
  constexpr int rows = 20;
  const auto readings = [&](int steps, bool located, double(&y)[rows]) {
    moreau::Stepper<identification::Pin> pin(d.model, start);
    SensorMemory memory;
    memory.begin(sensor, Machine::speed(pin.model, start));
    ImpactOfStep<identification::Pin> impact;
    for (int n = 0; n < rows; ++n) {
      for (int k = 0; k < steps; ++k) {
        impact.begin(pin.state, row / steps);
        CHECK(pin.step(row / steps).advanced());
        const bool hit = impact.end(pin.state, row / steps) && located;
        const Jump jump = hit ? jump_of(d, 0, pin.model, pin.state, impact) : Jump{};
        const double missing = memory.step(sensor, Machine::speed(pin.model, pin.state), row / steps, jump);
        if (k == 0 && n > 0) y[n - 1] += missing;
      }
      y[n] = memory.read(sensor, row);
    }
  };
  double fine[rows], coarse[rows], spread[rows];
  for (const double offset : {0.0, 4e-6, 1e-5, 1.6e-5}) {  // m: instants between two rows
    start.q(0) = offset;
    readings(100, true, fine), readings(1, true, coarse), readings(1, false, spread);
    double peak = 0, most = 0, without = 0;
    for (int n = 0; n < rows; ++n) {
      peak = std::max(peak, std::fabs(fine[n]));
      most = std::max(most, std::fabs(coarse[n] - fine[n]));
      without = std::max(without, std::fabs(spread[n] - fine[n]));
    }
    constexpr double of_peak = 0.02;  // 0.3 us of the instant, by the change of the friction within a step
    CHECK(peak > 500);                // m/s^2, of an impact
    CHECK(most < of_peak * peak);
    CHECK(without > 5 * most);
  }
}

void test_delay_bias_and_scale_of_a_sensor(void) {
  Sensor sensor = noise(1).delayed(2.5e-3);
  sensor.bias = 1, sensor.scale = 2;
  SensorMemory memory;
  memory.begin(sensor, 0);
  double y = 0;
  for (int n = 1; n <= 20; ++n) memory.step(sensor, n, 1e-3), y = memory.read(sensor, 1e-3);
  constexpr double rounding = 1e-12;
  CHECK_WITHIN(rounding, 1 + 2 * 17.5, y);
}

}  // namespace

TEST_MAIN(TEST(test_the_filter_of_a_linear_model_is_the_kalman_filter)
              TEST(test_the_filter_has_the_same_bits_on_host_and_board) TEST(test_exponential_and_logit)
                  TEST(test_accelerometer_and_force_cell) TEST(test_an_accelerometer_resolves_the_instant_of_an_impact)
                      TEST(test_delay_bias_and_scale_of_a_sensor))
