// Contact problems with known solutions, constructed without model and step.
#include "support/test.hpp"

#include <moreau/moreau.hpp>

namespace {

// Direct solvers are accurate to a few roundings. The prox iterations stop when no percussion changes by more than
// 1e-12, at most about 50 such changes from the solution.
constexpr Real close = sizeof(Real) == 8 ? Real(1e-10) : Real(32) * moreau::detail::epsilon<Real>;

template <int contacts, int tangents = 1, int frictions = 0, int friction_dim = 1>
using Problem = moreau::ContactProblem<Real, contacts, tangents, frictions, friction_dim>;

// Solves from zero and returns the result of the acceptance test.
template <class P, class Solver>
moreau::Judge<Real>::Verdict solve(const P& problem, const Solver& solver, typename P::Percussions& percussions,
                                   moreau::Sigmas<P>& modes) {
  static moreau::Workspace<Solver, P> work;
  const moreau::Judge<Real> judge;
  percussions.setZero();
  moreau::solve(problem, solver, work, percussions, judge);
  return moreau::evaluate(problem, percussions, judge, modes);
}

// One contact of a body of 2 kg: G = 1/2 in both directions, uncoupled.
Problem<1> one_contact(Real c_N, Real c_T, Real mu) {
  Problem<1> problem;
  problem.k = 1;
  problem.G << Real(0.5), Real(0), Real(0), Real(0.5);
  problem.c << c_N, c_T;
  problem.mu << mu;
  return problem;
}

template <class Solver>
void check_one(const Solver& solver, Real c_N, Real c_T, Real mu, Real P_N, Real P_T, int sigma_N, int sigma_T) {
  const Problem<1> problem = one_contact(c_N, c_T, mu);
  Problem<1>::Percussions P;
  moreau::Sigmas<Problem<1>> modes;
  CHECK(solve(problem, solver, P, modes).exact);
  CHECK_WITHIN(close, P_N, P(0));
  CHECK_WITHIN(close, P_T, P(1));
  CHECK_EQUAL(sigma_N, modes.N[0]);
  CHECK_EQUAL(sigma_T, modes.T[0]);
}

template <class Solver>
void check_modes(const Solver& solver) {
  check_one(solver, Real(1), Real(1), Real(0.5), Real(0), Real(0), 1, 1);         // opens
  check_one(solver, Real(-1), Real(0.25), Real(0.5), Real(2), Real(-0.5), 0, 0);  // sticks
  check_one(solver, Real(-1), Real(2), Real(0.5), Real(2), Real(-1), 0, 1);       // slips in one direction
  check_one(solver, Real(-1), Real(-2), Real(0.5), Real(2), Real(1), 0, 1);       // slips in the other direction
  check_one(solver, Real(-1), Real(2), Real(0), Real(2), Real(0), 0, 1);          // no friction
  check_one(solver, Real(0), Real(0), Real(0.5), Real(0), Real(0), 1, 1);         // undecided: impressed
}

// Two corners of one face under a body with normal velocity c_N and tangential velocity c_T: w_T is the same for both.
Problem<2> two_corners(Real c_T) {
  Problem<2> problem;
  problem.k = 2;
  const Real lever[2] = {Real(-1), Real(0.5)};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      problem.G(2 * i, 2 * j) = Real(1) + lever[i] * lever[j];  // unit mass and unit inertia
      problem.G(2 * i, 2 * j + 1) = problem.G(2 * j + 1, 2 * i) = Real(0);
      problem.G(2 * i + 1, 2 * j + 1) = Real(1);
    }
  problem.c << Real(-3), c_T, Real(-3), c_T;
  problem.mu << Real(0.5), Real(0.25);
  return problem;
}

template <class Solver>
void check_two_corners(const Solver& solver, Real c_T, Real friction_sum) {
  const Problem<2> problem = two_corners(c_T);
  Problem<2>::Percussions P;
  moreau::Sigmas<Problem<2>> modes;
  CHECK(solve(problem, solver, P, modes).exact);
  CHECK_WITHIN(close, Real(1), P(0));  // by the lever arms: one third and two thirds of the weight
  CHECK_WITHIN(close, Real(2), P(2));
  CHECK_WITHIN(close, friction_sum, P(1) + P(3));  // only the sum is determined
}

