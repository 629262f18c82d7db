// The judge alone: correct solutions are accepted, wrong ones rejected, for all magnitudes and non-finite values.
#include "support/test.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <moreau/moreau.hpp>

#include "support/bits_hash.hpp"

namespace {

using Problem = moreau::ContactProblem<Real, 1>;
using Percussions = Problem::Percussions;
using Verdict = moreau::Judge<Real>::Verdict;

const Real not_a_number = std::numeric_limits<Real>::quiet_NaN();
const Real infinite = std::numeric_limits<Real>::infinity();

// Body of 1/G kg that hits the ground with normal velocity c_N and tangential velocity c_T; mu = 1/2.
Problem landing(Real G = Real(1), Real c_N = Real(-1), Real c_T = Real(3)) {
  Problem problem;
  problem.k = 1;
  problem.G << G, Real(0), Real(0), G;
  problem.c << c_N, c_T;
  problem.mu << Real(0.5);
  return problem;
}

template <class P, class Q>
moreau::Judge<Real>::Verdict evaluate(const P& problem, const Q& percussions) {
  moreau::Sigmas<P> modes;
  return moreau::evaluate(problem, percussions, moreau::Judge<Real>{}, modes);
}

bool rejected(const Verdict& verdict) { return !verdict.exact && !verdict.passable; }

}  // namespace

void test_correct_solution(void) {
  const Verdict verdict = evaluate(landing(), Percussions(Real(1), Real(-0.5)));
  CHECK(verdict.exact && verdict.passable);
  CHECK_EQUAL(Real(0), verdict.residual);
  CHECK_EQUAL(Real(0), verdict.relative);
}

void test_violations_are_velocities(void) {
  const Problem problem = landing(Real(0.25));                                         // 4 kg
  CHECK_EQUAL(Real(0.5), evaluate(problem, Percussions(Real(2), Real(-1))).residual);  // still approaching at 0.5 m/s
  CHECK_EQUAL(Real(0.25), evaluate(problem, Percussions(Real(5), Real(-2.5))).residual);  // rebounds at 0.25 m/s
  CHECK_EQUAL(Real(0.25), evaluate(problem, Percussions(Real(4), Real(-1))).residual);    // 1 N s of friction missing
  CHECK_EQUAL(Real(0.25), evaluate(problem, Percussions(Real(4), Real(-3))).residual);    // 1 N s of friction too much
  CHECK_EQUAL(Real(1), evaluate(problem, Percussions(Real(0), Real(0))).residual);        // no percussions
  CHECK(evaluate(problem, Percussions(Real(-4), Real(0))).residual >= Real(1));           // adhesion
}

void test_relative_violation_refers_to_the_summed_magnitudes(void) {
  const Verdict verdict = evaluate(landing(Real(0.25)), Percussions(Real(2), Real(-1)));
  CHECK_WITHIN(Real(4) * moreau::detail::epsilon<Real>, Real(0.5 / 1.5), verdict.relative);
}

void test_thresholds(void) {
  const moreau::Judge<Real> judge;
  const auto off_by = [](Real part) {
    return evaluate(landing(), Percussions(Real(1) + part, Real(-0.5) * (Real(1) + part)));
  };
  CHECK(off_by(judge.rtol).exact);  // of v = 2: half the threshold
  const Verdict inexact = off_by(Real(100) * judge.rtol);
  CHECK(!inexact.exact && inexact.passable);
  CHECK(rejected(off_by(Real(0.3))));
}

void test_valid_options(void) {
  CHECK(moreau::Judge<Real>{}.valid());
  const auto with = [](Real moreau::Judge<Real>::*member, Real value) {
    moreau::Judge<Real> judge;
    judge.*member = value;
    return judge.valid();
  };
  using J = moreau::Judge<Real>;
  CHECK(with(&J::atol, Real(1e-3)));
  for (const Real bad : {Real(-1), infinite, not_a_number}) {
    CHECK(!with(&J::atol, bad));
    CHECK(!with(&J::rtol, bad));
    CHECK(!with(&J::reject, bad));
    CHECK(!with(&J::sigma_margin, bad));
    CHECK(!with(&J::cancellation, bad));
  }
  CHECK(!with(&J::rtol, Real(0)));
  CHECK(!with(&J::reject, Real(0)));  // below rtol
}

