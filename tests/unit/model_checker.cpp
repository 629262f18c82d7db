// The model checker lets a consistent model pass and names what is wrong with one that is not.
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
  depth_is_negative,
  wrap_by_half_a_turn,
  period_is_too_long,
  no_inertial_force,
  only_eps_T,
  w_T_is_zero
};

// A model with every optional member: a bar of angle phi above a slider x on a table that swings.
struct Rich {
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
      h(1) += Real(0.1) * moreau::sin(q(0)) * u(0) * u(0);  // inertia: M(0, 1) turns with q(0)
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
  Real allowed_penetration(int) const { return is(Mistake::depth_is_negative) ? Real(-1e-6) : Real(1e-6); }
  Vector wrap(const Vector& q) const {
    return Vector(moreau::wrap_angle(q(0)) + (is(Mistake::wrap_by_half_a_turn) ? moreau::pi<Real> : Real(0)), q(1));
  }
  Real period() const { return Real(2) * moreau::pi<Real> / omega * (is(Mistake::period_is_too_long) ? Real(1.2) : 1); }
};

// What a model that declares symmetric_steps may not do, one at a time.
enum class Lie { none, mass, force, force_backward, w_N, zeta_N, w_T, mu, friction_w, bilateral_w };

struct Symmetric {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 2, frictions = 1, bilaterals = 1;
  static constexpr bool symmetric_steps = true;
  using Vector = moreau::Vector<Real, 2>;
  Lie lie = Lie::none;
  Real if_it(Lie what, Real x) const { return lie == what ? x : Real(0); }

  moreau::Matrix<Real, 2, 2> mass(const Vector& q, Real) const {
    return Vector(Real(0.5), Real(2) + if_it(Lie::mass, q(0))).asDiagonal();
  }
  Vector force(const Vector& q, const Vector& u, Real t) const {
    return Vector(-moreau::sin(q(0)) + if_it(Lie::force_backward, u(0) < 0 ? Real(0.5) : Real(0)),
                  moreau::sin(t) - Real(9.81) - if_it(Lie::force, Real(0.5) * u(1)));
  }
  Real gap(int, const Vector& q, Real t) const {
    return q(1) + if_it(Lie::w_N, q(0) * q(0)) + if_it(Lie::zeta_N, Real(4) * t * t);
  }
  moreau::Directions<Real, 2> directions(int i, const Vector& q, Real t) const {
    moreau::Directions<Real, 2> d;
    d.w_N = Vector(if_it(Lie::w_N, Real(2) * q(0)), Real(1));
    d.w_T = Vector(Real(1), i == 1 ? if_it(Lie::w_T, q(1)) : Real(0));
    d.zeta_N = if_it(Lie::zeta_N, Real(8) * t);
    d.zeta_T = Real(0.1);  // a belt
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {Real(0.5), Real(0), Real(0.3)}; }
  Real mu(int, Real v) const { return Real(0.3) + if_it(Lie::mu, Real(0.1) * v); }
  Real friction_bound(int, const Vector& q, Real) const { return Real(1) + q(0) * q(0); }
  moreau::FrictionDirections<Real, 2> friction_directions(int j, const Vector& q, Real) const {
    CHECK_EQUAL(0, j);  // nobody asks for what is not there
    moreau::FrictionDirections<Real, 2> d;
    d.w(0) = Real(1) + if_it(Lie::friction_w, q(0));
    return d;
  }
  moreau::Bilateral<Real, 2> bilateral(int j, const Vector& q, Real) const {
    CHECK_EQUAL(0, j);
    moreau::Bilateral<Real, 2> row;
    row.w = Vector(Real(1), if_it(Lie::bilateral_w, Real(2) * q(1)));
    row.g = q(0) + if_it(Lie::bilateral_w, q(1) * q(1));
    return row;
  }
};

const struct {
  Rich::Vector q{Real(0.7), Real(0.4)}, u{Real(1.5), Real(-0.8)};
  Real t = Real(0.003);
} somewhere;

