// Friction elements, shoes and wedges whose sliding velocity is prescribed by ideal joints (contact/prescribed_sliding.hpp):
// moment of the drive, loads of the joints and dissipated energy agree with the closed forms. In space one or both
// tangential directions are prescribed.
#include <moreau/check/energy_audit.hpp>
#include <moreau/mechanism.hpp>
#include <moreau/moreau.hpp>

#include <algorithm>
#include <cmath>

#include "support/test.hpp"

namespace {

using namespace moreau;
constexpr bool is_double = sizeof(Real) == 8;
// Discretisation error of a load of some ten newtons at 1e-4 s, and rounding errors of velocities over dt in float.
constexpr double load_error = is_double ? 0.02 : 0.05;
const Real dt{1e-4};

double sign(double x) { return x > 0 ? 1 : (x < 0 ? -1 : 0); }

constexpr double crank_radius = 0.05;  // m
constexpr double phi_0 = 0.7;          // rad, crank angle at the start

// Driven crank with a brake of 0.5 N m.
struct BrakedCrank {
  using Real = ::Real;
  enum Names { crank, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(2e-3)}};
  Revolute<Real, ground, crank> bearing;
  Drive<Real, ground, crank, ConstantSpeed<Real>> drive;
  TurningFriction<Real, ground, crank> brake;
  auto parts() const { return std::tie(bearing, drive, brake); }
  BrakedCrank() { brake.bound = Real(0.5); }
};

struct CrankAtSpeed {
  double omega;
  template <class Solver, Timing timing>
  void run() const {
    using Model = Mechanism<BrakedCrank>;
    Model model;
    model.drive.law = ConstantSpeed<Real>(Real(omega));
    State<Model> start;
    start.u(Model::angle_of<Model::crank>) = Real(omega);
    CHECK(close_joints(model, start).status == Status::ok);
    Stepper<Model, Solver, timing> machine{model, start};
    double dissipated = 0, audited_loss = 0, work = 0;
    for (int n = 0; n < 2000; ++n) {
      const auto before = machine.state;
      const auto audited = audited_step(machine, dt);
      CHECK_EQUAL(Status::ok, audited.step.status);
      CHECK_WITHIN(is_double ? 1e-14 : 1e-7, 0, audited.energy.left_over);
      const auto drive = joint_output(machine.model, &Model::drive, before, machine.state);
      CHECK_WITHIN(is_double ? 1e-9 : 2e-3, 0.5 * sign(omega), drive.load.moment);
      CHECK_WITHIN(is_double ? 1e-16 : 1e-11, -0.5 * sign(omega) * double(dt), machine.state.P_F(0, 0));
      dissipated += double(joint_output(machine.model, &Model::brake, before, machine.state).dissipated);
      audited_loss -= double(audited.energy.in_contacts);
      work += double(drive.load.moment) * omega * double(dt);
    }
    const double expected = 0.5 * std::fabs(omega) * 0.2;  // J
    CHECK_WITHIN(is_double ? 1e-10 : 1e-4, expected, dissipated);
    CHECK_WITHIN(is_double ? 1e-10 : 1e-4, expected, audited_loss);
    CHECK_WITHIN(is_double ? 1e-8 : 5e-3, expected, work);
  }
};
void test_braked_crank(void) {
  for (const double omega : {20.0, -20.0}) {
    const CrankAtSpeed crank{omega};
    crank.run<Exact, Timing::variable>();
    crank.run<Lemke, Timing::variable>();
    crank.run<Psor, Timing::variable>();
    crank.run<Newton, Timing::constant>();
    crank.run<Sweeps, Timing::constant>();
  }
}

