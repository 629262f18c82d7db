// Adaptive runs at their limits: no contacts, ideal joints, non-finite model values, invalid options. They end with a
// status, and the state is the last accepted one.
#include <cmath>
#include <limits>
#include <moreau/moreau.hpp>

#include "models/falling_mass.hpp"
#include "support/test.hpp"

namespace {

using moreau::Status;
using Options = moreau::AdaptiveOptions<Real>;
constexpr bool is_double = sizeof(Real) == 8;
constexpr Real nan_value = std::numeric_limits<Real>::quiet_NaN(), infinite = std::numeric_limits<Real>::infinity();

Options quick() {
  Options o = Options::paper();
  o.dt_min = Real(is_double ? 1e-7 : 1e-5);
  o.dt_max = Real(0.02);
  o.atol = o.rtol = Real(is_double ? 1e-9 : 1e-4);
  return o;
}
Options sharp() {
  Options o = quick();
  o.locate = moreau::Locate::secant;
  o.pace = moreau::Pace::predicted;
  o.force_at = moreau::ForceAt::predicted;
  o.closed = moreau::Closed::held;
  return o;
}

// x" = -x, with a force, a mass and a wrap that can become non-finite.
struct Swing {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 0;
  using Vector = moreau::Vector<Real, 1>;
  Real force_ends = Real(1e9), m = 1, wrap_ends = Real(1e9);

  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return Vector(m); }
  Vector force(const Vector& q, const Vector&, Real t) const { return Vector(t > force_ends ? nan_value : -q(0)); }
  Vector wrap(const Vector& q) const { return Vector(q(0) > wrap_ends ? nan_value : q(0)); }
};

moreau::State<Swing> pushed() {
  moreau::State<Swing> s;
  s.u(0) = 1;
  return s;
}

void test_without_contacts(void) {
  for (const Options& o : {quick(), sharp()}) {
    moreau::Stepper swing{Swing{}, pushed()};
    moreau::Adaptive run{swing, o};
    const auto s = run.advance_to(Real(3));
    CHECK(s.status == Status::ok && s.switchings == 0);
    CHECK_WITHIN(is_double ? 1e-7 : 1e-2, std::sin(3.0), swing.state.q(0));
  }
}

// The run ends with the last accepted state, finite and in time order, and reports status and cause.
void check_ends_with(Status status, moreau::Cause cause, const Swing& model, Real latest) {
  for (const Options& o : {quick(), sharp()}) {
    moreau::Stepper swing{model, pushed()};
    moreau::Adaptive run{swing, o};
    Real recorded = 0;
    const auto s = run.advance_to(Real(3), [&](const auto& state, const auto&) { recorded = state.time(); });
    CHECK(s.status == status && !s.finished());
    CHECK_EQUAL(cause, s.cause);
    CHECK(swing.state.time() == recorded && recorded <= latest);
    CHECK(std::isfinite(swing.state.q(0)) && std::isfinite(swing.state.u(0)));
    CHECK(s.base_steps < 20000);
  }
}
void test_model_values_that_become_non_finite(void) {
  Swing model;
  model.force_ends = Real(0.5);
  check_ends_with(Status::not_finite, moreau::Cause::force, model, Real(0.5) + 2 * quick().dt_min);
  model = Swing{};
  model.wrap_ends = Real(0.5);
  check_ends_with(Status::not_finite, moreau::Cause::result, model, Real(0.5236) + 2 * quick().dt_min);  // asin 0.5
  model = Swing{};
  model.m = -1;
  check_ends_with(Status::mass_not_positive_definite, moreau::Cause::mass, model, Real(0));
}

