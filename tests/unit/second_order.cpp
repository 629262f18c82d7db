// second_order: impacts at their instants and contacts at rest, with every supported solver, against closed forms and
// adaptive runs; the data that a state carries from step to step.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <moreau/check/energy_audit.hpp>
#include <moreau/moreau.hpp>
#include <vector>

#include "models/cam.hpp"
#include "models/falling_mass.hpp"
#include "models/rolling_pin.hpp"
#include "models/shaken_table.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "papers/data/slider_crank.hpp"
#include "support/bits_hash.hpp"
#include "support/block.hpp"
#include "support/second_order.hpp"
#include "support/test.hpp"

namespace {

using moreau::detail::absolute;
using test::Predicted, test::Second;

template <class Model>
using Stepper = moreau::Stepper<Model>;

template <class Model, class Solver = moreau::default_solver<Model>>
moreau::Stepper<Model, Solver> started(const Model& model = Model{}, const Solver& solver = Solver{}) {
  return moreau::Stepper<Model, Solver>{model, models::state_at<Model>(model.start()), solver};
}

using Ball = models::FallingMass<Real>;
using Toy = models::Woodpecker<Real>;
using Crank = models::SliderCrank<Real>;

// Height of the bouncing mass at time t, before the impacts accumulate.
double height(double t) {
  const Ball ball;
  const double g = double(ball.gravity), eps = double(ball.eps_N), t_1 = std::sqrt(2 * double(ball.z_0) / g);
  if (t < t_1) return double(ball.z_0) - g * t * t / 2;
  double from = t_1, u = eps * g * t_1;
  while (t > from + 2 * u / g) from += 2 * u / g, u *= eps;
  return u * (t - from) - g * (t - from) * (t - from) / 2;
}
// Largest error of the height in 0.5 s, with three impacts. Median of five similar step sizes, because the error of one
// run depends on the phase of its impacts within their steps.
template <class Model>
double ball_error(double dt) {
  double errors[5];
  for (int j = 0; j < 5; ++j) {
    const double h = dt * (1 + 0.031 * j);
    auto stepper = started<Model>();
    double worst = 0;
    for (int n = 1; n * h < 0.5; ++n) {
      CHECK(stepper.step(Real(h)).status == moreau::Status::ok);
      worst = std::fmax(worst, std::fabs(double(stepper.state.q(0)) - height(n * h)));
    }
    errors[j] = worst;
  }
  std::sort(errors, errors + 5);
  return errors[2];
}
// The force is constant, so the steps are of second order through impacts.
void test_bouncing_mass(void) {
  const double plain = ball_error<Ball>(1e-3), error = ball_error<Second<Ball>>(1e-3);
  const double coarse = ball_error<Second<Ball>>(4e-3);
  moreau::port::print("bouncing mass at 1e-3 s: error ", plain, " m, second order ", error, " m, at 4e-3 s ", coarse);
  CHECK(plain > 1e-3);
  CHECK(error < plain / 20);
  CHECK(coarse / error > 10);  // 16 for an exact second order
}

// After the impacts have accumulated, the mass rests, with the force m g and gap 0.
void test_accumulation_ends_in_rest(void) {
  auto stepper = started<Second<Ball>>();
  for (int n = 0; n < 2000; ++n) CHECK(stepper.step(Real(1e-3)).status == moreau::Status::ok);
  CHECK(stepper.state.rests(0));
  CHECK(stepper.contact(0).closed);
  CHECK(stepper.state.u(0) == Real(0));
  CHECK_WITHIN(1e-6, 0, stepper.state.q(0));
  CHECK_WITHIN(1e-4, 9.81, stepper.contact(0).force_N);
}

// Largest error of q against an adaptive run, in n intervals up to t_end.
template <class Model, class Base>
double error_of(const Model& model, const Base& base, double dt, double t_end, int n) {
  auto reference = started<Base>(base);
  moreau::AdaptiveOptions<Real> options;
  if (sizeof(Real) == 8) options.dt_min = Real(1e-9);
  moreau::Adaptive run{reference, options};
  auto stepper = started<Model>(model);
  double worst = 0;
  const long steps = std::lround(t_end / dt);
  long done = 0;
  for (int k = 1; k <= n; ++k) {
    CHECK(run.advance_to(Real(t_end * k / n)).finished());
    for (; done < steps * k / n; ++done) CHECK(stepper.step(Real(dt)).status == moreau::Status::ok);
    for (int j = 0; j < Base::dof; ++j)
      worst = std::fmax(worst, std::fabs(double(stepper.state.q(j) - reference.state.q(j))));
  }
  return worst;
}
void test_woodpecker(void) {
  const Toy base;
  const double plain = error_of(base, base, 1e-4, 0.1, 10), error = error_of(Second<Toy>{}, base, 1e-4, 0.1, 10);
  moreau::port::print("woodpecker, 0.1 s: error ", plain, ", second order ", error);
  CHECK(error < plain / 8);
}
// A slider with the inertia of a slab, and a tilted start: the corners touch one after the other.
template <class Model>
struct Slab : Model {
  Slab() { this->J_3 = Real(7.9167e-5), this->eps_N = Real(0.9); }
  models::Start<Real, 3> start() const { return Model::start_tilted(); }
};
// Inertial forces change at every impact. Without their change in the next step, the error is 20 times as large.
void test_inertial_forces_change_at_impacts(void) {
  Second<Crank> crank;
  crank.eps_N = Real(0.4);
  moreau::Stepper<Second<Crank>> stepper{crank, models::state_at<Second<Crank>>(crank.start())};
  const double dt = 5e-5;
  double worst = 0;
  long n = 0;
  for (const auto& row : data::crank_symmetric_04) {
    for (; (double(n) + 0.5) * dt < row[0]; ++n) CHECK(stepper.step(Real(dt)).advanced());
    const double rest = row[0] - double(n) * dt;
    for (int j = 0; j < 2; ++j)
      worst = std::fmax(worst, std::fabs(double(stepper.state.q(j)) + rest * double(stepper.state.u(j)) - row[1 + j]));
  }
  moreau::port::print("slider-crank of the paper, eps 0.4: largest error ", worst, " rad");
  CHECK(worst < 1.5e-3);
}
void test_slider_crank(void) {
  const double plain = error_of(Slab<Crank>{}, Slab<Crank>{}, 1e-4, 0.02, 10);
  const double error = error_of(Slab<Second<Crank>>{}, Slab<Crank>{}, 1e-4, 0.02, 10);
  moreau::port::print("slider-crank, 0.02 s: error ", plain, ", second order ", error);
  CHECK(error < plain / 8);
}

// Every solver solves the same problem. Tolerances: that of the acceptance test, multiplied by the impacts.
template <template <class> class Rule = Second, moreau::Timing timing = moreau::Timing::variable, class Solver>
double distance_to_exact(const Solver& solver) {
  using Model = Rule<Toy>;
  auto exact = started<Model>();
  moreau::Stepper<Model, Solver, timing> other{Model{}, models::state_at<Model>(Toy{}.start()), solver};
  double worst = 0;
  for (int n = 0; n < 1000; ++n) {
    CHECK(exact.step(Real(1e-4)).status == moreau::Status::ok);
    CHECK(other.step(Real(1e-4)).status == moreau::Status::ok);
    for (int j = 0; j < 3; ++j) worst = std::fmax(worst, std::fabs(double(exact.state.q(j) - other.state.q(j))));
  }
  return worst;
}
void test_solvers(void) {
  const double tolerance = sizeof(Real) == 8 ? 1e-6 : 1e-3;
  moreau::Psor psor;
  psor.max_iterations = 10000;
  CHECK_WITHIN(tolerance, 0, distance_to_exact(moreau::Lemke{}));
  CHECK_WITHIN(tolerance, 0, distance_to_exact(psor));
  CHECK_WITHIN(tolerance, 0, distance_to_exact(moreau::Newton{}));
  CHECK_WITHIN(tolerance, 0, distance_to_exact(moreau::Sweeps{200}));
  CHECK_WITHIN(tolerance, 0, distance_to_exact(moreau::Cascade<moreau::Psor, moreau::Lemke>{}));
}

// Both timing modes and ClosedForms: bit-identical to Exact in variable time, without fallbacks.
template <class Model, class Solver, moreau::Timing timing>
std::uint64_t hash_after(Real dt, int steps) {
  const Model model;
  moreau::Stepper<Model, Solver, timing> stepper{model, models::state_at<Model>(model.start())};
  test::BitsHash hash;
  int most = 0;
  for (int n = 0; n < steps; ++n) {
    const auto report = stepper.step(dt);
    CHECK_EQUAL(moreau::Status::ok, report.status);
    if (stepper.constant_covers.holds) CHECK_EQUAL(0, report.fallbacks);
    most = std::max(most, report.active);
    for (int j = 0; j < Model::dof; ++j) hash.add(stepper.state.q(j)), hash.add(stepper.state.du_held(j));
    for (int i = 0; i < Model::contacts; ++i) hash.add(stepper.state.P_N(i));
    hash.add(float(stepper.state.resting[0]));
  }
  CHECK_EQUAL(std::min(int(Model::contacts), moreau::detail::closed_at_once<Model>), most);
  return hash.value();
}
template <class Model>
void check_timings(Real dt, int steps) {
  using moreau::Timing;
  const auto expected = hash_after<Model, moreau::Exact, Timing::variable>(dt, steps);
  CHECK((expected == hash_after<Model, moreau::Exact, Timing::constant>(dt, steps)));
  CHECK((expected == hash_after<Model, moreau::ClosedForms, Timing::variable>(dt, steps)));
  CHECK((expected == hash_after<Model, moreau::ClosedForms, Timing::constant>(dt, steps)));
}
void test_timings(void) {
  check_timings<Second<Crank>>(Real(1e-5), 3000);
  check_timings<Second<Toy>>(Real(1e-4), 3000);
  check_timings<Second<models::Cam<Real>>>(Real(1e-4), 1000);
  check_timings<Predicted<Crank>>(Real(1e-5), 3000);
  check_timings<Predicted<Toy>>(Real(1e-4), 3000);
}

// Contacts close in the step in which their gap would end: smaller errors, and no penetration at the ends of the steps.
void test_predicted_gaps(void) {
  const double mass = ball_error<Second<Ball>>(1e-3), predicted_mass = ball_error<Predicted<Ball>>(1e-3);
  moreau::port::print("bouncing mass at 1e-3 s: second order ", mass, " m, with predicted gaps ", predicted_mass);
  CHECK(predicted_mass < 0.8 * mass);
  const double crank = error_of(Slab<Second<Crank>>{}, Slab<Crank>{}, 2e-5, 0.02, 10);
  const double predicted_crank = error_of(Slab<Predicted<Crank>>{}, Slab<Crank>{}, 2e-5, 0.02, 10);
  moreau::port::print("slider-crank, 0.02 s: second order ", crank, ", with predicted gaps ", predicted_crank);
  CHECK(predicted_crank < (sizeof(Real) == 8 ? 0.8 : 1.01) * crank);  // rounding errors dominate in float
  auto ball = started<Predicted<Ball>>();
  double deepest = 0;
  for (int n = 0; n < 1000; ++n) {
    CHECK(ball.step(Real(1e-3)).status == moreau::Status::ok);
    deepest = std::fmin(deepest, double(ball.state.q(0)));
  }
  CHECK_WITHIN(9.81 * 1e-3 * 1e-3, 0, deepest);  // the fall due to the acceleration in one step; 2e-3 m otherwise
  const double tolerance = sizeof(Real) == 8 ? 1e-6 : 1e-3;
  CHECK_WITHIN(tolerance, 0, distance_to_exact<Predicted>(moreau::Lemke{}));
  CHECK_WITHIN(tolerance, 0, distance_to_exact<Predicted>(moreau::Sweeps{200}));
  CHECK_WITHIN(tolerance, 0, (distance_to_exact<Predicted, moreau::Timing::constant>(moreau::Sweeps{200})));
}

// Contacts at rest on an accelerating and on a rotating surface.
template <class Model>
void check_force(const Model& model, double dt_0, double dt_1, double tolerance) {
  auto stepper = started<Model>(model);
  double worst = 0;
  for (int n = 0; n < 4000; ++n) {
    const Real dt = Real(n % 2 == 0 ? dt_0 : dt_1), t = stepper.state.time() + dt / 2;
    CHECK(stepper.step(dt).status == moreau::Status::ok);
    if (n < 2) continue;
    CHECK(stepper.state.P_N(0) > Real(0));
    worst = std::fmax(worst, std::fabs(double(stepper.contact(0).force_N / model.contact_force(t)) - 1));
  }
  moreau::port::print("largest force error ", worst);
  CHECK_WITHIN(tolerance, 0, worst);
}
void test_contact_at_rest(void) {
  const double rounding = sizeof(Real) == 8 ? 0 : 5e-4;
  Second<models::Cam<Real>> cam;
  cam.omega = Real(100);
  check_force(cam, 5e-5, 5e-5, 1e-5 + rounding);
  check_force(cam, 5e-5, 1e-4, 1e-4 + rounding);  // varying dt
  check_force(Second<models::ShakenTable<Real>>{}, 1e-4, 1e-4, 1e-3 + rounding);
}
void test_rolling_pin(void) {
  const Second<models::RollingPin<Real>> pin;
  auto stepper = started<Second<models::RollingPin<Real>>>(pin);
  const double start = double(pin.energy(stepper.state.q, stepper.state.u));
  const double swing = double(pin.m * pin.gravity * pin.play) * (1 - std::cos(double(pin.theta)));  // J
  double gap = 0, change = 0;
  for (int n = 0; n < 20000; ++n) {
    CHECK(stepper.step(Real(1e-4)).status == moreau::Status::ok);
    CHECK(stepper.state.rests(0));
    gap = std::fmax(gap, std::fabs(double(stepper.contact(0).gap_M)));
    change = std::fmax(change, std::fabs(double(pin.energy(stepper.state.q, stepper.state.u)) - start) / swing);
  }
  moreau::port::print("rolling pin, 2 s: energy error ", change, " of the swing, gap ", gap, " m");
  CHECK_WITHIN(1e-7, 0, gap);
  CHECK_WITHIN(sizeof(Real) == 8 ? 1e-4 : 1e-3, 0, change);
}

// Sliding block with drag: the predicted velocity requires the friction of the previous step (du_held).
struct Dragged : Second<test::Block<Real>> {
  Dragged() { contact_law.mu = Real(0.3); }
  Q force(const Q& q, const Q& u, Real t) const {
    return Second<test::Block<Real>>::force(q, u, t) - u * absolute(u(0));
  }
};
void test_sliding_with_drag(void) {
  // m u' = -c - u^2 with c = mu m g: u = sqrt(c) tan(atan(u_0 / sqrt(c)) - sqrt(c) t / m).
  const double m = 0.7, root = std::sqrt(0.3 * 6.867), t_end = 0.25;
  const double exact = root * std::tan(std::atan(2 / root) - root * t_end / m);
  const auto error = [&](int n) {
    moreau::State<Dragged> start;
    start.u(0) = Real(2);
    Stepper<Dragged> stepper{Dragged{}, start};
    for (int i = 0; i < n; ++i) CHECK(stepper.step(Real(t_end / n)).status == moreau::Status::ok);
    return std::fabs(double(stepper.state.u(0)) - exact);
  };
  const double coarse = error(25), fine = error(50);
  moreau::port::print("sliding with drag: error ", coarse, ", ratio ", coarse / fine);
  CHECK(coarse < 5e-3);
  CHECK(coarse / fine > 3);  // 4 for second order, 2 for first order
}

// A program moves a resting block away from its surface: the contact opens, and closes when the block returns.
struct Positioned : Second<test::Block<Real>> {
  Real allowed_penetration(int) const { return Real(1e-6); }
};
void test_contact_moved_away(void) {
  Stepper<Positioned> stepper{Positioned{}, {}};
  for (int n = 0; n < 10; ++n) CHECK(stepper.step(Real(1e-4)).status == moreau::Status::ok);
  CHECK(stepper.state.rests(0));
  stepper.state.q(1) += Real(1e-3);
  int open = 0;
  while (open < 1000 && stepper.state.q(1) > Real(2e-5)) {
    CHECK(stepper.step(Real(1e-4)).status == moreau::Status::ok);
    CHECK(stepper.state.P_N(0) == Real(0));
    ++open;
  }
  CHECK_WITHIN(5, std::sqrt(2 * 1e-3 / 9.81) / 1e-4, open);  // free fall
  for (int n = 0; n < 200; ++n) CHECK(stepper.step(Real(1e-4)).status == moreau::Status::ok);
  CHECK(stepper.state.rests(0));
  CHECK_WITHIN(1e-5, 0, stepper.state.q(1));
}

// Spatial block: three sliding blocks would do; one on two tangents rests, slides and stops.
struct Slider {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 1, tangents = 2;
  static constexpr bool second_order = true, constant_directions = true, constant_mass = true;
  using Q = moreau::Vector<Real, 3>;
  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const { return moreau::Matrix<Real, 3, 3>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q(0, 0, Real(-9.81)); }
  Real gap(int, const Q& q, Real) const { return q(2); }
  moreau::Directions<Real, 3, 2> directions(int, const Q&, Real) const {
    moreau::Directions<Real, 3, 2> d;
    d.w_N = Q(0, 0, 1);
    d.w_T(0, 0) = d.w_T(1, 1) = 1;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0.3), Real(0), Real(0.2)}; }
};
void test_sliding_in_space(void) {
  moreau::State<Slider> start;
  start.u = Slider::Q(Real(0.6), Real(0.8), 0);
  Stepper<Slider> stepper{Slider{}, start};
  for (int n = 0; n < 600; ++n) CHECK(stepper.step(Real(1e-3)).status == moreau::Status::ok);
  // Stops after 1 / (0.2 * 9.81) s, 1 / (2 * 0.2 * 9.81) m away; the first step has no percussion at rest yet.
  CHECK_WITHIN(2e-3, 0.6 / (2 * 0.2 * 9.81), stepper.state.q(0));
  CHECK_WITHIN(2e-3, 0.8 / (2 * 0.2 * 9.81), stepper.state.q(1));
  CHECK(stepper.state.u(0) == Real(0) && stepper.state.u(1) == Real(0));
}

