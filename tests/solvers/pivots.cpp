// Pivot limit of Lemke's method: pivots_given(n). On random problems every successful attempt needs fewer pivots, and
// no cycling attempt gets more.
#include "support/test.hpp"

#include "crowds.hpp"

namespace {

constexpr int most = 8;  // contacts
using Problem = moreau::ContactProblem<Real, most>;
using moreau::detail::lemke_attempts;
using moreau::detail::pivots_given;

constexpr int asked = sizeof(long double) > 8 ? often(40000) : 400;  // boards are slow
constexpr int patience = 1000;                                       // pivots after which an attempt counts as cycling

struct Counts {
  int solved = 0, refined = 0, cycling = 0;  // refined: after the first attempt
  Real most = Real(0);                       // pivots / pivots_given(n), of attempts that end well
};

void attempt_all(const Problem& problem, moreau::Workspace<moreau::Lemke, Problem>& work, Counts& counts) {
  const moreau::Judge<Real> judge;
  work.map.build(problem);
  moreau::detail::LemkePivoting<Problem> pivoting(problem, moreau::Lemke{}, work);
  const int given = pivots_given(work.map.n);
  bool first = true;
  for (const auto& attempt : lemke_attempts) {
    int pivots = 0;
    if (pivoting.run(attempt, patience, pivots)) {
      pivoting.read(work.candidate);
      if (evaluate(problem, work.candidate, judge, work.modes).exact) {
        ++counts.solved;
        counts.refined += !first;
        counts.most = moreau::detail::larger(counts.most, Real(pivots) / Real(given));
        return;
      }
    }
    counts.cycling += pivots == patience;
    first = false;
  }
}

}  // namespace

void test_successful_attempts_stay_below_limit(void) {
  static moreau::Workspace<moreau::Lemke, Problem> work;
  static Problem problem;
  crowds::Crowd crowd(41);
  Counts counts;
  for (int n = 0; n < asked; ++n) {
    crowd.draw(1 + n % most, problem);
    attempt_all(problem, work, counts);
  }
  moreau::port::print(counts.solved, " solved, ", counts.refined, " after the first attempt; ", counts.cycling,
                      " cycling attempts; largest share of the pivot limit ", counts.most, "\n");
  CHECK(counts.solved > asked / 2);
  CHECK(counts.refined > asked / 500);
  CHECK(counts.most < Real(1));
  if (asked > 1000) {
    CHECK(counts.cycling > 0);  // the cycling that the limit stops
    // A wrong or ineffective limit triples the number of cycling attempts.
    CHECK(counts.cycling < asked / 200);
    CHECK(counts.solved > asked * 71 / 100);
  }
}

void test_no_attempt_exceeds_pivot_limit(void) {
  static moreau::Workspace<moreau::Lemke, Problem> work;
  static Problem problem;
  crowds::Crowd crowd(41);
  for (int n = 0; n < asked; ++n) {
    crowd.draw(1 + n % most, problem);
    Problem::Percussions P = Problem::Percussions::Zero();
    const int pivots = moreau::solve(problem, moreau::Lemke{}, work, P);
    CHECK(pivots <= int(std::size(lemke_attempts)) * pivots_given(work.map.n));
  }
}

TEST_MAIN({
  TEST(test_successful_attempts_stay_below_limit);
  TEST(test_no_attempt_exceeds_pivot_limit);
})
