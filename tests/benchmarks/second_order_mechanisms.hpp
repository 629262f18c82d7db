// The mechanisms of benchmarks.second_order, with random initial states and parameters.
//
// A mechanism has:
//
//   First, Second     the model with steps of first and of second order
//   Parameters        base class of both models
//   name, seconds     length of the runs
//   points            comparisons per run, in equal intervals of whole milliseconds
//   scale             m or rad per coordinate; errors and disturbances are relative to it
//   draw(random)      parameters and initial state
#pragma once
#include <array>
#include <cmath>
#include <moreau/mechanism.hpp>
#include <moreau/record/recorder.hpp>
#include <random>

#include "models/gear_drive.hpp"
#include "models/impact_oscillator.hpp"
#include "models/prismatic_joint.hpp"
#include "models/slider_crank_parts.hpp"
#include "models/woodpecker.hpp"
#include "peers/four_bar_model.hpp"
#include "support/joint_coordinates.hpp"
#include "support/second_order.hpp"

namespace second_order {

// Steps of second order of the program benchmarks.second_order, or of benchmarks.second_order_predicted.
#ifdef MOREAU_PREDICTED_GAPS
template <class Base>
using Rule = test::Predicted<Base>;
#else
template <class Base>
using Rule = test::Second<Base>;
#endif

// Uniform random numbers. Start k of a mechanism does not depend on the number of starts.
class Random {
 public:
  explicit Random(unsigned start) : generator_(12345 + start) { generator_.discard(16); }
  double operator()(double low, double high) { return low + (high - low) * (double(generator_()) / 4294967296.0); }

 private:
  std::mt19937 generator_;
};

template <class Parameters, int dof>
struct Drawn {
  Parameters parameters;
  moreau::Vector<double, dof> q, u;
};

// A mechanism with a hand-derived model.
template <class Model>
struct Derived {
  using Parameters = Model;
  using First = test::First<Model>;
  using Second = Rule<Model>;
  using Start = Drawn<Parameters, Model::dof>;
};

// A mechanism from a parts list, in the coordinates of its bodies.
template <class Parts>
struct Assembled {
  using Parameters = Parts;
  using First = test::BodiesOf<Parts>;
  using Second = moreau::Mechanism<Rule<test::InBodies<Parts>>>;
  using Start = Drawn<Parameters, First::dof>;
};

// The slider-crank in flight within its clearance, at any angle of the crank.
template <bool slab>
struct SliderCrank : Derived<models::SliderCrank<double>> {
  static constexpr const char* name = slab ? "slider-crank, slab" : "slider-crank, light slider";
  static constexpr double seconds = 0.03;
  static constexpr int points = 30;
  static constexpr std::array<double, 3> scale{1, 1, 1};
  static Start draw(Random& random) {
    Start start;
    auto& crank = start.parameters;
    crank.eps_N = random(0.1, 0.9), crank.mu = random(0, 0.2);
    if (slab) crank.J_3 = 7.9167e-5;  // kg m^2, homogeneous slab of the slider's size
    const double angle = random(-3.14, 3.14), tilt = random(-0.01, 0.01), height = random(-4e-4, 4e-4);
    const double rod = crank.rod_angle(angle, height, 0), omega = random(100, 160);
    start.q << angle, rod, tilt;
    start.u << omega, -omega * crank.l_1 * std::cos(angle) / (crank.l_2 * std::cos(rod)), random(-5, 5);
    return start;
  }
};

// The same runs with the mechanism from parts.
struct SliderCrankAssembled : Assembled<models::SliderCrankParts<double>> {
  static constexpr const char *name = "slider-crank, slab, from parts",
                              *name_in_joints = "slider-crank, slab, joint coordinates";
  static constexpr double seconds = 0.03;
  static constexpr int points = 30;
  static constexpr std::array<double, 9> scale{0.1, 0.1, 1, 0.1, 0.1, 1, 0.1, 0.1, 1};
  static Start draw(Random& random) {
    const auto derived = SliderCrank<true>::draw(random);
    const moreau::Mechanism<Parameters> in_joints{Parameters(derived.parameters)};
    const auto state = test::in_bodies(in_joints, models::from_angles(derived.parameters, derived.q, derived.u));
    return {in_joints, state.q, state.u};
  }
};

struct Woodpecker : Derived<models::Woodpecker<double>> {
  static constexpr const char* name = "woodpecker";
  static constexpr double seconds = 0.3;
  static constexpr int points = 60;
  static constexpr std::array<double, 3> scale{0.1, 1, 1};
  static Start draw(Random& random) {
    Start start;
    const auto from = start.parameters.start();
    start.parameters.eps_beak = random(0.3, 0.7), start.parameters.mu = random(0.25, 0.35);
    start.q = from.q, start.u = from.u;
    start.q(2) += random(-0.1, 0.1), start.u(2) += random(-2, 2);
    return start;
  }
};

struct ImpactOscillator : Derived<models::ImpactOscillator<double>> {
  static constexpr const char* name = "impact oscillator";
  static constexpr double seconds = 4;
  static constexpr int points = 40;
  static constexpr std::array<double, 1> scale{1};
  static Start draw(Random& random) {
    Start start;
    start.parameters.eps_N = random(0.3, 0.9);
    start.q(0) = random(-0.6, -0.3), start.u(0) = random(-0.5, 0.5);
    return start;
  }
};

// The slider begins within its play of 10 um and is pressed onto the rod.
struct PrismaticJoint : Derived<models::PrismaticJoint<double>> {
  static constexpr const char* name = "prismatic joint";
  static constexpr double seconds = 0.01;
  static constexpr int points = 10;
  static constexpr std::array<double, 3> scale{1, 1e-5, 1e-3};
  static Start draw(Random& random) {
    Start start;
    start.parameters.s_f = random(0, 0.01), start.parameters.eps_N = random(0, 0.6);
    start.q << 0, random(-5e-6, 5e-6), random(-3e-4, 3e-4);
    start.u << 0, random(-0.01, 0.01), random(-1, 1);
    return start;
  }
};

// Rough disks between two walls on a floor.
//
//   q = (x, y, phi) of each disk
//   g_N = |x_a - x_b| - 2 radius          every pair of disks
//   g_N = distance from the centre - radius        floor, left and right wall
struct DisksModel {
  using Real = double;
  static constexpr int disks = 3, dof = 3 * disks, contacts = disks + 3 * disks;
  static constexpr bool constant_mass = true;
  using Q = moreau::Vector<double, dof>;
  double radius = 0.02, m = 0.1, width = 0.15, eps_N = 0.5, mu = 0.3;  // m, kg, m

