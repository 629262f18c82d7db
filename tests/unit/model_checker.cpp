// The model checker accepts a consistent model and reports the wrong member of an inconsistent one.
#include <algorithm>
#include <cmath>
#include <moreau/check/model_checker.hpp>
#include <moreau/check/start_checker.hpp>
#include <moreau/check/timing_checker.hpp>
#include <moreau/math/angle.hpp>
#include <moreau/math/sincos.hpp>

#include "models/four_bar.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

enum class Mistake {
  none,
  gap_is_nan,
  w_N_sign,
  w_N_in_one_coordinate,
  w_N_is_zero,
  zeta_N_is_missing,
  zeta_N_sign,
  w_T_is_nan,
  zeta_T_is_infinite,
  mass_not_symmetric,
  mass_indefinite,
  mass_is_nan,
  force_is_infinite,
  eps_N_above_one,
  eps_T_is_negative,
  mu_is_negative,
  mu_of_v_is_negative,
  bound_is_negative,
  friction_directions_are_nan,
  bilateral_w,
  bilateral_zeta,
  bias_acceleration_without_u,
  contact_bias_without_zeta,
  contact_bias_of_w_T,
  friction_bias,
  depth_is_negative,
  wrap_by_half_a_turn,
  period_is_too_long,
  no_inertial_force,
  only_eps_T,
  w_T_is_zero
};

// Model with every optional member: a bar of angle phi above a slider x on an oscillating table.
struct FullModel {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 1, frictions = 1, bilaterals = 1;
  using Vector = moreau::Vector<Real, 2>;
  using Matrix = moreau::Matrix<Real, 2, 2>;
  Mistake mistake = Mistake::none;

  Real L{0.3}, A{0.002}, omega{50};
  bool is(Mistake m) const { return mistake == m; }
  static Real nan_value() { return std::numeric_limits<Real>::quiet_NaN(); }
  static Real infinite() { return std::numeric_limits<Real>::infinity(); }

  Matrix mass(const Vector& q, Real) const {
    Matrix M;
    const Real coupling = Real(0.1) * moreau::cos(q(0));
    M << Real(0.5), coupling, coupling, Real(2);
    if (is(Mistake::mass_not_symmetric)) M(1, 0) = -coupling;
    if (is(Mistake::mass_indefinite)) M(1, 1) = Real(0.005);  // coupling^2 / 0.5 = 0.012
    if (is(Mistake::mass_is_nan)) M(1, 1) = nan_value();
    return M;
  }
  Vector force(const Vector& q, const Vector& u, Real t) const {
    Vector h(-moreau::sin(q(0)) - Real(0.1) * u(0), moreau::sin(omega * t));
    if (!is(Mistake::no_inertial_force))
      h(1) += Real(0.1) * moreau::sin(q(0)) * u(0) * u(0);  // inertial force: M(0, 1) depends on q(0)
    if (is(Mistake::force_is_infinite)) h(1) = infinite();
    return h;
  }
  Real gap(int, const Vector& q, Real t) const {
    if (is(Mistake::gap_is_nan)) return nan_value();
    return q(1) - L * moreau::sin(q(0)) - A * moreau::sin(omega * t);
  }
  moreau::Directions<Real, 2> directions(int, const Vector& q, Real t) const {
    moreau::Directions<Real, 2> d;
    const auto [s, c] = moreau::sincos(q(0));
    d.w_N = Vector(-L * c, Real(1));
    d.w_T = Vector(L * s, Real(0));
    d.zeta_N = -A * omega * moreau::cos(omega * t);
    d.zeta_T = Real(0.1);
    if (is(Mistake::w_N_sign)) d.w_N = -d.w_N;
    if (is(Mistake::w_N_in_one_coordinate)) d.w_N(0) = -L * s;
    if (is(Mistake::w_N_is_zero)) d.w_N.setZero();
    if (is(Mistake::zeta_N_is_missing)) d.zeta_N = Real(0);
    if (is(Mistake::zeta_N_sign)) d.zeta_N = -d.zeta_N;
    if (is(Mistake::w_T_is_zero)) d.w_T.setZero();
    if (is(Mistake::w_T_is_nan)) d.w_T(1) = nan_value();
    if (is(Mistake::zeta_T_is_infinite)) d.zeta_T = infinite();
    return d;
  }
  moreau::ContactLaw<Real> law(int) const {
    moreau::ContactLaw<Real> law{Real(0.5), Real(0.1), Real(0.3)};
    if (is(Mistake::eps_N_above_one)) law.eps_N = Real(1.01);
    if (is(Mistake::eps_T_is_negative)) law.eps_T = Real(-0.01);
    if (is(Mistake::mu_is_negative)) law.mu = Real(-0.3);
    return law;
  }
  Real mu(int, Real v) const {
    return is(Mistake::only_eps_T) ? Real(0) : Real(0.3) - (is(Mistake::mu_of_v_is_negative) ? v : Real(0));
  }  // slip: 0.39 m/s
  Real friction_bound(int, const Vector&, Real) const { return is(Mistake::bound_is_negative) ? Real(-1) : Real(1); }
  moreau::FrictionDirections<Real, 2> friction_directions(int, const Vector&, Real) const {
    moreau::FrictionDirections<Real, 2> d;
    d.w(1) = is(Mistake::friction_directions_are_nan) ? nan_value() : Real(1);
    return d;
  }
  moreau::Bilateral<Real, 2> bilateral(int, const Vector& q, Real t) const {
    moreau::Bilateral<Real, 2> row;
    const auto [s, c] = moreau::sincos(q(0));
    row.g = Real(0.2) * c + Real(0.5) * q(1) - A * moreau::cos(omega * t);
    row.w = Vector(is(Mistake::bilateral_w) ? c : Real(-0.2) * s, Real(0.5));
    row.zeta = A * (is(Mistake::bilateral_zeta) ? Real(1) : omega) * moreau::sin(omega * t);
    return row;
  }
  Real bias_acceleration(int, const Vector& q, const Vector& u, Real) const {
    return Real(-0.2) * moreau::cos(q(0)) * u(0) * (is(Mistake::bias_acceleration_without_u) ? Real(1) : u(0));
  }
  moreau::ContactBias<Real> contact_bias_acceleration(int, const Vector& q, const Vector& u, Real t) const {
    const auto [s, c] = moreau::sincos(q(0));
    const Real table = is(Mistake::contact_bias_without_zeta) ? Real(0) : A * omega * omega * moreau::sin(omega * t);
    return {L * s * u(0) * u(0) + table, L * c * u(0) * (is(Mistake::contact_bias_of_w_T) ? Real(1) : u(0))};
  }
  Real friction_bias_acceleration(int, const Vector&, const Vector&, Real) const {
    return is(Mistake::friction_bias) ? Real(0.1) : Real(0);
  }
  Real allowed_penetration(int) const { return is(Mistake::depth_is_negative) ? Real(-1e-6) : Real(1e-6); }
  Vector wrap(const Vector& q) const {
    return Vector(moreau::wrap_angle(q(0)) + (is(Mistake::wrap_by_half_a_turn) ? moreau::pi<Real> : Real(0)), q(1));
  }
  Real period() const { return Real(2) * moreau::pi<Real> / omega * (is(Mistake::period_is_too_long) ? Real(1.2) : 1); }
};

