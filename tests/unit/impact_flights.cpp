// Flights of the contacts between their impacts (record/flights.hpp), in the summary of a run.
#include <moreau/moreau.hpp>
#include <moreau/record/recorder.hpp>

#include "models/cam.hpp"
#include "support/second_order.hpp"
#include "support/test.hpp"

namespace {

// A point mass between two walls at -d and d, without loss of energy: a contact impacts every 4 d / v.
struct Ball {
  using Real = ::Real;
  static constexpr int dof = 1, contacts = 2, tangents = 0;
  static constexpr bool constant_mass = true, constant_directions = true, uniform_contacts = true;
  using Vector = moreau::Vector<Real, 1>;
  Real d{1e-3}, eps_N{1}, pull{0};  // m, 1, N

  moreau::Matrix<Real, 1, 1> mass(const Vector&, Real) const { return moreau::Matrix<Real, 1, 1>(Real(1)); }
  Vector force(const Vector&, const Vector&, Real) const { return Vector(pull); }
  Real gap(int i, const Vector& q, Real) const { return i == 0 ? d - q(0) : d + q(0); }
  moreau::Directions<Real, 1, 0> directions(int i, const Vector&, Real) const {
    moreau::Directions<Real, 1, 0> directions;
    directions.w_N(0) = Real(i == 0 ? -1 : 1);
    return directions;
  }
  moreau::ContactLaw<Real> law(int) const { return {eps_N, Real(0), Real(0)}; }
};
using Second = test::Second<Ball>;

template <class Model>
moreau::Stepper<Model> thrown(Real v) {
  moreau::State<Model> state;
  state.u(0) = v;
  return moreau::Stepper<Model>{Model{}, state};
}

// Summary of 1000 steps; a contact impacts every `steps` steps.
template <class Model>
auto flights_of(Real steps) {
  auto ball = thrown<Model>(Real(1));
  const auto summary = moreau::run(ball, 4 * ball.model.d / steps, 1000);
  CHECK_EQUAL(moreau::Status::ok, summary.status);
  CHECK_EQUAL(1000, int(summary.steps));
  return summary.flights;
}

}  // namespace

void test_flights_of_two_steps_are_short(void) {
  const auto two = flights_of<Second>(Real(2)), three = flights_of<Second>(Real(3));
  CHECK_WITHIN(2, 1000, int(two.impacts));                    // two walls
  CHECK_EQUAL(int(two.impacts) - 2, int(two.short_flights));  // the first flights have no begin
  CHECK(two.dt_too_long());
  CHECK_WITHIN(2, 667, int(three.impacts));
  CHECK_EQUAL(0, int(three.short_flights));
  CHECK(!three.dt_too_long());
}

// With flights of 2 and 3 steps in turn, half of the flights are short.
void test_share(void) {
  const auto mixed = flights_of<Second>(Real(2.5));
  CHECK_WITHIN(Real(0.01), Real(0.5), mixed.share());
  CHECK(mixed.dt_too_long());
  const auto fewer = flights_of<Second>(Real(2.7));
  CHECK_WITHIN(Real(0.01), Real(0.3), fewer.share());
  CHECK(!fewer.dt_too_long());
}

// A contact at rest impacts once.
void test_rest_has_no_flights(void) {
  auto ball = thrown<Second>(Real(0.1));
  ball.model.pull = Real(10), ball.model.eps_N = Real(0);
  const auto summary = moreau::run(ball, Real(1e-3), 500);
  CHECK(ball.state.rests(0));
  CHECK_EQUAL(1, int(summary.flights.impacts));
  CHECK_EQUAL(0, int(summary.flights.short_flights));

  // On a cam, gamma_A of a contact at rest is negative in many steps.
  using Cam = test::Second<models::Cam<Real>>;
  const Cam cam;
  moreau::Stepper follower{cam, models::state_at<Cam>(cam.start())};
  CHECK(moreau::run(follower, Real(1e-4), 10).advanced());
  CHECK(follower.state.rests(0));
  CHECK_EQUAL(0, int(moreau::run(follower, Real(1e-4), 1000).flights.impacts));
}

// Without second_order, contacts at rest impact in every step: no flights are counted.
void test_other_models_have_no_flights(void) {
  const auto flights = flights_of<Ball>(Real(2));
  CHECK_EQUAL(0, int(flights.impacts));
  CHECK_EQUAL(Real(0), flights.share());
  CHECK(!flights.dt_too_long());
}

// A change of the clock ends the flights.
void test_other_states_end_the_flights(void) {
  auto ball = thrown<Second>(Real(1));
  moreau::detail::FlightCounter<Second> counter;
  moreau::detail::ImpactFlights<Real> flights;
  const Real dt = 2 * ball.model.d;
  for (int n = 0; n < 100; ++n) {
    auto before = ball.state;
    CHECK(ball.step(dt).advanced());
    before.set_time(before.time() + Real(1));
    counter.add(ball.model, before, ball.state, flights);
  }
  CHECK_WITHIN(2, 100, int(flights.impacts));
  CHECK_EQUAL(0, int(flights.short_flights));
}

TEST_MAIN({
  TEST(test_flights_of_two_steps_are_short);
  TEST(test_share);
  TEST(test_rest_has_no_flights);
  TEST(test_other_models_have_no_flights);
  TEST(test_other_states_end_the_flights);
})
