// Joint coordinates in space against the coordinates of the bodies: equations of a tree with all joints, motion of a
// chain, poses by name, loads, and drives in a closed loop.
#include <algorithm>
#include <array>
#include <cmath>
#include <moreau/check/model_checker.hpp>
#include <moreau/spatial.hpp>

#include "support/bits_hash.hpp"
#include "support/joint_coordinates.hpp"
#include "support/spatial_machines.hpp"
#include "support/test.hpp"

namespace {

namespace sp = moreau::spatial;
using moreau::ground, moreau::Vector, moreau::Matrix, moreau::State;
using Point = sp::Point<Real>;
constexpr bool is_double = sizeof(Real) == 8;

// Error bound relative to 1 plus the largest term.
constexpr double rounding = is_double ? 1e-12 : 5e-4;

// All joints: a Universal and a Spherical on the path, a Planar whose body is body_A, branches, a free root, a loop.
struct Tree {
  using Real = ::Real;
  enum Names { crank, cross, rod, piston, plate, ram, cap, block, wheel, mast, bodies };
  static constexpr bool joint_coordinates = true;
  sp::Body<Real> body[bodies];
  sp::Spherical<Real, piston, plate> loop;
  sp::Revolute<Real, ground, crank> bearing;
  sp::Universal<Real, crank, cross> gimbal;
  sp::Spherical<Real, cross, rod> ball;
  sp::Cylindrical<Real, rod, piston> sleeve;
  sp::Planar<Real, plate, cross> slab;
  sp::Universal<Real, mast, ground> pivot;
  sp::Prismatic<Real, rod, ram> rail;
  sp::Weld<Real, piston, cap> weld;
  sp::Revolute<Real, wheel, block> axle;
  sp::SphericalClearance<Real, cap, wheel> socket{{}, {}, Real(4), Real(0.1), {}};
  sp::BallOnPlane<Real, plate, ram> contact;
  sp::TurningFriction<Real, crank, cap> brake;
  sp::SlidingFriction<Real, wheel, plate> seal;
  sp::Spring<Real, piston, wheel> spring;
  sp::Motor<Real, cross, ram> motor;
  sp::Gravity<Real> gravity{{1, -2, 3}};
  auto parts() const {
    return std::tie(loop, bearing, gimbal, ball, sleeve, slab, pivot, rail, weld, axle, socket, contact, brake, seal,
                    spring, motor, gravity);
  }
};
using Model = moreau::Mechanism<Tree>;
using Full = test::BodiesOf<Tree>;
using K = sp::detail::SpatialKinematics<Tree>;
using Q = Vector<Real, Model::dof>;
using QFull = Vector<Real, Full::dof>;
static_assert(Model::dof == 1 + 2 + 3 + 2 + 3 + 1 + 0 + 6 + 1 + 2 && Model::bilaterals == 3);

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(0x9e3779b97f4a7c15u + seed) {}
  Real between(double low, double high) { return random_.between(Real(low), Real(high)); }
  Point point() { return {between(-1, 1), between(-1, 1), between(-1, 1)}; }
  Point unit() {
    const Point p = point();
    return 1 / moreau::sqrt(dot(p, p)) * p;
  }