moreau::CheckReport<Real> check(Mistake mistake) {
  Rich model;
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
    {Mistake::depth_is_negative, Member::allowed_penetration, 0, 0},
    {Mistake::wrap_by_half_a_turn, Member::wrap, 2, 0},
    {Mistake::period_is_too_long, Member::period, 2, 1},
    {Mistake::no_inertial_force, Member::inertial_forces, 0, 1},
    {Mistake::only_eps_T, Member::eps_T_unused, 0, 1},
    {Mistake::w_T_is_zero, Member::w_T_zero, 0, -1},
};

}  // namespace

void test_a_consistent_model_passes(void) {
  const auto report = check(Mistake::none);
  const auto& worst = report.worst();
  if (!report.ok()) {
    moreau::port::print(moreau::name(worst.member), " ", worst.index, " ", worst.coordinate, " off by ",
                        worst.deviation, ", allowed ", worst.allowed);
  }
  CHECK(report.ok());
  // Its force depends on the velocity: what it does not declare is not looked at.
  for (int member = 0; member < moreau::detail::members; ++member)
    CHECK_EQUAL(static_cast<Member>(member) < Member::symmetric_steps, report.looked_at(static_cast<Member>(member)));
}

void test_each_mistake_is_found_and_named(void) {
  for (const Expected& e : expected) {
    const auto report = check(e.mistake);
    const auto& worst = report.worst_of(e.member);
    if (report.ok() || worst.ok() || worst.index != e.index || worst.coordinate != e.coordinate)
      moreau::port::print("mistake ", static_cast<int>(e.mistake), ": ", moreau::name(worst.member), " ", worst.index,
                          " ", worst.coordinate, " off by ", worst.deviation, ", allowed ", worst.allowed);
    CHECK(!report.ok());
    CHECK(!worst.ok());
    CHECK_EQUAL(e.index, worst.index);
    CHECK_EQUAL(e.coordinate, worst.coordinate);
  }
}

void test_a_mistake_in_one_member_leaves_the_others_alone(void) {
  const auto report = check(Mistake::zeta_N_sign);
  for (int m = 0; m < moreau::detail::members; ++m) {
    const auto member = static_cast<Member>(m);
    CHECK_EQUAL(member != Member::zeta_N, report.worst_of(member).ok());
  }
  CHECK(report.worst().member == Member::zeta_N);
}

void test_the_deviation_is_the_one_there_is(void) {
  const auto report = check(Mistake::zeta_N_sign);
  const Rich model;
  const Real twice = 2 * model.A * model.omega * moreau::cos(model.omega * somewhere.t);
  CHECK_WITHIN(report.worst().allowed, twice, report.worst().deviation);

  const auto long_period = check(Mistake::period_is_too_long);
  const Real phase = model.omega * somewhere.t, later = phase + Real(1.2) * 2 * moreau::pi<Real>;  // not earlier
  CHECK_WITHIN(2 * long_period.worst().allowed, moreau::detail::absolute(moreau::sin(later) - moreau::sin(phase)),
               long_period.worst().deviation);
}

void test_the_worst_of_several_configurations_is_kept(void) {
  Rich model;
  model.mistake = Mistake::w_N_in_one_coordinate;
  moreau::ModelChecker<Rich> checker(model);
  // L cos phi and the wrong L sin phi agree at 45 degrees only.
  checker.look(Rich::Vector(moreau::pi<Real> / 4, Real(0)), somewhere.u, somewhere.t);
  CHECK(checker.report().ok());
  checker.look(Rich::Vector(Real(0), Real(0)), somewhere.u, somewhere.t);
  checker.look(Rich::Vector(moreau::pi<Real> / 4, Real(0)), somewhere.u, somewhere.t);
  CHECK_WITHIN(checker.report().worst().allowed, model.L, checker.report().worst().deviation);
}

