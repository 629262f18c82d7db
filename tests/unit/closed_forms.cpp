// ClosedForms: the direct solutions of Exact, without Lemke and its workspace. All other problems are swept a fixed
// number of times and judged.
#include <limits>
#include <moreau/moreau.hpp>

#include "models/prismatic_joint.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/bits_hash.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

using moreau::ClosedForms;
using moreau::Status;
using moreau::Timing;
using Toy = models::Woodpecker<Real>;
using Crank = models::SliderCrank<Real>;
using Guide = models::PrismaticJoint<Real>;  // frictionless

// Whole trajectories on which Exact never needs its fallback: bit-identical.
template <class Model, Timing timing>
void check_same_as_exact(Real dt, int steps) {
  const Model model;
  const auto start = models::state_at<Model>(model.start());
  moreau::Stepper<Model, moreau::Exact, timing> exact{model, start};
  moreau::Stepper<Model, ClosedForms, timing> closed{model, start};
  for (int n = 0; n < steps; ++n) {
    const auto a = exact.step(dt), b = closed.step(dt);
    CHECK_EQUAL(a.status, b.status);
    CHECK_EQUAL(0, b.fallbacks);
    CHECK(a.residual == b.residual);
    CHECK(test::saved(exact.state) == test::saved(closed.state));
    for (int i = 0; i < Model::contacts; ++i) CHECK(exact.contact(i).gap_M == closed.contact(i).gap_M);
  }
}

// Random body of three coordinates with any number of closed contacts. Friction is weak and directions differ, so that
// the sweeps can converge.
struct RandomBody {
  using Real = ::Real;
  static constexpr int dof = 4, contacts = 6;
  using Q = moreau::Vector<Real, dof>;
  moreau::Matrix<Real, dof, dof> M;
  Q h;
  Real gaps[contacts];
  moreau::Directions<Real, dof> d[contacts];
  moreau::ContactLaw<Real> laws[contacts];

  explicit RandomBody(test::Random& random) {
    const auto number = [&] { return random.between(Real(-1), Real(1)); };
    M.setZero();
    for (int i = 0; i < dof; ++i) {
      M(i, i) = Real(1) + random.between(Real(0), Real(2));
      for (int j = 0; j < i; ++j) M(i, j) = M(j, i) = Real(0.2) * number();
      h(i) = number();
    }
    for (int i = 0; i < contacts; ++i) {
      gaps[i] = number();
      for (int j = 0; j < dof; ++j) {
        d[i].w_N(j) = number();
        d[i].w_T(j, 0) = i == 2 ? Real(0) : number();  // friction with a zero direction
      }
      d[i].zeta_N = number();
      d[i].zeta_T = number();
      laws[i] = {random.between(Real(0), Real(1)), Real(0), i == 1 ? Real(0) : random.between(Real(0), Real(0.3))};
    }
  }
  moreau::Matrix<Real, dof, dof> mass(const Q&, Real) const { return M; }
  Q force(const Q&, const Q&, Real) const { return h; }
  Real gap(int i, const Q&, Real) const { return gaps[i]; }
  moreau::Directions<Real, dof> directions(int i, const Q&, Real) const { return d[i]; }
  moreau::ContactLaw<Real> law(int i) const { return laws[i]; }
  Real mu(int i, Real v) const { return laws[i].mu / (Real(1) + v); }
};

// Against the prox iteration of ActiveContacts with the same number of sweeps: the same equations in another form,
// equal up to rounding, which sixty sweeps can amplify.
constexpr Real same_velocity = Real(3000) * std::numeric_limits<Real>::epsilon();

// Exact makes this step from the same state with the same outcome, bit-identically.
template <Timing timing>
[[gnu::noinline]] void check_as_exact(const RandomBody& model, const moreau::State<RandomBody>& before,
                                      const moreau::StepReport<Real>& report, const moreau::State<RandomBody>& after) {
  static moreau::Stepper<RandomBody, moreau::Exact, timing> exact{model,
                                                                  before};  // Lemke's workspace exceeds a small stack
  exact.model = model;
  exact.state = before;
  const auto expected_report = exact.step(Real(1e-3));
  CHECK(expected_report.status == report.status && expected_report.fallbacks == report.fallbacks);
  CHECK(test::saved(exact.state) == test::saved(after));
}

