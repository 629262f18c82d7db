// Persistent contacts of steps of second order: contacts at rest on curved and accelerating surfaces, with all solvers in
// both timing modes, after velocity jumps, with varying step lengths, and after a program moved them.
#include <moreau/moreau.hpp>

#include "models/cam.hpp"
#include "models/rolling_pin.hpp"
#include "models/shaken_table.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

using moreau::Exact;
using moreau::Status;
using moreau::Timing;

template <class Model>
struct Persistent : Model {
  static constexpr bool second_order = true;
};
using Cam = Persistent<models::Cam<Real>>;
using Table = Persistent<models::ShakenTable<Real>>;
using Pin = Persistent<models::RollingPin<Real>>;

constexpr Real dt = Real(5e-5);   // s
constexpr int run = often(4000);  // steps: ten turns of the cam, one without optimisation
constexpr int settling = 3;       // steps after a start, until du_held is known
constexpr Real rounding = sizeof(Real) == 8 ? Real(1e-13) : Real(1e-5);

template <class Model, class Solver = Exact, Timing timing = Timing::variable>
moreau::Stepper<Model, Solver, timing> started(const Model& model = {}) {
  return moreau::Stepper<Model, Solver, timing>{model, models::state_at<Model>(model.start())};
}

constexpr Real jump = Real(0.1);  // m/s
constexpr Real jump_eps = Real(0.4);

// Relative velocity after one step in which a persistent contact receives a velocity jump.
template <class Solver, Timing timing>
Real answer_to_a_jump(Table table, int after) {
  table.eps_N = jump_eps;
  auto stepper = started<Table, Solver, timing>(table);
  for (int n = 0; n < after; ++n) CHECK(stepper.step(dt).advanced());
  CHECK(stepper.state.P_N(0) > Real(0));
  stepper.state.u(0) -= jump;
  const Real t_M = stepper.state.time() + dt / 2;
  CHECK(stepper.step(dt).advanced());
  return stepper.state.u(0) + stepper.model.directions(0, stepper.state.q, t_M).zeta_N;
}

template <class Solver, Timing timing>
void check_jumps() {
  Table table;
  table.shake = 0;
  const Real rebound = jump_eps * jump - table.gravity * dt;  // at the beginning of the step; then it flies freely
  CHECK_WITHIN(Real(10) * rounding, rebound, (answer_to_a_jump<Solver, timing>(table, 100)));
  for (const int after : {40, 100, 160, 260}) {  // 2..13 ms of a period of 20 ms: rotation in both directions
    table.shake = Real(0.9);
    // at most twice the rotation of a step, times (1 + eps): the acceleration of the table is at most 0.9 g
    const Real turned = Real(1.4) * 2 * Real(0.9 * 9.81) / 2 * dt;
    CHECK_WITHIN(turned, rebound, (answer_to_a_jump<Solver, timing>(table, after)));
  }
}

// A contact at rest opens without a percussion if its load reverses, although rounding has left an approach velocity.
template <class Solver, Timing timing>
void check_reversal() {
  Table table;
  table.shake = 0;
  auto stepper = started<Table, Solver, timing>(table);
  for (int n = 0; n < 100; ++n) CHECK(stepper.step(dt).advanced());
  CHECK_EQUAL(1u, stepper.state.resting[0]);
  stepper.model.gravity = -table.gravity;
  stepper.state.u(0) = -rounding;
  CHECK(stepper.step(dt).advanced());
  CHECK_WITHIN(Real(10) * rounding, table.gravity * dt, stepper.state.u(0));
}

// Largest relative error of the contact force after the first `settle` steps; dt_of(n) is the length of the n-th step.
template <class Stepper, class Steps>
double worst_force(Stepper& stepper, int steps, int settle, const Steps& dt_of) {
  double worst = 0;
  for (int n = 0; n < steps; ++n) {
    const Real h = dt_of(n), t_M = stepper.state.time() + h / 2;
    CHECK(stepper.step(h).advanced());
    const double expected = double(stepper.model.contact_force(t_M));
    const double error = double(stepper.contact(0).force_N) / expected - 1;
    if (n >= settle && !(error < worst && -error < worst)) worst = error < 0 ? -error : error;
  }
  return worst;
}

template <class A, class B>
void check_same_bytes(A& a, B& b, Real h, int steps) {
  for (int n = 0; n < steps; ++n) {
    CHECK(a.step(h).advanced() && b.step(h).advanced());
    CHECK(test::saved(a.state) == test::saved(b.state));
  }
}

