// Golden hashes of trajectories: the state's bytes after each of 10,000 steps of two mechanisms have the hashes below
// with every compiler, at every optimisation level, on the host and on boards.
//
// A deliberate change of the core's arithmetic changes the hashes. The test prints the new ones in the form of the
// table below:
//   ctest -R determinism.steps -V | grep -o '{"[^}]*},'       (host: both scalars)
#include <cstring>
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"

#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

constexpr int steps = 10000;
constexpr bool is_double = sizeof(Real) == 8;

struct Golden {
  const char* name;
  bool in_double;
  std::uint32_t hash;
};

constexpr Golden golden[] = {
    {"woodpecker Exact", false, 0x2a8335a5},   {"woodpecker Lemke", false, 0x2e795e8c},
    {"woodpecker Psor", false, 0xa20501e0},    {"slider-crank Exact", false, 0x78fbe3fd},
    {"slider-crank Lemke", false, 0x9ea40fd3}, {"slider-crank Psor", false, 0x2edcf6e8},
    {"woodpecker Exact", true, 0x09e9c15f},    {"woodpecker Lemke", true, 0xc375f226},
    {"woodpecker Psor", true, 0x4a6625a7},     {"slider-crank Exact", true, 0x3af4c3f8},
    {"slider-crank Lemke", true, 0x5ac80e2a},  {"slider-crank Psor", true, 0xe0c5d331},
};

// FNV-1a of the fields of the state, without header and checksum. 32 bit: one word, fast on every core.
template <class Model, class Solver>
void check(const char* name, Real dt, const Solver& solver) {
  static moreau::Stepper<Model, Solver> stepper(Model{}, models::state_at<Model>(Model{}.start()), solver);
  std::uint32_t hash = 0x811c9dc5u;
  int refused = 0;
  for (int i = 0; i < steps; ++i) {
    refused += !stepper.step(dt).advanced();
    const auto bytes = test::saved(stepper.state);
    for (std::size_t n = moreau::detail::header_size; n < bytes.size() - moreau::detail::checksum_size; ++n)
      hash = (hash ^ bytes[n]) * 0x01000193u;
  }
  moreau::port::print("{\"", name, "\", ", is_double ? "true" : "false", ", 0x", moreau::port::Hex{hash}, "},\n");
  CHECK_EQUAL(0, refused);
  for (const Golden& one : golden)
    if (std::strcmp(one.name, name) == 0 && one.in_double == is_double) {
      CHECK(one.hash == hash);
      return;
    }
  TEST_FAIL_MESSAGE("no golden hash for this name and scalar");
}

using Toy = models::Woodpecker<Real>;
using Crank = models::SliderCrank<Real>;
constexpr Real toy_dt = Real(1e-4), crank_dt = Real(1e-5);

moreau::Psor patient() {
  moreau::Psor psor;
  psor.max_iterations = 10000;
  return psor;
}

}  // namespace

void test_woodpecker_exact(void) { check<Toy>("woodpecker Exact", toy_dt, moreau::Exact{}); }
void test_woodpecker_lemke(void) { check<Toy>("woodpecker Lemke", toy_dt, moreau::Lemke{}); }
void test_woodpecker_psor(void) { check<Toy>("woodpecker Psor", toy_dt, patient()); }
void test_slider_crank_exact(void) { check<Crank>("slider-crank Exact", crank_dt, moreau::Exact{}); }
void test_slider_crank_lemke(void) { check<Crank>("slider-crank Lemke", crank_dt, moreau::Lemke{}); }
void test_slider_crank_psor(void) { check<Crank>("slider-crank Psor", crank_dt, patient()); }

TEST_MAIN({
  TEST(test_woodpecker_exact);
  TEST(test_woodpecker_lemke);
  TEST(test_woodpecker_psor);
  TEST(test_slider_crank_exact);
  TEST(test_slider_crank_lemke);
  TEST(test_slider_crank_psor);
})
