// The direct step: both timing modes against each other, against ActiveContacts with Lemke, and limit cases.
#include <moreau/moreau.hpp>

#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/bits_hash.hpp"
#include "support/test.hpp"

namespace {

using moreau::Exact;
using moreau::Timing;
using Toy = models::Woodpecker<Real>;
using Crank = models::SliderCrank<Real>;

template <class Model, Timing timing>
using Direct = moreau::Stepper<Model, Exact, timing>;

template <class State>
void add_to(test::BitsHash& hash, const State& s) {
  for (int j = 0; j < State::dof; ++j) {
    hash.add(s.q(j));
    hash.add(s.u(j));
  }
  for (int i = 0; i < State::contacts; ++i) {
    hash.add(s.P_N(i));
    hash.add(s.P_T(0, i));
    hash.add(float(s.sigma_N[std::size_t(i)] + 2 * s.sigma_T[std::size_t(i)]));
  }
}

template <class Model>
void check_same_bits(Real dt, int steps) {
  const Model model;
  Direct<Model, Timing::variable> data{model, models::state_at<Model>(model.start())};
  Direct<Model, Timing::constant> constant{model, models::state_at<Model>(model.start())};
  test::BitsHash a, b;
  int fallbacks = 0;
  for (int n = 0; n < steps; ++n) {
    CHECK(data.step(dt).advanced());
    const auto report = constant.step(dt);
    CHECK(report.advanced());
    fallbacks += report.fallbacks;
    add_to(a, data.state);
    add_to(b, constant.state);
  }
  CHECK(a.value() == b.value());
  CHECK_EQUAL(0, fallbacks);
}

// Coverage of the fast path that a stepper declares, and agreement of its steps with it.
template <class Model, class Solver = Exact>
constexpr auto covers = moreau::Stepper<Model, Solver, Timing::constant>::constant_covers;
static_assert(covers<Toy>.holds && covers<Toy>.closed == 1 && !covers<Toy>.jamming, "closed_at_once = 1");
static_assert(covers<Crank>.closed == 2 && covers<Crank, moreau::ClosedForms>.closed == 2, "two of four");
static_assert(covers<Crank, moreau::Sweeps>.closed == 4 && covers<Crank, moreau::Sweeps>.jamming, "all of them");
static_assert(covers<Crank, moreau::Newton>.closed == 4 && covers<Crank, moreau::Newton>.jamming, "all of them");
static_assert(!Direct<Crank, Timing::variable>::constant_covers.holds, "Timing::variable");

template <class Model, class Solver>
void check_covered(const Model& model, const models::Start<Real, Model::dof>& start, int steps, bool covered) {
  moreau::Stepper<Model, Solver, Timing::constant> stepper{model, models::state_at<Model>(start)};
  int most = 0;
  for (int n = 0; n < steps; ++n) {
    const auto report = stepper.step(Real(1e-5));
    CHECK(report.advanced());
    const bool expected = report.active <= stepper.constant_covers.closed;
    CHECK_EQUAL(expected, report.fallbacks == 0);
    most = report.active > most ? report.active : most;
  }
  CHECK_EQUAL(covered, most <= stepper.constant_covers.closed);
  CHECK(most >= 2);
}

// Block on a floor, pushed sideways: directions along the axes, any mass.
struct Block {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 1;
  Real m{1}, push{0}, eps{0}, mu{Real(0.5)};
  moreau::Matrix<Real, 2, 2> mass(const moreau::Vector<Real, 2>&, Real) const {
    moreau::Matrix<Real, 2, 2> M;
    M << m, Real(0), Real(0), m;
    return M;
  }
  moreau::Vector<Real, 2> force(const moreau::Vector<Real, 2>&, const moreau::Vector<Real, 2>&, Real) const {
    return {push, -m * Real(9.81)};
  }
  Real gap(int, const moreau::Vector<Real, 2>& q, Real) const { return q(1); }
  moreau::Directions<Real, 2> directions(int, const moreau::Vector<Real, 2>&, Real) const {
    moreau::Directions<Real, 2> d;
    d.w_N(1) = 1;
    d.w_T(0) = 1;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {eps, Real(0), mu}; }
};

template <Timing timing>
void check_no_drift(Real m) {
  Block block;
  block.m = m;
  block.push = Real(0.95) * block.mu * m * Real(9.81);
  Direct<Block, timing> stepper{block, moreau::State<Block>{}};
  for (int n = 0; n < often(20000); ++n) CHECK(stepper.step(Real(1e-4)).status == moreau::Status::ok);
  CHECK(stepper.state.q(0) == Real(0) && stepper.state.q(1) == Real(0));
  CHECK(stepper.state.sigma_T[0] == 0);
}

// One step of the slider-crank from random states near contact: the direct solution equals Lemke's.
void check_against_lemke() {
  // Relative tolerance. In float, a tilt of the light slider by one rounding of the corner velocities is 0.1 rad/s.
  const Real dt = Real(1e-5), same_velocity = sizeof(Real) == 8 ? Real(1e-7) : Real(0.5);
  test::Random random(20);
  Crank model;
  int pairs = 0;
  for (int n = 0; n < 2000; ++n) {
    model.mu = random.between(Real(0), Real(0.5));
    moreau::State<Crank> state;
    state.q = {random.between(Real(-3), Real(3)), Real(0), random.between(Real(-0.03), Real(0.03))};
    state.q(1) = random.between(Real(-0.003), Real(0.003)) - state.q(0) * Real(0.5) * Real(n % 2);
    if (n % 2 == 0) state.q(0) = random.between(Real(-0.01), Real(0.01));
    state.u = {random.between(Real(-150), Real(150)), random.between(Real(-75), Real(75)),
               random.between(Real(-5), Real(5))};
    Direct<Crank, Timing::variable> direct{model, state};
    Direct<Crank, Timing::constant> constant{model, state};
    moreau::Stepper<Crank, moreau::Lemke> lemke{model, state};
    const auto a = direct.step(dt), c = constant.step(dt);
    const auto b = lemke.step(dt);
    if (a.active == 2) ++pairs;
    CHECK_EQUAL(b.status, a.status);
    CHECK_EQUAL(a.status, c.status);
    CHECK_EQUAL(b.active, a.active);
    if (!a.advanced()) continue;
    test::BitsHash one, two;
    add_to(one, direct.state);
    add_to(two, constant.state);
    CHECK(one.value() == two.value());
    for (int j = 0; j < 3; ++j)
      CHECK_WITHIN(same_velocity * (Real(1) + moreau::detail::absolute(lemke.state.u(j))), lemke.state.u(j),
                   direct.state.u(j));
  }
  CHECK(pairs > 100);
}

// Slab on two feet, pushed sideways above the floor and held by friction: both feet stick, and share their tangent.
struct Slab {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 2;
  using Vector = moreau::Vector<Real, 3>;
  Real push{0}, mu{Real(0.4)};
  moreau::Matrix<Real, 3, 3> mass(const Vector&, Real) const {
    return moreau::Vector<Real, 3>(2, 2, Real(0.05)).asDiagonal();
  }
  Vector force(const Vector&, const Vector&, Real) const { return {push, -2 * Real(9.81), push * Real(0.02)}; }
  Real gap(int i, const Vector& q, Real) const { return q(1) + (i == 0 ? -1 : 1) * Real(0.1) * q(2); }
  moreau::Directions<Real, 3> directions(int i, const Vector&, Real) const {
    moreau::Directions<Real, 3> d;
    d.w_N = Vector(0, 1, (i == 0 ? -1 : 1) * Real(0.1));
    d.w_T = Vector(1, 0, Real(0.05));
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0.3), Real(0), mu}; }
};

