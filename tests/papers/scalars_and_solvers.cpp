// Agreement of float and double and of all solvers on every model, within the resolution of float.
#include <cmath>

#include "along.hpp"
#include "models/belt_oscillator.hpp"
#include "models/falling_mass.hpp"
#include "models/impact_oscillator.hpp"
#include "models/oblique_oscillator.hpp"
#include "models/prismatic_joint.hpp"
#include "models/slider_crank.hpp"
#include "models/sliding_mass.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

// Largest difference between the positions of two runs.
template <class One, class Other>
double apart(One& one, Other& other, double h, long steps) {
  using A = typename One::Real;
  using B = typename Other::Real;
  double worst = 0;
  for (long n = 0; n < steps; ++n) {
    if (!one.step(A(h)).advanced() || !other.step(B(h)).advanced())
      return 1e300;  // a step that does not advance fails the comparison
    for (int j = 0; j < int(one.state.q.size()); ++j)
      worst = papers::larger(worst, std::abs(double(one.state.q(j)) - double(other.state.q(j))));
  }
  return worst;
}

template <class Model>
auto reference(const Model& model) {
  return moreau::Stepper{model, models::state_at<Model>(model.start())};
}
template <class Model, class Solver>
auto stepper(const Model& model, const Solver& solver) {
  return moreau::Stepper{model, models::state_at<Model>(model.start()), solver};
}

template <class Double, class Float, class Solver>
void compare(const char* what, const Double& in_double, const Float& in_float, const Solver& solver, double h,
             long steps, double double_limit, double float_limit) {
  auto velocity_scale = reference(in_double), again = reference(in_double);
  auto same = stepper(in_double, solver);
  auto narrow = stepper(in_float, solver);
  const double by_solver = apart(velocity_scale, same, h, steps), by_scalar = apart(again, narrow, h, steps);
  moreau::port::print(what, ": by solver ", by_solver, ", by scalar ", by_scalar, "\n");
  CHECK(by_solver <= double_limit);
  CHECK(by_scalar <= float_limit);
}

// Limits: an event shifted by one step changes a position by v h; contacts solved to 1e-12 of their velocities change
// nothing.
template <template <class> class Model>
void planar(const char* what, double h, long steps, double double_limit, double float_limit, float omega = 1) {
  const Model<double> d;
  const Model<float> f;
  moreau::Psor psor;
  psor.omega = omega;
  psor.max_iterations = 10000;
  compare(what, d, f, moreau::Exact{}, h, steps, double_limit, float_limit);
  compare(what, d, f, moreau::Lemke{}, h, steps, double_limit, float_limit);
  compare(what, d, f, psor, h, steps, double_limit, float_limit);
  compare(what, d, f, moreau::Cascade<moreau::Psor, moreau::Lemke>{}, h, steps, double_limit, float_limit);
}

void test_falling_mass(void) { planar<models::FallingMass>("falling mass", 1e-3, 600, 1e-11, 2e-3); }
void test_impact_oscillator(void) { planar<models::ImpactOscillator>("impact oscillator", 1e-3, 500, 1e-9, 1e-2); }
// The start lies exactly on the contact: rounding decides in which steps the gap counts as closed, which changes the
// result by h omega.
void test_woodpecker(void) { planar<models::Woodpecker>("woodpecker", 1e-4, 2000, 2e-3, 2e-3); }
void test_slider_crank(void) { planar<models::SliderCrank>("slider-crank", 1e-5, 2000, 1e-6, 1e-2, 1.7f); }
void test_prismatic_joint(void) { planar<models::PrismaticJoint>("prismatic joint", 1e-5, 500, 1e-9, 1e-6); }
void test_belt_oscillator(void) { planar<models::BeltOscillator>("belt oscillator", 1e-3, 3000, 1e-9, 1e-3); }

template <template <class> class Model>
void spatial(const char* what, double h, long steps, double float_limit) {
  compare(what, Model<double>{}, Model<float>{}, moreau::Psor{}, h, steps, 0, float_limit);
}
void test_sliding_mass(void) { spatial<models::SlidingMass>("sliding mass", 1e-3, 5000, 1e-3); }
void test_sliding_mass_on_table(void) {
  spatial<models::SlidingMassOnTable>("sliding mass on a table", 1e-3, 5000, 1e-3);
}
void test_oblique_oscillator(void) { spatial<models::ObliqueOscillator>("oblique oscillator", 1e-3, 1000, 1e-3); }

}  // namespace

TEST_MAIN({
  TEST(test_falling_mass);
  TEST(test_impact_oscillator);
  TEST(test_woodpecker);
  TEST(test_slider_crank);
  TEST(test_prismatic_joint);
  TEST(test_belt_oscillator);
  TEST(test_sliding_mass);
  TEST(test_sliding_mass_on_table);
  TEST(test_oblique_oscillator);
})
