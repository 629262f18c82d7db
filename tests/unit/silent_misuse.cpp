// Mistakes of models and parts lists that gave wrong numbers with the status `ok`: each is rejected, or reported by a
// check.
#include <limits>
#include <moreau/check/model_checker.hpp>
#include <moreau/check/run_checker.hpp>
#include <moreau/check/start_checker.hpp>
#include <moreau/mechanism.hpp>
#include <moreau/record/recorder.hpp>

#include "models/slider_crank_parts.hpp"
#include "models/woodpecker.hpp"
#include "support/joint_coordinates.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

using namespace moreau;
using Member = CheckReport<Real>::Member;
constexpr Real dt = Real(1e-3);

template <class Model>
void check_rejected(const Model& model, Cause cause, int index) {
  const auto finding = check_start(model, State<Model>{}).worst_of(Member::parameters);
  CHECK(!finding.ok() && finding.index == index && Cause(finding.coordinate) == cause);
  Stepper machine{model, State<Model>{}};
  const auto start = machine.start_report();
  CHECK(start.status == Status::invalid_argument && start.cause == cause && start.index == index);
  const auto step = machine.step(dt);
  CHECK(step.status == Status::invalid_argument && step.cause == cause && step.index == index);
}
template <class Model>
void check_accepted(const Model& model) {
  Stepper machine{model, State<Model>{}};
  CHECK(machine.start_report().status == Status::ok);
  CHECK(machine.step(dt).advanced());
}

struct Ball {
  using Real = ::Real;
  enum Names { ball, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1)}};
};

// ---- values of parts ----

template <class Part>
struct One : Ball {
  Gravity<Real> gravity;
  Part joint;
  auto parts() const { return std::tie(gravity, joint); }
};

// A joint of a user with its own clearance.
struct OwnBearing : RevoluteClearance<Real, ground, 0> {
  bool valid() const { return true; }
};

template <class Part>
void check_play(const Part& good) {
  Mechanism<One<Part>> model;
  model.joint = good;
  check_accepted(model);
  for (const Real bad : {Part{}.play, Real(0), Real(-1e-3), std::numeric_limits<Real>::infinity()}) {
    model.joint.play = bad;
    check_rejected(model, Cause::part, 1);
  }
}

void test_forgotten_play_is_rejected(void) {
  RevoluteClearance<Real, ground, 0> bearing;
  PrismaticClearance<Real, ground, 0> guide;
  SlotClearance<Real, ground, 0> slot;
  Backlash<Real, ground, 0> teeth;
  OwnBearing own;
  bearing.play = guide.play = slot.play = teeth.play = own.play = Real(1e-3);
  guide.a = Real(0.1);
  check_play(bearing);
  check_play(guide);
  check_play(slot);
  check_play(teeth);
  check_play(own);
}

template <class Part>
void check_damping() {
  Mechanism<One<Part>> model;
  check_accepted(model);
  for (const Real bad : {Real(-1e-6), std::numeric_limits<Real>::quiet_NaN()}) {
    model.joint.damping = bad;
    check_rejected(model, Cause::part, 1);
  }
}

void test_negative_damping_is_rejected(void) {
  check_damping<Spring<Real, ground, 0>>();
  check_damping<TorsionSpring<Real, ground, 0>>();
  check_damping<Motor<Real, ground, 0>>();
  Mechanism<One<Spring<Real, ground, 0>>> over_centre;
  over_centre.joint.stiffness = Real(-10);
  check_accepted(over_centre);
}

struct Bearing : One<RevoluteClearance<Real, ground, 0>> {
  Real allowed_penetration_per_play = Real(2e-3);
};

void test_allowed_penetration_above_the_play_is_rejected(void) {
  Mechanism<Bearing> model;
  model.joint.play = Real(1e-3);
  for (const Real good : {Real(0), Real(2e-3), Real(1)}) {
    model.allowed_penetration_per_play = good;
    check_accepted(model);
  }
  for (const Real bad : {Real(50), Real(1.001), Real(-1), std::numeric_limits<Real>::quiet_NaN()}) {
    model.allowed_penetration_per_play = bad;
    check_rejected(model, Cause::allowed_penetration, 0);
  }
}

// ---- contact laws without effect ----