// Violations of symmetric_steps by a model that declares it, one at a time.
enum class Violation { none, mass, force, force_backward, w_N, zeta_N, w_T, mu, friction_w, bilateral_w };

struct Symmetric {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 2, frictions = 1, bilaterals = 1;
  static constexpr bool symmetric_steps = true;
  using Vector = moreau::Vector<Real, 2>;
  Violation violation = Violation::none;
  Real if_it(Violation what, Real x) const { return violation == what ? x : Real(0); }

  moreau::Matrix<Real, 2, 2> mass(const Vector& q, Real) const {
    return Vector(Real(0.5), Real(2) + if_it(Violation::mass, q(0))).asDiagonal();
  }
  Vector force(const Vector& q, const Vector& u, Real t) const {
    return Vector(-moreau::sin(q(0)) + if_it(Violation::force_backward, u(0) < 0 ? Real(0.5) : Real(0)),
                  moreau::sin(t) - Real(9.81) - if_it(Violation::force, Real(0.5) * u(1)));
  }
  Real gap(int, const Vector& q, Real t) const {
    return q(1) + if_it(Violation::w_N, q(0) * q(0)) + if_it(Violation::zeta_N, Real(4) * t * t);
  }
  moreau::Directions<Real, 2> directions(int i, const Vector& q, Real t) const {
    moreau::Directions<Real, 2> d;
    d.w_N = Vector(if_it(Violation::w_N, Real(2) * q(0)), Real(1));
    d.w_T = Vector(Real(1), i == 1 ? if_it(Violation::w_T, q(1)) : Real(0));
    d.zeta_N = if_it(Violation::zeta_N, Real(8) * t);
    d.zeta_T = Real(0.1);  // a belt
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0.5), Real(0), Real(0.3)}; }
  Real mu(int, Real v) const { return Real(0.3) + if_it(Violation::mu, Real(0.1) * v); }
  Real friction_bound(int, const Vector& q, Real) const { return Real(1) + q(0) * q(0); }
  moreau::FrictionDirections<Real, 2> friction_directions(int j, const Vector& q, Real) const {
    CHECK_EQUAL(0, j);  // only existing indices are evaluated
    moreau::FrictionDirections<Real, 2> d;
    d.w(0) = Real(1) + if_it(Violation::friction_w, q(0));
    return d;
  }
  moreau::Bilateral<Real, 2> bilateral(int j, const Vector& q, Real) const {
    CHECK_EQUAL(0, j);
    moreau::Bilateral<Real, 2> row;
    row.w = Vector(Real(1), if_it(Violation::bilateral_w, Real(2) * q(1)));
    row.g = q(0) + if_it(Violation::bilateral_w, q(1) * q(1));
    return row;
  }
};

const struct {
  FullModel::Vector q{Real(0.7), Real(0.4)}, u{Real(1.5), Real(-0.8)};
  Real t = Real(0.003);
} somewhere;

moreau::CheckReport<Real> check(Mistake mistake) {
  FullModel model;
  model.mistake = mistake;
  return moreau::check_model(model, somewhere.q, somewhere.u, somewhere.t);
}

using Member = moreau::CheckReport<Real>::Member;
struct Expected {
  Mistake mistake;
  Member member;
  int index, coordinate;
};

