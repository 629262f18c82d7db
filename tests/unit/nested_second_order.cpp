// second_order with several closed contacts or friction elements in the direct solution (step/nested_contacts.hpp), for
// mechanisms in joint coordinates: both timing modes are bit-identical, each step is equal to one with ActiveContacts up
// to rounding, and a run agrees with an adaptive run.
#include <cmath>
#include <moreau/mechanism.hpp>

#include "models/four_bar.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

using moreau::Exact;
using moreau::Stepper;
using moreau::Timing;

// Numbers of steps: with k closed contacts, and with a contact at rest.
struct Runs {
  int active[4] = {}, rests = 0;
};
template <class Model>
void check_second_order(const Model& model, const moreau::State<Model>& start, Real dt, int steps, Runs& runs) {
  constexpr Real same_position = Real(1e3) * std::numeric_limits<Real>::epsilon();  // m, rad: rounding of one step
  constexpr Real same_velocity = Real(100) * same_position;                         // speeds are about 100 rad/s
  Stepper<Model, Exact, Timing::constant> constant{model, start};
  Stepper<Model> variable{model, start}, other{model, start};
  for (int n = 0; n < steps; ++n) {
    const Real dt_n = n % 5 == 0 ? Real(0.8) * dt : dt;  // du_held is scaled
    auto general = variable.state;
    const auto c = other.advance(general, dt_n), a = constant.step(dt_n), b = variable.step(dt_n);
    CHECK(a.advanced() && a.fallbacks == 0 && b.fallbacks == 0 && c.active == a.active);
    CHECK(test::saved(constant.state) == test::saved(variable.state));
    CHECK_EQUAL(general.resting[0], variable.state.resting[0]);
    CHECK_EQUAL(general.impact, variable.state.impact);
    for (int j = 0; j < Model::dof; ++j) {
      CHECK_WITHIN(same_position, std::remainder(general.q[j] - variable.state.q[j], 2 * moreau::pi<Real>), Real(0));
      CHECK_WITHIN(same_velocity, general.u[j], variable.state.u[j]);
      CHECK_WITHIN(same_velocity, general.du_held(j), variable.state.du_held(j));
    }
    ++runs.active[a.active];
    runs.rests += variable.state.resting[0] != 0;
  }
}
void test_four_bar(void) {
  using Model = models::FourBarWithPlay<Real>;
  const auto start = models::four_bar_start<Model>(Real(30));
  Runs runs;
  for (const Real mu : {Real(0), Real(0.1), Real(0.6)}) {
    const Model model(models::FourBarWithPlayParts<Real>(Real(5e-4), {Real(0.4), Real(0), mu}));
    check_second_order(model, start, Real(1e-4), often(2000), runs);
  }
  CHECK(runs.active[3] > often(2000) && runs.rests > often(2000));
}

// Slider-crank with clearance in its guide and friction in all pins.
struct CrankParts : models::SliderCrankParts<Real> {
  using Base = models::SliderCrankParts<Real>;
  moreau::TurningFriction<Real, moreau::ground, Base::crank> seal;
  moreau::TurningFriction<Real, Base::crank, Base::rod> pin;
  moreau::TurningFriction<Real, Base::rod, Base::slider> wrist;
  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, guide, gravity, seal, pin, wrist); }
  CrankParts() {
    seal.bound = pin.bound = wrist.bound = Real(0.002);  // N m
    body[Base::slider].J = Real(7.9e-5);                 // kg m^2, homogeneous slab of the slider's size
    guide.law.eps_N = Real(0.9);
  }
};
struct CrankByGapParts : CrankParts {
  static constexpr bool second_order = false;
};
template <class Parts>
moreau::State<moreau::Mechanism<Parts>> crank_start() {
  const models::SliderCrank<Real> hand;
  const auto tilted = hand.start_tilted();
  return models::centred_at_angles(moreau::Mechanism<Parts>(Parts()), hand, tilted.q, tilted.u);
}
void test_slider_crank(void) {
  using Model = moreau::Mechanism<CrankParts>;
  Runs runs;
  for (const Real mu : {Real(0), Real(0.2)}) {
    CrankParts parts;
    parts.guide.law = {Real(0.1), Real(0), mu};
    check_second_order(Model(parts), crank_start<CrankParts>(), Real(5e-5), often(2000), runs);
  }
  moreau::port::print(runs.active[0], " ", runs.active[1], " ", runs.active[2], " steps, ", runs.rests, " at rest\n");
  CHECK(runs.active[1] > often(100) && runs.active[2] > often(20) && runs.rests > often(100));
}

// Largest difference of q from an adaptive run.
template <class Parts>
double error_against_adaptive() {
  constexpr double dt = 5e-5, t_end = 0.02;
  constexpr int comparisons = 10;
  using Reference = moreau::Mechanism<CrankByGapParts>;
  using Model = moreau::Mechanism<Parts>;
  Stepper<Reference> reference{Reference(CrankByGapParts()), crank_start<CrankByGapParts>()};
  moreau::AdaptiveOptions<Real> options;
  if (sizeof(Real) == 8) options.dt_min = Real(1e-9);
  moreau::Adaptive adaptive{reference, options};
  Stepper<Model> stepper{Model(Parts()), crank_start<Parts>()};
  double worst = 0;
  for (int k = 1; k <= comparisons; ++k) {
    CHECK(adaptive.advance_to(Real(t_end * k / comparisons)).finished());
    for (int n = 0; n < int(t_end / comparisons / dt + 0.5); ++n) CHECK(stepper.step(Real(dt)).advanced());
    for (int j = 0; j < Model::dof; ++j)
      worst = std::fmax(worst, std::fabs(double(stepper.state.q[j] - reference.state.q[j])));
  }
  return worst;
}
void test_accuracy(void) {
  if (sizeof(Real) == 4) return;  // in float, rounding moves the impacts by more than the difference
  const double first = error_against_adaptive<CrankByGapParts>(), second = error_against_adaptive<CrankParts>();
  moreau::port::print("slider-crank with friction in its pins: error ", first, " rad, second order ", second, " rad\n");
  CHECK(second < first / 8);
}

}  // namespace

TEST_MAIN({
  TEST(test_four_bar);
  TEST(test_slider_crank);
  TEST(test_accuracy);
})