struct Bouncer {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 2, tangents = 0;
  using Q = Vector<Real, 1>;
  ContactLaw<Real> laws[2] = {{Real(0.5), Real(0), Real(0)}, {Real(0.5), Real(0), Real(0)}};
  Real allowed = Real(1e-6);
  Matrix<Real, 1, 1> mass(const Q&, Real) const { return Matrix<Real, 1, 1>(Real(1)); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(-9.81)); }
  Real gap(int, const Q& q, Real) const { return q(0) + 1; }
  Directions<Real, 1, 0> directions(int, const Q&, Real) const {
    Directions<Real, 1, 0> d;
    d.w_N(0) = Real(1);
    return d;
  }
  ContactLaw<Real> law(int i) const { return laws[i]; }
  Real allowed_penetration(int) const { return allowed; }
};

struct SmoothBall : Ball {
  static constexpr int tangents = 0;
  PointOnLine<Real, ground, ball> foot, toe;
  auto parts() const { return std::tie(foot, toe); }
};

template <class Model, class Law>
void check_law_without_tangents(Model& model, Law& law) {
  check_accepted(model);
  for (Real* number : {&law.mu, &law.eps_T}) {
    *number = Real(0.3);
    check_rejected(model, Cause::law, 1);
    const auto report = check_model(model, State<Model>{}.q, State<Model>{}.u, Real(0));
    CHECK(!report.worst_of(number == &law.mu ? Member::w_T_zero : Member::eps_T_unused).ok());
    *number = Real(0);
  }
}

void test_friction_without_tangents_is_rejected(void) {
  Bouncer bouncer;
  check_law_without_tangents(bouncer, bouncer.laws[1]);
  Mechanism<SmoothBall> ball;
  check_law_without_tangents(ball, ball.toe.law);
}

void test_allowed_penetration_of_the_size_of_the_mechanism_is_reported(void) {
  Bouncer model;
  CheckOptions<Real> options;
  options.length = Real(0.1);
  const auto finding = [&] {
    return check_model(model, Bouncer::Q(Real(0)), Bouncer::Q(Real(0)), Real(0), options)
        .worst_of(Member::allowed_penetration);
  };
  CHECK(finding().ok());
  model.allowed = Real(2e-3);
  CHECK(!finding().ok());
}

// ---- step size ----

template <class S>
void check_step_sizes(S machine) {
  for (const Real bad : {Real(128), Real(1e6), Real(1e30), std::numeric_limits<Real>::max()}) {
    const auto report = machine.step(bad);
    CHECK(report.status == Status::invalid_argument && report.cause == Cause::dt);
    CHECK(machine.state.q(0) == Real(0));
  }
  CHECK(machine.step(Real(127.5)).cause != Cause::dt);
}

void test_giant_step_size_is_rejected(void) {
  const State<Bouncer> start;
  check_step_sizes(Stepper{Bouncer{}, start});
  check_step_sizes(Stepper<Bouncer, ClosedForms>{Bouncer{}, start});
  check_step_sizes(Stepper<Bouncer, Exact, Timing::constant>{Bouncer{}, start});
  check_step_sizes(Stepper<Bouncer, Sweeps, Timing::constant>{Bouncer{}, start});
}

// ---- scale of directions ----

// Block on a floor. `unit` is the unit of the sliding direction: 1 m, or 1000 for mm.
struct Block {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 1;
  using Q = Vector<Real, 3>;
  Real unit = Real(1), half_height = Real(0.05);
  Matrix<Real, 3, 3> mass(const Q&, Real) const { return Q(Real(2), Real(2), Real(1e-3)).asDiagonal(); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0), Real(-20), Real(0)); }
  Real gap(int, const Q& q, Real) const { return q(1); }
  Directions<Real, 3> directions(int, const Q&, Real) const {
    Directions<Real, 3> d;
    d.w_N = Q(Real(0), Real(1), Real(0));
    d.w_T = unit * Q(Real(1), Real(0), half_height);
    return d;
  }
  ContactLaw<Real> law(int) const { return {Real(0), Real(0), Real(0.3)}; }
};

void test_sliding_direction_in_millimetres_is_reported(void) {
  Block model;
  const auto finding = [&] {
    return check_model(model, Block::Q(Block::Q::Zero()), Block::Q(Block::Q::Zero()), Real(0))
        .worst_of(Member::w_T_scale);
  };
  CHECK(finding().ok());
  CHECK_WITHIN(Real(1e-2), Real(2.45), finding().deviation);  // sqrt((1/2 + 0.05^2 / 1e-3) / (1/2))
  model.unit = Real(1000);
  CHECK(!finding().ok() && finding().index == 0);
}

