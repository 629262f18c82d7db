// Every exit of a main step (SLG08, Table II), also on boards: an adaptive run allocates no memory.
#include <moreau/moreau.hpp>

#include "models/falling_mass.hpp"
#include "models/sliding_mass.hpp"
#include "support/test.hpp"

namespace {

using Ball = models::FallingMass<Real>;
using Stepper = moreau::Stepper<Ball>;
using Laws = moreau::DiscreteState<Ball>;
using moreau::detail::Exit;
constexpr bool is_double = sizeof(Real) == 8;

moreau::AdaptiveOptions<Real> options() {
  auto o = moreau::AdaptiveOptions<Real>::paper();
  o.dt_min = Real(1e-4);
  o.dt_max = Real(1);
  return o;
}

struct Ended {
  Exit exit;
  moreau::State<Ball> E;
  moreau::detail::MainStep<Ball> step;
  std::int64_t base_steps;
  Laws seen;
};

// One main step of a ball from height z.
Ended main_step(Real z, Real v, Real dt, bool minimal, const moreau::AdaptiveOptions<Real>& o, Ball ball = {}) {
  moreau::State<Ball> A;
  A.q(0) = z;
  A.u(0) = v;
  Stepper stepper{ball, A};
  moreau::detail::Extrapolation<Stepper> extrapolation;
  Ended ended;
  const Laws open{A};
  ended.exit = extrapolation.run(stepper, A, dt, minimal, open, true, o, ended.E, ended.step);
  ended.base_steps = extrapolation.base_steps;
  ended.seen = extrapolation.discrete_state();
  return ended;
}

// Parabola: two columns verify that the second order is exact.
void test_smooth(void) {
  const Real dt(0.1);
  const Ended ended = main_step(1, 0, dt, false, options());
  CHECK(ended.exit == Exit::smooth && ended.step.status == moreau::Status::ok);
  CHECK(ended.step.order == 2 && ended.base_steps == 1 + 3);
  CHECK_WITHIN(is_double ? 1e-14 : 1e-6, 1 - 9.81 * 0.1 * 0.1 / 2, ended.E.q(0));
  CHECK_WITHIN(is_double ? 1e-14 : 1e-6, -0.981, ended.E.u(0));
  CHECK(ended.E.time() == dt && ended.step.t_A == 0 && ended.step.dt == dt && ended.step.error <= 1);
}

// A spring too stiff for step and order, and one that two substeps of dt_min cannot resolve.
struct Spring {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 0;
  using Vector = moreau::Vector<Real, 1>;
  Real omega = 30;
  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return Vector(Real(1)); }
  Vector force(const Vector& q, const Vector&, Real) const { return Vector(-omega * omega * q(0)); }
};
Exit spring_exit(Real dt, moreau::AdaptiveOptions<Real> o, int& order) {
  moreau::State<Spring> A, E;
  A.q(0) = 1;
  moreau::Stepper stepper{Spring{}, A};
  moreau::detail::Extrapolation<moreau::Stepper<Spring>> extrapolation;
  moreau::detail::MainStep<Spring> step;
  const Exit exit = extrapolation.run(stepper, A, dt, false, moreau::DiscreteState<Spring>{A}, true, o, E, step);
  order = step.order;
  return exit;
}
void test_inaccurate(void) {
  int order = 0;
  auto o = options();
  o.order_max = 3;
  CHECK(spring_exit(Real(0.05), o, order) == Exit::inaccurate);
  CHECK_EQUAL(3, order);
  o.order_max = 8;
  o.dt_min = Real(0.01);  // no third column: five substeps of 0.05 / 5 are allowed, seven are not
  CHECK(spring_exit(Real(0.05), o, order) == Exit::inaccurate);
  CHECK_EQUAL(3, order);
  o.pace = moreau::Pace::predicted;  // then it is accepted as it is
  CHECK(spring_exit(Real(0.05), o, order) == Exit::smooth);
  o.order_fixed = 2;  // a fixed order is used for any error
  CHECK(spring_exit(Real(0.05), o, order) == Exit::smooth);
  CHECK_EQUAL(2, order);
}