template <Timing timing>
moreau::State<Slab> held_slab(bool& in_data_path) {
  Slab slab;
  slab.push = 5;
  Direct<Slab, timing> stepper{slab, moreau::State<Slab>{}};
  for (int n = 0; n < often(20000); ++n) {
    const auto report = stepper.step(Real(1e-4));
    CHECK(report.status == moreau::Status::ok);
    CHECK_EQUAL(2, report.active);
    in_data_path = report.fallbacks == 0;
  }
  return stepper.state;
}

void check_held_slab() {
  bool data = false, constant = false;
  const auto state = held_slab<Timing::variable>(data);
  CHECK(data && state.q.isZero(0) && state.u.isZero(0));
  CHECK_EQUAL(0, int(state.sigma_T[0] + state.sigma_T[1] + state.sigma_N[0] + state.sigma_N[1]));
  const Real weight = Real(2 * 9.81e-4), small = Real(50) * moreau::detail::epsilon<Real> * weight;
  CHECK_WITHIN(small, weight, state.P_N(0) + state.P_N(1));
  CHECK_WITHIN(small, Real(-5e-4), state.P_T(0, 0) + state.P_T(0, 1));
  // divided in proportion to the normal loads
  CHECK_WITHIN(small, state.P_T(0, 0) * state.P_N(1), state.P_T(0, 1) * state.P_N(0));
  const auto same = held_slab<Timing::constant>(constant);
  CHECK(constant);
  test::BitsHash one, two;
  add_to(one, state);
  add_to(two, same);
  CHECK(one.value() == two.value());
}

