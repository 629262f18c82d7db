// Row capacity max_closed in constant time: steps bit-identical to those with rows for all contacts, the same instruction
// count in all steps without a fallback, and a fallback in steps with more closed contacts.
#include <algorithm>
#include <moreau/moreau.hpp>
#include <moreau/port/cycles.hpp>

#include "support/anything.hpp"
#include "support/spatial_machines.hpp"
#include "support/test.hpp"

namespace {

using moreau::Newton;
using moreau::Sweeps;
using moreau::Timing;
using test::Anything;
using test::AnythingCorrected;

template <class Base, int n>
struct Limited : Base {
  using Base::Base;
  static constexpr int max_closed = n;
};

// Random model whose contacts penetrate far beyond their allowed penetration.
struct Deep : AnythingCorrected<1, 1> {
  explicit Deep(test::Random& random) : AnythingCorrected(random) {
    for (Real& depth : depths) depth *= Real(1e-3);
  }
};

struct Tally {
  int steps = 0, fallbacks = 0, too_many = 0, most_closed = 0, inexact = 0, stopped = 0;
  std::uint32_t least = ~std::uint32_t{0}, most = 0;  // instructions, where the board counts them
  moreau::port::Stopwatch watch;

  void check(const char* name) const {
    moreau::port::print(name, ": ", steps, " steps, ", fallbacks, " fallbacks, ", too_many, " of too many contacts, ",
                        inexact, " inexact, ", stopped, " stopped, ", least, " to ", most, " instructions\n");
    CHECK_EQUAL(least, most);
  }
};

template <class A, class B>
bool same_numbers(const A& a, const B& b) {
  return a.q == b.q && a.u == b.u && a.P_N == b.P_N && a.P_T == b.P_T && a.P_F == b.P_F && a.P_B == b.P_B &&
         a.sigma_N == b.sigma_N && a.sigma_T == b.sigma_T && a.sigma_F == b.sigma_F;
}

// Makes this step with both steppers. Not inlined: the stack of a board holds one step at a time.
template <int n, class Full, class Fewer>
[[gnu::noinline]] void step_both(Full& full, Fewer& fewer, Real dt, Tally& tally) {
  const auto a = full.step(dt);
  tally.watch.begin();
  const auto b = fewer.step(dt);
  const std::uint32_t count = tally.watch.instructions();
  ++tally.steps;
  tally.fallbacks += b.fallbacks;
  tally.too_many += a.active > n;
  tally.most_closed = std::max(tally.most_closed, a.active);
  tally.inexact += a.status == moreau::Status::inexact;
  tally.stopped += !a.advanced();
  CHECK_EQUAL(0, a.fallbacks);
  CHECK(a.active <= n || b.fallbacks == 1);
  CHECK(a.status == b.status && a.active == b.active);
  if (b.fallbacks == 0) {
    tally.least = std::min(tally.least, count);
    tally.most = std::max(tally.most, count);
    CHECK(a.residual == b.residual && a.relative == b.relative && a.iterations == b.iterations);
    CHECK(same_numbers(full.state, fewer.state));
    for (int i = 0; i < Full::Model::contacts; ++i) CHECK(full.contact(i).gap_M == fewer.contact(i).gap_M);
  }
}

// A random model per step, with friction elements and an ideal joint.
template <class Model, class Solver, int n>
Tally check_random_models(const char* name, std::uint64_t seed, const Solver& solver) {
  using Fewer = Limited<Model, n>;
  static_assert(moreau::Stepper<Fewer, Solver, Timing::constant>::constant_covers.closed == n);
  test::Random random(seed);
  Tally tally;
  for (int step = 0; step < 200; ++step) {
    test::Random same = random;
    const Model model(random);
    const Fewer fewer(same);
    moreau::State<Model> state;
    for (int j = 0; j < Model::dof; ++j) state.u(j) = random.between(Real(-2), Real(2));
    for (int i = 0; i < Model::contacts; ++i) state.P_N(i) = random.between(Real(0), Real(2));
    moreau::State<Fewer> state_of_fewer;
    state_of_fewer.u = state.u;
    state_of_fewer.P_N = state.P_N;
    moreau::Stepper<Model, Solver, Timing::constant> a{model, state, solver};
    moreau::Stepper<Fewer, Solver, Timing::constant> b{fewer, state_of_fewer, solver};
    step_both<n>(a, b, Real(1e-3), tally);
  }
  tally.check(name);
  return tally;
}

void test_random_models(void) {
  const Sweeps sweeps{6};
  const Tally planar = check_random_models<Anything<1, 1>, Sweeps, 2>("planar", 51, sweeps);
  const Tally spatial = check_random_models<Anything<2, 2>, Newton, 3>("spatial", 52, Newton{3, 2});
  for (const Tally& tally : {planar, spatial}) {
    CHECK(tally.too_many > 5 && tally.steps > 3 * tally.too_many && tally.most_closed == 4);
    CHECK_EQUAL(tally.too_many, tally.fallbacks);
  }
  // The position correction can make a contact without a slot penetrate; such a step is a fallback as well.
  const Tally corrected = check_random_models<Deep, Sweeps, 2>("corrected", 53, sweeps);
  CHECK(corrected.fallbacks > corrected.too_many + 5 && corrected.fallbacks < corrected.steps - 50);
}

// A shaft in its bush that comes to rest on one of its thrust faces, with six of ten contacts closed.
void test_shaft(void) {
  using Shaft = moreau::Mechanism<spatial_machines::Shaft<Real>>;
  using Fewer = moreau::Mechanism<spatial_machines::LimitedShaft<Real>>;
  Sweeps sweeps;
  sweeps.count = 10, sweeps.omega = 1.3f;
  static moreau::Stepper<Shaft, Sweeps, Timing::constant> full{Shaft{}, spatial_machines::shaft_start<Real>(), sweeps};
  static moreau::Stepper<Fewer, Sweeps, Timing::constant> fewer{Fewer{}, spatial_machines::limited_shaft_start<Real>(),
                                                                sweeps};
  Tally tally;
  for (int n = 0; n < 1000; ++n) step_both<6>(full, fewer, Real(1e-4), tally);
  tally.check("shaft");
  CHECK_EQUAL(6, tally.most_closed);
  CHECK_EQUAL(0, tally.fallbacks);
  CHECK_EQUAL(0, tally.stopped);
}

}  // namespace

TEST_MAIN(TEST(test_random_models) TEST(test_shaft))