// A rejected step leaves every field of the state unchanged.
template <class Stepper>
void check_refused(Stepper stepper) {
  for (int n = 0; n < 50; ++n) CHECK(stepper.step(dt).advanced());
  const auto before = test::saved(stepper.state);
  CHECK(stepper.state.resting[0] == 1 && stepper.state.du_held(0) != Real(0));
  stepper.model.preload = std::numeric_limits<Real>::quiet_NaN();
  CHECK_EQUAL(Status::not_finite, stepper.step(dt).status);
  CHECK_EQUAL(Status::invalid_argument, stepper.step(-dt).status);
  CHECK(test::saved(stepper.state) == before);
}

}  // namespace

void test_saved_and_restored(void) {
  auto straight = started<Cam>(), restored = started<Cam>();
  for (int n = 0; n < 100; ++n) CHECK(straight.step(dt).advanced());
  const auto bytes = test::saved(straight.state);
  CHECK_EQUAL(Status::ok, restored.state.restore(bytes.data(), bytes.size()));
  check_same_bytes(straight, restored, dt, 100);
  moreau::State<models::Cam<Real>> of_the_paper;
  CHECK_EQUAL(Status::invalid_argument, of_the_paper.restore(bytes.data(), bytes.size()));
}

void test_both_timings_are_bit_identical(void) {
  auto cam = started<Cam>();
  auto cam_const = started<Cam, Exact, Timing::constant>();
  check_same_bytes(cam, cam_const, dt, run);
  auto pin = started<Pin>();
  auto pin_const = started<Pin, Exact, Timing::constant>();
  check_same_bytes(pin, pin_const, dt, run);
  auto crank = started<Persistent<models::SliderCrank<Real>>>();
  auto crank_const = started<Persistent<models::SliderCrank<Real>>, Exact, Timing::constant>();
  check_same_bytes(crank, crank_const, Real(1e-5), run);
}

// The force of a spring on a cam, with every solver and timing.
template <class Solver, Timing timing>
void check_cam() {
  auto stepper = started<Cam, Solver, timing>();
  CHECK(worst_force(stepper, run, settling, [](int) { return dt; }) < 5e-4);
}
void test_contact_force_with_every_solver(void) {
  check_cam<Exact, Timing::variable>();
  check_cam<Exact, Timing::constant>();
  check_cam<moreau::ClosedForms, Timing::variable>();
  check_cam<moreau::Lemke, Timing::variable>();
  check_cam<moreau::Psor, Timing::variable>();
  check_cam<moreau::Sweeps, Timing::constant>();
  check_cam<moreau::Newton, Timing::constant>();
}

// Fallback of the direct solution: two closed followers of one cam, with room for only one closed contact.
struct TwoFollowers : Cam {
  static constexpr int dof = 2, contacts = 2, closed_at_once = 1;
  using Q = moreau::Vector<Real, 2>;

  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return m * moreau::Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q& q, const Q&, Real t) const {
    const auto of = [&](int i) { return Cam::force(Cam::Vector(q(i)), {}, t)(0); };
    return Q(of(0), of(1));
  }
  Real gap(int i, const Q& q, Real t) const { return Cam::gap(0, Cam::Vector(q(i)), t); }
  moreau::Directions<Real, 2, 0> directions(int i, const Q&, Real t) const {
    moreau::Directions<Real, 2, 0> d;
    d.w_N(i) = Real(1);
    d.zeta_N = Cam::directions(0, {}, t).zeta_N;
    return d;
  }
  moreau::ContactBias<Real, 0> contact_bias_acceleration(int, const Q&, const Q&, Real t) const {
    moreau::ContactBias<Real, 0> bias;
    bias.N = e * omega * omega * moreau::sin(omega * t);
    return bias;
  }
  models::Start<Real, 2> start() const { return {Q(radius, radius), Q(e * omega, e * omega)}; }
};
template <class Solver, Timing timing>
void check_fallbacks() {
  auto stepper = started<TwoFollowers, Solver, timing>();
  int both = 0;
  const double worst = worst_force(stepper, run, settling, [&](int) {
    both += stepper.state.resting[0] == 3;
    return dt;
  });
  CHECK(worst < 5e-4);
  CHECK(both > run - 100);
}
void test_contact_force_with_every_fallback(void) {
  check_fallbacks<Exact, Timing::variable>();
  check_fallbacks<Exact, Timing::constant>();
  check_fallbacks<moreau::ClosedForms, Timing::variable>();
}

void test_restitution_after_a_velocity_jump(void) {
  check_jumps<Exact, Timing::variable>();
  check_jumps<Exact, Timing::constant>();
  check_jumps<moreau::Lemke, Timing::variable>();
  check_jumps<moreau::Sweeps, Timing::constant>();
  check_jumps<moreau::Newton, Timing::constant>();
}