template <class Solver>
void check_shared(const Solver& solver) {
  check_two_corners(solver, Real(0.5), Real(-0.5));  // sticks: the limit of the sum is 1
  check_two_corners(solver, Real(-0.5), Real(0.5));
  check_two_corners(solver, Real(4), Real(-1));  // slips
  check_two_corners(solver, Real(-4), Real(1));
}

// Body of 2 kg moving at 3 m/s against a friction element with a bound of 1 N s, and one that sticks.
template <class Solver>
void check_elements(const Solver& solver) {
  Problem<0, 1, 2> problem;
  problem.elements = 2;
  problem.G << Real(0.5), Real(0), Real(0), Real(0.25);
  problem.c << Real(3), Real(-0.125);
  problem.bound << Real(1), Real(1);
  Problem<0, 1, 2>::Percussions P;
  moreau::Sigmas<Problem<0, 1, 2>> modes;
  CHECK(solve(problem, solver, P, modes).exact);
  CHECK_WITHIN(close, Real(-1), P(0));
  CHECK_WITHIN(close, Real(0.5), P(1));
  CHECK_EQUAL(1, modes.F[0]);
  CHECK_EQUAL(0, modes.F[1]);
}

// Contact and friction element together: one body, pressed down, held by the ground and by an element beside it.
template <class Solver>
void check_contact_and_element(const Solver& solver) {
  Problem<1, 1, 1> problem;
  problem.k = problem.elements = 1;
  problem.G << Real(1), Real(0), Real(0),  //
      Real(0), Real(1), Real(1),           //
      Real(0), Real(1), Real(1);
  problem.c << Real(-2), Real(5), Real(5);
  problem.mu << Real(0.5);
  problem.bound << Real(0.75);
  Problem<1, 1, 1>::Percussions P;
  moreau::Sigmas<Problem<1, 1, 1>> modes;
  CHECK(solve(problem, solver, P, modes).exact);
  CHECK_WITHIN(close, Real(2), P(0));
  CHECK_WITHIN(close, Real(-1), P(1));
  CHECK_WITHIN(close, Real(-0.75), P(2));
}

moreau::Psor patient() {
  moreau::Psor psor;
  psor.max_iterations = 10000;
  return psor;
}
moreau::Psor jacobi() {
  moreau::Psor psor = patient();
  psor.jacobi = true;
  psor.omega = 0.4f;
  return psor;
}
const moreau::Cascade<moreau::Psor, moreau::Lemke> cascade{};
const moreau::Sweeps many_sweeps{2000};

}  // namespace

void test_sums_use_only_the_rows_in_use(void) {
  Problem<3> problem;
  problem.G.setConstant(Real(1e30));  // rows beyond the count are not read
  problem.c.setConstant(Real(1e30));
  problem.k = 1;
  problem.G.topLeftCorner<2, 2>() << Real(2), Real(1), Real(1), Real(3);
  problem.c.head<2>() << Real(-1), Real(4);
  Problem<3>::Percussions P = Problem<3>::Percussions::Ones();
  CHECK_EQUAL(2, problem.rows());
  CHECK_EQUAL(Real(2), problem.xi(0, P));
  CHECK_EQUAL(Real(8), problem.xi(1, P));
  P(1) = Real(-1);
  CHECK_EQUAL(Real(4), problem.velocity_scale(0, P));
  Real both = 0;
  CHECK_EQUAL(problem.xi(0, P), problem.xi(0, P, both));
  CHECK_EQUAL(Real(4), both);
  CHECK_EQUAL(Real(3), moreau::detail::contact_scale(problem, 0));
}

void test_elements_follow_the_closed_contacts(void) {
  Problem<3, 2, 2, 2> problem;
  problem.k = 1;
  problem.elements = 2;
  CHECK_EQUAL(7, problem.rows());
  CHECK_EQUAL(3, problem.friction_row(0));
  CHECK_EQUAL(5, problem.friction_row(1));
  CHECK_EQUAL(13, int(Problem<3, 2, 2, 2>::capacity));
}

