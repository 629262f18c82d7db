// Motion in joint coordinates: energy, agreement with coordinates of the bodies, both timing modes, drives, loops, and
// poses by the names of the bodies. The order of the steps is tested in smooth_motion.cpp.
#include <algorithm>
#include <cmath>
#include <moreau/check/model_checker.hpp>
#include <moreau/mechanism.hpp>

#include "models/four_bar.hpp"
#include "models/slider_crank_parts.hpp"
#include "support/fork.hpp"
#include "support/joint_coordinates.hpp"
#include "support/second_order.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau;
using test::Fork;
constexpr bool is_double = sizeof(Real) == 8;
constexpr Real rounding = is_double ? Real(1e-12) : Real(2e-5);

template <class Model>
double kinetic_energy(const Model& model, const State<Model>& state) {
  const auto M = model.mass(model.at(state.q, state.time()));
  double energy = 0;
  for (int i = 0; i < Model::dof; ++i)
    for (int j = 0; j < Model::dof; ++j) energy += double(state.u[i] * M(i, j) * state.u[j]) / 2;
  return energy;
}

template <class Model>
State<Model> after(const Model& model, const State<Model>& start, double time, double dt) {
  Stepper<Model> machine{model, start};
  for (int n = 0; n < int(time / dt + 0.5); ++n) CHECK_EQUAL(Status::ok, machine.step(Real(dt)).status);
  return machine.state;
}

// Crank and rod of the slider-crank, without slider.
struct TwoLinks {
  using Real = ::Real;
  enum Names { crank, rod, bodies };
  Body<Real> body[bodies] = {{Real(0.038), Real(7.4e-5)}, {Real(0.038), Real(5.9e-4)}};
  Revolute<Real, ground, crank> bearing{{}, {Real(-0.0765), Real(0)}};
  Revolute<Real, crank, rod> pin{{Real(0.0765), Real(0)}, {Real(-0.153), Real(0)}};
  auto parts() const { return std::tie(bearing, pin); }
};

void test_energy_of_free_links(void) {
  using Model = Mechanism<TwoLinks>;
  const Model model;
  State<Model> start;
  start.q(Model::angle_of<Model::crank>) = Real(0.3), start.q(Model::angle_of<Model::rod>) = Real(0.9);
  start.u(Model::angle_of<Model::crank>) = Real(150), start.u(Model::angle_of<Model::rod>) = Real(-75);
  Stepper<Model> machine{model, start};
  const double before = kinetic_energy(model, start);
  double worst = 0;
  for (int n = 0; n < 20000; ++n) {
    CHECK(machine.step(Real(1e-4)).advanced());
    worst = std::max(worst, std::abs(kinetic_energy(model, machine.state) / before - 1));
  }
  moreau::port::print("two links, 2 s at 1e-4 s: largest deviation of the energy ", worst);
  CHECK(worst < 8e-4);  // 9.3e-5 in double
}

// Crank, rod and slider with clearance, at the same start in both coordinates.
struct CrankStart {
  using Parts = models::SliderCrankParts<Real>;
  Mechanism<Parts> tree;
  State<Mechanism<Parts>> state;
  State<test::BodiesOf<Parts>> bodies;
  explicit CrankStart(Real eps_N = Real(0.4)) {
    models::SliderCrank<Real> hand;
    hand.eps_N = eps_N;
    tree = Parts(hand);
    state = models::from_angles(hand, hand.start_tilted().q, hand.start_tilted().u);
    bodies = test::in_bodies(tree, state);
  }
};

void test_agreement_with_coordinates_of_the_bodies(void) {
  if (!is_double) return;
  const CrankStart start;
  using Bodies = Mechanism<test::Second<test::InBodies<CrankStart::Parts>>>;
  const double dt = 1e-6;
  Bodies model;
  State<Bodies> of_bodies;
  static_cast<CrankStart::Parts&>(model) = start.tree;
  model.set_bodies(start.tree.body_states(start.state), of_bodies);
  const auto bodies = after(model, of_bodies, 0.02, dt);
  const auto tree = after(start.tree, start.state, 0.02, dt);
  double difference = 0;
  for (int b = 0; b < 3; ++b) difference = std::max(difference, std::abs(double(bodies.q(3 * b + 2) - tree.q[b])));
  moreau::port::print("slider-crank with impacts: difference ", difference, " rad");
  CHECK(difference < 1e-5);
}

template <class Model>
void check_both_timing_modes(const Model& model, const State<Model>& start, Real dt, int steps) {
  Stepper<Model> variable{model, start};
  Stepper<Model, Exact, Timing::constant> constant{model, start};
  int contacts = 0, fallbacks = 0;
  for (int n = 0; n < steps; ++n) {
    const auto one = variable.step(dt), other = constant.step(dt);
    CHECK(one.advanced() && other.advanced());
    contacts += one.active, fallbacks += other.fallbacks;
    for (int j = 0; j < Model::dof; ++j) {
      CHECK(variable.state.q[j] == constant.state.q[j]);
      CHECK(variable.state.u[j] == constant.state.u[j]);
    }
  }
  CHECK(contacts > steps / 10);
  CHECK_EQUAL(0, fallbacks);
}

