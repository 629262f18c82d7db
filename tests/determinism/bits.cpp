// Bit-identical trajectories: the hash of every step of two mechanisms equals the constant below on every machine, with
// every compiler, at every optimisation level. tests/determinism/compare_machines.sh repeats it for millions of steps.
#include <moreau/moreau.hpp>

#include "models/oblique_oscillator.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/bits_hash.hpp"
#include "support/test.hpp"

#ifndef MOREAU_BITS_STEPS
#define MOREAU_BITS_STEPS 2000
#endif

namespace {

using moreau::Timing;

template <class Model, class Solver, Timing timing>
std::uint64_t hash_of(const char* name, Real dt, long steps, const Solver& solver = Solver{}) {
  const Model model;
  moreau::Stepper<Model, Solver, timing> stepper{model, models::state_at<Model>(model.start()), solver};
  test::BitsHash hash;
  long fallbacks = 0, stopped = 0;
  for (long n = 0; n < steps; ++n) {
    const auto report = stepper.step(dt);
    fallbacks += report.fallbacks;
    stopped += !report.advanced();
    for (int j = 0; j < Model::dof; ++j) {
      hash.add(stepper.state.q(j));
      hash.add(stepper.state.u(j));
    }
    for (int i = 0; i < Model::contacts; ++i) {
      hash.add(stepper.state.P_N(i));
      for (int t = 0; t < moreau::Traits<Model>::tangents; ++t) hash.add(stepper.state.P_T(t, i));
    }
  }
  moreau::port::print("bits,", name, ',', sizeof(Real) == 4 ? "float" : "double", ',', std::int64_t(steps), ',',
                      moreau::port::Hex{hash.value()}, ',', std::int64_t(fallbacks), "\n");
  CHECK_EQUAL(0, stopped);
  return hash.value();
}

template <class Model>
void check(const char* name, Real dt, std::uint64_t in_float, std::uint64_t in_double) {
  const std::uint64_t data = hash_of<Model, moreau::Exact, Timing::variable>(name, dt, MOREAU_BITS_STEPS);
  const std::uint64_t constant = hash_of<Model, moreau::Exact, Timing::constant>(name, dt, MOREAU_BITS_STEPS);
  CHECK(data == constant);
  if (MOREAU_BITS_STEPS == 2000) CHECK(data == (sizeof(Real) == 4 ? in_float : in_double));
}

template <class Model, class Solver, Timing timing = Timing::variable>
void check_solver(const char* name, Real dt, std::uint64_t in_float, std::uint64_t in_double,
                  const Solver& solver = Solver{}) {
  constexpr long steps = MOREAU_BITS_STEPS / 10;
  const std::uint64_t hash = hash_of<Model, Solver, timing>(name, dt, steps, solver);
  if (steps == 200) CHECK(hash == (sizeof(Real) == 4 ? in_float : in_double));
}

// 50 sweeps in every step.
template <class Model>
void check_constant_sweeps(const char* name, Real dt, std::uint64_t in_float, std::uint64_t in_double) {
  check_solver<Model, moreau::Sweeps, Timing::constant>(name, dt, in_float, in_double, moreau::Sweeps{50});
}

}  // namespace

using Toy = models::Woodpecker<Real>;
using Crank = models::EndlessSliderCrank<Real>;
using Feet = models::ObliqueOscillator<Real>;

void test_woodpecker(void) { check<Toy>("woodpecker exact", Real(1e-4), 0x04b0049caa69203c, 0x8f1651a385a6fe9f); }
void test_slider_crank(void) { check<Crank>("slidercrank exact", Real(1e-5), 0x6afcef13770e88ae, 0xcb135ff0f8188a86); }
void test_woodpecker_lemke(void) {
  check_solver<Toy, moreau::Lemke>("woodpecker lemke", Real(1e-4), 0xcc6541cf95554332, 0x61a42cce219f1b3b);
}
void test_slider_crank_lemke(void) {
  check_solver<Crank, moreau::Lemke>("slidercrank lemke", Real(1e-4), 0xc2515ba3788d5d1f, 0xbbd18eb4c9febe3f);
}
void test_woodpecker_psor(void) {
  check_solver<Toy, moreau::Psor>("woodpecker psor", Real(1e-4), 0xb83d54ea8428456b, 0xda9071cb90f9a6f2);
}
void test_woodpecker_constant_sweeps(void) {
  check_constant_sweeps<Toy>("woodpecker psor const", Real(1e-4), 0x66e7fe1fc32fab2d, 0xcec3639f9bcfd6af);
}
void test_oblique_constant_sweeps(void) {
  check_constant_sweeps<Feet>("oblique psor const", Real(1e-4), 0xcf431ea86c07ebfc, 0xde5fe05a1e8a6953);
}
void test_oblique_newton(void) {
  check_solver<Feet, moreau::Newton>("oblique newton", Real(1e-4), 0x290092e07a48f3e0, 0xe81416fb7d6014f4);
  check_solver<Feet, moreau::Newton, Timing::constant>("oblique newton const", Real(1e-4), 0x5a6cd4e0c43aae20,
                                                       0xe81416fb7d6014f4, {8, 2});
}

TEST_MAIN({
  TEST(test_woodpecker);
  TEST(test_slider_crank);
  TEST(test_woodpecker_lemke);
  TEST(test_slider_crank_lemke);
  TEST(test_woodpecker_psor);
  TEST(test_woodpecker_constant_sweeps);
  TEST(test_oblique_constant_sweeps);
  TEST(test_oblique_newton);
})