// Block in space with two sliding directions and a seal with two, of which the second can be forgotten.
struct Sled {
  using Real = ::Real;
  static constexpr int dof = 3, contacts = 1, tangents = 2, frictions = 1, friction_dim = 2;
  using Q = Vector<Real, 3>;
  Real second_w_T = Real(1), second_w = Real(1), mu = Real(0.3), bound = Real(5);
  Matrix<Real, 3, 3> mass(const Q&, Real) const { return Matrix<Real, 3, 3>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  Real gap(int, const Q& q, Real) const { return q(2); }
  Directions<Real, 3, 2> directions(int, const Q&, Real) const {
    Directions<Real, 3, 2> d;
    d.w_N(2) = d.w_T(0, 0) = Real(1);
    d.w_T(1, 1) = second_w_T;
    return d;
  }
  ContactLaw<Real> law(int) const { return {Real(0), Real(0), mu}; }
  Real friction_bound(int, const Q&, Real) const { return bound; }
  FrictionDirections<Real, 3, 2> friction_directions(int, const Q&, Real) const {
    FrictionDirections<Real, 3, 2> d;
    d.w(0, 0) = Real(1);
    d.w(1, 1) = second_w;
    return d;
  }
};

void test_forgotten_sliding_direction_is_reported(void) {
  Sled model;
  const auto finds = [&](Member member) {
    return !check_model(model, Sled::Q(Sled::Q::Zero()), Sled::Q(Sled::Q::Zero()), Real(0)).worst_of(member).ok();
  };
  CHECK(!finds(Member::w_T_zero) && !finds(Member::friction_w_zero));
  model.second_w_T = model.second_w = Real(0);
  CHECK(finds(Member::w_T_zero) && finds(Member::friction_w_zero));
  model.mu = model.bound = Real(0);
  CHECK(!finds(Member::w_T_zero) && !finds(Member::friction_w_zero));
}

// Parts of a user with one fault each.
enum class Fault { none, normal, friction, friction_reaction, row_reaction, force_reaction, pinion };
struct OwnJoint {
  static constexpr int body_A = 0, body_B = 1, contacts = 1, frictions = 1, bilaterals = 1;
  Fault fault = Fault::none;
  ContactLaw<Real> law{};
  Real bound = Real(1);
  Real factor(Fault what, Real wrong) const { return fault == what ? wrong : Real(1); }

  JointContact<Real> contact(int, const Frame<Real>& A, const Frame<Real>& B) const {
    const Real unit = factor(Fault::normal, Real(1000));
    JointContact<Real> c;
    c.n = unit * Point<Real>{Real(0), Real(1)};
    c.g_N = unit * (B.r.y - A.r.y + 1);
    c.p = B.r;
    return c;
  }
  FrictionRow<Real> friction(int, const Frame<Real>& A, const Frame<Real>& B) const {
    const Point<Real> along = factor(Fault::friction, Real(1000)) * Point<Real>{Real(1), Real(0)};
    return {wrench_at(A, B.r, factor(Fault::friction_reaction, Real(0)) * -along), wrench_at(B, B.r, along)};
  }
  JointRow<Real> bilateral(int, const Frame<Real>& A, const Frame<Real>& B, Real) const {
    const Point<Real> along{Real(1), Real(0)};
    return {wrench_at(A, B.r, factor(Fault::row_reaction, Real(-1)) * -along), wrench_at(B, B.r, along), Real(0),
            B.r.x - A.r.x};
  }
  Action<Real> action(const BodyState<Real>&, const BodyState<Real>&, Real) const {
    const Point<Real> f{Real(0), Real(3)};
    if (fault == Fault::pinion) return {{{}, Real(0.3)}, {f, Real(0)}};  // no fault: the bearing of A takes the force
    return {{factor(Fault::force_reaction, Real(0)) * -f, Real(0)}, {f, Real(0)}};
  }
};
struct TwoBodies {
  using Real = ::Real;
  enum Names { one, other, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1)}, {Real(1), Real(1)}};
  Gravity<Real> gravity;
  OwnJoint joint;
  auto parts() const { return std::tie(gravity, joint); }
};

