// Nested elimination: bit-identical to the direct solution of two contacts, to itself in both timing modes and with
// every coupling pattern, and independent of absent contacts. On random problems, the acceptance test confirms every
// accepted result.
#include <cmath>
#include <moreau/moreau.hpp>

#include "moreau/solve/nested_solution.hpp"
#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

using moreau::detail::Branching;
using moreau::detail::Branchless;
using moreau::detail::CoupledLaws;
using moreau::detail::first_row;
using moreau::detail::law_of;
using moreau::detail::LawProblem;
using moreau::detail::LawResults;
using moreau::detail::NestedElimination;

// Draws a problem from random directions in a space of d dimensions, so that G is positive semidefinite.
template <class Problem, class Laws>
Problem drawn(test::Random& random, int d, Real mu) {
  constexpr int rows = first_row<Laws>(Laws::count), most = 12;
  Real w[rows][most];
  Problem problem;
  for (int r = 0; r < rows; ++r) {
    problem.b[r] = random.between(Real(-1), Real(1));
    for (int j = 0; j < d; ++j) w[r][j] = random.between(Real(-1), Real(1));
  }
  for (int r = 0; r < rows; ++r)
    for (int s = 0; s < rows; ++s) {
      problem.A[r][s] = Real(0);
      if (!Laws::coupled(Laws::count, law_of<Laws>(r), law_of<Laws>(s))) continue;
      for (int j = 0; j < d; ++j) problem.A[r][s] += w[r < s ? r : s][j] * w[r < s ? s : r][j];
    }
  for (int i = 0; i < Laws::count; ++i) problem.limit[i] = random.between(Real(0), mu);
  return problem;
}

template <class Flow, class Laws, class Problem>
LawResults<Real, Laws> solved(const Problem& problem) {
  LawResults<Real, Laws> results;
  NestedElimination<Flow, Real, Laws>::template solve<Laws::count>(problem, results.P);
  return results;
}
template <class Laws>
bool same(const LawResults<Real, Laws>& a, const LawResults<Real, Laws>& b) {
  for (int r = 0; r < first_row<Laws>(Laws::count); ++r)
    if (!(a.P[r] == b.P[r])) return false;
  return true;
}

void test_two_contacts_are_bit_identical(void) {
  using Laws = CoupledLaws<0, 2, true>;
  test::Random random(3);
  for (int n = 0; n < 20000; ++n) {
    const auto problem = drawn<LawProblem<Real, Laws>, Laws>(random, 2 + n % 4, Real(1));
    const auto& G = problem.A;
    const auto contact = [&](int i) {
      const int N = 2 * i, T = N + 1;
      return moreau::detail::PlanarContact<Real>{G[N][N],      G[N][T],      G[T][N],         G[T][T],
                                                 problem.b[N], problem.b[T], problem.limit[i]};
    };
    moreau::detail::Percussion<Real> P, Q;
    moreau::detail::two_contacts<Branching>(contact(1), contact(0), {G[2][0], G[2][1], G[3][0], G[3][1]}, P, Q);
    moreau::Judge<Real> judge;
    LawResults<Real, Laws> results;
    (void)moreau::detail::solve_nested<Branching, 2>(problem, judge, results);
    CHECK(results.P[0] == Q.N && results.P[1] == Q.T && results.P[2] == P.N && results.P[3] == P.T);
    (void)moreau::detail::solve_nested<Branchless, 2>(problem, judge, results);
    CHECK(results.P[0] == Q.N && results.P[1] == Q.T && results.P[2] == P.N && results.P[3] == P.T);
  }
}

// Laws that form a chain: each is coupled with its neighbours.
template <int e, int k>
struct Chain {
  static constexpr int elements = e, contacts = k, count = e + k;
  static constexpr bool unrolled = true;
  static constexpr bool coupled(int, int a, int b) { return a - b <= 1 && b - a <= 1; }
  static constexpr bool may_share(int, int) { return true; }
};