void test_empty_problem(void) {
  Problem<2> problem;  // k = 0
  Problem<2>::Percussions P;
  moreau::Sigmas<Problem<2>> modes;
  CHECK(solve(problem, moreau::Exact{}, P, modes).exact);
  CHECK(solve(problem, moreau::Lemke{}, P, modes).exact);
  CHECK(solve(problem, patient(), P, modes).exact);

  const Problem<0> none;  // of a model without contacts: no solver is called
  moreau::Workspace<moreau::Exact, Problem<0>> work;
  Problem<0>::Percussions no_P;
  CHECK_EQUAL(0, moreau::solve(none, moreau::Exact{}, work, no_P));
  CHECK_EQUAL(0, work.fallbacks);
}

void test_one_contact(void) {
  check_modes(moreau::Exact{}), check_modes(moreau::Lemke{}), check_modes(patient()), check_modes(jacobi());
  check_modes(cascade), check_modes(many_sweeps);
}

void test_two_corners_on_one_face(void) {
  check_shared(moreau::Exact{}), check_shared(moreau::Lemke{}), check_shared(patient()), check_shared(jacobi());
  check_shared(cascade), check_shared(many_sweeps);
}

void test_exact_divides_friction_in_proportion_to_the_limits(void) {
  const Problem<2> problem = two_corners(Real(0.5));
  Problem<2>::Percussions P;
  moreau::Sigmas<Problem<2>> modes;
  CHECK(solve(problem, moreau::Exact{}, P, modes).exact);
  CHECK_WITHIN(close, P(1), P(3));  // limits 0.5 * 1 and 0.25 * 2
  CHECK_EQUAL(0, modes.T[0]);
  CHECK_EQUAL(0, modes.T[1]);
}

void test_zero_tangential_direction(void) {
  Problem<1> problem = one_contact(Real(-1), Real(7), Real(0.5));
  problem.G(1, 1) = Real(0);
  Problem<1>::Percussions P;
  moreau::Sigmas<Problem<1>> modes;
  const auto check = [&](const auto& solver) {
    CHECK(solve(problem, solver, P, modes).exact);
    CHECK_WITHIN(close, Real(2), P(0));
    CHECK_EQUAL(Real(0), P(1));
    CHECK_EQUAL(1, modes.T[0]);
  };
  check(moreau::Exact{}), check(moreau::Lemke{}), check(patient()), check(jacobi()), check(cascade);
}

void test_friction_elements(void) {
  check_elements(moreau::Exact{}), check_elements(moreau::Lemke{}), check_elements(patient());
  check_contact_and_element(moreau::Exact{}), check_contact_and_element(moreau::Lemke{});
  check_contact_and_element(patient()), check_contact_and_element(jacobi());
  check_contact_and_element(many_sweeps);
}

void test_spatial_contact_slips_against_its_velocity(void) {
  Problem<1, 2> problem;
  problem.k = 1;
  problem.G = Real(0.5) * moreau::Matrix<Real, 3, 3>::Identity();
  problem.c << Real(-1), Real(3), Real(-4);
  problem.mu << Real(0.5);
  Problem<1, 2>::Percussions P;
  moreau::Sigmas<Problem<1, 2>> modes;
  CHECK(solve(problem, patient(), P, modes).exact);
  CHECK_WITHIN(close, Real(2), P(0));
  CHECK_WITHIN(close, Real(-0.6), P(1));
  CHECK_WITHIN(close, Real(0.8), P(2));
  problem.c << Real(-1), Real(0.3), Real(-0.4);
  CHECK(solve(problem, patient(), P, modes).exact);
  CHECK_WITHIN(close, Real(-0.6), P(1));
  CHECK_WITHIN(close, Real(0.8), P(2));
  CHECK_EQUAL(0, modes.T[0] * modes.N[0]);
}

void test_solver_that_gives_up_leaves_percussions_unchanged(void) {
  // G = 0 with approaching bodies: no solution.
  Problem<1> problem = one_contact(Real(-1), Real(0), Real(0.5));
  problem.G.setZero();
  Problem<1>::Percussions P(Real(0.25), Real(-0.125));
  const Problem<1>::Percussions before = P;
  static moreau::Workspace<moreau::Lemke, Problem<1>> work;
  moreau::solve(problem, moreau::Lemke{}, work, P);
  CHECK(P == before);
  static moreau::Workspace<moreau::Exact, Problem<1>> exact_work;
  moreau::solve(problem, moreau::Exact{}, exact_work, P);
  CHECK(P == before);
}