void test_invalid_options(void) {
  const auto is_rejected = [](auto make_invalid) {
    for (Options o : {quick(), sharp()}) {
      make_invalid(o);
      moreau::Stepper swing{Swing{}, pushed()};
      moreau::Adaptive run{swing, o};
      const auto s = run.advance_to(Real(1));
      if (s.status != Status::invalid_argument || s.base_steps != 0 || swing.state.time() != 0) return false;
    }
    return true;
  };
  constexpr int largest = std::numeric_limits<int>::max();
  for (const Real x : {nan_value, infinite, Real(-1), Real(0)}) {
    CHECK(is_rejected([x](Options& o) { o.dt_min = x; }));
    CHECK(is_rejected([x](Options& o) { o.dt_max = x; }));
    CHECK(is_rejected([x](Options& o) { o.atol = o.rtol = x; }));
  }
  CHECK(is_rejected([](Options& o) { o.dt_max = o.dt_min / 2; }));
  CHECK(is_rejected([](Options& o) { o.rtol = -o.atol / 2; }));
  CHECK(is_rejected([](Options& o) { o.atol = -o.rtol / 2; }));
  for (const int order : {largest, -largest - 1, -1, 0})
    CHECK(is_rejected([order](Options& o) { o.order_max = order; }));
  for (const int order : {largest, -largest - 1, -1})
    CHECK(is_rejected([order](Options& o) { o.order_fixed = order; }));
  for (const auto powers : {moreau::Powers::every, moreau::Powers::even})
    CHECK(is_rejected([powers](Options& o) {
      o.powers = powers;
      o.order_max = largest;
    }));
  for (const int budget : {-1, 0}) CHECK(is_rejected([budget](Options& o) { o.base_steps_max = budget; }));
}

void test_invalid_end_times(void) {
  moreau::Stepper swing{Swing{}, pushed()};
  moreau::Adaptive run{swing, quick()};
  for (const Real t : {nan_value, infinite, -infinite, Real(-1), Real(1e30)})
    CHECK(run.advance_to(t).status == Status::invalid_argument && swing.state.time() == 0);
  CHECK(run.advance_to(0).status == Status::ok && swing.state.time() == 0);
  CHECK(run.advance_to(quick().dt_min / 1000).status == Status::ok);  // shorter than the smallest step
  CHECK(swing.state.time() == quick().dt_min / 1000);
  // a valid call is not affected by the rejected ones
  CHECK(run.advance_to(1).status == Status::ok && swing.state.time() == 1);
  swing.state.q(0) = nan_value;
  CHECK(run.advance_to(2).status == Status::not_finite);
  CHECK(swing.state.time() == 1);
}

// Negative times, and a start far from zero.
void test_result_is_independent_of_the_time_origin(void) {
  for (const Real t_0 : {Real(-4), Real(is_double ? 1e5 : 16)}) {
    auto start = pushed();
    start.set_time(t_0);
    moreau::Stepper swing{Swing{}, start};
    moreau::Adaptive run{swing, quick()};
    CHECK(run.advance_to(t_0 + 3).finished() && swing.state.time() == t_0 + 3);
    CHECK_WITHIN(is_double ? 1e-7 : 1e-2, std::sin(3.0), swing.state.q(0));
  }
}

// Pendulum as a point on a rod: one ideal joint with a rotating direction.
struct Pendulum {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0, bilaterals = 1;
  static constexpr bool constant_mass = true;
  using Vector = moreau::Vector<Real, 2>;
  moreau::Matrix<Real, 2, 2> mass(const Vector&, Real) const { return moreau::Matrix<Real, 2, 2>::Identity(); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(Real(0), Real(-9.81)); }
  moreau::Bilateral<Real, 2> bilateral(int, const Vector& q, Real) const {
    moreau::Bilateral<Real, 2> row;
    const Real r = moreau::sqrt(q(0) * q(0) + q(1) * q(1));
    row.g = r - 1;
    row.w = Vector(q(0) / r, q(1) / r);
    return row;
  }
};

