// The timing checker reports the model function whose cost depends on the data. Requires a board, whose ticks count
// instructions.
#include <moreau/check/timing_checker.hpp>
#include <moreau/moreau.hpp>
#include <moreau/port/cycles.hpp>

#include "models/cam_follower.hpp"
#include "models/four_bar.hpp"
#include "models/gear_drive.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/test.hpp"

namespace {

using Crank = models::SliderCrank<Real>;

// The upper faces are evaluated only if the slider is above the middle.
struct Branching : Crank {
  Real gap(int i, const At& s) const {
    if (i == 2 && s.sin_1 > Real(0)) return Crank::gap(i, s) + moreau::sin(s.cos_1);
    return Crank::gap(i, s);
  }
};

// Instructions instead of ticks: a tick is a third of an instruction.
struct Instructions {
  moreau::port::Stopwatch watch;
  void begin() { watch.begin(); }
  std::uint32_t end() const { return watch.instructions(); }
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

// Every joint with clearance, an ideal joint of each kind, springs and motors.
struct EveryJointAndForce {
  using Real = ::Real;
  enum Names { first, second, bodies };
  moreau::Body<Real> body[bodies] = {{Real(1), Real(1)}, {Real(1), Real(1)}};
  moreau::PrismaticClearance<Real, moreau::ground, first> guide;
  moreau::PrismaticClearance<Real, first, second> short_guide;
  moreau::RevoluteClearance<Real, first, second> pin;
  moreau::SlotClearance<Real, first, second> slot;
  moreau::PointOnLine<Real, moreau::ground, second> stop;
  moreau::Backlash<Real, first, second> mesh;
  moreau::Prismatic<Real, first, second> slide;
  moreau::Drive<Real, moreau::ground, first> drive;
  moreau::Weld<Real, first, second> weld;
  moreau::Spring<Real, first, second> spring;
  moreau::TorsionSpring<Real, first, second> wind;
  moreau::Motor<Real, moreau::ground, first> motor;
  moreau::Pull<Real, first, second> pull;
  moreau::Gravity<Real> gravity;
  auto parts() const {
    return std::tie(guide, short_guide, pin, slot, stop, mesh, slide, drive, weld, spring, wind, motor, pull, gravity);
  }
  EveryJointAndForce() {
    guide.a = short_guide.a = Real(0.3);
    guide.b = short_guide.b = slot.half_length = Real(0.1);
    guide.play = short_guide.play = pin.play = slot.play = mesh.play = Real(0.1);
    short_guide.half_length = Real(0.2);
    spring.stiffness = spring.length = wind.stiffness = pull.force.x = Real(1);
  }
};

// Contacts on profiles, commanded drives, one-sided forces.
struct ProfilesAndCommands {
  using Real = ::Real;
  enum Names { first, second, bodies };
  moreau::Body<Real> body[bodies] = {{Real(1), Real(1)}, {Real(1), Real(1)}};
  moreau::PointOnCurve<Real, first, second, models::CamCurve<Real>> cam;
  moreau::PointOnPolygon<Real, first, second, 6> teeth;
  moreau::Drive<Real, moreau::ground, first, moreau::CommandedPosition<Real>> turn;
  moreau::LinearDrive<Real, first, second> feed;
  moreau::OneSidedSpring<Real, first, second> rope;
  moreau::BumpStop<Real, moreau::ground, second> stop;
  moreau::OneSidedTorsionSpring<Real, first, second> limit;
  auto parts() const { return std::tie(cam, teeth, turn, feed, rope, stop, limit); }
  ProfilesAndCommands() {
    const Real corners[6][2] = {{-1, -1}, {1, -1}, {Real(0.5), 0}, {1, 1}, {-1, 1}, {Real(-0.5), 0}};
    for (int j = 0; j < 6; ++j) teeth.corner[j] = {corners[j][0], corners[j][1]};
    turn.law = {Real(1), Real(2), Real(3)};
    feed.law.speed = Real(1);
    feed.law.acceleration = Real(2);
    rope.stiffness = stop.stiffness = limit.stiffness = rope.longest = Real(1);
    limit.upper = Real(0.1);
  }
};

// Equal costs for two states: bodies in arbitrary positions, and every body centred in the next.
template <class Model>
void check_no_function_varies(const Model& model) {
  moreau::State<Model> low, high;
  low.q.setConstant(Real(-1)), high.q.setConstant(Real(1));
  low.u.setConstant(Real(-100)), high.u.setConstant(Real(100));
  for (int b = 0; b < Model::bodies; ++b) {
    const int angle = Model::angle_index(b);
    if (angle >= 0) low.q[angle] = Real(-100), high.q[angle] = Real(100);
  }
  high.set_time(Real(10));
  const auto anywhere = moreau::check_timing<Instructions>(model, low, high);
  const moreau::State<Model> rest;
  const auto centred = moreau::check_timing<Instructions>(model, rest, rest, 2);
  if (const auto* c = anywhere.varying())
    moreau::port::print(c->function, '(', c->contact, "): ", c->least, " to ", c->most);
  CHECK(anywhere.varying() == nullptr);
  for (int i = 0; i < anywhere.rows; ++i) {
    const auto &a = anywhere.cost[i], &b = centred.cost[i];
    if (a.least != b.least)
      moreau::port::print(a.function, '(', a.contact, "): ", a.least, " anywhere, ", b.least, " centred");
    CHECK_EQUAL(a.least, b.least);
  }
}

}  // namespace

void test_model_without_branches(void) {
  const auto found = findings<Crank>();
  if (const auto* c = found.varying())
    moreau::port::print(c->function, '(', c->contact, "): ", c->least, " to ", c->most);
  CHECK(found.varying() == nullptr);
  CHECK(found.cost[0].least > 100);  // three pairs of sine and cosine
}

void test_branch_is_reported(void) {
  const auto found = findings<Branching>();
  const auto* c = found.varying();
  CHECK(c != nullptr);
  CHECK(c->function[0] == 'g' && c->contact == 2);
}

void test_mechanisms_from_parts(void) {
  check_no_function_varies(models::SliderCrankFromParts<Real>{});
  check_no_function_varies(models::FourBarWithPlay<Real>{});
  check_no_function_varies(models::GearDrive<Real>{});
}
void test_every_joint_and_force(void) { check_no_function_varies(moreau::Mechanism<EveryJointAndForce>{}); }

void test_profiles_and_commands(void) { check_no_function_varies(moreau::Mechanism<ProfilesAndCommands>{}); }

TEST_MAIN({
  TEST(test_model_without_branches);
  TEST(test_branch_is_reported);
  TEST(test_mechanisms_from_parts);
  TEST(test_every_joint_and_force);
  TEST(test_profiles_and_commands);
})