template <class Model>
std::uint64_t hash_of(const moreau::State<Model>& state) {
  test::BitsHash hash;
  for (int j = 0; j < Model::dof; ++j) hash.add(state.q(j)), hash.add(state.u(j));
  for (int i = 0; i < Model::contacts; ++i) hash.add(state.P_N(i));
  return hash.value();
}

// A restored state continues bit-identically; a state without du_held and resting does not.
void test_saved_state(void) {
  using Model = Second<models::Cam<Real>>;
  auto stepper = started<Model>();
  for (int n = 0; n < 300; ++n) CHECK(stepper.step(Real(1e-4)).advanced());
  CHECK(stepper.state.rests(0));
  std::vector<std::uint8_t> bytes(moreau::State<Model>::bytes);
  stepper.state.save(bytes.data());
  moreau::State<Model> restored, without;
  CHECK_EQUAL(moreau::Status::ok, restored.restore(bytes.data(), bytes.size()));
  without.q = restored.q, without.u = restored.u, without.clock = restored.clock;
  const auto hash_from = [](const moreau::State<Model>& state) {
    auto other = started<Model>();
    CHECK_EQUAL(moreau::Status::ok, other.set_state(state).status);
    for (int n = 0; n < 300; ++n) CHECK(other.step(Real(1e-4)).advanced());
    return hash_of(other.state);
  };
  const std::uint64_t expected = hash_from(stepper.state);
  CHECK(expected == hash_from(restored));
  CHECK(expected != hash_from(without));

  std::vector<std::uint8_t> plain(moreau::State<models::Cam<Real>>::bytes);
  started<models::Cam<Real>>().state.save(plain.data());
  CHECK(plain.size() < bytes.size() && plain[4] != bytes[4]);
  CHECK_EQUAL(moreau::Status::invalid_argument, restored.restore(plain.data(), plain.size()));
}