// The ball reaches the table within the step; in a minimal step this is the impact itself.
void test_switching_and_resolved(void) {
  const Ended switching = main_step(Real(0.01), -1, Real(0.1), false, options());
  CHECK(switching.exit == Exit::switching && switching.base_steps == 1);
  CHECK(switching.seen.of(0) == Laws::LawMode::closed);  // closed
  const Ended late = main_step(Real(0.07), -1, Real(0.1), false, options());
  // after a third of the step, not at the midpoint of a single step
  CHECK(late.exit == Exit::switching && late.base_steps > 1);
  const Ended resolved = main_step(Real(2e-5), -1, Real(1e-4), true, options());
  CHECK(resolved.exit == Exit::resolved && resolved.base_steps == 1 && resolved.step.order == 1);
  CHECK_WITHIN(1e-6, 0.7, resolved.E.u(0));
  CHECK(resolved.E.P_N(0) > 0 && resolved.E.time() == Real(1e-4));
}

// Block on three feet in the plane, x and y: each foot has its own floor; the normal of foot 0 rotates by `turn` per x.
struct Feet {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 3;
  using Vector = moreau::Vector<Real, 2>;
  using Matrix = moreau::Matrix<Real, 2, 2>;
  Real height[contacts] = {}, turn = 0, drift = 0, rise = 0;  // m, rad/m, m/s
  Matrix mass(const Vector&, Real) const { return Matrix::Identity(); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(Real(0), Real(-10)); }
  Real gap(int i, const Vector& q, Real) const { return q(1) - height[i]; }
  moreau::Directions<Real, 2> directions(int i, const Vector& q, Real) const {
    moreau::Directions<Real, 2> d;
    d.w_N = Vector(i == 0 ? turn * q(0) : Real(0), Real(1));
    d.w_T = Vector(Real(1), Real(0));
    d.zeta_N = -rise;
    d.zeta_T = -drift;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0), Real(0), Real(0.5)}; }
};

// A main step reports the status of its worst base step: here one whose sweeps end too early.
void test_report_of_a_main_step(void) {
  const moreau::detail::MainStep<Ball> fresh;
  CHECK(fresh.t_A == 0 && fresh.dt == 0);
  Feet feet;
  feet.turn = Real(0.5);
  moreau::State<Feet> A, E;
  A.q(0) = 1;
  A.u << Real(1), Real(-1);
  moreau::Psor psor;
  psor.max_iterations = 2;
  moreau::Stepper stepper{feet, A, psor};
  moreau::detail::Extrapolation<moreau::Stepper<Feet, moreau::Psor>> extrapolation;
  moreau::detail::MainStep<Feet> step;
  const Real dt(1e-4);
  extrapolation.run(stepper, A, dt, true, moreau::DiscreteState<Feet>{A}, true, moreau::AdaptiveOptions<Real>::paper(),
                    E, step);
  const auto base = stepper.step(dt);
  CHECK(base.relative > 0 && step.relative == base.relative && step.residual == base.residual);
}

void test_failed(void) {
  Ball broken;
  broken.eps_N = 2;
  const Ended ended = main_step(Real(2e-5), -1, Real(1e-4), true, options(), broken);
  CHECK(ended.exit == Exit::failed && ended.step.status == moreau::Status::invalid_argument);
}

// Two steps of dt_min after the end of a smooth step verify that its discrete state persists. A failing step is left to
// the next main step, which reports it.
void test_look_ahead(void) {
  moreau::State<Ball> A;
  A.q(0) = 1;
  Stepper stepper{Ball{}, A};
  moreau::detail::Extrapolation<Stepper> extrapolation;
  moreau::State<Ball> E;
  moreau::detail::MainStep<Ball> step;
  const auto o = options();
  CHECK(extrapolation.run(stepper, A, Real(0.1), false, Laws{A}, true, o, E, step) == Exit::smooth);
  const auto before = extrapolation.base_steps;
  CHECK(extrapolation.persists(stepper, E, o.dt_min) && extrapolation.base_steps == before + 2);
  E.q(0) = Real(2e-5);
  E.u(0) = -1;
  CHECK(!extrapolation.persists(stepper, E, o.dt_min));
  stepper.model.eps_N = 2;
  CHECK(extrapolation.persists(stepper, E, o.dt_min));
}