template <Timing timing>
void check_random_bodies() {
  test::Random random(71);
  int swept = 0, inexact = 0, stopped = 0;
  for (int n = 0; n < 1500; ++n) {
    const RandomBody model(random);
    moreau::State<RandomBody> state;
    for (int j = 0; j < RandomBody::dof; ++j) state.u(j) = random.between(Real(-2), Real(2));
    const ClosedForms options{1 + n % 60};
    moreau::Psor psor;
    psor.max_iterations = options.sweeps;
    psor.tolerance = 0;
    moreau::Stepper<RandomBody, ClosedForms, timing> closed{model, state, options};
    moreau::Stepper<RandomBody, moreau::Psor> general{model, state, psor};
    const auto a = closed.step(Real(1e-3));
    const auto b = general.step(Real(1e-3));
    CHECK_EQUAL(b.active, a.active);
    if (a.active > 2) CHECK_EQUAL(1, a.fallbacks);
    if (a.active <= 2 && options.sweeps <= 2) continue;  // iterations do not distinguish direct solution and sweeps
    if (a.iterations < options.sweeps) {
      check_as_exact<timing>(model, state, a, closed.state);
      continue;
    }
    ++swept;
    CHECK(a.iterations == options.sweeps && a.fallbacks == 1);
    // A sweep count above the limit, set after construction: every step that sweeps is rejected, and the state is
    // unchanged.
    moreau::Stepper<RandomBody, ClosedForms, timing> invalid{model, state, options};
    invalid.solver.sweeps = 10001;
    const auto rejected = invalid.step(Real(1e-3));
    CHECK_EQUAL(Status::invalid_argument, rejected.status);
    CHECK_EQUAL(moreau::Cause::solver, rejected.cause);
    CHECK(test::saved(invalid.state) == test::saved(state));
    invalid.solver = options;
    CHECK_EQUAL(a.status, invalid.step(Real(1e-3)).status);
    CHECK(test::saved(invalid.state) == test::saved(closed.state));
    inexact += a.status == Status::inexact;
    if (!a.advanced()) {
      ++stopped;
      CHECK(test::saved(closed.state) == test::saved(state));
    }
    CHECK_EQUAL(b.status, a.status);
    for (int j = 0; j < RandomBody::dof; ++j) CHECK_WITHIN(same_velocity, general.state.u(j), closed.state.u(j));
    if (b.iterations < psor.max_iterations) continue;  // converged earlier: sigma can depend on the last bit
    CHECK(closed.state.sigma_N == general.state.sigma_N && closed.state.sigma_T == general.state.sigma_T);
  }
  moreau::port::print(swept, " steps swept, of them ", inexact, " inexact, ", stopped, " without a solution\n");
  CHECK(swept > 700 && inexact > 50 && stopped > 5 && swept - inexact - stopped > 100);
}

// The same with a mass declared diagonal.
struct DiagonalRandomBody : RandomBody {
  static constexpr bool diagonal_mass = true;
  static constexpr bool touches(int, int) { return true; }
  explicit DiagonalRandomBody(test::Random& random) : RandomBody(random) {
    M = M.diagonal().asDiagonal().toDenseMatrix();
  }
};

// Constant mass: errors are detected on construction of the stepper, and by mass_changed().
template <Real (*bad)()>
struct Ball {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  static constexpr bool constant_mass = true;
  using Q = moreau::Vector<Real, 1>;
  Real m = bad();
  moreau::Matrix<Real, 1, 1> mass(const Q&, Real) const { return moreau::Matrix<Real, 1, 1>(m); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(-10) * (m > 0 ? m : 1)); }
  Real gap(int, const Q& q, Real) const { return q(0); }
  moreau::Directions<Real, 1, 0> directions(int, const Q&, Real) const {
    moreau::Directions<Real, 1, 0> d;
    d.w_N(0) = 1;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0.5), Real(0), Real(0)}; }
};
Real zero() { return 0; }
Real not_a_number() { return std::numeric_limits<Real>::quiet_NaN(); }

template <class Model, Timing timing>
void check_bad_mass(Status expected) {
  moreau::Stepper<Model, ClosedForms, timing> ball{Model{}, moreau::State<Model>{}};
  for (int n = 0; n < 2; ++n) CHECK_EQUAL(expected, ball.step(Real(1e-3)).status);
  ball.model.m = 1;
  ball.mass_changed();
  CHECK_EQUAL(Status::ok, ball.step(Real(1e-3)).status);
  ball.model.m = 0;
  ball.mass_changed();
  CHECK_EQUAL(Status::mass_not_positive_definite, ball.step(Real(1e-3)).status);
}