// Rod lying on the floor with its end at a wall: at most three contacts.
struct Rod {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 3;
  using Vector = moreau::Vector<Real, 3>;
  Real mu{0};
  moreau::Matrix<Real, 3, 3> mass(const Vector&, Real) const { return Vector(1, 1, Real(0.08)).asDiagonal(); }
  Vector force(const Vector&, const Vector&, Real) const { return {0, Real(-9.81), 0}; }
  Real gap(int i, const Vector& q, Real) const {
    return i == 2 ? -q(0) : q(1) + (i == 0 ? Real(-0.5) : Real(0.5)) * q(2);
  }
  moreau::Directions<Real, 3> directions(int i, const Vector&, Real) const {
    moreau::Directions<Real, 3> d;
    const Real arm = i == 0 ? Real(-0.5) : Real(0.5);
    d.w_N = i == 2 ? Vector(-1, 0, 0) : Vector(0, 1, arm);
    d.w_T = i == 2 ? Vector(0, 1, arm) : Vector(1, 0, 0);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0.5), Real(0), mu}; }
};

// With mu >= 1, pivoting ends on rays here; prox sweeps converge.
void check_rod_into_wall() {
  for (const Real mu : {Real(0.3), Real(0.9), Real(1), Real(1.5)}) {
    Rod rod;
    rod.mu = mu;
    moreau::State<Rod> start;
    start.u(0) = Real(0.3);
    Direct<Rod, Timing::variable> exact{rod, start};
    moreau::Stepper<Rod, moreau::Lemke> lemke{rod, start};
    CHECK_EQUAL(moreau::Status::ok, exact.step(Real(1e-4)).status);
    CHECK_EQUAL(moreau::Status::ok, lemke.step(Real(1e-4)).status);
    CHECK_WITHIN(Real(1e-4), Real(-0.15), exact.state.u(0));
    CHECK_WITHIN(Real(1e-4), Real(-0.15), lemke.state.u(0));
  }
}

// Point in the corner of floor and wall under any push: both timing modes select the same mode, also where rounding
// decides.
struct Corner {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 2;
  using Vector = moreau::Vector<Real, 2>;
  Real m{1}, mu{0};
  Vector push = Vector::Zero();
  moreau::Matrix<Real, 2, 2> mass(const Vector&, Real) const { return Vector(m, m).asDiagonal(); }
  Vector force(const Vector&, const Vector&, Real) const { return push; }
  Real gap(int i, const Vector& q, Real) const { return i == 0 ? q(1) : -q(0); }
  moreau::Directions<Real, 2> directions(int i, const Vector&, Real) const {
    moreau::Directions<Real, 2> d;
    d.w_N = i == 0 ? Vector(0, 1) : Vector(-1, 0);
    d.w_T = i == 0 ? Vector(1, 0) : Vector(0, 1);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0), Real(0), mu}; }
};

void check_corner() {
  test::Random random(30);
  int both = 0;
  for (int n = 0; n < often(5000); ++n) {
    Corner corner;
    corner.m = random.between(Real(0.1), Real(3));
    corner.mu = random.between(Real(0), Real(1));
    corner.push = {random.between(Real(-5), Real(15)), random.between(Real(-20), Real(5))};
    moreau::State<Corner> start;
    start.q = {Real(1e-3), Real(-1e-3)};
    start.u = {random.between(Real(-2e-3), Real(4e-3)), random.between(Real(-4e-3), Real(2e-3))};
    Direct<Corner, Timing::variable> data{corner, start};
    Direct<Corner, Timing::constant> constant{corner, start};
    const auto a = data.step(Real(1e-3)), b = constant.step(Real(1e-3));
    CHECK_EQUAL(a.status, b.status);
    test::BitsHash one, two;
    add_to(one, data.state);
    add_to(two, constant.state);
    CHECK(one.value() == two.value());
    both += data.state.P_N(0) > Real(0) && data.state.P_N(1) > Real(0);
  }
  CHECK(both > often(500));
}

// Rounding errors do not lift a frictionless slab off a foot.
template <Timing timing>
void check_slab_without_friction() {
  Slab slab;
  slab.mu = 0;
  Direct<Slab, timing> stepper{slab, moreau::State<Slab>{}};
  for (int n = 0; n < often(20000); ++n) {
    const auto report = stepper.step(Real(1e-4));
    CHECK(report.status == moreau::Status::ok);
    CHECK_EQUAL(2, report.active);
  }
  CHECK(stepper.state.q.isZero(0) && stepper.state.u.isZero(0));
}

