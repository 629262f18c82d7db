// Smooth motion of mechanisms from parts: q, u and the loads of a joint are of second order in dt, in open chains, trees
// and closed loops, with Coriolis forces and with dry friction.
//
//   error(dt) = |result(dt) - reference|, relative to the largest value of the run; the reference is extrapolated from
//               the two smallest step sizes
#include <algorithm>
#include <array>
#include <cmath>
#include <moreau/mechanism.hpp>

#include "models/four_bar.hpp"
#include "support/fork.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau;
using test::Fork;

constexpr double time_end = 0.05;  // s
// Largest error at 1e-4 s of q, u and loads. An error of first order would be 2e-4 to 1e-3.
constexpr double bound = 1e-5;

// n links of equal length in a chain that starts at the ground.
template <int n>
struct Chain {
  using Real = ::Real;
  static constexpr int bodies = n;
  static constexpr Point<Real> left{Real(-0.1), Real(0)}, right{Real(0.1), Real(0)};
  Body<Real> body[bodies];
  Revolute<Real, ground, 0> bearing{{}, left};
  Revolute<Real, 0, 1> pin_1{right, left};
  Revolute<Real, 1, n == 2 ? 0 : 2> pin_2{right, left};
  Revolute < Real, n < 4 ? 0 : 2, n<4 ? 1 : 3> pin_3{right, left};
  Revolute < Real, n < 5 ? 0 : 3, n<5 ? 1 : 4> pin_4{right, left};
  Gravity<Real> gravity;
  auto parts() const {
    if constexpr (n == 2) return std::tie(bearing, pin_1, gravity);
    if constexpr (n == 3) return std::tie(bearing, pin_1, pin_2, gravity);
    if constexpr (n == 4) return std::tie(bearing, pin_1, pin_2, pin_3, gravity);
    if constexpr (n == 5) return std::tie(bearing, pin_1, pin_2, pin_3, pin_4, gravity);
  }
  Chain() {
    for (Body<Real>& b : body) b = {Real(0.2), Real(7e-4)};
  }
};

// A slider on a rotating arm: Coriolis force, and a coordinate that is a distance.
struct RotatingArm {
  using Real = ::Real;
  enum Names { arm, slider, bodies };
  Body<Real> body[bodies] = {{Real(0.5), Real(4e-3)}, {Real(0.2), Real(1e-4)}};
  Revolute<Real, ground, arm> bearing;
  Prismatic<Real, arm, slider> rail;
  Spring<Real, arm, slider> spring{{}, {}, Real(50), Real(0.1), Real(0.5)};
  Gravity<Real> gravity;
  auto parts() const { return std::tie(bearing, rail, spring, gravity); }
};

// Two links with dry friction in their pin, which slides in one direction during the run.
struct FrictionInPin : Chain<2> {
  TurningFriction<Real, 0, 1> friction{Real(0.05)};
  auto parts() const { return std::tie(bearing, pin_1, friction, gravity); }
};

// Watt's six-bar: a four-bar whose rocker drives an output link through a second coupler.
struct SixBar {
  using Real = ::Real;
  enum Names { crank, coupler, rocker, rod, output, bodies };
  Body<Real> body[bodies] = {{Real(0.2), Real(1.7e-4)},
                             {Real(0.4), Real(3e-3)},
                             {Real(0.35), Real(1.8e-3)},
                             {Real(0.3), Real(2e-3)},
                             {Real(0.3), Real(2e-3)}};
  Revolute<Real, ground, crank> bearing{{}, {Real(-0.05), Real(0)}};
  Revolute<Real, crank, coupler> crank_pin{{Real(0.05), Real(0)}, {Real(-0.15), Real(0)}};
  Revolute<Real, coupler, rocker> rocker_pin{{Real(0.15), Real(0)}, {Real(0.125), Real(0)}};
  Revolute<Real, ground, rocker> pivot{{Real(0.3), Real(0)}, {Real(-0.125), Real(0)}};
  Revolute<Real, rocker, rod> rod_pin{{Real(0), Real(0.05)}, {Real(-0.15), Real(0)}};
  Revolute<Real, rod, output> output_pin{{Real(0.15), Real(0)}, {Real(0.15), Real(0)}};
  Revolute<Real, ground, output> output_pivot{{Real(0.6), Real(0)}, {Real(-0.15), Real(0)}};
  Gravity<Real> gravity;
  auto parts() const {
    return std::tie(bearing, crank_pin, rocker_pin, pivot, rod_pin, output_pin, output_pivot, gravity);
  }
};

