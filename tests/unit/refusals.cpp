// Every rejected step reports its cause: the argument or the function of the model, and the index of the contact or
// coordinate. Errors detectable at the start are reported at the start. A rejected step changes no output.
#include <limits>
#include <moreau/moreau.hpp>

#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

using moreau::Cause;
using moreau::Status;
using moreau::Timing;
constexpr Real dt = Real(1e-3);
const Real not_a_number = std::numeric_limits<Real>::quiet_NaN();

// Mass between two walls, far from both; tests can set every output to an invalid value.
struct Slide {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 2;
  using Q = moreau::Vector<Real, 1>;
  Real m{2}, h{0}, gap_offset{0}, w{1};
  moreau::ContactLaw<Real> laws[2] = {{Real(0.5), Real(0), Real(0.25)}, {Real(0.5), Real(0), Real(0.25)}};
  moreau::Matrix<Real, 1, 1> mass(const Q&, Real) const { return moreau::Matrix<Real, 1, 1>(m); }
  Q force(const Q&, const Q&, Real) const { return Q(h); }
  Real gap(int i, const Q& q, Real) const { return (i == 0 ? Real(1) + q(0) : Real(1) - q(0)) + gap_offset; }
  moreau::Directions<Real, 1> directions(int i, const Q&, Real) const {
    moreau::Directions<Real, 1> d;
    d.w_N(0) = i == 0 ? w : -w;
    return d;
  }
  moreau::ContactLaw<Real> law(int i) const { return laws[i]; }
};

moreau::State<Slide> at(Real q, Real u = Real(0)) {
  moreau::State<Slide> state;
  state.q(0) = q;
  state.u(0) = u;
  return state;
}

template <class Solver>
void check_rejections() {
  const auto rejected = [](const auto& make_invalid, Status status, Cause cause, int index, Real q) {
    moreau::Stepper<Slide, Solver> stepper{Slide{}, at(q)};
    make_invalid(stepper);
    const auto report = stepper.step(dt);
    CHECK(report.status == status && report.cause == cause && report.index == index);
    CHECK(!report.advanced());
  };
  using S = moreau::Stepper<Slide, Solver>;
  const Real open_q = Real(0.5), left = Real(-1.001);
  rejected([](S& s) { s.judge.rtol = Real(0); }, Status::invalid_argument, Cause::judge, 0, left);
  const auto check_at_once = [](S& s) {  // at once, not in the first step that needs it
    s.judge.rtol = Real(0);
    s.mass_changed();
  };
  rejected(check_at_once, Status::invalid_argument, Cause::judge, 0, open_q);
  rejected([](S& s) { s.model.h = not_a_number; }, Status::not_finite, Cause::force, 0, open_q);
  rejected([](S& s) { s.model.m = Real(-1); }, Status::mass_not_positive_definite, Cause::mass, 0, open_q);
  rejected([](S& s) { s.model.gap_offset = not_a_number; }, Status::not_finite, Cause::gap, 0, open_q);
  rejected([](S& s) { s.state.u(0) = not_a_number; }, Status::not_finite, Cause::state, 0, open_q);
  rejected([](S& s) { s.model.w = Real(0); }, Status::invalid_argument, Cause::directions, 0, left);
  rejected([](S& s) { s.model.w = not_a_number; }, Status::not_finite, Cause::directions, 0, left);
  rejected([](S& s) { s.model.laws[0].eps_N = Real(1.5); }, Status::invalid_argument, Cause::law, 0, left);
  rejected([](S& s) { s.model.laws[1].mu = Real(-1); }, Status::invalid_argument, Cause::law, 1, -left);

  S stepper{Slide{}, at(open_q)};
  const auto report = stepper.step(Real(-1));
  CHECK(report.status == Status::invalid_argument && report.cause == Cause::dt);
}

}  // namespace

void test_rejected_step_reports_its_cause(void) {
  check_rejections<moreau::Exact>();
  check_rejections<moreau::Lemke>();
  check_rejections<moreau::Psor>();
  check_rejections<moreau::ClosedForms>();
}