// Slide on its foot, with a larger inertia along y than along x: once it has stopped, its friction is unloaded.
struct Slide {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 1, tangents = 2;
  using Q = moreau::Vector<Real, 3>;
  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const { return Q(Real(2), Real(0.5), Real(2)).asDiagonal(); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0), Real(0), Real(-20)); }
  Real gap(int, const Q& q, Real) const { return q(2); }
  moreau::Directions<Real, 3, 2> directions(int, const Q&, Real) const {
    moreau::Directions<Real, 3, 2> d;
    d.w_N(2) = d.w_T(0, 0) = d.w_T(1, 1) = Real(1);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0), Real(0), Real(0.25)}; }
};
template <class Solver, moreau::Timing timing>
void check_comes_to_rest() {
  constexpr Real dt = Real(1e-3);  // s
  moreau::Stepper<Slide, Solver, timing> slide{Slide{}, moreau::State<Slide>{}};
  slide.state.u = Slide::Q(Real(0.6), Real(0.8), Real(0));
  int inexact = 0;
  for (int n = 0; n < 1500; ++n) {  // it stops after 0.4 s
    const auto report = slide.step(dt);
    CHECK(report.advanced());
    inexact += report.status != moreau::Status::ok;
    if (report.status != moreau::Status::ok) CHECK(report.residual < Real(1e-6));
  }
  // A sweep reduces friction to 0.75 of its value, the 50 sweeps of a step to 6e-7; below 2e-25 of it, in double, the
  // remainder is ok.
  CHECK(inexact <= 8);
  CHECK_WITHIN(std::numeric_limits<Real>::epsilon(), 0, slide.state.u.norm());
}
void test_friction_without_a_load(void) {
  check_comes_to_rest<moreau::Psor, moreau::Timing::variable>();
  check_comes_to_rest<moreau::Sweeps, moreau::Timing::variable>();
  check_comes_to_rest<moreau::Sweeps, moreau::Timing::constant>();
}

// A velocity that is negligible compared with those of the problem is passable, and ok within their rounding error.
void test_negligible_velocities(void) {
  Problem problem = landing();
  problem.c(1) = Real(0);  // no load: xi_T is G_TT P_T
  const Real fastest = problem.c.cwiseAbs().maxCoeff(), P_N = -problem.c(0) / problem.G(0, 0);
  const moreau::Judge<Real> judge;
  const auto left_over = [&](Real e) { return evaluate(problem, Percussions(P_N, e * fastest / problem.G(1, 1))); };
  CHECK(left_over(judge.rtol * std::numeric_limits<Real>::epsilon() / Real(2)).exact);
  CHECK(!left_over(judge.rtol * std::numeric_limits<Real>::epsilon() * Real(2)).exact);
  const Real negligible = sizeof(Real) == 8 ? Real(1e-6) : Real(1e-4);
  CHECK(left_over(negligible / Real(2)).passable);
  CHECK(!left_over(negligible * Real(2)).passable);
}

void test_non_finite_values_are_rejected(void) {
  for (const Real bad : {not_a_number, infinite, -infinite}) {
    for (int row = 0; row < 2; ++row) {
      Percussions P(Real(1), Real(-0.5));
      P(row) = bad;
      CHECK(rejected(evaluate(landing(), P)));
      for (const Percussions& any : {Percussions(Real(1), Real(-0.5)), Percussions(Real(0), Real(0))}) {
        Problem problem = landing();
        problem.c(row) = bad;
        CHECK(rejected(evaluate(problem, any)));
        for (int column = 0; column < 2; ++column) {
          problem = landing();
          problem.G(row, column) = bad;
          CHECK(rejected(evaluate(problem, any)));
        }
      }
    }
    Problem problem = landing();
    problem.mu(0) = bad;
    CHECK(rejected(evaluate(problem, Percussions(Real(1), Real(-0.5)))));
    CHECK(rejected(evaluate(problem, Percussions(Real(1), Real(0)))));
  }
}

void test_non_finite_values_are_not_masked_by_later_rows(void) {
  moreau::ContactProblem<Real, 2, 0> problem;
  problem.k = 2;
  problem.G.setIdentity();
  problem.c << not_a_number, Real(-1);
  const Verdict verdict = evaluate(problem, moreau::Vector<Real, 2>(Real(0), Real(0.5)));
  CHECK(rejected(verdict));
  CHECK(verdict.residual != verdict.residual && verdict.relative != verdict.relative);
}

