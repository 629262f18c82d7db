// Free motion of models whose velocities are not the rates of q: a rod in the plane with velocities along its own axes
// against the same rod with velocities in the world, in steps, adaptive runs and checks; rotation of a body in space.
#include <algorithm>
#include <cmath>
#include <moreau/check/energy_audit.hpp>
#include <moreau/check/model_checker.hpp>
#include <moreau/moreau.hpp>
#include <moreau/spatial/free_body.hpp>
#include <moreau/step/close_joints.hpp>
#include <moreau/step/reach.hpp>

#include "support/test.hpp"

namespace {

using moreau::Status, moreau::Timing;
using Vector3 = moreau::Vector<Real, 3>;
constexpr bool is_double = sizeof(Real) == 8;
#ifdef MOREAU_WHOLE_RUN
constexpr long steps = 1000000;
#else
constexpr long steps = 100000;
#endif

Vector3 turned(const Vector3& w, Real phi) {
  const auto s = moreau::sincos(phi);
  return {s.cos * w(0) - s.sin * w(1), s.sin * w(0) + s.cos * w(1), w(2)};
}

// Damped rod with two corners over a floor, or on a pin at its left end.
template <bool along_rod, bool pinned, bool at_instants>
struct RodBase {
  using Real = ::Real;
  using Q = Vector3;  // x, y, phi; velocities of x and y in the world, or along the axes of the rod
  static constexpr int dof = 3, contacts = pinned ? 0 : 2, bilaterals = pinned ? 2 : 0;
  static constexpr bool second_order = at_instants;

  Real m = Real(2), J = Real(0.3), half = Real(0.5), damping = Real(0.2), weight = Real(19.62);
  moreau::ContactLaw<Real> contact_law{Real(0.5), Real(0), Real(0.3)};