void test_own_part_with_a_wrong_scale_or_reaction_is_reported(void) {
  using Model = Mechanism<TwoBodies>;
  const State<Model> start;
  const struct {
    Fault fault;
    Member member;
  } cases[] = {{Fault::normal, Member::part_units},
               {Fault::friction, Member::part_units},
               {Fault::friction_reaction, Member::part_reaction},
               {Fault::row_reaction, Member::part_reaction},
               {Fault::force_reaction, Member::part_reaction}};
  Model model;
  for (const Fault fault : {Fault::none, Fault::pinion}) {
    model.joint.fault = fault;
    CHECK(check_model(model, start.q, start.u, Real(0)).ok());
  }
  for (const auto& c : cases) {
    model.joint.fault = c.fault;
    const auto report = check_model(model, start.q, start.u, Real(0));
    CHECK(!report.worst_of(c.member).ok());
    CHECK_EQUAL(1, report.worst_of(c.member).index);  // the position in parts()
  }
}

// ---- surfaces that change ----

// Point that moves past the teeth of a ratchet of the given pitch. The gap is that of the next tooth.
struct Ratchet {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  using Q = Vector<Real, 1>;
  bool one_number = true;  // one contact number for all teeth
  Real pitch = Real(0.01), wall = Real(0);
  Matrix<Real, 1, 1> mass(const Q&, Real) const { return Matrix<Real, 1, 1>(Real(1)); }
  Q force(const Q&, const Q&, Real) const { return Q(Real(0)); }
  // The next tooth is that at half a tooth ahead, or further.
  Real gap(int, const Q& q, Real) const {
    Real tooth = pitch;
    while (one_number && tooth < q(0) - pitch / 4) tooth += pitch;
    return wall + tooth - q(0);
  }
  Directions<Real, 1, 0> directions(int, const Q&, Real) const {
    Directions<Real, 1, 0> d;
    d.w_N(0) = Real(-1);
    return d;
  }
  ContactLaw<Real> law(int) const { return {}; }
};

void test_contact_that_changes_its_surface_is_reported(void) {
  Ratchet model;
  State<Ratchet> start;
  CheckOptions<Real> options;
  options.scan = Real(0.02);  // two teeth
  const auto jump = [&] { return check_model(model, start.q, start.u, Real(0), options).worst_of(Member::gap_jump); };
  CHECK(!jump().ok());
  CHECK_WITHIN(Real(1e-5), model.pitch, jump().deviation);
  options.scan = Real(0);
  CHECK(jump().ok());
  options.scan = Real(0.02);
  model.one_number = false;
  CHECK(jump().ok());

  // The point passes three teeth between two midpoints, each time to the middle of the next gap, without an impact.
  start.u(0) = Real(30);
  for (const bool one_number : {true, false}) {
    model.one_number = one_number;
    Stepper machine{model, start};
    RunChecker watch{machine};
    CHECK(run(machine, dt, 10, watch).advanced());
    CHECK_EQUAL(one_number, !watch.report().worst_of(Member::gap_jump).ok());
    CHECK_EQUAL(one_number, machine.state.u(0) > 0);  // it flies on through the teeth
  }
}

void test_surface_moved_by_the_program_is_reported(void) {
  Ratchet model;
  model.one_number = false;
  Stepper machine{model, State<Ratchet>{}};
  RunChecker watch{machine};
  CHECK(run(machine, dt, 10, watch).advanced());
  CHECK(watch.report().ok());
  machine.model.wall = Real(-2e-3);
  CHECK(run(machine, dt, 10, watch).advanced());
  const auto moved = watch.report().worst_of(Member::gap_moved);
  CHECK(!moved.ok() && moved.index == 0);
  CHECK_WITHIN(Real(1e-6), Real(2e-3), moved.deviation);
}

struct Slider : Ball {
  PrismaticClearance<Real, ground, ball> guide;
  Slider() {
    guide.a = Real(0.05);
    guide.half_length = Real(0.1);
    guide.play = Real(1e-3);
  }
  auto parts() const { return std::tie(guide); }
};

