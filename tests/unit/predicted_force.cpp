// predicted_force: order two for velocity-dependent forces with every solver, in both timing modes and with ideal
// joints; bit-identical results of both timing modes; stability limits; no effect on other forces and on adaptive runs.
#include <moreau/check/energy_audit.hpp>
#include <moreau/check/model_checker.hpp>
#include <moreau/mechanism.hpp>

#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

using moreau::Timing;
using moreau::detail::absolute;

template <class Model>
struct Predicted : Model {
  static constexpr bool predicted_force = true;
};
static_assert(Predicted<models::Woodpecker<Real>>::predicted_force &&
                  !moreau::Traits<models::Woodpecker<Real>>::predicted_force,
              "off unless declared");

// Unit mass on a spring and a damper in polar coordinates (r, phi): M and all forces depend on q and u. The contact is
// out of reach.
template <int tangents_>
struct Polar {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 1, tangents = tangents_;
  using Vector = moreau::Vector<Real, 2>;
  moreau::Matrix<Real, 2, 2> mass(const Vector& q, Real) const { return Vector(1, q(0) * q(0)).asDiagonal(); }
  Vector force(const Vector& q, const Vector& u, Real) const {
    return Vector(q(0) * u(1) * u(1) - 4 * (q(0) - 1) - Real(0.5) * u(0),
                  -2 * q(0) * u(0) * u(1) - Real(0.5) * u(1) * absolute(u(1)));
  }
  Real gap(int, const Vector& q, Real) const { return q(0) + 10; }
  moreau::Directions<Real, 2, tangents> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 2, tangents> d;
    d.w_N = Vector(1, 0);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
  static moreau::State<Polar> start() {
    moreau::State<Polar> state;
    state.q = Vector(1, 0);
    state.u = Vector(Real(0.3), 2);
    return state;
  }
};

// Returns a start for a model that has the state of another model.
template <class Model, class Other>
moreau::State<Model> same_state(const moreau::State<Other>& other) {
  moreau::State<Model> state;
  state.q = other.q;
  state.u = other.u;
  return state;
}

// Returns the state after n steps over 1 s.
template <class Solver, Timing timing = Timing::variable, class Model>
moreau::State<Model> after_a_second(const Model& model, const moreau::State<Model>& start, int n) {
  moreau::Stepper<Model, Solver, timing> stepper{model, start};
  for (int i = 0; i < n; ++i) {
    const auto report = stepper.step(Real(1) / Real(n));
    CHECK_EQUAL(moreau::Status::ok, report.status);
    CHECK_EQUAL(0, report.fallbacks * int(stepper.constant_covers.holds));
  }
  return stepper.state;
}

// Returns the largest difference of two states in q and u.
template <class One, class Other>
Real distance(const One& a, const Other& b) {
  Real worst = Real(0);
  for (int j = 0; j < One::dof; ++j)
    for (const Real x : {a.q(j) - b.q(j), a.u(j) - b.u(j)}) worst = moreau::detail::larger(worst, absolute(x));
  return worst;
}

constexpr int few = 32, many = 64;  // steps per second: the errors are a thousand times the resolution of float
// Halved dt divides an error of order p by 2^p. Terms of the next order change this ratio by a few per cent at 32 steps
// per second.
constexpr Real first_order = Real(2), second_order = Real(4), around = Real(0.15);

// Order one without and order two with predicted_force, against an extrapolated reference.
template <class Solver, Timing timing, class Plain = Polar<1>>
void check_order(const char* name) {
  using Declared = Predicted<Plain>;
  moreau::Stepper<Plain, moreau::Exact> fine{Plain{}, Plain::start()};
  moreau::AdaptiveOptions<Real> options;
  options.dt_max = Real(0.02);
  moreau::Adaptive reference{fine, options};
  CHECK(reference.advance_to(Real(1)).finished());
  const auto ratio = [&](const auto& model, const auto& start, Real& error) {
    error = distance(after_a_second<Solver, timing>(model, start, many), fine.state);
    return distance(after_a_second<Solver, timing>(model, start, few), fine.state) / error;
  };
  Real plain_error, error;
  const Real plain = ratio(Plain{}, Plain::start(), plain_error);
  const Real predicted = ratio(Declared{}, same_state<Declared>(Plain::start()), error);
  moreau::port::print(name, ": errors ", plain_error, " and ", error, ", ratios ", plain, " and ", predicted);
  CHECK_WITHIN(around * first_order, first_order, plain);
  CHECK_WITHIN(around * second_order, second_order, predicted);
  CHECK(error < plain_error / 10);
}

