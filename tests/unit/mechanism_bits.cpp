// Mechanisms from parts give the same bits on every machine, and contradict themselves nowhere.
#include <moreau/check/model_checker.hpp>

#include "models/four_bar.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

template <class Model>
std::uint64_t bits_after(moreau::Stepper<Model>& machine, Real dt, int steps) {
  test::BitsHash hash;
  for (int n = 0; n < steps; ++n) {
    CHECK(machine.step(dt).advanced());
    for (int d = 0; d < Model::dof; ++d) hash.add(machine.state.q(d)), hash.add(machine.state.u(d));
    for (int i = 0; i < Model::contacts; ++i) hash.add(machine.state.P_N(i)), hash.add(machine.state.P_T(0, i));
    for (int j = 0; j < Model::bilaterals; ++j) hash.add(machine.state.P_B(j));
  }
  return hash.value();
}

void check_bits(const char* name, std::uint64_t in_float, std::uint64_t in_double, std::uint64_t actual) {
  moreau::port::print(name, " ", moreau::port::Hex{actual});
  CHECK_EQUAL(sizeof(Real) == 4 ? in_float : in_double, actual);
}

void test_four_bar(void) {
  using Model = models::FourBarWithPlay<Real>;
  moreau::Stepper machine{Model{}, models::four_bar_start<Model>(Real(30))};
  check_bits("four-bar", 0x6f39c28318575557, 0x0df1fea0a0886230, bits_after(machine, Real(1e-4), 1000));
}

void test_slider_crank(void) {
  using Model = models::SliderCrankFromParts<Real>;
  const models::SliderCrank<Real> hand;
  moreau::Stepper machine{Model{}, models::from_angles(hand, hand.start().q, hand.start().u)};
  check_bits("slider-crank", 0x7db2a2b91cb0db0e, 0xf6d616c6a7d95c05, bits_after(machine, Real(2e-5), 2000));
}

// At ten configurations on the way, the pins no longer centred.
template <class Model>
void check_derivatives(moreau::Stepper<Model>& machine, Real dt) {
  moreau::CheckOptions<Real> options;
  options.step_q = Real(1e-6);  // m: small against a play of half a millimetre
  moreau::ModelChecker<Model> checker(machine.model, options);
  for (int n = 0; n < 1000; ++n) {
    CHECK(machine.step(dt).advanced());
    if (n % 100 == 99) checker.look(machine.state.q, machine.state.u, machine.state.time());
  }
  if (!checker.report().ok())
    moreau::port::print("worst: ", moreau::name(checker.report().worst().member), " ", checker.report().worst().index,
                        " coordinate ", checker.report().worst().coordinate, " off by ",
                        checker.report().worst().deviation, ", allowed ", checker.report().worst().allowed);
  CHECK(checker.report().ok());
}

// In double only: a float has no digits left for differences across a play of half a millimetre.
void test_the_model_checker_finds_nothing(void) {
  if constexpr (sizeof(Real) == 8) {
    using FourBar = models::FourBarWithPlay<Real>;
    moreau::Stepper four_bar{FourBar{}, models::four_bar_start<FourBar>(Real(30))};
    check_derivatives(four_bar, Real(1e-4));
    using Crank = models::SliderCrankFromParts<Real>;
    const models::SliderCrank<Real> hand;
    moreau::Stepper crank{Crank{}, models::from_angles(hand, hand.start().q, hand.start().u)};
    check_derivatives(crank, Real(2e-5));
  }
}

}  // namespace

TEST_MAIN(TEST(test_four_bar) TEST(test_slider_crank) TEST(test_the_model_checker_finds_nothing))
