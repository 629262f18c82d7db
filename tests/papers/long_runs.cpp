// Hours of simulated time in float: rounding of angles, of time and of resting contacts stays bounded.
#include <moreau/moreau.hpp>

#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

constexpr double hour = 3600;  // s

// The slider-crank in continuous operation: motor torque at the crank, angles wrapped to one turn, position
// correction of contacts.
struct Machine : models::SliderCrank<float> {
  using Base = models::SliderCrank<float>;
  float torque = 0;  // N m
  Vector force(const At& at_M, const Vector& u) const {
    Vector h = Base::force(at_M, u);
    h(0) += torque;
    return h;
  }
  float allowed_penetration(int) const { return 1e-6f; }
  Vector wrap(const Vector& q) const { return Vector(moreau::wrap_angle(q(0)), moreau::wrap_angle(q(1)), q(2)); }
};

double deepest(const moreau::Stepper<Machine>& crank) {
  double depth = 0;
  for (int i = 0; i < Machine::contacts; ++i) {
    const double penetration = -static_cast<double>(crank.contact(i).gap_M);
    if (penetration > depth) depth = penetration;
  }
  return depth;
}

// Turns of the crank, counted from the discontinuities of the wrapped angle.
class Turns {
 public:
  void see(float theta) {
    if (theta < last_ - 3) ++whole_;
    if (theta > last_ + 3) --whole_;
    last_ = theta;
  }
  double angle() const { return static_cast<double>(whole_) * 6.283185307179586 + static_cast<double>(last_); }

 private:
  long whole_ = 0;
  float last_ = 0;
};

}  // namespace

void test_speed_control_for_an_hour_in_float(void) {
  constexpr float dt = 1e-4f, wanted = 50, proportional = 0.05f, integral = 0.5f;
  constexpr long steps = 36000000;
  moreau::State<Machine> start;
  start.u << wanted, -wanted / 2, 0;
  moreau::Stepper crank{Machine{}, start};
  Turns turns;
  float lag = 0;
  double deep_first = 0, deep_rest = 0, angle_late = 0;
  for (long i = 0; i < steps; ++i) {
    const float error = wanted - crank.state.u(0);
    lag += error * dt;
    crank.model.torque = proportional * error + integral * lag;
    if (!crank.step(dt).advanced()) TEST_FAIL_MESSAGE("a step failed");
    turns.see(crank.state.q(0));
    double& deep = i < steps / 10 ? deep_first : deep_rest;
    const double now = deepest(crank);
    if (now > deep) deep = now;
    if (i == steps - 100000) angle_late = turns.angle();
  }
  const double mean = turns.angle() / hour, last_10_s = (turns.angle() - angle_late) / 10;
  moreau::port::print("mean speed ", mean, " rad/s, in the last 10 s ", last_10_s, "; largest penetration ", deep_first,
                      " m in the first six minutes, ", deep_rest, " m later");
  CHECK_WITHIN(1e-4 * double(wanted), double(wanted), mean);
  CHECK_WITHIN(1e-3 * double(wanted), double(wanted), last_10_s);  // ten seconds end within a turn
  CHECK(deep_first > 0);
  CHECK(deep_rest < 1.1 * deep_first);
  CHECK(deep_rest < 0.1 * double(crank.model.play));
}

// The crank's motion is prescribed; rod and slider follow with q = (theta_2, theta_3).
namespace {

struct Prescribed {
  using Real = float;
  static constexpr int dof = 2, contacts = 4;
  using Vector = moreau::Vector<float, 2>;
  models::SliderCrank<float> crank;
  float omega = 50;  // rad/s

