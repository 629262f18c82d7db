// Two contacts that stick or slip, against the judge and against the solver for any planar problem.
#include <moreau/solve/exact.hpp>
#include <moreau/solve/pair_modes.hpp>

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "support/bits_hash.hpp"
#include "support/test.hpp"

using moreau::detail::Coupling;
using moreau::detail::PlanarContact;
using Problem = moreau::ContactProblem<Real, 2>;

namespace {

struct Pair {
  PlanarContact<Real> p, q;
  Coupling<Real> x;
};

Problem problem_of(const Pair& pair) {
  Problem problem;
  problem.k = 2;
  const auto& [p, q, x] = pair;
  problem.G << p.NN, p.NT, x.NN, x.NT,  //
      p.NT, p.TT, x.TN, x.TT,           //
      x.NN, x.TN, q.NN, q.NT,           //
      x.NT, x.TT, q.NT, q.TT;
  problem.c << p.c_N, p.c_T, q.c_N, q.c_T;
  problem.mu << p.mu, q.mu;
  return problem;
}

// Directions of `rows` coordinates with a unit mass; both tangents the same one where `shared`.
Pair random_pair(test::Random& random, int coordinates, bool shared) {
  Real w[4][4] = {};
  for (auto& row : w)
    for (int j = 0; j < coordinates; ++j) row[j] = random.between(Real(-1), Real(1));
  if (shared)
    for (int j = 0; j < 4; ++j) w[3][j] = w[1][j];
  const auto G = [&w](int i, int j) {
    return w[i][0] * w[j][0] + w[i][1] * w[j][1] + w[i][2] * w[j][2] + w[i][3] * w[j][3];
  };
  const auto c = [&random] { return random.between(Real(-1), Real(1)); };
  const Real c_T = c();
  Pair pair{{G(0, 0), G(0, 1), G(1, 1), -Real(0.1) + c(), c_T, random.between(Real(0), Real(1))},
            {G(2, 2), G(2, 3), G(3, 3), -Real(0.1) + c(), shared ? c_T : c(), random.between(Real(0), Real(1))},
            {G(0, 2), G(0, 3), G(1, 2), G(1, 3)}};
  return pair;
}

struct Answer {
  moreau::detail::ContactResult<Real> a, b;
  moreau::detail::FewVerdict<moreau::detail::Branch, Real> verdict;
  bool found;
};

Answer solve(const Pair& pair, const moreau::Judge<Real>& judge) {
  Answer answer;
  answer.found =
      moreau::detail::PairModes<Real>(pair.p, pair.q, pair.x).solve(judge, answer.a, answer.b, answer.verdict);
  return answer;
}

struct Counts {
  int answered = 0, both_stick = 0, one_sticks = 0;
};

Counts ask(std::uint32_t seed, int coordinates, bool shared) {
  const moreau::Judge<Real> judge;
  // of the sums that xi is, and of d P_N, which the judge compares with mu P_N times a scale of its own
  const Real roundings = Real(64) * moreau::epsilon<Real>;
  test::Random random(seed);
  Counts counts;
  for (int n = 0; n < 2000; ++n) {
    const Pair pair = random_pair(random, coordinates, shared);
    const auto [a, b, verdict, found] = solve(pair, judge);
    if (!(found && !verdict.refused)) continue;
    ++counts.answered;
    counts.both_stick += a.stick && b.stick;
    counts.one_sticks += a.stick != b.stick;
    Problem::Percussions P;
    P << a.P_N, a.P_T, b.P_N, b.P_T;
    moreau::Modes<Problem> modes;
    const auto verdict_of_judge = weigh(problem_of(pair), P, judge, modes);
    CHECK(verdict_of_judge.exact);
    CHECK_EQUAL(int(modes.N[0]), int(a.sigma_N));
    CHECK_EQUAL(int(modes.T[0]), int(a.sigma_T));
    CHECK_EQUAL(int(modes.N[1]), int(b.sigma_N));
    CHECK_EQUAL(int(modes.T[1]), int(b.sigma_T));
    CHECK(verdict_of_judge.relative <= verdict.relative * Real(1.001) + roundings);
  }
  return counts;
}

}  // namespace

void test_judge_agrees_with_every_answer(void) {
  const Counts counts = ask(1, 4, false);
  CHECK(counts.both_stick > 20);
  CHECK(counts.one_sticks > 20);
}

// Three coordinates: two corners of a slider. The tangents are one and the same.
void test_a_shared_tangent_is_split(void) {
  const Counts counts = ask(2, 3, true);
  CHECK(counts.both_stick > 20);
}

// Where both stick, the solver for any planar problem finds the same velocities.
void test_the_other_solver_agrees(void) {
  const moreau::Judge<Real> judge;
  test::Random random(3);
  int compared = 0;
  // G is of order 1 and its inverse of order 100: percussions differ by a few hundred roundings
  const Real close = Real(5000) * moreau::epsilon<Real>;
  for (int n = 0; n < 2000; ++n) {
    const Pair pair = random_pair(random, 4, false);
    const auto [a, b, verdict, found] = solve(pair, judge);
    if (!(found && a.stick && b.stick)) continue;
    const Problem problem = problem_of(pair);
    if (problem.G.determinant() < Real(0.01)) continue;
    moreau::Workspace<moreau::Exact, Problem> work;
    Problem::Percussions P = Problem::Percussions::Zero();
    moreau::solve(problem, moreau::Exact{}, work, P);
    bool same_modes = true;  // friction may have several solutions
    for (int i = 0; i < 2; ++i)
      same_modes = same_modes && P(2 * i) > Real(0) && std::fabs(P(2 * i + 1)) < problem.mu(i) * P(2 * i);
    if (!same_modes) continue;
    ++compared;
    CHECK_WITHIN(close * (1 + std::fabs(a.P_N)), P(0), a.P_N);
    CHECK_WITHIN(close * (1 + std::fabs(b.P_T)), P(3), b.P_T);
  }
  CHECK(compared > 20);
}

void test_what_is_no_number_is_not_answered(void) {
  test::Random random(4);
  for (int n = 0; n < 200; ++n) {
    Pair pair = random_pair(random, 4, false);
    (n % 2 == 0 ? pair.p.c_N : pair.x.TT) = std::numeric_limits<Real>::quiet_NaN();
    const Answer answer = solve(pair, moreau::Judge<Real>{});
    CHECK(!(answer.found && !answer.verdict.refused));
  }
}

TEST_MAIN({
  TEST(test_judge_agrees_with_every_answer);
  TEST(test_a_shared_tangent_is_split);
  TEST(test_the_other_solver_agrees);
  TEST(test_what_is_no_number_is_not_answered);
})
