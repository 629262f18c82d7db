// Pivoting alone, before anything else is tried: which variables a problem has, and that every kind of attempt ends at the
// solution where there is one and it is the only one.
#include <moreau/moreau.hpp>

#include "support/known_problem.hpp"
#include "support/test.hpp"

namespace {

using Known = test::KnownProblem<Real, 1>;
using Problem = Known::Problem;
using moreau::Lemke;
using moreau::detail::Law;
constexpr Real tolerance = Real(400) * moreau::detail::epsilon<Real>;

moreau::Workspace<Lemke, Problem> work;

}  // namespace

void test_every_attempt_ends_at_the_solution(void) {
  test::Random random(5);
  for (int n = 0; n < 10 * Known::codes; ++n) {
    const Known known(random, n % Known::codes, Real(0.2), Real(6), Real(3), Real(0.4));
    for (const auto& attempt : moreau::detail::lemke_attempts) {
      work.map.build(known.problem);
      CHECK_EQUAL(5, work.map.n);
      moreau::detail::LemkePivoting<Problem> pivoting(known.problem, Lemke{}, work);
      int pivots = 0;
      CHECK(pivoting.run(attempt, 100, pivots));
      pivoting.read(work.candidate);
      CHECK(known.error(work.candidate) <= tolerance);
      if (pivots < 2) continue;
      int fewer = 0;
      CHECK(!pivoting.run(attempt, pivots - 1, fewer));
      CHECK_EQUAL(pivots - 1, fewer);
    }
    int pivots = 0;
    Problem::Percussions P = Problem::Percussions::Zero();
    const moreau::Judge<Real> judge;
    moreau::detail::BestAnswer<Problem> best(known.problem, judge, work, P);
    CHECK(moreau::detail::pivot_all(known.problem, Lemke{}, work, best, pivots));
    CHECK(best.relative() <= judge.rtol && known.error(P) <= tolerance);
  }
}

// The normal percussion drags the contact against its motion: while it grows, the contact comes to stick, and then slips the
// other way.
void test_what_turns_round(void) {
  for (const Real side : {Real(1), Real(-1)}) {
    Problem problem;
    problem.k = 1;
    problem.G.topLeftCorner<2, 2>() << Real(1.5), Real(-0.8) * side, Real(-0.8) * side, 1;
    problem.c.head<2>() << -5, Real(0.5) * side;
    problem.mu(0) = Real(0.3);
    for (const auto& attempt : moreau::detail::lemke_attempts) {
      work.map.build(problem);
      moreau::detail::LemkePivoting<Problem> pivoting(problem, Lemke{}, work);
      int pivots = 0;
      CHECK(pivoting.run(attempt, 100, pivots));
      pivoting.read(work.candidate);
      const Real P_N = 5 / (Real(1.5) - Real(0.8) * Real(0.3));
      CHECK_WITHIN(tolerance, P_N, work.candidate(0));
      CHECK_WITHIN(tolerance, Real(0.3) * P_N * side, work.candidate(1));
    }
  }
}

// Friction that cannot act has no variable.
void test_what_cannot_act(void) {
  test::Random random(6);
  const Known known(random, 4);
  const auto laws = [](const Problem& problem) {
    work.map.build(problem);
    return work.map.n;
  };
  CHECK_EQUAL(5, laws(known.problem));
  Problem problem = known.problem;
  problem.mu(0) = 0;
  CHECK(laws(problem) == 4 && work.map.is(Law::smooth, 0) && work.map.is(Law::normal, 1));
  problem = known.problem;
  problem.G(1, 1) = 0;
  CHECK(laws(problem) == 4 && work.map.is(Law::smooth, 0));
  problem = known.problem;
  problem.bound(0) = 0;
  CHECK_EQUAL(4, laws(problem));
  problem = known.problem;
  problem.G(4, 4) = 0;
  CHECK_EQUAL(4, laws(problem));
}

// An element that slips is begun with on the side it slips on.
void test_what_slips_on_needs_no_pivot(void) {
  for (const Real c : {Real(3), Real(-3)}) {
    Problem problem;
    problem.elements = 1;
    problem.G(0, 0) = 4;
    problem.c(0) = c;
    problem.bound(0) = Real(0.5);
    Problem::Percussions P = Problem::Percussions::Zero();
    CHECK_EQUAL(0, moreau::solve(problem, Lemke{}, work, P));
    CHECK_WITHIN(tolerance, c > 0 ? Real(-0.5) : Real(0.5), P(0));
  }
}