 private:
  test::Random random_;
};
template <class Joint>
void fill(Joint& joint, Draw& draw) {
  joint.on_A = draw.point(), joint.on_B = draw.point();
}
template <class Joint>
void fill_axes(Joint& joint, Draw& draw) {
  fill(joint, draw);
  joint.axis_A = draw.unit(), joint.axis_B = draw.unit();
}
template <class Joint>
void fill_normals(Joint& joint, Draw& draw) {
  fill_axes(joint, draw);
  joint.normal_A = sp::across(joint.axis_A), joint.normal_B = sp::across(joint.axis_B);
}
Tree random_list(Draw& draw) {
  Tree list;
  for (auto& b : list.body)
    b = {draw.between(0.5, 2), {draw.between(0.3, 0.4), draw.between(0.3, 0.5), draw.between(0.4, 0.5)}};
  fill(list.loop, draw), fill_axes(list.bearing, draw), fill_axes(list.gimbal, draw), fill(list.ball, draw);
  fill_axes(list.sleeve, draw), fill_axes(list.slab, draw), fill_axes(list.pivot, draw), fill_normals(list.rail, draw);
  fill_normals(list.weld, draw), fill_axes(list.axle, draw), fill(list.socket, draw);
  list.contact.on_A = draw.point(), list.contact.normal = draw.unit(), list.contact.on_B = draw.point();
  list.contact.radius = Real(0.1);
  list.brake.axis = draw.unit(), list.seal.axis = draw.unit(), list.seal.on_B = draw.point();
  fill(list.spring, draw), list.spring.stiffness = 1, list.spring.damping = Real(0.3);
  list.motor.axis_A = draw.unit(), list.motor.torque = 1, list.motor.damping = Real(0.2);
  return list;
}

double worst = 0;  // largest observed error
void compare(double expected, double actual, double scale) {
  worst = std::max(worst, std::abs(expected - actual) / (1 + scale));
  CHECK_WITHIN(rounding * (1 + scale), expected, actual);
}

template <class V, class W>
double product(const V& a, const W& b, double& scale) {
  double sum = 0;
  for (int i = 0; i < int(a.size()); ++i) {
    const double term = double(a[i]) * double(b[i]);
    sum += term, scale += std::abs(term);
  }
  return sum;
}

// One random list, and a random state in both coordinates.
struct Case {
  Draw draw;
  const Tree list = random_list(draw);
  const Model model{list};
  const Full full{test::InBodies<Tree>(list)};
  State<Model> state;
  State<Full> same;

  explicit Case(unsigned seed) : draw(seed) {
    for (int j = 0; j < Model::dof; ++j) state.q[j] = draw.between(-0.8, 0.8), state.u[j] = draw.between(-1, 1);
    for (int b = 0; b < Tree::bodies; ++b) {
      const auto pose = model.pose(state, b);
      const auto body = model.body_state(state, b);
      full.place(same, b, pose.r, pose.q);
      full.move(same, b, body.v, body.omega);
    }
  }
  QFull velocities(const Q& u) const {
    const auto states = model.body_states(state.q, u, Real(0));
    QFull v;
    for (int b = 0; b < Tree::bodies; ++b) {
      const auto& s = states[std::size_t(b)];
      const Point W = s.frame.turn_back(s.omega);
      v.template segment<6>(6 * b) << s.v.x, s.v.y, s.v.z, W.x, W.y, W.z;
    }
    return v;
  }
  Matrix<Real, Full::dof, Model::dof> jacobian() const {
    Matrix<Real, Full::dof, Model::dof> J;
    for (int j = 0; j < Model::dof; ++j) {
      Q unit = Q::Zero();
      unit(j) = 1;
      J.col(j) = velocities(unit);
    }
    return J;
  }
  // Accelerations in the motion without forces: of the tree less those of free bodies, along the axes of the bodies.
  QFull joint_accelerations() const {
    const auto a = model.at(state.q, Real(0));
    const auto free = full.body_states(same), tied = model.body_states(state);
    QFull d;
    K::each<Tree::bodies>([&](auto b) {
      const Point v = K::acceleration<b>(a, state.u);
      const Point W = tied[b].frame.turn_back(tied[b].alpha - free[b].alpha);
      d.template segment<6>(6 * b) << v.x, v.y, v.z, W.x, W.y, W.z;
    });
    return d;
  }
};

template <class J, class V>
void compare_projection(const J& jacobian, const V& in_bodies, int j, Real actual) {
  double scale = 0;
  const double expected = product(jacobian.col(j), in_bodies, scale);
  compare(expected, double(actual), scale);
}

