// Newton in both timing modes: equal results for bodies on four and five feet and for random models; results of too few
// iterations are not reported as solved; steps require finite values and usable directions.
#include <moreau/moreau.hpp>
#include <moreau/port/cycles.hpp>

#include "support/anything.hpp"
#include "support/feet.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

using moreau::Newton;
using moreau::Status;
using moreau::Timing;
using moreau::detail::absolute;
using moreau::detail::larger;
using test::Anything;

// Largest difference of the solutions of both timing modes, relative to the largest velocity before or after the step,
// or to the velocity due to weight in it. Steps in variable time start from sweeps that ended on convergence, so that
// the bits differ. Both end within Judge::rtol of a solution; the condition of G (inertias of 1e-4 and 1e-2 kg m^2) is
// between residual and velocity.
constexpr Real agreement = Real(1000) * moreau::Judge<Real>{}.rtol;

struct Tally {
  int same = 0, ok[2] = {}, inexact[2] = {}, unsolved[2] = {};
  std::uint32_t least = ~std::uint32_t{0}, most = 0;  // instructions of constant time, where the board counts them
  moreau::port::Stopwatch watch;

  void add(int timing, Status status) {
    ok[timing] += status == Status::ok;
    inexact[timing] += status == Status::inexact;
    unsolved[timing] += status == Status::no_solution;
  }
  void print(const char* name) const {
    moreau::port::print(name, ": ok ", ok[0], ' ', ok[1], ", inexact ", inexact[0], ' ', inexact[1], ", unsolved ",
                        unsolved[0], ' ', unsolved[1], ", bit-identical ", same, ", ", least, " to ", most,
                        " instructions\n");
  }
};

int iterations_of(const Newton& options) {
  int count = 0;
  for (int round = 0; round < options.rounds; ++round)
    count += (options.sweeps << round) + moreau::detail::newton_steps;
  return count;
}

// State of one stepper after a step from `state`. Not inlined: the stack of a board holds one stepper at a time.
template <Timing timing, class Model>
[[gnu::noinline]] moreau::StepReport<Real> step_one(const Model& model, moreau::State<Model>& state,
                                                    const Newton& options, Real dt, Tally& tally) {
  moreau::Stepper<Model, Newton, timing> stepper{model, state, options};
  tally.watch.begin();
  const auto report = stepper.step(dt);
  const std::uint32_t count = tally.watch.instructions();
  if (timing == Timing::constant) {
    tally.least = count < tally.least ? count : tally.least;
    tally.most = count > tally.most ? count : tally.most;
  }
  tally.add(timing == Timing::constant, report.status);
  CHECK(report.advanced() || test::saved(state) == test::saved(stepper.state));
  // status ok implies that every relative violation is within the bound of the acceptance test
  CHECK(report.status != Status::ok || report.relative <= stepper.judge.rtol);
  state = stepper.state;
  return report;
}

// Makes this step in both timing modes from the same state, which becomes that of constant time. If both are ok, they
// agree.
template <class Model>
void step_both(const Model& model, moreau::State<Model>& state, const Newton& options, Real dt, Tally& tally) {
  moreau::State<Model> in_data = state;
  Real scale = Real(9.81) * dt;
  for (int j = 0; j < Model::dof; ++j) scale = larger(scale, absolute(state.u(j)));
  const auto a = step_one<Timing::variable>(model, in_data, options, dt, tally);
  const auto b = step_one<Timing::constant>(model, state, options, dt, tally);
  CHECK_EQUAL(0, b.fallbacks);
  CHECK_EQUAL(a.active, b.active);
  CHECK_EQUAL(iterations_of(options), b.iterations);
  CHECK(a.iterations <= b.iterations);
  if (a.status != Status::ok || b.status != Status::ok) return;
  for (int j = 0; j < Model::dof; ++j) scale = larger(scale, absolute(state.u(j)));
  for (int j = 0; j < Model::dof; ++j) CHECK_WITHIN(agreement * scale, in_data.u(j), state.u(j));
  tally.same += test::saved(in_data) == test::saved(state);
}

