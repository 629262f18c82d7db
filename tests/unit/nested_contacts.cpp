// Several closed contacts and friction elements in the direct solution (step/nested_contacts.hpp): both timing modes are
// bit-identical, and equal to ActiveContacts up to rounding.
#include <cmath>
#include <moreau/mechanism.hpp>
#include <moreau/moreau.hpp>

#include "models/four_bar.hpp"
#include "support/bits_hash.hpp"
#include "support/saved.hpp"
#include "support/test.hpp"

namespace {

using moreau::Exact;
using moreau::Stepper;
using moreau::Timing;

// Random body of five coordinates. Friction is weak and the directions differ, so nearly all problems are solvable.
template <int contacts_, int frictions_, int most, bool uniform = false>
struct RandomBody {
  using Real = ::Real;
  static constexpr int dof = 5, contacts = contacts_, frictions = frictions_, closed_at_once = most;
  static constexpr bool uniform_contacts = uniform;
  using Q = moreau::Vector<Real, dof>;
  moreau::Matrix<Real, dof, dof> M;
  Q h;
  Real gaps[contacts + 1], bounds[frictions + 1];
  moreau::Directions<Real, dof> d[contacts + 1];
  moreau::FrictionDirections<Real, dof> f[frictions + 1];
  moreau::ContactLaw<Real> laws[contacts + 1];

  explicit RandomBody(test::Random& random) {
    const auto number = [&] { return random.between(Real(-1), Real(1)); };
    M.setZero();
    for (int i = 0; i < dof; ++i) {
      M(i, i) = Real(1) + random.between(Real(0), Real(2));
      for (int j = 0; j < i; ++j) M(i, j) = M(j, i) = Real(0.2) * number();
      h(i) = number();
    }
    for (int i = 0; i < contacts; ++i) {
      gaps[i] = number() - Real(0.3);
      for (int j = 0; j < dof; ++j) {
        d[i].w_N(j) = number();
        d[i].w_T(j, 0) = number();
      }
      d[i].zeta_N = number();
      d[i].zeta_T = number();
      laws[i] = {random.between(Real(0), Real(1)), random.between(Real(0), Real(1)),
                 random.between(Real(0), Real(0.2))};
    }
    for (int i = 0; i < frictions; ++i) {
      for (int j = 0; j < dof; ++j) f[i].w(j, 0) = number();
      f[i].zeta = number();
      bounds[i] = random.between(Real(0), Real(2000));
    }
  }
  moreau::Matrix<Real, dof, dof> mass(const Q&, Real) const { return M; }
  Q force(const Q&, const Q&, Real) const { return h; }
  Real gap(int i, const Q&, Real) const { return gaps[i]; }
  moreau::Directions<Real, dof> directions(int i, const Q&, Real) const { return d[i]; }
  moreau::ContactLaw<Real> law(int i) const { return laws[i]; }
  moreau::FrictionDirections<Real, dof> friction_directions(int i, const Q&, Real) const { return f[i]; }
  Real friction_bound(int i, const Q&, Real) const { return bounds[i]; }
};

// The same bodies with second_order, random rotation of their contacts and friction elements, and random data of the
// previous step.
template <class Body>
struct Second : Body {
  static constexpr bool second_order = true;
  moreau::ContactBias<Real, 1> rate[Body::contacts + 1];
  Real element_rate[Body::frictions + 1];

