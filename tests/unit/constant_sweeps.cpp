// Sweeps in constant time against Psor with early termination: bit-identical where Psor uses all its sweeps, equal
// within velocity rounding elsewhere; the same status, residual and sigma.
#include <algorithm>
#include <cmath>
#include <limits>
#include <moreau/moreau.hpp>
#include <moreau/port/cycles.hpp>

#include "models/four_bar.hpp"
#include "models/oblique_oscillator.hpp"
#include "models/prismatic_joint.hpp"
#include "models/slider_crank.hpp"
#include "models/sliding_mass.hpp"
#include "models/woodpecker.hpp"
#include "support/anything.hpp"
#include "support/bits_hash.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

using moreau::Psor;
using moreau::Status;
using moreau::Sweeps;
using moreau::Timing;
using test::Anything;
using test::AnythingCorrected;

// Largest difference of two converged iterations, relative to the largest velocity before or after the step. Psor stops
// when a sweep changes less than two roundings of it, and up to twenty such sweeps can follow; the Jacobi variant
// converges slowly.
constexpr Real converged_tolerance = Real(1000) * std::numeric_limits<Real>::epsilon();

Psor sweeps(int n) {
  Psor psor;
  psor.max_iterations = n;
  psor.tolerance = 0;
  return psor;
}

struct Tally {
  int same = 0, converged_before = 0, stopped = 0, inexact = 0;
  std::uint32_t least = ~std::uint32_t{0}, most = 0;  // instructions, where the board counts them
  moreau::port::Stopwatch watch;
};

// Makes this step with both from the same state.
template <class Model>
[[gnu::noinline]] void step_both(const Model& model, moreau::State<Model>& state, const Psor& psor, Real dt,
                                 Tally& tally) {
  moreau::Stepper<Model, Psor> data{model, state, psor};
  moreau::Stepper<Model, Sweeps, Timing::constant> constant{
      model, state, {psor.max_iterations, psor.omega, psor.jacobi}};
  const auto a = data.step(dt);
  tally.watch.begin();
  const auto b = constant.step(dt);
  const std::uint32_t count = tally.watch.instructions();
  tally.least = count < tally.least ? count : tally.least;
  tally.most = count > tally.most ? count : tally.most;
  CHECK_EQUAL(0, b.fallbacks);
  CHECK_EQUAL(psor.max_iterations, b.iterations);
  CHECK_EQUAL(a.active, b.active);
  if (a.iterations == psor.max_iterations || a.iterations == 0) {
    ++tally.same;
    CHECK_EQUAL(a.status, b.status);
    CHECK(a.residual == b.residual && a.relative == b.relative);
    CHECK(test::saved(data.state) == test::saved(constant.state));
    for (int i = 0; i < Model::contacts; ++i) CHECK(data.contact(i).gap_M == constant.contact(i).gap_M);
  } else {
    ++tally.converged_before;
    Real largest = Real(0);
    for (int j = 0; j < Model::dof; ++j)
      largest = std::max(largest, std::max(std::fabs(state.u[j]), std::fabs(data.state.u[j])));
    for (int j = 0; j < Model::dof; ++j)
      CHECK_WITHIN(converged_tolerance * largest, data.state.u[j], constant.state.u[j]);
  }
  tally.stopped += !b.advanced();
  tally.inexact += b.status == Status::inexact;
  state = constant.state;
}

template <class Model>
Tally run_both(const Model& model, moreau::State<Model> state, int most_sweeps, Real dt, int steps,
               bool jacobi = false) {
  Tally tally;
  Psor psor = sweeps(most_sweeps);
  if (jacobi) psor.jacobi = true, psor.omega = 0.3f;
  for (int n = 0; n < steps; ++n) step_both(model, state, psor, dt, tally);
  CHECK(tally.same > 0 && tally.converged_before + tally.same == steps);
  moreau::port::print(tally.same, " bit-identical steps, ", tally.converged_before, " converged earlier, ",
                      tally.inexact, " inexact, ", tally.stopped, " stopped, ", tally.least, " to ", tally.most,
                      " instructions\n");
  CHECK_EQUAL(tally.least, tally.most);  // 0 where instructions are not counted
  return tally;
}