// Adaptive runs follow their own rule, and clear the data of fixed steps.
void test_adaptive_runs(void) {
  const auto run = [](auto& stepper) {
    moreau::Adaptive adaptive{stepper};
    CHECK(adaptive.advance_to(Real(0.02)).finished());
    return hash_of(stepper.state);
  };
  auto plain = started<Toy>();
  auto second = started<Second<Toy>>();
  CHECK(run(plain) == run(second));
  CHECK(second.step(Real(1e-4)).advanced() && second.step(Real(1e-4)).advanced());
  CHECK(second.state.resting[0] != 0);
  CHECK(moreau::Adaptive{second}.advance_to(Real(0.025)).finished());
  CHECK(second.state.resting[0] == 0 && second.state.du_held == (moreau::Vector<Real, 3>::Zero()));
}

// Light rod: one end hits the floor, while the other end, also closed, separates.
struct Rod {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 2, tangents = 0;
  static constexpr bool second_order = true, constant_directions = true;
  using Q = moreau::Vector<Real, 2>;  // height, angle
  static constexpr Real J{Real(1e-3)}, eps{Real(0.9)};
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return Q(1, J).asDiagonal(); }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  Real gap(int i, const Q& q, Real) const { return directions(i, q, 0).w_N.dot(q); }
  moreau::Directions<Real, 2, 0> directions(int i, const Q&, Real) const {
    moreau::Directions<Real, 2, 0> d;
    d.w_N = Q(1, i == 0 ? Real(1) : Real(-1));
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {eps, Real(0), Real(0)}; }
  Real energy(const Q& u) const { return (u(0) * u(0) + J * u(1) * u(1)) / Real(2); }
};
template <moreau::Timing timing>
void check_rod() {
  moreau::State<Rod> start;
  start.q = Rod::Q(Real(-0.01), 0);
  start.u = Rod::Q(Real(-0.1), Real(-10));
  moreau::Stepper<Rod, moreau::Exact, timing> stepper{Rod{}, start};
  CHECK_EQUAL(moreau::Status::ok, stepper.step(Real(1e-4)).status);
  const Real hit = stepper.state.u(0) + stepper.state.u(1), separated = stepper.state.u(0) - stepper.state.u(1);
  CHECK_WITHIN(1e-4, 0.9 * 10.1, hit);
  CHECK_WITHIN(1e-4, -0.9 * 9.9, separated);  // not 0: the energy would be 180 times larger
  CHECK(Rod{}.energy(stepper.state.u) < Rod{}.energy(start.u));
}
void test_separating_contact(void) {
  check_rod<moreau::Timing::variable>();
  check_rod<moreau::Timing::constant>();
}

