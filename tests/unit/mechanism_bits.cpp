// Mechanisms from parts are bit-identical on every machine, and pass the model checker.
#include <moreau/check/model_checker.hpp>

#include "models/four_bar.hpp"
#include "models/gear_drive.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/bits_hash.hpp"
#include "support/joint_coordinates.hpp"
#include "support/test.hpp"

namespace {

template <class Model, moreau::Timing timing = moreau::Timing::variable, class Inputs>
std::uint64_t bits_after(const Model& model, const moreau::State<Model>& start, Real dt, int steps,
                         const Inputs& before_step) {
  moreau::Stepper<Model, moreau::Exact, timing> machine{model, start};
  test::BitsHash hash;
  for (int n = 0; n < steps; ++n) {
    before_step(machine.model, n);
    CHECK(machine.step(dt).advanced());
    for (int d = 0; d < Model::dof; ++d) hash.add(machine.state.q[d]), hash.add(machine.state.u[d]);
    for (int i = 0; i < Model::contacts; ++i) hash.add(machine.state.P_N(i)), hash.add(machine.state.P_T(0, i));
    for (int j = 0; j < Model::bilaterals; ++j) hash.add(machine.state.P_B(j));
  }
  return hash.value();
}

void check_bits(const char* name, std::uint64_t in_float, std::uint64_t in_double, std::uint64_t actual) {
  moreau::port::print(name, " ", moreau::port::Hex{actual});
  CHECK_EQUAL(sizeof(Real) == 4 ? in_float : in_double, actual);
}

// Three contacts closed at once.
template <moreau::Timing timing>
void check_four_bar() {
  using Model = models::FourBarWithPlay<Real>;
  const auto start = models::four_bar_start<Model>(Real(30));
  check_bits("four-bar", 0x806d8d8fa832125e, 0xc4bce751d6623309,
             bits_after<Model, timing>(Model{}, start, Real(1e-4), 1000, [](Model&, int) {}));
}
void test_four_bar(void) { check_four_bar<moreau::Timing::variable>(); }
void test_four_bar_in_constant_time(void) { check_four_bar<moreau::Timing::constant>(); }

template <moreau::Timing timing>
void check_slider_crank() {
  using Model = models::SliderCrankFromParts<Real>;
  const models::SliderCrank<Real> hand;
  const auto start = models::from_angles(hand, hand.start().q, hand.start().u);
  check_bits("slider-crank", 0x8d111f3a459d69a1, 0xc1dbefef35147d19,
             bits_after<Model, timing>(Model{}, start, Real(2e-5), 2000, [](Model&, int) {}));
}
void test_slider_crank(void) { check_slider_crank<moreau::Timing::variable>(); }
void test_slider_crank_in_constant_time(void) { check_slider_crank<moreau::Timing::constant>(); }

// At rest, with the teeth in the middle of their backlash.
template <class Model>
moreau::State<Model> gear_start(const Model& model) {
  using Gear = models::GearDrive<Real>;
  moreau::State<Model> start;
  model.set_bodies(Gear{}.body_states(models::gear_drive_start(Gear{})), start);
  return start;
}
template <class Model, moreau::Timing timing>
void check_gear(std::uint64_t in_float, std::uint64_t in_double) {
  check_bits("gear", in_float, in_double,
             bits_after<Model, timing>(Model{}, gear_start(Model{}), Real(1e-4), 2000, [](Model& gear, int n) {
               gear.motor.torque = n / 100 % 2 == 0 ? Real(0.05) : Real(-0.05);
             }));
}
template <moreau::Timing timing>
void check_gear() {
  check_gear<models::GearDrive<Real>, timing>(0xeca12d7dbfe75d3d, 0x0ebe0eb06408b782);
}
void test_gear(void) { check_gear<moreau::Timing::variable>(); }
void test_gear_in_constant_time(void) { check_gear<moreau::Timing::constant>(); }

// Coordinates of the bodies with the papers' rule of contacts are bit-identical as well.
struct GearByGap : test::InBodies<models::GearDriveParts<Real>> {
  static constexpr bool second_order = false;
};
template <class Parts>
void check_gear_in_both_timings(std::uint64_t in_float, std::uint64_t in_double) {
  using Model = moreau::Mechanism<Parts>;
  check_gear<Model, moreau::Timing::variable>(in_float, in_double);
  check_gear<Model, moreau::Timing::constant>(in_float, in_double);
}
void test_gear_by_the_papers_rule(void) {
  check_gear_in_both_timings<GearByGap>(0x8bd4ef8f92497b40, 0x3e1793a524ba85db);
}

// At ten configurations of the motion, with the pins off centre.
template <class Model>
void check_derivatives(moreau::Stepper<Model>& machine, Real dt) {
  moreau::CheckOptions<Real> options;
  options.step_q = Real(1e-6);  // m: small compared with a clearance of half a millimetre
  moreau::ModelChecker<Model> checker(machine.model, options);
  for (int n = 0; n < 1000; ++n) {
    CHECK(machine.step(dt).advanced());
    if (n % 100 == 99) checker.look(machine.state.q, machine.state.u, machine.state.time());
  }
  if (!checker.report().ok())
    moreau::port::print("worst: ", moreau::name(checker.report().worst().member), " ", checker.report().worst().index,
                        " coordinate ", checker.report().worst().coordinate, " deviation ",
                        checker.report().worst().deviation, ", allowed ", checker.report().worst().allowed);
  CHECK(checker.report().ok());
}

// Steppers exceed the stack of a board. Only in double: a float has too few digits for differences across a clearance
// of half a millimetre.
void test_model_checker_reports_no_error(void) {
  if constexpr (sizeof(Real) == 8) {
    using FourBar = models::FourBarWithPlay<Real>;
    static moreau::Stepper four_bar{FourBar{}, models::four_bar_start<FourBar>(Real(30))};
    check_derivatives(four_bar, Real(1e-4));
    using Crank = models::SliderCrankFromParts<Real>;
    const models::SliderCrank<Real> hand;
    static moreau::Stepper crank{Crank{}, models::from_angles(hand, hand.start().q, hand.start().u)};
    check_derivatives(crank, Real(2e-5));
    using Gear = models::GearDrive<Real>;
    Gear gear;
    gear.motor.torque = Real(0.05);
    static moreau::Stepper drive{gear, models::gear_drive_start(gear)};
    check_derivatives(drive, Real(1e-4));
  }
}

}  // namespace

TEST_MAIN({
  TEST(test_four_bar);
  TEST(test_four_bar_in_constant_time);
  TEST(test_slider_crank);
  TEST(test_slider_crank_in_constant_time);
  TEST(test_gear);
  TEST(test_gear_in_constant_time);
  TEST(test_gear_by_the_papers_rule);
  TEST(test_model_checker_reports_no_error);
})