template <int feet>
void run_on_feet() {
  const test::Feet<Real, feet> body;
  auto state = body.start();
  Tally tally;
  constexpr int steps = often(300);
  for (int n = 0; n < steps; ++n) step_both(body, state, Newton{8, 2}, Real(1e-4), tally);
  tally.print("on feet");
  CHECK_EQUAL(steps, tally.ok[0]);
  CHECK_EQUAL(steps, tally.ok[1]);
  CHECK_EQUAL(tally.least, tally.most);
}

// Bodies of random shapes that land, slide and rest.
template <int feet>
void drop_many(int count, const Newton& options, Tally& tally) {
  constexpr Real dt = Real(1e-3);
  test::Random random(40 + feet);
  for (int n = 0; n < count; ++n) {
    test::Feet<Real, feet> body;
    test::draw_inertia(random, body.inertia);
    body.h = random.between(Real(0.05), Real(0.2));
    body.mu = test::draw_friction<Real>(random);
    auto state = body.start();
    test::draw_velocity(random, dt, state.u.data());
    step_both(body, state, options, dt, tally);
  }
  tally.print("dropped");
}

template <class Model>
void step_random_models(std::uint64_t seed) {
  test::Random random(seed);
  Tally tally;
  constexpr int count = 100;
  for (int n = 0; n < count; ++n) {
    const Model model(random);
    moreau::State<Model> state;
    for (int j = 0; j < Model::dof; ++j) state.u(j) = random.between(Real(-2), Real(2));
    for (int i = 0; i < Model::contacts; ++i) state.P_N(i) = random.between(Real(0), Real(2));
    if (n % 5 == 0) state.P_N(n % Model::contacts) = state.P_F(0, 0) = std::numeric_limits<Real>::quiet_NaN();
    step_both(model, state, Newton{8, 3}, Real(1e-3), tally);
  }
  tally.print("anything");
  CHECK(tally.ok[0] > count * 9 / 10 && tally.ok[1] > count * 9 / 10);
  CHECK_EQUAL(tally.least, tally.most);
}

// One planar contact, set by hand.
using One = moreau::ContactProblem<Real, 1>;
One one_contact(Real c_N, Real c_T, Real coupling, Real mu) {
  One problem;
  problem.k = 1;
  problem.G << Real(1), coupling, coupling, Real(1);
  problem.c << c_N, c_T;
  problem.mu(0) = mu;
  return problem;
}

// One Newton step from P on the whole problem; false if it is rejected.
template <class Flow>
bool moved(const One& problem, One::Percussions& P) {
  const moreau::detail::FullProblem<One> full(problem, Real(1));
  moreau::Workspace<Newton, One> work;
  moreau::detail::NewtonStep<Flow, moreau::detail::FullProblem<One>, decltype(work)> newton(full, work);
  return moreau::detail::Branching::condition(newton.move(P));
}

}  // namespace

void test_four_and_five_feet(void) {
  run_on_feet<4>();
  run_on_feet<5>();
}

void test_landing_bodies(void) {
  Tally tally;
  drop_many<4>(60, Newton{8, 3}, tally);
  CHECK_EQUAL(60, tally.ok[0]);
  CHECK_EQUAL(60, tally.ok[1]);
  Tally of_five;
  drop_many<5>(60, Newton{8, 3}, of_five);
  CHECK_EQUAL(60, of_five.ok[0]);
  CHECK_EQUAL(60, of_five.ok[1]);
}

void test_random_models(void) {
  step_random_models<Anything<0, 1>>(31);
  step_random_models<Anything<1, 1>>(32);
  step_random_models<Anything<1, 2>>(33);
  step_random_models<Anything<2, 1>>(34);
  step_random_models<Anything<2, 2>>(35);
}