using Held = moreau::detail::HeldContacts<Feet>;
using Mode = moreau::DiscreteState<Feet>::Mode;

// In the direction of `before`, a held contact stays closed for any gap; others close by gap and approach, or by an
// impact.
void test_held_contacts(void) {
  Feet feet;
  feet.height[1] = Real(0.01);
  feet.height[2] = Real(-1);
  moreau::State<Feet> A;
  A.u(1) = -1;  // foot 1 approaches at 1 m/s and penetrates, foot 0 is held, foot 2 is far away
  Held held;
  CHECK(!held.holds(0) && held.closed(0, Real(0)) && !held.closed(0, Real(1)));  // by the gap
  held.holding = true;
  held.before.mode = {Mode::constraint, Mode::constraint, Mode::impressed,
                      Mode::impressed,  Mode::impressed,  Mode::impressed};
  held.begin(feet, A, Real(1e-3));
  CHECK(held.holds(0) && held.closed(0, Real(1)));
  CHECK(!held.holds(1) && held.closed(1, Real(-0.01)) && !held.closed(2, Real(1)));

  A.u(1) = 1;  // separating: a penetrating contact is not closed, and there is no impact
  held.begin(feet, A, Real(1e-3));
  CHECK(held.holds(0) && !held.closed(1, Real(-0.01)) && !held.closed(1, Real(0)));
  A.u(1) = -1;
  A.u(0) = 4;
  A.q(0) = 1;
  feet.turn = Real(0.5);  // foot 0 lifts off at 1 m/s while foot 1 has an impact at 1 m/s: it takes part in the impact
  held.begin(feet, A, Real(1e-3));
  CHECK(!held.holds(0) && held.closed(0, Real(-0.01)) && !held.closed(0, Real(0.01)));
}

// Feet that share friction: a foot at its bound sticks together with the other while it has zero slip.
void test_shared_friction_sticks(void) {
  Feet feet;
  feet.rise = Real(1e12);  // not along the floor: no slip
  feet.drift = 3;
  moreau::State<Feet> E;
  E.u(0) = feet.drift;
  Held held;
  held.holding = true;
  held.begin(feet, E, Real(1e-3));
  const auto foot_1 = [&] { return held.discrete_state(feet, moreau::Judge<Real>{}, E).mode[3]; };
  E.sigma_N = {0, 0, 1};
  E.P_N = {Real(1), Real(1), Real(0)};
  E.P_T << Real(0.1), Real(0.5), Real(0);
  E.sigma_T = {0, 1, 1};
  CHECK(foot_1() == Mode::constraint);
  E.u(0) += Real(0.1);
  CHECK(foot_1() == Mode::pushes_plus);
  E.u(0) = feet.drift;
  E.sigma_T = {1, 1, 1};  // all slip
  CHECK(foot_1() == Mode::pushes_plus);
  E.sigma_T = {0, 1, 1};
  E.P_T(0, 0) = 0;  // the sticking one needs no friction percussion for it
  CHECK(foot_1() == Mode::constraint);
  E.P_T(0, 1) = 0;  // zero friction percussion; that of another foot does not count
  E.P_T(0, 2) = Real(0.5);
  CHECK(foot_1() == Mode::impressed);
  E.sigma_T[1] = 0;  // all stick
  CHECK(foot_1() == Mode::constraint);
}

// While contacts are held, the directions of a friction element are those at the end of the step.
struct TurningBrake : models::SlidingMass<Real> {
  moreau::FrictionDirections<Real, 2, 2> friction_directions(int, const Vector& q, Real) const {
    moreau::FrictionDirections<Real, 2, 2> d{};
    d.w(0, 0) = q(0);
    return d;
  }
};
void test_directions_of_held_elements(void) {
  const TurningBrake brake;
  moreau::State<TurningBrake> A;
  A.u(0) = 2;
  const TurningBrake::Vector q_M(Real(1), Real(0));
  const moreau::detail::Evaluation<TurningBrake> middle(brake, q_M, Real(0.5));
  moreau::detail::HeldContacts<TurningBrake> held;
  held.begin(brake, A, Real(1));
  CHECK(held.friction_directions(middle, 0).w(0, 0) == 1);
  held.holding = true;
  held.begin(brake, A, Real(1));
  CHECK(held.friction_directions(middle, 0).w(0, 0) == 2);
}