// A friction element between two bodies that turn together carries nothing.
struct TurningTogether {
  using Real = ::Real;
  enum Names { crank, disc, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(2e-3)}, {Real(0.2), Real(1e-4)}};
  Revolute<Real, ground, crank> bearing{{}, {Real(0.03), Real(0.01)}};
  Weld<Real, crank, disc> weld{{Real(0.1), Real(0.02)}, {Real(-0.05), Real(0.03)}};
  Drive<Real, ground, crank, ConstantSpeed<Real>> drive;
  TurningFriction<Real, crank, disc> clutch;
  auto parts() const { return std::tie(bearing, weld, drive, clutch); }
  TurningTogether() {
    drive.law = ConstantSpeed<Real>(Real(100));
    clutch.bound = Real(1);
  }
};
void test_bodies_that_turn_together(void) {
  using Model = Mechanism<TurningTogether>;
  State<Model> start;
  start.u(Model::angle_of<Model::crank>) = Real(100);
  const Model model;
  CHECK(close_joints(model, start).status == Status::ok);
  Stepper machine{model, start};
  for (int n = 0; n < often(3000); ++n) {
    CHECK(machine.step(dt).status == Status::ok);
    CHECK_EQUAL(Real(0), machine.state.P_F(0, 0));
  }
}

// Driven slider-crank with a seal on the slider.
struct SealedParts {
  using Real = ::Real;
  enum Names { crank, rod, slider, bodies };
  Body<Real> body[bodies] = {{Real(0.4), Real(1e-3)}, {Real(0.2), Real(1e-3)}, {Real(0.5), Real(1e-3)}};
  Revolute<Real, ground, crank> bearing;
  Revolute<Real, crank, rod> crank_pin{{Real(crank_radius), Real(0)}, {Real(-0.1), Real(0)}};
  Revolute<Real, rod, slider> wrist_pin{{Real(0.1), Real(0)}, {}};
  Prismatic<Real, ground, slider> guide;
  Drive<Real, ground, crank, ConstantSpeed<Real>> drive;
  SlidingFriction<Real, ground, slider> seal;
  auto parts() const { return std::tie(bearing, crank_pin, wrist_pin, guide, drive, seal); }
};

void test_seal(void) {
  using Model = Mechanism<SealedParts>;
  for (const double omega : {10.0, -10.0}) {
    Model model;
    model.drive.law = ConstantSpeed<Real>(Real(omega), Real(phi_0));
    State<Model> start;
    start.q(Model::angle_of<Model::crank>) = Real(phi_0);
    start.q(Model::angle_of<Model::rod>) = Real(-0.1);
    start.q(Model::slide_of<Model::slider>) = Real(0.22);
    start.u(Model::angle_of<Model::crank>) = Real(omega);
    CHECK(close_joints(model, start).status == Status::ok);
    Stepper dry{model, start};
    model.seal.bound = Real(8);
    Stepper sealed{model, start};
    const auto torque = [](auto& machine) {
      const auto before = machine.state;
      CHECK(machine.step(dt).status == Status::ok);
      return double(joint_output(machine.model, &Model::drive, before, machine.state).load.moment);
    };
    for (int n = 0; n < 3000; ++n) {
      const double th = phi_0 + omega * (n + 0.5) * double(dt), s = crank_radius * std::sin(th);
      const double dx = -s - s * crank_radius * std::cos(th) / std::sqrt(0.04 - s * s);  // dx / d phi, m
      const double more = torque(sealed) - torque(dry);
      if (std::fabs(s) < crank_radius * 2 * 10 * double(dt)) continue;  // the dead centres
      CHECK_WITHIN(is_double ? 1e-7 : 2e-2, 8 * std::fabs(dx) * sign(omega), more);
      CHECK_WITHIN(is_double ? 1e-12 : 1e-5, -8 * sign(dx * omega), double(sealed.state.P_F(0, 0)) / double(dt));
    }
  }
}