// Data that are checked once: an invalid value is reported at the start and makes every step fail until it is
// corrected.
struct Corrected : Slide {
  Real keeps[2] = {Real(1e-6), Real(0)}, T = Real(0);
  Real allowed_penetration(int i) const { return keeps[i]; }
  Real period() const { return T; }
};

template <class Solver, moreau::Timing timing = moreau::Timing::variable>
void check_validated_once() {
  const auto check = [](const Corrected& model, Cause cause, int index) {
    moreau::Stepper<Corrected, Solver, timing> stepper{model, moreau::State<Corrected>{}};
    const auto start = stepper.start_report();
    CHECK(start.status == Status::invalid_argument && start.cause == cause && start.index == index);
    const auto report = stepper.step(dt);
    CHECK(report.status == Status::invalid_argument && report.cause == cause && report.index == index);
    stepper.model = Corrected{};
    CHECK_EQUAL(Status::ok, stepper.step(dt).status);
  };
  for (const Real bad : {Real(-1e-3), not_a_number, std::numeric_limits<Real>::infinity()}) {
    Corrected model;
    model.keeps[1] = bad;
    check(model, Cause::allowed_penetration, 1);
    model = {};
    model.T = bad;
    check(model, Cause::period, 0);
  }
}

void test_allowed_penetration_and_period_out_of_range_are_rejected(void) {
  check_validated_once<moreau::Exact>();
  check_validated_once<moreau::Exact, moreau::Timing::constant>();
  check_validated_once<moreau::Sweeps, moreau::Timing::constant>();
  check_validated_once<moreau::Newton, moreau::Timing::constant>();
}

// A step count that no run reaches, from a file: one more step would overflow it.
void test_step_count_out_of_range_is_rejected(void) {
  moreau::Stepper<Slide> stepper{Slide{}, at(Real(0))};
  for (const std::int64_t n : {std::int64_t{-1}, std::int64_t{1} << 47, std::numeric_limits<std::int64_t>::max()}) {
    auto state = at(Real(0.25));
    state.clock.n = n;
    const auto report = stepper.set_state(state);
    CHECK(report.status == Status::invalid_argument && report.cause == Cause::state);
    CHECK_EQUAL(Real(0), stepper.state.q(0));
  }
  auto state = at(Real(0.25));
  state.clock.n = (std::int64_t{1} << 47) - 1;
  CHECK_EQUAL(Status::ok, stepper.set_state(state).status);
}

// The law of a contact that is open at the start is rejected before the first step instead of at the first impact.
void test_law_out_of_range_is_rejected_at_the_start(void) {
  Slide model;
  model.laws[1].eps_N = Real(1.5);
  moreau::Stepper<Slide> stepper{model, at(Real(0))};
  auto report = stepper.step(dt);
  CHECK(report.status == Status::invalid_argument && report.cause == Cause::law && report.index == 1);
  const auto start = stepper.start_report();
  CHECK(start.status == Status::invalid_argument && start.cause == Cause::law && start.index == 1);
  CHECK(stepper.set_state(at(Real(0.25))).cause == Cause::law);
  CHECK(stepper.state.q(0) == Real(0));
  stepper.model.laws[1].eps_N = Real(0.5);
  CHECK(stepper.step(dt).status == Status::ok);

  moreau::Stepper<Slide, moreau::ClosedForms> small{model, at(Real(0))};
  CHECK(small.step(dt).cause == Cause::law);
  small.model.laws[1].eps_N = Real(0.5);
  CHECK(small.step(dt).status == Status::ok);
}

void test_penetration_is_reported_at_the_start(void) {
  moreau::Stepper<Slide> stepper{Slide{}, at(Real(1.001))};
  const auto start = stepper.start_report();
  CHECK(start.status == Status::ok && start.contact == 1);
  CHECK_WITHIN(Real(1e-6), Real(1e-3), start.penetration);
  CHECK(stepper.set_state(at(Real(0))).contact == -1);
}