void test_equations(void) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Case c(seed);
    const auto a = c.model.at(c.state.q, Real(0));
    const auto x = c.full.at(c.same.q, Real(0));
    const auto J = c.jacobian();
    const QFull extra = c.joint_accelerations();

    // Mass matrix and forces.
    const auto M = c.model.mass(a);
    const auto M_b = c.full.mass(x);
    const Q h = c.model.force(a, c.state.u);
    const QFull F = c.full.force(x, c.same.u) - M_b * extra;
    for (int j = 0; j < Model::dof; ++j) {
      compare_projection(J, F, j, h(j));
      for (int i = 0; i < Model::dof; ++i) {
        compare_projection(J, QFull(M_b * J.col(i)), j, M(j, i));
        CHECK(Model::mass_pattern(i, j) || M(i, j) == 0);
      }
    }

    // Rows of the loop, contacts and friction.
    const auto compare_row = [&](const QFull& w, const Q& row, double bias, double bias_of_tree) {
      double scale = std::abs(bias);
      for (int j = 0; j < Model::dof; ++j) compare_projection(J, w, j, row(j));
      compare(bias + product(w, extra, scale), bias_of_tree, scale);
    };
    for (int k = 0; k < 3; ++k) {
      const auto row = c.model.bilateral(k, a);
      const auto of_bodies = c.full.bilateral(k, x);
      compare_row(of_bodies.w, row.w, c.full.bias_acceleration(k, x, c.same.u),
                  c.model.bias_acceleration(k, a, c.state.u));
      compare(of_bodies.g, row.g, 10);
    }
    for (int i = 0; i < 2; ++i) {
      const auto d = c.model.directions(i, a);
      const auto of_bodies = c.full.directions(i, x);
      const auto bias = c.model.contact_bias_acceleration(i, a, c.state.u);
      const auto bias_of_bodies = c.full.contact_bias_acceleration(i, x, c.same.u);
      compare(c.full.gap(i, x), c.model.gap(i, a), 10);
      compare_row(of_bodies.w_N, d.w_N, bias_of_bodies.N, bias.N);
      for (int t = 0; t < 2; ++t) compare_row(of_bodies.w_T.col(t), d.w_T.col(t), bias_of_bodies.T(t), bias.T(t));
      for (int j = 0; j < Model::dof; ++j) CHECK(Model::direction_pattern(i, 0, j) || d.w_N(j) == 0);
    }
    for (int i = 0; i < 2; ++i)
      compare_row(c.full.friction_directions(i, x).w, c.model.friction_directions(i, a).w,
                  c.full.friction_bias_acceleration(i, x, c.same.u),
                  c.model.friction_bias_acceleration(i, a, c.state.u));
  }
  moreau::port::print("equations: largest error ", worst, "\n");
}

// The joints of the tree hold, and differences of poses and velocities along the motion without forces are velocities and
// accelerations.
void test_motion_along_the_joints(void) {
  const Real h = Real(is_double ? 1e-4 : 5e-3);
  const double error = is_double ? 1e-6 : 2e-2;  // h^2 times third derivatives, and rounding / h
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Case c(seed);
    const auto x = c.full.at(c.same.q, Real(0));
    for (int row = 3; row < Full::bilaterals; ++row) {  // the loop is open
      const auto of_bodies = c.full.bilateral(row, x);
      double scale = 0;
      compare(0, of_bodies.g, 10);
      compare(0, product(of_bodies.w, c.same.u, scale), scale);
    }
    Q q[2] = {c.state.q, c.state.q}, u[2] = {c.state.u, c.state.u};
    c.model.drift(q[0], u[0], -h), c.model.drift(q[1], u[1], h);
    const auto before = c.model.body_states(q[0], u[0], Real(0)), after = c.model.body_states(q[1], u[1], Real(0));
    const auto now = c.model.body_states(c.state);
    const auto a = c.model.at(c.state.q, Real(0));
    K::each<Tree::bodies>([&](auto b) {
      const auto same = [&](Point from, Point to, Point rate) {
        const Point found = 1 / (2 * h) * (to - from), off = found - rate;
        CHECK_WITHIN(error * double(1 + dot(rate, rate)), 0, double(dot(off, off)));
      };
      const sp::BodyState<Real>&l = before[b], &r = after[b], &body = now[b];
      same(l.frame.r, r.frame.r, body.v);
      same(l.frame.x, r.frame.x, cross(body.omega, body.frame.x));
      same(l.frame.y, r.frame.y, cross(body.omega, body.frame.y));
      same(l.v, r.v, K::acceleration<b>(a, c.state.u));
      same(l.omega, r.omega, body.alpha);
    });
  }
}

