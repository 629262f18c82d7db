// Mechanisms from parts in the direct step: both timing modes are bit-identical, the instruction count of
// Timing::constant is independent of the data, and both agree with ActiveContacts.
#include <moreau/mechanism.hpp>
#include <moreau/port/cycles.hpp>

#include "models/gear_drive.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/bits_hash.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

using moreau::Exact;
using moreau::Status;
using moreau::Timing;
using Crank = models::SliderCrankFromParts<Real>;
using Gear = models::GearDrive<Real>;

constexpr int steps = 100000;

struct Range {
  std::uint32_t least = ~std::uint32_t{0}, most = 0;
  void add(std::uint32_t n) {
    least = n < least ? n : least;
    most = n > most ? n : most;
  }
};

// `before_step(model, n)` sets the inputs. Impact: a contact with a percussion in this step and none in the step
// before.
template <class Model, class Inputs>
void check_same_bytes(const Model& model, const moreau::State<Model>& start, Real dt, int least_impacts,
                      const Inputs& before_step) {
  static moreau::Stepper<Model, Exact, Timing::variable> data{model, start};  // two of them exceed the stack of a board
  static moreau::Stepper<Model, Exact, Timing::constant> constant{model, start};
  moreau::port::Stopwatch watch;
  Range cost;
  int different = 0, impacts = 0, fallbacks = 0, stopped = 0;
  bool carried = false;
  for (int n = 0; n < steps; ++n) {
    before_step(data.model, n);
    before_step(constant.model, n);
    stopped += !data.step(dt).advanced();
    watch.begin();
    const auto report = constant.step(dt);
    const std::uint32_t instructions = watch.instructions();
    stopped += !report.advanced();
    fallbacks += report.fallbacks;
    if (report.fallbacks == 0) cost.add(instructions);
    different += test::saved(data.state) != test::saved(constant.state);
    bool carries = false;
    for (int i = 0; i < Model::contacts; ++i) carries = carries || data.state.P_N(i) > Real(0);
    impacts += carries && !carried;
    carried = carries;
  }
  moreau::port::print(impacts, " impacts, ", fallbacks, " fallbacks, ", cost.least, " to ", cost.most, " instructions");
  CHECK_EQUAL(0, stopped);
  CHECK_EQUAL(0, different);
  CHECK(impacts >= least_impacts);
  CHECK(fallbacks <= steps / 1000);  // steps outside the direct solution
  CHECK_EQUAL(cost.least, cost.most);
}

template <class V>
Real largest(const V& v) {
  return v.cwiseAbs().maxCoeff();
}

// One step from random states near contact: the direct solution equals ActiveContacts with Lemke.
void check_against_the_general_step() {
  // Relative. In float, one rounding of the corner velocities rotates the light slider at 0.1 rad/s.
  const Real same_velocity = sizeof(Real) == 8 ? Real(1e-7) : Real(0.5);
  // m and rad: the positions differ by dt/2 times the velocities, and by rounding of 1 rad in the joints.
  const Real dt = Real(1e-5), same_position = sizeof(Real) == 8 ? Real(1e-12) : Real(1e-5);
  // The direct solution corrects positions along the directions at the midpoint, ActiveContacts along those at the end.
  // The difference is at most the correction times the rotation of a step; 0.92 of it is measured. With directions at
  // the end in both, the positions agree to 2e-15.
  const models::SliderCrank<Real> hand;
  test::Random random(7);
  int pairs = 0, pushed = 0;
  for (int n = 0; n < 1000; ++n) {
    const Real angle = random.between(Real(-3), Real(3)), tilt = random.between(Real(-0.02), Real(0.02));
    const Real speed = random.between(Real(-150), Real(150));
    const auto sine = moreau::sincos(angle);  // the rod angle for a slider at or near the middle of its guide
    const Real rod = -hand.l_1 / hand.l_2 * sine.sin + random.between(Real(-0.004), Real(0.004));
    moreau::Vector<Real, 3> q, u;
    q << angle, rod, tilt;
    u << speed, -hand.l_1 / hand.l_2 * sine.cos * speed, random.between(Real(-5), Real(5));
    const auto state = models::from_angles(hand, q, u);
    Crank model;
    model.guide.law.mu = random.between(Real(0), Real(0.5));
    static moreau::Stepper<Crank, Exact, Timing::variable> direct{model, state};
    static moreau::Stepper<Crank, Exact, Timing::constant> constant{model, state};
    static moreau::Stepper<Crank, moreau::Lemke> general{model, state};
    direct.model = constant.model = general.model = model;
    direct.state = constant.state = general.state = state;
    const auto a = direct.step(dt), b = general.step(dt), c = constant.step(dt);
    CHECK_EQUAL(b.status, a.status);
    CHECK_EQUAL(b.status, c.status);
    CHECK_EQUAL(b.active, a.active);
    if (!b.advanced()) continue;
    CHECK(test::saved(direct.state) == test::saved(constant.state));
    pairs += a.active == 2;
    moreau::Vector<Real, Crank::dof> by_velocity = state.q;
    by_velocity += dt / 2 * state.u + dt / 2 * general.state.u;
    const Real correction = largest(general.state.q - by_velocity);
    const Real turned = dt * moreau::detail::larger(largest(state.u), largest(general.state.u));  // rad
    for (int j = 0; j < Crank::dof; ++j) {
      CHECK_WITHIN(same_velocity * (Real(1) + moreau::detail::absolute(general.state.u[j])), general.state.u[j],
                   direct.state.u[j]);
      CHECK_WITHIN(same_position + turned * correction, general.state.q[j], direct.state.q[j]);
    }
    pushed += correction > Real(1e-4);
  }
  moreau::port::print(pairs, " pairs, ", pushed, " pushed by more than 0.1 mm");
  CHECK(pairs > 100);
  CHECK(pushed > 100);
}

