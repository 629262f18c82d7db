// Every public name, used as documented. Also compiled alone as C++17 and C++20 with only the library and Eigen on the
// include path (gate interface.*), where MOREAU_INTERFACE_ONLY excludes Unity.
#include <moreau/moreau.hpp>
#include <type_traits>

#ifndef MOREAU_INTERFACE_ONLY
#include "support/test.hpp"
#else
using Real = double;
#define CHECK(condition) (void)(condition)
#endif

namespace {

// The smallest possible model, as in the documentation.
template <class R>
struct Toy {
  using Real = R;
  static constexpr int dof = 2, contacts = 1;
  moreau::Matrix<R, 2, 2> mass(const moreau::Vector<R, 2>&, R) const { return moreau::Matrix<R, 2, 2>::Identity(); }
  moreau::Vector<R, 2> force(const moreau::Vector<R, 2>&, const moreau::Vector<R, 2>&, R) const {
    return {R(0), R(-9.81)};
  }
  R gap(int, const moreau::Vector<R, 2>& q, R) const { return q(1); }
  moreau::Directions<R, 2> directions(int, const moreau::Vector<R, 2>&, R) const {
    moreau::Directions<R, 2> d{};
    d.w_N(1) = R(1);
    d.w_T(0) = R(1);
    d.zeta_N = R(0);
    d.zeta_T = R(0);
    return d;
  }
  moreau::ContactLaw<R> law(int) const { return {R(0.5), R(0), R(0.3)}; }
};

static_assert(std::is_same_v<moreau::Vector<double, 3>, moreau::Matrix<double, 3, 1>>, "one type");
static_assert(std::is_same_v<decltype(moreau::Directions<double, 2, 0>{}.zeta_T), double>, "scalar without tangents");
static_assert(std::is_same_v<decltype(moreau::Directions<double, 2, 1>{}.zeta_T), double>, "scalar with one tangent");
static_assert(std::is_same_v<decltype(moreau::Directions<double, 2, 2>{}.zeta_T), moreau::Vector<double, 2>>, "a pair");
static_assert(std::is_copy_constructible_v<moreau::State<Toy<double>>> &&
                  std::is_copy_assignable_v<moreau::State<Toy<double>>>,
              "State is a value type");
static_assert(moreau::State<Toy<double>>::bytes > 0, "compile-time constant");
static_assert(moreau::Psor{}.valid() && moreau::Lemke{}.valid() && moreau::Exact{}.valid(), "options are constexpr");
static_assert(std::is_same_v<decltype(moreau::Psor::omega), float> &&
                  std::is_same_v<decltype(moreau::Psor::tolerance), float> &&
                  std::is_same_v<decltype(moreau::Psor::max_iterations), int>,
              "options are float and int");
static_assert(
    std::is_same_v<moreau::Stepper<Toy<double>>, moreau::Stepper<Toy<double>, moreau::default_solver<Toy<double>>>>,
    "the default");
static_assert(!std::is_convertible_v<moreau::State<Toy<double>>, moreau::Stepper<Toy<double>>>, "explicit");

template <class Stepper>
bool runs(Stepper& toy) {
  using R = typename Stepper::Model::Real;
  bool good = true;
  for (int i = 0; i < 100; ++i) {
    const moreau::StepReport<R> report = toy.step(R(1e-3));
    good = good && report.advanced() && report.status == moreau::Status::ok && report.active >= 0 &&
           report.iterations >= 0 && report.fallbacks >= 0 && report.residual >= R(0) && report.relative >= R(0);
  }
  return good;
}

template <class R>
bool start_and_run() {
  moreau::State<Toy<R>> start;
  start.q = {R(0), R(0.01)};
  start.u = {R(1), R(0)};
  start.set_time(R(2));
  moreau::Stepper braces{Toy<R>{}, start};
  moreau::Stepper parentheses(Toy<R>{}, start);
  moreau::Stepper lemke{Toy<R>{}, start, moreau::Lemke{}};
  moreau::Stepper psor(Toy<R>{}, start, moreau::Psor{});
  moreau::Stepper cascade{Toy<R>{}, start, moreau::Cascade<moreau::Psor, moreau::Lemke>{}};
  moreau::Stepper<Toy<R>, moreau::Exact> exact(Toy<R>{}, start);
  return runs(braces) && runs(parentheses) && runs(lemke) && runs(psor) && runs(cascade) && runs(exact);
}

}  // namespace

void test_state_is_a_value(void) {
  moreau::State<Toy<Real>> zero;
  CHECK(zero.q.isZero() && zero.u.isZero() && zero.time() == Real(0));
  CHECK(zero.P_N.isZero() && zero.P_T.isZero() && zero.sigma_N[0] == 1 && zero.sigma_T[0] == 1);
  moreau::State<Toy<Real>> saved = zero;
  saved.q(0) = Real(1);
  zero = saved;
  CHECK(zero.q(0) == Real(1));
  CHECK(zero.clock.t0 == Real(0) && zero.clock.n == 0 && zero.clock.dt == Real(0));
}

void test_members_are_zero_by_default(void) {
  const moreau::Directions<Real, 2> d;
  const moreau::ContactLaw<Real> law;
  CHECK(d.w_N.isZero() && d.w_T.isZero() && d.zeta_N == Real(0) && d.zeta_T == Real(0));
  CHECK(law.eps_N == Real(0) && law.eps_T == Real(0) && law.mu == Real(0));
}

void test_every_constructor_of_the_stepper(void) {
  CHECK(start_and_run<float>());
  CHECK(start_and_run<double>());
}

void test_model_state_and_solver_are_public(void) {
  moreau::Stepper toy{Toy<Real>{}, moreau::State<Toy<Real>>{}};
  toy.model = Toy<Real>{};
  toy.state.u(0) = Real(1);
  toy.solver = moreau::Exact{};
  CHECK(toy.step(Real(1e-3)).advanced());
}

void test_every_status_has_a_name(void) {
  using moreau::Status;
  for (const Status status : {Status::ok, Status::inexact, Status::no_solution, Status::mass_not_positive_definite,
                              Status::constraints_dependent, Status::not_finite, Status::invalid_argument})
    CHECK(moreau::name(status)[0] != '\0');
}

void test_problem_set_by_hand(void) {
  moreau::ContactProblem<Real, 1> problem;
  moreau::Workspace<moreau::Lemke, moreau::ContactProblem<Real, 1>> work;
  problem.k = 1;
  problem.G << Real(1), Real(0), Real(0), Real(1);
  problem.c << Real(-1), Real(0);
  problem.mu << Real(0.5);
  moreau::ContactProblem<Real, 1>::Percussions P(Real(0), Real(0));
  const int iterations = moreau::solve(problem, moreau::Lemke{}, work, P);
  CHECK(iterations > 0 && P(0) > Real(0.5));
}

#ifndef MOREAU_INTERFACE_ONLY
TEST_MAIN({
  TEST(test_state_is_a_value);
  TEST(test_members_are_zero_by_default);
  TEST(test_every_constructor_of_the_stepper);
  TEST(test_model_state_and_solver_are_public);
  TEST(test_every_status_has_a_name);
  TEST(test_problem_set_by_hand);
})
#else
int main() {
  test_state_is_a_value();
  test_members_are_zero_by_default();
  test_every_constructor_of_the_stepper();
  test_model_state_and_solver_are_public();
  test_every_status_has_a_name();
  test_problem_set_by_hand();
}
#endif