void test_reversal_of_the_load(void) {
  check_reversal<Exact, Timing::variable>();
  check_reversal<Exact, Timing::constant>();
  check_reversal<moreau::Lemke, Timing::variable>();
}

void test_varying_step_lengths(void) {
  auto stepper = started<Cam>();
  CHECK(worst_force(stepper, run, settling, [](int n) { return n % 3 == 0 ? dt / 2 : dt; }) < 5e-4);
}

void test_clock_can_be_set(void) {
  auto stepper = started<Cam>();
  const double worst = worst_force(stepper, run, settling, [&](int n) {
    if (n % 50 == 0) stepper.state.set_time(stepper.state.time());
    return dt;
  });
  CHECK(worst < 5e-4);
}

void test_state_without_data_of_the_previous_step(void) {
  auto stepper = started<Cam>();
  for (int n = 0; n < 200; ++n) CHECK(stepper.step(dt).advanced());
  auto fresh = models::state_at<Cam>({stepper.state.q, stepper.state.u});
  fresh.set_time(stepper.state.time());
  CHECK_EQUAL(Status::ok, stepper.set_state(fresh).status);
  CHECK(worst_force(stepper, 200, settling, [](int) { return dt; }) < 5e-4);
  fresh.du_held(0) = std::numeric_limits<Real>::infinity();
  CHECK_EQUAL(Status::not_finite, stepper.set_state(fresh).status);
}

void test_rejected_step_leaves_the_state_unchanged(void) {
  check_refused(started<Cam>());
  check_refused(started<Cam, Exact, Timing::constant>());
  check_refused(started<Cam, moreau::ClosedForms>());
  check_refused(started<Cam, moreau::Lemke>());
  check_refused(started<Cam, moreau::Sweeps, Timing::constant>());
}

// A closed contact with zero percussion is closed by its gap alone.
void test_grazing_contact(void) {
  Table table;
  table.shake = table.gravity = 0;
  auto stepper = started(table);
  for (int n = 0; n < 3; ++n) {
    CHECK(stepper.step(dt).advanced());
    CHECK(stepper.state.P_N(0) == Real(0) && stepper.state.resting[0] == 0 && stepper.contact(0).closed);
  }
  stepper.state.u(0) = Real(1);
  for (int n = 0; n < 2; ++n) CHECK(stepper.step(dt).advanced());
  CHECK(stepper.state.resting[0] == 0 && !stepper.contact(0).closed);
}

// The output `closed` equals the contact state used by the step.
template <class Solver, Timing timing>
void check_closed() {
  auto stepper = started<Cam, Solver, timing>();
  int standing_off = 0;
  for (int n = 0; n < run; ++n) {
    CHECK(stepper.step(dt).advanced());
    if (n < settling) continue;
    if (n == settling) stepper.state.q(0) += Real(2e-6);
    const auto out = stepper.contact(0);
    CHECK(out.closed && out.P_N > Real(0));
    standing_off += out.gap_M > Real(0);
  }
  CHECK(standing_off > 0);
}
void test_closed_output_equals_the_step(void) {
  check_closed<Exact, Timing::variable>();
  check_closed<Exact, Timing::constant>();
  check_closed<moreau::Lemke, Timing::variable>();
  check_closed<moreau::Sweeps, Timing::constant>();
}

// With allowed_penetration(), the separation of a persistent contact is at most a rounding error.
struct DeepCam : Cam {
  Real allowed_penetration(int) const { return Real(1e-6); }
};
template <class Solver, Timing timing>
void check_position_correction() {
  auto stepper = started<DeepCam, Solver, timing>();
  Real off = 0;
  for (int n = 0; n < run; ++n) {
    if (n > 1 && n % 100 == 0) stepper.state.q(0) += Real(2e-6);
    CHECK(stepper.step(dt).advanced());
    const Real gap = stepper.model.gap(0, stepper.state.q, moreau::detail::reduced(stepper.model, stepper.state.clock));
    off = n > 1 && gap > off ? gap : off;
  }
  CHECK_WITHIN(Real(0.1) * std::numeric_limits<Real>::epsilon(), 0, off);  // of positions of 20 mm
}
void test_separated_contact_is_corrected(void) {
  check_position_correction<Exact, Timing::variable>();
  check_position_correction<Exact, Timing::constant>();
  check_position_correction<moreau::Lemke, Timing::variable>();
  check_position_correction<moreau::Sweeps, Timing::constant>();
  check_position_correction<moreau::Newton, Timing::constant>();
}