void test_slider_outside_its_guide_is_reported(void) {
  using Model = Mechanism<Slider>;
  const Model model;
  State<Model> start;
  for (const Real x : {Real(0), Real(0.149), Real(-0.151), Real(0.3)}) {
    start.q(0) = x;
    CHECK_EQUAL(detail::absolute(x) < Real(0.15), check_start(model, start).worst_of(Member::part_range).ok());
  }
  start.q(2) = pi<Real> / 2;  // across the guide
  start.q(0) = Real(0.12);
  CHECK(!check_start(model, start).worst_of(Member::part_range).ok());

  start = {};
  start.u(0) = Real(1);
  Stepper machine{model, start};
  RunChecker watch{machine};
  CHECK(run(machine, Real(0.01), 14, watch).advanced());
  CHECK(watch.report().ok());
  CHECK(run(machine, Real(0.01), 3, watch).advanced());
  CHECK(!watch.report().worst_of(Member::part_range).ok());
}

// A row with an entry that `touches` declares zero. In the coordinates of the bodies, the step never reads the entry.
struct WrongTouches {
  static constexpr int body_A = ground, body_B = 0, bilaterals = 1;
  bool wrong = true;
  static constexpr Touches touches(int) { return {true, false, false}; }
  JointRow<Real> bilateral(int, const Frame<Real>&, const Frame<Real>& B, Real) const {
    return {{}, {{Real(1), Real(0)}, wrong ? Real(0.1) : Real(0)}, Real(0), B.r.x};
  }
};

void test_wrong_touches_of_a_row_are_reported(void) {
  Mechanism<test::InBodies<One<WrongTouches>>> model;
  const State<decltype(model)> start;
  const auto finding = [&] { return check_model(model, start.q, start.u, Real(0)).worst_of(Member::touches); };
  CHECK(!finding().ok());
  CHECK_EQUAL(2, finding().coordinate);
  model.joint.wrong = false;
  CHECK(finding().ok());
}

void test_run_of_a_model_without_contacts_is_accepted(void) {
  Mechanism<One<Motor<Real, ground, 0>>> model;
  Stepper machine{model, State<Mechanism<One<Motor<Real, ground, 0>>>>{}};
  RunChecker watch{machine};
  CHECK(run(machine, dt, 3, watch).advanced());
  CHECK(watch.report().ok());
}

void test_parameter_set_out_of_range_during_a_run_is_reported(void) {
  using Model = Mechanism<One<Motor<Real, ground, 0>>>;
  Stepper machine{Model{}, State<Model>{}};
  RunChecker watch{machine};
  CHECK(run(machine, dt, 3, watch).advanced());
  machine.model.joint.damping = Real(-1);
  CHECK(machine.step(dt).advanced());  // steps do not test the parts
  watch.look();
  CHECK_EQUAL(1, watch.report().worst_of(Member::parameters).index);
  CHECK(!watch.report().worst_of(Member::parameters).ok());
  CHECK(!check_model(machine.model, machine.state.q, machine.state.u, Real(0)).worst_of(Member::parameters).ok());
}

struct Hung : Ball {
  Revolute<Real, ground, ball> pin{{}, {Real(0), Real(0.1)}};
  Gravity<Real> gravity;
  auto parts() const { return std::tie(pin, gravity); }
};

void test_joint_moved_by_the_program_is_reported(void) {
  using Model = Mechanism<test::InBodies<Hung>>;
  State<Model> start;
  start.q(1) = Real(-0.1);
  Stepper machine{Model{}, start};
  RunChecker watch{machine};
  CHECK(run(machine, dt, 10, watch).advanced());
  CHECK(watch.report().ok());
  machine.model.pin.on_A.x = Real(0.01);
  CHECK(machine.step(dt).advanced());
  watch.look();
  const auto moved = watch.report().worst_of(Member::bilateral_moved);
  CHECK(!moved.ok() && moved.index == 0);
  CHECK_WITHIN(Real(1e-6), Real(0.01), moved.deviation);

  // In joint coordinates the body moves with its joint.
  using Hanging = Mechanism<Hung>;
  Stepper hanging{Hanging{}, State<Hanging>{}};
  RunChecker other{hanging};
  CHECK(run(hanging, dt, 10, other).advanced());
  CHECK(other.report().ok());
  hanging.model.pin.on_A.x = Real(0.01);
  CHECK(hanging.step(dt).advanced());
  other.look();
  const auto body = other.report().worst_of(Member::body_moved);
  CHECK(!body.ok() && body.index == Hung::ball);
  CHECK_WITHIN(Real(1e-6), Real(0.01), body.deviation);
}

