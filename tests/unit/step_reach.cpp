// The reach of a step: its measures against closed forms, the summary of a run, the estimate before a run, and the
// toggle clamp, whose results are wrong at a dt that is too long for its play.
#include <moreau/check/energy_summary.hpp>
#include <moreau/check/model_checker.hpp>
#include <moreau/check/start_checker.hpp>
#include <moreau/moreau.hpp>
#include <moreau/record/recorder.hpp>

#include "models/rolling_pin.hpp"
#include "models/toggle_clamp.hpp"
#include "support/test.hpp"

namespace {

using moreau::step_reach;
using Clamp = models::ToggleClamp<Real>;

// A point mass between two walls, `play` from the middle to either side.
struct Ball {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 2, tangents = 0;
  using Vector = moreau::Vector<Real, 1>;
  Real play{1e-3}, allowed{1e-5}, pull{0}, m{1};  // m, m, N, kg

  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return moreau::Matrix<Real, 1, 1>(m); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(pull); }
  Real gap(int i, const Vector& q, Real) const { return play - (i == 0 ? q(0) : -q(0)); }
  moreau::Directions<Real, 1, 0> directions(int i, const Vector&, Real) const {
    moreau::Directions<Real, 1, 0> d;
    d.w_N(0) = Real(i == 0 ? -1 : 1);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0.5), Real(0), Real(0)}; }
  Real allowed_penetration(int) const { return allowed; }
  Real play_of(int i) const { return i == 0 ? play : Real(0); }  // contact 1 has no play
};

moreau::State<Ball> ball_at(Real q, Real u) {
  moreau::State<Ball> state;
  state.q(0) = q;
  state.u(0) = u;
  return state;
}

// A pin that rolls in its bearing, with the play of its contact.
struct Pin : models::RollingPin<Real> {
  static constexpr bool second_order = true;
  Real allowed_penetration(int) const { return Real(4e-6); }
  Real play_of(int) const { return play; }
};

// The same contacts without play_of and allowed_penetration: nothing to compare with.
using Bare = models::RollingPin<Real>;

}  // namespace

void test_travel_and_penetration_of_a_point_mass(void) {
  constexpr Real dt = Real(1e-3), v = Real(0.7);
  Ball model;
  moreau::Stepper ball{model, ball_at(Real(0.9e-3), v)};
  const auto before = ball.state;
  CHECK(ball.step(dt).advanced());
  const auto reach = step_reach(ball.model, before, ball.state);
  CHECK_WITHIN(Real(1e-5), v * dt / model.play, reach.travel.value);
  CHECK_EQUAL(0, reach.travel.contact);  // contact 1 has no play
  CHECK_EQUAL(ball.state.time(), reach.travel.t);
  CHECK_EQUAL(dt, reach.travel.dt);
  const Real penetration = before.q(0) + dt / 2 * v - model.play;
  CHECK_WITHIN(Real(1e-3), penetration / model.allowed, reach.penetration.value);
  CHECK_EQUAL(0, reach.penetration.contact);
  CHECK_EQUAL(Real(0), reach.turn.value);  // a flat wall
  CHECK(reach.dt_too_long());              // 0.7 of the play in one step
  CHECK_WITHIN(Real(1e-7), Real(0.1) * model.play / v, reach.recommended_dt());
  ball.model.allowed = Real(0);  // no scale for the penetration
  CHECK_EQUAL(-1, step_reach(ball.model, before, ball.state).penetration.contact);
}

void test_limit_separates_short_from_long_steps(void) {
  const auto reach_at = [](Real dt) {
    moreau::Stepper ball{Ball{}, ball_at(Real(0), Real(1))};
    const auto before = ball.state;
    CHECK(ball.step(dt).advanced());
    return step_reach(ball.model, before, ball.state);
  };
  CHECK(!reach_at(Real(0.299e-3)).dt_too_long());
  CHECK(reach_at(Real(0.301e-3)).dt_too_long());
}

