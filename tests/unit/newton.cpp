// One Newton step on the prox equations: with correct modes, all equations except those of slip directions are linear,
// and one step reaches the solution; singular rows cause no change.
#include <moreau/moreau.hpp>

#include "support/known_problem.hpp"
#include "support/test.hpp"

namespace {

using moreau::detail::Branching;
using moreau::detail::Branchless;
constexpr Real tolerance = Real(200) * moreau::detail::epsilon<Real>;

// A slip direction converges quadratically, from a good start.
template <class C, int tangents>
void check_steps() {
  using K = test::KnownProblem<Real, tangents>;
  test::Random random(tangents);
  for (int code = 0; code < K::codes; ++code) {
    const K known(random, code);
    moreau::Workspace<moreau::Newton, typename K::Problem> work;
    moreau::detail::NewtonStep<C, typename K::Problem, decltype(work)> newton(known.problem, work);
    typename K::Percussions P = known.P;
    for (int r = 0; r < K::rows; ++r) P(r) += Real(0.01) * random.between(Real(-1), Real(1));
    constexpr int enough = tangents == 1 ? 2 : 4;  // the first leaves the remainder of `held`
    for (int n = 0; n < enough; ++n) CHECK(C::as_bit(newton.move(P)));
    CHECK(known.error(P) <= tolerance);
  }
}

// The largest entry of a column is below its diagonal: without row exchanges a percussion would be rounding error.
template <class C>
void check_pivots() {
  using Problem = moreau::ContactProblem<Real, 3, 0>;
  constexpr Real little = moreau::detail::epsilon<Real> * moreau::detail::epsilon<Real>;
  Problem problem;
  problem.k = 3;
  problem.G << little, 0, 1, 0, 1, 0, 1, 0, little;
  const moreau::Vector<Real, 3> solution(1, 2, 3);
  problem.c = -(problem.G * solution);
  moreau::Workspace<moreau::Newton, Problem> work;
  moreau::detail::NewtonStep<C, Problem, decltype(work)> newton(problem, work);
  moreau::Vector<Real, 3> P(Real(0.99), 2, Real(2.97));
  CHECK(C::as_bit(newton.move(P)));
  for (int i = 0; i < 3; ++i) CHECK_WITHIN(tolerance, solution(i), P(i));
}

// Two identical contacts: only the sum of their percussions is determined.
template <class C>
void check_redundant() {
  using Problem = moreau::ContactProblem<Real, 2, 0>;
  Problem problem;
  problem.k = 2;
  problem.G.setOnes();
  problem.c.setConstant(Real(-1));
  moreau::Workspace<moreau::Newton, Problem> work;
  moreau::detail::NewtonStep<C, Problem, decltype(work)> newton(problem, work);
  moreau::Vector<Real, 2> P(Real(0.3), Real(0.5));
  for (int n = 0; n < 2; ++n) CHECK(C::as_bit(newton.move(P)));
  CHECK_WITHIN(tolerance, Real(1), P(0) + P(1));
  CHECK_WITHIN(Real(0.01), Real(0.4), P(0));  // minimum-norm change

  problem.G(0, 0) = std::numeric_limits<Real>::quiet_NaN();
  const auto before = P;
  CHECK(!C::as_bit(newton.move(P)));
  CHECK(P(0) == before(0) && P(1) == before(1));
}

}  // namespace

void test_planar_equations_are_linear(void) {
  check_steps<Branching, 1>();
  check_steps<Branchless, 1>();
}
void test_slip_directions_converge_quadratically(void) {
  check_steps<Branching, 2>();
  check_steps<Branchless, 2>();
}
void test_rows_are_exchanged(void) {
  check_pivots<Branching>();
  check_pivots<Branchless>();
}
void test_redundant_and_non_finite_rows(void) {
  check_redundant<Branching>();
  check_redundant<Branchless>();
}
void test_options(void) {
  constexpr auto valid = [](int sweeps, int rounds) { return moreau::Newton{sweeps, rounds}.valid(); };
  CHECK(moreau::Newton{}.valid() && valid(1, 1) && valid(1000, 10));
  CHECK(!valid(0, 1) && !valid(1, 0) && !valid(1001, 1) && !valid(1, 11));
}

TEST_MAIN({
  TEST(test_planar_equations_are_linear);
  TEST(test_slip_directions_converge_quadratically);
  TEST(test_rows_are_exchanged);
  TEST(test_redundant_and_non_finite_rows);
  TEST(test_options);
})