void test_a_report_that_has_looked_at_nothing_is_not_ok(void) { CHECK(!moreau::CheckReport<Real>{}.ok()); }

void test_the_models_of_the_papers_pass(void) {
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

// M = diag(1, r^2): without inertial forces energy comes from nowhere, and every step is ok.
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
  const auto found = [&](const Polar& model, const Polar::Vector& speed, bool asked = true) {
    moreau::CheckOptions<Real> options;
    options.inertial_forces = asked;
    return moreau::check_model(model, q, speed, Real(0), options);
  };
  Polar polar;
  CHECK(found(polar, u).ok() && found(polar, rest).ok());
  polar.drag = 3;  // odd in u
  CHECK(found(polar, u).ok());
  const Real terms = 2 * q(0) * u(0) * u(1) + q(0) * u(1) * u(1);  // of the forces of a mass whose slope is 2 r
  polar.thrust = Real(0.7) * moreau::CheckOptions<Real>{}.tolerance * terms / (u(1) * u(1));
  CHECK(found(polar, u).ok());
  polar.thrust *= 2;
  CHECK(!found(polar, u).ok());
  polar.thrust = 1;  // even, and meant
  CHECK(found(polar, u).worst().member == Member::inertial_forces);
  CHECK(found(polar, u, false).ok() && !found(polar, u, false).looked_at(Member::inertial_forces));
  polar.thrust = 0, polar.inertia = false;
  CHECK(found(polar, u).worst().member == Member::inertial_forces);
  CHECK(found(polar, rest).worst().member == Member::inertial_forces);  // asked at other speeds than none
}

// The gap of a pin in the middle of its bearing has no derivative: that is named and no mistake.
void test_a_gap_without_a_derivative_is_named(void) {
  using FourBar = models::FourBarWithPlay<Real>;
  auto start = models::four_bar_start<FourBar>(Real(30));
  moreau::CheckOptions<Real> fine;
  fine.step_q = Real(1e-4);                                          // m: small beside a play
  fine.tolerance = sizeof(Real) == 8 ? fine.tolerance : Real(2e-2);  // a float has three digits of such slopes
  const auto at_start = moreau::check_model(FourBar{}, start.q, start.u, Real(0), fine);
  CHECK(at_start.looked_at(Member::gap_bent));
  CHECK(at_start.ok());
  const auto rich = check(Mistake::none);
  CHECK(!rich.looked_at(Member::gap_bent));
}

// A bend of a gap counts from a thousand roundings on of the lengths there are, over what its slopes are taken over.
struct Roof {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 1, tangents = 0;
  using Vector = moreau::Vector<Real, 1>;
  Real bend = 0;

  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return Vector(Real(1)); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(Real(0)); }
  Real gap(int, const Vector& q, Real) const { return q(0) + bend / 2 * moreau::detail::absolute(q(0)); }
  moreau::Directions<Real, 1, 0> directions(int, const Vector&, Real) const {
    moreau::Directions<Real, 1, 0> d;
    d.w_N(0) = 1;
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
};
void test_roundings_of_a_gap_are_no_bend(void) {
  const moreau::CheckOptions<Real> options;
  const Real least = 1000 * moreau::detail::epsilon<Real> * options.length / options.step_q;
  for (const Real times : {Real(0.7), Real(1.4)}) {
    const Roof roof{times * least};
    const auto report = moreau::check_model(roof, Roof::Vector(Real(0)), Roof::Vector(Real(0)), Real(0));
    CHECK_EQUAL(times > 1, report.looked_at(Member::gap_bent));
  }
}

