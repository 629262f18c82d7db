// The checker names the function whose cost depends on the data. Needs a board: there ticks count instructions.
#include <moreau/check/timing_checker.hpp>
#include <moreau/moreau.hpp>
#include <moreau/port/cycles.hpp>

#include "models/slider_crank.hpp"
#include "support/test.hpp"

namespace {

using Crank = models::SliderCrank<Real>;

// The upper faces are only looked at where the slider is above the middle.
struct Branching : Crank {
  Real gap(int i, const At& s) const {
    if (i == 2 && s.sin_1 > Real(0)) return Crank::gap(i, s) + moreau::sin(s.cos_1);
    return Crank::gap(i, s);
  }
};

// Instructions, not ticks: a tick is a third of one.
struct Instructions {
  moreau::port::Stopwatch watch;
  void begin() { watch.begin(); }
  std::uint32_t end() const { return moreau::port::instructions_of(watch.end()); }
};

template <class Model>
auto findings() {
  moreau::State<Model> low, high;
  low.q = {Real(-3), Real(-3), Real(-1)};
  high.q = {Real(3), Real(3), Real(1)};
  low.u = {Real(-100), Real(-100), Real(-100)};
  high.u = {Real(100), Real(100), Real(100)};
  return moreau::check_timing<Instructions>(Model{}, low, high);
}

}  // namespace

void test_a_model_without_branches(void) {
  const auto found = findings<Crank>();
  if (const auto* c = found.varying())
    moreau::port::print(c->function, '(', c->contact, "): ", c->least, " to ", c->most);
  CHECK(found.varying() == nullptr);
  CHECK(found.cost[0].least > 100);  // three pairs of sine and cosine
}

void test_a_branch_is_named(void) {
  const auto found = findings<Branching>();
  const auto* c = found.varying();
  CHECK(c != nullptr);
  CHECK(c->function[0] == 'g' && c->contact == 2);
}

TEST_MAIN(TEST(test_a_model_without_branches) TEST(test_a_branch_is_named))
