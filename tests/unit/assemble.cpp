// From the model to the contact problem: G and c against their definition, friction elements, slip-dependent mu,
// corners with a common direction.
#include "support/test.hpp"

#include <moreau/moreau.hpp>

namespace {

constexpr Real few_roundings = Real(16) * moreau::detail::epsilon<Real>;
constexpr Real dt = Real(1e-3);

moreau::Psor converged_psor() {
  moreau::Psor psor;
  psor.max_iterations = 10000;
  return psor;
}

// Box on its face: q = (x, y, phi), corners at (-+1, -1/2) from its centre. Both corners touch the ground y = 0.
struct Box {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 2;
  using Q = moreau::Vector<Real, 3>;
  Real m{2}, J{0.5}, pull{0}, zeta_N{0}, zeta_T{0};
  moreau::ContactLaw<Real> contact_law{Real(0), Real(0), Real(0.5)};
  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const {
    moreau::Matrix<Real, 3, 3> M = moreau::Matrix<Real, 3, 3>::Zero();
    M(0, 0) = M(1, 1) = m;
    M(2, 2) = J;
    return M;
  }
  Q force(const Q&, const Q&, Real) const { return Q(pull, Real(-8) * m, Real(0)); }
  Real gap(int i, const Q& q, Real) const { return q(1) - Real(0.5) + (i == 0 ? -q(2) : q(2)); }
  moreau::Directions<Real, 3> directions(int i, const Q&, Real) const {
    moreau::Directions<Real, 3> d;
    d.w_N = Q(Real(0), Real(1), i == 0 ? Real(-1) : Real(1));
    d.w_T = Q(Real(1), Real(0), Real(0.5));
    d.zeta_N = zeta_N;
    d.zeta_T = zeta_T;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return contact_law; }
};

moreau::State<Box> standing() {
  moreau::State<Box> state;
  state.q(1) = Real(0.5);
  return state;
}

// Sliding box: both solvers' distributions of friction give the same motion.
template <class Solver>
moreau::State<Box> slid(const Solver& solver, Real speed, Real pull) {
  Box box;
  box.pull = pull;
  moreau::State<Box> start = standing();
  start.q(1) -= Real(1e-5);  // deep enough for both corners to stay closed in spite of rounding
  start.u(0) = speed;
  moreau::Stepper<Box, Solver> stepper(box, start, solver);
  for (int i = 0; i < 200; ++i) CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  return stepper.state;
}

template <class Other>
void check_same_motion(const Other& other, Real speed, Real pull) {
  const auto a = slid(moreau::Exact{}, speed, pull), b = slid(other, speed, pull);
  const Real close = sizeof(Real) == 8 ? Real(1e-9) : Real(2e-5);  // 200 steps of a converged iteration
  for (int i = 0; i < 3; ++i) {
    CHECK_WITHIN(close, a.u(i), b.u(i));
    CHECK_WITHIN(close, a.q(i), b.q(i));
  }
}

// Masses on a line, each with a dry friction element; `belt` is the velocity of the surface they slide on.
struct FrictionLine {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0, frictions = 2;
  using Q = moreau::Vector<Real, 2>;
  Q pull = Q::Zero(), bound = Q(Real(3), Real(3));
  Real belt{0};
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return Real(1.5) * moreau::Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return pull; }
  Real friction_bound(int j, const Q&, Real) const { return bound(j); }
  moreau::FrictionDirections<Real, 2> friction_directions(int j, const Q&, Real) const {
    moreau::FrictionDirections<Real, 2> d;
    d.w(j, 0) = Real(1);
    d.zeta = -belt;
    return d;
  }
};