void test_turn_of_a_pin_is_its_angle(void) {
  constexpr Real dt = Real(2e-4);
  Pin model;
  model.mu = Real(0), model.gravity = Real(0);
  moreau::State<Pin> start;
  start.q << Real(0), -model.play, Real(0);
  start.u << Real(0.4), Real(0), Real(0);  // 200 rad/s around the bearing
  moreau::Stepper pin{model, start};
  moreau::StepReach<Real> turn;
  for (int n = 0; n < 50; ++n) {
    const auto before = pin.state;
    CHECK(pin.step(dt).advanced());
    turn = step_reach(pin.model, before, pin.state);
  }
  const Real speed = moreau::sqrt(pin.state.u(0) * pin.state.u(0) + pin.state.u(1) * pin.state.u(1));
  CHECK(speed > Real(0.39));
  CHECK_WITHIN(Real(4e-4), speed * dt / model.play, turn.turn.value);  // 1 %
  CHECK_EQUAL(0, turn.turn.contact);
  CHECK(turn.travel.value < Real(0.1) * turn.turn.value);
  CHECK_EQUAL(turn.turn.value, turn.worst().value);
}

void test_turn_counts_only_contacts_with_percussion(void) {
  Pin model;
  moreau::State<Pin> start;  // in free flight, with the normal turning
  start.q << Real(0), Real(-1e-4), Real(0);
  start.u << Real(0.4), Real(0), Real(0);
  moreau::Stepper pin{model, start};
  const auto before = pin.state;
  CHECK(pin.step(Real(1e-4)).advanced());
  CHECK_EQUAL(Real(0), pin.state.P_N(0));
  CHECK_EQUAL(-1, step_reach(pin.model, before, pin.state).turn.contact);

  moreau::Stepper clamp{Clamp{}, models::open_toggle_clamp<Real>()};
  for (int n = 0; n < 400; ++n) {
    const auto last = clamp.state;
    CHECK(clamp.step(Real(5e-6)).advanced());
    const int contact = step_reach(clamp.model, last, clamp.state).turn.contact;
    CHECK(contact < 0 || clamp.state.P_N(contact) > Real(0));
  }
}

void test_nothing_to_compare_with(void) {
  const Bare model;
  moreau::Stepper pin{model, models::state_at<Bare>(model.start())};
  const auto before = pin.state;
  CHECK(pin.step(Real(1e-2)).advanced());
  const auto reach = step_reach(pin.model, before, pin.state);
  for (const auto& measure : {reach.travel, reach.turn, reach.penetration, reach.worst()}) {
    CHECK_EQUAL(-1, measure.contact);
    CHECK_EQUAL(Real(0), measure.value);
  }
  CHECK(!reach.dt_too_long());
  CHECK_EQUAL(Real(0), reach.recommended_dt());
}

void test_states_of_more_than_one_step(void) {
  moreau::Stepper ball{Ball{}, ball_at(Real(0), Real(0.01))};
  const auto start = ball.state;
  CHECK(ball.step(Real(1e-3)).advanced());
  const auto one = step_reach(ball.model, start, ball.state);
  CHECK(ball.step(Real(1e-3)).advanced());
  const auto two = step_reach(ball.model, start, ball.state);
  CHECK(two.travel.value != two.travel.value);
  CHECK(two.dt_too_long());
  moreau::StepReach<Real> all = one;
  all.add(two);
  all.add(one);  // NaN persists
  CHECK(all.dt_too_long());
  CHECK(all.penetration.value != all.penetration.value);
}

void test_sum_of_steps_keeps_the_largest_values(void) {
  moreau::StepReach<Real> small, large, all;
  small.travel = {Real(0.01), 1, Real(0.5), Real(1e-3)};
  large.travel = {Real(0.2), 3, Real(0.6), Real(1e-4)};
  large.turn = {Real(0.1), 2, Real(0.7), Real(1e-4)};
  for (const auto& step : {small, large, small}) all.add(step);
  CHECK_EQUAL(3, all.travel.contact);
  CHECK_EQUAL(Real(0.6), all.travel.t);
  CHECK_EQUAL(2, all.turn.contact);
  CHECK_EQUAL(Real(0.2), all.worst().value);
  CHECK_WITHIN(Real(1e-10), Real(0.5e-4), all.recommended_dt());
}