  struct Touch {
    int a, b;  // disks; b < 0 for a wall
    double g_N;
    moreau::Point<double> n;  // from b to a
  };
  Touch touch(int i, const Q& q) const {
    if (i < disks) {
      const int a = i, b = (i + 1) % disks;
      const double x = q(3 * a) - q(3 * b), y = q(3 * a + 1) - q(3 * b + 1), d = moreau::sqrt(x * x + y * y);
      return {a, b, d - 2 * radius, {x / d, y / d}};
    }
    const int a = i / 3 - 1, wall = i % 3;
    const double x = q(3 * a), y = q(3 * a + 1);
    if (wall == 0) return {a, -1, y - radius, {0, 1}};
    return wall == 1 ? Touch{a, -1, x - radius, {1, 0}} : Touch{a, -1, width - x - radius, {-1, 0}};
  }
  moreau::Matrix<double, dof, dof> mass(const Q&, double) const {
    moreau::Matrix<double, dof, dof> M = moreau::Matrix<double, dof, dof>::Zero();
    for (int j = 0; j < dof; ++j) M(j, j) = j % 3 == 2 ? m * radius * radius / 2 : m;
    return M;
  }
  Q force(const Q&, const Q&, double) const {
    Q h = Q::Zero();
    for (int k = 0; k < disks; ++k) h(3 * k + 1) = -9.81 * m;
    return h;
  }
  double gap(int i, const Q& q, double) const { return touch(i, q).g_N; }
  moreau::Directions<double, dof> directions(int i, const Q& q, double) const {
    const Touch t = touch(i, q);
    moreau::Directions<double, dof> d{};
    for (const int body : {t.a, t.b}) {
      if (body < 0) continue;
      const double side = body == t.a ? 1 : -1;
      d.w_N(3 * body) = side * t.n.x, d.w_N(3 * body + 1) = side * t.n.y;
      d.w_T(3 * body) = -side * t.n.y, d.w_T(3 * body + 1) = side * t.n.x;
      d.w_T(3 * body + 2) = -radius;
    }
    return d;
  }
  moreau::ContactLaw<double> law(int) const { return {eps_N, 0, mu}; }
};

struct Disks : Derived<DisksModel> {
  static constexpr const char* name = "three disks";
  static constexpr double seconds = 0.3;
  static constexpr int points = 60;
  static constexpr std::array<double, 9> scale{0.02, 0.02, 1, 0.02, 0.02, 1, 0.02, 0.02, 1};
  static Start draw(Random& random) {
    Start start;
    start.parameters.eps_N = random(0.2, 0.8), start.parameters.mu = random(0, 0.4);
    for (int k = 0; k < DisksModel::disks; ++k) {
      start.q(3 * k) = random(0.04, 0.11), start.q(3 * k + 1) = 0.03 + 0.05 * k + random(0, 0.005);
      start.q(3 * k + 2) = 0;
      start.u(3 * k) = random(-0.5, 0.5), start.u(3 * k + 1) = random(-0.5, 0.5), start.u(3 * k + 2) = random(-10, 10);
    }
    return start;
  }
};

// State of the four-bar with centred pins at a random angle of the crank, moved within its clearance.
struct FourBarState {
  moreau::Vector<double, 9> q, u;
};
inline FourBarState four_bar_state(Random& random) {
  using Ideal = test::BodiesOf<models::FourBarParts<double, moreau::Revolute>>;
  moreau::Stepper<Ideal> ideal{Ideal{}, models::four_bar_start<Ideal>(random(20, 40))};
  const auto at_angle = moreau::run(ideal, 1e-4, std::int64_t(random(0, 2000)));
  FourBarState state{ideal.state.q, ideal.state.u};
  if (!at_angle.advanced()) state.q.setConstant(std::nan(""));
  for (const int j : {3, 4, 6, 7}) state.q(j) += random(-1.5e-4, 1.5e-4), state.u(j) += random(-0.05, 0.05);
  return state;
}
inline void draw_four_bar_parameters(models::FourBarWithPlayParts<double>& parts, Random& random) {
  const moreau::ContactLaw<double> law{random(0.2, 0.8), 0, random(0, 0.2)};
  parts.crank_pin.law = parts.rocker_pin.law = parts.pivot.law = law;
}

struct FourBarDerived : Derived<peers::FourBar> {
  static constexpr const char* name = "four-bar, seven coordinates";
  static constexpr double seconds = 0.1;
  static constexpr int points = 50;
  static constexpr std::array<double, 7> scale{1, 0.1, 0.1, 1, 0.1, 0.1, 1};
  static Start draw(Random& random) {
    Start start;
    const FourBarState state = four_bar_state(random);
    draw_four_bar_parameters(start.parameters.parts, random);
    start.q = state.q.tail<7>(), start.u = state.u.tail<7>();
    return start;
  }
};

struct FourBarAssembled : Assembled<models::FourBarWithPlayParts<double>> {
  static constexpr const char *name = "four-bar, from parts", *name_in_joints = "four-bar, joint coordinates";
  static constexpr double seconds = 0.1;
  static constexpr int points = 50;
  static constexpr std::array<double, 9> scale{0.1, 0.1, 1, 0.1, 0.1, 1, 0.1, 0.1, 1};
  static Start draw(Random& random) {
    Start start;
    const FourBarState state = four_bar_state(random);
    draw_four_bar_parameters(start.parameters, random);
    start.q = state.q, start.u = state.u;
    return start;
  }
};

// Gears with backlash under a constant torque of the motor.
struct Gear : Assembled<models::GearDriveParts<double>> {
  static constexpr const char *name = "gear with backlash, from parts",
                              *name_in_joints = "gear with backlash, joint coordinates";
  static constexpr double seconds = 0.1;
  static constexpr int points = 50;
  static constexpr std::array<double, 6> scale{0.1, 0.1, 1, 0.1, 0.1, 1};
  static Start draw(Random& random) {
    Start start;
    auto& gear = start.parameters;
    gear.mesh.law.eps_N = random(0.1, 0.8);
    gear.motor.torque = random(-0.1, 0.1);  // N m
    using InJoints = moreau::Mechanism<Parameters>;
    const InJoints in_joints{gear};
    auto state = models::gear_drive_start(in_joints);
    state.q(InJoints::angle_of<InJoints::pinion>) = random(-4e-3, 4e-3);  // within the backlash of 5e-3 rad
    state.u(InJoints::angle_of<InJoints::pinion>) = random(-5, 5);
    state.u(InJoints::angle_of<InJoints::wheel>) = random(-1, 1);
    const auto bodies = test::in_bodies(in_joints, state);
    start.q = bodies.q, start.u = bodies.u;
    return start;
  }
};

// Parts list in joint coordinates, with steps of first order.
template <class Parts>
struct FirstInJoints : Parts {
  static constexpr bool second_order = false;
};

// The runs of a mechanism from parts, in joint coordinates (m and rad).
template <class M>
struct InJoints {
  using Parameters = typename M::Parameters;
  using First = moreau::Mechanism<FirstInJoints<Parameters>>;
  using Second = moreau::Mechanism<Rule<Parameters>>;
  using Start = Drawn<Parameters, First::dof>;
  static constexpr const char* name = M::name_in_joints;
  static constexpr double seconds = M::seconds;
  static constexpr int points = M::points;
  static constexpr std::array<double, std::size_t(First::dof)> scale = [] {
    std::array<double, std::size_t(First::dof)> ones{};
    for (double& one : ones) one = 1;
    return ones;
  }();
  static Start draw(Random& random) {
    const auto drawn = M::draw(random);
    moreau::State<typename M::First> of_bodies;
    of_bodies.q = drawn.q, of_bodies.u = drawn.u;
    moreau::State<Second> state;
    Second(Rule<Parameters>(drawn.parameters)).set_bodies(typename M::First{}.body_states(of_bodies), state);
    return {drawn.parameters, state.q, state.u};
  }
};

}  // namespace second_order