template <class Model>
void check_random_models(std::uint64_t seed) {
  test::Random random(seed);
  Tally tally;
  for (int n = 0; n < 300; ++n) {
    const Model model(random);
    moreau::State<Model> state;
    for (int j = 0; j < Model::dof; ++j) state.u(j) = random.between(Real(-2), Real(2));
    for (int i = 0; i < Model::contacts; ++i) state.P_N(i) = random.between(Real(0), Real(2));
    if (n % 5 == 0) state.P_N(n % Model::contacts) = state.P_F(0, 0) = std::numeric_limits<Real>::quiet_NaN();
    step_both(model, state, sweeps(1 + n % 8), Real(1e-3), tally);
  }
  moreau::port::print(tally.same, " same, ", tally.converged_before, " converged, ", tally.inexact, " inexact, ",
                      tally.stopped, " stopped\n");
  CHECK(tally.same > 100 && tally.inexact > 20 && tally.stopped > 5);
}

// Point mass among nine planes.
struct Stairs {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 9;
  static constexpr bool constant_mass = true;
  using Q = moreau::Vector<Real, 2>;
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return moreau::Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0.5), Real(-10)); }
  Real gap(int i, const Q& q, Real t) const {
    const auto d = directions(i, q, t);
    return d.w_N(0) * q(0) + d.w_N(1) * q(1) + Real(1e-3) * Real(i);
  }
  moreau::Directions<Real, 2> directions(int i, const Q&, Real) const {
    const auto angle = moreau::sincos(Real(i) - Real(4));
    moreau::Directions<Real, 2> d;
    d.w_N = Q(-angle.sin, angle.cos);
    d.w_T = Q(angle.cos, angle.sin);
    return d;
  }
  moreau::ContactLaw<Real> law(int i) const { return {Real(0.1) * Real(i % 5), Real(0), Real(0.3)}; }
};

template <class Model>
moreau::State<Model> start_of(const Model& model) {
  return models::state_at<Model>(model.start());
}

using Toy = models::Woodpecker<Real>;
using Feet = models::ObliqueOscillator<Real>;
using Guide = models::CorrectedPrismaticJoint<Real>;
using FourBar = models::FourBarWithPlay<Real>;
using Crank = models::SliderCrank<Real>;

}  // namespace

void test_woodpecker(void) {
  run_both(Toy{}, start_of(Toy{}), 20, Real(1e-4), 2000);
  run_both(Toy{}, start_of(Toy{}), 3, Real(1e-4), 2000);
  run_both(Toy{}, start_of(Toy{}), 20, Real(1e-4), 500, true);
}
void test_three_feet_in_space(void) {
  Feet feet;
  feet.mu = Real(0.13);
  run_both(feet, start_of(feet), 20, Real(1e-4), 1000);
  CHECK(run_both(feet, start_of(feet), 5, Real(1e-4), 1000).inexact > 0);
}
void test_four_bar(void) {
  const auto start = models::four_bar_start<FourBar>(Real(30));
  run_both(FourBar{}, start, 5, Real(1e-4), 1500);
  run_both(FourBar{}, start, 20, Real(1e-4), 500);
}
void test_prismatic_joint_with_position_correction(void) {
  Guide guide;
  guide.s_f = Real(5e-4);
  run_both(guide, start_of(guide), 10, Real(1e-5), 1500);
}

// No contacts, only ideal joints, only dry friction, more contacts than the unrolled code supports (nine).
void test_sizes(void) {
  using Ideal = models::IdealFourBar<Real>;
  run_both(Ideal{}, models::four_bar_start<Ideal>(Real(30)), 20, Real(1e-4), 300);
  using Mass = models::SlidingMass<Real>;
  run_both(Mass{}, start_of(Mass{}), 1, Real(1e-3), 1000);
  Stairs stairs;
  moreau::State<Stairs> state;
  state.u = {Real(0.1), Real(-0.5)};
  run_both(stairs, state, 6, Real(1e-3), 1000);
}

// A single sweep does not solve two corners of a light slider.
void test_problem_beyond_20_sweeps_is_reported_unsolved(void) {
  const Tally tally = run_both(Crank{}, start_of(Crank{}), 20, Real(1e-5), 6000);
  CHECK(tally.stopped > 0 && tally.inexact > 0);
}