// Functions of the model against differences along displaced(), with the loop closed.
void test_model_checker_reports_no_error(void) {
  const Case c(1);
  Model model = c.model;
  State<Model> state = c.state;
  const auto frame = [&](int b) { return model.body_state(c.state, b).frame; };
  model.loop.on_B = frame(Tree::plate).local(frame(Tree::piston).world(model.loop.on_A));
  for (int j = 0; j < Model::dof; ++j) state.q[j] += Real(0.02) * Real(j % 3 - 1);
  CHECK(moreau::close_joints(model, state).status == moreau::Status::ok);
  moreau::CheckOptions<Real> options;
  options.step_q = Real(is_double ? 1e-3 : 2e-2);
  options.step_t = Real(is_double ? 1e-4 : 4e-3);
  options.tolerance = Real(is_double ? 1e-6 : 2e-2);
  options.length = 300;  // m; the play of the socket is 4 m
  const auto found = moreau::check_model(model, state.q, state.u, Real(0), options);
  if (!found.ok())
    moreau::port::print(moreau::detail::name(found.worst().member), " ", found.worst().index, " ",
                        found.worst().coordinate, " ", found.worst().deviation, " ", found.worst().allowed, "\n");
  CHECK(found.ok());
}

// Poses and velocities of all bodies, parents before children, determine all coordinates.
void test_poses_by_name(void) {
  const Real tolerance = Real(is_double ? 1e-12 : 1e-4);
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Case c(seed);
    State<Model> found;
    const auto given = c.model.body_states(c.state);
    K::outward([&](auto b) {
      const auto pose = c.model.pose(c.state, b);
      c.model.place(found, b, pose.r, pose.q);
    });
    K::outward([&](auto b) { c.model.move(found, b, given[b].v, given[b].omega); });
    const Q q = c.model.wrap(found.q), same = c.model.wrap(c.state.q);
    for (int j = 0; j < Model::dof; ++j) {
      CHECK_WITHIN(tolerance, same(j), q(j));
      CHECK_WITHIN(10 * tolerance, c.state.u[j], found.u[j]);
    }
  }
}

// Three bodies on a hinge, a universal joint and a ball joint, under gravity.
struct Chain {
  using Real = ::Real;
  enum Names { first, second, third, bodies };
  sp::Body<Real> body[bodies] = {{1, {Real(0.01), Real(0.02), Real(0.025)}},
                                 {1, {Real(0.02), Real(0.01), Real(0.015)}},
                                 {1, {Real(0.01), Real(0.012), Real(0.02)}}};
  sp::Revolute<Real, ground, first> hinge{{}, {0, 1, 0}, {0, 0, Real(0.2)}, {0, 1, 0}};
  sp::Universal<Real, first, second> cross{{0, 0, Real(-0.2)}, {1, 0, 0}, {0, 0, Real(0.2)}, {0, 1, 0}};
  sp::Spherical<Real, second, third> ball{{0, 0, Real(-0.2)}, {0, 0, Real(0.2)}};
  sp::Gravity<Real> gravity;
  auto parts() const { return std::tie(hinge, cross, ball, gravity); }

