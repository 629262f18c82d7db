// Time argument of a model with a period: the same phase after an hour as at the start, step by step, also in float.
#include <moreau/model/time.hpp>
#include <moreau/moreau.hpp>

#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

constexpr Real eps = std::numeric_limits<Real>::epsilon();

// Table that oscillates vertically below a heavy block, lifting and lowering it.
struct Swing {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  using Q = moreau::Vector<Real, 1>;
  Real T = Real(0.1256), amplitude = Real(0.001);
  Real omega() const { return 2 * moreau::pi<Real> / T; }

  moreau::Matrix<Real, 1, 1> mass(const Q&, Real) const { return Q(1); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(-9.81)); }
  Real gap(int, const Q& q, Real t) const { return q(0) - amplitude * moreau::sin(omega() * t); }
  moreau::Directions<Real, 1, 0> directions(int, const Q&, Real t) const {
    moreau::Directions<Real, 1, 0> d;
    d.w_N(0) = 1;
    d.zeta_N = -amplitude * omega() * moreau::cos(omega() * t);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
  Real period() const { return T; }
};

// Permanent motion without a period.
struct Free {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 0;
  moreau::Matrix<Real, 1, 1> mass(const moreau::Vector<Real, 1>&, Real) const { return {}; }
  moreau::Vector<Real, 1> force(const moreau::Vector<Real, 1>&, const moreau::Vector<Real, 1>&, Real) const {
    return {};
  }
};

moreau::detail::Time<Real> after(std::int64_t steps, Real dt) {
  moreau::detail::Time<Real> time;
  time.dt = dt;
  time.n = steps;
  return time;
}

Real distance_on_circle(Real a, Real b, Real T) {
  const Real d = moreau::detail::absolute(a - b);
  return d < T - d ? d : T - d;
}

}  // namespace

void test_fractions_are_exact(void) {
  CHECK(moreau::detail::fraction(Real(0.5)) == std::uint64_t{1} << 63);
  CHECK(moreau::detail::fraction(Real(0.75)) == std::uint64_t{3} << 62);
  CHECK(moreau::detail::fraction(Real(12345.25)) == std::uint64_t{1} << 62);
  CHECK(moreau::detail::fraction(Real(-0.25)) == std::uint64_t{3} << 62);
  CHECK(moreau::detail::fraction(Real(0x1p-40)) == std::uint64_t{1} << 24);
  for (const Real whole : {Real(0), Real(1), Real(-7), Real(0x1p60), Real(0x1p100)})
    CHECK(moreau::detail::fraction(whole) == 0);
  CHECK(moreau::detail::fraction(std::numeric_limits<Real>::min()) == 0);
  CHECK_EQUAL(Real(0.625), moreau::detail::from_fraction<Real>(std::uint64_t{5} << 61));
  // Rounded down, so that the result stays below 1.
  CHECK(moreau::detail::from_fraction<Real>(~std::uint64_t{0}) < 1);
}

void test_without_a_period_time_is_unchanged(void) {
  static_assert(Free::contacts == 0 && !moreau::detail::Contract<Free>::has_period);
  const auto time = after(1000, Real(0.25));
  CHECK_EQUAL(Real(250), moreau::detail::reduced(Free{}, time));
  CHECK_EQUAL(Real(250.125), moreau::detail::model_time(Free{}, time));
  CHECK_EQUAL(Real(7), moreau::detail::reduced(Free{}, Real(7)));
}

void test_invalid_period_leaves_time_unchanged(void) {
  for (const Real none : {Real(0), Real(-1), std::numeric_limits<Real>::quiet_NaN()}) {
    Swing model;
    model.T = none;
    CHECK_EQUAL(Real(7), moreau::detail::reduced(model, Real(7)));
    CHECK_EQUAL(Real(250), moreau::detail::reduced(model, after(1000, Real(0.25))));
  }
}

void test_reduced_time_is_within_a_period_and_congruent_to_the_time(void) {
  const Swing model;
  test::Random random(71);
  for (int i = 0; i < 2000; ++i) {
    moreau::detail::Time<Real> time = after(static_cast<std::int64_t>(random.bits() % 5000), Real(1e-3));
    time.t0 = random.between<Real>(-3, 3);
    const Real reduced = moreau::detail::reduced(model, time), t = time();
    CHECK(reduced >= 0 && reduced < model.T * (1 + eps));
    const Real turns = (t - reduced) / model.T;  // an integer, up to the rounding of t and of dt / T
    const Real nearest = static_cast<Real>(static_cast<int>(turns + (turns < 0 ? Real(-0.5) : Real(0.5))));
    CHECK_WITHIN(200 * eps, nearest, turns);
    const Real midpoint = moreau::detail::model_time(model, time), half_later = reduced + time.dt / 2;
    CHECK_WITHIN(8 * eps * model.T, 0, distance_on_circle(midpoint, half_later, model.T));
  }
}