void test_run_of_a_consistent_model_is_accepted(void) {
  using Toy = models::Woodpecker<Real>;
  Stepper toy{Toy{}, models::state_at<Toy>(Toy{}.start())};
  RunChecker watch{toy};
  CHECK(run(toy, Real(1e-4), 2000, watch).advanced());
  CHECK(watch.report().ok() && watch.report().looked_at(Member::gap_jump));
  using Crank = models::SliderCrankFromParts<Real>;
  const models::SliderCrank<Real> hand;
  Stepper crank{Crank{}, models::from_angles(hand, hand.start().q, hand.start().u)};
  RunChecker other{crank};
  CHECK(run(crank, Real(1e-4), 500, other).advanced());
  CHECK(other.report().ok());
}

// ---- redundant joints ----

// Coupler on three equal, parallel cranks: one crank is redundant.
struct Parallelogram {
  using Real = ::Real;
  enum Names { left, middle, right, coupler, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(0.1)}, {Real(1), Real(0.1)}, {Real(1), Real(0.1)}, {Real(1), Real(0.1)}};
  Gravity<Real> gravity;
  Revolute<Real, ground, left> g1{{Real(-1), Real(0)}, {}};
  Revolute<Real, ground, middle> g2{{Real(0), Real(0)}, {}};
  Revolute<Real, ground, right> g3{{Real(1), Real(0)}, {}};
  Revolute<Real, left, coupler> c1{{Real(1), Real(0)}, {Real(-1), Real(0)}};
  Revolute<Real, middle, coupler> c2{{Real(1), Real(0)}, {Real(0), Real(0)}};
  Revolute<Real, right, coupler> c3{{Real(1), Real(0)}, {Real(1), Real(0)}};
  auto parts() const { return std::tie(gravity, g1, g2, g3, c1, c2, c3); }
};

void test_redundant_joint_is_named(void) {
  using Model = Mechanism<Parallelogram>;
  State<Model> start;
  start.q(Model::angle_of<Model::left>) = start.q(Model::angle_of<Model::middle>) = Real(1);
  start.q(Model::angle_of<Model::right>) = Real(1);
  const auto of_start = check_start(Model{}, start);
  CHECK(of_start.worst().member == Member::start_dependent && !of_start.ok());
  const auto of_model = check_model(Model{}, start.q, start.u, Real(0));
  CHECK(of_model.worst().member == Member::bilateral_dependent && !of_model.ok());
  auto closed = start;
  const auto closing = close_joints(Model{}, closed);
  CHECK_EQUAL(Status::constraints_dependent, closing.status);
  Stepper machine{Model{}, start};
  const auto report = machine.step(dt);
  CHECK(report.status == Status::constraints_dependent && report.cause == Cause::bilateral);
  for (const int row : {of_start.worst().index, of_model.worst().index, closing.row, int(report.index)}) {
    const PartOf joint = part_of(machine.model, Cause::bilateral, row);
    CHECK_EQUAL(6, joint.part);  // c3
    CHECK(joint.body_A == Parallelogram::right && joint.body_B == Parallelogram::coupler);
  }

  // Without the third crank the rows are independent.
  start.q(Model::angle_of<Model::right>) = Real(3);
  CHECK(close_joints(Model{}, start).row == -1 || !check_start(Model{}, start).ok());
}

void test_part_of_a_cause(void) {
  const Mechanism<TwoBodies> model;
  for (const Cause cause : {Cause::gap, Cause::directions, Cause::law, Cause::allowed_penetration, Cause::bilateral,
                            Cause::friction_bound, Cause::friction_directions}) {
    const PartOf owner = part_of(model, cause, 0);
    CHECK(owner.part == 1 && owner.row == 0 && owner.body_A == 0 && owner.body_B == 1);
    CHECK_EQUAL(-1, part_of(model, cause, 1).part);
  }
  CHECK_EQUAL(0, part_of(model, Cause::part, 0).part);
  CHECK_EQUAL(ground, part_of(model, Cause::part, 0).body_B);  // gravity
  CHECK_EQUAL(-1, part_of(model, Cause::force, 0).part);
  const Mechanism<Parallelogram> rows;
  CHECK(part_of(rows, Cause::bilateral, 1).part == 5 && part_of(rows, Cause::bilateral, 1).row == 1);  // c2
  const Mechanism<test::InBodies<Parallelogram>> all_rows;
  CHECK(part_of(all_rows, Cause::bilateral, 3).part == 2 && part_of(all_rows, Cause::bilateral, 3).row == 1);
}

