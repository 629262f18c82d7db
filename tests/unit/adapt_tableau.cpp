// Aitken-Neville extrapolation against the values printed in SLG08 (44), (46), (47), and the reason for odd substeps.
#include <cmath>
#include <moreau/moreau.hpp>

#include "support/test.hpp"

namespace {

using Tableau = moreau::detail::Tableau<Real, 1>;
using moreau::Powers;

constexpr double rounding_bound = sizeof(Real) == 8 ? 1e-14 : 1e-5;

Tableau::Values one(double x) { return Tableau::Values(Real(x)); }
double top(const Tableau& t, int column) { return double(t.entry(column - 1).coeff(0)); }

// (44): y' = 3 x^2 with the explicit Euler rule, 1, 2 and 4 steps.
void test_example_44(void) {
  Tableau t;
  t.add(one(0), 1, Powers::every);
  t.add(one(3.0 / 8), 2, Powers::every);
  CHECK_WITHIN(rounding_bound, 0.75, top(t, 2));
  t.add(one(21.0 / 32), 4, Powers::every);
  CHECK_WITHIN(rounding_bound, 15.0 / 16, top(t, 2));
  CHECK_WITHIN(rounding_bound, 1.0, top(t, 3));
}

// (47): a closed contact, eps = 0.7, with 1, 2, 3, 4 substeps: the velocity, which should decrease, grows by a factor
// of nine.
void test_example_47(void) {
  const double printed[4][4] = {{-0.7}, {0.49, 1.68}, {-0.343, -2.009, -3.8535}, {0.2401, 1.9894, 5.9878, 9.2682}};
  Tableau t;
  for (int i = 0; i < 4; ++i) {
    t.add(one(std::pow(-0.7, i + 1)), i + 1, Powers::every);
    for (int j = 0; j <= i; ++j) CHECK_WITHIN(6e-5, printed[i][j], top(t, j + 1));  // printed with four decimals
  }
}

// With odd n the extrapolated velocity never exceeds the initial one, for any eps: n = 1 .. 11.
void test_odd_substeps_never_amplify(void) {
  for (int e = 0; e <= 100; ++e) {
    Tableau t;
    for (int i = 1; i <= 6; ++i) {
      t.add(one(std::pow(-e / 100.0, 2 * i - 1)), 2 * i - 1, Powers::every);
      CHECK(std::abs(double(t.best().coeff(0))) <= 1 + 1e3 * rounding_bound);
    }
  }
}

// Range of the adaptive options, both ends included.
void test_options_at_their_ends(void) {
  using Options = moreau::AdaptiveOptions<Real>;
  const auto with = [](auto Options::*member, auto value) {
    Options options;
    options.*member = value;
    return options.valid();
  };
  CHECK(Options{}.valid() && Options::paper().valid());
  CHECK(with(&Options::rtol, Real(0)) && with(&Options::atol, Real(0)));
  CHECK(with(&Options::order_max, 1) && with(&Options::order_max, 12) &&
        with(&Options::base_steps_max, std::int64_t{1}));
  CHECK(with(&Options::dt_max, Options{}.dt_min) && with(&Options::order_fixed, 12));
  const Real infinite = std::numeric_limits<Real>::infinity();
  for (const Real bad : {Real(-1), infinite, std::numeric_limits<Real>::quiet_NaN()})
    CHECK(!with(&Options::rtol, bad) && !with(&Options::atol, bad) && !with(&Options::dt_max, bad) &&
          !with(&Options::dt_min, bad));
  CHECK(!with(&Options::dt_min, Real(0)) && !with(&Options::dt_max, Options{}.dt_min / 2));
  CHECK(!with(&Options::order_max, 0) && !with(&Options::order_max, 13) && !with(&Options::order_fixed, -1));
  CHECK(!with(&Options::order_fixed, 13) && !with(&Options::base_steps_max, std::int64_t{0}));
  Options none;
  none.rtol = none.atol = 0;
  CHECK(!none.valid());
  CHECK_EQUAL(sizeof(Real) == 8 ? Real(1e-9) : Real(1e-5), Options{}.rtol);
  CHECK_EQUAL(Options{}.rtol, Options{}.atol);
}

struct Any {
  using Real = ::Real;
  [[maybe_unused]] static constexpr int dof = 1, contacts = 0;
};

// Size of the next step, from the order and the error of this one (1: just allowed).
void test_step_size_prediction(void) {
  moreau::AdaptiveOptions<Real> options;
  options.powers = Powers::every;
  options.order_max = 4;
  options.dt_min = Real(1e-4);
  options.dt_max = Real(1e-2);
  CHECK_EQUAL(3 * options.dt_min,
              moreau::detail::increased_dt(Real(1e-4), options));  // not between dt_min and 3 dt_min
  CHECK_EQUAL(Real(5e-3), moreau::detail::increased_dt(Real(5e-3), options));
  CHECK_EQUAL(Real(1e-2), moreau::detail::increased_dt(Real(5e-2), options));
  CHECK_EQUAL(Real(1e-4), moreau::detail::reduced_dt(Real(2e-4), options));
  CHECK_EQUAL(Real(5e-3), moreau::detail::reduced_dt(Real(5e-3), options));
  moreau::detail::MainStep<Any> step;
  step.order = 4;
  step.error = Real(0.5);
  CHECK_EQUAL(Real(1), moreau::detail::growth(step, options));
  step.error = Real(0.5) / 16;
  CHECK_EQUAL(Real(2), moreau::detail::growth(step, options));
  step.error = 0;
  CHECK_EQUAL(Real(8), moreau::detail::growth(step, options));
  step.order = 3;  // accepted before the last column
  step.error = Real(0.9);
  CHECK_EQUAL(Real(8), moreau::detail::growth(step, options));
  step.order = 1;
  step.error = 1;
  CHECK_EQUAL(Real(0.5), moreau::detail::reduction(step, options));
  step.error = 4;
  CHECK_EQUAL(Real(0.125), moreau::detail::reduction(step, options));
  step.error = 1e6;
  CHECK_EQUAL(Real(1) / 64, moreau::detail::reduction(step, options));
  options.powers = Powers::even;  // order 2: the error decreases like dt
  step.order = 2;
  step.error = 4;
  CHECK_EQUAL(Real(0.125), moreau::detail::reduction(step, options));
  options.pace = moreau::Pace::doubling;
  CHECK(moreau::detail::growth(step, options) == 2 && moreau::detail::reduction(step, options) == Real(0.5));
}

// A value whose error is a series in h^2 is exact after two columns; a general one after one
// column per power of its error.
void test_powers(void) {
  const double y = 0.3;
  Tableau even, every;
  for (const int n : {1, 3, 5}) {
    const double h = 1.0 / n;
    even.add(one(y + 2 * h * h - h * h * h * h), n, Powers::even);
    every.add(one(y + 2 * h - 5 * h * h), n, Powers::every);
  }
  CHECK_WITHIN(10 * rounding_bound, y, even.best().coeff(0));
  CHECK_WITHIN(10 * rounding_bound, y, every.best().coeff(0));
}

void test_error_in_tolerances(void) {
  Tableau t;
  t.add(one(1), 1, Powers::every);
  CHECK(!(t.error(Real(1), Real(1)) <= 1));  // one row gives no error estimate
  t.add(one(1.5), 3, Powers::every);         // T_22 = 1.75, T_11 = 1
  CHECK_WITHIN(1e-5, 0.75 / (0.1 + 0.01 * 1.75), t.error(Real(0.1), Real(0.01)));
  t.clear();
  t.add(one(1), 1, Powers::every);
  t.add(one(std::nan("")), 3, Powers::every);
  CHECK(!(t.error(Real(1), Real(1)) <= 1));
  t.clear();
  t.add(one(1), 1, Powers::every);
  t.add(one(1), 3, Powers::every);
  CHECK(t.error(Real(0), Real(0)) == 0);  // no change: within any tolerance
}

}  // namespace

TEST_MAIN({
  TEST(test_example_44);
  TEST(test_example_47);
  TEST(test_odd_substeps_never_amplify);
  TEST(test_options_at_their_ends);
  TEST(test_step_size_prediction);
  TEST(test_powers);
  TEST(test_error_in_tolerances);
})