void test_inadmissible_percussions_are_rejected(void) {
  Problem problem = landing();
  problem.mu(0) = Real(-0.5);
  CHECK(rejected(evaluate(problem, Percussions(Real(1), Real(0)))));
  problem = landing(Real(0), Real(1), Real(1));  // zero directions
  CHECK(rejected(evaluate(problem, Percussions(Real(5), Real(0)))));
  moreau::ContactProblem<Real, 0, 1, 1> element;
  element.elements = 1;
  element.G << Real(1);
  element.c << Real(1);
  for (const Real bad : {Real(-1), not_a_number, infinite}) {
    element.bound << bad;
    CHECK(rejected(evaluate(element, moreau::Vector<Real, 1>(Real(0)))));
  }
}

// Friction with a zero direction must have zero percussion, for any bound and any velocity.
void test_element_with_zero_direction_has_no_percussion(void) {
  moreau::ContactProblem<Real, 0, 1, 1> element;
  element.elements = 1;
  element.G << Real(0);
  element.c << Real(1);
  for (const Real bound : {Real(0), Real(2)}) {
    element.bound << bound;
    CHECK(evaluate(element, moreau::Vector<Real, 1>(Real(0))).exact);
    const Verdict verdict = evaluate(element, moreau::Vector<Real, 1>(Real(-0.5)));
    CHECK(rejected(verdict) && verdict.residual == Real(0.5));
  }
}

// Zero percussions for a non-zero velocity are wrong at every magnitude.
void test_zero_percussions_are_wrong_at_every_scale(void) {
  const Real top = sizeof(Real) == 8 ? Real(1e300) : Real(1e35);
  const Real scales[] = {Real(1) / top, Real(1e-30), Real(1e-10), Real(1), Real(1e10), Real(1e30), top};
  for (const Real c : scales)
    for (const Real G : scales) {
      const Problem problem = landing(G, -c, c);
      CHECK(rejected(evaluate(problem, Percussions(Real(0), Real(0)))));
      const Real half = Real(0.5) * c / G;
      CHECK(!evaluate(problem, Percussions(half, Real(-0.5) * half)).exact);
    }
}

// Percussions so large that the velocity consists of rounding errors.
void test_cancellation_is_not_accepted(void) {
  moreau::ContactProblem<Real, 2, 0> problem;
  problem.k = 2;
  problem.G << Real(1), Real(-1), Real(-1), Real(1);  // opposite percussions cause no velocity
  problem.c << Real(1), Real(1e-3);
  const Real large = Real(1e3) / moreau::detail::epsilon<Real>;
  CHECK(!evaluate(problem, moreau::Vector<Real, 2>(large, large)).exact);  // open, yet with maximum percussions
}

// Within the margin, an undecided contact is impressed; beyond it, it is a constraint.
void test_sigma_at_the_margin(void) {
  const moreau::Judge<Real> judge;
  moreau::Sigmas<Problem> modes;
  const auto tangential = [&](Real c_T) {
    const Real P_T = c_T > Real(0.5) ? Real(-0.5) : -c_T;
    moreau::evaluate(landing(Real(1), Real(-1), c_T), Percussions(Real(1), P_T), judge, modes);
    return int(modes.T[0]);
  };
  CHECK_EQUAL(1, tangential(Real(0.5)));
  CHECK_EQUAL(1, tangential(Real(0.5) - judge.sigma_margin / Real(4)));
  CHECK_EQUAL(0, tangential(Real(0.5) - Real(4) * judge.sigma_margin));
  CHECK_EQUAL(0, tangential(Real(0)));
  CHECK_EQUAL(1, tangential(Real(2)));
}

// The same for a normal law: s P_N - xi_N = -c_N, and the scale v is |c_N| + |G P_N|.
void test_normal_sigma_at_the_margin(void) {
  const moreau::Judge<Real> judge;
  moreau::Sigmas<Problem> modes;
  const auto normal = [&](Real c_N, Real P_N) {
    moreau::evaluate(landing(Real(1), c_N, Real(0)), Percussions(P_N, Real(0)), judge, modes);
    return int(modes.N[0]);
  };
  CHECK_EQUAL(0, normal(Real(-1), Real(1)));
  CHECK_EQUAL(1, normal(Real(1), Real(0)));
  CHECK_EQUAL(1, normal(Real(0), Real(0)));
  CHECK_EQUAL(1, normal(-judge.sigma_margin / Real(2), Real(1)));
  CHECK_EQUAL(0, normal(Real(-2) * judge.sigma_margin, Real(1)));
}