// ---- saved states of other models ----

struct Faller : Bouncer {};
struct Named : Bouncer {
  static constexpr const char* identity = "falling mass";
};
struct NamedAlike : Faller {
  static constexpr const char* identity = "falling mass";
};
struct WithSlot : One<SlotClearance<Real, ground, 0>> {};
struct WithPin : One<RevoluteClearance<Real, ground, 0>> {};
struct Pair {
  using Real = ::Real;
  enum Names { one, other, bodies };
  Body<Real> body[bodies] = {{Real(1), Real(1)}, {Real(1), Real(1)}};
};
struct SpringFromGround : Pair {
  Spring<Real, ground, 0> spring;
  Motor<Real, 0, 1> motor;
  auto parts() const { return std::tie(spring, motor); }
};
struct SpringBetween : Pair {
  Spring<Real, 0, 1> spring;
  Motor<Real, ground, 1> motor;
  auto parts() const { return std::tie(spring, motor); }
};

template <class From, class To>
Status restored() {
  static_assert(State<From>::bytes == State<To>::bytes, "models with equal sizes");
  State<From> from;
  from.q(0) = Real(1);
  const auto bytes = test::saved(from);
  State<To> to;
  const Status status = to.restore(bytes.data(), bytes.size());
  CHECK(to.q(0) == (status == Status::ok ? Real(1) : Real(0)));
  return status;
}

void test_bytes_of_another_model_with_equal_sizes_are_rejected(void) {
  CHECK_EQUAL(Status::invalid_argument, (restored<Bouncer, Faller>()));
  CHECK_EQUAL(Status::invalid_argument, (restored<Bouncer, Named>()));
  CHECK_EQUAL(Status::ok, (restored<Named, NamedAlike>()));  // declared equal
  CHECK_EQUAL(Status::invalid_argument, (restored<Mechanism<WithSlot>, Mechanism<WithPin>>()));
  CHECK_EQUAL(Status::invalid_argument, (restored<Mechanism<SpringFromGround>, Mechanism<SpringBetween>>()));
  CHECK_EQUAL(Status::ok, (restored<Mechanism<WithPin>, Mechanism<WithPin>>()));
}

// The same on every machine and with every compiler.
void test_fingerprints_are_known(void) {
  CHECK_EQUAL(0x9e61d722u, detail::fingerprint<models::Woodpecker<Real>>);
  CHECK_EQUAL(0x1f7d7d2fu, detail::fingerprint<models::SliderCrankFromParts<Real>>);
}

void test_bytes_without_a_fingerprint_are_rejected(void) {
  using Old = State<Bouncer>;
  auto bytes = test::saved(Old{});
  bytes[4] = 1;  // the version of the bytes before the fingerprint
  detail::ByteWriter write{bytes.data() + bytes.size() - detail::checksum_size};
  write.raw(detail::crc32(bytes.data(), bytes.size() - detail::checksum_size));
  Old state;
  CHECK_EQUAL(Status::invalid_argument, state.restore(bytes.data(), bytes.size()));
}

// ---- wrapped angles ----

// Part that depends on the angle itself, without `counts_turns`.
struct OwnTorsion {
  static constexpr int body_A = ground, body_B = 0;
  bool by_angle = true;
  Action<Real> action(const BodyState<Real>&, const BodyState<Real>& B, Real) const {
    return Action<Real>::moment(by_angle ? -B.frame.phi : -B.frame.sin);
  }
};
struct OwnScrew {
  static constexpr int body_A = ground, body_B = 0, bilaterals = 1;
  bool by_angle = true;
  JointRow<Real> bilateral(int, const Frame<Real>&, const Frame<Real>& B, Real) const {
    const Real lead = Real(0.01);
    return {{},
            {{Real(1), Real(0)}, -lead * (by_angle ? Real(1) : B.cos)},
            Real(0),
            B.r.x - lead * (by_angle ? B.phi : B.sin)};
  }
};
template <class Part>
struct Endless : Ball {
  static constexpr bool endless = true;
  Part part;
  auto parts() const { return std::tie(part); }
};

