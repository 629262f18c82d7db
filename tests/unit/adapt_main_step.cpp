// The ways a main step can end (SLG08 Table II), one by one; on boards, too: nothing in an adaptive run allocates.
#include <moreau/moreau.hpp>

#include "models/falling_mass.hpp"
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
  ended.seen = extrapolation.seen();
  return ended;
}

// A parabola: two columns say that the second order is exact.
void test_smooth(void) {
  const Real dt(0.1);
  const Ended ended = main_step(1, 0, dt, false, options());
  CHECK(ended.exit == Exit::smooth && ended.step.status == moreau::Status::ok);
  CHECK(ended.step.order == 2 && ended.base_steps == 1 + 3);
  CHECK_WITHIN(is_double ? 1e-14 : 1e-6, 1 - 9.81 * 0.1 * 0.1 / 2, ended.E.q(0));
  CHECK_WITHIN(is_double ? 1e-14 : 1e-6, -0.981, ended.E.u(0));
  CHECK(ended.E.time() == dt && ended.step.t_A == 0 && ended.step.dt == dt && ended.step.error <= 1);
}

// A spring that is too stiff for the step and the order; and one that two substeps of dt_min cannot resolve.
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
  o.pace = moreau::Pace::predicted;  // then it is taken as it is
  CHECK(spring_exit(Real(0.05), o, order) == Exit::smooth);
  o.order_fixed = 2;  // as it is asked for, whatever the error
  CHECK(spring_exit(Real(0.05), o, order) == Exit::smooth);
  CHECK_EQUAL(2, order);
}

// The ball reaches the table within the step; in a minimal step that is the impact itself.
void test_switching_and_resolved(void) {
  const Ended switching = main_step(Real(0.01), -1, Real(0.1), false, options());
  CHECK(switching.exit == Exit::switching && switching.base_steps == 1);
  CHECK(switching.seen.of(0) == Laws::LawMode::closed);  // closed
  const Ended late = main_step(Real(0.07), -1, Real(0.1), false, options());
  CHECK(late.exit == Exit::switching && late.base_steps > 1);  // not in the middle of one step, but in a third of it
  const Ended resolved = main_step(Real(2e-5), -1, Real(1e-4), true, options());
  CHECK(resolved.exit == Exit::resolved && resolved.base_steps == 1 && resolved.step.order == 1);
  CHECK_WITHIN(1e-6, 0.7, resolved.E.u(0));
  CHECK(resolved.E.P_N(0) > 0 && resolved.E.time() == Real(1e-4));
}

void test_failed(void) {
  Ball broken;
  broken.eps_N = 2;
  const Ended ended = main_step(Real(2e-5), -1, Real(1e-4), true, options(), broken);
  CHECK(ended.exit == Exit::failed && ended.step.status == moreau::Status::invalid_argument);
}

// A whole run where nothing could be allocated: a board's program has no heap to link with.
void test_a_run_without_a_heap(void) {
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
  TEST(test_failed);
  TEST(test_a_run_without_a_heap);
})
