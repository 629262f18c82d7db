// Faults injected into the numbers of a mechanism from parts. Every number of the list (masses, joint positions,
// clearance, laws, a motor) is corrupted for one step, in every kind of step that accepts it. mass_changed() informs
// the stepper, as lib/MODEL.md requires. As in injection.hpp, the step either rejects by name and keeps the state, or
// advances with finite numbers. If a corrupted number is non-finite and the step advances, its result is
// bit-identical to the step without fault. After correction the run continues bit-identically to the run without
// faults.
#include <cstring>
#include <type_traits>

#include "injection.hpp"
#include "models/slider_crank_parts.hpp"

namespace {

using moreau::Timing;

struct Parts : models::SliderCrankParts<Real> {
  using Base = models::SliderCrankParts<Real>;
  moreau::Motor<Real, moreau::ground, crank> motor;
  moreau::Spring<Real, moreau::ground, rod> spring;
  auto parts() const { return std::tuple_cat(Base::parts(), std::tie(motor, spring)); }
  Parts() {
    motor.torque = Real(0.1), motor.damping = Real(1e-3);
    spring.on_A.y = Real(0.5), spring.stiffness = Real(20), spring.length = Real(0.2);
  }
};
using Crank = moreau::Mechanism<Parts>;
constexpr std::size_t numbers = sizeof(Parts) / sizeof(Real);
static_assert(sizeof(Parts) % sizeof(Real) == 0 && std::is_trivially_copyable_v<Parts>,
              "the list consists of numbers only");

void put(Crank& crank, std::size_t place, Real x) {
  std::memcpy(reinterpret_cast<char*>(static_cast<Parts*>(&crank)) + place * sizeof x, &x, sizeof x);
}

bool finite(moreau::State<Crank>& state) {
  bool all = true;
  test::each_number(state, [&all](Real& x) { all = all && test::is_number(x); });
  return all;
}

template <class Solver, Timing timing = Timing::variable>
void check(const char* name, const Solver& solver = Solver{}) {
  const models::SliderCrank<Real> hand;
  const auto start = models::centred_at_angles(Crank{}, hand, {0, 0, Real(0.01)}, {Real(100), Real(-50), 0});
  moreau::Stepper<Crank, Solver, timing> good{Crank{}, start, solver}, hit{Crank{}, start, solver};
  constexpr Real dt = Real(5e-5);
  test::Random random(5);
  int refused = 0, unread = 0, advanced = 0, unnamed = 0;
  for (int n = 0; n < 6000; ++n) {
    const auto before = test::saved(hit.state);
    const moreau::State<Crank> kept = hit.state;
    const Crank model = hit.model;
    const std::size_t place = std::size_t(random.bits() % numbers);
    const Real value = test::bad_number(random);
    put(hit.model, place, value);
    hit.mass_changed();
    const auto report = hit.step(dt);
    const auto a = good.step(dt);
    CHECK(a.advanced());
    bool fine = true;
    if (report.advanced()) {
      ++advanced;
      fine = finite(hit.state) && test::is_number(report.residual);
      if (!test::is_number(value)) {
        ++unread;
        fine = fine && (report.fallbacks > 0 || (hit.state.q == good.state.q && hit.state.u == good.state.u));
      }
    } else {
      ++refused;
      fine = test::saved(hit.state) == before &&
             (report.cause != moreau::Cause::none || test::names_none<decltype(hit)>(report));
      unnamed += report.status == moreau::Status::no_solution && !test::is_number(value);
    }
    if (!fine)
      moreau::port::print(name, " step ", n, " number ", std::int64_t(place), " value ", value, ": ",
                          moreau::name(report.status), ", ", moreau::name(report.cause), " ", int(report.index));
    CHECK(fine);
    hit.model = model, hit.state = kept;
    hit.mass_changed();
    CHECK(hit.step(dt).status == a.status && test::saved(hit.state) == test::saved(good.state));
  }
  moreau::port::print(name, ": ", refused, " refused, ", advanced, " advanced, ", unread,
                      " of them without reading the number");
  CHECK_EQUAL(0, unnamed);
  CHECK(refused > 500 && advanced > 500 && unread > 0);
}

}  // namespace

void test_exact(void) { check<moreau::Exact>("Exact"); }
void test_exact_in_constant_time(void) { check<moreau::Exact, Timing::constant>("Exact, constant"); }
void test_sweeps(void) { check<moreau::Sweeps, Timing::constant>("Sweeps, constant", moreau::Sweeps{100}); }
void test_newton(void) { check<moreau::Newton, Timing::constant>("Newton, constant", moreau::Newton{8, 2}); }

TEST_MAIN({
  TEST(test_exact);
  TEST(test_exact_in_constant_time);
  TEST(test_sweeps);
  TEST(test_newton);
})