template <class Solver>
void check_friction_line(const Solver& solver) {
  const Real close = sizeof(Real) == 8 ? Real(1e-10) : Real(1e-5);
  FrictionLine model;
  model.pull = {Real(0), Real(2.9)};
  moreau::State<FrictionLine> start;
  start.u(0) = Real(1);
  moreau::Stepper<FrictionLine, Solver> stepper(model, start, solver);
  // 3 N against 1.5 kg: from 1 m/s to rest in 0.5 s; the other mass is pulled with less than its bound.
  for (int i = 0; i < 250; ++i) CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  CHECK_WITHIN(close, Real(0.5), stepper.state.u(0));
  CHECK_WITHIN(close, Real(-3) * dt, stepper.state.P_F(0, 0));
  CHECK_EQUAL(1, stepper.state.sigma_F[0]);
  for (int i = 0; i < 260; ++i) CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  CHECK_WITHIN(close * dt, Real(0), stepper.state.u(0));
  CHECK_EQUAL(0, stepper.state.sigma_F[0]);
  CHECK_WITHIN(close * dt, Real(0), stepper.state.u(1));
  CHECK_WITHIN(close, Real(-2.9) * dt, stepper.state.P_F(0, 1));
  CHECK_EQUAL(0, stepper.state.sigma_F[1]);
  stepper.model.pull(1) = Real(3.15);  // inputs may change between steps: 0.15 N too much
  for (int i = 0; i < 100; ++i) CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  CHECK_WITHIN(close, Real(0.01), stepper.state.u(1));
  stepper.model.pull(1) = Real(0);
  stepper.model.belt = Real(0.25);  // moves both masses along
  for (int i = 0; i < 500; ++i) CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  CHECK_WITHIN(close, Real(0.25), stepper.state.u(0));
  CHECK_WITHIN(close, Real(0.25), stepper.state.u(1));
}

// Puck on a table with planar dry friction.
struct Puck {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0, frictions = 1, friction_dim = 2;
  using Q = moreau::Vector<Real, 2>;
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return Real(1.5) * moreau::Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  Real friction_bound(int, const Q&, Real) const { return Real(3); }
  moreau::FrictionDirections<Real, 2, 2> friction_directions(int, const Q&, Real) const {
    moreau::FrictionDirections<Real, 2, 2> d;
    d.w.setIdentity();
    return d;
  }
};

// Friction that decreases with the slip speed; stores the arguments of its evaluations.
template <int tangent_count>
struct Falling {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 1, tangents = tangent_count;
  using Q = moreau::Vector<Real, 3>;
  mutable Real last_slip_speed = Real(-1);
  mutable int times = 0;
  moreau::Matrix<Real, 3, 3> mass(const Q&, Real) const { return moreau::Matrix<Real, 3, 3>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0), Real(0), Real(-10)); }
  Real gap(int, const Q& q, Real) const { return q(2); }
  moreau::Directions<Real, 3, tangents> directions(int, const Q&, Real) const {
    moreau::Directions<Real, 3, tangents> d;
    d.w_N(2) = Real(1);
    d.w_T(0, 0) = Real(1);
    if constexpr (tangents == 2) {
      d.w_T(1, 1) = Real(1);
      d.zeta_T = {Real(1), Real(0)};
    } else {
      d.zeta_T = Real(1);
    }
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0), Real(0), Real(77)}; }  // mu() replaces this mu
  Real mu(int, Real v) const {
    last_slip_speed = v;
    ++times;
    return Real(1) / (Real(1) + v);
  }
};

}  // namespace