// Shoe on a hinged arm, pressed on a driven drum. `lever` is the distance of the hinge from the line of friction.
struct BrakeParts {
  using Real = ::Real;
  enum Names { drum, arm, bodies };
  Body<Real> body[bodies] = {{Real(3), Real(0.02)}, {Real(1), Real(0.01)}};
  Revolute<Real, ground, drum> axle;
  Drive<Real, ground, drum, ConstantSpeed<Real>> drive;
  Revolute<Real, ground, arm> hinge;
  PointOnLine<Real, arm, drum> shoe;
  Pull<Real, ground, arm> press{{Real(0), Real(-20)}, {Real(0.2), Real(0)}};
  auto parts() const { return std::tie(axle, drive, hinge, shoe, press); }
  BrakeParts() {
    shoe.normal = {Real(0), Real(-1)};
    shoe.radius = Real(0.1);
    shoe.law.mu = Real(0.3);
  }
};
template <class Solver, Timing timing>
void check_brake(double omega, double lever) {
  using Model = Mechanism<BrakeParts>;
  Model model;
  const Real height = Real(0.1) - Real(5e-7);
  model.drive.law = ConstantSpeed<Real>(Real(omega));
  model.hinge.on_A = {Real(-0.3), height + Real(lever)};
  model.hinge.on_B = {Real(-0.3), Real(lever)};
  State<Model> start;
  start.u(Model::angle_of<Model::drum>) = Real(omega);
  Stepper<Model, Solver, timing> machine{model, start};
  const double N = 10 / (0.3 - lever * 0.3 * sign(omega)), T = 0.3 * N * sign(omega);
  for (int n = 0; n < often(1000); ++n) {
    const auto before = machine.state;
    CHECK(machine.step(dt).status == Status::ok);
    if (n < 50) continue;  // transient of the position correction
    CHECK_WITHIN(load_error, N, double(machine.state.P_N(0)) / double(dt));
    CHECK_WITHIN(load_error, T, std::fabs(double(machine.state.P_T(0, 0))) / double(dt) * sign(omega));
    CHECK_WITHIN(load_error, 0.1 * T, joint_output(machine.model, &Model::drive, before, machine.state).load.moment);
  }
}
void test_brake_shoe(void) {
  for (const double omega : {30.0, -30.0})
    for (const double lever : {0.0, 0.05}) {
      check_brake<Exact, Timing::variable>(omega, lever);
      check_brake<Exact, Timing::constant>(omega, lever);
      check_brake<Newton, Timing::constant>(omega, lever);
    }
}

// Prescribed translation of B along x of the world.
template <int B>
struct Feed {
  static constexpr int body_A = ground, body_B = B, bilaterals = 1;
  static constexpr Touches touches(int) { return {true, false, false}; }
  Real speed = Real(0);  // m/s
  JointRow<Real> bilateral(int, const Frame<Real>&, const Frame<Real>& frame_B, Real t) const {
    return {{}, {{Real(1), Real(0)}, Real(0)}, -speed, frame_B.r.x - speed * t};
  }
};
// Driven wedge under a follower, like the flank of a worm.
struct WedgeParts {
  using Real = ::Real;
  enum Names { wedge, follower, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.01)}, {Real(2), Real(0.01)}};
  Feed<wedge> feed;
  Prismatic<Real, ground, wedge> bed;
  Prismatic<Real, ground, follower> guide;
  PointOnLine<Real, wedge, follower> flank;
  Gravity<Real> gravity;
  auto parts() const { return std::tie(feed, bed, guide, flank, gravity); }
  WedgeParts() {
    guide.axis = {Real(0), Real(1)};
    flank.law.mu = Real(0.2);
  }
};
template <class Solver, Timing timing>
void check_wedge(double speed) {
  using Model = Mechanism<WedgeParts>;
  constexpr double lead = 0.1, weight = 2 * 9.81;  // rad, N
  const double c = std::cos(lead), s = std::sin(lead);
  Model model;
  model.feed.speed = Real(speed);
  model.flank.normal = {Real(-s), Real(c)};
  State<Model> start;
  start.q(Model::slide_of<Model::follower>) = Real(-5e-7);
  start.u(Model::slide_of<Model::wedge>) = Real(speed);
  start.u(Model::slide_of<Model::follower>) = Real(-speed * s / c);
  Stepper<Model, Solver, timing> machine{model, start};
  const double N = weight / (c + 0.2 * sign(speed) * s), feed = N * (0.2 * sign(speed) * c - s);
  for (int n = 0; n < often(1000); ++n) {
    const auto before = machine.state;
    CHECK(machine.step(dt).status == Status::ok);
    if (n < 50) continue;  // transient of the position correction
    CHECK_WITHIN(load_error, N, double(machine.state.P_N(0)) / double(dt));
    CHECK_WITHIN(load_error, feed, joint_output(machine.model, &Model::feed, before, machine.state).load.force.x);
  }
}
void test_wedge(void) {
  for (const double speed : {0.2, -0.2}) {
    check_wedge<Exact, Timing::variable>(speed);
    check_wedge<Exact, Timing::constant>(speed);
    check_wedge<Newton, Timing::constant>(speed);
  }
}