void test_both_timing_modes_are_bit_identical(void) {
  const CrankStart start;
  check_both_timing_modes(start.tree, start.state, Real(1e-5), 10000);
}

// A crank at rest on two corners of the slider: friction holds it.
void test_rest_is_exact(void) {
  CrankStart start(Real(0));
  start.tree.guide.law = {Real(0), Real(0), Real(1)};
  start.state.u.setZero();
  Stepper<Mechanism<CrankStart::Parts>> machine{start.tree, start.state};
  machine.model.gravity.g = {Real(0), Real(-9.81)};
  for (int n = 0; n < 40000; ++n) CHECK(machine.step(Real(1e-4)).advanced());
  const auto rest = machine.state;
  for (int n = 0; n < 1000; ++n) CHECK(machine.step(Real(1e-4)).advanced());
  for (int j = 0; j < 3; ++j) CHECK(machine.state.q[j] == rest.q[j]);
}

// A slider that a ram moves along a rotating arm, which a drive turns.
struct RamOnArm {
  using Real = ::Real;
  enum Names { arm, slider, bodies };
  static constexpr bool endless = true;
  Body<Real> body[bodies] = {{Real(0.5), Real(4e-3)}, {Real(0.2), Real(1e-4)}};
  Revolute<Real, ground, arm> pin;
  Prismatic<Real, arm, slider> rail{{Real(0.1), Real(0.05)}, {Real(0.6), Real(0.8)}, {Real(0.02), Real(0)}};
  Drive<Real, ground, arm, ConstantSpeed<Real>> drive{ConstantSpeed<Real>(Real(20))};
  LinearDrive<Real, arm, slider> ram{{Real(0.1), Real(0.05)}, {Real(0.6), Real(0.8)}, {Real(0.02), Real(0)}};
  Gravity<Real> gravity;
  auto parts() const { return std::tie(drive, pin, rail, ram, gravity); }
  RamOnArm() {
    ram.law.speed = Real(0.5);
    ram.law.acceleration = Real(5);
  }
};

void test_drives_in_joint_coordinates(void) {
  using Model = Mechanism<RamOnArm>;
  static_assert(Model::dof == 2 && Model::bilaterals == 2);
  constexpr auto angle = Model::angle_of<RamOnArm::arm>, slide = Model::slide_of<RamOnArm::slider>;
  static_assert(Model::angle_of<RamOnArm::slider> == angle && Model::angle_index(RamOnArm::slider) == angle);
  State<Model> start;
  start.u(angle) = Real(20);
  Stepper<Model> machine{Model{}, start};
  const Real dt = Real(1e-3);
  for (int n = 0; n < 400; ++n) CHECK_EQUAL(Status::ok, machine.step(dt).status);
  CHECK_WITHIN(rounding * 20, 20, machine.state.u(angle));
  CHECK_WITHIN(rounding, 0.5, machine.state.u(slide));
  CHECK_WITHIN(rounding * 100, 0.5 * 0.4 - 0.5 * 0.1 / 2, machine.state.q(slide));  // 0.1 s of acceleration
  CHECK_WITHIN(rounding * 100, wrap_angle(Real(8)), machine.state.q(angle));

  // part_of() returns the drive of a row.
  const PartOf owner = part_of(machine.model, Cause::bilateral, 1);
  CHECK_EQUAL(3, owner.part);
  CHECK_EQUAL(int(RamOnArm::slider), owner.body_B);
}

// A body welded to a slider that is welded to the ground: angles are fixed, and poses are those of the joints.
struct WeldedChain {
  using Real = ::Real;
  enum Names { base, carriage, arm, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.1)}, {Real(1), Real(0.1)}, {Real(1), Real(0.1)}};
  Weld<Real, ground, base> foot{{Real(1), Real(0)}, {Real(0), Real(0)}, {Real(0), Real(1)}};
  Prismatic<Real, base, carriage> rail{{}, {Real(1), Real(0)}, {}};
  Weld<Real, arm, carriage> elbow{{Real(0.5), Real(0)}, {}, {Real(0.6), Real(0.8)}};
  auto parts() const { return std::tie(elbow, rail, foot); }
};

