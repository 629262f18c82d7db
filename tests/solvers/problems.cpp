// Every solver on every problem of the table, by an independent measure: solvable problems are solved, and no wrong
// solution is accepted.
#include "support/test.hpp"

#include "hand_over.hpp"
#include "hostile.hpp"
#include "table.hpp"

namespace {

using problems::Answer;
using problems::PlainProblem;
using problems::Reader;
using problems::Wide;

constexpr bool is_double = sizeof(Real) == 8;
constexpr Wide solved = is_double ? Wide(1e-6) : Wide(1e-3);  // bound of the measure
constexpr bool is_host = sizeof(Wide) > 8;                    // slow machines take a part of the corrupted problems

template <int dim, class Solver>
Answer answer(const PlainProblem& problem, const Solver& solver) {
  static moreau::Workspace<Solver, problems::Problem<Real, dim>> work;
  return problems::answer<Real, dim>(problem, solver, work);
}

moreau::Psor patient() {
  moreau::Psor psor;
  psor.max_iterations = 10000;
  return psor;
}
moreau::Cascade<moreau::Psor, moreau::Lemke> cascade() {
  moreau::Psor psor;
  psor.max_iterations = 100;
  return {{psor, moreau::Lemke{}}};
}

// Solves every problem of that dimension; returns the number of solvable problems without a solution.
template <int dim, class Solver>
int unsolved(const Solver& solver) {
  Reader reader;
  int failures = 0;
  for (int i = 0; i < problems::problem_count; ++i) {
    const PlainProblem& problem = reader.read();
    if (problem.dim != dim) continue;
    const Answer result = answer<dim>(problem, solver);
    if (result.ok && !(result.error <= solved)) TEST_FAIL_MESSAGE("a wrong answer is accepted");
    if (reader.solvable && !(result.ok && result.error <= solved)) {
      moreau::port::print("problem ", i, " is not solved\n");
      ++failures;
    }
    if (!reader.solvable && result.ok) TEST_FAIL_MESSAGE("an answer to an unsolvable problem is accepted");
  }
  return failures;
}

// Every `stride`-th corrupted problem; returns the number of correct solutions and fails on an accepted wrong one.
template <int dim, class Solver>
int survivors(const Solver& solver, int stride) {
  Reader reader;
  int count = 0, right = 0;
  const auto check = [&](const PlainProblem& corrupted) {
    if (count++ % stride != 0) return;
    const Answer result = answer<dim>(corrupted, solver);
    right += result.ok;
    if (result.ok && !(result.error <= solved)) TEST_FAIL_MESSAGE("a wrong answer is accepted");
  };
  for (int i = 0; i < problems::problem_count; ++i) {
    const PlainProblem& problem = reader.read();
    if (problem.dim != dim) continue;
    problems::for_extreme_scales<Real>(problem, check);
    problems::for_non_numbers(problem, check);
  }
  return right;
}

}  // namespace

// The measure against hand-computed values: a body of 1 kg lands at 2 m/s and slides at 3 m/s; mu = 1/2.
void test_measure(void) {
  static PlainProblem problem;
  problem.k = 1;
  problem.mu[0] = Wide(0.5);
  problem.q[0] = -2, problem.q[1] = 3;
  problem.G[0] = problem.G[3] = 1;
  const auto e = [&](Wide r_N, Wide r_T) {
    problems::Rows r{};
    r[0] = r_N, r[1] = r_T;
    return static_cast<double>(problems::natural_map_error(problem, r));
  };
  const double rounding = 1e-15;
  CHECK_WITHIN(rounding, 0.0, e(Wide(2), Wide(-1)));
  CHECK_WITHIN(rounding, 1.0 / 3, e(Wide(1), Wide(-0.5)));  // still approaching at 1 of 3 m/s
  CHECK_WITHIN(rounding, 1.0 / 3, e(Wide(3), Wide(-1.5)));  // rebounds at 1
  CHECK_WITHIN(rounding, 1.0 / 3, e(Wide(2), Wide(0)));     // without friction
  CHECK_WITHIN(rounding, 1.0 / 6, e(Wide(2), Wide(-1.5)));  // too much friction
  CHECK_WITHIN(rounding, 2.0 / 3, e(Wide(0), Wide(0)));     // no percussion
  CHECK(!(e(std::numeric_limits<Wide>::quiet_NaN(), 0) <= 1e30));
  CHECK(!(e(2, std::numeric_limits<Wide>::quiet_NaN()) <= 1e30));
}

void test_lemke(void) { CHECK_EQUAL(0, unsolved<2>(moreau::Lemke{})); }
void test_exact(void) { CHECK_EQUAL(0, unsolved<2>(moreau::Exact{})); }
void test_cascade(void) { CHECK_EQUAL(0, unsolved<2>(cascade())); }
void test_psor(void) { CHECK_EQUAL(0, unsolved<2>(patient())); }
void test_psor_in_space(void) { CHECK_EQUAL(0, unsolved<3>(patient())); }
void test_newton(void) { CHECK_EQUAL(0, unsolved<2>(moreau::Newton{})); }
void test_newton_in_space(void) { CHECK_EQUAL(0, unsolved<3>(moreau::Newton{})); }

void test_corrupted_numbers(void) {
  const int stride = is_host ? 8 / often(8) : 97;
  moreau::Psor psor;
  psor.max_iterations = 50;
  CHECK(survivors<2>(moreau::Lemke{}, stride) > 0);  // every solver solves some of the scaled ones
  CHECK(survivors<2>(moreau::Exact{}, stride) > 0);
  CHECK(survivors<2>(cascade(), stride) > 0);
  CHECK(survivors<2>(psor, stride) > 0);
  CHECK(survivors<3>(psor, stride) > 0);
  CHECK(survivors<2>(moreau::Newton{}, stride) > 0);
  CHECK(survivors<3>(moreau::Newton{}, stride) > 0);
}

TEST_MAIN({
  TEST(test_measure);
  TEST(test_lemke);
  TEST(test_exact);
  TEST(test_cascade);
  TEST(test_psor);
  TEST(test_psor_in_space);
  TEST(test_newton);
  TEST(test_newton_in_space);
  TEST(test_corrupted_numbers);
})