// Beam on two feet with light ends: a percussion at one foot lifts the other, so that sweeps converge slowly.
struct Beam {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 2, tangents = 0;
  using Vector = moreau::Vector<Real, 2>;
  using Matrix = moreau::Matrix<Real, 2, 2>;
  Matrix mass(const Vector&, Real) const { return Vector(Real(1), Real(0.25)).asDiagonal(); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(Real(-10), Real(0)); }
  Real gap(int i, const Vector& q, Real) const { return i == 0 ? q(0) - q(1) : q(0) + q(1); }
  moreau::Directions<Real, 2, 0> directions(int i, const Vector&, Real) const {
    moreau::Directions<Real, 2, 0> d;
    d.w_N = Vector(Real(1), i == 0 ? Real(-1) : Real(1));
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
};
// Of two base steps the first is inexact; the second, which starts from its percussions, is ok.
void test_status_of_the_worst_base_step(void) {
  using moreau::Status;
  constexpr Real dt = Real(1e-3);
  moreau::Psor rough;
  // A sweep reduces the error to 0.36: after this number it is above Judge::rtol, after twice the number below.
  rough.max_iterations = is_double ? 12 : 8;
  moreau::State<Beam> A, E;
  A.sigma_N = {0, 0};  // at rest
  const moreau::DiscreteState<Beam> stands{A};
  moreau::Stepper<Beam, moreau::Psor> stepper{Beam{}, A, rough};
  moreau::detail::HeldContacts<Beam> base;
  base.holding = true;
  base.before = stands;
  moreau::State<Beam> sub = A;
  for (const Status expected : {Status::inexact, Status::ok}) {
    base.begin(stepper.model, sub, dt / 2);
    CHECK_EQUAL(expected, stepper.advance(sub, dt / 2, base).status);
  }

  auto o = options();
  o.closed = moreau::Closed::held;
  o.substeps = moreau::Substeps::every;
  o.order_fixed = 2;  // one base step, then two
  moreau::detail::Extrapolation<moreau::Stepper<Beam, moreau::Psor>> extrapolation;
  moreau::detail::MainStep<Beam> step;
  CHECK(extrapolation.run(stepper, A, dt, false, stands, true, o, E, step) == Exit::smooth);
  CHECK_EQUAL(1 + 2, extrapolation.base_steps);
  CHECK_EQUAL(Status::inexact, step.status);
}

// Event function at a switching point, and its time (search.hpp).
template <class Model>
void check_event(const Model& model, const moreau::State<Model>& E, int law, moreau::detail::LawMode to, Real t,
                 Real f) {
  const auto value = moreau::detail::event_value(model, E, law, to);
  CHECK_WITHIN(1e-6, double(t), double(value.t));
  CHECK_WITHIN(1e-6, double(f), double(value.f));
}
struct BrakedFeet : Feet {
  static constexpr int frictions = 1;  // along y, bound 3 N
  Real friction_bound(int, const Vector&, Real) const { return Real(3); }
  moreau::FrictionDirections<Real, 2, 1> friction_directions(int, const Vector&, Real) const {
    return {Vector(Real(0), Real(1)), Real(0)};
  }
};
void test_event_functions(void) {
  using moreau::detail::LawMode;
  Feet feet;
  moreau::State<Feet> E;
  E.clock = moreau::detail::Time<Real>(Real(1)).counted_in(Real(0.1)).next();  // ends at 1.1, midpoint at 1.05
  E.q(1) = Real(0.3);
  E.u(0) = Real(-0.2);
  E.P_N(1) = 2;
  E.P_T(0, 1) = Real(-0.4);
  check_event(feet, E, 2, LawMode::closed, Real(1.1), Real(0.3));     // the gap
  check_event(feet, E, 2, LawMode::open, Real(1.05), 2 / Real(0.1));  // the mean force
  check_event(feet, E, 3, LawMode::stick, Real(1.1), Real(0.2));      // the slip speed
  check_event(feet, E, 3, LawMode::slip, Real(1.1), Real(0.2));       // the slip direction reverses
  E.sigma_T[1] = 0;
  check_event(feet, E, 3, LawMode::slip, Real(1.05), (1 - Real(0.4)) / Real(0.1));  // unused friction

  models::SlidingMass<Real> mass;  // bound 2 N
  moreau::State<models::SlidingMass<Real>> S;
  S.clock = E.clock;
  S.u = {Real(3), Real(4)};
  S.P_F << Real(0.03), Real(0.04);
  check_event(mass, S, 0, LawMode::stick, Real(1.1), Real(5));
  check_event(mass, S, 0, LawMode::slip, Real(1.1), Real(5));
  S.sigma_F[0] = 0;
  check_event(mass, S, 0, LawMode::slip, Real(1.05), 2 - Real(0.5));

  const BrakedFeet braked;  // laws 0 to 5 belong to the contacts, 6 to the element
  moreau::State<BrakedFeet> K;
  K.clock = E.clock;
  K.u = {Real(-0.2), Real(0.7)};
  K.P_F(0, 0) = Real(-0.1);
  check_event(braked, K, 3, LawMode::slip, Real(1.1), Real(0.2));
  check_event(braked, K, 6, LawMode::slip, Real(1.1), Real(0.7));
  K.sigma_F[0] = 0;
  check_event(braked, K, 6, LawMode::slip, Real(1.05), 3 - Real(1));

  moreau::State<Ball> B;  // frictionless: no event function
  B.clock = E.clock;
  check_event(Ball{}, B, 1, LawMode::stick, Real(1.1), 0);
}

// Next step from lo to hi. Without a prediction, or after three attempts that have not halved the interval: bisection.
// Otherwise up to just before the root of the secant, by the amount by which the root has moved.
void test_search_for_a_switching_point(void) {
  const Ball ball;
  const Real dt_min(1e-4);
  const auto falls = [](Real t, Real z) {
    moreau::State<Ball> state;
    state.set_time(t);
    state.q(0) = z;
    return state;
  };
  Laws open{falls(0, 1)}, closed = open;
  closed.mode[0] = Laws::Mode::constraint;
  moreau::detail::Search<Ball> search;
  CHECK(!search.active());
  search.bracket(0, 4, open, closed);
  CHECK(search.active() && search.passed(4) && !search.passed(Real(3.9)));
  CHECK(search.next_dt(ball, falls(0, 1), falls(0, 1), false, dt_min) == 2);
  // For z = 1 - t the root is 1 at once. The first prediction has no previous root and is reduced by a quarter.
  const auto next = [&](Real lo) {
    return search.next_dt(ball, falls(lo - Real(0.125), Real(1.125) - lo), falls(lo, 1 - lo), true, dt_min);
  };
  CHECK_WITHIN(1e-6, 0.75 * 0.875, next(Real(0.125)));
  CHECK_WITHIN(1e-6, 0.75 - 1e-4, next(Real(0.25)));
  CHECK_WITHIN(1e-6, 1.75, next(Real(0.5)));   // the fourth attempt
  search.bracket(0, Real(1.5), open, closed);  // a second upper end of the same search
  CHECK_WITHIN(1e-6, 0.5 - 1e-4, next(Real(0.5)));
  search.stop();
  CHECK(!search.active());
}

// Next step size: the largest power of two, up to 8, for which the predicted error of the last column is below one
// half.
void test_step_size_prediction(void) {
  moreau::detail::MainStep<Ball> step;
  auto o = options();
  step.order = 6;
  const auto grows = [&](Real error) {
    step.error = error;
    return moreau::detail::growth(step, o);
  };
  const auto shrinks = [&](Real error) {
    step.error = error;
    return moreau::detail::reduction(step, o);
  };
  CHECK(grows(Real(1e-9)) == 2 && shrinks(Real(1e9)) == Real(0.5));  // doubling uses no prediction
  o.pace = moreau::Pace::predicted;
  CHECK(grows(Real(1e-9)) == 8 && grows(Real(0.4) / 64) == 2 && grows(Real(0.6)) == 1);
  CHECK(shrinks(Real(0.6)) == Real(0.5) && shrinks(Real(0.4) * 64 * 64) == Real(0.25) &&
        shrinks(Real(1e30)) == Real(1) / 64);
  step.order = 4;
  CHECK(grows(Real(0.6)) == 8);  // unused columns
  o.powers = moreau::Powers::even;
  step.order = 6;
  CHECK(grows(Real(0.4) / 32) == 2 && grows(Real(0.6) / 32) == 1);  // order 4 of the column before: dt^5
}

// Block that slides on a floor (mu = 0.5) against a brake of 3 N, pulled by 7 N across an ideal guide.
struct Sled {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 1, frictions = 1, bilaterals = 1;
  using Vector = moreau::Vector<Real, 3>;
  moreau::Matrix<Real, 3, 3> mass(const Vector&, Real) const { return moreau::Matrix<Real, 3, 3>::Identity(); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(Real(0), Real(-10), Real(7)); }
  Real gap(int, const Vector& q, Real) const { return q(1); }
  moreau::Directions<Real, 3> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 3> d;
    d.w_N = Vector(0, 1, 0);
    d.w_T = Vector(1, 0, 0);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0), Real(0), Real(0.5)}; }
  Real friction_bound(int, const Vector&, Real) const { return Real(3); }
  moreau::FrictionDirections<Real, 3> friction_directions(int, const Vector&, Real) const {
    return {Vector(1, 0, 0), Real(0)};
  }
  moreau::Bilateral<Real, 3> bilateral(int, const Vector& q, Real) const {
    moreau::Bilateral<Real, 3> row;
    row.w = Vector(0, 0, 1);
    row.g = q(2);
    return row;
  }
};