void test_poses_by_name(void) {
  using Model = Mechanism<WeldedChain>;
  static_assert(Model::dof == 1 && Model::bilaterals == 0);
  const Model model;
  State<Model> state;
  constexpr auto slide = Model::slide_of<WeldedChain::carriage>;
  state.q(slide) = Real(0.3), state.u(slide) = Real(2);
  const auto carriage = model.body_state(state, WeldedChain::carriage), arm = model.body_state(state, WeldedChain::arm);
  CHECK_WITHIN(rounding, 1, carriage.frame.r.x);
  CHECK_WITHIN(rounding, 0.3, carriage.frame.r.y);
  CHECK_WITHIN(rounding, pi<double> / 2, carriage.frame.phi);
  CHECK_WITHIN(rounding, 2, carriage.v.y);
  CHECK_WITHIN(rounding, 0.64350110879328439, arm.frame.phi);  // acos(0.8)
  CHECK_WITHIN(rounding, 0.6, moreau::sin(arm.frame.phi));
  CHECK_WITHIN(rounding, 1 - 0.5 * 0.8, arm.frame.r.x);
  CHECK_WITHIN(rounding, 0.3 - 0.5 * 0.6, arm.frame.r.y);
  CHECK_EQUAL(Real(0), model.body_state(state, 7).frame.r.x);

  // The same state from the poses.
  std::array<BodyState<Real>, 3> bodies;
  for (int b = 0; b < 3; ++b) bodies[std::size_t(b)] = model.body_state(state, b);
  State<Model> again;
  model.set_bodies(bodies, again);
  CHECK_WITHIN(rounding, 0.3, again.q(slide));
  CHECK_WITHIN(rounding, 2, again.u(slide));
}

// Loads of the pins and of the guide in the first contacts of the slider, in both coordinates.
void test_loads_of_joints(void) {
  if (!is_double) return;
  using Parts = CrankStart::Parts;
  const CrankStart start;
  Stepper<test::BodiesOf<Parts>> bodies{test::in_bodies(start.tree), start.bodies};
  Stepper<Mechanism<Parts>> tree{start.tree, start.state};
  double largest = 0, worst = 0;
  bool contact = false;
  for (int n = 0; n < 8000; ++n) {
    const auto bodies_before = bodies.state;
    const auto tree_before = tree.state;
    CHECK(bodies.step(Real(1e-6)).advanced() && tree.step(Real(1e-6)).advanced());
    const auto compare = [&](auto part) {
      const auto one = joint_output(bodies.model, part, bodies_before, bodies.state);
      const auto other = joint_output(tree.model, part, tree_before, tree.state);
      const Point<Real> error = other.load.force - one.load.force;
      if (one.closed != 0 || other.closed != 0) contact = true;
      if (contact) return;
      largest = std::max(largest, std::hypot(double(one.load.force.x), double(one.load.force.y)));
      worst = std::max(worst, std::hypot(double(error.x), double(error.y)));
    };
    compare(&Parts::bearing), compare(&Parts::crank_pin), compare(&Parts::wrist_pin), compare(&Parts::guide);
  }
  moreau::port::print("loads up to ", largest, " N before the first contact, difference ", worst);
  CHECK(contact);
  CHECK(worst < 5e-4 * largest);  // the loads of the bodies are of first order
}

// The load of a hinge at rest is the weight beyond it, and a weld carries its moment.
void test_loads_at_rest(void) {
  using Model = Mechanism<Fork>;
  Model model;
  State<Model> state;
  state.q.setConstant(-pi<Real> / Real(2));
  model.right_pin.on_A.y = Real(0);
  model.left_pin.on_B = {Real(0.1), Real(0)};
  Stepper<Model> machine{model, state};
  CHECK(machine.step(Real(1e-3)).advanced());
  const auto pin = joint_output(model, &Fork::pin, state, machine.state);
  CHECK_WITHIN(rounding * 100, 0.8 * 9.81, pin.load.force.y);
  const auto left = joint_output(model, &Fork::left_pin, state, machine.state);
  CHECK_WITHIN(rounding * 100, -0.3 * 9.81, left.load.force.y);  // on `arm`, body_B of this pin
  const auto weld = joint_output(model, &Fork::weld, state, machine.state);
  CHECK_WITHIN(rounding * 100, 0.1 * 9.81, weld.load.force.y);
  CHECK_WITHIN(rounding, 0, weld.load.moment);
}

