// Hours of simulated time at 10 kHz in float: no stagnation, no drift, no growth.
#include <moreau/moreau.hpp>

#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

using R = float;
constexpr R dt = R(1e-4);
constexpr long steps_per_second = 10000;

struct DrivenCrank : models::EndlessSliderCrank<R> {
  R torque = 0;
  Vector force(const At& s, const Vector& u) const {
    Vector h = models::EndlessSliderCrank<R>::force(s, u);
    h(0) += torque;
    return h;
  }
};

// A block carried by a ground with prescribed motion, once per second, with dry friction.
struct Carried {
  using Real = R;
  static constexpr int dof = 1, contacts = 0, frictions = 1;
  R amplitude{R(0.01)};
  R period() const { return R(1); }
  moreau::Matrix<R, 1, 1> mass(const moreau::Vector<R, 1>&, R) const { return moreau::Matrix<R, 1, 1>(R(0.2)); }
  moreau::Vector<R, 1> force(const moreau::Vector<R, 1>&, const moreau::Vector<R, 1>&, R) const {
    return moreau::Vector<R, 1>(R(0));
  }
  R friction_bound(int, const moreau::Vector<R, 1>&, R) const { return R(100); }
  moreau::FrictionDirections<R, 1> friction_directions(int, const moreau::Vector<R, 1>&, R t) const {
    moreau::FrictionDirections<R, 1> d;
    d.w(0) = 1;
    constexpr R omega = R(6.2831853);
    d.zeta = -amplitude * omega * moreau::cos(omega * t);  // ground displacement amplitude sin(omega t)
    return d;
  }
};

}  // namespace

// One hour of a crank at 60 rad/s under speed control: the angle equals time times speed.
void test_crank_for_an_hour(void) {
  const DrivenCrank model;
  moreau::State<DrivenCrank> start;
  start.u = {60, -30, 0};
  moreau::Stepper crank{model, start};
  constexpr double pi = 3.14159265358979323846;
  double turned = 0, seconds = 3600, integral = 0;
  R deepest_first = 0, deepest_last = 0;
  const long steps = long(seconds) * steps_per_second;
  for (long n = 0; n < steps; ++n) {
    const double error = 60 - double(crank.state.u(0));
    integral += 2e-5 * error;
    crank.model.torque = R(0.02 * error + integral);
    const R before = crank.state.q(0);
    CHECK(crank.step(dt).advanced());
    double angle = double(crank.state.q(0)) - double(before);
    if (angle < -pi) angle += 2 * pi;
    turned += angle;
    R& deepest = n < steps / 60 ? deepest_first : deepest_last;
    for (int i = 0; i < 4; ++i) deepest = moreau::detail::larger(deepest, -crank.contact(i).gap_M);
  }
  moreau::port::print("crank: mean speed ", turned / seconds, " rad/s, largest penetration ", deepest_first,
                      " m in the first minute, ", deepest_last, " m later");
  CHECK_WITHIN(60 * 1e-4, 60.0, turned / seconds);
  // Each impact penetrates by its velocity times the step; a drift would exceed the largest of these, v dt.
  CHECK(deepest_last < R(10) * dt);
}

// After an hour the prescribed motion still advances by dt per step: the block follows it through the last second.
void test_prescribed_motion_after_an_hour(void) {
  moreau::State<Carried> start;
  start.u(0) = R(0.062831853);
  moreau::Stepper slide{Carried{}, start};
  for (long n = 0; n < 3600 * steps_per_second; ++n) CHECK(slide.step(dt).advanced());
  R low = 1, high = -1, q_before = slide.state.q(0);
  int standing = 0;
  for (long n = 0; n < steps_per_second; ++n) {
    CHECK(slide.step(dt).advanced());
    low = slide.state.u(0) < low ? slide.state.u(0) : low;
    high = moreau::detail::larger(high, slide.state.u(0));
    if (slide.state.q(0) == q_before) ++standing;
    q_before = slide.state.q(0);
  }
  CHECK_WITHIN(1e-4, 0.062831853, high);
  CHECK_WITHIN(1e-4, -0.062831853, low);
  CHECK(standing < 200);  // only around its reversals
}

// 24 h of the woodpecker: every hour has the same number of cycles and the same drop per cycle. The toy is lifted
// before its height loses digits; no other quantity depends on the height.
void test_woodpecker_for_a_day(void) {
  const models::Woodpecker<R> model;
  moreau::Stepper toy{model, models::state_at<models::Woodpecker<R>>(model.start_on_cycle())};
  double least = 1e9, most = 0, drop_least = 1e9, drop_most = 0;
  for (int hour = 0; hour < 24; ++hour) {
    double drop = 0;
    long cycles = 0;
    bool below = false;
    for (long n = 0; n < 3600 * steps_per_second; ++n) {
      CHECK(toy.step(dt).advanced());
      const bool pecks = toy.state.P_N(0) > 0 || toy.state.q(2) > R(0.1);
      if (pecks && !below) ++cycles;
      below = pecks || (below && toy.state.q(2) > R(-0.2));
      if (toy.state.q(0) < R(-0.1)) {
        drop -= double(toy.state.q(0));
        toy.state.q(0) = 0;
      }
    }
    const double seconds_per_cycle = 3600.0 / double(cycles), per_cycle = drop / double(cycles);
    if (hour == 0) continue;  // the limit cycle at this step size is not the exact one
    least = seconds_per_cycle < least ? seconds_per_cycle : least;
    most = seconds_per_cycle > most ? seconds_per_cycle : most;
    drop_least = per_cycle < drop_least ? per_cycle : drop_least;
    drop_most = per_cycle > drop_most ? per_cycle : drop_most;
  }
  moreau::port::print("woodpecker: ", least, " to ", most, " s and ", drop_least, " to ", drop_most, " m per cycle");
  CHECK(most < least * 1.001);
  CHECK(drop_most < drop_least * 1.001);
}

TEST_MAIN({
  TEST(test_crank_for_an_hour);
  TEST(test_prescribed_motion_after_an_hour);
  TEST(test_woodpecker_for_a_day);
})