void test_contacts_beyond_the_prediction_use_the_fallback(void) {
  constexpr int n = moreau::detail::most_predicted + 1;
  Problem<n, 0> problem;
  problem.k = n;
  problem.G.setIdentity();
  for (int i = 0; i < n; ++i) problem.c(i) = Real(i) - Real(2);
  static moreau::Workspace<moreau::Exact, Problem<n, 0>> work;
  Problem<n, 0>::Percussions P = Problem<n, 0>::Percussions::Zero();
  moreau::solve(problem, moreau::Exact{}, work, P);
  CHECK_EQUAL(1, work.fallbacks);
  for (int i = 0; i < n; ++i) CHECK_WITHIN(close, i < 2 ? Real(2 - i) : Real(0), P(i));
}

void test_cascade_calls_the_next_solver_only_if_needed(void) {
  Problem<2> problem = two_corners(Real(0.5));
  moreau::Psor one_sweep;
  one_sweep.max_iterations = 1;
  const moreau::Cascade<moreau::Psor, moreau::Lemke> hasty{{one_sweep, moreau::Lemke{}}};
  static moreau::Workspace<moreau::Cascade<moreau::Psor, moreau::Lemke>, Problem<2>> work;
  Problem<2>::Percussions P = Problem<2>::Percussions::Zero();
  moreau::solve(problem, hasty, work, P);
  CHECK_EQUAL(1, work.fallbacks);
  moreau::solve(problem, hasty, work, P);  // warm start from the solution
  CHECK_EQUAL(0, work.fallbacks);
}

// Rows of frictionless contacts that push each other; values that no solver solves exactly.
template <int n>
Problem<n, 0> row_of(int k) {
  Problem<n, 0> problem;
  problem.k = k;
  for (int i = 0; i < k; ++i) {
    for (int j = 0; j < k; ++j) problem.G(i, j) = (i == j ? Real(1.7) : Real(0.3)) / Real(3 + i + j);
    problem.c(i) = -Real(0.7) / Real(3 + i);
  }
  return problem;
}

// An rtol that no solver reaches: each continues to its last attempt.
template <class Solver, int n>
void solve_with(const Real rtol, const Problem<n, 0>& problem, int& iterations, int& fallbacks) {
  static moreau::Workspace<Solver, Problem<n, 0>> work;
  typename Problem<n, 0>::Percussions P = Problem<n, 0>::Percussions::Zero();
  moreau::Judge<Real> judge;
  judge.rtol = rtol;
  iterations = moreau::solve(problem, Solver{}, work, P, judge);
  fallbacks = work.fallbacks;
}
constexpr Real usual = moreau::Judge<Real>{}.rtol, out_of_reach = std::numeric_limits<Real>::min();

void test_judge_is_used_by_the_active_set_prediction(void) {
  const auto problem = row_of<3>(3);
  int iterations, fallbacks;
  solve_with<moreau::Exact>(usual, problem, iterations, fallbacks);
  CHECK_EQUAL(0, fallbacks);
  solve_with<moreau::Exact>(out_of_reach, problem, iterations, fallbacks);
  CHECK_EQUAL(1, fallbacks);
}

void test_judge_is_used_by_lemke_alone_and_inside_other_solvers(void) {
  constexpr int n = moreau::detail::most_predicted + 1;
  const auto problem = row_of<n>(n);
  const auto check = [&](auto solver) {
    int few, many, fallbacks;
    solve_with<decltype(solver)>(usual, problem, few, fallbacks);
    solve_with<decltype(solver)>(out_of_reach, problem, many, fallbacks);
    CHECK(many > few);
  };
  check(moreau::Lemke{}), check(moreau::Exact{}), check(moreau::Cascade<moreau::Lemke>{});
}

void test_judge_decides_whether_a_cascade_continues(void) {
  const auto problem = row_of<2>(2);
  int iterations, fallbacks;
  solve_with<moreau::Cascade<moreau::Lemke, moreau::Psor>>(usual, problem, iterations, fallbacks);
  CHECK_EQUAL(0, fallbacks);
  solve_with<moreau::Cascade<moreau::Lemke, moreau::Psor>>(out_of_reach, problem, iterations, fallbacks);
  CHECK_EQUAL(1, fallbacks);
}