// No step of these motions gains energy in its contacts.
void test_energy(void) {
  const auto gains = [](auto stepper, Real dt, int steps) {
    int count = 0;
    for (int n = 0; n < steps; ++n) count += moreau::audited_step(*stepper, dt).energy.gain;
    return count;
  };
  auto toy = started<Second<Toy>>();
  CHECK_EQUAL(0, gains(&toy, Real(1e-4), 3000));
  auto crank = started<Slab<Second<Crank>>>();
  CHECK_EQUAL(0, gains(&crank, Real(1e-5), 3000));
  auto pin = started<Second<models::RollingPin<Real>>>();
  CHECK_EQUAL(0, gains(&pin, Real(1e-4), 1000));
}

}  // namespace

TEST_MAIN({
  TEST(test_bouncing_mass);
  TEST(test_accumulation_ends_in_rest);
  TEST(test_woodpecker);
  TEST(test_slider_crank) TEST(test_inertial_forces_change_at_impacts);
  TEST(test_solvers);
  TEST(test_timings);
  TEST(test_contact_at_rest);
  TEST(test_rolling_pin);
  TEST(test_sliding_with_drag);
  TEST(test_contact_moved_away);
  TEST(test_sliding_in_space);
  TEST(test_saved_state);
  TEST(test_adaptive_runs);
  TEST(test_predicted_gaps);
  TEST(test_separating_contact);
  TEST(test_energy);
})