// Block on a table with an edge, or lowered by the user.
struct Ledge {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 1;
  static constexpr bool second_order = true;
  Real end = Real(0.1), drop = Real(0.5), level = 0;  // m
  moreau::Matrix<Real, 2, 2> mass(const moreau::Vector<Real, 2>&, Real) const {
    return moreau::Matrix<Real, 2, 2>::Identity();
  }
  moreau::Vector<Real, 2> force(const moreau::Vector<Real, 2>&, const moreau::Vector<Real, 2>&, Real) const {
    return moreau::Vector<Real, 2>(Real(0), -gravity);
  }
  Real gap(int, const moreau::Vector<Real, 2>& q, Real) const { return q(1) - level + (q(0) < end ? Real(0) : drop); }
  moreau::Directions<Real, 2> directions(int, const moreau::Vector<Real, 2>&, Real) const {
    moreau::Directions<Real, 2> d;
    d.w_N(1) = d.w_T(0) = Real(1);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0.4), Real(0), Real(0)}; }
  Real allowed_penetration(int) const { return Real(1e-6); }
  static constexpr Real gravity = Real(9.81);
};

// After n steps without a contact the body falls freely, whatever data of the previous step the first one used.
template <class Stepper, class Move>
void check_falls(Stepper stepper, Real late, const Move& move) {
  constexpr int steps = 100;
  const Real u = stepper.state.u(1);
  for (int n = 0; n < steps; ++n) {
    move(stepper);
    CHECK(stepper.step(dt).advanced());
  }
  CHECK_WITHIN(late * Ledge::gravity * dt, u - Ledge::gravity * Real(steps) * dt, stepper.state.u(1));
  CHECK_EQUAL(0, stepper.contact(0).force_N);
}

template <class Solver, Timing timing>
void check_bounded() {
  moreau::Stepper<Ledge, Solver, timing> resting{Ledge{}, moreau::State<Ledge>{}};
  for (int n = 0; n < 20; ++n) CHECK(resting.step(dt).advanced());
  CHECK(resting.state.P_N(0) > Real(0) && resting.state.u(1) == Real(0));

  const auto nothing = [](auto&) {};
  auto edge = resting;
  edge.state.q(0) = edge.model.end - dt / 4;  // past the edge at the midpoint of a step, and at the end of one
  edge.state.u(0) = Real(1);
  check_falls(edge, rounding / dt, nothing);
  edge.state.q(0) = edge.model.end - dt * Real(0.75);
  check_falls(edge, Real(1) + rounding / dt, nothing);

  auto lifted = resting;
  lifted.state.q(1) = Real(0.5);
  check_falls(lifted, rounding / dt, nothing);
  check_falls(resting, rounding / dt, [](auto& s) { s.model.level -= Real(1e-3); });  // 20 m/s
}
void test_contact_moved_away_is_released(void) {
  check_bounded<Exact, Timing::variable>();
  check_bounded<Exact, Timing::constant>();
  check_bounded<moreau::Lemke, Timing::variable>();
  check_bounded<moreau::Sweeps, Timing::constant>();
}

// An adaptive run has its own rule for closed contacts: identical to the run of a model without the declaration.
void test_adaptive_runs_ignore_persistence(void) {
  auto stepper = started<Pin>();
  auto paper = started<models::RollingPin<Real>>();
  stepper.state.resting[0] = 1;
  stepper.state.du_held(0) = Real(10);
  moreau::Adaptive run{stepper};
  moreau::Adaptive paper_run{paper};
  CHECK(run.advance_to(Real(0.02)).finished() && paper_run.advance_to(Real(0.02)).finished());
  CHECK(stepper.state.q == paper.state.q && stepper.state.u == paper.state.u);
  CHECK_EQUAL(0, stepper.state.resting[0]);
  CHECK(stepper.step(dt).advanced() && stepper.step(dt).advanced());
  CHECK(stepper.state.P_N(0) > Real(0) && stepper.state.resting[0] == 1);
}

TEST_MAIN({
  TEST(test_saved_and_restored);
  TEST(test_both_timings_are_bit_identical);
  TEST(test_contact_force_with_every_solver);
  TEST(test_contact_force_with_every_fallback);
  TEST(test_restitution_after_a_velocity_jump);
  TEST(test_reversal_of_the_load);
  TEST(test_varying_step_lengths);
  TEST(test_clock_can_be_set);
  TEST(test_state_without_data_of_the_previous_step);
  TEST(test_rejected_step_leaves_the_state_unchanged);
  TEST(test_grazing_contact);
  TEST(test_closed_output_equals_the_step);
  TEST(test_separated_contact_is_corrected);
  TEST(test_contact_moved_away_is_released);
  TEST(test_adaptive_runs_ignore_persistence);
})