using moreau::detail::Branching;
using moreau::detail::Branchless;

// Rows of one to six contacts as both tests see them: violation, scale and c. v >= |c|.
struct Rows {
  int n;
  Real e[12], v[12], c[12];
};

template <class Flow>
bool quickly_accepted(const Rows& rows, const moreau::Judge<Real>& judge) {
  using Quick = moreau::detail::QuickVerdict<Flow, Real>;
  Quick sum;
  for (int r = 0; r < rows.n; r += 2)
    sum = sum + (Quick(rows.e[r], rows.v[r], rows.c[r]) + Quick(rows.e[r + 1], rows.v[r + 1], rows.c[r + 1]));
  switch (rows.n) {
    case 6:
      return !Flow::declassify(sum.template rejected<6>(judge));
    case 8:
      return !Flow::declassify(sum.template rejected<8>(judge));
    case 12:
      return !Flow::declassify(sum.template rejected<12>(judge));
    default:
      return !Flow::declassify(sum.rejected(judge));
  }
}
bool judged_ok(const Rows& rows, const moreau::Judge<Real>& judge) {
  moreau::detail::Verdict<Real> verdict;
  for (int r = 0; r < rows.n; ++r) verdict.c_max = std::max(verdict.c_max, moreau::detail::absolute(rows.c[r]));
  for (int r = 0; r < rows.n; ++r) verdict.evaluate(true, rows.e[r], rows.v[r], judge);
  verdict.conclude();
  return verdict.exact;
}

// Draws rows whose violations and scales extend to the limits of the acceptance test. All magnitudes are products of
// random powers of ten, so every row can dominate.
Rows drawn_rows(test::Random& random, const moreau::Judge<Real>& judge) {
  const auto power = [&](double a, double b) { return Real(std::pow(10.0, double(random.between(Real(a), Real(b))))); };
  const auto one_of = [&](int n) { return int(random.between(Real(0), Real(n))) % n; };
  constexpr int sizes[] = {2, 4, 6, 8, 12};
  Rows rows{sizes[one_of(5)], {}, {}, {}};
  const Real size = power(-20, 30);
  const bool equal = one_of(2) == 0;
  const int large = one_of(12);  // row with the large scale or violation; any row if the shape is not one of equal c
  for (int r = 0; r < rows.n; ++r) {
    rows.c[r] = (one_of(2) == 0 ? size : -size) * (equal ? Real(1) : (one_of(4) == 0 ? Real(0) : power(-6, 0)));
    const bool alone = equal && r != large % rows.n;
    rows.v[r] = alone ? moreau::detail::absolute(rows.c[r])
                      : moreau::detail::absolute(rows.c[r]) + size * power(-8, one_of(2) == 0 ? 0 : 8);
    rows.e[r] = alone || one_of(3) == 0 ? Real(0) : rows.v[r] * judge.rtol * power(one_of(2) == 0 ? -1 : -8, 0.5);
  }
  return rows;
}

// Multiplies the violations or the scales of all rows by a factor, without falling below |c|.
Rows scaled(Rows rows, Real factor, bool violations) {
  for (int r = 0; r < rows.n; ++r) {
    Real& x = violations ? rows.e[r] : rows.v[r];
    x *= factor;
    if (!violations) x = std::max(x, moreau::detail::absolute(rows.c[r]));
  }
  return rows;
}

// The sufficient test of the direct solution accepts no rows that the acceptance test does not call ok, in either
// timing mode: neither random rows, nor the last accepted ones when their violations or scales are increased.
void test_quick_verdict_is_sufficient(void) {
  test::Random random(7);
  int accepted = 0, accepted_at_limit = 0, ok = 0;
  constexpr int draws = often(20000);
  for (int n = 0; n < draws; ++n) {
    moreau::Judge<Real> judge;
    if (n % 4 == 1) judge.cancellation = judge.least_cancellation;
    if (n % 4 > 1) {
      const double least = 8 * double(moreau::detail::epsilon<Real>);
      judge.rtol = Real(least * std::pow(0.99 / least, double(random.between(Real(0), Real(1)))));
      judge.reject = Real(1);
      judge.cancellation = judge.least_cancellation;
    }
    CHECK(judge.valid());
    const Rows rows = drawn_rows(random, judge);
    const auto check = [&](const Rows& any) {
      const bool quick = quickly_accepted<Branching>(any, judge);
      CHECK_EQUAL(quick, quickly_accepted<Branchless>(any, judge));
      if (quick) CHECK(judged_ok(any, judge));
      return quick;
    };
    accepted += check(rows);
    ok += judged_ok(rows, judge);
    for (const bool violations : {true, false}) {
      // Bisect the factor at which acceptance ends, to its last bit.
      Real below = Real(1e-8), above = Real(1e8);
      if (!check(scaled(rows, below, violations)) || check(scaled(rows, above, violations))) continue;
      for (int half = 0; half < 100; ++half) {
        const Real middle = half < 8 ? std::sqrt(below) * std::sqrt(above) : below + (above - below) / 2;
        (check(scaled(rows, middle, violations)) ? below : above) = middle;
      }
      ++accepted_at_limit;
    }
  }
  moreau::port::print(accepted, " of ", draws, " accepted, ", ok, " ok, ", accepted_at_limit, " limits found");
  CHECK(accepted > draws / 4);
  CHECK(accepted_at_limit > draws / 4);
}

