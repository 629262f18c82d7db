// Mistakes that gave wrong numbers with the status `ok`, second part: stalled coordinates, springs that become too stiff
// during a run, ramps below the resolution, polygons, plays and directions with wrong units, potentials.
#include <limits>
#include <moreau/check/model_checker.hpp>
#include <moreau/check/run_checker.hpp>
#include <moreau/check/start_checker.hpp>
#include <moreau/mechanism.hpp>
#include <moreau/record/recorder.hpp>

#include "support/test.hpp"

namespace {

using namespace moreau;
using Member = CheckReport<Real>::Member;
constexpr bool is_float = sizeof(Real) == 4;

struct OneBody {
  using Real = ::Real;
  enum Names { body_1, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.01)}};
};
bool finds(const CheckReport<Real>& report, Member member) {
  return report.looked_at(member) && !report.worst_of(member).ok();
}

// ---- coordinates that do not advance ----

struct OnFloor : OneBody {
  Gravity<Real> gravity;
  PointOnLine<Real, ground, body_1> floor;
  auto parts() const { return std::tie(gravity, floor); }
};

bool stalls(double x, double v, Real dt, int steps) {
  using Model = Mechanism<OnFloor>;
  State<Model> start;
  start.q(0) = Real(x), start.q(1) = Real(0.01), start.u(0) = Real(v);
  Stepper machine{Model{}, start};
  RunChecker watch{machine};
  CHECK(run(machine, dt, steps, watch).status == Status::ok);
  return finds(watch.report(), Member::stalled);
}

void test_coordinate_below_its_resolution_is_reported(void) {
  CHECK_EQUAL(is_float, stalls(10, 0.5, Real(1e-7), 20000));  // adjacent floats: 1e-6 m; a step: 5e-8 m
  CHECK(!stalls(10, 0.5, Real(1e-4), 20000));
  CHECK(!stalls(0.1, 0.5, Real(1e-6), 20000));
  CHECK(!stalls(1, 0, Real(1e-4), 10000));  // falls, bounces and rests
}

struct Spun : OneBody {
  static constexpr bool endless = true;
  Revolute<Real, ground, body_1> pivot;
  Gravity<Real> gravity;
  auto parts() const { return std::tie(pivot, gravity); }
};
void test_wrapped_angle_does_not_stall(void) {
  using Model = Mechanism<Spun>;
  State<Model> start;
  start.u(Model::angle_of<Model::body_1>) = Real(50);
  Stepper machine{Model{}, start};
  RunChecker watch{machine};
  CHECK(run(machine, Real(1e-3), 5000, watch).status == Status::ok);
  CHECK(watch.report().ok());
}

// ---- springs that become too stiff for dt ----

struct OnSpring : OneBody {
  Prismatic<Real, ground, body_1> guide;
  Spring<Real, ground, body_1> spring{{Real(-1), Real(0)}, {}, Real(100), Real(1)};
  auto parts() const { return std::tie(guide, spring); }
};
void test_spring_that_becomes_too_stiff_is_reported(void) {
  using Model = Mechanism<OnSpring>;
  State<Model> start;
  start.q(Model::slide_of<Model::body_1>) = Real(0.01);
  const auto after = [&](Real stiffness, Real damping) {
    Stepper machine{Model{}, start};
    RunChecker watch{machine};
    CHECK(run(machine, Real(1e-3), 50, watch).advanced());
    CHECK(watch.report().ok());
    machine.model.spring.stiffness = stiffness;
    machine.model.spring.damping = damping;
    CHECK(run(machine, Real(1e-3), 10, watch).advanced());
    return watch.report();
  };
  CHECK(!finds(after(Real(3.8e6), Real(0)), Member::stiffness));  // (dt omega)^2 = 3.8
  CHECK(finds(after(Real(4.2e6), Real(0)), Member::stiffness));
  CHECK(!finds(after(Real(100), Real(1900)), Member::damping));  // dt d / m = 1.9
  CHECK(finds(after(Real(100), Real(2100)), Member::damping));
}

// A spring across the guide is as stiff as you like: the joint holds the body.
void test_spring_against_a_joint_is_accepted(void) {
  using Model = Mechanism<OnSpring>;
  Model model;
  model.spring.on_A = {Real(0), Real(-1)};
  model.spring.stiffness = Real(1e9);
  Stepper machine{model, State<Model>{}};
  RunChecker watch{machine};
  CHECK(run(machine, Real(1e-3), 50, watch).advanced());
  CHECK(!finds(watch.report(), Member::stiffness));
}

// ---- drives ----

