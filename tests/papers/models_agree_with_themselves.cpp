// Consistency of every hand-derived model by the model checker, at its start and at random points around it.
#include <moreau/check/model_checker.hpp>

#include "models/beam.hpp"
#include "models/belt_oscillator.hpp"
#include "models/cam.hpp"
#include "models/falling_mass.hpp"
#include "models/impact_oscillator.hpp"
#include "models/oblique_oscillator.hpp"
#include "models/pendulum_stop.hpp"
#include "models/prismatic_joint.hpp"
#include "models/rolling_pin.hpp"
#include "models/shaken_table.hpp"
#include "models/slider_crank.hpp"
#include "models/sliding_mass.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

// A small generator, for the same points on every machine.
struct Scatter {
  std::uint32_t seed = 1;
  Real operator()(double size) {
    seed = seed * 1664525u + 1013904223u;
    return Real(size * (double(seed >> 8) / 8388608.0 - 1));
  }
};

template <class Model>
void check(const char* name, const Model& model, double size_q, double size_u,
           const moreau::CheckOptions<Real>& options = {}) {
  moreau::ModelChecker<Model> checker{model, options};
  const auto start = model.start();
  checker.look(start.q, start.u, Real(0));
  Scatter scatter;
  for (int n = 0; n < 50; ++n) {
    auto q = start.q, u = start.u;
    for (int j = 0; j < Model::dof; ++j) q(j) += scatter(size_q), u(j) += scatter(size_u);
    checker.look(q, u, Real(0.37) * Real(n));
  }
  const auto worst = checker.report().worst();
  if (!checker.report().ok())
    moreau::port::print(name, ": ", moreau::name(worst.member), " ", worst.index, " ", worst.coordinate, ", deviation ",
                        worst.deviation, ", allowed ", worst.allowed, "\n");
  CHECK(checker.report().ok());
}

void test_falling_mass(void) { check("falling mass", models::FallingMass<Real>{}, 0.1, 1); }
void test_sliding_mass(void) { check("sliding mass", models::SlidingMass<Real>{}, 1, 1); }
void test_sliding_mass_on_table(void) { check("sliding mass on a table", models::SlidingMassOnTable<Real>{}, 1, 1); }
void test_impact_oscillator(void) { check("impact oscillator", models::ImpactOscillator<Real>{}, 1, 1); }
void test_woodpecker(void) { check("woodpecker", models::Woodpecker<Real>{}, 0.5, 10); }
void test_slider_crank(void) { check("slider-crank", models::SliderCrank<Real>{}, 1, 100); }
void test_endless_slider_crank(void) { check("endless slider-crank", models::EndlessSliderCrank<Real>{}, 6, 100); }
void test_prismatic_joint(void) { check("prismatic joint", models::PrismaticJoint<Real>::paper_case(2), 0.1, 1); }
void test_corrected_prismatic_joint(void) {
  check("prismatic joint with position correction", models::CorrectedPrismaticJoint<Real>{}, 0.1, 1);
}
void test_belt_oscillator(void) { check("belt oscillator", models::BeltOscillator<Real>{}, 1, 1); }
// The paper's M contains one tilt, and its h omits products of tilt velocities: both tilts are small.
moreau::CheckOptions<Real> linearised() {
  moreau::CheckOptions<Real> options;
  options.inertial_forces = false;
  return options;
}
void test_oblique_oscillator(void) {
  check("oblique oscillator", models::ObliqueOscillator<Real>{}, 0.1, 1, linearised());
}
void test_beam(void) { check("beam", models::Beam<Real>{}, 0.2, 1); }
void test_pendulum_on_its_stop(void) { check("pendulum on its stop", models::PendulumStop<Real>{}, 0.3, 5); }
void test_cam(void) { check("cam", models::Cam<Real>{}, 0.005, 1); }
void test_shaken_table(void) { check("shaken table", models::ShakenTable<Real>{}, 1e-3, 0.1); }
void test_rolling_pin(void) {
  models::RollingPin<Real> pin;
  pin.play = 1;  // for 2 mm, the step sizes of the differences would be a considerable part of it
  check("rolling pin", pin, 0.2, 1);
}

// The checker rejects a real error: the printed last row of w_N1 of the oblique oscillator is not the derivative of
// its gap.
struct AsPrinted : models::ObliqueOscillator<Real> {
  moreau::Directions<Real, 6, 2> directions(int i, const At& s) const {
    auto d = models::ObliqueOscillator<Real>::directions(i, s);
    const Real a = ahead(i, s), b = aside(i);
    if (i == 0) d.w_N(5) = -a * (s.q_5 * s.cos_6 + s.q_4 * s.sin_6) + b * (s.q_4 * s.cos_6 - s.q_5 * s.cos_6);
    return d;
  }
};
void test_checker_rejects_wrong_row(void) {
  const AsPrinted model;
  moreau::ModelChecker<AsPrinted> checker{model, linearised()};
  moreau::Vector<Real, 6> q;
  q << 0, 0, 0, Real(0.01), Real(0.02), Real(0.3);
  checker.look(q, q, Real(0));
  // In float the checker allows 1e-2 of the largest entry, which is 1 here: too coarse for an error of a few
  // millimetres.
  CHECK_EQUAL(sizeof(Real) == 4, checker.report().ok());
  if (sizeof(Real) == 4) return;
  CHECK(checker.report().worst().member == moreau::CheckReport<Real>::Member::w_N);
  CHECK_EQUAL(0, checker.report().worst().index);
  CHECK_EQUAL(5, checker.report().worst().coordinate);
}

}  // namespace

TEST_MAIN({
  TEST(test_falling_mass);
  TEST(test_sliding_mass);
  TEST(test_sliding_mass_on_table);
  TEST(test_impact_oscillator);
  TEST(test_woodpecker);
  TEST(test_slider_crank);
  TEST(test_endless_slider_crank);
  TEST(test_prismatic_joint);
  TEST(test_corrected_prismatic_joint);
  TEST(test_belt_oscillator);
  TEST(test_oblique_oscillator);
  TEST(test_beam);
  TEST(test_pendulum_on_its_stop);
  TEST(test_cam);
  TEST(test_shaken_table);
  TEST(test_rolling_pin);
  TEST(test_checker_rejects_wrong_row);
})
