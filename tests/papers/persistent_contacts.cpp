// Persistent contacts of steps of second order against known results: the force on a cam and on a shaken table, the
// energy of a pin that rolls in its bearing, a four-bar with clearance that alternates between impacts and contact.
#include <cmath>
#include <moreau/check/energy_audit.hpp>
#include <moreau/mechanism.hpp>

#include "models/cam.hpp"
#include "models/falling_mass.hpp"
#include "models/four_bar.hpp"
#include "models/rolling_pin.hpp"
#include "models/shaken_table.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/test.hpp"

namespace {

template <class Model>
struct Persistent : Model {
  static constexpr bool second_order = true;
};
template <class Parts>
struct ByGap : Parts {
  using Parts::Parts;
  static constexpr bool second_order = false;
};

constexpr int settling = 3;  // steps after the start, until the change of u by contacts is known

template <class Model>
moreau::Stepper<Model> started(const Model& model) {
  return moreau::Stepper<Model>{model, models::state_at<Model>(model.start())};
}

struct Force {
  double worst = 0;  // relative error of a step
  double gap = 0;    // m
  int open = 0;
};

// expected(t): reference force at the middle of a step.
template <class Model, class Expected>
Force force_of(const Model& model, double dt, double until, const Expected& expected) {
  auto stepper = started(model);
  Force seen;
  const long steps = std::lround(until / dt);
  for (long n = 0; n < steps; ++n) {
    CHECK(stepper.step(Real(dt)).status == moreau::Status::ok);
    if (n < settling) continue;
    const auto contact = stepper.contact(0);
    seen.open += !(contact.P_N > Real(0));
    seen.worst = std::fmax(seen.worst, std::fabs(double(contact.force_N) / expected((double(n) + 0.5) * dt) - 1));
    seen.gap = std::fmax(seen.gap, std::fabs(double(contact.gap_M)));
  }
  return seen;
}

template <class Cam>
Force cam_force(const char* rule, double omega, double dt) {
  Cam cam;
  cam.omega = Real(omega);
  const models::Cam<double> exact;
  const Force seen = force_of(cam, dt, 1, [&](double t) {
    return exact.preload + exact.m * exact.gravity +
           (exact.c - exact.m * omega * omega) * exact.e * std::sin(omega * t);
  });
  moreau::port::print("cam ", omega, " rad/s, dt ", dt, " s, ", rule, ": open in ", seen.open, " steps, force error ",
                      100 * seen.worst, " % at most");
  return seen;
}
using PaperCam = models::Cam<Real>;
using PersistentCam = Persistent<PaperCam>;

}  // namespace

// Relative; 1.5e-6 and 8e-5 are measured at 100 rad/s.
constexpr double cam_force_error = sizeof(Real) == 8 ? 3e-6 : 2e-4;
void test_cam(void) {
  constexpr double dt = 5e-5;
  for (const double omega : {20., 40., 60.}) {
    const Force paper = cam_force<PaperCam>("paper", omega, dt),
                seen = cam_force<PersistentCam>("persistent", omega, dt);
    CHECK_EQUAL(0, seen.open);
    CHECK_WITHIN(cam_force_error, 0, seen.worst);
    CHECK(paper.open > 0 && paper.worst > 1);  // the defect that persistent contacts remove
  }
  const Force fast = cam_force<PersistentCam>("persistent", 100, dt),
              finer = cam_force<PersistentCam>("persistent", 100, dt / 2);
  CHECK_EQUAL(0, fast.open + finer.open);
  CHECK_WITHIN(cam_force_error, 0, fast.worst);
  // The error is of second order; in float, rounding of the gap velocity limits it.
  CHECK_WITHIN(sizeof(Real) == 8 ? 0.3 * fast.worst : 2 * cam_force_error, 0, finer.worst);
}

// Amplitude 90 um at 50 Hz, for a minute. Near 1 m a float has a resolution of 0.1 um and each step rounds q. Only
// contacts with position correction (allowed_penetration) keep their position.
struct DeepTable : Persistent<models::ShakenTable<Real>> {
  Real allowed_penetration(int) const { return Real(1e-6); }
};
void test_shaken_table(void) {
  DeepTable table;
  const double omega = 2 * 3.14159265358979324 * 50;
  for (const Real offset : {Real(0), Real(1)}) {
    table.offset = offset;
    const Force seen = force_of(table, 1e-4, 60, [&](double t) { return 9.81 * (1 - 0.9 * std::sin(omega * t)); });
    CHECK_EQUAL(0, seen.open);
    CHECK_WITHIN(0.015, 0, seen.worst);
    CHECK_WITHIN(1.5e-6, 0, seen.gap);
  }
}