void test_random_models(void) {
  check_random_models<Anything<0, 1>>(31);
  check_random_models<Anything<1, 1>>(32);
  check_random_models<Anything<1, 2>>(33);
  check_random_models<Anything<2, 1>>(34);
  check_random_models<Anything<2, 2>>(35);
  check_random_models<AnythingCorrected<1, 1>>(36);
  check_random_models<AnythingCorrected<2, 1>>(37);
}

// Sweeps executes the same number of sweeps in either timing mode, converged or not; so does Psor in constant time,
// which is deprecated.
void test_sweeps_in_either_timing(void) {
  for (const bool jacobi : {false, true}) {
    const moreau::Sweeps options{20, jacobi ? 0.3f : 1.0f, jacobi};
    Psor psor = sweeps(options.count);
    psor.omega = options.omega, psor.jacobi = jacobi;
    moreau::Stepper<Toy, moreau::Sweeps> data{Toy{}, start_of(Toy{}), options};
    moreau::Stepper<Toy, moreau::Sweeps, Timing::constant> constant{Toy{}, start_of(Toy{}), options};
    moreau::Stepper<Toy, Psor, Timing::constant> of_psor{Toy{}, start_of(Toy{}), psor};
    int closed = 0;
    for (int n = 0; n < 2000; ++n) {
      const auto a = data.step(Real(1e-4)), b = constant.step(Real(1e-4)), c = of_psor.step(Real(1e-4));
      closed += a.active > 0;
      CHECK_EQUAL(0, b.fallbacks);
      CHECK_EQUAL(a.active > 0 ? options.count : 0, a.iterations);
      CHECK_EQUAL(options.count, b.iterations);
      CHECK(a.status == b.status && b.status == c.status);
      CHECK(test::saved(data.state) == test::saved(constant.state));
      CHECK(test::saved(of_psor.state) == test::saved(constant.state));
    }
    CHECK(closed > 100);
  }
}

// mass_changed() factors a changed constant mass; no later step has an extra cost.
void test_mass_changed(void) {
  moreau::Stepper<Toy, Sweeps, Timing::constant> changed{Toy{}, start_of(Toy{}), Sweeps{20}};
  CHECK_EQUAL(0, changed.step(Real(1e-4)).fallbacks);
  changed.model.m_S *= Real(2);
  moreau::Stepper<Toy, Sweeps, Timing::constant> fresh{changed.model, changed.state, Sweeps{20}};
  changed.mass_changed();
  const auto report = changed.step(Real(1e-4));
  CHECK_EQUAL(Status::ok, report.status);
  CHECK_EQUAL(0, report.fallbacks);
  CHECK_EQUAL(Status::ok, fresh.step(Real(1e-4)).status);
  CHECK(test::saved(fresh.state) == test::saved(changed.state));
  CHECK_EQUAL(0, changed.step(Real(1e-4)).fallbacks);
}

void test_another_step_size_and_bad_options(void) {
  moreau::Stepper<Toy, Sweeps, Timing::constant> stepper{Toy{}, start_of(Toy{}), Sweeps{20}};
  for (const Real dt : {Real(1e-4), Real(2e-4), Real(1e-4)}) CHECK_EQUAL(Status::ok, stepper.step(dt).status);
  CHECK_WITHIN(Real(1e-9), Real(4e-4), Real(stepper.state.time()));
  const auto before = test::saved(stepper.state);
  for (const Real dt : {Real(0), Real(-1), std::numeric_limits<Real>::infinity()}) {
    const auto report = stepper.step(dt);
    CHECK_EQUAL(Status::invalid_argument, report.status);
    CHECK_EQUAL(1, report.fallbacks);
  }
  stepper.solver.omega = 2.0f;
  CHECK_EQUAL(Status::invalid_argument, stepper.step(Real(1e-4)).status);
  stepper.solver.omega = 1.0f;
  stepper.judge.rtol = Real(0);
  CHECK_EQUAL(Status::invalid_argument, stepper.step(Real(1e-4)).status);
  CHECK(before == test::saved(stepper.state));
}

TEST_MAIN({
  TEST(test_woodpecker);
  TEST(test_three_feet_in_space);
  TEST(test_four_bar);
  TEST(test_prismatic_joint_with_position_correction);
  TEST(test_problem_beyond_20_sweeps_is_reported_unsolved);
  TEST(test_random_models);
  TEST(test_sizes);
  TEST(test_sweeps_in_either_timing);
  TEST(test_mass_changed);
  TEST(test_another_step_size_and_bad_options);
})