  template <class State>
  double energy(const moreau::Mechanism<Chain>& model, const State& state) const {
    double sum = 0;
    for (int b = 0; b < bodies; ++b) {
      const auto s = model.body_state(state, b);
      const Point W = s.frame.turn_back(s.omega), J = body[b].J;
      sum += double(body[b].m * (dot(s.v, s.v) / 2 + Real(9.81) * s.frame.r.z));
      sum += double(J.x * W.x * W.x + J.y * W.y * W.y + J.z * W.z * W.z) / 2;
    }
    return sum;
  }
};
// Returns the largest change of the energy in 0.5 s.
double change_of_energy(Real dt) {
  const moreau::Mechanism<Chain> model;
  State<moreau::Mechanism<Chain>> start;
  for (int j = 0; j < 6; ++j) start.q[j] = Real(0.1) * Real(j + 1), start.u[j] = Real(3 - j);
  moreau::Stepper machine{model, start};
  double largest = 0;
  for (int n = 0; n < int(std::lround(0.5 / double(dt))); ++n) {
    CHECK(machine.step(dt).advanced());
    largest = std::max(largest, std::abs(model.energy(model, machine.state) - model.energy(model, start)));
  }
  return largest;
}
void test_free_motion_is_of_second_order(void) {
  const double coarse = change_of_energy(Real(2e-3)), fine = change_of_energy(Real(1e-3));
  moreau::port::print("chain: change of energy ", fine, " J at 1e-3 s, ", coarse / fine, " times as much at 2e-3 s\n");
  if (is_double) CHECK_WITHIN(0.3, 4, coarse / fine);
}

// Loads of the joints of the tree, by inverse dynamics, against the percussions of their rows, through impacts.
void test_loads_of_joints(void) {
  if (!is_double) return;  // rounding moves impacts to other steps
  using List = spatial_machines::Rssp<Real>;
  using Tied = moreau::Mechanism<List>;
  using Free = test::BodiesOf<List>;
  static_assert(Tied::dof == 5 && Tied::bilaterals == 0);
  constexpr Real dt = Real(2e-6);
  moreau::Stepper<Tied> tied{Tied{}, spatial_machines::rssp_start<Real>()};
  State<Free> same;
  Free free;
  for (int b = 0; b < List::bodies; ++b) {
    const auto pose = tied.model.pose(tied.state, b);
    const auto body = tied.model.body_state(tied.state, b);
    free.place(same, b, pose.r, pose.q);
    free.move(same, b, body.v, body.omega);
  }
  moreau::Stepper<Free> in_bodies{free, same};
  double most = 0, off = 0;
  int impacts = 0;
  const auto compare_loads = [&](auto part, const auto& before, const auto& before_in_bodies) {
    const auto load = joint_output(tied.model, part, before, tied.state).load;
    const auto expected = joint_output(in_bodies.model, part, before_in_bodies, in_bodies.state).load;
    const auto add = [&](Point a, Point b) {
      most = std::max(most, double(moreau::sqrt(dot(b, b))));
      off = std::max(off, double(moreau::sqrt(dot(a - b, a - b))));
    };
    add(load.force, expected.force), add(10 * load.moment, 10 * expected.moment);  // N, and N m on 0.1 m
  };
  for (int n = 0; n < 2000; ++n) {
    const auto before = tied.state;
    const auto before_in_bodies = in_bodies.state;
    CHECK(tied.step(dt).advanced() && in_bodies.step(dt).advanced());
    impacts += before.P_N(0) == 0 && tied.state.P_N(0) > 0;
    compare_loads(&List::bearing, before, before_in_bodies);
    compare_loads(&List::wrist, before, before_in_bodies);
    compare_loads(&List::guide, before, before_in_bodies);
  }
  moreau::port::print("loads up to ", most, " N, largest difference ", off, " N, impacts ", impacts, "\n");
  CHECK(impacts > 0);
  CHECK_WITHIN(1e-3 * most, 0, off);
}