void test_ideal_joints(void) {
  for (const Options& o : {quick(), sharp()}) {
    moreau::State<Pendulum> start;
    start.q(0) = 1;
    moreau::Stepper pendulum{Pendulum{}, start};
    moreau::Adaptive run{pendulum, o};
    const auto s = run.advance_to(Real(2));
    CHECK(s.status == Status::ok);
    const auto& [q, u] = std::tie(pendulum.state.q, pendulum.state.u);
    const double energy = double(u(0) * u(0) + u(1) * u(1)) / 2 + 9.81 * double(q(1));
    moreau::port::print("pendulum: length error ", double(moreau::sqrt(q(0) * q(0) + q(1) * q(1))) - 1,
                        " m, energy error ", energy, " J, ", s.base_steps, " base steps\n");
    CHECK_WITHIN(is_double ? 1e-8 : 1e-3, 1.0, moreau::sqrt(q(0) * q(0) + q(1) * q(1)));
    CHECK_WITHIN(is_double ? 1e-7 : 1e-2, 0.0, energy);
  }
}

// Mass on a shaking table whose acceleration stays below gravity: permanent contact.
struct Rider {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  using Vector = moreau::Vector<Real, 1>;
  Real A = Real(0.001), omega = 50;  // 2.5 m/s^2 < g
  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return Vector(Real(1)); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(Real(-9.81)); }
  Real gap(int, const Vector& q, Real t) const { return q(0) - A * moreau::sin(omega * t); }
  moreau::Directions<Real, 1, 0> directions(int, const Vector&, Real t) const {
    moreau::Directions<Real, 1, 0> d;
    d.w_N(0) = 1;
    d.zeta_N = -A * omega * moreau::cos(omega * t);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0.3), 0, 0}; }
};

void test_moving_surface(void) {
  for (Options o : {quick(), sharp()}) {
    o.closed = moreau::Closed::held;
    moreau::State<Rider> start;
    start.u(0) = Rider{}.A * Rider{}.omega;
    moreau::Stepper rider{Rider{}, start};
    moreau::Adaptive run{rider, o};
    double deepest = 0, highest = 0;
    const auto s = run.advance_to(1, [&](const auto& state, const auto&) {
      const double gap = double(state.q(0)) - 0.001 * std::sin(50 * double(state.time()));
      deepest = std::fmin(deepest, gap);
      highest = std::fmax(highest, gap);
    });
    CHECK(s.finished());
    moreau::port::print("on a shaking table: gap from ", deepest, " to ", highest, " m, ", s.base_steps,
                        " base steps\n");
    CHECK(s.base_steps < 30000);
    CHECK(deepest > -double(o.atol) && highest < double(o.atol));  // the error of q admitted per step
  }
}

// State, force and contact law can change between two calls.
void test_changes_between_calls(void) {
  using Ball = models::FallingMass<Real>;
  for (const Options& o : {quick(), sharp()}) {
    moreau::Stepper ball{Ball{}, models::state_at<Ball>(Ball{}.start())};
    moreau::Adaptive run{ball, o};
    CHECK(run.advance_to(1).finished());  // at rest
    ball.model.gravity = Real(-9.81);     // it lifts off
    CHECK(run.advance_to(Real(1.1)).finished());
    CHECK_WITHIN(is_double ? 1e-5 : 1e-3, 9.81 * 0.1 * 0.1 / 2, ball.state.q(0));
    ball.model.gravity = Real(9.81);
    ball.state.q(0) = Real(-0.001);  // below the table, approaching
    ball.state.u(0) = Real(-1);
    CHECK(run.advance_to(Real(1.1) + 10 * o.dt_min).finished());
    CHECK_WITHIN(1e-3, 0.7, ball.state.u(0));
    ball.model.eps_N = 2;
    ball.state.u(0) = Real(-1);
    ball.state.q(0) = Real(-0.001);
    CHECK(run.advance_to(2).status == Status::invalid_argument);
    ball.state.q(0) = Real(100);  // no impact in this call, yet rejected at once
    const Real t = ball.state.time();
    CHECK(run.advance_to(2).status == Status::invalid_argument && ball.state.time() == t);
  }
}

}  // namespace

TEST_MAIN({
  TEST(test_without_contacts);
  TEST(test_model_values_that_become_non_finite);
  TEST(test_invalid_options);
  TEST(test_invalid_end_times);
  TEST(test_result_is_independent_of_the_time_origin);
  TEST(test_ideal_joints);
  TEST(test_moving_surface);
  TEST(test_changes_between_calls);
})