template <class Part>
void check_endless(int compared) {
  using Model = Mechanism<Endless<Part>>;
  Model model;
  const State<Model> start;
  const auto wrap = check_model(model, start.q, start.u, Real(0)).worst_of(Member::wrap);
  CHECK(!wrap.ok());
  CHECK_EQUAL(compared, wrap.index);
  model.part.by_angle = false;
  CHECK(check_model(model, start.q, start.u, Real(0)).ok());  // a model without contacts
}

void test_part_that_counts_turns_of_wrapped_angles_is_reported(void) {
  check_endless<OwnTorsion>(2);
  check_endless<OwnScrew>(6);
}

// ---- names ----

// A list with the name of a type of Mechanism.
struct List : Hung {};
struct Q : Hung {};
struct At : Hung {};
struct PartAt : Hung {
  Gravity<Real> At;
};
static_assert(detail::has_free_names<List>() && detail::has_free_names<Q>() && detail::has_free_names<At>());
static_assert(!detail::has_free_names<PartAt>());

// All misspelled members of parts and lists; data members with these names are valid.
struct Misspelled {
  static constexpr bool count_turns = true, counts_turn = true, endles = true, is_endless = true, endless_angles = true;
  static constexpr int tangent = 0, close_at_once = 1, closed_at_one = 1, projection = 3;
  Real allowed_penetration_by_play, allowed_penetrations_per_play, penetration_per_play,
      allowed_penetration_with_no_play, penetration_without_play;
  Touches touch(int) const;
  bool is_reversed(int) const, is_valid() const;
  Real bias_accelerations(int) const, periods() const;
};
struct DataMembers {
  Real count_turns, endles, tangent, projection, touch, is_valid, periods;
};
template <class T, class... Member>
constexpr bool all_detected(detail::TypeList<Member...>) {
  return (detail::detected<Member::template in, T> && ...);
}
template <class T, class... Member>
constexpr bool any_detected(detail::TypeList<Member...>) {
  return (detail::detected<Member::template in, T> || ...);
}
static_assert(all_detected<Misspelled>(detail::misspelled::OfList{}));
static_assert(!any_detected<DataMembers>(detail::misspelled::OfList{}));
static_assert(!any_detected<DataMembers>(detail::misspelled::OfPart{}));
static_assert(all_detected<Misspelled>(detail::misspelled::OfPart{}));

void test_list_may_have_the_name_of_a_type_of_mechanism(void) {
  Stepper machine{Mechanism<List>{}, State<Mechanism<List>>{}};
  CHECK(machine.step(dt).advanced());
}

}  // namespace

// clang-format off
TEST_MAIN({
  TEST(test_forgotten_play_is_rejected);
  TEST(test_negative_damping_is_rejected);
  TEST(test_allowed_penetration_above_the_play_is_rejected);
  TEST(test_friction_without_tangents_is_rejected);
  TEST(test_allowed_penetration_of_the_size_of_the_mechanism_is_reported);
  TEST(test_giant_step_size_is_rejected);
  TEST(test_sliding_direction_in_millimetres_is_reported);
  TEST(test_forgotten_sliding_direction_is_reported);
  TEST(test_own_part_with_a_wrong_scale_or_reaction_is_reported);
  TEST(test_contact_that_changes_its_surface_is_reported);
  TEST(test_surface_moved_by_the_program_is_reported);
  TEST(test_slider_outside_its_guide_is_reported);
  TEST(test_wrong_touches_of_a_row_are_reported);
  TEST(test_run_of_a_model_without_contacts_is_accepted);
  TEST(test_parameter_set_out_of_range_during_a_run_is_reported);
  TEST(test_joint_moved_by_the_program_is_reported);
  TEST(test_run_of_a_consistent_model_is_accepted);
  TEST(test_redundant_joint_is_named);
  TEST(test_part_of_a_cause);
  TEST(test_bytes_of_another_model_with_equal_sizes_are_rejected);
  TEST(test_fingerprints_are_known);
  TEST(test_bytes_without_a_fingerprint_are_rejected);
  TEST(test_part_that_counts_turns_of_wrapped_angles_is_reported);
  TEST(test_list_may_have_the_name_of_a_type_of_mechanism);
})