void test_problem_against_its_definition(void) {
  Box box;
  box.contact_law = {Real(0.5), Real(0.25), Real(0.375)};
  box.zeta_N = Real(-0.125);
  box.zeta_T = Real(2);
  const moreau::Vector<Real, 3> q(Real(0), Real(0.25), Real(0)), u_A(Real(3), Real(-1), Real(2)),
      u_free(Real(3), Real(-1.5), Real(2));
  static moreau::detail::Assembly<Box> assembly;
  const moreau::detail::Evaluation<Box> at(box, q, Real(0));
  CHECK(assembly.mass.factor(at.mass()));
  moreau::State<Box> state;
  // Through a step, so that the test relies only on the step's order of calls.
  state.q = q - Real(0.5) * dt * u_A;
  state.u = u_A;
  moreau::Stepper<Box, moreau::Lemke> stepper(box, state);
  CHECK_EQUAL(2, stepper.step(dt).active);
  const auto& s = stepper.state;
  // gamma_E + eps gamma_A >= 0 with zeta in both, once each: the velocity after the impact determines c.
  for (int i = 0; i < 2; ++i) {
    const auto d = box.directions(i, q, Real(0));
    const Real gamma_A = moreau::dot(d.w_N, u_A) + d.zeta_N, gamma_E = moreau::dot(d.w_N, s.u) + d.zeta_N;
    const Real xi = gamma_E + Real(0.5) * gamma_A;
    if (s.P_N(i) > Real(0))
      CHECK_WITHIN(few_roundings * Real(10), Real(0), xi);
    else
      CHECK(xi >= Real(0));
    const Real slip = moreau::dot(moreau::Vector<Real, 3>(d.w_T), s.u) + d.zeta_T +
                      Real(0.25) * (moreau::dot(moreau::Vector<Real, 3>(d.w_T), u_A) + d.zeta_T);
    if (slip > Real(0.01)) CHECK_WITHIN(few_roundings * Real(10), Real(-0.375) * s.P_N(i), s.P_T(0, i));
  }
  // M (u_E - u_free) = W P
  Real sum[3] = {0, 0, 0};
  for (int i = 0; i < 2; ++i) {
    const auto d = box.directions(i, q, Real(0));
    for (int j = 0; j < 3; ++j) sum[j] += d.w_N(j) * s.P_N(i) + d.w_T(j, 0) * s.P_T(0, i);
  }
  CHECK_WITHIN(few_roundings * Real(10), box.m * (s.u(0) - u_A(0)), sum[0]);
  CHECK_WITHIN(few_roundings * Real(10), box.m * (s.u(1) - (u_A(1) - Real(8) * dt)), sum[1]);
  CHECK_WITHIN(few_roundings * Real(10), box.J * (s.u(2) - u_A(2)), sum[2]);
}

void test_corners_with_a_common_direction(void) {
  for (const Real speed : {Real(0), Real(1), Real(-2)})
    for (const Real pull : {Real(0), Real(4), Real(-7)}) {
      check_same_motion(moreau::Lemke{}, speed, pull);
      check_same_motion(converged_psor(), speed, pull);
    }
}

void test_zero_normal_direction_is_rejected(void) {
  struct ZeroDirection : Box {
    moreau::Directions<Real, 3> directions(int i, const Q& q, Real t) const {
      moreau::Directions<Real, 3> d = Box::directions(i, q, t);
      if (i == 1) d.w_N.setZero();
      return d;
    }
  };
  moreau::State<ZeroDirection> start;
  start.q(1) = Real(0.5);
  moreau::Stepper<ZeroDirection> stepper(ZeroDirection{}, start);
  CHECK_EQUAL(moreau::Status::invalid_argument, stepper.step(dt).status);
  stepper.state.q(1) = Real(2);  // open: the direction is not evaluated
  CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
}

void test_dry_friction_along_a_line(void) {
  check_friction_line(moreau::Exact{}), check_friction_line(moreau::Lemke{}), check_friction_line(converged_psor());
}

void test_dry_friction_in_a_plane(void) {
  moreau::State<Puck> start;
  start.u = {Real(0.6), Real(-0.8)};
  moreau::Stepper<Puck> stepper(Puck{}, start);
  const Real close = sizeof(Real) == 8 ? Real(1e-10) : Real(1e-5);
  for (int i = 0; i < 250; ++i) CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  CHECK_WITHIN(close, Real(0.3), stepper.state.u(0));  // slower, in the same direction
  CHECK_WITHIN(close, Real(-0.4), stepper.state.u(1));
  CHECK_WITHIN(close, Real(-1.8) * dt, stepper.state.P_F(0, 0));
  CHECK_WITHIN(close, Real(2.4) * dt, stepper.state.P_F(1, 0));
  for (int i = 0; i < 260; ++i) CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  CHECK_WITHIN(close * dt, Real(0), stepper.state.u(0));
  CHECK_WITHIN(close * dt, Real(0), stepper.state.u(1));
  CHECK_EQUAL(0, stepper.state.sigma_F[0]);
}