// Toggle: a lever and a link push a ram against a spring.
struct Toggle {
  using Real = ::Real;
  enum Names { lever, link, ram, bodies };
  Body<Real> body[bodies] = {{Real(0.05), Real(7e-5)}, {Real(0.03), Real(6e-6)}, {Real(0.08), Real(1e-5)}};
  Revolute<Real, ground, lever> bearing{{}, {Real(-0.02), Real(0)}};
  Revolute<Real, lever, link> knee{{Real(0.02), Real(0)}, {Real(-0.025), Real(0)}};
  Revolute<Real, link, ram> ram_pin{{Real(0.025), Real(0)}, {}};
  Prismatic<Real, ground, ram> guide;
  Spring<Real, ground, ram> spring{{Real(0.15), Real(0)}, {}, Real(200), Real(0.06)};
  auto parts() const { return std::tie(bearing, knee, ram_pin, guide, spring); }
};

// q, u and the load of a joint at one time.
template <int dof>
using Motion = std::array<double, 2 * dof + 2>;

// Result at the end of the run, and largest values of the run.
template <class Model>
struct Run {
  Motion<Model::dof> end{}, largest{};

  template <class Joint>
  Run(const Model& model, const State<Model>& start, Joint joint, double dt) {
    Stepper<Model> machine{model, start};
    const int steps = int(time_end / dt + 0.5);
    Wrench<Real> load{};
    for (int n = 0; n <= steps; ++n) {
      const State<Model> before = machine.state;
      CHECK_EQUAL(Status::ok, machine.step(Real(dt)).status);
      const Wrench<Real> next = joint_output(machine.model, joint, before, machine.state).load;
      if (n > 0) {  // a load belongs to the middle of its step
        for (int j = 0; j < Model::dof; ++j) set(j, before.q[j]), set(Model::dof + j, before.u[j]);
        set(2 * Model::dof, (load.force.x + next.force.x) / 2);
        set(2 * Model::dof + 1, (load.force.y + next.force.y) / 2);
      }
      load = next;
    }
  }

 private:
  void set(int i, Real value) {
    end[std::size_t(i)] = double(value);
    largest[std::size_t(i)] = std::max(largest[std::size_t(i)], std::abs(double(value)));
  }
};

// Returns the largest error among the entries from `first` to `last`, relative to the largest of their values.
template <class Motion>
double error(const Motion& one, const Motion& reference, const Motion& largest, int first, int last) {
  double difference = 0, size = 0;
  for (int i = first; i < last; ++i) {
    difference = std::max(difference, std::abs(one[std::size_t(i)] - reference[std::size_t(i)]));
    size = std::max(size, largest[std::size_t(i)]);
  }
  return difference / size;
}