void test_output_of_a_nonexistent_contact_is_nan(void) {
  moreau::Stepper<Slide> stepper{Slide{}, at(Real(0))};
  for (const int i : {-1, 2, 7}) {
    const auto none = stepper.contact(i);
    CHECK(none.gap_M != none.gap_M && none.P_N != none.P_N && none.force_T != none.force_T && !none.closed);
  }
  CHECK(stepper.contact(1).gap_M == Real(1));
}

// Gap and force of the last successful step.
template <class Solver, moreau::Timing timing = moreau::Timing::variable>
void check_outputs() {
  moreau::Stepper<Slide, Solver, timing> stepper{Slide{}, at(Real(-1.001), Real(-1))};
  CHECK(stepper.step(dt).advanced());
  const auto good = stepper.contact(0);
  CHECK(good.P_N > Real(0));
  stepper.model.w = Real(0);
  stepper.model.gap_offset = Real(-0.5);
  CHECK(!stepper.step(dt).advanced());
  CHECK(stepper.contact(0).gap_M == good.gap_M && stepper.contact(0).P_N == good.P_N);
}
void test_rejected_step_changes_no_output(void) {
  check_outputs<moreau::Exact>();
  check_outputs<moreau::Exact, moreau::Timing::constant>();
  check_outputs<moreau::ClosedForms>();
  check_outputs<moreau::Lemke>();
  check_outputs<moreau::Sweeps, moreau::Timing::constant>();
  check_outputs<moreau::Newton, moreau::Timing::constant>();
}

// State and outputs of all contacts, for comparison after a rejected step.
template <class Machine>
struct Outputs {
  using Model = typename Machine::Model;
  test::Bytes<Model> state;
  typename Machine::Contact contacts[Model::contacts];

  explicit Outputs(const Machine& machine) : state(test::saved(machine.state)) {
    for (int i = 0; i < Model::contacts; ++i) contacts[i] = machine.contact(i);
  }
  friend bool operator==(const Outputs& a, const Outputs& b) {
    bool same = a.state == b.state;
    for (int i = 0; i < Model::contacts; ++i) {
      const auto &x = a.contacts[i], &y = b.contacts[i];
      same = same && x.gap_M == y.gap_M && x.closed == y.closed && x.P_N == y.P_N && x.force_N == y.force_N;
    }
    return same;
  }
};

// The same if wrap() of the model rejects the result of the step.
struct Wrapped : Slide {
  bool broken = false;
  Q wrap(const Q& q) const { return Q(broken ? not_a_number : q(0)); }
};
template <class Solver, Timing timing = Timing::variable>
void check_rejection_by_wrap() {
  moreau::State<Wrapped> start;
  start.q(0) = Real(-1.001);
  start.u(0) = Real(-1);
  moreau::Stepper<Wrapped, Solver, timing> stepper{Wrapped{}, start};
  CHECK(stepper.step(dt).advanced());
  const Outputs before(stepper);
  CHECK(before.contacts[0].closed && before.contacts[0].P_N > Real(0));
  stepper.model.broken = true;
  const auto report = stepper.step(dt);
  CHECK(report.status == Status::not_finite && report.cause == Cause::wrap);
  CHECK(before == Outputs(stepper));
  stepper.model.broken = false;
  CHECK(stepper.step(dt).advanced());
  CHECK(!(before == Outputs(stepper)));
}
void test_rejection_by_wrap_changes_no_output(void) {
  check_rejection_by_wrap<moreau::Exact>();
  check_rejection_by_wrap<moreau::Exact, Timing::constant>();
  check_rejection_by_wrap<moreau::ClosedForms>();
  check_rejection_by_wrap<moreau::ClosedForms, Timing::constant>();
  check_rejection_by_wrap<moreau::Lemke>();
  check_rejection_by_wrap<moreau::Psor>();
  check_rejection_by_wrap<moreau::Newton>();
  check_rejection_by_wrap<moreau::Psor, Timing::constant>();
  check_rejection_by_wrap<moreau::Sweeps, Timing::constant>();
  check_rejection_by_wrap<moreau::Newton, Timing::constant>();
}