void test_friction_decreasing_with_the_slip_speed(void) {
  moreau::State<Falling<1>> start;
  start.u(0) = Real(-4);  // 3 m/s against a surface that moves with 1 m/s
  moreau::Stepper<Falling<1>> stepper(Falling<1>{}, start);
  stepper.model.times = 0;  // the stepper has evaluated the law on construction
  CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  CHECK_EQUAL(Real(3), stepper.model.last_slip_speed);
  CHECK_EQUAL(1, stepper.model.times);
  CHECK_WITHIN(few_roundings, Real(0.25) * Real(10) * dt, stepper.state.P_T(0, 0));
}

void test_slip_speed_in_space_is_a_norm(void) {
  moreau::State<Falling<2>> start;
  start.u = {Real(2), Real(4), Real(0)};  // with the surface velocity of 1 m/s: 3 and 4
  moreau::Stepper<Falling<2>> stepper(Falling<2>{}, start);
  stepper.model.times = 0;
  CHECK_EQUAL(moreau::Status::ok, stepper.step(dt).status);
  CHECK_WITHIN(few_roundings, Real(5), stepper.model.last_slip_speed);
  CHECK_EQUAL(1, stepper.model.times);
  const Real limit = Real(10) * dt / Real(6);
  // the slip direction rotates slightly within the step
  CHECK_WITHIN(Real(1e-3) * limit, Real(-0.6) * limit, stepper.state.P_T(0, 0));
  CHECK_WITHIN(Real(1e-3) * limit, Real(-0.8) * limit, stepper.state.P_T(1, 0));
}

// Feet on the ground, some of them open: their rows are zero, for either policy.
template <bool at_instants>
struct Feet : Box {
  static constexpr bool second_order = at_instants;
  bool flat = false;
  Real allowed_penetration(int) const { return Real(1e-5); }
  moreau::Directions<Real, 3> directions(int i, const Q& q, Real t) const {
    auto d = Box::directions(i, q, t);
    if (flat) d.w_N.setZero();
    return d;
  }
};
template <class C>
struct SomeFeet {
  static constexpr int k = 2;
  unsigned closed;
  static constexpr int id(int i) { return i; }
  auto present(int i) const { return moreau::detail::nth_bit<C>(closed, i); }
};
template <class C, bool at_instants>
struct Assembled {
  using Model = Feet<at_instants>;
  moreau::detail::Assembly<Model> assembly;
  typename moreau::detail::ProblemOf<Model>::Percussions P;
  moreau::Sigmas<moreau::detail::ProblemOf<Model>> sigmas{};
  bool pushes, sums;
  Real residual, relative;
  moreau::Status status;