template <class Model, class Joint>
void check(const char* name, const State<Model>& start, Joint joint) {
  const Model model;
  const Run<Model> coarse(model, start, joint, 2e-4), middle(model, start, joint, 1e-4),
      fine(model, start, joint, 5e-5);
  const Run<Model> finest(model, start, joint, 2.5e-5);
  auto reference = finest.end;
  for (std::size_t i = 0; i < reference.size(); ++i) reference[i] += (finest.end[i] - fine.end[i]) / 3;
  constexpr int n = Model::dof, bounds[] = {0, n, 2 * n, 2 * n + 2};
  const char* const what[] = {"q", "u", "load"};
  for (int k = 0; k < 3; ++k) {
    const double at_2 = error(coarse.end, reference, coarse.largest, bounds[k], bounds[k + 1]),
                 at_1 = error(middle.end, reference, coarse.largest, bounds[k], bounds[k + 1]);
    moreau::port::print(name, " ", what[k], ": error ", at_1, " at 1e-4 s, ", at_2 / at_1, " times as much at 2e-4 s");
    CHECK(at_1 < bound);
    CHECK(at_2 / at_1 > 3.5 && at_2 / at_1 < 4.5);  // 4 for second order
  }
}

template <class Model>
State<Model> spread(Real speed) {
  State<Model> start;
  for (int j = 0; j < Model::dof; ++j) start.q[j] = Real(0.2) * Real(j + 1), start.u[j] = speed / Real(j + 1);
  return start;
}

}  // namespace

void test_open_chains(void) {
  check<Mechanism<Chain<2>>>("two links", spread<Mechanism<Chain<2>>>(5), &Chain<2>::pin_1);
  check<Mechanism<Chain<3>>>("three links", spread<Mechanism<Chain<3>>>(5), &Chain<3>::pin_1);
  check<Mechanism<Chain<4>>>("four links", spread<Mechanism<Chain<4>>>(5), &Chain<4>::pin_3);
  check<Mechanism<Chain<5>>>("five links", spread<Mechanism<Chain<5>>>(5), &Chain<5>::pin_4);
}
void test_tree(void) { check<Mechanism<Fork>>("fork", spread<Mechanism<Fork>>(10), &Fork::right_pin); }
void test_coriolis_force(void) {
  check<Mechanism<RotatingArm>>("rotating arm", spread<Mechanism<RotatingArm>>(10), &RotatingArm::rail);
}
void test_dry_friction(void) {
  using Model = Mechanism<FrictionInPin>;
  State<Model> start = spread<Model>(5);
  start.u(Model::angle_of<1>) = 15;
  check<Model>("dry friction", start, &FrictionInPin::pin_1);
}

void test_closed_loops(void) {
  using FourBar = models::IdealFourBar<Real>;
  check<FourBar>("four-bar", models::four_bar_start<FourBar>(Real(10)),
                 &models::FourBarParts<Real, Revolute>::rocker_pin);

  using Six = Mechanism<SixBar>;
  State<Six> six;
  six.q(Six::angle_of<Six::coupler>) = Real(0.8), six.q(Six::angle_of<Six::rocker>) = Real(1.6);
  six.q(Six::angle_of<Six::rod>) = Real(0.3), six.q(Six::angle_of<Six::output>) = Real(1.5);
  six.u(Six::angle_of<Six::crank>) = 10;
  CHECK_EQUAL(Status::ok, close_joints(Six{}, six, Keep<Six>{}.angle(Six::crank).omega(Six::crank)).status);
  check<Six>("six-bar", six, &SixBar::output_pin);

  using Clamp = Mechanism<Toggle>;
  State<Clamp> clamp;
  clamp.q(Clamp::angle_of<Clamp::lever>) = Real(0.5), clamp.q(Clamp::angle_of<Clamp::link>) = Real(-0.4);
  clamp.u(Clamp::angle_of<Clamp::lever>) = -20;
  const auto keep = Keep<Clamp>{}.angle(Clamp::lever).omega(Clamp::lever);
  CHECK_EQUAL(Status::ok, close_joints(Clamp{}, clamp, keep).status);
  check<Clamp>("toggle", clamp, &Toggle::ram_pin);
}

TEST_MAIN({
  TEST(test_open_chains);
  TEST(test_tree);
  TEST(test_coriolis_force);
  TEST(test_dry_friction);
  TEST(test_closed_loops);
})