void test_symmetric_steps_are_believed_or_not(void) {
  const struct {
    Lie lie;
    int index, which;
  } lies[] = {{Lie::mass, 1, 0}, {Lie::force, 2, 0},      {Lie::force_backward, 2, 0},
              {Lie::w_N, 3, 0},  {Lie::zeta_N, 3, 0},     {Lie::w_T, 3, 1},
              {Lie::mu, 4, 0},   {Lie::friction_w, 5, 0}, {Lie::bilateral_w, 6, 0}};
  const Symmetric::Vector there(Real(0.7), Real(0.4));
  for (const auto& velocity : {Symmetric::Vector(Real(1.5), Real(-0.8)), Symmetric::Vector(Real(0), Real(0))}) {
    moreau::CheckOptions<Real> options;
    options.inertial_forces = false;  // a lie about the mass would be found there, too
    CHECK(moreau::check_model(Symmetric{}, there, velocity, somewhere.t, options).ok());
    for (const auto& l : lies) {
      Symmetric model;
      model.lie = l.lie;
      const auto report = moreau::check_model(model, there, velocity, somewhere.t, options);
      CHECK(report.looked_at(Member::symmetric_steps) && !report.ok());
      const auto& worst = report.worst();
      if (worst.index != l.index)
        moreau::port::print("lie ", int(l.lie), ": ", moreau::name(worst.member), worst.index);
      CHECK(worst.member == Member::symmetric_steps);  // and nothing else is wrong
      CHECK(worst.index == l.index && worst.coordinate == l.which);
    }
  }
}

// The woodpecker as it is, and as it is not.
template <int lie>
struct Liar : models::Woodpecker<Real> {
  static constexpr bool constant_mass = lie < 4, constant_directions = true;
  static constexpr bool symmetric_steps = lie < 4;  // M of the last one changes
  static constexpr bool diagonal_mass = lie == 3;
  static constexpr bool touches(int, int) { return true; }
  static constexpr bool mass_pattern(int i, int j) { return lie != 1 || i == j; }
  static constexpr bool direction_pattern(int contact, int row, int j) {
    if (lie == 2 && contact == 1 && row == 1 && j == 1) return false;
    return models::Woodpecker<Real>::direction_pattern(contact, row, j);
  }
  Matrix mass(const Vector& place, Real time) const {
    return models::Woodpecker<Real>::mass(place, time) * (lie == 4 ? Real(1) + place(0) * place(0) : Real(1));
  }
};
template <>
struct Liar<5> : Liar<4> {
  static constexpr bool constant_mass = true;
};

template <>
struct Liar<6> : Liar<4> {
  moreau::Directions<Real, 3> directions(int i, const Vector& place, Real time) const {
    auto d = Liar<4>::directions(i, place, time);
    if (i == 2) d.w_T(0) += time;
    return d;
  }
};

template <int lie>
moreau::CheckReport<Real> check_liar() {
  using Toy = Liar<lie>;
  moreau::CheckOptions<Real> options;
  options.inertial_forces = false;  // only what is declared
  return moreau::check_model(Toy{}, typename Toy::Vector(Real(0.1), Real(0.2), Real(-0.3)),
                             typename Toy::Vector(Real(0.5), Real(1), Real(-2)), Real(0.3), options);
}

void test_declared_structure_is_believed_or_not(void) {
  CHECK(check_liar<0>().ok());
  CHECK(check_liar<4>().ok());
  const auto pattern = check_liar<1>().worst(), direction = check_liar<2>().worst(), diagonal = check_liar<3>().worst(),
             constant = check_liar<5>().worst(), turning = check_liar<6>().worst();
  CHECK(pattern.member == Member::mass_pattern && !pattern.ok());
  CHECK(direction.member == Member::direction_pattern && direction.index == 1 && direction.coordinate == 1);
  CHECK(diagonal.member == Member::diagonal_mass && !diagonal.ok());
  CHECK(constant.member == Member::constant_mass && !constant.ok());
  CHECK(turning.member == Member::constant_directions && turning.index == 2 && !turning.ok());
}

// Everything is of one size, a quarter, and one thing at a time is off by a part of it: w, M later, w later, M or h of the
// same place a turn further.
enum class Off { w, later_mass, later_w, turned_mass, turned_force };