  static Q own(const Q& w, Real phi) { return along_rod ? turned(w, -phi) : w; }
  static Q world(const Q& u, Real phi) { return along_rod ? turned(u, phi) : u; }
  Real side(int i) const { return i == 0 ? -half : half; }

  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const { return Q(m, m, J).asDiagonal(); }
  Q force(const Q& q, const Q& u, Real) const { return own(Q(0, -weight, 0), q(2)) - damping * u; }
  Real potential(const Q& q, Real) const { return weight * q(1); }
  Real gap(int i, const Q& q, Real) const { return q(1) + side(i) * moreau::sin(q(2)); }
  moreau::Directions<Real, 3> directions(int i, const Q& q, Real) const {
    const auto s = moreau::sincos(q(2));
    moreau::Directions<Real, 3> d;
    d.w_N = own(Q(0, 1, side(i) * s.cos), q(2));
    d.w_T = own(Q(1, 0, -side(i) * s.sin), q(2));
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return contact_law; }
  Real allowed_penetration(int) const { return Real(1e-5); }
  Real play_of(int) const { return Real(0.01); }
  moreau::Bilateral<Real, 3> bilateral(int row, const Q& q, Real) const {
    const auto s = moreau::sincos(q(2));
    if (row == 0) return {own(Q(1, 0, half * s.sin), q(2)), 0, q(0) - half * s.cos};
    return {own(Q(0, 1, -half * s.cos), q(2)), 0, q(1) - half * s.sin};
  }
  Real bias_acceleration(int row, const Q& q, const Q& u, Real) const {
    const auto s = moreau::sincos(q(2));
    return half * (u(2) * u(2)) * (row == 0 ? s.cos : s.sin);
  }
};
template <bool pinned = false, bool at_instants = false>
struct WorldRod : RodBase<false, pinned, at_instants> {};
template <bool pinned = false, bool at_instants = false>
struct OwnRod : RodBase<true, pinned, at_instants> {
  void drift(Vector3& q, Vector3& u, Real h) const {
    const Vector3 world = turned(u, q(2));  // constant
    q += h * world;
    u = turned(world, -q(2));
  }
  Vector3 displaced(const Vector3& q, const Vector3& d) const { return q + turned(d, q(2)); }
};

template <class Model>
moreau::State<Model> start(const Vector3& q, const Vector3& u_world) {
  moreau::State<Model> s;
  s.q = q;
  s.u = Model::own(u_world, q(2));
  return s;
}
// Largest difference of q, and of the velocities in the world.
template <class One, class Other>
Real apart(const moreau::State<One>& a, const moreau::State<Other>& b) {
  const Vector3 v = One::world(a.u, a.q(2)) - Other::world(b.u, b.q(2));
  return std::max(Vector3(a.q - b.q).cwiseAbs().maxCoeff(), v.cwiseAbs().maxCoeff());
}
const Vector3 tilted{Real(0), Real(0.6), Real(0.4)}, thrown{Real(1), Real(0), Real(3)};

// Sets the state of the rod with velocities along its own axes to that of the other one.
template <class World, class Own>
void copy(const moreau::State<World>& from, moreau::State<Own>& to) {
  to.q = from.q;
  to.u = Own::own(from.u, from.q(2));
}

// Both rods through impacts, sliding and rest, in 600 steps of 2 ms from equal states. The position correction rotates
// the axes of u, so the velocities at the end of a step are compared by the energy.
template <bool pinned, class Solver, Timing timing = Timing::variable>
void compare(const Vector3& q, Real tolerance) {
  using World = WorldRod<pinned>;
  using Own = OwnRod<pinned>;
  moreau::Stepper<World, Solver, timing> world{World{}, start<World>(q, thrown)};
  moreau::Stepper<Own, Solver, timing> own{Own{}, start<Own>(q, thrown)};
  bool closed = false;
  for (int n = 0; n < 600; ++n) {
    copy(world.state, own.state);
    const auto before = world.state;
    const auto own_before = own.state;
    CHECK(world.step(Real(2e-3)).status == Status::ok);
    CHECK(own.step(Real(2e-3)).status == Status::ok);
    CHECK_WITHIN(tolerance, 0, Vector3(world.state.q - own.state.q).cwiseAbs().maxCoeff());
    for (int i = 0; i < World::contacts; ++i) CHECK_WITHIN(10 * tolerance, world.state.P_N(i), own.state.P_N(i));
    const auto a = audit_energy(world.model, before, world.state), b = audit_energy(own.model, own_before, own.state);
    for (const Real difference : {a.change - b.change, a.work_forces - b.work_forces, a.in_contacts - b.in_contacts,
                                  a.work_contacts - b.work_contacts})
      CHECK_WITHIN(100 * tolerance, 0, difference);  // J, of up to 30 J
    CHECK_EQUAL(a.gain, b.gain);
    const auto reach_a = step_reach(world.model, before, world.state),
               reach_b = step_reach(own.model, own_before, own.state);
    CHECK_WITHIN(10 * tolerance, reach_a.travel.value, reach_b.travel.value);
    CHECK_WITHIN(Real(is_double ? 1e-6 : 1e-2), reach_a.turn.value, reach_b.turn.value);  // a square root of rounding
    CHECK_WITHIN(tolerance, reach_a.joints.error, reach_b.joints.error);
    closed = closed || (!pinned && world.contact(0).closed && world.contact(1).closed);
  }
  CHECK(closed != pinned);
}
constexpr Real rounding = Real(is_double ? 1e-13 : 1e-5);  // of one step
void test_a_step_does_not_depend_on_the_axes_of_u(void) {
  compare<false, moreau::Exact>(tilted, Real(is_double ? 1e-8 : 1e-5));  // Judge::rtol: other methods of Exact
  compare<false, moreau::Newton>(tilted, rounding);
}
void test_nor_in_constant_time(void) { compare<false, moreau::Newton, Timing::constant>(tilted, rounding); }
void test_nor_with_ideal_joints(void) {
  const Vector3 estimate{Real(0.4), Real(0.1), Real(0.4)};
  auto s = start<WorldRod<true>>(estimate, thrown);
  auto own = start<OwnRod<true>>(estimate, thrown);
  CHECK(moreau::close_joints(WorldRod<true>{}, s).status == Status::ok);
  CHECK(moreau::close_joints(OwnRod<true>{}, own).status == Status::ok);
  CHECK_WITHIN(is_double ? 1e-13 : 1e-5, 0, Vector3(s.q - own.q).cwiseAbs().maxCoeff());
  copy(s, own);
  CHECK(moreau::close_joints(OwnRod<true>{}, own).status == Status::ok);
  CHECK_WITHIN(is_double ? 1e-13 : 1e-4, 0, apart(s, own));
  // The projection uses the rows of the midpoint, whose axes differ by half the rotation of a step, 4e-3 rad, from those
  // of its end: a part of the error of one step, 3e-4 m.
  compare<true, moreau::Psor>(s.q, Real(is_double ? 2e-6 : 2e-5));
}

// Error of a sliding and tilting rod with its left corner on the floor for 0.2 s.
template <class Model>
Real error_at(Real dt, const moreau::State<WorldRod<false, true>>& exact) {
  Model model;
  auto s = start<Model>(Vector3(0, model.half * moreau::sin(Real(1)), Real(1)), Vector3(2, 0, 0));
  moreau::Stepper<Model, moreau::Psor> stepper{model, s};
  for (int n = 0; n < int(std::lround(0.2 / double(dt))); ++n) CHECK(stepper.step(dt).status == Status::ok);
  CHECK(stepper.contact(0).closed && !stepper.contact(1).closed);
  return apart(stepper.state, exact);
}
void test_second_order(void) {
  if (!is_double) return;  // rounding exceeds the errors of small steps
  using World = WorldRod<false, true>;
  World model;
  auto s = start<World>(Vector3(0, model.half * moreau::sin(Real(1)), Real(1)), Vector3(2, 0, 0));
  moreau::Stepper<World, moreau::Psor> fine{model, s};
  for (int n = 0; n < 8000; ++n) CHECK(fine.step(Real(2.5e-5)).status == Status::ok);
  const Real coarse = error_at<OwnRod<false, true>>(Real(4e-3), fine.state),
             half = error_at<OwnRod<false, true>>(Real(2e-3), fine.state),
             quarter = error_at<OwnRod<false, true>>(Real(1e-3), fine.state);
  moreau::port::print("errors ", coarse, " ", half, " ", quarter, "\n");
  CHECK(half < Real(0.3) * coarse && quarter < Real(0.3) * half);  // 1/4 at second order, 1/2 at first order
}

void test_adaptive_runs(void) {
  if (!is_double) return;
  moreau::Stepper<WorldRod<>> world{WorldRod<>{}, start<WorldRod<>>(tilted, thrown)};
  moreau::Stepper<OwnRod<>> own{OwnRod<>{}, start<OwnRod<>>(tilted, thrown)};
  moreau::AdaptiveOptions<Real> options;
  options.dt_min = Real(1e-7);
  options.atol = options.rtol = Real(1e-7);
  moreau::Adaptive a{world, options};
  moreau::Adaptive b{own, options};
  const auto end_a = a.advance_to(Real(0.6));
  const auto end_b = b.advance_to(Real(0.6));
  CHECK(end_a.finished() && end_b.finished());
  moreau::port::print("adaptive ", apart(world.state, own.state), " steps ", end_a.accepted, " ", end_b.accepted, "\n");
  CHECK_WITHIN(1e-4, 0,
               apart(world.state, own.state));  // dt_min times the accelerations of the impacts, and tolerances
  CHECK(end_b.accepted < end_a.accepted + end_a.accepted / 50);
}

// The checker differentiates along displacements of the model. Directions in the world are a finding.
struct Unturned : OwnRod<> {
  moreau::Directions<Real, 3> directions(int i, const Q& q, Real t) const { return WorldRod<>{}.directions(i, q, t); }
};
void test_the_checker(void) {
  const Vector3 q{Real(0.1), Real(0.35), Real(0.7)}, u{Real(0.3), Real(-0.4), Real(2)};
  CHECK(moreau::check_model(OwnRod<>{}, q, u, Real(0)).ok());
  CHECK(moreau::check_model(OwnRod<true>{}, q, u, Real(0)).ok());
  const auto wrong = moreau::check_model(Unturned{}, q, u, Real(0));
  CHECK(!wrong.ok() && wrong.worst().member == moreau::CheckReport<Real>::Member::w_N);
}

using Point = moreau::spatial::Point<Real>;
using moreau::spatial::detail::rotate_freely;
struct Rotation {
  Point J, Omega, sigma{};
  double energy() const {
    const double x = double(Omega.x), y = double(Omega.y), z = double(Omega.z);
    return (double(J.x) * x * x + double(J.y) * y * y + double(J.z) * z * z) / 2;
  }
  moreau::spatial::Frame<Real> frame() const {
    return moreau::spatial::Frame<Real>::at({}, moreau::spatial::detail::quaternion_of(sigma));
  }
  Point momentum() const { return frame().turn(moreau::spatial::detail::times(J, Omega)); }
  void step(Real dt) {
    rotate_freely(J, dt / 2, sigma, Omega);
    rotate_freely(J, dt / 2, sigma, Omega);
    sigma = moreau::spatial::detail::within_half_turn(sigma);
  }
};
// Unstable rotation about the middle axis.
void test_energy_and_momentum_of_a_free_body(void) {
  Rotation body{{1, 2, 3}, {Real(0.001), 5, Real(0.001)}};
  const double energy = body.energy();
  const Point momentum = body.momentum();
  double of_energy = 0, of_momentum = 0;
  Real least = 5;
  for (long n = 0; n < steps; ++n) {
    body.step(Real(1e-3));
    const Point lost = body.momentum() - momentum;
    of_energy = std::max(of_energy, std::fabs(body.energy() / energy - 1));
    of_momentum = std::max(of_momentum, std::sqrt(double(dot(lost, lost) / dot(momentum, momentum))));
    least = std::min(least, body.Omega.y);
  }
  moreau::port::print("energy ", of_energy, ", momentum ", of_momentum, "\n");
  CHECK(least < -4);  // the body turns over
  CHECK_WITHIN(is_double ? 1e-6 : 1e-4, 0, of_energy);
  CHECK_WITHIN(is_double ? 1e-12 : 1e-3, 0, of_momentum);
}
// A wheel that turns by 5 rad in each half step: its axis moves on the exact cone about the angular momentum.
void test_a_wheel_is_exact_at_any_speed(void) {
  Rotation wheel{{1, 1, 2}, {2, 1, 5000}};
  const Point L = wheel.momentum();
  const Real dt = Real(2e-3), length = moreau::sqrt(dot(L, L));
  const double energy = wheel.energy();
  const int count = is_double ? 1000 : 10;
  Point axis{0, 0, 1};
  const auto about_L = moreau::spatial::Frame<Real>::at({}, rotation((1 / length) * L, length * dt));
  for (int n = 0; n < count; ++n) {
    wheel.step(dt);
    axis = about_L.turn(axis);
    CHECK_WITHIN(is_double ? 1e-12 : 1e-6, 0, wheel.energy() / energy - 1);
  }
  const Point off = wheel.frame().z - axis;
  moreau::port::print("wheel ", double(moreau::sqrt(dot(off, off))), "\n");
  CHECK_WITHIN(is_double ? 1e-12 : 1e-5, 0, moreau::sqrt(dot(off, off)));
}

}  // namespace

TEST_MAIN(TEST(test_a_step_does_not_depend_on_the_axes_of_u) TEST(test_nor_in_constant_time)
              TEST(test_nor_with_ideal_joints) TEST(test_second_order) TEST(test_adaptive_runs) TEST(test_the_checker)
                  TEST(test_energy_and_momentum_of_a_free_body) TEST(test_a_wheel_is_exact_at_any_speed))