// If no solver of a cascade is exact, the best result is kept, whichever solver computed it; any finite result is
// better than NaN.
void test_cascade_keeps_the_best_result(void) {
  const auto problem = row_of<2>(2);
  moreau::Judge<Real> judge;
  judge.rtol = out_of_reach;
  const auto off = [&](int first_sweeps, int second_sweeps, Real start) {
    moreau::Cascade<moreau::Psor, moreau::Psor> both;
    std::get<0>(both.solvers).max_iterations = first_sweeps;
    std::get<1>(both.solvers).max_iterations = second_sweeps;
    static moreau::Workspace<moreau::Cascade<moreau::Psor, moreau::Psor>, Problem<2, 0>> work;
    Problem<2, 0>::Percussions P(start, start);
    moreau::solve(problem, both, work, P, judge);
    CHECK_EQUAL(1, work.fallbacks);
    moreau::Sigmas<Problem<2, 0>> modes;
    return moreau::evaluate(problem, P, judge, modes).relative;
  };
  const Real rough = off(1, 1, Real(0)), better = off(1, 4, Real(0));
  CHECK(better < rough && better > 0);
  CHECK_EQUAL(better, off(4, 1, Real(0)));

  static moreau::Workspace<moreau::Cascade<moreau::Psor, moreau::Lemke>, Problem<2, 0>> work;
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  Problem<2, 0>::Percussions P(nan, nan);
  moreau::solve(problem, moreau::Cascade<moreau::Psor, moreau::Lemke>{}, work, P,
                judge);  // Lemke does not use the start
  CHECK(P(0) > 0 && P(1) > 0);
}

// Jacobi sweeps: all laws are evaluated with the old percussions. Sweeps and Psor execute the same number of sweeps,
// with and without a convergence check.
void test_sweeps_from_old_percussions(void) {
  const auto problem = two_corners(Real(0.5));
  moreau::Psor psor;
  psor.jacobi = true;
  psor.omega = 0.5f;
  psor.tolerance = 0;
  psor.max_iterations = 7;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
  const moreau::Sweeps sweeps = moreau::detail::in_constant_time(psor);
#pragma GCC diagnostic pop
  CHECK(sweeps.count == 7 && sweeps.omega == 0.5f && sweeps.jacobi && sweeps.valid());
  static moreau::Workspace<moreau::Sweeps, Problem<2>> work;
  static moreau::Workspace<moreau::Psor, Problem<2>> psor_work;
  Problem<2>::Percussions P = Problem<2>::Percussions::Zero(), Q = P, R = P;
  CHECK_EQUAL(7, moreau::solve(problem, sweeps, work, P));
  CHECK_EQUAL(7, moreau::solve(problem, psor, psor_work, Q));
  CHECK(P == Q && P(0) != 0);
  moreau::solve(problem, moreau::Sweeps{7, 0.5f, false}, work, R);
  CHECK(P != R);
  for (const auto& [count, omega] : {std::pair{0, 1.0f}, std::pair{1, 0.0f}, std::pair{1, 2.0f}})
    CHECK(!(moreau::Sweeps{count, omega, false}.valid()));
}

TEST_MAIN({
  TEST(test_cascade_keeps_the_best_result);
  TEST(test_sweeps_from_old_percussions);
  TEST(test_sums_use_only_the_rows_in_use);
  TEST(test_elements_follow_the_closed_contacts);
  TEST(test_empty_problem);
  TEST(test_one_contact);
  TEST(test_two_corners_on_one_face);
  TEST(test_exact_divides_friction_in_proportion_to_the_limits);
  TEST(test_zero_tangential_direction);
  TEST(test_friction_elements);
  TEST(test_spatial_contact_slips_against_its_velocity);
  TEST(test_solver_that_gives_up_leaves_percussions_unchanged);
  TEST(test_contacts_beyond_the_prediction_use_the_fallback);
  TEST(test_cascade_calls_the_next_solver_only_if_needed);
  TEST(test_judge_is_used_by_the_active_set_prediction);
  TEST(test_judge_is_used_by_lemke_alone_and_inside_other_solvers);
  TEST(test_judge_decides_whether_a_cascade_continues);
})