void test_rolling_pin_in_bearing(void) {
  const Persistent<models::RollingPin<Real>> pin;
  auto stepper = started(pin);
  const double swing = double(pin.m * pin.gravity * pin.play) * (1 - std::cos(double(pin.theta)));  // J
  const double start = double(pin.energy(stepper.state.q, stepper.state.u));
  double drift = 0, change = 0;
  for (int n = 0; n < 100000; ++n) {
    CHECK(stepper.step(Real(1e-4)).status == moreau::Status::ok);
    CHECK(stepper.state.P_N(0) > Real(0));
    drift = std::fmax(drift, std::fabs(double(stepper.contact(0).gap_M)));
    change = std::fmax(change, std::fabs(double(pin.energy(stepper.state.q, stepper.state.u)) - start) / swing);
  }
  moreau::port::print("pin, 10 s: energy error ", change, " of the potential energy, gap error ", drift, " m at most");
  CHECK_WITHIN(2e-7, 0, drift);                              // m
  CHECK_WITHIN(sizeof(Real) == 8 ? 5e-5 : 1e-3, 0, change);  // a float rounds by 1e-7 in each of 1e5 steps
}

// Steps without force between two steps in contact, the second of which has about twice the force of the first, while no
// other contact has an impact: a contact that opened by mistake.
template <class Parts>
int zero_then_double(double dt, double until) {
  using Model = moreau::Mechanism<Parts>;
  const Model model{Parts(Real(5e-4), {Real(0.9), Real(0), Real(0.1)})};
  moreau::Stepper<Model> machine{model, models::four_bar_start<Model>(Real(30))};
  moreau::State<Model> before, last;
  int events = 0;
  for (long n = 0; n < std::lround(until / dt); ++n) {
    CHECK(machine.step(Real(dt)).advanced());
    for (int i = 0; i < 3; ++i) {
      const Real P = machine.state.P_N(i), P_before = before.P_N(i);
      if (!(P_before > Real(0) && last.P_N(i) == Real(0) && P > Real(1.5) * P_before && P < Real(2.6) * P_before))
        continue;
      bool struck = false;
      for (int k = 0; k < 3; ++k) struck = struck || last.P_N(k) > Real(3) * before.P_N(k);
      events += !struck;
    }
    before = last;
    last = machine.state;
  }
  moreau::port::print("four-bar, dt ", dt, " s: zero force, then twice the force, ", events, " cases");
  return events;
}
void test_four_bar(void) {
  constexpr int most = 5;
  for (const double dt : {1e-4, 5e-5}) {
    CHECK(zero_then_double<models::FourBarWithPlayParts<Real>>(dt, 5) <= most);
    CHECK(zero_then_double<ByGap<models::FourBarWithPlayParts<Real>>>(dt, 5) >= 2 * most);  // the defect does occur
  }
}

// Energy created by the contacts in steps with a gain, relative to the energy that they dissipate.
double gained(double eps, double dt) {
  using Model = models::SliderCrankFromParts<Real>;
  const models::SliderCrank<Real> hand;
  Model model;
  model.guide.law.eps_N = Real(eps);
  moreau::Stepper<Model> machine{model, models::from_angles(hand, hand.start().q, hand.start().u)};
  double gain = 0, sum = 0;
  for (long n = 0; n < std::lround(0.2 / dt); ++n) {
    const auto step = moreau::audited_step(machine, Real(dt));
    CHECK(step.step.advanced());
    gain += std::fmax(0., double(step.energy.in_contacts));
    sum -= double(step.energy.in_contacts);
  }
  moreau::port::print("slider-crank, eps ", eps, ", dt ", dt, " s: gain ", gain / sum);
  return gain / sum;
}
// 5e-7 is measured in double. In float, percussions on the light slider have an accuracy of some per cent.
constexpr double largest_gain = sizeof(Real) == 8 ? 1e-6 : 1e-3;
void test_slider_crank_gains_no_energy(void) {
  for (const double dt : {1e-4, 1e-5})
    for (const double eps : {0.2, 0.4, 0.6, 0.9}) CHECK_WITHIN(largest_gain, 0, gained(eps, dt));
}

template <class Model>
double accumulation() {
  const double dt = 1e-5;
  const Model ball;
  auto stepper = started(ball);
  double last = 0;  // s, time of the last rise
  for (long n = 0; n < std::lround(0.75 / dt); ++n) {
    CHECK(stepper.step(Real(dt)).advanced());
    if (stepper.state.u(0) > ball.gravity * Real(dt)) last = double(n + 1) * dt;
  }
  return last;
}
void test_accumulation_is_that_of_the_papers(void) {
  CHECK_WITHIN(2e-5, accumulation<models::FallingMass<Real>>(), accumulation<Persistent<models::FallingMass<Real>>>());
}

TEST_MAIN({
  TEST(test_cam);
  TEST(test_shaken_table);
  TEST(test_rolling_pin_in_bearing);
  TEST(test_four_bar);
  TEST(test_slider_crank_gains_no_energy);
  TEST(test_accumulation_is_that_of_the_papers);
})
