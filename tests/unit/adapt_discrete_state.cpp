// sigma and its changes: every solver gives the same discrete state, and changes have the names of SLG08, Table VII.
#include <cstring>
#include <moreau/moreau.hpp>

#include "models/slider_crank.hpp"
#include "models/sliding_mass.hpp"
#include "models/woodpecker.hpp"
#include "support/test.hpp"

namespace {

using moreau::DiscreteState;

// The same step with three solvers from every state of a trajectory.
template <class Model>
void check_solvers_agree(Real dt, int steps, moreau::Psor psor) {
  Model model;
  moreau::Stepper exact{model, models::state_at<Model>(model.start()), moreau::Exact{}};
  moreau::Stepper lemke{model, exact.state, moreau::Lemke{}};
  moreau::Stepper iterated{model, exact.state, psor};
  int with_contact = 0;
  for (int n = 0; n < steps; ++n) {
    lemke.state = iterated.state = exact.state;
    CHECK(exact.step(dt).status == moreau::Status::ok);
    CHECK(lemke.step(dt).status == moreau::Status::ok);
    const auto report = iterated.step(dt);
    CHECK(report.status == moreau::Status::ok);
    if (report.active > 0) ++with_contact;
    CHECK(DiscreteState<Model>(exact.state) == DiscreteState<Model>(lemke.state));
    CHECK(DiscreteState<Model>(exact.state) == DiscreteState<Model>(iterated.state));
  }
  CHECK(with_contact > steps / 50);
}

void test_solvers_agree_on_the_woodpecker(void) {
  check_solvers_agree<models::Woodpecker<Real>>(Real(1e-5), 20000, moreau::Psor{});
}
void test_solvers_agree_on_the_slider_crank(void) {
  moreau::Psor psor;  // two corners of a light slider converge slowly
  psor.omega = 1.7f;
  psor.max_iterations = 20000;
  check_solvers_agree<models::SliderCrank<Real>>(Real(1e-5), 4000, psor);
}

using Toy = models::Woodpecker<Real>;
using Laws = DiscreteState<Toy>;
using LawKind = Laws::LawKind;
using LawMode = Laws::LawMode;

moreau::State<Toy> toy_state(int closed, int sticks, Real P_T) {
  moreau::State<Toy> s;
  if (closed >= 0) {
    s.sigma_N[std::size_t(closed)] = 0;
    s.P_N(closed) = 1;
    s.P_T(0, closed) = P_T;
    if (sticks == closed) s.sigma_T[std::size_t(closed)] = 0;
  }
  return s;
}

void test_names_of_changes(void) {
  Laws::Switchings changes;
  changes.compare(Laws(toy_state(1, 1, 0)), Laws(toy_state(1, -1, Real(0.3))), Real(2));
  CHECK_EQUAL(1, changes.count);
  CHECK(changes.list[0].law == LawKind::friction && changes.list[0].index == 1 && changes.list[0].t == 2);
  CHECK(changes.list[0].from == LawMode::stick && changes.list[0].to == LawMode::slip);

  // Opening and closing are one event each: the friction mode of an open contact is no further change.
  changes.compare(Laws(toy_state(1, -1, Real(0.3))), Laws(toy_state(-1, -1, 0)), Real(2));
  CHECK_EQUAL(1, changes.count);
  CHECK(changes.list[0].law == LawKind::contact && changes.list[0].to == LawMode::open);
  changes.compare(Laws(toy_state(-1, -1, 0)), Laws(toy_state(2, 2, 0)), Real(2));
  CHECK_EQUAL(1, changes.count);
  CHECK(changes.list[0].law == LawKind::contact && changes.list[0].index == 2 && changes.list[0].to == LawMode::closed);

  changes.compare(Laws(toy_state(0, 0, 0)), Laws(toy_state(0, 0, 0)), Real(2));
  CHECK_EQUAL(0, changes.count);
}

// sigma is 1 before and after, but the friction force reverses.
void test_reversal_of_slip_is_a_change(void) {
  const Laws left(toy_state(1, -1, Real(0.3))), right(toy_state(1, -1, Real(-0.3)));
  CHECK(left != right);
  Laws::Switchings changes;
  changes.compare(left, right, Real(0));
  CHECK_EQUAL(1, changes.count);
  CHECK(changes.list[0].from == LawMode::slip && changes.list[0].to == LawMode::slip);
}

// Without a force the slip direction is undefined.
void test_slip_without_force(void) {
  const Laws pushes(toy_state(1, -1, Real(0.3))), free(toy_state(1, -1, 0));
  CHECK(free.mode[3] == Laws::Mode::impressed && free.of(3) == LawMode::slip);
  CHECK(free != pushes);
}

// Brake in one direction: its slip has a sign like that of a contact.
struct Brake {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 0, frictions = 1;
  using Vector = moreau::Vector<Real, 1>;
  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return Vector(Real(1)); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(Real(0)); }
  Real friction_bound(int, const Vector&, Real) const { return Real(1); }
  moreau::FrictionDirections<Real, 1, 1> friction_directions(int, const Vector&, Real) const {
    return {Vector(Real(1)), Real(0)};
  }
};
void test_slip_signs_of_a_friction_element(void) {
  using Mode = DiscreteState<Brake>::Mode;
  const auto mode = [](std::uint8_t sigma, Real P) {
    moreau::State<Brake> state;
    state.sigma_F[0] = sigma;
    state.P_F(0, 0) = P;
    return DiscreteState<Brake>(state).mode[0];
  };
  CHECK(mode(0, Real(0.3)) == Mode::constraint);
  CHECK(mode(1, Real(0.3)) == Mode::pushes_plus && mode(1, Real(-0.3)) == Mode::pushes_minus);
  CHECK(mode(1, 0) == Mode::impressed);
}

void test_names_in_words(void) {
  volatile std::uint8_t n = 0;  // evaluated at run time
  const auto word = [&n](auto law, int number) {
    n = static_cast<std::uint8_t>(number);
    return moreau::name(static_cast<decltype(law)>(n));
  };
  CHECK(std::strcmp(word(LawKind{}, 0), "unilateral contact") == 0 &&
        std::strcmp(word(LawKind{}, 2), "friction element") == 0);
  CHECK(std::strcmp(word(LawMode{}, 1), "closed") == 0 && std::strcmp(word(LawMode{}, 3), "stick") == 0);
}

void test_friction_elements(void) {
  using Mass = models::SlidingMass<Real>;
  moreau::State<Mass> slips, sticks;
  sticks.sigma_F[0] = 0;
  DiscreteState<Mass>::Switchings changes;
  changes.compare(DiscreteState<Mass>(slips), DiscreteState<Mass>(sticks), Real(1));
  CHECK_EQUAL(1, changes.count);
  CHECK(changes.list[0].law == LawKind::element && changes.list[0].to == LawMode::stick);
}

}  // namespace

TEST_MAIN({
  TEST(test_solvers_agree_on_the_woodpecker);
  TEST(test_solvers_agree_on_the_slider_crank);
  TEST(test_names_of_changes);
  TEST(test_reversal_of_slip_is_a_change);
  TEST(test_slip_without_force);
  TEST(test_slip_signs_of_a_friction_element);
  TEST(test_names_in_words);
  TEST(test_friction_elements);
})