void test_summary_of_a_run(void) {
  moreau::Stepper ball{Ball{}, ball_at(Real(0), Real(0.05))};
  int recorded = 0;
  const auto summary = moreau::run(ball, Real(1e-3), 100, [&](const auto&, const auto&) { ++recorded; });
  CHECK(summary.advanced());
  CHECK_EQUAL(100, int(summary.steps));
  CHECK_EQUAL(100, recorded);
  CHECK_WITHIN(Real(1e-4), Real(0.05), summary.reach.travel.value);
  CHECK(!summary.reach.dt_too_long());
  ball.model.pull = std::numeric_limits<Real>::quiet_NaN();
  const auto failed = moreau::run(ball, Real(1e-3), 100);
  CHECK(failed.status == moreau::Status::not_finite);
  CHECK_EQUAL(0, int(failed.steps));
  CHECK_EQUAL(-1, failed.reach.travel.contact);
}

namespace {

// One run of the toggle clamp.
struct Closing {
  moreau::detail::RunReport<Real> summary;
  double locked = 0;  // s, last time without force on the stop
  double load = 0;    // N, largest force of the pins in the last tenth of the run
};

Closing close(Real dt, double seconds, double angle = 0.35) {
  moreau::Stepper clamp{Clamp{}, models::open_toggle_clamp<Real>(Real(angle))};
  const int stop = 3;
  Closing found;
  found.summary = moreau::run(clamp, dt, std::int64_t(seconds / double(dt)), [&](const auto& state, const auto&) {
    if (!(state.P_N(stop) > 0)) found.locked = double(state.time());
    if (double(state.time()) < 0.9 * seconds) return;
    for (int pin = 0; pin < stop; ++pin)
      if (const double force = double(clamp.contact(pin).force_N); force > found.load) found.load = force;
  });
  return found;
}

constexpr Real long_dt = Real(1e-4), short_dt = Real(1e-6);  // s

}  // namespace

// At 100 us all steps are ok, but the pins cross several plays per step: the clamp rattles for more than 0.1 s.
void test_clamp_at_a_long_dt_is_reported(void) {
  const Closing found = close(long_dt, 0.1);
  const auto& reach = found.summary.reach;
  moreau::port::print("clamp, dt ", long_dt, ": locked ", found.locked, " s, load ", found.load, " N, reach ",
                      reach.worst().value, " at contact ", reach.worst().contact, ", t ", reach.worst().t,
                      " s, recommended dt ", reach.recommended_dt(), " s");
  CHECK(found.summary.status == moreau::Status::ok);
  if (sizeof(Real) == 8) CHECK(found.locked > 0.09);  // wrong: the right value is 0.0144 s. In float it locks by chance
  CHECK(reach.dt_too_long());
  CHECK(reach.worst().value > 3);
  CHECK(reach.worst().contact >= 0 && reach.worst().contact < 3);  // one of the pins
  CHECK(reach.recommended_dt() < Real(2e-6));
}

// The locking time scatters with the impacts at the stop: the mean of four starts. tests/benchmarks/reach.csv has the
// same time at shorter dt.
void test_clamp_at_a_short_dt_locks_in_time(void) {
  double locked = 0;
  for (int k = 0; k < 4; ++k) {
    const Closing found = close(short_dt, 0.018, 0.35 - 1e-4 * k);
    CHECK(found.summary.advanced());
    CHECK(!found.summary.reach.dt_too_long());
    CHECK_WITHIN(10.0, 160.0, found.load);
    locked += found.locked / 4;
  }
  moreau::port::print("clamp locked at ", locked, " s");
  CHECK_WITHIN(3e-4, 0.0144, locked);
}

void test_estimate_before_the_run(void) {
  using Member = moreau::CheckReport<Real>::Member;
  const Clamp clamp;
  const auto start = models::open_toggle_clamp<Real>();
  for (const Real dt : {long_dt, short_dt}) {
    moreau::CheckOptions<Real> options;
    options.dt = dt;
    const auto found = moreau::check_start(clamp, start, options).worst_of(Member::step_size);
    const auto of_model = moreau::check_model(clamp, start.q, start.u, Real(0), options).worst_of(Member::step_size);
    CHECK(found.ok() == (dt == short_dt));
    CHECK_EQUAL(found.deviation, of_model.deviation);
    CHECK_EQUAL(Real(0.3), found.allowed);
  }
  CHECK(!moreau::check_start(clamp, start).looked_at(Member::step_size));  // without dt
}