template <Timing timing>
void check_options() {
  moreau::Stepper<Toy, ClosedForms, timing> toy{Toy{}, models::state_at<Toy>(Toy{}.start()), ClosedForms{0}};
  CHECK_EQUAL(Status::invalid_argument, toy.step(Real(1e-4)).status);
  toy.solver.sweeps = 50;
  CHECK_EQUAL(Status::ok, toy.step(Real(1e-4)).status);
  const auto report = toy.step(Real(1e-4));  // the previous step was swept, this one is not
  CHECK(report.status == Status::ok && report.fallbacks == 0);
  toy.judge.rtol = Real(-1);
  CHECK_EQUAL(Status::invalid_argument, toy.step(Real(0)).status);
}

}  // namespace

void test_woodpecker(void) {
  check_same_as_exact<Toy, Timing::variable>(Real(1e-4), 5000);
  check_same_as_exact<Toy, Timing::constant>(Real(1e-4), 5000);
}
void test_slider_crank(void) {
  check_same_as_exact<Crank, Timing::variable>(Real(1e-5), 5000);
  check_same_as_exact<Crank, Timing::constant>(Real(1e-5), 5000);
}
void test_frictionless(void) {
  check_same_as_exact<Guide, Timing::variable>(Real(1e-5), 3000);
  check_same_as_exact<Guide, Timing::constant>(Real(1e-5), 3000);
}
void test_random_bodies_in_variable_time(void) { check_random_bodies<Timing::variable>(); }
void test_random_bodies_in_constant_time(void) { check_random_bodies<Timing::constant>(); }
// Zeros of the mass that are declared or detected: the same step.
void test_diagonal_mass(void) {
  test::Random random(72);
  int swept = 0;
  for (int n = 0; n < 100; ++n) {
    const DiagonalRandomBody declared(random);
    const RandomBody found = declared;
    moreau::Stepper<DiagonalRandomBody, ClosedForms> one{declared, moreau::State<DiagonalRandomBody>{}};
    moreau::Stepper<RandomBody, ClosedForms> other{found, moreau::State<RandomBody>{}};
    const auto a = one.step(Real(1e-3)), b = other.step(Real(1e-3));
    CHECK_EQUAL(b.status, a.status);
    CHECK_EQUAL(b.active, a.active);
    swept += a.fallbacks;
    for (int j = 0; j < RandomBody::dof; ++j) CHECK_WITHIN(same_velocity, other.state.u(j), one.state.u(j));
  }
  CHECK(swept > 50);
}
void test_bad_mass(void) {
  check_bad_mass<Ball<zero>, Timing::variable>(Status::mass_not_positive_definite);
  check_bad_mass<Ball<zero>, Timing::constant>(Status::mass_not_positive_definite);
  check_bad_mass<Ball<not_a_number>, Timing::variable>(Status::not_finite);
}
void test_options(void) {
  check_options<Timing::variable>();
  check_options<Timing::constant>();
}
void test_ram(void) {
  if (sizeof(Real) != 4) return;
  moreau::port::print("bytes: woodpecker ", sizeof(moreau::Stepper<Toy, ClosedForms>), ", in constant time ",
                      sizeof(moreau::Stepper<Toy, ClosedForms, Timing::constant>), "; slider-crank ",
                      sizeof(moreau::Stepper<Crank, ClosedForms>), ", in constant time ",
                      sizeof(moreau::Stepper<Crank, ClosedForms, Timing::constant>), "\n");
  CHECK(sizeof(moreau::Stepper<Toy, ClosedForms>) <= 440);  // 204 of them for stored contact data
  CHECK(sizeof(moreau::Stepper<Crank, ClosedForms>) <= 600);
}

TEST_MAIN({
  TEST(test_woodpecker);
  TEST(test_slider_crank);
  TEST(test_frictionless);
  TEST(test_random_bodies_in_variable_time);
  TEST(test_random_bodies_in_constant_time);
  TEST(test_diagonal_mass);
  TEST(test_bad_mass);
  TEST(test_options);
  TEST(test_ram);
})
