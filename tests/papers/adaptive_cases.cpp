// Adaptive simulation with default options over many kinds of models: every run ends, needs a bounded number of base
// steps, and agrees with a run at tenfold tighter tolerances.
#include <cmath>

#include "models/belt_oscillator.hpp"
#include "models/falling_mass.hpp"
#include "models/four_bar.hpp"
#include "models/gear_drive.hpp"
#include "models/impact_oscillator.hpp"
#include "models/oblique_oscillator.hpp"
#include "models/prismatic_joint_parts.hpp"
#include "models/slider_crank_parts.hpp"
#include "models/sliding_mass.hpp"
#include "models/woodpecker.hpp"
#include "support/cases.hpp"
#include "support/test.hpp"

namespace {

using Options = moreau::AdaptiveOptions<Real>;

// Bound per started second. A second with many events has some 200 switching points of about 100 base steps each
// (five attempts of the search, with substeps and look-ahead) and 1000 smooth steps of dt_max with 6 to 18 base
// steps: 4e4. A defective case runs at dt_min, with 1e8 base steps per second.
constexpr std::int64_t most_base_steps = 100000;
// In m or rad. Coordinates faster than 1 m/s or 1 rad/s: relative to their motion in one second, since switching
// points are resolved to dt_min = 1e-8 s and their error is proportional to the velocity.
constexpr double agreement = 1e-7;

template <class Model>
void check(const char* name, const Model& model, const moreau::State<Model>& start, Real t_end) {
  double fastest[Model::dof] = {};
  const auto run_to_end = [&](const Options& o, moreau::Stepper<Model>& stepper) {
    moreau::Adaptive run{stepper, o};
    return run.advance_to(t_end, [&](const auto& state, const auto&) {
      for (int j = 0; j < Model::dof; ++j) fastest[j] = std::fmax(fastest[j], std::abs(state.u[j]));
    });
  };
  moreau::Stepper<Model> usual{model, start}, tight{model, start};
  Options tighter;
  tighter.dt_min /= 10;
  tighter.atol /= 10;
  tighter.rtol /= 10;
  const auto s = run_to_end(Options{}, usual);
  const auto s_tight = run_to_end(tighter, tight);
  double miss = 0;
  for (int j = 0; j < Model::dof; ++j)
    miss = std::fmax(miss, std::abs(usual.state.q[j] - tight.state.q[j]) / std::fmax(1, fastest[j]));
  moreau::port::print(name, ": ", s.base_steps, " base steps, ", s.switchings, " switchings, ", moreau::name(s.status),
                      "; tighter ", s_tight.base_steps, ", ", moreau::name(s_tight.status), "; difference ", miss,
                      " at t ", usual.state.time(), "\n");
  CHECK(s.finished());
  CHECK(s_tight.finished());
  CHECK(s.base_steps <= most_base_steps * (t_end > 1 ? std::int64_t(std::ceil(t_end)) : 1));
  CHECK(miss <= agreement);
}
template <class Model>
void check(const char* name, const Model& model, Real t_end) {
  check(name, model, models::state_at<Model>(model.start()), t_end);
}

void test_systems_of_the_papers(void) {
  models::FallingMass<Real> ball;
  check("falling mass", ball, 1);
  check("impact oscillator", models::ImpactOscillator<Real>{}, 1);
  check("woodpecker", models::Woodpecker<Real>{}, Real(0.3));
  check("sliding mass", models::SlidingMass<Real>{}, Real(2.9));  // its force ends at 3 s
  check("sliding mass on a table", models::SlidingMassOnTable<Real>{}, Real(2.9));
  check("belt oscillator", models::BeltOscillator<Real>{}, 2);
  check("oblique oscillator", models::ObliqueOscillator<Real>{}, Real(0.5));
  for (const int number : {1, 2, 3})
    check("prismatic joint", models::PrismaticJoint<Real>::paper_case(number), Real(5e-3));
  models::PrismaticJoint<Real> bouncing = models::PrismaticJoint<Real>::paper_case(2);
  bouncing.eps_N = Real(0.5);
  check("prismatic joint, eps 0.5", bouncing, Real(5e-3));
}

void test_slider_cranks(void) {
  using Crank = models::SliderCrank<Real>;
  for (const double eps : {0.0, 0.1, 0.4, 0.9}) {
    Crank crank;
    crank.eps_N = eps;
    check("slider-crank", crank, Real(0.03));
  }
  Crank crank;  // the corners hit alternately at increasing rate until both rest on the face
  crank.mu = Real(0.1);
  auto start = models::state_at<Crank>(crank.start());
  start.q(2) = Real(0.01);
  check("slider-crank, tilted", crank, start, Real(0.006));
}

void test_parts(void) {
  using Crank = models::SliderCrankFromParts<Real>;
  const models::SliderCrank<Real> derived;
  check("slider-crank from parts", Crank{models::SliderCrankParts<Real>(derived)},
        models::from_angles<Real>(derived, derived.start().q, derived.start().u), Real(0.03));
  using FourBar = models::FourBarWithPlay<Real>;
  check("four-bar with pin clearance", FourBar{}, models::four_bar_start<FourBar>(Real(30)), Real(0.02));
  models::GearDrive<Real> gears;
  gears.motor.torque = Real(0.05);
  using Jammed = moreau::Mechanism<cases::JammedSliderParts<Real>>;
  check("jammed slider", Jammed{cases::JammedSliderParts<Real>(Real(0.15))}, moreau::State<Jammed>{}, 1);
  check("gear backlash", gears, models::gear_drive_start(gears), Real(0.2));
}

void test_rods(void) {
  using Rod = cases::CornersOnPlanes<Real, 4>;
  check("rod against a wall, sliding", cases::rod<Real>(Real(0.2), 0), cases::leaning<Real>(1), Real(0.4));
  check("rod against a wall, smooth", cases::rod<Real>(0, 0), cases::leaning<Real>(Real(1.2)), Real(0.6));
  check("rod against a wall, sticking", cases::rod<Real>(Real(0.6), 0), cases::leaning<Real>(Real(1.2)), 1);
  auto falling = cases::leaning<Real>(1);
  falling.q(0) += Real(0.1);
  falling.q(1) += Real(0.05);
  falling.u(2) = 2;
  check("rod falling into a corner", cases::rod<Real>(Real(0.3), Real(0.5)), falling, Real(0.6));
  moreau::State<Rod> flat;
  flat.q << Real(1), Real(0.1), Real(0.02);
  check("rod falling flat", cases::rod<Real>(Real(0.3), Real(0.4)), flat, Real(0.4));
}

void test_blocks(void) {
  const auto slender = cases::block<Real>(Real(0.1), Real(0.4), Real(0.5), 0);
  check("rocking block", slender, cases::on_left_corner<Real>(slender, Real(0.15)), 1);
  auto bouncing = cases::block<Real>(Real(0.2), Real(0.4), Real(0.3), Real(0.3));
  check("rocking block, bouncing", bouncing, cases::on_left_corner<Real>(bouncing, Real(0.1)), Real(0.6));
  auto shaken = cases::block<Real>(Real(0.1), Real(0.3), Real(0.4), 0);
  shaken.omega = 20;
  shaken.swing = Real(0.05);
  check("block at rest", slender, cases::on_left_corner<Real>(slender, 0), 1);
  check("block on a rocking plane", shaken, cases::on_left_corner<Real>(shaken, 0), Real(0.5));
  auto table = cases::block<Real>(Real(0.2), Real(0.1), Real(0.3), 0);
  table.turn = Real(0.5);
  check("block on a turning plane", table, cases::on_left_corner<Real>(table, 0), Real(0.9));
  auto thrown = cases::block<Real>(Real(0.2), Real(0.1), Real(0.3), Real(0.2));
  thrown.omega = 30;
  thrown.shake = Real(0.015);
  check("block on a shaking table", thrown, cases::on_left_corner<Real>(thrown, 0), Real(0.5));
}

void test_other_surfaces(void) {
  using Beam = cases::BeamOnSupports<Real>;
  moreau::State<Beam> dropped;
  dropped.q << Real(0.05), Real(0.05), Real(0.03);
  check("beam dropped on two supports", Beam{}, dropped, Real(0.3));
  moreau::State<Beam> tips;
  tips.q << Real(0.25), Real(0.02), 0;
  tips.u << Real(0.8), 0, 0;
  check("beam sliding over a support", Beam{}, tips, Real(0.5));

  using Bead = cases::BeadInDrum<Real>;
  moreau::State<Bead> at_side;
  at_side.q << Real(0.8), Real(-0.6);
  Bead drum;
  check("bead in a drum", drum, at_side, 3);
  drum.turning = 3;
  check("bead in a turning drum", drum, at_side, Real(1.5));
  using Road = cases::BeadOnRoad<Real>;
  moreau::State<Road> rolling;
  rolling.q << 0, Road{}.A;
  rolling.u << Real(1.2), 0;
  check("bead on a hilly road", Road{}, rolling, 1);
  using Pendulum = cases::PendulumOnStop<Real>;
  moreau::State<Pendulum> swings;
  swings.q << Real(0.6), Real(0.9);
  check("pendulum on stops", Pendulum{}, swings, Real(1.5));
  using Turntable = cases::PointOnTurntable<Real>;
  moreau::State<Turntable> rides;
  rides.q << Real(0.3), 0;
  check("point on a turntable", Turntable{}, rides, 2);
}

}  // namespace

TEST_MAIN({
  TEST(test_systems_of_the_papers);
  TEST(test_slider_cranks);
  TEST(test_parts);
  TEST(test_rods);
  TEST(test_blocks);
  TEST(test_other_surfaces);
})