  explicit Second(test::Random& random) : Body(random) {
    const auto number = [&] { return random.between(Real(-100), Real(100)); };  // m/s^2
    for (auto& r : rate) r.N = number(), r.T = number();
    for (Real& r : element_rate) r = number();
  }
  auto contact_bias_acceleration(int i, const typename Body::Q&, const typename Body::Q&, Real) const {
    return rate[i];
  }
  Real friction_bias_acceleration(int j, const typename Body::Q&, const typename Body::Q&, Real) const {
    return element_rate[j];
  }
};
template <class Model>
void draw_start(test::Random& random, moreau::State<Model>& start) {
  for (int j = 0; j < Model::dof; ++j) start.u(j) = random.between(Real(-2), Real(2));
  if constexpr (moreau::Traits<Model>::second_order) {
    start.clock.dt = Real(2e-3);
    start.impact = random.between(Real(0), Real(1)) < Real(0.5);
    for (int i = 0; i < Model::contacts; ++i)
      start.resting[0] |= unsigned(random.between(Real(0), Real(1)) < Real(0.3)) << i;
    for (int j = 0; j < Model::dof; ++j) start.du_held(j) = random.between(Real(-0.1), Real(0.1));
  }
}

// Rounding errors of problems of up to twelve rows. The condition number is below 1e4 for most of the random problems.
constexpr Real same_velocity = Real(1e5) * std::numeric_limits<Real>::epsilon();

template <class Model>
void check_random_bodies(int most_closed) {
  using Constant = Stepper<Model, Exact, Timing::constant>;
  static_assert(Constant::constant_covers.holds && !Constant::constant_covers.jamming);
  CHECK_EQUAL(most_closed, Constant::constant_covers.closed);
  test::Random random(29);
  int covered = 0, fallbacks = 0, stuck = 0, apart = 0;
  constexpr int draws = often(2000);
  for (int n = 0; n < draws; ++n) {
    const Model model(random);
    moreau::State<Model> start;
    draw_start(random, start);
    const Real dt = Real(1e-3);
    static Constant constant{model, start};
    static Stepper<Model> variable{model, start};
    constant.model = variable.model = model;
    constant.state = variable.state = start;
    moreau::State<Model> general = start;
    const auto a = constant.step(dt), b = variable.step(dt);
    CHECK(test::saved(constant.state) == test::saved(variable.state));
    CHECK(a.status == b.status && a.active == b.active && a.residual == b.residual);
    if (a.active > most_closed) {
      CHECK(a.fallbacks > 0);
      continue;
    }
    ++covered;
    fallbacks += a.fallbacks > 0;
    const auto c = variable.advance(general, dt);
    CHECK_EQUAL(c.advanced(), a.advanced());
    if (!a.advanced() || a.fallbacks > 0) continue;
    bool same = true;
    for (int j = 0; j < Model::dof; ++j) {
      same = same && std::abs(general.u(j) - constant.state.u(j)) < same_velocity;
      same = same && std::abs(general.q(j) - constant.state.q(j)) < dt * same_velocity;
    }
    apart += !same;
    if constexpr (moreau::Traits<Model>::second_order) {
      CHECK_EQUAL(general.impact, constant.state.impact);
      if (same) CHECK_EQUAL(general.resting[0], constant.state.resting[0]);
    }
    for (int j = 0; j < Model::frictions; ++j) {
      stuck += constant.state.sigma_F[std::size_t(j)] == 0;
      if (same) CHECK_EQUAL(general.sigma_F[std::size_t(j)], constant.state.sigma_F[std::size_t(j)]);
    }
  }
  moreau::port::print(covered, " steps covered, ", fallbacks, " fallbacks, ", stuck, " elements stick, ", apart,
                      " apart\n");
  CHECK(covered > draws / 3 && fallbacks <= covered / 50 && apart <= covered / 50);
  if (Model::frictions > 0) CHECK(stuck > covered / 10);
}

void test_slot_per_contact(void) { check_random_bodies<RandomBody<3, 0, 3>>(3); }
void test_selected_contacts(void) {
  check_random_bodies<RandomBody<6, 0, 4, true>>(4);
  check_random_bodies<Second<RandomBody<5, 0, 3, true>>>(3);
}
void test_friction_elements(void) {
  check_random_bodies<RandomBody<0, 2, 2>>(0);
  check_random_bodies<RandomBody<4, 1, 3>>(3);
  check_random_bodies<RandomBody<2, 3, 2>>(2);
  check_random_bodies<Second<RandomBody<2, 3, 2>>>(2);
}

// Four-bar with clearance in three joints, which are closed most of the time.
void test_four_bar(void) {
  using Model = models::FourBarWithPlay<Real>;
  using Constant = Stepper<Model, Exact, Timing::constant>;
  static_assert(Constant::constant_covers.closed == 3);
  int three = 0;
  for (const Real mu : {Real(0), Real(0.1), Real(0.6)}) {
    const Model model(models::FourBarWithPlayParts<Real>(Real(5e-4), {Real(0.4), Real(0), mu}));
    const auto start = models::four_bar_start<Model>(Real(30));
    Constant constant{model, start};
    Stepper<Model> variable{model, start};
    for (int n = 0; n < 3000; ++n) {
      const auto a = constant.step(Real(1e-4)), b = variable.step(Real(1e-4));
      CHECK(a.advanced() && a.fallbacks == 0 && b.fallbacks == 0);
      CHECK(test::saved(constant.state) == test::saved(variable.state));
      three += a.active == 3;
    }
  }
  CHECK(three > 3000);
}

// Errors of a contact law or of a bound are found and reported.
void test_illegal_parameters(void) {
  using Model = RandomBody<2, 3, 2>;
  test::Random random(31);
  Model model(random);
  for (Real& gap : model.gaps) gap = Real(-1);
  const auto check = [&](const Model& bad) {
    Stepper<Model, Exact, Timing::constant> constant{bad, {}};
    CHECK_EQUAL(moreau::Status::invalid_argument, constant.step(Real(1e-3)).status);
    CHECK_EQUAL(moreau::Status::invalid_argument, Stepper<Model>(bad, {}).step(Real(1e-3)).status);
  };
  Model bad = model;
  bad.laws[1].eps_N = Real(2);
  check(bad);
  bad = model;
  bad.laws[0].mu = Real(-1);
  check(bad);
  bad = model;
  bad.bounds[1] = Real(-1);
  check(bad);
  bad = model;
  bad.d[0].w_N.setZero();
  check(bad);
}

}  // namespace

TEST_MAIN({
  TEST(test_slot_per_contact);
  TEST(test_selected_contacts);
  TEST(test_friction_elements);
  TEST(test_four_bar);
  TEST(test_illegal_parameters);
})
