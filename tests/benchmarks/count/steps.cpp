// Cost of a step for the two mechanisms of the tables: with every planar solver, in both timing modes, and hand-written
// for the one mechanism (solver "hand"), over trajectories with many impacts.
#include <moreau/port/exit.hpp>

#include "benchmarks/handwritten/slider_crank.hpp"
#include "benchmarks/handwritten/woodpecker.hpp"
#include "models/slider_crank.hpp"
#include "models/woodpecker.hpp"
#include "trajectory.hpp"

namespace {

using counting::Real, counting::scalar;
counting::Unsolved unsolved;

template <class Model, moreau::Timing timing = moreau::Timing::variable, class Solver = moreau::Exact>
void count_steps(const char* name, const char* solver_name, const Solver& solver, Real dt, int steps) {
  const Model model;
  counting::count_trajectory<timing>(name, solver_name, model, models::state_at<Model>(model.start()), solver, dt,
                                     steps, unsolved);
}

// Adapter that counts a step without a report.
template <class Hand>
struct Reporting {
  Hand hand;
  struct Report {
    int fallbacks;
  };
  Report step(Real) {
    hand.step();
    return {0};
  }
};

template <class Hand, class Model>
void count_hand(const char* name, Real dt, int steps) {
  Reporting<Hand> stepper{Hand(Model{}, dt)};
  counting::Count count{name, scalar, "hand", "variable"};
  test::BitsHash hash;
  for (int n = 0; n < steps; ++n) {
    (void)count.step(stepper, dt);
    for (const Real q : stepper.hand.q) hash.add(q);
  }
  unsolved.not_advanced += static_cast<int>(stepper.hand.unsolved);
  count.print(sizeof stepper, hash.value());
}

template <class Hand, class Model>
void count_solvers(const char* name, Real dt, int steps) {
  count_hand<Hand, Model>(name, dt, steps);
  count_steps<Model, moreau::Timing::constant>(name, "exact", moreau::Exact{}, dt, steps);
  count_steps<Model>(name, "exact", moreau::Exact{}, dt, steps);
  count_steps<Model, moreau::Timing::constant>(name, "closed", moreau::ClosedForms{}, dt, steps);
  count_steps<Model>(name, "closed", moreau::ClosedForms{}, dt, steps);
  count_steps<Model>(name, "lemke", moreau::Lemke{}, dt, steps);
  count_steps<Model>(name, "psor", moreau::Psor{}, dt, steps);
}

}  // namespace

int main() {
  count_solvers<counting::HandWoodpecker<Real>, models::Woodpecker<Real>>("woodpecker", Real(1e-4), MOREAU_COUNT_STEPS);
  count_solvers<counting::HandSliderCrank<Real>, models::SliderCrank<Real>>("slidercrank", Real(1e-5),
                                                                            MOREAU_COUNT_STEPS);
  return unsolved.exit_code();
}