constexpr Expected expected[] = {
    {Mistake::gap_is_nan, Member::gap, 0, 0},
    {Mistake::w_N_sign, Member::w_N, 0, 1},
    {Mistake::w_N_in_one_coordinate, Member::w_N, 0, 0},
    {Mistake::w_N_is_zero, Member::w_N, 0, -1},
    {Mistake::zeta_N_is_missing, Member::zeta_N, 0, 0},
    {Mistake::zeta_N_sign, Member::zeta_N, 0, 0},
    {Mistake::w_T_is_nan, Member::w_T, 0, 1},
    {Mistake::zeta_T_is_infinite, Member::zeta_T, 0, 0},
    {Mistake::mass_not_symmetric, Member::mass_symmetry, 1, 0},
    {Mistake::mass_indefinite, Member::mass_definite, 1, 1},
    {Mistake::mass_is_nan, Member::mass_definite, 1, 1},
    {Mistake::force_is_infinite, Member::force, 0, 1},
    {Mistake::eps_N_above_one, Member::law, 0, 0},
    {Mistake::eps_T_is_negative, Member::law, 0, 1},
    {Mistake::mu_is_negative, Member::law, 0, 2},
    {Mistake::mu_of_v_is_negative, Member::mu, 0, 1},
    {Mistake::bound_is_negative, Member::friction_bound, 0, 0},
    {Mistake::friction_directions_are_nan, Member::friction_directions, 0, 1},
    {Mistake::bilateral_w, Member::bilateral_w, 0, 0},
    {Mistake::bilateral_zeta, Member::bilateral_zeta, 0, 0},
    {Mistake::bias_acceleration_without_u, Member::bias_acceleration, 0, 0},
    {Mistake::contact_bias_without_zeta, Member::contact_bias_acceleration, 0, 0},
    {Mistake::contact_bias_of_w_T, Member::contact_bias_acceleration, 0, 1},
    {Mistake::friction_bias, Member::friction_bias_acceleration, 0, 0},
    {Mistake::depth_is_negative, Member::allowed_penetration, 0, 0},
    {Mistake::wrap_by_half_a_turn, Member::wrap, 2, 0},
    {Mistake::period_is_too_long, Member::period, 2, 1},
    {Mistake::no_inertial_force, Member::inertial_forces, 0, 1},
    {Mistake::only_eps_T, Member::eps_T_unused, 0, 1},
    {Mistake::w_T_is_zero, Member::w_T_zero, 0, -1},
};

}  // namespace

void test_consistent_model_is_accepted(void) {
  const auto report = check(Mistake::none);
  const auto& worst = report.worst();
  if (!report.ok()) {
    moreau::port::print(moreau::name(worst.member), " ", worst.index, " ", worst.coordinate, " deviation ",
                        worst.deviation, ", allowed ", worst.allowed);
  }
  CHECK(report.ok());
  // The force depends on the velocity: declarations that the model does not make are not checked.
  for (int m = 0; m < moreau::detail::members; ++m) {
    const auto member = static_cast<Member>(m);
    const bool checked = member < Member::symmetric_steps || member == Member::gap_jump ||
                         member == Member::w_T_scale || member == Member::bilateral_dependent ||
                         member == Member::friction_w_zero || member == Member::pure;
    CHECK_EQUAL(checked, report.looked_at(member));
  }
}

void test_each_mistake_is_reported(void) {
  for (const Expected& e : expected) {
    const auto report = check(e.mistake);
    const auto& worst = report.worst_of(e.member);
    if (report.ok() || worst.ok() || worst.index != e.index || worst.coordinate != e.coordinate)
      moreau::port::print("mistake ", static_cast<int>(e.mistake), ": ", moreau::name(worst.member), " ", worst.index,
                          " ", worst.coordinate, " deviation ", worst.deviation, ", allowed ", worst.allowed);
    CHECK(!report.ok());
    CHECK(!worst.ok());
    CHECK_EQUAL(e.index, worst.index);
    CHECK_EQUAL(e.coordinate, worst.coordinate);
  }
}

void test_mistake_in_one_member_does_not_affect_the_others(void) {
  const auto report = check(Mistake::zeta_N_sign);
  for (int m = 0; m < moreau::detail::members; ++m) {
    const auto member = static_cast<Member>(m);
    CHECK_EQUAL(member != Member::zeta_N, report.worst_of(member).ok());
  }
  CHECK(report.worst().member == Member::zeta_N);
}

void test_reported_deviation_is_exact(void) {
  const auto report = check(Mistake::zeta_N_sign);
  const FullModel model;
  const Real twice = 2 * model.A * model.omega * moreau::cos(model.omega * somewhere.t);
  CHECK_WITHIN(report.worst().allowed, twice, report.worst().deviation);

  const auto long_period = check(Mistake::period_is_too_long);
  const Real period = Real(1.2) * 2 * moreau::pi<Real>;  // in rad of the motion
  Real nearest = Real(1);                                // error of the deviation at the nearest of the compared times
  for (int k = 0; k < 16; ++k) {
    const Real phase = model.omega * somewhere.t + Real(k) * Real(0.0618) * period, later = phase + period;
    const Real deviation = moreau::detail::absolute(moreau::sin(later) - moreau::sin(phase));
    nearest = std::min(nearest, moreau::detail::absolute(deviation - long_period.worst().deviation));
  }
  CHECK_WITHIN(2 * long_period.worst().allowed, Real(0), nearest);
}

