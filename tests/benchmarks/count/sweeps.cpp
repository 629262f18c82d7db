// Cost of Sweeps in constant time (rows `psor`), with the same number of sweeps in every step: a planar mechanism,
// one on three spatial feet (and Psor, which stops at convergence), a four-bar with clearance in three pins, a body
// on four spatial feet. The slider-crank is omitted: two closed corners of its light slider require more sweeps.
// Spatial mechanisms also with Newton in both timing modes; two rounds solve all constant-time steps there.
#include <moreau/port/exit.hpp>

#include "models/four_bar.hpp"
#include "models/oblique_oscillator.hpp"
#include "models/woodpecker.hpp"
#include "support/feet.hpp"
#include "trajectory.hpp"

namespace {

using counting::Real;
counting::Unsolved unsolved;

template <moreau::Timing timing, class Model>
void count_steps(const char* name, const Model& model, const moreau::State<Model>& start, Real dt, int steps) {
  std::conditional_t<timing == moreau::Timing::constant, moreau::Sweeps, moreau::Psor> solver;
  counting::count_trajectory<timing>(name, "psor", model, start, solver, dt, steps, unsolved);
}

// A tenth of the steps: all constant-time steps execute the same instructions, and each costs ten times the others.
template <class Model>
void count_newton(const char* name, const Model& model, const moreau::State<Model>& start, Real dt, int steps) {
  using moreau::Timing;
  moreau::Newton two_rounds;
  two_rounds.rounds = 2;
  counting::count_trajectory<Timing::constant>(name, "newton", model, start, two_rounds, dt, steps, unsolved);
  counting::count_trajectory<Timing::variable>(name, "newton", model, start, moreau::Newton{}, dt, steps, unsolved);
}

}  // namespace

int main() {
  using moreau::Timing;
  constexpr int steps = MOREAU_COUNT_STEPS;
  using Toy = models::Woodpecker<Real>;
  using Oblique = models::ObliqueOscillator<Real>;
  count_steps<Timing::constant>("woodpecker", Toy{}, models::state_at<Toy>(Toy{}.start()), Real(1e-4), steps);
  Oblique oblique;
  oblique.mu = Real(0.13);  // sticks and slips
  const auto on_its_feet = models::state_at<Oblique>(oblique.start());
  count_steps<Timing::constant>("oblique", oblique, on_its_feet, Real(1e-4), steps);
  count_steps<Timing::variable>("oblique", oblique, on_its_feet, Real(1e-4), steps);
  count_newton("oblique", oblique, on_its_feet, Real(1e-4), steps / 10);
  using FourBar = models::FourBarWithPlay<Real>;
  const auto pinned = models::four_bar_start<FourBar>(Real(30));
  count_steps<Timing::constant>("fourbar", FourBar{}, pinned, Real(1e-4), steps);
  using Feet = test::Feet<Real, 4>;
  count_steps<Timing::constant>("feet", Feet{}, Feet{}.start(), Real(1e-4), steps);
  count_newton("feet", Feet{}, Feet{}.start(), Real(1e-4), steps / 10);
  return unsolved.exit_code();
}