  Assembled(const Model& model, const moreau::State<Model>& state, unsigned closed) {
    using namespace moreau::detail;
    const SomeFeet<C> feet{closed};
    const Evaluation<Model> at(model, state.q, Real(0));
    MidpointGaps<Model> gaps;
    ContactPolicy<C, Model> rule(state, gaps);
    if constexpr (at_instants) rule.begin(dt), rule.set_time(Real(0));
    for_each_index<2>([&](auto i) { rule.set_gap(model, i, Real(0)); });
    CHECK(assembly.mass.factor(at.mass()));
    const auto filled =
        assembly.template fill_set<C>(feet, feet, model, at, state.u, state.u, dt, ContactRules{PaperBaseStep{}, rule});
    pushes = C::as_bit(filled.pushes) != 0;
    sums = filled.sum == 0;
    warm_start<C>(state, assembly.problem, feet, P);
    const auto verdict = evaluate<C>(
        assembly.problem, P, [&](int i) { return feet.present(i); }, moreau::Judge<Real>{}, sigmas);
    residual = verdict.residual;
    relative = verdict.relative;
    status = verdict.status();
  }
};
template <bool at_instants>
void check_open_feet(unsigned closed, bool flat) {
  Feet<at_instants> model;
  model.flat = flat;
  moreau::State<Feet<at_instants>> state;
  state.q(1) = Real(0.5);
  state.u = {Real(0.5), Real(-1), Real(0.25)};
  state.P_N = {Real(0.125), Real(0.75)};
  state.P_T << Real(0.0625), Real(-0.25);
  const Assembled<moreau::detail::Branching, at_instants> jumps(model, state, closed);
  const Assembled<moreau::detail::Branchless, at_instants> moves(model, state, closed);
  CHECK(jumps.assembly.problem.G == moves.assembly.problem.G && jumps.assembly.problem.c == moves.assembly.problem.c);
  CHECK(jumps.assembly.problem.mu == moves.assembly.problem.mu && jumps.P == moves.P);
  CHECK(jumps.sigmas.N == moves.sigmas.N && jumps.sigmas.T == moves.sigmas.T);
  CHECK(jumps.pushes == moves.pushes && jumps.sums && moves.sums);
  CHECK(jumps.pushes == !(flat && closed != 0));
  if (jumps.pushes) {
    CHECK(jumps.residual == moves.residual && jumps.relative == moves.relative && jumps.status == moves.status);
    CHECK((jumps.residual > 0) == (closed != 0));
  }
  for (int i = 0; i < 2; ++i) {
    const bool there = (closed >> i & 1) != 0;
    CHECK((jumps.P(2 * i) != 0) == (there && !flat) && (jumps.assembly.problem.c(2 * i + 1) != 0) == there);
    if (!there) CHECK(jumps.sigmas.N[std::size_t(i)] == 1 && jumps.sigmas.T[std::size_t(i)] == 1);
  }
}
void test_open_contacts_are_rows_of_zeros(void) {
  for (unsigned closed = 0; closed < 4; ++closed)
    for (const bool flat : {false, true}) {
      check_open_feet<false>(closed, flat);
      check_open_feet<true>(closed, flat);
    }
}

// Rail that declares constant mass and directions. Any deviation is detected before data are stored.
enum class Deviation { none, mass, w_N, w_T, zeta_N, zeta_T, no_mass };
struct Rail {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 1;
  static constexpr bool constant_mass = true, constant_directions = true;
  using Q = moreau::Vector<Real, 2>;
  Deviation deviation = Deviation::none;
  moreau::Matrix<Real, 2, 2> mass(const Q& q, Real) const {
    const Real m = deviation == Deviation::mass ? 2 + q(0) : (deviation == Deviation::no_mass ? Real(0) : Real(2));
    return m * moreau::Matrix<Real, 2, 2>::Identity();
  }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  Real gap(int, const Q& q, Real) const { return q(1); }
  moreau::Directions<Real, 2> directions(int, const Q& q, Real t) const {
    moreau::Directions<Real, 2> d;
    d.w_N = Q(deviation == Deviation::w_N ? q(0) : Real(0), Real(1));
    d.w_T = Q(Real(1), deviation == Deviation::w_T ? q(0) : Real(0));
    d.zeta_N = deviation == Deviation::zeta_N ? t : Real(0);
    d.zeta_T = deviation == Deviation::zeta_T ? t : Real(0);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
};
void test_stored_contact_data_requires_a_constant_model(void) {
  for (const Deviation deviation : {Deviation::none, Deviation::mass, Deviation::w_N, Deviation::w_T, Deviation::zeta_N,
                                    Deviation::zeta_T, Deviation::no_mass}) {
    Rail rail;
    rail.deviation = deviation;
    moreau::detail::ContactTable<Rail> table;
    moreau::detail::TableMass<Rail> mass;
    CHECK_EQUAL(deviation == Deviation::none, table.fill(rail, Rail::Q::Zero(), Real(0), mass));
    CHECK_EQUAL(deviation == Deviation::none, table.is_of(rail));
  }
}

TEST_MAIN({
  TEST(test_open_contacts_are_rows_of_zeros);
  TEST(test_stored_contact_data_requires_a_constant_model);
  TEST(test_problem_against_its_definition);
  TEST(test_corners_with_a_common_direction);
  TEST(test_zero_normal_direction_is_rejected);
  TEST(test_dry_friction_along_a_line);
  TEST(test_dry_friction_in_a_plane);
  TEST(test_friction_decreasing_with_the_slip_speed);
  TEST(test_slip_speed_in_space_is_a_norm);
})