// Light bar on three feet, two of them close together: q = (height, angle).
struct ThreeFeet {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 3, tangents = 0;
  using Q = moreau::Vector<Real, 2>;
  static constexpr Real arm(int i) { return i == 0 ? Real(-1) : (i == 1 ? Real(1) : Real(1.1)); }
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return Q(Real(1), Real(0.01)).asDiagonal(); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(-10), Real(0)); }
  Real gap(int i, const Q& q, Real) const { return q(0) + arm(i) * q(1); }
  moreau::Directions<Real, 2, 0> directions(int i, const Q&, Real) const {
    moreau::Directions<Real, 2, 0> d;
    d.w_N = Q(Real(1), arm(i));
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
  Real allowed_penetration(int) const { return Real(1e-5); }
};

// Foot 0 penetrates by 1 mm; its correction rotates the bar, and both other feet would penetrate. The fast path leaves
// this case to ActiveContacts.
void check_a_push_of_three() {
  moreau::State<ThreeFeet> start;
  start.q = {Real(-0.5e-3), Real(0.5005e-3)};
  moreau::Stepper<ThreeFeet, Exact, Timing::constant> constant{ThreeFeet{}, start};
  moreau::Stepper<ThreeFeet, moreau::Lemke> general{ThreeFeet{}, start};
  const auto a = constant.step(Real(1e-4)), b = general.step(Real(1e-4));
  CHECK(a.advanced() && b.advanced());
  CHECK_EQUAL(1, a.active);
  CHECK_EQUAL(1, a.fallbacks);
  for (int j = 0; j < 2; ++j) CHECK_WITHIN(Real(1e-6), general.state.q(j), constant.state.q(j));
}

struct TwoPins {
  using Real = ::Real;
  enum Names { wheel, bodies };
  moreau::Body<Real> body[bodies] = {{Real(1), Real(1)}};
  moreau::Drive<Real, moreau::ground, wheel> drive, another;
  moreau::PointOnLine<Real, moreau::ground, wheel> floor;
  auto parts() const { return std::tie(drive, another, floor); }
};

}  // namespace

void test_slider_crank_is_bit_identical_in_both_timings(void) {
  const models::SliderCrank<Real> hand;
  check_same_bytes(Crank{}, models::from_angles(hand, hand.start().q, hand.start().u), Real(1e-5), 100,
                   [](Crank&, int) {});
}
void test_gear_is_bit_identical_in_both_timings(void) {
  check_same_bytes(Gear{}, models::gear_drive_start(Gear{}), Real(1e-4), 1000,
                   [](Gear& gear, int n) { gear.motor.torque = n / 100 % 2 == 0 ? Real(0.05) : Real(-0.05); });
}
void test_agrees_with_the_general_step(void) { check_against_the_general_step(); }
void test_position_correction_of_more_than_two_contacts(void) { check_a_push_of_three(); }
void test_redundant_joints_are_reported(void) {
  moreau::Stepper<moreau::Mechanism<TwoPins>, Exact, Timing::constant> wheel{{}, {}};
  CHECK_EQUAL(Status::constraints_dependent, wheel.step(Real(1e-3)).status);
}

TEST_MAIN({
  TEST(test_slider_crank_is_bit_identical_in_both_timings);
  TEST(test_gear_is_bit_identical_in_both_timings);
  TEST(test_agrees_with_the_general_step);
  TEST(test_position_correction_of_more_than_two_contacts);
  TEST(test_redundant_joints_are_reported);
})