struct Shaft : OneBody {
  Revolute<Real, ground, body_1> bearing;
  Drive<Real, ground, body_1> drive;
  auto parts() const { return std::tie(bearing, drive); }
};
void test_ramp_below_the_resolution_is_reported(void) {
  using Model = Mechanism<Shaft>;
  Model model;
  model.drive.law.speed = Real(100);
  model.drive.law.acceleration = Real(0.5);
  const State<Model> start;
  const auto found = [&](Real dt) {
    CheckOptions<Real> options;
    options.dt = dt;
    return finds(check_model(model, start.q, start.u, Real(0), options), Member::part_values);
  };
  CHECK_EQUAL(is_float, found(Real(1e-6)));
  CHECK(!found(Real(1e-3)));
  model.drive.law.acceleration = std::numeric_limits<Real>::max();
  CHECK(!found(Real(1e-6)));
}

// A ramp starts at rest without an impact; a jump of the speed does not.
void test_start_of_a_ramp_is_accepted(void) {
  using Model = Mechanism<Shaft>;
  Model model;
  model.drive.law.speed = Real(100);
  CHECK(finds(check_start(model, State<Model>{}), Member::start_speeds));
  model.drive.law.acceleration = Real(20);
  CHECK(check_start(model, State<Model>{}).ok());
}

// ---- polygons ----

struct OnPolygon : OneBody {
  PointOnPolygon<Real, ground, body_1, 6> ramp;
  auto parts() const { return std::tie(ramp); }
  OnPolygon() {
    const double x[] = {-1, -1, 0, 1, 1, 0}, y[] = {0, -0.2, -0.2, -0.2, 0, 0};
    for (int j = 0; j < 6; ++j) ramp.corner[j] = {Real(x[j]), Real(y[j])};
  }
};
void test_polygon_that_crosses_itself_is_reported(void) {
  using Model = Mechanism<OnPolygon>;
  State<Model> start;
  start.q(0) = Real(0.3), start.q(1) = Real(0.05);
  const auto report = [&](const Model& model) { return check_model(model, start.q, start.u, Real(0)); };
  Model model;
  CHECK(!finds(report(model), Member::part_curve) && !finds(report(model), Member::part_size));
  std::swap(model.ramp.corner[1], model.ramp.corner[3]);
  CHECK(finds(report(model), Member::part_curve));
  Model large;
  for (auto& corner : large.ramp.corner) corner = Real(1000) * corner;  // mm
  CHECK(finds(report(large), Member::part_size));
}

// ---- units of a derived model ----

struct Falling {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 1;
  using Q = Vector<Real, 2>;
  Real unit = Real(1), play = Real(0), sign = Real(1);
  Matrix<Real, 2, 2> mass(const Q&, Real) const { return Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0), Real(-9.81)); }
  Real gap(int, const Q& q, Real) const { return unit * q(1); }
  Directions<Real, 2> directions(int, const Q&, Real) const {
    Directions<Real, 2> d;
    d.w_N(1) = unit;
    d.w_T(0) = Real(1);
    return d;
  }
  ContactLaw<Real> law(int) const { return {Real(0.5), Real(0), Real(0.3)}; }
  Real play_of(int) const { return play; }
  Real potential(const Q& q, Real) const { return sign * Real(9.81) * q(1); }
};
bool finds_in(const Falling& model, Member member) {
  return finds(check_model(model, Falling::Q(Real(0), Real(0.1)), Falling::Q(Falling::Q::Zero()), Real(0)), member);
}

void test_gap_in_millimetres_is_reported(void) {
  Falling model;
  CHECK(!finds_in(model, Member::w_T_scale));
  model.unit = Real(1000);
  CHECK(finds_in(model, Member::w_T_scale));
  CHECK(!finds_in(model, Member::w_N));  // gap and w_N are consistent
}
void test_play_in_millimetres_is_reported(void) {
  Falling model;
  model.play = Real(2e-3);
  CHECK(!finds_in(model, Member::play));
  model.play = Real(0.2);
  CHECK(finds_in(model, Member::play));
}
void test_potential_with_the_wrong_sign_is_reported(void) {
  Falling model;
  CHECK(!finds_in(model, Member::potential));
  model.sign = Real(-1);
  CHECK(finds_in(model, Member::potential));
  model.sign = Real(0);
  CHECK(!finds_in(model, Member::potential));
}

}  // namespace

TEST_MAIN({
  TEST(test_coordinate_below_its_resolution_is_reported);
  TEST(test_wrapped_angle_does_not_stall);
  TEST(test_spring_that_becomes_too_stiff_is_reported);
  TEST(test_spring_against_a_joint_is_accepted);
  TEST(test_ramp_below_the_resolution_is_reported);
  TEST(test_start_of_a_ramp_is_accepted);
  TEST(test_polygon_that_crosses_itself_is_reported);
  TEST(test_gap_in_millimetres_is_reported);
  TEST(test_play_in_millimetres_is_reported);
  TEST(test_potential_with_the_wrong_sign_is_reported);
})