// Carriage on a rail between two walls. If both walls are closed and approach each other, the contact problem has no
// solution.
struct Squeezed {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 2, tangents = 0, bilaterals = 1;
  static constexpr bool second_order = true, constant_directions = true;
  using Q = moreau::Vector<Real, 2>;
  Q h{Real(-2), Real(3)};
  Real closer{0}, approach{0};
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return moreau::Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return h; }
  Real gap(int i, const Q& q, Real) const { return (i == 0 ? Real(1) + q(0) : Real(1) - q(0)) - closer; }
  moreau::Directions<Real, 2, 0> directions(int i, const Q&, Real) const {
    moreau::Directions<Real, 2, 0> d;
    d.w_N(0) = i == 0 ? Real(1) : Real(-1);
    d.zeta_N = -approach;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
  moreau::Bilateral<Real, 2> bilateral(int, const Q& q, Real) const {
    moreau::Bilateral<Real, 2> rail;
    rail.w(1) = Real(1);
    rail.g = q(1);
    return rail;
  }
};
template <class Solver, Timing timing = Timing::variable>
void check_no_solution() {
  moreau::State<Squeezed> start;
  start.q(0) = Real(-1);
  moreau::Stepper<Squeezed, Solver, timing> stepper{Squeezed{}, start};
  for (int n = 0; n < 3; ++n) CHECK(stepper.step(dt).advanced());
  const Outputs before(stepper);
  CHECK(before.contacts[0].P_N > Real(0) && !before.contacts[1].closed && stepper.state.P_B(0) != Real(0));
  stepper.model.closer = Real(3);
  stepper.model.approach = Real(1);
  stepper.model.h(1) = Real(7);
  // Large opposite percussions make the ratio of the violation to its scale small, with Newton in float 1e-7.
  stepper.judge.reject = stepper.judge.rtol = moreau::detail::epsilon<Real> / 4;
  CHECK_EQUAL(Status::no_solution, stepper.step(Real(2) * dt).status);
  CHECK(before == Outputs(stepper));
}
void test_step_without_a_solution_changes_no_output(void) {
  check_no_solution<moreau::Exact>();
  check_no_solution<moreau::Exact, Timing::constant>();
  check_no_solution<moreau::Lemke>();
  check_no_solution<moreau::Psor>();
  check_no_solution<moreau::Newton>();
  check_no_solution<moreau::Psor, Timing::constant>();
  check_no_solution<moreau::Sweeps, Timing::constant>();
  check_no_solution<moreau::Newton, Timing::constant>();
}

// contact() returns the gaps of the start, of an assigned state, and of the midpoint of each step, with and without
// closed contacts.
template <class Solver, Timing timing = Timing::variable>
void check_current_gaps() {
  moreau::Stepper<Slide, Solver, timing> stepper{Slide{}, at(Real(0.25))};
  const auto are_of = [&stepper](Real q) {
    for (const int i : {0, 1})
      if (stepper.contact(i).gap_M != Slide{}.gap(i, Slide::Q(q), Real(0))) return false;
    return true;
  };
  CHECK(are_of(Real(0.25)));
  const auto check_steps = [&](bool closed) {
    for (int n = 0; n < 3; ++n) {
      const Real q_M = stepper.state.q(0) + dt * Real(0.5) * stepper.state.u(0);
      const auto report = stepper.step(dt);
      CHECK(report.advanced() && (report.active > 0) == closed);
      CHECK(are_of(q_M));
    }
  };
  stepper.state.u(0) = Real(2);
  check_steps(false);
  CHECK(stepper.set_state(at(Real(-0.5), Real(3))).status == Status::ok);
  CHECK(are_of(Real(-0.5)));
  check_steps(false);
  CHECK(stepper.set_state(at(Real(-1.01))).status == Status::ok);  // at rest in a wall
  CHECK(are_of(Real(-1.01)));
  check_steps(true);
  CHECK(stepper.set_state(at(not_a_number)).status != Status::ok);
  CHECK(are_of(Real(-1.01)));
  CHECK(stepper.set_state(at(Real(0))).status == Status::ok);
  CHECK(are_of(Real(0)));
  check_steps(false);
}
void test_gaps_are_those_of_the_last_step_or_state(void) {
  check_current_gaps<moreau::Exact>();
  check_current_gaps<moreau::Exact, Timing::constant>();
  check_current_gaps<moreau::ClosedForms>();
  check_current_gaps<moreau::ClosedForms, Timing::constant>();
  check_current_gaps<moreau::Lemke>();
  check_current_gaps<moreau::Psor>();
  check_current_gaps<moreau::Sweeps, Timing::constant>();
  check_current_gaps<moreau::Newton, Timing::constant>();
}