// A closed loop whose rod follows commands: the velocities that the drive prescribes at the ends of the steps.
template <bool in_joints>
struct Driven {
  using Real = ::Real;
  enum Names { crank, rod, slider, bodies };
  static constexpr bool joint_coordinates = in_joints;
  sp::Body<Real> body[bodies] = {{Real(0.1), {Real(1e-4), Real(1e-4), Real(2e-4)}},
                                 {Real(0.05), {Real(2e-4), Real(2e-4), Real(1e-5)}},
                                 {Real(0.2), {Real(2e-4), Real(2e-4), Real(2e-4)}}};
  sp::Revolute<Real, ground, crank> bearing;
  sp::Spherical<Real, crank, rod> pin{{Real(0.05), 0, 0}, {0, 0, Real(-0.1)}};
  sp::Universal<Real, rod, slider> wrist{{0, 0, Real(0.1)}, {0, 1, 0}, {}, {0, 0, 1}};
  sp::Prismatic<Real, ground, slider> guide{{0, Real(0.02), 0}, {1, 0, 0}, {}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}};
  sp::LinearDrive<Real, ground, rod, moreau::CommandedPosition<Real>> ram{{}, {1, 0, 0}, {}, {}};
  auto parts() const { return std::tie(bearing, pin, wrist, guide, ram); }
};
// Returns the velocities of crank and rod after 0.03 s.
template <bool in_joints>
std::array<Point, 2> driven_velocities() {
  using Machine = moreau::Mechanism<Driven<in_joints>>;
  Machine model;
  State<Machine> start;
  const Real length = Real(0.2), y = Real(0.02), x = moreau::sqrt(length * length - y * y);
  const Point along{x / length, y / length, 0}, pin{Real(0.05), 0, 0};
  model.place(start, Machine::crank, {});
  model.place(start, Machine::slider, pin + length * along);
  const Real root = moreau::sqrt(Real(0.5));
  model.place(start, Machine::rod, pin + Real(0.1) * along, {root, -root * along.y, root * along.x, 0});  // z along
  model.ram.law.position = pin.x + x / 2;
  model.ram.law.speed = 1, model.ram.law.acceleration = 100;
  moreau::Stepper<Machine> machine{model, start};
  const auto closed = moreau::close_joints(machine.model, machine.state);
  CHECK(closed.status == moreau::Status::ok);
  for (int n = 0; n < 300; ++n) {
    const Real t = Real(1e-4) * Real(n + 1);
    machine.model.ram.law.position = pin.x + x / 2 - 5 * t * t;
    CHECK(machine.step(Real(1e-4)).advanced());
  }
  return {machine.model.body_state(machine.state, Machine::crank).omega,
          machine.model.body_state(machine.state, Machine::rod).v};
}
// The rows hold to terms of second order in dt: dt^2 times 100 rad/s^3. In float, a rounding error of 2e-8 m per step of
// 1e-4 s moves the crank of 0.05 m with 4e-3 rad/s.
constexpr double driven_tolerance = is_double ? 1e-6 : 8e-3;

void test_commanded_drives(void) {
  const auto tied = driven_velocities<true>(), in_bodies = driven_velocities<false>();
  CHECK(std::abs(tied[0].z) > 1);
  for (std::size_t k = 0; k < 2; ++k) {
    const Point off = tied[k] - in_bodies[k];
    CHECK_WITHIN(driven_tolerance, 0, double(moreau::sqrt(dot(off, off))));
  }
}

}  // namespace

TEST_MAIN(TEST(test_equations) TEST(test_motion_along_the_joints) TEST(test_model_checker_reports_no_error)
              TEST(test_poses_by_name) TEST(test_free_motion_is_of_second_order) TEST(test_loads_of_joints)
                  TEST(test_commanded_drives))