template <int e, int k>
void check_modes_and_patterns() {
  using Laws = Chain<e, k>;
  using All = CoupledLaws<e, k, true>;
  test::Random random(5);
  for (int n = 0; n < 3000; ++n) {
    const auto chain = drawn<LawProblem<Real, Laws>, Laws>(random, 3 + n % 6, Real(0.8));
    LawProblem<Real, All> all;
    constexpr int rows = first_row<All>(All::count);
    for (int r = 0; r < rows; ++r) {
      all.b[r] = chain.b[r];
      for (int s = 0; s < rows; ++s) all.A[r][s] = chain.A[r][s];
    }
    for (int i = 0; i < All::count; ++i) all.limit[i] = chain.limit[i];
    const auto expected = solved<Branching, All>(all);
    CHECK((same<All>(expected, solved<Branchless, All>(all))));
    const auto a = solved<Branching, Laws>(chain), b = solved<Branchless, Laws>(chain);
    CHECK((same<Laws>(a, b)));
    for (int r = 0; r < rows; ++r) CHECK(a.P[r] == expected.P[r]);
  }
}
void test_timing_modes_and_patterns_are_bit_identical(void) {
  check_modes_and_patterns<0, 3>();
  check_modes_and_patterns<0, 4>();
  check_modes_and_patterns<2, 2>();
  check_modes_and_patterns<3, 1>();
  check_modes_and_patterns<4, 0>();
}

// Contact 1 of three is absent: the others have the result of a problem of two contacts, in both timing modes.
void test_absent_contact_changes_nothing(void) {
  using Two = CoupledLaws<0, 2, true>;
  using Three = CoupledLaws<0, 3, true>;
  test::Random random(7);
  for (int n = 0; n < 10000; ++n) {
    const auto two = drawn<LawProblem<Real, Two>, Two>(random, 2 + n % 4, Real(1));
    auto three = drawn<LawProblem<Real, Three>, Three>(random, 2 + n % 4, Real(1));
    const auto row = [](int r) { return r < 2 ? r : r + 2; };
    for (int r = 0; r < 4; ++r) {
      three.b[row(r)] = two.b[r];
      for (int s = 0; s < 4; ++s) three.A[row(r)][row(s)] = two.A[r][s];
      for (const int absent : {2, 3}) three.A[absent][row(r)] = three.A[row(r)][absent] = three.b[absent] = Real(0);
    }
    three.limit[0] = two.limit[0];
    three.limit[2] = two.limit[1];
    three.present = 5;
    const auto expected = solved<Branching, Two>(two);
    for (const auto& results : {solved<Branching, Three>(three), solved<Branchless, Three>(three)}) {
      for (int r = 0; r < 4; ++r) CHECK(results.P[row(r)] == expected.P[r]);
      CHECK(results.P[2] == Real(0) && results.P[3] == Real(0));
    }
  }
}

// Share of the random problems that are solved: the acceptance test calls every accepted result ok, and accepts no
// result that QuickVerdict rejects by a wide margin.
template <int e, int k>
double solved_share(Real mu, Real least_b_N) {
  using Problem = moreau::ContactProblem<Real, k, 1, e>;
  test::Random random(11);
  int good = 0;
  constexpr int draws = 4000;
  for (int n = 0; n < draws; ++n) {
    using Laws = CoupledLaws<e, k>;
    auto laws = drawn<LawProblem<Real, Laws>, Laws>(random, 12, mu);
    for (int i = 0; i < k; ++i) laws.b[e + 2 * i] = random.between(least_b_N, Real(0.2));
    Problem problem;
    problem.k = k;
    problem.elements = e;
    const auto row = [](int r) { return r < e ? 2 * k + r : r - e; };
    for (int r = 0; r < e + 2 * k; ++r) {
      problem.c(row(r)) = laws.b[r];
      for (int s = 0; s < e + 2 * k; ++s) problem.G(row(r), row(s)) = laws.A[r][s];
    }
    for (int j = 0; j < e; ++j) problem.bound(j) = laws.limit[j];
    for (int i = 0; i < k; ++i) problem.mu(i) = laws.limit[e + i];
    typename Problem::Percussions P = Problem::Percussions::Zero();
    moreau::Sigmas<Problem> sigmas;
    const moreau::Judge<Real> judge;
    const bool accepted = moreau::detail::solve_by_elimination(problem, judge, P);
    good += accepted;
    if (accepted)
      CHECK(moreau::evaluate(problem, P, judge, sigmas).exact);
    else
      CHECK(P.isZero(Real(0)));
  }
  return double(good) / draws;
}