struct Quarter {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 1;
  static constexpr bool constant_mass = true, constant_directions = true;
  using Vector = moreau::Vector<Real, 1>;
  Off off = Off::w;
  Real part = 0, kg = Real(0.25), lever = 1;

  Real quarter(bool changed) const { return Real(0.25) * (changed ? Real(1) + part : Real(1)); }
  moreau::Matrix<Real, 1, 1> mass(const Vector& q, Real t) const {
    const bool changed = (off == Off::later_mass && t > Real(0.5)) || (off == Off::turned_mass && q(0) > Real(0.5));
    return moreau::Matrix<Real, 1, 1>(kg * 4 * quarter(changed));
  }
  Vector force(const Vector& q, const Vector&, Real) const {
    return Vector(quarter(off == Off::turned_force && q(0) > Real(0.5)));
  }
  Real gap(int, const Vector& q, Real) const {
    return lever * (quarter(false) * (q(0) > Real(0.75) ? q(0) - 1 : q(0)));
  }
  moreau::Directions<Real, 1> directions(int, const Vector&, Real t) const {
    moreau::Directions<Real, 1> d;
    d.w_N(0) = lever * quarter(off == Off::w || (off == Off::later_w && t > Real(0.5)));
    return d;
  }
  moreau::ContactLaw<Real> law(int) const { return {}; }
  Vector wrap(const Vector& q) const { return Vector(q(0) + 1); }
};

// `tolerance` is a part of what is compared, of both together where two masses are.
void test_what_is_tolerated_is_a_part_of_the_size(void) {
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
  light.kg = Real(1e-9);
  CHECK(moreau::check_model(light, Quarter::Vector(Real(0.3)), Quarter::Vector(Real(1)), Real(0)).ok());
  Quarter slow;  // rounding of lengths of 1 m, over step_q, is allowed in any case
  slow.lever = Real(1e-7);
  CHECK(moreau::check_model(slow, Quarter::Vector(Real(0.3)), Quarter::Vector(Real(1)), Real(0)).ok());
}

// A start may overlap by the rounding of the lengths that there are.
void test_what_a_start_may_overlap(void) {
  moreau::State<Quarter> start;
  start.q(0) = Real(-400) * moreau::detail::epsilon<Real>;  // a gap of -100 epsilon
  moreau::CheckOptions<Real> options;
  CHECK(moreau::check_start(Quarter{}, start, options).ok());
  options.length = Real(1e-3);
  CHECK(!moreau::check_start(Quarter{}, start, options).ok());
}

// What elimination leaves of a diagonal is rounding below 4 n of it.
void test_a_pivot_of_rounding_is_none(void) {
  for (const int roundings : {4, 16}) {
    moreau::Matrix<Real, 2, 2> M = moreau::Matrix<Real, 2, 2>::Constant(Real(1));
    M(1, 1) += Real(roundings) * moreau::detail::epsilon<Real>;
    moreau::CheckReport<Real> report;
    moreau::detail::check_mass<Real, 2>(M, {}, report);
    CHECK(report.worst_of(Member::mass_definite).ok() == (roundings > 8));
  }
}

// A clock that the model advances: a gap of contact 1 takes longer above 0.5. (Instructions are counted on boards, in
// timing_checker.cpp.)
int ticks = 0;
struct Ticks {
  int begun = 0;
  void begin() { begun = ticks; }
  int end() const { return ticks - begun; }
};
struct Ticking : Quarter {
  static constexpr int contacts = 2;
  bool varies = true;
  Real gap(int i, const Vector& q, Real t) const {
    ticks += 7 + 10 * i + (varies && i == 1 && q(0) > Real(0.5) ? 1 : 0);
    return Quarter::gap(i, q, t);
  }
};