// The percussions of a main step are those of all its substeps: forces times dt.
void test_percussions_are_sums_over_the_substeps(void) {
  moreau::State<Sled> A, E;
  A.u(0) = 5;
  moreau::Stepper stepper{Sled{}, A};
  CHECK(stepper.step(Real(1e-3)).advanced());  // the contact is closed and slides
  A = stepper.state;
  auto o = options();
  o.order_fixed = 3;
  moreau::detail::Extrapolation<moreau::Stepper<Sled>> extrapolation;
  moreau::detail::MainStep<Sled> step;
  const Real dt(0.0625);
  CHECK(extrapolation.run(stepper, A, dt, false, moreau::DiscreteState<Sled>{A}, true, o, E, step) == Exit::smooth);
  CHECK(extrapolation.base_steps > 3);
  const Real rounding = Real(64) * std::numeric_limits<Real>::epsilon();
  CHECK_WITHIN(rounding, 10 * dt, E.P_N(0));
  CHECK_WITHIN(rounding, -5 * dt, E.P_T(0, 0));
  CHECK_WITHIN(rounding, -3 * dt, E.P_F(0, 0));
  CHECK_WITHIN(rounding, -7 * dt, E.P_B(0));
  CHECK_WITHIN(rounding, A.u(0) - 8 * dt, E.u(0));
}