// With fewer iterations than a problem needs, the step reports it in both timing modes; a step that fails leaves the
// state unchanged.
void test_too_few_iterations(void) {
  Tally one, two;
  drop_many<4>(600, Newton{1, 1}, one);
  CHECK(one.inexact[0] + one.unsolved[0] > 10 && one.inexact[1] + one.unsolved[1] > 10);
  drop_many<4>(600, Newton{1, 4}, two);
  CHECK(two.ok[0] > one.ok[0] && two.ok[1] > one.ok[1]);
}

void test_options_out_of_range(void) {
  test::Feet<Real, 4> body;
  moreau::Stepper<test::Feet<Real, 4>, Newton> data{body, body.start()};
  moreau::Stepper<test::Feet<Real, 4>, Newton, Timing::constant> constant{body, body.start()};
  for (const Newton bad : {Newton{0, 6}, Newton{-1, 6}, Newton{1001, 6}, Newton{8, 0}, Newton{8, -1}, Newton{8, 11}}) {
    data.solver = constant.solver = bad;
    const auto before = test::saved(data.state);
    const auto a = data.step(Real(1e-4)), b = constant.step(Real(1e-4));
    CHECK_EQUAL(Status::invalid_argument, a.status);
    CHECK_EQUAL(Status::invalid_argument, b.status);
    CHECK_EQUAL(moreau::Cause::solver, a.cause);
    CHECK_EQUAL(moreau::Cause::solver, b.cause);
    CHECK_EQUAL(1, b.fallbacks);
    CHECK(before == test::saved(data.state) && before == test::saved(constant.state));
  }
  data.solver = constant.solver = Newton{};
  CHECK_EQUAL(Status::ok, data.step(Real(1e-4)).status);
  CHECK_EQUAL(Status::ok, constant.step(Real(1e-4)).status);
}

// As in Painleve's paradox, the coupling of the slip by mu cancels the normal row. The step is rejected, and P is
// unchanged.
void test_singular_equations(void) {
  const Real pivot = Real(1) + moreau::detail::newton_regularisation<Real>, mu = Real(2);
  const One jams = one_contact(Real(0), Real(-5), -pivot / mu, mu);
  const One::Percussions start(Real(1), Real(3));
  One::Percussions P = start, Q = start;
  CHECK(!moved<moreau::detail::Branching>(jams, P) && !moved<moreau::detail::Branchless>(jams, Q));
  CHECK(P == start && Q == start);
  const One slips = one_contact(Real(0), Real(-5), Real(0), mu);
  CHECK(moved<moreau::detail::Branching>(slips, P) && moved<moreau::detail::Branchless>(slips, Q));
  CHECK(P != start && P == Q);
}

// For non-finite problems the solver leaves P unchanged, for either sign of NaN, because masks are computed from signs.
template <class Flow>
void check_left(const One& bad) {
  const moreau::detail::FullProblem<One> full(bad, Real(1));
  moreau::Workspace<Newton, One> work;
  const One::Percussions start(Real(1), Real(0.5));
  One::Percussions P = start;
  (void)moreau::detail::sweep_and_step<Flow>(
      full, Newton{2, 2}, [](int) { return Flow::condition(true); }, moreau::Judge<Real>{}, work, P);
  CHECK(P == start);
  moreau::Sigmas<One> sigmas;
  CHECK(!moreau::evaluate(bad, P, moreau::Judge<Real>{}, sigmas).passable);
}
void test_non_finite_problems(void) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN(), infinite = std::numeric_limits<Real>::infinity();
  for (const Real bad : {nan, -nan, infinite, -infinite})
    for (const One& problem :
         {one_contact(bad, Real(0), Real(0), Real(1)), one_contact(Real(-1), bad, Real(0), Real(1)),
          one_contact(Real(-1), Real(0), bad, Real(1))}) {
      check_left<moreau::detail::Branching>(problem);
      check_left<moreau::detail::Branchless>(problem);
    }
}

TEST_MAIN({
  TEST(test_four_and_five_feet);
  TEST(test_landing_bodies);
  TEST(test_random_models);
  TEST(test_too_few_iterations);
  TEST(test_options_out_of_range);
  TEST(test_singular_equations);
  TEST(test_non_finite_problems);
})