// Block on the ground in space. Ideal joints prescribe its velocity along x and, with two joints, along y. With
// `element` a spatial friction element replaces the contact.
template <int joints, bool element>
struct Block {
  using Real = ::Real;
  static constexpr int dof = 3, bilaterals = joints, tangents = element ? 1 : 2, contacts = element ? 0 : 1;
  static constexpr int frictions = element ? 1 : 0, friction_dim = 2;
  using Q = Vector<Real, 3>;
  Real m = Real(2), mu = Real(0.4), v[2] = {Real(0.3), Real(-0.4)};

  Matrix<Real, 3, 3> mass(const Q&, Real) const { return m * Matrix<Real, 3, 3>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return {Real(0), Real(0), element ? Real(0) : -m * Real(10)}; }
  Real gap(int, const Q& q, Real) const { return q(2); }
  Directions<Real, 3, tangents> directions(int, const Q&, Real) const {
    Directions<Real, 3, tangents> d;
    d.w_N(2) = Real(1);
    for (int t = 0; t < tangents; ++t) d.w_T(t, t) = Real(1);
    return d;
  }
  ContactLaw<Real> law(int) const { return {Real(0), Real(0), mu}; }
  FrictionDirections<Real, 3, 2> friction_directions(int, const Q&, Real) const {
    FrictionDirections<Real, 3, 2> d;
    d.w(0, 0) = d.w(1, 1) = Real(1);
    return d;
  }
  Real friction_bound(int, const Q&, Real) const { return mu * m * Real(10); }
  Bilateral<Real, 3> bilateral(int j, const Q& q, Real t) const {
    Bilateral<Real, 3> row;
    row.w(j) = Real(1);
    row.zeta = -v[j];
    row.g = q(j) - v[j] * t;
    return row;
  }
};
template <class Model, class Solver, Timing timing>
void check_block(Real v_x, Real v_y) {
  Model model;
  model.v[0] = v_x;
  model.v[1] = v_y;
  State<Model> start;
  start.u << v_x, v_y, Real(0);
  Stepper<Model, Solver, timing> machine{model, start};
  const double limit = 0.4 * 2 * 10 * double(dt);
  for (int n = 0; n < often(2000); ++n) {
    CHECK(machine.step(dt).status == Status::ok);
    const double x = double(machine.state.u(0)), y = double(machine.state.u(1)), speed = std::hypot(x, y);
    double P[2];
    for (int t = 0; t < 2; ++t) {
      if constexpr (Model::contacts > 0)
        P[t] = double(machine.state.P_T(t, 0));
      else
        P[t] = double(machine.state.P_F(t, 0));
      if (t < Model::bilaterals) CHECK_WITHIN(1e-6 * limit, -P[t], double(machine.state.P_B(t)));
    }
    const double tolerance = (is_double ? 1e-8 : 1e-3) * limit;
    CHECK_WITHIN(tolerance, speed > 0 ? -limit * x / speed : 0, P[0]);
    CHECK_WITHIN(tolerance, speed > 0 ? -limit * y / speed : 0, P[1]);
  }
}
template <class Model>
void check_blocks(Real v_x, Real v_y) {
  check_block<Model, Psor, Timing::variable>(v_x, v_y);
  check_block<Model, Newton, Timing::variable>(v_x, v_y);
  check_block<Model, Sweeps, Timing::constant>(v_x, v_y);
}
void test_block_in_space(void) {
  check_blocks<Block<2, false>>(Real(0.3), Real(-0.4));
  check_blocks<Block<2, false>>(Real(0), Real(0));
  check_blocks<Block<1, false>>(Real(0.3), Real(-0.4));
  check_blocks<Block<1, false>>(Real(-0.3), Real(0));
  check_blocks<Block<2, true>>(Real(0.3), Real(-0.4));
  check_blocks<Block<2, true>>(Real(0), Real(0));
  check_blocks<Block<1, true>>(Real(0.3), Real(-0.4));
}

}  // namespace

TEST_MAIN({
  TEST(test_braked_crank);
  TEST(test_bodies_that_turn_together);
  TEST(test_seal);
  TEST(test_brake_shoe);
  TEST(test_wedge);
  TEST(test_block_in_space);
})