// A whole run without allocation: a board's program has no heap to link with.
void test_run_without_a_heap(void) {
  const Ball ball;
  Stepper stepper{ball, models::state_at<Ball>(ball.start())};
  moreau::Adaptive run{stepper, options()};
  run.options.dt_max = Real(0.05);
  const auto s = run.advance_to(1);
  CHECK(s.status == moreau::Status::ok && s.switchings > 5);
  CHECK_WITHIN(1e-4, 0.0, stepper.state.q(0));
  moreau::port::print("a run of the ball: ", s.base_steps, " base steps, sizeof(Adaptive) ", sizeof run, "\n");
}

}  // namespace

TEST_MAIN({
  TEST(test_smooth);
  TEST(test_inaccurate);
  TEST(test_switching_and_resolved);
  TEST(test_report_of_a_main_step);
  TEST(test_failed);
  TEST(test_status_of_the_worst_base_step);
  TEST(test_step_size_prediction);
  TEST(test_look_ahead);
  TEST(test_held_contacts);
  TEST(test_shared_friction_sticks);
  TEST(test_directions_of_held_elements);
  TEST(test_event_functions);
  TEST(test_search_for_a_switching_point);
  TEST(test_percussions_are_sums_over_the_substeps);
  TEST(test_run_without_a_heap);
})