void test_direct(void) {
  check_order<moreau::Exact, Timing::variable>("Exact");
  check_order<moreau::ClosedForms, Timing::variable>("ClosedForms");
  check_order<moreau::Cascade<moreau::Exact, moreau::Psor>, Timing::variable>("Cascade");
  check_order<moreau::Exact, Timing::constant>("Exact in constant time");
  check_order<moreau::ClosedForms, Timing::constant>("ClosedForms in constant time");
}
void test_active_set(void) {
  check_order<moreau::Lemke, Timing::variable>("Lemke");
  check_order<moreau::Psor, Timing::variable>("Psor");
  check_order<moreau::Newton, Timing::variable>("Newton");
  check_order<moreau::Sweeps, Timing::variable>("Sweeps");
}
void test_masked(void) {
  check_order<moreau::Newton, Timing::constant>("Newton in constant time");
  check_order<moreau::Sweeps, Timing::constant>("Sweeps in constant time");
}

// Drag proportional to the square of the speed of a body.
template <class R, int A, int B>
struct Drag {
  static constexpr int body_A = A, body_B = B;
  R c{1};  // kg/m
  moreau::Action<R> action(const moreau::BodyState<R>&, const moreau::BodyState<R>& B_state, R) const {
    const moreau::Point<R> v = B_state.v;
    const R f = -c * moreau::sqrt(dot(v, v));
    return {{}, {f * v, R(0)}};
  }
};

// Double pendulum with drag on both bars: M^-1 h violates all four rows of the ideal joints.
template <bool predicted>
struct Bars {
  using Real = ::Real;
  enum Names { upper, lower, bodies };
  static constexpr bool predicted_force = predicted, joint_coordinates = false, second_order = false;
  moreau::Body<Real> body[bodies] = {{Real(1), Real(0.1)}, {Real(0.5), Real(0.05)}};
  moreau::Revolute<Real, moreau::ground, upper> bearing{{}, {Real(-0.5), Real(0)}};
  moreau::Revolute<Real, upper, lower> pin{{Real(0.5), Real(0)}, {Real(-0.5), Real(0)}};
  Drag<Real, moreau::ground, upper> drag_1;
  Drag<Real, moreau::ground, lower> drag_2;
  moreau::Gravity<Real> gravity;
  auto parts() const { return std::tie(bearing, pin, drag_1, drag_2, gravity); }
};
template <bool predicted>
using Pendulum = moreau::Mechanism<Bars<predicted>>;

template <bool predicted>
moreau::State<Pendulum<predicted>> hanging_out() {
  moreau::State<Pendulum<predicted>> state;
  state.q << Real(0.5), 0, 0, Real(1.5), 0, 0;
  state.u << 0, 1, 2, 0, Real(2.5), 1;
  return state;
}

template <bool predicted, class Solver = moreau::Exact, Timing timing = Timing::variable>
auto swung(int n) {
  return after_a_second<Solver, timing>(Pendulum<predicted>{}, hanging_out<predicted>(), n);
}

// The prediction satisfies the velocity constraints of the joints. With u_A + dt/2 M^-1 h, the step stays of first
// order.
void test_ideal_joints(void) {
  moreau::Stepper<Pendulum<false>> fine{Pendulum<false>{}, hanging_out<false>()};
  moreau::AdaptiveOptions<Real> options;
  options.dt_max = Real(0.01);
  moreau::Adaptive reference{fine, options};
  CHECK(reference.advance_to(Real(1)).finished());
  const Real plain = distance(swung<false>(4 * many), fine.state);
  const Real coarse = distance(swung<true>(2 * many), fine.state), error = distance(swung<true>(4 * many), fine.state);
  moreau::port::print("double pendulum: error ", plain, ", predicted ", error, ", ratio ", coarse / error);
  CHECK_WITHIN(around * second_order, second_order, coarse / error);
  CHECK(error < plain / 10);
  CHECK(distance(swung<true, moreau::Psor>(many), swung<true>(many)) == Real(0));
  CHECK(distance(swung<true, moreau::Exact, Timing::constant>(many), swung<true>(many)) == Real(0));
}