// Least share of solved problems. Friction of contacts makes the problem non-convex: a slip direction can be wrong.
constexpr double most_solved = 0.999, with_friction = 0.98;

void test_random_problems(void) {
  CHECK((solved_share<0, 3>(Real(0.3), Real(-1)) > most_solved));
  CHECK((solved_share<0, 4>(Real(0.3), Real(-1)) > most_solved));
  CHECK((solved_share<0, 4>(Real(0.7), Real(-1)) > with_friction));
  CHECK((solved_share<3, 2>(Real(0.3), Real(-1)) > most_solved));
  CHECK((solved_share<1, 3>(Real(0.5), Real(-1)) > with_friction));
}
// Without friction of contacts the problem is convex.
void test_friction_elements_are_always_solved(void) {
  CHECK_EQUAL(1.0, (solved_share<4, 0>(Real(1), Real(-1))));
  CHECK_EQUAL(1.0, (solved_share<2, 0>(Real(0.1), Real(-1))));
}

// Two corners of one face and a third contact: friction is distributed in proportion to the normal percussions.
void test_common_tangent_of_two_among_three(void) {
  using Laws = CoupledLaws<0, 3, true>;
  LawProblem<Real, Laws> problem{};
  for (int r = 0; r < 6; ++r) problem.A[r][r] = Real(1);
  problem.A[1][3] = problem.A[3][1] = Real(1);  // w_T of contacts 0 and 1 are equal
  problem.A[1][5] = problem.A[5][1] = problem.A[3][5] = problem.A[5][3] = Real(0.25);
  problem.b[0] = Real(-1);
  problem.b[2] = Real(-3);
  problem.b[1] = problem.b[3] = Real(0.1);
  problem.b[4] = Real(-1);
  for (Real& mu : problem.limit) mu = Real(0.5);
  LawResults<Real, Laws> results;
  const moreau::Judge<Real> judge;
  CHECK((!moreau::detail::solve_nested<Branching, 3>(problem, judge, results).rejected<6>(judge)));
  constexpr Real close = Real(32) * std::numeric_limits<Real>::epsilon();
  CHECK(std::abs(results.P[1]) > Real(0.01));
  CHECK_WITHIN(close, Real(3) * results.P[1], results.P[3]);
  // Contact 2 distinguishes the tangents by more than rounding errors: the distribution would move it.
  problem.A[3][5] = problem.A[5][3] = Real(0.251);
  CHECK((!moreau::detail::solve_nested<Branching, 3>(problem, judge, results).rejected<6>(judge)));
}

// A friction element with a zero direction, or with a bound of zero, has no percussion.
void test_idle_element(void) {
  moreau::ContactProblem<Real, 0, 1, 2> problem;
  problem.elements = 2;
  problem.G.setZero();
  problem.G(1, 1) = Real(2);
  problem.c << Real(3), Real(1);
  problem.bound << Real(1), Real(0);
  decltype(problem)::Percussions P = decltype(problem)::Percussions::Zero();
  CHECK(moreau::detail::solve_by_elimination(problem, moreau::Judge<Real>{}, P));
  CHECK(P(0) == Real(0) && P(1) == Real(0));
  problem.bound(1) = Real(4);
  CHECK(moreau::detail::solve_by_elimination(problem, moreau::Judge<Real>{}, P));
  CHECK(P(0) == Real(0) && P(1) == Real(-0.5));
}

}  // namespace

TEST_MAIN({
  TEST(test_two_contacts_are_bit_identical);
  TEST(test_timing_modes_and_patterns_are_bit_identical);
  TEST(test_absent_contact_changes_nothing);
  TEST(test_random_problems);
  TEST(test_friction_elements_are_always_solved);
  TEST(test_common_tangent_of_two_among_three);
  TEST(test_idle_element);
})