void test_worst_of_several_configurations_is_reported(void) {
  FullModel model;
  model.mistake = Mistake::w_N_in_one_coordinate;
  moreau::ModelChecker<FullModel> checker(model);
  // L cos phi and the wrong L sin phi agree only at 45 degrees.
  checker.look(FullModel::Vector(moreau::pi<Real> / 4, Real(0)), somewhere.u, somewhere.t);
  CHECK(checker.report().worst_of(Member::w_N).ok());
  CHECK(!checker.report().worst_of(Member::contact_bias_acceleration).ok());  // their rates differ
  checker.look(FullModel::Vector(Real(0), Real(0)), somewhere.u, somewhere.t);
  checker.look(FullModel::Vector(moreau::pi<Real> / 4, Real(0)), somewhere.u, somewhere.t);
  CHECK_WITHIN(checker.report().worst_of(Member::w_N).allowed, model.L,
               checker.report().worst_of(Member::w_N).deviation);
}

void test_empty_report_is_not_ok(void) { CHECK(!moreau::CheckReport<Real>{}.ok()); }

void test_models_of_the_papers_are_accepted(void) {
  using Woodpecker = models::Woodpecker<Real>;
  using SliderCrank = models::SliderCrank<Real>;
  moreau::CheckOptions<Real> small;
  small.length = Real(0.1);
  CHECK(moreau::check_model(Woodpecker{}, {Real(0.1), Real(0.05), Real(-0.2)}, {1, 2, 3}, Real(0), small).ok());
  const auto report =
      moreau::check_model(SliderCrank{}, {Real(0.9), Real(-0.4), Real(0.01)}, {1, 2, 3}, Real(0), small);
  CHECK(report.ok());
  CHECK(report.worst_of(Member::inertial_forces).ok() && report.looked_at(Member::inertial_forces));
}

// M = diag(1, r^2): without inertial forces the energy is not conserved, although every step is ok.
struct Polar {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0;
  using Vector = moreau::Vector<Real, 2>;
  bool inertia = true;
  Real drag = Real(0), thrust = Real(0);

  moreau::Matrix<Real, 2, 2> mass(const Vector& q, Real) const { return Vector(1, q(0) * q(0)).asDiagonal(); }
  Vector force(const Vector& q, const Vector& u, Real) const {
    Vector h(-drag * moreau::detail::absolute(u(0)) * u(0), thrust * u(1) * u(1));
    if (inertia) h += Vector(q(0) * u(1) * u(1), -2 * q(0) * u(0) * u(1));
    return h;
  }
};

void test_inertial_forces_follow_from_the_mass(void) {
  const Polar::Vector q(Real(1.2), Real(0.3)), u(Real(0.7), Real(2)), rest(Real(0), Real(0));
  const auto found = [&](const Polar& model, const Polar::Vector& speed, bool inertial_forces = true) {
    moreau::CheckOptions<Real> options;
    options.inertial_forces = inertial_forces;
    return moreau::check_model(model, q, speed, Real(0), options);
  };
  Polar polar;
  CHECK(found(polar, u).ok() && found(polar, rest).ok());
  polar.drag = 3;  // odd in u
  CHECK(found(polar, u).ok());
  const Real terms = 2 * q(0) * u(0) * u(1) + q(0) * u(1) * u(1);  // the inertial forces of a mass with the slope 2 r
  polar.thrust = Real(0.7) * moreau::CheckOptions<Real>{}.tolerance * terms / (u(1) * u(1));
  CHECK(found(polar, u).ok());
  polar.thrust *= 2;
  CHECK(!found(polar, u).ok());
  polar.thrust = 1;  // even in u, and intended
  CHECK(found(polar, u).worst().member == Member::inertial_forces);
  CHECK(found(polar, u, false).ok() && !found(polar, u, false).looked_at(Member::inertial_forces));
  polar.thrust = 0, polar.inertia = false;
  CHECK(found(polar, u).worst().member == Member::inertial_forces);
  CHECK(found(polar, rest).worst().member == Member::inertial_forces);  // also evaluated at non-zero speeds
}

// The gap of a pin centred in its bearing has no derivative: reported, but not as an error.
void test_gap_without_a_derivative_is_reported(void) {
  using FourBar = models::FourBarWithPlay<Real>;
  auto start = models::four_bar_start<FourBar>(Real(30));
  moreau::CheckOptions<Real> fine;
  fine.step_q = Real(1e-4);                                          // m: small compared with the clearance
  fine.tolerance = sizeof(Real) == 8 ? fine.tolerance : Real(2e-2);  // a float has three digits of such slopes
  const auto at_start = moreau::check_model(FourBar{}, start.q, start.u, Real(0), fine);
  CHECK(at_start.looked_at(Member::gap_bent));
  CHECK(at_start.ok());
  const auto rich = check(Mistake::none);
  CHECK(!rich.looked_at(Member::gap_bent));
}

// A kink of a gap is reported if it exceeds a thousand roundings of the length scale, relative to the difference step.
struct Roof {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  using Vector = moreau::Vector<Real, 1>;
  Real kink = 0;

  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return Vector(Real(1)); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(Real(0)); }
  Real gap(int, const Vector& q, Real) const { return q(0) + kink / 2 * moreau::detail::absolute(q(0)); }
  moreau::Directions<Real, 1, 0> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 1, 0> d;
    d.w_N(0) = 1;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
};
void test_rounding_errors_of_a_gap_are_no_kink(void) {
  const moreau::CheckOptions<Real> options;
  const Real least = 1000 * moreau::detail::epsilon<Real> * options.length / options.step_q;
  for (const Real times : {Real(0.7), Real(1.4)}) {
    const Roof roof{times * least};
    const auto report = moreau::check_model(roof, Roof::Vector(Real(0)), Roof::Vector(Real(0)), Real(0));
    CHECK_EQUAL(times > 1, report.looked_at(Member::gap_bent));
  }
}