using Crank = models::SliderCrank<Real>;
using Toy = models::Woodpecker<Real>;

template <class State>
void add_to(test::BitsHash& hash, const State& s) {
  for (int j = 0; j < State::dof; ++j) hash.add(s.q(j)), hash.add(s.u(j));
  for (int i = 0; i < State::contacts; ++i) hash.add(s.P_N(i)), hash.add(s.P_T(0, i));
}
template <class Model, Timing timing>
std::uint64_t bits_after(int steps, Real dt) {
  const Model model;
  moreau::Stepper<Model, moreau::Exact, timing> stepper{model, models::state_at<Model>(model.start())};
  test::BitsHash hash;
  for (int n = 0; n < steps; ++n) {
    CHECK(stepper.step(dt).advanced());
    add_to(hash, stepper.state);
  }
  return hash.value();
}

// With impacts, sliding and sticking, both timing modes are bit-identical. Forces that are independent of u give the
// bits of the default.
void test_bits(void) {
  constexpr int steps = often(4000);
  const Real dt = Real(2e-5);
  const std::uint64_t crank = bits_after<Predicted<Crank>, Timing::variable>(steps, dt);
  CHECK((crank == bits_after<Predicted<Crank>, Timing::constant>(steps, dt)));
  CHECK((crank != bits_after<Crank, Timing::variable>(steps, dt)));
  const std::uint64_t toy = bits_after<Toy, Timing::variable>(steps, dt);
  CHECK((toy == bits_after<Predicted<Toy>, Timing::variable>(steps, dt)));
  CHECK((toy == bits_after<Predicted<Toy>, Timing::constant>(steps, dt)));
}

// Crank angle after the first impact of the slider-crank.
void test_error_of_the_slider_crank(void) {
  constexpr Real t_end = Real(0.005), dt = Real(1e-4);
  const auto angle = [&](auto model) {
    using Model = decltype(model);
    moreau::Stepper<Model> stepper{model, models::state_at<Model>(model.start())};
    for (int n = 0; n < 50; ++n) CHECK(stepper.step(dt).advanced());
    return stepper.state.q(0);
  };
  moreau::Stepper<Crank> fine{Crank{}, models::state_at<Crank>(Crank{}.start())};
  moreau::Adaptive reference{fine};
  CHECK(reference.advance_to(t_end).finished());
  const Real plain = absolute(angle(Crank{}) - fine.state.q(0));
  const Real error = absolute(angle(Predicted<Crank>{}) - fine.state.q(0));
  moreau::port::print("slider-crank: error ", plain, ", predicted ", error);
  CHECK(plain > Real(1e-3));
  CHECK(error < plain / 5);
}

// AdaptiveOptions::force_at selects the force of an adaptive run, not the declaration.
void test_adaptive_runs(void) {
  const auto run = [](auto model, moreau::ForceAt force_at) {
    using Model = decltype(model);
    moreau::Stepper<Model> stepper{model, models::state_at<Model>(model.start())};
    moreau::AdaptiveOptions<Real> options;
    options.force_at = force_at;
    moreau::Adaptive adaptive{stepper, options};
    CHECK(adaptive.advance_to(Real(4e-3)).finished());
    test::BitsHash hash;
    add_to(hash, stepper.state);
    return hash.value();
  };
  for (const auto force_at : {moreau::ForceAt::begin, moreau::ForceAt::predicted})
    CHECK(run(Crank{}, force_at) == run(Predicted<Crank>{}, force_at));
}

