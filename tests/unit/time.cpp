// Time is a step count times dt instead of a running sum: 1e7 steps, very many steps, varying step sizes.
#include "support/test.hpp"

#include <moreau/moreau.hpp>

namespace {

constexpr Real rounding = moreau::detail::epsilon<Real>;

// Unit mass driven by sin(w t): u = (1 - cos w t) / w from rest.
struct Driven {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 0;
  using Q = moreau::Vector<Real, 1>;
  Real w{3};  // rad/s
  moreau::Matrix<Real, 1, 1> mass(const Q&, Real) const { return Q(Real(1)); }
  Q force(const Q&, const Q&, Real t) const { return Q(moreau::sin(w * t)); }
};

// The same with a declared period; stores the time of the last evaluation.
struct Periodic : Driven {
  mutable Real last_t = Real(-1);
  Real period() const { return Real(2) * moreau::pi<Real> / w; }
  Q force(const Q& q, const Q& u, Real t) const {
    last_t = t;
    return Driven::force(q, u, t);
  }
};

}  // namespace

void test_conversion_from_number_to_time_is_explicit(void) {
  static_assert(!std::is_convertible_v<Real, moreau::detail::Time<Real>> &&
                !std::is_convertible_v<moreau::detail::Time<Real>, Real>);
  moreau::detail::Time<Real> time{Real(0.5)};
  CHECK_EQUAL(Real(0.5), time());
  CHECK_EQUAL(0, time.n);
  moreau::State<Driven> state;
  state.clock.n = 7;
  state.set_time(Real(2));
  CHECK(state.time() == Real(2) && Real(state.clock) == Real(2) && state.clock.n == 0);
}

void test_ten_million_steps_are_one_product(void) {
  const Real dt = Real(1e-4);
  moreau::detail::Time<Real> time = moreau::detail::Time<Real>{}.counted_in(dt);
  Real added = Real(0);
  for (int i = 0; i < 10000000; ++i) {
    time = time.next();
    added += dt;
  }
  CHECK_EQUAL(10000000, time.n);
  CHECK_WITHIN(Real(2) * rounding * Real(1000), Real(1e7) * dt,
               time());  // two roundings: of the count and of the product
  if (sizeof(Real) == 4) CHECK(moreau::detail::absolute(added - Real(1000)) > Real(1));  // error of a running sum
}

void test_very_many_steps(void) {
  moreau::detail::Time<Real> time = moreau::detail::Time<Real>(Real(1)).counted_in(Real(0.25));
  time.n = (std::int64_t{1} << 40) + 3;
  const Real expected = Real(1) + Real(274877906944.75);
  CHECK_WITHIN(Real(2) * rounding * expected, expected, time());
  time.n = (std::int64_t{1} << 20) + 3;  // exact in either scalar
  CHECK_EQUAL(Real(262145.75), time());
  CHECK_EQUAL(Real(262145.875), time.midpoint());
}

void test_another_step_size_starts_a_new_count(void) {
  moreau::detail::Time<Real> time = moreau::detail::Time<Real>{}.counted_in(Real(0.5)).next().next().next();
  const moreau::detail::Time<Real> same = time.counted_in(Real(0.5)), other = time.counted_in(Real(0.125));
  CHECK_EQUAL(3, same.n);
  CHECK_EQUAL(0, other.n);
  CHECK_EQUAL(Real(1.5), other());
  CHECK_EQUAL(Real(1.5625), other.midpoint());
  CHECK_EQUAL(Real(1.625), other.next()());
}

// Step sizes that differ in the last bit are different, also if a float cannot resolve their difference.
void test_next_step_size_starts_a_new_count(void) {
  const Real dt = Real(1e-3), next = dt * (Real(1) + Real(2) * rounding);
  CHECK(next > dt && next < dt * (Real(1) + Real(5) * rounding));
  moreau::detail::Time<Real> time(Real(2), dt, 1000);
  const moreau::detail::Time<Real> other = time.counted_in(next);
  CHECK(other.n == 0 && other.dt == next && other.t0 == time());
  moreau::Stepper<Driven> stepper(Driven{}, moreau::State<Driven>{});
  for (const Real size : {dt, dt, next}) CHECK_EQUAL(moreau::Status::ok, stepper.step(size).status);
  CHECK(stepper.state.clock.dt == next && stepper.state.clock.n == 1);
  CHECK_EQUAL(Real(2) * dt, stepper.state.clock.t0);
}