void test_declared_symmetric_steps_are_verified(void) {
  const struct {
    Violation violation;
    int index, which;
  } violations[] = {{Violation::mass, 1, 0}, {Violation::force, 2, 0},      {Violation::force_backward, 2, 0},
                    {Violation::w_N, 3, 0},  {Violation::zeta_N, 3, 0},     {Violation::w_T, 3, 1},
                    {Violation::mu, 4, 0},   {Violation::friction_w, 5, 0}, {Violation::bilateral_w, 6, 0}};
  const Symmetric::Vector there(Real(0.7), Real(0.4));
  for (const auto& velocity : {Symmetric::Vector(Real(1.5), Real(-0.8)), Symmetric::Vector(Real(0), Real(0))}) {
    moreau::CheckOptions<Real> options;
    options.inertial_forces = false;  // an error of the mass would be reported there as well
    CHECK(moreau::check_model(Symmetric{}, there, velocity, somewhere.t, options).ok());
    for (const auto& l : violations) {
      Symmetric model;
      model.violation = l.violation;
      const auto report = moreau::check_model(model, there, velocity, somewhere.t, options);
      CHECK(report.looked_at(Member::symmetric_steps) && !report.ok());
      const auto& worst = report.worst();
      if (worst.index != l.index)
        moreau::port::print("violation ", int(l.violation), ": ", moreau::name(worst.member), worst.index);
      CHECK(worst.member == Member::symmetric_steps);  // no other member is reported
      CHECK(worst.index == l.index && worst.coordinate == l.which);
    }
  }
}

// The woodpecker with correct and with wrong declarations.
template <int violation>
struct WrongDeclaration : models::Woodpecker<Real> {
  static constexpr bool constant_mass = violation < 4, constant_directions = true;
  static constexpr bool symmetric_steps = violation < 4;  // with the last two, M varies
  static constexpr bool diagonal_mass = violation == 3;
  static constexpr bool touches(int, int) { return true; }
  static constexpr bool mass_pattern(int i, int j) { return violation != 1 || i == j; }
  static constexpr bool direction_pattern(int contact, int row, int j) {
    if (violation == 2 && contact == 1 && row == 1 && j == 1) return false;
    return models::Woodpecker<Real>::direction_pattern(contact, row, j);
  }
  Matrix mass(const Vector& place, Real time) const {
    return models::Woodpecker<Real>::mass(place, time) * (violation == 4 ? Real(1) + place(0) * place(0) : Real(1));
  }
};
template <>
struct WrongDeclaration<5> : WrongDeclaration<4> {
  static constexpr bool constant_mass = true;
};

template <>
struct WrongDeclaration<6> : WrongDeclaration<4> {
  moreau::Directions<Real, 3> directions(int i, const Vector& place, Real time) const {
    auto d = WrongDeclaration<4>::directions(i, place, time);
    if (i == 2) d.w_T(0) += time;
    return d;
  }
};

template <int violation>
moreau::CheckReport<Real> check_wrong_declaration() {
  using Toy = WrongDeclaration<violation>;
  moreau::CheckOptions<Real> options;
  options.inertial_forces = false;  // only declarations are checked
  return moreau::check_model(Toy{}, typename Toy::Vector(Real(0.1), Real(0.2), Real(-0.3)),
                             typename Toy::Vector(Real(0.5), Real(1), Real(-2)), Real(0.3), options);
}

void test_declared_structure_is_verified(void) {
  CHECK(check_wrong_declaration<0>().ok());
  CHECK(check_wrong_declaration<4>().ok());
  const auto pattern = check_wrong_declaration<1>().worst(), direction = check_wrong_declaration<2>().worst(),
             diagonal = check_wrong_declaration<3>().worst(), constant = check_wrong_declaration<5>().worst(),
             turning = check_wrong_declaration<6>().worst();
  CHECK(pattern.member == Member::mass_pattern && !pattern.ok());
  CHECK(direction.member == Member::direction_pattern && direction.index == 1 && direction.coordinate == 1);
  CHECK(diagonal.member == Member::diagonal_mass && !diagonal.ok());
  CHECK(constant.member == Member::constant_mass && !constant.ok());
  CHECK(turning.member == Member::constant_directions && turning.index == 2 && !turning.ok());
}

// All quantities have the size of a quarter, and one at a time deviates by a fraction: w, M at a later time, w at a
// later time, M or h at the same place one turn later.
enum class Off { w, later_mass, later_w, turned_mass, turned_force };

struct Quarter {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 1;
  static constexpr bool constant_mass = true, constant_directions = true;
  using Vector = moreau::Vector<Real, 1>;
  Off off = Off::w;
  Real part = 0, mass_scale = Real(0.25), lever = 1;