// Several contacts closed, one of them with a law out of range: its index is reported.
template <class Solver>
void check_which_law(int bad) {
  Slide model;
  model.gap_offset = Real(-2);  // both closed
  moreau::Stepper<Slide, Solver> stepper{model, at(Real(0))};
  stepper.model.laws[bad].eps_N = Real(2);
  const auto report = stepper.step(dt);
  CHECK(report.status == Status::invalid_argument && report.cause == Cause::law && report.index == bad);
}
void test_invalid_law_of_one_of_two_contacts(void) {
  for (const int bad : {0, 1}) {
    check_which_law<moreau::Exact>(bad);
    check_which_law<moreau::Lemke>(bad);
  }
}

// The same for directions, including those of the element.
struct Rows : Slide {
  static constexpr int contacts = 3, frictions = 1;
  int bad = -1;
  Real gap(int, const Q& q, Real) const { return q(0); }
  moreau::Directions<Real, 1> directions(int i, const Q&, Real) const {
    moreau::Directions<Real, 1> d;
    d.w_N(0) = i == bad ? not_a_number : Real(1);
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return laws[0]; }
  Real friction_bound(int, const Q&, Real) const { return Real(1); }
  moreau::FrictionDirections<Real, 1> friction_directions(int, const Q&, Real) const {
    moreau::FrictionDirections<Real, 1> d;
    d.w(0) = bad == contacts ? not_a_number : Real(1);
    return d;
  }
};
void test_invalid_directions_of_one_of_several_rows(void) {
  for (const int bad : {0, 1, 2, 3}) {
    Rows rows;
    rows.bad = bad;
    moreau::Stepper<Rows, moreau::Lemke> stepper{rows, moreau::State<Rows>{}};
    const auto report = stepper.step(dt);
    CHECK(report.status == Status::not_finite);
    CHECK(report.cause == (bad < 3 ? Cause::directions : Cause::friction_directions) && report.index == bad % 3);
  }
}

void test_non_finite_gap_is_rejected_at_the_start(void) {
  Slide model;
  model.gap_offset = not_a_number;
  moreau::Stepper<Slide> stepper{model, at(Real(0))};
  const auto report = stepper.start_report();
  CHECK(report.status == Status::not_finite && report.cause == Cause::gap && report.index == 0);
}