void test_the_slower_function_is_named(void) {
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

  const auto rows = moreau::check_timing<Ticks>(Rich{}, moreau::State<Rich>{}, moreau::State<Rich>{}, 1);
  const char* const functions[] = {"at", "mass", "force", "gap", "directions", "bilateral", "bias_acceleration", ""};
  TEST_ASSERT_EQUAL(sizeof functions / sizeof *functions, sizeof rows.cost / sizeof *rows.cost);
  for (std::size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    TEST_ASSERT_EQUAL_STRING(functions[i], rows.cost[i].function);
}

// A table at 500 rad/s: its motion is looked at finely enough.
void test_fast_surroundings_are_followed(void) {
  Rich model;
  model.omega = 500;
  CHECK(moreau::check_model(model, somewhere.q, somewhere.u, somewhere.t).worst_of(Member::zeta_N).ok());
}

// Two masses in a row: a wall, a spring K, m_0, a spring and a damper, m_1. omega and delta are known.
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

void test_explicit_stiffness_and_damping_have_a_limit(void) {
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
  CHECK_EQUAL(1, fine.worst_of(Member::stiffness).coordinate);  // the lighter mass moves most
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

// The eigenvalue of largest size is negative: no oscillation. The largest one counts all the same.
void test_what_falls_over_does_not_hide_what_is_stiff(void) {
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

void test_what_only_falls_over_is_not_stiff(void) {
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

// Two masses on springs of their own. Springs that push away have no frequency, nor has a mass that is none.
struct Apart {
  using Real = ::Real;
  static constexpr int dof = 2, contacts = 0;
  using Vector = moreau::Vector<Real, 2>;
  Real m{1}, k_0{0}, k_1{0};
  moreau::Matrix<Real, 2, 2> mass(const Vector&, Real) const { return m * moreau::Matrix<Real, 2, 2>::Identity(); }
  Vector force(const Vector& q, const Vector&, Real) const { return {-k_0 * q(0), -k_1 * q(1)}; }
};
void test_what_pushes_away_has_no_frequency(void) {
  moreau::CheckOptions<Real> options;
  options.dt = Real(1e-3);
  const auto none = moreau::Vector<Real, 2>::Zero().eval();
  const auto stiffness = [&](const Apart& model) {
    return moreau::check_model(model, none, none, Real(0), options).worst_of(Member::stiffness).deviation;
  };
  CHECK(stiffness({Real(1), Real(0), Real(0)}) == 0);
  CHECK(stiffness({Real(1), Real(-4e4), Real(-1e4)}) == 0);  // both, and one faster than the other
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

// What the limit says is what a step does: below it the energy stays, above it every step is ok and the state explodes.
void test_the_limit_is_that_of_the_step(void) {
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
  TEST(test_explicit_stiffness_and_damping_have_a_limit);
  TEST(test_what_falls_over_does_not_hide_what_is_stiff);
  TEST(test_what_only_falls_over_is_not_stiff);
  TEST(test_what_pushes_away_has_no_frequency);
  TEST(test_members_have_names);
  TEST(test_the_limit_is_that_of_the_step);
  TEST(test_what_is_tolerated_is_a_part_of_the_size);
  TEST(test_what_a_start_may_overlap);
  TEST(test_a_pivot_of_rounding_is_none);
  TEST(test_fast_surroundings_are_followed);
  TEST(test_the_slower_function_is_named);
  TEST(test_declared_structure_is_believed_or_not);
  TEST(test_symmetric_steps_are_believed_or_not);
  TEST(test_a_consistent_model_passes);
  TEST(test_each_mistake_is_found_and_named);
  TEST(test_a_mistake_in_one_member_leaves_the_others_alone);
  TEST(test_the_deviation_is_the_one_there_is);
  TEST(test_the_worst_of_several_configurations_is_kept);
  TEST(test_a_report_that_has_looked_at_nothing_is_not_ok);
  TEST(test_the_models_of_the_papers_pass);
  TEST(test_inertial_forces_follow_from_the_mass);
  TEST(test_a_gap_without_a_derivative_is_named);
  TEST(test_roundings_of_a_gap_are_no_bend);
})