void test_estimate_of_a_point_mass(void) {
  using Member = moreau::CheckReport<Real>::Member;
  Ball ball;
  ball.pull = Real(50);
  moreau::CheckOptions<Real> options;
  options.dt = Real(1e-4);
  const auto found = moreau::check_start(ball, ball_at(Real(0), Real(0.3)), options).worst_of(Member::step_size);
  const Real v = moreau::sqrt(Real(0.3 * 0.3) + 2 * ball.pull * 2 * ball.play);
  CHECK_WITHIN(Real(1e-5), v * options.dt / ball.play, found.deviation);
  CHECK_EQUAL(0, found.index);
  ball.m = Real(0);  // no acceleration
  CHECK(!moreau::check_start(ball, ball_at(Real(0), Real(0.3)), options).looked_at(Member::step_size));
}

namespace {

// Two equal ideal joints, a loose one, and a weight on a spring.
struct RedundantParts {
  using Real = ::Real;
  enum Names { arm, weight, bodies };
  moreau::Body<Real> body[bodies] = {{Real(1), Real(1)}, {Real(1), Real(1)}};
  moreau::Revolute<Real, moreau::ground, arm> pin, same_pin;
  moreau::RevoluteClearance<Real, moreau::ground, arm> loose;
  moreau::Spring<Real, arm, weight> spring;
  auto parts() const { return std::tie(pin, same_pin, loose, spring); }
  RedundantParts() { loose.play = Real(1e-3); }
};

}  // namespace

void test_no_estimate_with_redundant_joints(void) {
  using Redundant = moreau::Mechanism<RedundantParts>;
  moreau::CheckOptions<Real> options;
  options.dt = Real(1e-4);
  const auto report = moreau::check_start(Redundant{}, moreau::State<Redundant>{}, options);
  CHECK(!report.looked_at(moreau::CheckReport<Real>::Member::step_size));
}

// With a long dt, rotating normals excuse the gains of single steps, but not their sum.
void test_repeated_gain_is_not_excused(void) {
  const auto balance = [](Real dt, double seconds) {
    moreau::Stepper clamp{Clamp{}, models::open_toggle_clamp<Real>()};
    moreau::EnergySummary<Real> energy;
    for (int n = 0; n < int(seconds / double(dt)); ++n) energy.add(moreau::audited_step(clamp, dt).energy);
    moreau::port::print("dt ", dt, " s: gained ", energy.gained, " J, dissipated ", energy.dissipated, " J, exchanged ",
                        energy.exchanged, " J, steps with gain ", energy.steps_with_gain);
    return energy;
  };
  const auto wrong = balance(Real(1e-4), 0.05), right = balance(2 * short_dt, 0.016);
  CHECK(wrong.gain());
  CHECK(wrong.steps_with_gain < 5);  // single steps are excused
  CHECK(!right.gain());
}

// A rolling pin exchanges energy by the rotation of its normal, with either sign, and creates none.
void test_rolling_is_no_gain(void) {
  Pin model;
  moreau::Stepper pin{model, models::state_at<Pin>(model.start())};
  moreau::EnergySummary<Real> energy;
  for (int n = 0; n < 4000; ++n) energy.add(moreau::audited_step(pin, Real(5e-4)).energy);
  CHECK(energy.gained > Real(0.5) * energy.dissipated);  // neither is a dissipation
  CHECK(!energy.gain());
  energy.add({std::numeric_limits<Real>::quiet_NaN()});
  CHECK(energy.gain());  // unknown
}

TEST_MAIN({
  TEST(test_travel_and_penetration_of_a_point_mass);
  TEST(test_limit_separates_short_from_long_steps);
  TEST(test_turn_of_a_pin_is_its_angle);
  TEST(test_turn_counts_only_contacts_with_percussion);
  TEST(test_nothing_to_compare_with);
  TEST(test_states_of_more_than_one_step);
  TEST(test_sum_of_steps_keeps_the_largest_values);
  TEST(test_summary_of_a_run);
  TEST(test_clamp_at_a_long_dt_is_reported);
  TEST(test_clamp_at_a_short_dt_locks_in_time);
  TEST(test_estimate_before_the_run);
  TEST(test_estimate_of_a_point_mass);
  TEST(test_no_estimate_with_redundant_joints);
  TEST(test_repeated_gain_is_not_excused);
  TEST(test_rolling_is_no_gain);
})