template <Timing timing>
void check_refusals() {
  Block block;
  Direct<Block, timing> stepper{block, moreau::State<Block>{}};
  CHECK(stepper.step(Real(1e-3)).advanced());
  const auto before = stepper.state;
  const auto unchanged = [&] { return stepper.state.q == before.q && stepper.state.u == before.u; };
  stepper.model.mu = Real(-1);
  CHECK(stepper.step(Real(1e-3)).status == moreau::Status::invalid_argument && unchanged());
  stepper.model.mu = Real(0.5);
  stepper.model.eps = Real(1.5);
  CHECK(stepper.step(Real(1e-3)).status == moreau::Status::invalid_argument && unchanged());
  stepper.model.eps = Real(0);
  CHECK(stepper.step(Real(0)).status == moreau::Status::invalid_argument && unchanged());
  CHECK(stepper.step(Real(-1)).status == moreau::Status::invalid_argument && unchanged());
  stepper.model.push = std::numeric_limits<Real>::quiet_NaN();
  CHECK(stepper.step(Real(1e-3)).status == moreau::Status::not_finite && unchanged());
  stepper.model.push = Real(0);
  CHECK(stepper.step(Real(2e-3)).status == moreau::Status::ok);  // with another dt, time continues from its last value
  CHECK_WITHIN(Real(1e-6), Real(3e-3), Real(stepper.state.time()));
}

}  // namespace

void test_woodpecker_is_bit_identical_in_both_timings(void) { check_same_bits<Toy>(Real(1e-4), 5000); }
void test_slider_crank_is_bit_identical_in_both_timings(void) { check_same_bits<Crank>(Real(1e-5), 5000); }
// Constant time evaluates an open contact beside the only closed one. Its friction would jam it if it received any
// percussion.
struct Slanted {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 2;
  using Q = moreau::Vector<Real, 2>;
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return moreau::Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  Real gap(int i, const Q& q, Real) const { return i == 0 ? q(1) : Real(1) + q(0); }
  moreau::Directions<Real, 2> directions(int i, const Q&, Real) const {
    moreau::Directions<Real, 2> d;
    d.w_N = i == 0 ? Q(0, 1) : Q(1, 0);
    d.w_T = i == 0 ? Q(1, 0) : Q(3, 1);  // w_N^T w_T mu > w_N^T w_N
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {0, 0, Real(0.5)}; }
};
void test_open_contact_does_not_influence_the_step(void) {
  for (const Real side : {Real(1), Real(-1)}) {
    moreau::State<Slanted> start;
    start.u = {side, Real(-1)};
    Direct<Slanted, Timing::constant> constant{Slanted{}, start};
    const auto report = constant.step(Real(1e-3));
    CHECK(report.status == moreau::Status::ok && report.active == 1 && report.fallbacks == 0);
    CHECK(constant.state.P_N(0) == 1 && constant.state.P_T(0, 0) == -side / 2);
    CHECK(constant.state.P_N(1) == 0 && constant.state.P_T(0, 1) == 0);
  }
}

void test_stuck_block_does_not_creep(void) {
  for (const Real m : {Real(0.3), Real(1) / Real(3), Real(7.1), Real(1e-3)}) {
    check_no_drift<Timing::variable>(m);
    check_no_drift<Timing::constant>(m);
  }
}
void test_agrees_with_lemke(void) { check_against_lemke(); }
void test_slab_held_by_friction_rests(void) { check_held_slab(); }
void test_friction_coefficient_above_one(void) { check_rod_into_wall(); }
void test_corner_is_bit_identical_in_both_timings(void) { check_corner(); }
void test_frictionless_slab_rests(void) {
  check_slab_without_friction<Timing::variable>();
  check_slab_without_friction<Timing::constant>();
}
void test_rejected_steps_in_variable_time(void) { check_refusals<Timing::variable>(); }
void test_rejected_steps_in_constant_time(void) { check_refusals<Timing::constant>(); }

void test_steps_agree_with_the_declared_coverage(void) {
  const Crank crank, jammed = Crank::jammed();
  check_covered<Crank, Exact>(crank, crank.start_tilted(), 6000, true);
  check_covered<Crank, Exact>(crank, crank.start_at_rest(), 500, true);
  check_covered<Crank, Exact>(jammed, jammed.start_at_rest(), 50, false);
  check_covered<Crank, moreau::ClosedForms>(crank, crank.start_at_rest(), 500, true);
  check_covered<Crank, moreau::Sweeps>(jammed, jammed.start_at_rest(), 5, true);
  check_covered<Crank, moreau::Newton>(jammed, jammed.start_at_rest(), 5, true);
}

TEST_MAIN({
  TEST(test_steps_agree_with_the_declared_coverage);
  TEST(test_woodpecker_is_bit_identical_in_both_timings);
  TEST(test_slider_crank_is_bit_identical_in_both_timings);
  TEST(test_open_contact_does_not_influence_the_step);
  TEST(test_stuck_block_does_not_creep);
  TEST(test_agrees_with_lemke);
  TEST(test_slab_held_by_friction_rests);
  TEST(test_friction_coefficient_above_one);
  TEST(test_corner_is_bit_identical_in_both_timings);
  TEST(test_frictionless_slab_rests);
  TEST(test_rejected_steps_in_variable_time);
  TEST(test_rejected_steps_in_constant_time);
})