// Body on two rails; one of them has a given position error.
struct Railed {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0, bilaterals = 2;
  using Q = moreau::Vector<Real, 2>;
  Real miss[2] = {Real(0.01), Real(-0.03)};
  moreau::Matrix<Real, 2, 2> mass(const Q&, Real) const { return moreau::Matrix<Real, 2, 2>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  moreau::Bilateral<Real, 2> bilateral(int j, const Q&, Real) const {
    moreau::Bilateral<Real, 2> row;
    row.w(j) = Real(1);
    row.g = miss[j];
    return row;
  }
};
void test_non_finite_joint_error_is_rejected_at_the_start(void) {
  Railed model;
  const auto start = moreau::Stepper<Railed>{model, moreau::State<Railed>{}}.start_report();
  CHECK(start.status == Status::ok && start.row == 1 && start.miss == Real(0.03));
  for (const int bad : {0, 1}) {
    Railed invalid;
    invalid.miss[bad] = not_a_number;
    const auto report = moreau::Stepper<Railed>{invalid, moreau::State<Railed>{}}.start_report();
    CHECK(report.status == Status::not_finite && report.cause == Cause::bilateral && report.index == bad);
  }
}

// Discs with planar friction, each with two directions: the first element with a non-finite direction is reported.
struct Discs {
  using Real = ::Real;
  static constexpr int dof = 6, contacts = 0, frictions = 3, friction_dim = 2;
  using Q = moreau::Vector<Real, 6>;
  int bad = -1, bad_direction = 0;
  moreau::Matrix<Real, 6, 6> mass(const Q&, Real) const { return moreau::Matrix<Real, 6, 6>::Identity(); }
  Q force(const Q&, const Q&, Real) const { return Q::Zero(); }
  Real friction_bound(int, const Q&, Real) const { return Real(1); }
  moreau::FrictionDirections<Real, 6, 2> friction_directions(int j, const Q&, Real) const {
    moreau::FrictionDirections<Real, 6, 2> d;
    d.w(2 * j, 0) = d.w(2 * j + 1, 1) = Real(1);
    if (j == bad) d.w(2 * j, bad_direction) = not_a_number;
    return d;
  }
};
void test_invalid_directions_of_a_friction_element(void) {
  for (const int bad : {0, 1, 2})
    for (const int direction : {0, 1}) {
      moreau::Stepper<Discs, moreau::Psor> stepper{Discs{}, moreau::State<Discs>{}};
      CHECK(stepper.step(dt).status == Status::ok);
      stepper.model.bad = bad;
      stepper.model.bad_direction = direction;
      const auto report = stepper.step(dt);
      CHECK(report.status == Status::not_finite && report.cause == Cause::friction_directions && report.index == bad);
    }
}

// A cascade that starts with Exact starts with the direct solution: bit-identical, no solver is called.
void test_cascade_tries_the_direct_solution_first(void) {
  moreau::Stepper<Slide> exact{Slide{}, at(Real(-0.999), Real(-3))};
  moreau::Stepper<Slide, moreau::Cascade<moreau::Exact, moreau::Psor>> cascade{Slide{}, at(Real(-0.999), Real(-3))};
  for (int n = 0; n < 100; ++n) {
    const auto a = exact.step(dt), b = cascade.step(dt);
    CHECK(a.status == b.status && a.iterations == b.iterations && a.fallbacks == b.fallbacks);
    CHECK(exact.state.q(0) == cascade.state.q(0) && exact.state.u(0) == cascade.state.u(0));
  }
  CHECK(exact.state.u(0) > Real(0));
}

TEST_MAIN({
  TEST(test_rejected_step_reports_its_cause);
  TEST(test_allowed_penetration_and_period_out_of_range_are_rejected);
  TEST(test_step_count_out_of_range_is_rejected);
  TEST(test_law_out_of_range_is_rejected_at_the_start);
  TEST(test_penetration_is_reported_at_the_start);
  TEST(test_output_of_a_nonexistent_contact_is_nan);
  TEST(test_rejected_step_changes_no_output);
  TEST(test_rejection_by_wrap_changes_no_output);
  TEST(test_step_without_a_solution_changes_no_output);
  TEST(test_gaps_are_those_of_the_last_step_or_state);
  TEST(test_invalid_law_of_one_of_two_contacts);
  TEST(test_invalid_directions_of_one_of_several_rows);
  TEST(test_non_finite_gap_is_rejected_at_the_start);
  TEST(test_non_finite_joint_error_is_rejected_at_the_start);
  TEST(test_invalid_directions_of_a_friction_element);
  TEST(test_cascade_tries_the_direct_solution_first);
})