  Real quarter(bool changed) const { return Real(0.25) * (changed ? Real(1) + part : Real(1)); }
  moreau::Matrix<Real, 1, 1> mass(const Vector& q, Real t) const {
    const bool changed = (off == Off::later_mass && t > Real(0.5)) || (off == Off::turned_mass && q(0) > Real(0.5));
    return moreau::Matrix<Real, 1, 1>(mass_scale * 4 * quarter(changed));
  }
  Vector force(const Vector& q, const Vector&, Real) const {
    return Vector(quarter(off == Off::turned_force && q(0) > Real(0.5)));
  }
  Real gap(int, const Vector& q, Real) const {
    return lever * (quarter(false) * (q(0) - std::floor(q(0) + Real(0.25))));
  }
  moreau::Directions<Real, 1> directions(int, const Vector&, Real t) const {
    moreau::Directions<Real, 1> d;
    d.w_N(0) = lever * quarter(off == Off::w || (off == Off::later_w && t > Real(0.5)));
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
  Vector wrap(const Vector& q) const { return Vector(q(0) + 1); }
};

// `tolerance` is relative to the compared quantity; for two masses, to their sum.
void test_tolerance_is_relative(void) {
  const struct {
    Off off;
    Member member;
    Real sizes;
  } cases[] = {{Off::w, Member::w_N, 1},
               {Off::later_mass, Member::constant_mass, 2},
               {Off::later_w, Member::constant_directions, 1},
               {Off::turned_mass, Member::wrap, 1},
               {Off::turned_force, Member::wrap, 1}};
  for (const auto& c : cases)
    for (const Real times : {Real(0.7), Real(1.4)}) {
      Quarter model;
      model.off = c.off;
      model.part = times * c.sizes * moreau::CheckOptions<Real>{}.tolerance;
      const auto report = moreau::check_model(model, Quarter::Vector(Real(0.3)), Quarter::Vector(Real(1)), Real(0));
      CHECK(report.worst_of(c.member).ok() == (times < 1));
    }
  Quarter light;
  light.mass_scale = Real(1e-9);
  CHECK(moreau::check_model(light, Quarter::Vector(Real(0.3)), Quarter::Vector(Real(1)), Real(0)).ok());
  Quarter slow;  // the rounding error of lengths of 1 m over step_q is always allowed
  slow.lever = Real(1e-7);
  CHECK(moreau::check_model(slow, Quarter::Vector(Real(0.3)), Quarter::Vector(Real(1)), Real(0)).ok());
}

// The allowed penetration of a start is the rounding error of the length scale.
void test_allowed_penetration_of_a_start(void) {
  moreau::State<Quarter> start;
  start.q(0) = Real(-400) * moreau::detail::epsilon<Real>;  // a gap of -100 epsilon
  moreau::CheckOptions<Real> options;
  CHECK(moreau::check_start(Quarter{}, start, options).ok());
  options.length = Real(1e-3);
  CHECK(!moreau::check_start(Quarter{}, start, options).ok());
}

// A pivot below 4 n roundings of its diagonal counts as zero.
void test_pivot_within_rounding_is_zero(void) {
  for (const int roundings : {4, 16}) {
    moreau::Matrix<Real, 2, 2> M = moreau::Matrix<Real, 2, 2>::Constant(Real(1));
    M(1, 1) += Real(roundings) * moreau::detail::epsilon<Real>;
    moreau::CheckReport<Real> report;
    moreau::detail::check_mass<Real, 2>(M, {}, report);
    CHECK(report.worst_of(Member::mass_definite).ok() == (roundings > 8));
  }
}

// Clock advanced by the model: the gap of contact 1 takes longer above 0.5. On boards, timing_checker.cpp counts
// instructions.
int ticks = 0;
struct Ticks {
  int start_ticks = 0;
  void begin() { start_ticks = ticks; }
  int end() const { return ticks - start_ticks; }
};
struct Ticking : Quarter {
  static constexpr int contacts = 2;
  bool varies = true;
  Real gap(int i, const Vector& q, Real t) const {
    ticks += 7 + 10 * i + (varies && i == 1 && q(0) > Real(0.5) ? 1 : 0);
    return Quarter::gap(i, q, t);
  }
};

void test_slower_function_is_reported(void) {
  moreau::State<Ticking> low, high;
  high.q(0) = 1;
  Ticking model;
  const auto found = moreau::check_timing<Ticks>(model, low, high);
  const auto* varying = found.varying();
  CHECK(varying != nullptr && varying->function[0] == 'g' && varying->contact == 1);
  CHECK(varying->least == 17 && varying->most == 18);
  CHECK(found.cost[3].least == 7 && found.cost[3].most == 7 && found.cost[3].contact == 0);
  CHECK(found.cost[6].function[0] == 'd' && found.cost[6].most == 0);
  model.varies = false;
  CHECK(moreau::check_timing<Ticks>(model, low, high).varying() == nullptr);

  const auto rows = moreau::check_timing<Ticks>(FullModel{}, moreau::State<FullModel>{}, moreau::State<FullModel>{}, 1);
  const char* const functions[] = {"at",
                                   "mass",
                                   "force",
                                   "gap",
                                   "directions",
                                   "bilateral",
                                   "bias_acceleration",
                                   "law",
                                   "mu",
                                   "allowed_penetration",
                                   "friction_bound",
                                   "friction_directions",
                                   "contact_bias_acceleration",
                                   "friction_bias_acceleration"};
  TEST_ASSERT_EQUAL(sizeof functions / sizeof *functions, sizeof rows.cost / sizeof *rows.cost);
  for (std::size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    TEST_ASSERT_EQUAL_STRING(functions[i], rows.cost[i].function);
}

// Functions of contact laws and friction elements on the clock of `ticks`. One of them, `slow`, takes one tick more for
// half of the sampled angles, for sliding speeds above `fast`, or in every second call.
enum class Slow { none, law, mu, allowed_penetration, friction_bound, friction_directions };
struct SlowFunction : FullModel {
  Slow slow = Slow::none;
  mutable int calls = 0;
  static constexpr Real fast{0.5};  // m/s; the sampled sliding speeds are between 0.1 and 1.6 m/s
  void take(Slow function, bool longer) const { ticks += 5 + (slow == function && longer ? 1 : 0); }
  bool every_second_call() const { return ++calls % 2 == 0; }
  moreau::ContactLaw<Real> law(int i) const {
    if (slow == Slow::law) take(slow, every_second_call());
    return FullModel::law(i);
  }
  Real mu(int i, Real v) const {
    take(Slow::mu, v > fast);
    return FullModel::mu(i, v);
  }
  Real allowed_penetration(int i) const {
    if (slow == Slow::allowed_penetration) take(slow, every_second_call());
    return FullModel::allowed_penetration(i);
  }
  Real friction_bound(int j, const Vector& q, Real t) const {
    take(Slow::friction_bound, q(0) > Real(0.5));
    return FullModel::friction_bound(j, q, t);
  }
  moreau::FrictionDirections<Real, 2> friction_directions(int j, const Vector& q, Real t) const {
    take(Slow::friction_directions, q(0) > Real(0.5));
    return FullModel::friction_directions(j, q, t);
  }
};
struct SlowUniformFunction : SlowFunction {
  static constexpr bool uniform_contacts = true;
};

template <class Model>
void check_that_slow_functions_are_reported() {
  const char* const names[] = {"", "law", "mu", "allowed_penetration", "friction_bound", "friction_directions"};
  moreau::State<Model> low, high;
  high.q(0) = 1;
  high.u(0) = 5;
  for (int slow = 0; slow < int(sizeof names / sizeof *names); ++slow) {
    Model model;
    model.slow = Slow(slow);
    const auto found = moreau::check_timing<Ticks>(model, low, high);
    const auto* varying = found.varying();
    CHECK((varying == nullptr) == (model.slow == Slow::none));
    if (varying == nullptr) continue;
    TEST_ASSERT_EQUAL_STRING(names[slow], varying->function);
    CHECK(varying->least == 5 && varying->most == 6);
  }
}
void test_slow_law_and_friction_functions_are_reported(void) {
  check_that_slow_functions_are_reported<SlowFunction>();
  check_that_slow_functions_are_reported<SlowUniformFunction>();
}

// Table at 500 rad/s: the sampling resolves its motion.
void test_fast_surface_motion_is_resolved(void) {
  FullModel model;
  model.omega = 500;
  CHECK(moreau::check_model(model, somewhere.q, somewhere.u, somewhere.t).worst_of(Member::zeta_N).ok());
}

// Chain of two masses: wall, spring K, m_0, spring and damper, m_1. omega and delta are known.
struct Chain {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0;
  using Vector = moreau::Vector<Real, 2>;
  Real K = 4000, k = 1000, d = 20, upside_down = 0;
  moreau::Matrix<Real, 2, 2> mass(const Vector&, Real) const {
    moreau::Matrix<Real, 2, 2> M;
    M << Real(2), Real(0), Real(0), Real(0.5);
    return M;
  }
  Vector force(const Vector& x, const Vector& v, Real) const {
    const Real f = k * (x(1) - x(0)) + d * (v(1) - v(0));
    return {-K * x(0) + f, -f + upside_down * x(1)};
  }
};

// x'' = a x + b y, y'' = c x + e y: the larger eigenvalue of -M^-1 dh/dq.
Real larger_eigenvalue(Real a, Real b, Real c, Real e) {
  return (a + e) / 2 + moreau::sqrt((a - e) * (a - e) / 4 + b * c);
}

void test_limits_of_explicit_stiffness_and_damping(void) {
  const Chain chain;
  const Real omega =
      moreau::sqrt(larger_eigenvalue(5000 / Real(2), -1000 / Real(2), -1000 / Real(0.5), 1000 / Real(0.5)));
  const Real delta = larger_eigenvalue(20 / Real(2), -20 / Real(2), -20 / Real(0.5), 20 / Real(0.5));
  moreau::CheckOptions<Real> options;
  CHECK(!moreau::check_model(chain, somewhere.q, somewhere.u, Real(0), options).looked_at(Member::stiffness));
  options.dt = Real(1e-3);
  const auto fine = moreau::check_model(chain, somewhere.q, somewhere.u, Real(0), options);
  CHECK(fine.ok() && fine.looked_at(Member::stiffness) && fine.looked_at(Member::damping));
  CHECK_WITHIN(Real(0.01) * omega, omega, fine.worst_of(Member::stiffness).deviation * 1000);
  CHECK_WITHIN(Real(0.01) * delta, delta, fine.worst_of(Member::damping).deviation * 1000);
  CHECK_EQUAL(1, fine.worst_of(Member::stiffness).coordinate);  // the lighter mass has the largest amplitude
  CHECK_EQUAL(1, fine.worst_of(Member::damping).coordinate);
  Chain soft = chain;
  for (Real* number : {&soft.K, &soft.k, &soft.d}) *number *= Real(1e-6);
  const auto slow = moreau::check_model(soft, somewhere.q, somewhere.u, Real(0), options);
  CHECK_WITHIN(Real(0.01) * omega, omega, slow.worst_of(Member::stiffness).deviation * Real(1e6));
  CHECK_WITHIN(Real(0.01) * delta, delta, slow.worst_of(Member::damping).deviation * Real(1e9));
  options.dt = Real(2.05) / omega;
  CHECK(options.dt * delta < 2);
  const auto stiff = moreau::check_model(chain, somewhere.q, somewhere.u, Real(0), options);
  CHECK(!stiff.ok() && stiff.worst().member == Member::stiffness && stiff.worst_of(Member::damping).ok());
  options.dt = Real(2.05) / delta;
  CHECK(!moreau::check_model(chain, somewhere.q, somewhere.u, Real(0), options).worst_of(Member::damping).ok());
}

// The eigenvalue of largest magnitude is negative: no oscillation. The largest positive one determines the limit.
void test_negative_stiffness_does_not_mask_positive_stiffness(void) {
  Chain chain;
  chain.upside_down = 20000;
  moreau::CheckOptions<Real> options;
  options.dt = Real(1e-3);
  const moreau::Vector<Real, 2> none = moreau::Vector<Real, 2>::Zero();
  const Real square = larger_eigenvalue(2500, -500, -2000, 2000 - 40000);
  const auto report = moreau::check_model(chain, none, none, Real(0), options);
  CHECK_WITHIN(Real(0.01) * moreau::sqrt(square), moreau::sqrt(square),
               report.worst_of(Member::stiffness).deviation * 1000);
}

void test_negative_stiffness_alone_has_no_limit(void) {
  Chain chain;
  chain.K = -4000;
  chain.k = 0;
  chain.upside_down = 20000;
  moreau::CheckOptions<Real> options;
  options.dt = Real(1);
  const moreau::Vector<Real, 2> none = moreau::Vector<Real, 2>::Zero();
  const auto report = moreau::check_model(chain, none, none, Real(0), options);
  CHECK_EQUAL(Real(0), report.worst_of(Member::stiffness).deviation);
}

// Two masses on separate springs. Springs of negative stiffness have no frequency, nor has a zero mass.
struct Apart {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0;
  using Vector = moreau::Vector<Real, 2>;
  Real m{1}, k_0{0}, k_1{0};
  moreau::Matrix<Real, 2, 2> mass(const Vector&, Real) const { return m * moreau::Matrix<Real, 2, 2>::Identity(); }
  Vector force(const Vector& q, const Vector&, Real) const { return {-k_0 * q(0), -k_1 * q(1)}; }
};
void test_negative_stiffness_has_no_frequency(void) {
  moreau::CheckOptions<Real> options;
  options.dt = Real(1e-3);
  const auto none = moreau::Vector<Real, 2>::Zero().eval();
  const auto stiffness = [&](const Apart& model) {
    return moreau::check_model(model, none, none, Real(0), options).worst_of(Member::stiffness).deviation;
  };
  CHECK(stiffness({Real(1), Real(0), Real(0)}) == 0);
  CHECK(stiffness({Real(1), Real(-4e4), Real(-1e4)}) == 0);  // both negative, with different rates
  CHECK(stiffness({Real(1), Real(-1e4), Real(-1e4)}) == 0);
  CHECK_WITHIN(Real(1e-3), Real(0.1), stiffness({Real(1), Real(1e4), Real(-4e4)}));
  CHECK(!moreau::check_model(Apart{Real(0), Real(1), Real(1)}, none, none, Real(0), options)
             .looked_at(Member::stiffness));
}

void test_members_have_names(void) {
  volatile int n = 0;
  TEST_ASSERT_EQUAL_STRING("mass (symmetry)", moreau::name(Member(n + 0)));
  TEST_ASSERT_EQUAL_STRING("directions: zeta_T", moreau::name(Member::zeta_T));
  TEST_ASSERT_EQUAL_STRING("damping: dt d/m", moreau::name(Member::damping));
}

// The reported limit is the stability limit of a step: below it the energy is bounded, above it every step is ok and
// the state diverges.
void test_reported_limit_is_the_stability_limit_of_a_step(void) {
  Chain chain;
  chain.d = 0;
  const Real omega = moreau::sqrt(larger_eigenvalue(2500, -500, -2000, 2000));
  for (const Real part : {Real(1.95), Real(2.05)}) {
    moreau::State<Chain> start;
    start.q = {Real(1e-3), Real(-1e-3)};
    moreau::Stepper<Chain> stepper(chain, start);
    for (int n = 0; n < 60; ++n) CHECK(stepper.step(part / omega).status == moreau::Status::ok);
    CHECK((moreau::detail::absolute(stepper.state.q(0)) > 1) == (part > 2));
  }
}

TEST_MAIN({
  TEST(test_limits_of_explicit_stiffness_and_damping);
  TEST(test_negative_stiffness_does_not_mask_positive_stiffness);
  TEST(test_negative_stiffness_alone_has_no_limit);
  TEST(test_negative_stiffness_has_no_frequency);
  TEST(test_members_have_names);
  TEST(test_reported_limit_is_the_stability_limit_of_a_step);
  TEST(test_tolerance_is_relative);
  TEST(test_allowed_penetration_of_a_start);
  TEST(test_pivot_within_rounding_is_zero);
  TEST(test_fast_surface_motion_is_resolved);
  TEST(test_slower_function_is_reported);
  TEST(test_slow_law_and_friction_functions_are_reported);
  TEST(test_declared_structure_is_verified);
  TEST(test_declared_symmetric_steps_are_verified);
  TEST(test_consistent_model_is_accepted);
  TEST(test_each_mistake_is_reported);
  TEST(test_mistake_in_one_member_does_not_affect_the_others);
  TEST(test_reported_deviation_is_exact);
  TEST(test_worst_of_several_configurations_is_reported);
  TEST(test_empty_report_is_not_ok);
  TEST(test_models_of_the_papers_are_accepted);
  TEST(test_inertial_forces_follow_from_the_mass);
  TEST(test_gap_without_a_derivative_is_reported);
  TEST(test_rounding_errors_of_a_gap_are_no_kink);
})