// Unit mass on a spring and a damper, without contacts.
struct Damped {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 0;
  using Vector = moreau::Vector<Real, 1>;
  Real k{0}, d{0};
  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return Vector(Real(1)); }
  Vector force(const Vector& q, const Vector& u, Real) const { return Vector(-k * q(0) - d * u(0)); }
  Real potential(const Vector& q, Real) const { return k * q(0) * q(0) / 2; }
};

// Returns the largest speed in steps 391 to 400 of a motion from u = 1.
template <class Model>
Real late_speed(Real dt_omega, Real dt_delta) {
  const Real dt = Real(0.125);
  Model model;
  model.k = dt_omega * dt_omega / (dt * dt);
  model.d = dt_delta / dt;
  moreau::State<Model> start;
  start.u(0) = Real(1);
  moreau::Stepper<Model> stepper{model, start};
  Real largest = Real(0);
  for (int n = 0; n < 400; ++n) {
    (void)stepper.step(dt);
    if (n >= 390) largest = moreau::detail::larger(largest, absolute(stepper.state.u(0)));
  }
  return largest;
}

// The bound dt d/m < 2 is that of the default. Unlike the default, it holds for every dt omega < 2.
void test_stability(void) {
  using Declared = Predicted<Damped>;
  CHECK(late_speed<Damped>(Real(0), Real(1.95)) < Real(1e-3) && late_speed<Damped>(Real(0), Real(2.05)) > Real(1e3));
  CHECK(late_speed<Declared>(Real(0), Real(1.95)) < Real(1e-3) &&
        late_speed<Declared>(Real(0), Real(2.05)) > Real(1e3));
  for (const Real dt_omega : {Real(0.5), Real(1), Real(1.9)})
    for (const Real dt_delta : {Real(0.2), Real(1), Real(1.9)}) {
      CHECK(late_speed<Declared>(dt_omega, dt_delta) < Real(1e-2));
      const bool stable = dt_omega * dt_omega + 2 * dt_delta < Real(4);
      CHECK_EQUAL(stable, late_speed<Damped>(dt_omega, dt_delta) < Real(1));
    }
  CHECK(late_speed<Declared>(Real(2.1), Real(0)) > Real(1e3));

  moreau::CheckOptions<Real> options;
  options.dt = Real(0.125);
  Declared stiff;
  stiff.d = Real(2.1) / options.dt;
  const Declared::Vector q(Real(0.1)), u(Real(0.2));
  const auto report = moreau::check_model(stiff, q, u, Real(0), options);
  const auto damping = report.worst_of(moreau::CheckReport<Real>::Member::damping);
  CHECK(!damping.ok());
  CHECK_WITHIN(Real(0.01), 2.1, damping.deviation);
}

// The energy audit computes the work of the same force as the step.
template <class Model>
void check_audit(const Model& model, const moreau::State<Model>& start) {
  moreau::Stepper<Model> stepper{model, start};
  Real left_over = Real(0), work = Real(0);
  for (int n = 0; n < 20; ++n) {
    const auto audited = moreau::audited_step(stepper, Real(0.01));
    left_over = moreau::detail::larger(left_over, absolute(audited.energy.left_over));
    work = moreau::detail::larger(work, absolute(audited.energy.work_forces));
  }
  moreau::port::print("work ", work, " J, left over ", left_over, " J");
  CHECK(work > Real(1e-2));
  // Energies of about 10 J, rounded in sums of some ten terms.
  CHECK(left_over < Real(500) * moreau::detail::epsilon<Real>);
}
void test_audit(void) {
  Predicted<Damped> model;
  model.k = 10, model.d = 20;
  moreau::State<Predicted<Damped>> start;
  start.u(0) = Real(2);
  check_audit(model, start);
  check_audit(Pendulum<true>{}, hanging_out<true>());
}

}  // namespace

TEST_MAIN({
  TEST(test_direct);
  TEST(test_active_set);
  TEST(test_masked);
  TEST(test_ideal_joints);
  TEST(test_bits);
  TEST(test_error_of_the_slider_crank);
  TEST(test_adaptive_runs);
  TEST(test_stability);
  TEST(test_audit);
})