// Pins in centres of mass: a hub that carries a link, a pendulum whose pin is in the centre of its parent, and a disc.
// `AtCentre` selects the type that declares it.
template <class Real, int A, int B>
using Declared = typename Revolute<Real, A, B>::AtCentre;
template <template <class, int, int> class AtCentre>
struct Wheels {
  using Real = ::Real;
  static constexpr bool joint_coordinates = true, second_order = true;
  enum Names { disc, pendulum, hub, link, arm, bodies };
  Body<Real> body[bodies] = {{Real(0.2), Real(2e-4)},
                             {Real(0.1), Real(1e-5)},
                             {Real(0.3), Real(1e-3)},
                             {Real(0.2), Real(7e-4)},
                             {Real(0.2), Real(7e-4)}};
  Revolute<Real, ground, arm> bearing{{}, {Real(-0.1), Real(0.02)}};
  AtCentre<Real, arm, hub> shaft{{Real(0.1), Real(0.01)}};
  AtCentre<Real, pendulum, hub> hinge{{Real(0), Real(0.05)}};
  Revolute<Real, hub, link> pin{{Real(0.05), Real(0.03)}, {Real(-0.1), Real(0)}};
  AtCentre<Real, link, disc> wheel{{Real(0.1), Real(0)}};
  RevoluteClearance<Real, ground, disc> hole{{Real(0.25), Real(0.06)}, {Real(0.01), Real(0)}, Real(0.02), Real(0.01)};
  Gravity<Real> gravity;
  auto parts() const { return std::tie(bearing, shaft, hinge, pin, wheel, hole, gravity); }
};

void test_pins_in_centres_of_mass(void) {
  using Model = Mechanism<Wheels<Declared>>;
  using Plain = Mechanism<Wheels<Revolute>>;
  using Names = Wheels<Declared>;
  static_assert(Plain::mass_pattern(Plain::angle_index(Names::link), Plain::angle_index(Names::disc)));
  static_assert(!Model::mass_pattern(Model::angle_index(Names::link), Model::angle_index(Names::disc)));
  static_assert(Model::mass_pattern(Model::angle_index(Names::arm), Model::angle_index(Names::hub)));
  Model model;
  CHECK(model.hinge.valid());
  State<Model> start;
  State<Plain> same;
  for (int j = 0; j < Model::dof; ++j)
    start.q[j] = same.q[j] = Real(0.05) * Real(j), start.u[j] = same.u[j] = Real(3 - j);
  Stepper<Model> machine{model, start};
  Stepper<Plain> plain{Plain{}, same};
  int contacts = 0;
  for (int n = 0; n < 1000; ++n) {
    const auto before = machine.state;
    const auto plain_before = plain.state;
    contacts += machine.step(Real(2e-4)).active;
    CHECK(plain.step(Real(2e-4)).advanced());
    for (int j = 0; j < Model::dof; ++j) CHECK(machine.state.q[j] == plain.state.q[j]);
    const auto one = joint_output(machine.model, &Names::hinge, before, machine.state);
    const auto other = joint_output(plain.model, &Wheels<Revolute>::hinge, plain_before, plain.state);
    CHECK(one.load.force.x == other.load.force.x && one.load.force.y == other.load.force.y);
  }
  CHECK(contacts > 10);
}

// A disc whose centre orbits on the wall of its hole, 0.1 rad per step: the position correction uses a gap that is
// extrapolated from the midpoint. Without the bias acceleration, its error would be play (dt omega)^2 / 8 = 1.25e-5 m.
struct Orbit {
  using Real = ::Real;
  static constexpr bool joint_coordinates = true, second_order = true;
  static constexpr Real allowed_penetration_per_play{1e-5};
  enum Names { disc, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.1)}};
  RevoluteClearance<Real, ground, disc> hole{{}, {}, Real(0.01), Real(0)};
  auto parts() const { return std::tie(hole); }
};

void test_extrapolated_gap_on_a_curve(void) {
  using Model = Mechanism<Orbit>;
  State<Model> start;
  start.q(0) = Real(0.01);
  start.u(1) = Real(1);
  Stepper<Model> machine{Model{}, start};
  Real largest = 0;
  for (int n = 0; n < 1000; ++n) {
    CHECK_EQUAL(1, machine.step(Real(1e-3)).active);
    const Real gap = machine.model.gap(0, machine.model.at(machine.state.q, Real(0)));
    largest = std::max(largest, detail::absolute(gap));
  }
  moreau::port::print("orbit in a hole: largest gap ", largest, " m");
  CHECK(largest < Real(1e-6));  // play (dt omega)^3 / 48 = 2.1e-7 and less
}

// check_model and check_start accept the model.
void test_checks_accept_the_model(void) {
  const CrankStart start;
  const auto report = check_model(start.tree, start.state.q, start.state.u, Real(0));
  if (!report.ok()) moreau::port::print("check_model: ", name(report.worst().member));
  CHECK(report.ok());
}

}  // namespace

TEST_MAIN(TEST(test_energy_of_free_links) TEST(test_agreement_with_coordinates_of_the_bodies)
              TEST(test_both_timing_modes_are_bit_identical) TEST(test_rest_is_exact)
                  TEST(test_drives_in_joint_coordinates) TEST(test_poses_by_name) TEST(test_loads_of_joints)
                      TEST(test_loads_at_rest) TEST(test_pins_in_centres_of_mass) TEST(test_extrapolated_gap_on_a_curve)
                          TEST(test_checks_accept_the_model))
