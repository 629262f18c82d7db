// What a fallback costs: the two mechanisms of the tables where the closed forms do not reach. Every step starts from
// a state drawn at random - the play taken away, so that most contacts are closed at once; or the usual play and
// friction up to 2, which refutes guesses and asks for contacts that stick - and only the steps count that report a
// fallback: the attempt of the closed forms and what stands behind them, Lemke or the fixed sweeps.
//
// The largest count is the largest that was seen, not a proof. The sweeps are always as many as they are; Lemke's
// pivots are bounded by Lemke::max_pivots and its attempts.
#include <moreau/moreau.hpp>
#include <moreau/port/exit.hpp>

#include "count.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "support/bits_hash.hpp"

namespace {

#ifdef MOREAU_TEST_REAL
using Real = MOREAU_TEST_REAL;
#else
using Real = double;
#endif
const char* const scalar = sizeof(Real) == 4 ? "float" : "double";

struct Tally {
  int no_solution = 0, inexact = 0, other = 0;
};

// What a fallback is needed for, by turns.
template <class Toy>
void draw_woodpecker(test::Random& random, int n, Toy& toy, moreau::State<Toy>& state) {
  const auto between = [&](double low, double high) { return random.between(Real(low), Real(high)); };
  toy.mu = between(0, n % 3 == 0 ? 2 : 0.5);
  toy.r_M = toy.r_O + Real(n % 2 == 0 ? -7e-4 : 6e-4);                    // the sleeve tight on the pole, or as it is
  state.q = {between(-1, 1), between(-0.11, 0.11), between(-0.3, 0.13)};  // the beak closes at 0.12
  state.u = {between(-1, 1), between(-20, 20), between(-20, 20)};
}
template <class Crank>
void draw_slider_crank(test::Random& random, int n, Crank& crank, moreau::State<Crank>& state) {
  const auto between = [&](double low, double high) { return random.between(Real(low), Real(high)); };
  crank.mu = between(0, n % 3 == 0 ? 2 : 0.5);
  crank.play = Real(n % 2 == 0 ? -2e-3 : 1e-3);
  const Real theta = between(-3.1, 3.1);
  state.q = {theta, -theta / 2, between(-0.03, 0.03)};
  if (n % 4 != 0) state.q(1) = between(-0.01, 0.01), state.q(0) = between(-0.02, 0.02);
  state.u = {between(-150, 150), between(-75, 75), between(-50, 50)};
}

template <class Model, class Solver, class Draw>
Tally count_fallbacks(const char* model_name, const char* solver_name, Real dt, int steps, const Draw& draw) {
  moreau::Stepper<Model, Solver, moreau::Timing::constant> stepper{Model{}, moreau::State<Model>{}};
  bench::Count count{model_name, scalar, solver_name, "fallback"};
  count.only_fallbacks = true;
  test::Random random(91);
  test::BitsHash hash;
  Tally tally;
  for (int n = 0; n < steps; ++n) {
    draw(random, n, stepper.model, stepper.state);
    for (int i = 0; i < Model::contacts; ++i) stepper.state.P_N(i) = random.between(Real(0), Real(1e-2));
    const auto report = count.step(stepper, dt);
    tally.no_solution += report.status == moreau::Status::no_solution;
    tally.inexact += report.status == moreau::Status::inexact;
    tally.other += report.status > moreau::Status::no_solution;
    for (int j = 0; j < Model::dof; ++j) hash.add(stepper.state.u(j));
  }
  count.print(sizeof stepper, hash.value());
  moreau::port::print(model_name, ' ', solver_name, ": ", tally.inexact, " inexact, ", tally.no_solution,
                      " without a solution, ", tally.other, " refused");
  return tally;
}

}  // namespace

int main() {
  using Toy = models::Woodpecker<Real>;
  using Crank = models::SliderCrank<Real>;
  constexpr int steps = MOREAU_COUNT_STEPS;
  int refused = 0;
  refused += count_fallbacks<Toy, moreau::Exact>("woodpecker", "exact", Real(1e-4), steps, draw_woodpecker<Toy>).other;
  refused +=
      count_fallbacks<Toy, moreau::ClosedForms>("woodpecker", "closed", Real(1e-4), steps, draw_woodpecker<Toy>).other;
  refused +=
      count_fallbacks<Crank, moreau::Exact>("slidercrank", "exact", Real(1e-5), steps, draw_slider_crank<Crank>).other;
  refused +=
      count_fallbacks<Crank, moreau::ClosedForms>("slidercrank", "closed", Real(1e-5), steps, draw_slider_crank<Crank>)
          .other;
  return refused > 0 ? 1 : 0;
}