  struct At {
    models::SliderCrank<float>::At all;
    float t;
  };
  At at(const Vector& q, float t) const { return {crank.at({moreau::wrap_angle(omega * t), q(0), q(1)}, t), t}; }
  moreau::Matrix<float, 2, 2> mass(const At& a) const { return crank.mass(a.all).bottomRightCorner<2, 2>(); }
  Vector force(const At& a, const Vector& u) const { return crank.force(a.all, {omega, u(0), u(1)}).tail<2>(); }
  float gap(int i, const At& a) const { return crank.gap(i, a.all); }
  moreau::Directions<float, 2> directions(int i, const At& a) const {
    const auto full = crank.directions(i, a.all);
    moreau::Directions<float, 2> d;
    d.w_N = full.w_N.tail<2>();
    d.w_T = full.w_T.bottomRows<2>();
    d.zeta_N = full.w_N(0) * omega;
    d.zeta_T = full.w_T(0, 0) * omega;
    return d;
  }
  moreau::ContactLaw<float> law(int i) const { return crank.law(i); }
  float allowed_penetration(int) const { return 1e-6f; }
  float period() const { return 6.28318531f / omega; }
};

// Start at rest in the middle of the guide. Range of the rod angle over the last of three seconds.
double swing_after(double seconds, double& penetration) {
  constexpr float dt = 1e-4f;
  Prescribed model;
  moreau::State<Prescribed> start;
  start.clock.dt = dt;
  start.clock.n = static_cast<std::int64_t>(seconds / 1e-4);
  const float theta_1 = moreau::wrap_angle(model.omega * moreau::detail::reduced(model, start.clock));
  // sin theta_2 = -sin theta_1 / 2 keeps the slider on the axis: a few iterations of Newton's method.
  float theta_2 = -moreau::sin(theta_1) / 2;
  for (int i = 0; i < 4; ++i) theta_2 -= (moreau::sin(theta_2) + moreau::sin(theta_1) / 2) / moreau::cos(theta_2);
  start.q << theta_2, 0;
  start.u << -model.omega * moreau::cos(theta_1) / (2 * moreau::cos(theta_2)), 0;
  moreau::Stepper rod{model, start};
  float low = 9, high = -9;
  penetration = 0;
  for (int i = 0; i < 30000; ++i) {
    if (!rod.step(dt).advanced()) return -1;
    for (int k = 0; k < 4; ++k)
      penetration = -double(rod.contact(k).gap_M) > penetration ? -double(rod.contact(k).gap_M) : penetration;
    if (i < 20000) continue;
    low = rod.state.q(0) < low ? rod.state.q(0) : low;
    high = rod.state.q(0) > high ? rod.state.q(0) : high;
  }
  return double(high - low);
}

}  // namespace

void test_prescribed_crank_is_unchanged_after_an_hour(void) {
  double penetration_early, penetration_late;
  const double early = swing_after(0, penetration_early), late = swing_after(hour, penetration_late);
  moreau::port::print("swing of the rod ", early, " rad at the start, ", late,
                      " rad after an hour; largest penetration ", penetration_early, " and ", penetration_late, " m");
  // The rod, twice as long as the crank, swings by +-30 degrees; the clearance of 1 mm changes that slightly.
  CHECK_WITHIN(0.02, 1.0472, early);
  CHECK_WITHIN(1e-3, early, late);
  CHECK(penetration_late < 2 * penetration_early);
}

void test_woodpecker_keeps_its_limit_cycle_for_24_h(void) {
  using Model = models::Woodpecker<double>;
  constexpr double dt = 1e-4;
  constexpr std::int64_t steps = 864000000, minute = 600000;
  const Model model;
  moreau::State<Model> start;
  start.q = model.start().q;
  start.u = model.start().u;
  moreau::Stepper toy{model, start};
  // The toy moves down once a cycle: the descent of a minute is the number of cycles times the descent per cycle.
  double first = 0, least = 0, most = 0, before = start.q(0);
  for (std::int64_t i = 1; i <= steps; ++i) {
    if (!toy.step(dt).advanced()) TEST_FAIL_MESSAGE("a step failed");
    if (i % minute != 0) continue;
    const double descent = before - toy.state.q(0);
    before = toy.state.q(0);
    if (i == minute) continue;  // the start is not on the limit cycle
    if (i == 2 * minute) first = least = most = descent;
    least = descent < least ? descent : least;
    most = descent > most ? descent : most;
  }
  moreau::port::print("descent per minute ", first, " m in the first minute, ", least, " to ", most, " m over 24 h");
  CHECK(first > 0);
  CHECK_WITHIN(2e-3 * first, first, least);
  CHECK_WITHIN(2e-3 * first, first, most);
}

TEST_MAIN({
  TEST(test_speed_control_for_an_hour_in_float);
  TEST(test_prescribed_crank_is_unchanged_after_an_hour);
  TEST(test_woodpecker_keeps_its_limit_cycle_for_24_h);
})