void test_steps_are_uniform_after_an_hour(void) {
  const Swing model;
  constexpr Real dt = Real(1e-4);
  constexpr std::int64_t hour = 36000000;
  const auto step_at = [&](std::int64_t n) {
    const Real from = moreau::detail::model_time(model, after(n, dt)),
               to = moreau::detail::model_time(model, after(n + 1, dt));
    return from < to ? to - from : to - from + model.T;
  };
  for (const std::int64_t start : {std::int64_t{0}, hour, 24 * hour}) {
    for (int i = 0; i < 3000; ++i) CHECK_WITHIN(4 * eps * model.T, dt, step_at(start + i));
  }
}

void test_whole_periods_return_to_the_same_phase(void) {
  const Swing model;
  const Real dt = model.T / 1024;  // exactly: 1024 steps are one period
  for (int i = 0; i < 1024; i += 7) {
    const Real first = moreau::detail::model_time(model, after(i, dt));
    const Real later = moreau::detail::model_time(model, after(i + 1024 * std::int64_t{1000000}, dt));
    CHECK_WITHIN(eps * model.T, 0, distance_on_circle(first, later, model.T));
  }
}

void test_periodic_motion_is_the_same_after_an_hour(void) {
  const Swing model;
  const Real dt = model.T / 1024;
  static Real q[2][1024];  // exceeds the stack of a board
  for (int late = 0; late < 2; ++late) {
    moreau::State<Swing> start;
    start.clock.dt = dt;
    start.clock.n = late * 1024 * std::int64_t{28672};  // an hour of 0.1256 s periods
    start.u(0) = model.amplitude * model.omega();
    moreau::Stepper block{model, start};
    for (int i = 0; i < 1024; ++i) {
      CHECK(block.step(dt).advanced());
      q[late][i] = block.state.q(0);
    }
  }
  Real highest = 0;
  for (int i = 0; i < 1024; ++i) {
    CHECK_EQUAL(q[0][i], q[1][i]);
    if (q[1][i] > highest) highest = q[1][i];
  }
  CHECK_WITHIN(model.amplitude / 100, model.amplitude, highest);
}

namespace {

// A cart in contact with the floor, led along x by a joint. It records the range of the times at which it is evaluated.
struct Cart {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 1, bilaterals = 1;
  using Q = moreau::Vector<Real, 2>;
  inline static Real first = 0, last = 0;
  static void look(Real t) {
    if (!(t >= first)) first = t;
    if (!(t <= last)) last = t;
  }
  Real period() const { return Real(0.125); }

  moreau::Matrix<Real, 2, 2> mass(const Q&, Real t) const { return look(t), moreau::Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real t) const { return look(t), Q(0, -10); }
  Real gap(int, const Q& q, Real t) const { return look(t), q(1); }
  moreau::Directions<Real, 2> directions(int, const Q&, Real t) const {
    look(t);
    moreau::Directions<Real, 2> d;
    d.w_N = Q(0, 1);
    d.w_T = Q(1, 0);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
  Real allowed_penetration(int) const { return Real(1e-6); }
  moreau::Bilateral<Real, 2> bilateral(int, const Q& q, Real t) const {
    look(t);
    moreau::Bilateral<Real, 2> row;
    row.w = Q(1, 0);
    row.g = q(0);
    return row;
  }
};

template <class Solver, moreau::Timing timing>
void check_times_of_evaluation() {
  Cart::first = Cart::last = 0;
  moreau::State<Cart> start;
  start.q << Real(0.01), Real(-0.01);  // both corrections act
  start.set_time(1000 * Cart{}.period());
  moreau::Stepper<Cart, Solver, timing> cart{Cart{}, start};
  for (int n = 0; n < 100; ++n) CHECK(cart.step(Real(0.01)).advanced());
  CHECK_WITHIN(Real(2e-6), 0, cart.state.q(1));
  CHECK_WITHIN(Real(1e-6), 0, cart.state.q(0));
  CHECK_EQUAL(Real(0), Cart::first);
  CHECK(Cart::last <= Cart{}.period() && Cart::last > Cart{}.period() / 2);
}

}  // namespace

// Every function of the model gets the reduced time, also those that the position corrections call at the end of a
// step: the direct solution, a list of contacts, and masked contacts.
void test_all_evaluations_have_the_reduced_time(void) {
  check_times_of_evaluation<moreau::Exact, moreau::Timing::variable>();
  check_times_of_evaluation<moreau::Exact, moreau::Timing::constant>();
  check_times_of_evaluation<moreau::Lemke, moreau::Timing::variable>();
  check_times_of_evaluation<moreau::Sweeps, moreau::Timing::constant>();
}

TEST_MAIN({
  TEST(test_all_evaluations_have_the_reduced_time);
  TEST(test_fractions_are_exact);
  TEST(test_without_a_period_time_is_unchanged);
  TEST(test_invalid_period_leaves_time_unchanged);
  TEST(test_reduced_time_is_within_a_period_and_congruent_to_the_time);
  TEST(test_steps_are_uniform_after_an_hour);
  TEST(test_whole_periods_return_to_the_same_phase);
  TEST(test_periodic_motion_is_the_same_after_an_hour);
})