// Two alternating step sizes: every step starts a new count, and each count starts with one rounding of t; the
// tolerances allow for these roundings.
void test_two_alternating_step_sizes_drive_a_model(void) {
  const Real dt[2] = {Real(1e-3), Real(2.5e-3)};
  constexpr int steps = 4000;  // 7 s
  moreau::Stepper<Driven> stepper(Driven{}, moreau::State<Driven>{});
  for (int i = 0; i < steps; ++i) CHECK_EQUAL(moreau::Status::ok, stepper.step(dt[i % 2]).status);
  const Real t = Real(steps / 2) * (dt[0] + dt[1]), w = stepper.model.w;
  const Real t_error = Real(steps) * rounding * Real(4);  // half an ulp of at most 8 s, every step
  CHECK_WITHIN(t_error, t, stepper.state.time());
  // The midpoint rule has an error of (w dt)^2 / 24 of the velocity; add the error of the time and 4000 roundings of u.
  const Real u_error = w * w * dt[1] * dt[1] / Real(24) + t_error + Real(steps) * rounding;
  CHECK_WITHIN(u_error, (Real(1) - moreau::cos(w * t)) / w, stepper.state.u(0));
}

void test_one_step_size_drives_a_model(void) {
  const Real dt = Real(1e-3);
  constexpr int steps = 7000;
  moreau::Stepper<Driven> stepper(Driven{}, moreau::State<Driven>{});
  for (int i = 0; i < steps; ++i) CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  const Real t = Real(steps) * dt, w = stepper.model.w;
  CHECK_WITHIN(Real(4) * rounding * t, t, stepper.state.time());
  CHECK_WITHIN(w * w * dt * dt / Real(24) + Real(steps) * rounding, (Real(1) - moreau::cos(w * t)) / w,
               stepper.state.u(0));
}

void test_period_keeps_the_time_of_the_model_small(void) {
  moreau::State<Periodic> start;
  const Real turns = Real(1000);
  const Periodic model;
  start.set_time(turns * model.period());
  moreau::Stepper<Periodic> stepper(model, start);
  const Real resolution = rounding * turns * model.period();  // of the absolute time at this point
  for (int i = 0; i < 100; ++i) {
    CHECK_EQUAL(moreau::Status::ok, stepper.step(Real(0.125)).status);
    CHECK(stepper.model.last_t > -resolution && stepper.model.last_t < model.period() + resolution);
  }
  // 100 steps later: 12.5 s, less two or three whole periods
  Real phase = Real(12.5) - Real(0.0625);
  while (phase >= model.period()) phase -= model.period();
  CHECK_WITHIN(Real(4) * resolution, phase, stepper.model.last_t);
}

// A step leads to the next count, or to a clock set to the end of the step; any other start, count or time is not
// consecutive.
void test_consecutive_times_are_recognised(void) {
  using Time = moreau::detail::Time<Real>;
  const Real dt = Real(0.125);
  const Time before(Real(2), dt, 3);
  const auto leads_to = [&](const Time& after) { return moreau::detail::one_step(before, after); };
  CHECK(leads_to(before.next()));
  CHECK(!leads_to(before) && !leads_to(before.next().next()));
  CHECK(!leads_to(Time(Real(2.5), dt, 4)));
  CHECK(!leads_to(Time(Real(2.5), Real(0), 0)) && !leads_to(Time(Real(2.5), -dt, 0)));
  CHECK(leads_to(Time(Real(2.5), dt, 0)));  // set, as by a run that ends exactly at its end time
  CHECK(!leads_to(Time(Real(2.5) + dt, dt, 0)));
  CHECK(!leads_to(Time(Real(2.5) - dt, dt, 0)));
}

// Undefined status and cause values have the name of an unknown value.
void test_undefined_status_values_have_a_name(void) {
  volatile int n = 0;
  const auto same = [](const char* a, const char* b) {
    while (*a != 0 && *a == *b) ++a, ++b;
    return *a == *b;
  };
  CHECK(same(moreau::name(moreau::Status(n + 2)), "no_solution") && same(moreau::name(moreau::Cause(n + 1)), "dt"));
  CHECK(same(moreau::name(moreau::Status(n + 100)), "unknown") &&
        same(moreau::name(moreau::Cause(n + 100)), "unknown"));
}

TEST_MAIN({
  TEST(test_consecutive_times_are_recognised);
  TEST(test_undefined_status_values_have_a_name);
  TEST(test_conversion_from_number_to_time_is_explicit);
  TEST(test_ten_million_steps_are_one_product);
  TEST(test_very_many_steps);
  TEST(test_another_step_size_starts_a_new_count);
  TEST(test_next_step_size_starts_a_new_count);
  TEST(test_two_alternating_step_sizes_drive_a_model);
  TEST(test_one_step_size_drives_a_model);
  TEST(test_period_keeps_the_time_of_the_model_small);
})