// Elements alone, the first law among them: each holds or slips, and moves the others half as much as itself.
void test_elements_alone(void) {
  using Elements = moreau::ContactProblem<Real, 1, 1, 3>;
  static moreau::Workspace<Lemke, Elements> own;
  test::Random random(8);
  for (int code = 0; code < 27; ++code) {
    Elements problem;
    problem.elements = 3;
    Elements::Percussions P = Elements::Percussions::Zero(), xi = P;
    problem.G.setZero(), problem.c.setZero();
    for (int i = 0, left = code; i < 3; ++i, left /= 3) {
      const int slips = left % 3 - 1;
      problem.bound(i) = random.between(Real(0.5), Real(2));
      P(i) = slips == 0 ? problem.bound(i) * random.between(Real(-0.8), Real(0.8)) : Real(-slips) * problem.bound(i);
      xi(i) = Real(slips) * random.between(Real(0.1), Real(0.5));
      for (int j = 0; j < 3; ++j) problem.G(i, j) = i == j ? 2 : 1;
    }
    problem.c = xi - problem.G * P;
    for (const auto& attempt : moreau::detail::lemke_attempts) {
      own.map.build(problem);
      CHECK_EQUAL(3, own.map.n);
      moreau::detail::LemkePivoting<Elements> pivoting(problem, Lemke{}, own);
      int pivots = 0;
      CHECK(pivoting.run(attempt, 100, pivots));
      pivoting.read(own.candidate);
      CHECK_WITHIN(tolerance, Real(0), (own.candidate - P).head<3>().cwiseAbs().maxCoeff());
    }
  }
}

// As many pivots to an attempt as the options say, where a problem would have more; other sets of modes are tried then.
void test_fewer_pivots_than_an_attempt_has(void) {
  test::Random random(7);
  const Known known(random, Known::codes - 1);  // everything slips
  Lemke hasty;
  hasty.max_pivots = 1;
  const moreau::Judge<Real> judge;
  Problem::Percussions P = Problem::Percussions::Zero();
  moreau::detail::BestAnswer<Problem> best(known.problem, judge, work, P);
  int pivots = 0;
  CHECK(!moreau::detail::pivot_all(known.problem, hasty, work, best, pivots));
  CHECK_EQUAL(moreau::detail::lemke_attempts_of_few, pivots);
  CHECK_EQUAL(moreau::detail::lemke_attempts_of_few, moreau::solve(known.problem, hasty, work, P));
  CHECK(known.error(P) <= tolerance);
}

// Beside what moves by m/s two elements that nothing loads hold each other, in float by what pivoting leaves: sweeps from
// there leave them so, those from zero do not.
void test_elements_that_hold_each_other(void) {
  using FiveLaws = moreau::ContactProblem<Real, 1, 1, 4>;  // too many for all sets of modes
  static moreau::Workspace<Lemke, FiveLaws> own;
  FiveLaws problem;
  problem.k = 1;
  problem.elements = 4;
  problem.G << Real(2.422), Real(2.05), Real(0.5299), 0, Real(-1.258), 0,  //
      Real(2.05), Real(2.699), Real(0.2753), 0, Real(-1.02), 0,            //
      Real(0.5299), Real(0.2753), Real(0.5084), 0, Real(-0.5328), 0,       //
      0, 0, 0, Real(407.7), 0, Real(-117.4),                               //
      Real(-1.258), Real(-1.02), Real(-0.5328), 0, Real(0.828), 0,         //
      0, 0, 0, Real(-117.4), 0, Real(34.23);
  problem.c << -1, 0, 0, 0, 0, 0;
  problem.mu(0) = Real(0.4682);
  problem.bound << Real(2.207), Real(3.29e-5), Real(8.088), Real(0.0006538);
  FiveLaws::Percussions P = FiveLaws::Percussions::Zero();
  const moreau::Judge<Real> judge;
  moreau::solve(problem, Lemke{}, own, P, judge);
  CHECK(moreau::evaluate(problem, P, judge, own.modes).exact);
  CHECK(P(3) == 0 && P(5) == 0);
}

// A contact that nothing can open beside an element: no solution, and P is as it was.
void test_what_has_no_solution(void) {
  Problem problem;
  problem.k = problem.elements = 1;
  problem.G.setZero(), problem.c.setZero(), problem.mu.setZero();
  problem.G(2, 2) = problem.c(2) = problem.bound(0) = 1;
  problem.c(0) = -1;
  Problem::Percussions P = Problem::Percussions::Constant(Real(0.25));
  const Problem::Percussions before = P;
  moreau::solve(problem, Lemke{}, work, P);
  CHECK(P == before);
}

TEST_MAIN({
  TEST(test_every_attempt_ends_at_the_solution);
  TEST(test_what_turns_round);
  TEST(test_what_cannot_act);
  TEST(test_what_slips_on_needs_no_pivot);
  TEST(test_elements_alone);
  TEST(test_fewer_pivots_than_an_attempt_has);
  TEST(test_elements_that_hold_each_other);
  TEST(test_what_has_no_solution);
})