// The bound is the largest one that the sums allow: with four equal |c| and one large scale, the acceptance test itself
// is at its limit.
void test_quick_verdict_at_the_limit(void) {
  moreau::Judge<Real> judge;
  judge.cancellation = judge.least_cancellation;
  const auto with = [](Real v) { return Rows{4, {}, {v, Real(1), Real(1), Real(1)}, {Real(1), Real(-1), 1, 1}}; };
  const Real v_max = judge.rtol * judge.least_cancellation / moreau::detail::epsilon<Real>;
  CHECK(quickly_accepted<Branching>(with(Real(0.99) * v_max), judge));
  CHECK(!quickly_accepted<Branching>(with(Real(1.01) * v_max), judge));
  CHECK(judged_ok(with(Real(0.99) * v_max), judge));
  CHECK(!judged_ok(with(Real(1.01) * v_max), judge));
  const auto at_rest = [](Real e) { return Rows{4, {e}, {}, {}}; };  // all velocities zero
  CHECK(quickly_accepted<Branching>(at_rest(0), judge) && judged_ok(at_rest(0), judge));
  CHECK(!quickly_accepted<Branching>(at_rest(std::numeric_limits<Real>::min()), judge));
}

// The sum of two tests contains the sums of their rows. Thresholds out of range reject every step.
void test_quick_verdict(void) {
  using Quick = moreau::detail::QuickVerdict<Branching, Real>;
  const Quick both = Quick(Real(0.5), Real(2), Real(-1)) + Quick(Real(0.25), Real(4), Real(3));
  CHECK_EQUAL(Real(0.75), both.residual);
  CHECK_EQUAL(Real(0.3125), both.relative);
  CHECK_EQUAL(Real(6), both.v);
  CHECK_EQUAL(Real(4), both.c);
  const Quick alone = Quick() + both;
  CHECK(alone.residual == both.residual && alone.relative == both.relative && alone.v == both.v && alone.c == both.c);
  CHECK(!Quick(Real(0), Real(1), Real(1)).rejected(moreau::Judge<Real>{}));
  for (const Real bad : {Real(1), Real(-1), infinite, not_a_number}) {
    moreau::Judge<Real> invalid;
    invalid.rtol = bad;
    CHECK(Quick(Real(0), Real(1), Real(1)).rejected(invalid));
    invalid = {};
    invalid.sigma_margin = bad;
    CHECK(Quick(Real(0), Real(1), Real(1)).rejected(invalid));
  }
}

TEST_MAIN({
  TEST(test_quick_verdict);
  TEST(test_quick_verdict_is_sufficient);
  TEST(test_quick_verdict_at_the_limit);
  TEST(test_correct_solution);
  TEST(test_violations_are_velocities);
  TEST(test_relative_violation_refers_to_the_summed_magnitudes);
  TEST(test_thresholds);
  TEST(test_valid_options);
  TEST(test_friction_without_a_load);
  TEST(test_negligible_velocities);
  TEST(test_non_finite_values_are_rejected);
  TEST(test_non_finite_values_are_not_masked_by_later_rows);
  TEST(test_inadmissible_percussions_are_rejected);
  TEST(test_element_with_zero_direction_has_no_percussion);
  TEST(test_zero_percussions_are_wrong_at_every_scale);
  TEST(test_cancellation_is_not_accepted);
  TEST(test_sigma_at_the_margin);
  TEST(test_normal_sigma_at_the_margin);
})
