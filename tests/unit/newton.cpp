// A Newton step on the prox equations: where the modes are right already, every equation but that of a direction of slip
// is linear, and one step ends at the solution; what is singular moves nothing.
#include <moreau/moreau.hpp>

#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

using moreau::detail::Branch;
using moreau::detail::Select;
constexpr Real tolerance = Real(200) * moreau::detail::epsilon<Real>;

enum class Does { nothing, stick, slip };

// Two contacts and a friction element whose solution is known: what their modes ask for is drawn, c follows.
template <int tangents>
struct Known {
  using Problem = moreau::ContactProblem<Real, 2, tangents, 1, tangents>;
  using Percussions = typename Problem::Percussions;
  using Tangential = moreau::Vector<Real, tangents>;
  static constexpr int rows = Problem::capacity;
  Problem problem;
  Percussions P;

  Known(test::Random& random, const Does (&does)[3]) {
    Percussions xi = Percussions::Zero();
    P.setZero();
    problem.k = 2;
    problem.elements = 1;
    for (int law = 0; law < 3; ++law) {
      Real limit = problem.bound(0) = Real(0.5);
      if (law < 2) {
        problem.mu(law) = Real(0.4);
        (does[law] == Does::nothing ? xi : P)(problem.row(law)) = random.between(Real(0.5), Real(2));
        limit = problem.mu(law) * P(problem.row(law));
      }
      const int first = law < 2 ? problem.row(law) + 1 : problem.friction_row(0);
      const Tangential d = direction(random);
      for (int t = 0; t < tangents; ++t) {
        if (does[law] != Does::stick) xi(first + t) = -d(t) * random.between(Real(0.6), Real(0.7));
        P(first + t) = limit * d(t) * (does[law] == Does::stick ? Real(0.5) : Real(1));
      }
      if (does[law] == Does::slip)  // along the percussion, wherever it points
        for (int t = 0; t < tangents; ++t) xi(first + t) = -d(t) * Real(0.65);
    }
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c <= r; ++c)
        problem.G(r, c) = problem.G(c, r) =
            r == c ? random.between(Real(1), Real(2)) : random.between(Real(-0.15), Real(0.15));
    problem.c = xi - problem.G * P;
  }
  static Tangential direction(test::Random& random) {
    Tangential d;
    if constexpr (tangents == 1) {
      d(0) = random.between(Real(-1), Real(1)) < 0 ? Real(-1) : Real(1);
    } else {
      const auto [s, c] = moreau::sincos(random.between(Real(-3), Real(3)));
      d << s, c;
    }
    return d;
  }
  Real error(const Percussions& other) const { return (other - P).cwiseAbs().maxCoeff(); }
};

// A direction of slip takes steps that double the digits; it has some before the first.
template <class C, int tangents>
void check_steps() {
  using K = Known<tangents>;
  test::Random random(tangents);
  for (int code = 0; code < 18; ++code) {
    const Does does[] = {Does(code % 3), Does(code / 3 % 3), Does(1 + code / 9)};
    const K known(random, does);
    moreau::Workspace<moreau::Newton, typename K::Problem> work;
    moreau::detail::NewtonStep<C, typename K::Problem, decltype(work)> newton(known.problem, work);
    typename K::Percussions P = known.P;
    for (int r = 0; r < K::rows; ++r) P(r) += Real(0.01) * random.between(Real(-1), Real(1));
    constexpr int enough = tangents == 1 ? 2 : 4;  // the first leaves what is `held`
    for (int n = 0; n < enough; ++n) CHECK(C::bit(newton.move(P)));
    CHECK(known.error(P) <= tolerance);
  }
}

// The largest entry of a column is below its diagonal: without exchanging rows a percussion would be rounding.
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
  CHECK(C::bit(newton.move(P)));
  for (int i = 0; i < 3; ++i) CHECK_WITHIN(tolerance, solution(i), P(i));
}

// Two contacts that do the same: only the sum of their percussions is determined.
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
  for (int n = 0; n < 2; ++n) CHECK(C::bit(newton.move(P)));
  CHECK_WITHIN(tolerance, Real(1), P(0) + P(1));
  CHECK_WITHIN(Real(0.01), Real(0.4), P(0));  // it is moved as little as can be

  problem.G(0, 0) = std::numeric_limits<Real>::quiet_NaN();
  const auto before = P;
  CHECK(!C::bit(newton.move(P)));
  CHECK(P(0) == before(0) && P(1) == before(1));
}

}  // namespace

void test_planar_equations_are_linear(void) {
  check_steps<Branch, 1>();
  check_steps<Select, 1>();
}
void test_directions_of_slip_double_their_digits(void) {
  check_steps<Branch, 2>();
  check_steps<Select, 2>();
}
void test_rows_are_exchanged(void) {
  check_pivots<Branch>();
  check_pivots<Select>();
}
void test_what_is_redundant_or_no_number(void) {
  check_redundant<Branch>();
  check_redundant<Select>();
}
void test_options(void) {
  constexpr auto valid = [](int sweeps, int rounds) { return moreau::Newton{sweeps, rounds}.valid(); };
  CHECK(moreau::Newton{}.valid() && valid(1, 1) && valid(1000, 10));
  CHECK(!valid(0, 1) && !valid(1, 0) && !valid(1001, 1) && !valid(1, 11));
}

TEST_MAIN({
  TEST(test_planar_equations_are_linear);
  TEST(test_directions_of_slip_double_their_digits);
  TEST(test_rows_are_exchanged);
  TEST(test_what_is_redundant_or_no_number);
  TEST(test_options);
})
