// Psor in constant time, with the same number of sweeps in every step: a planar mechanism, one on three feet in space
// (beside Psor that stops when it has settled), a four-bar with three loose pins. Two closed corners of a light slider
// are too much for as many sweeps: the slider-crank is not among them.
#include <moreau/moreau.hpp>
#include <moreau/port/exit.hpp>

#include "count.hpp"
#include "models/four_bar.hpp"
#include "models/oblique_oscillator.hpp"
#include "models/woodpecker.hpp"
#include "support/bits_hash.hpp"

namespace {

#ifdef MOREAU_TEST_REAL
using Real = MOREAU_TEST_REAL;
#else
using Real = double;
#endif
const char* const scalar = sizeof(Real) == 4 ? "float" : "double";
constexpr int sweeps = 50;
int not_advanced = 0, inexact = 0;

template <moreau::Timing timing, class Model>
void count_steps(const char* name, const Model& model, const moreau::State<Model>& start, Real dt, int steps) {
  moreau::Psor psor;
  if (timing == moreau::Timing::constant) psor.max_iterations = sweeps;
  moreau::Stepper<Model, moreau::Psor, timing> stepper{model, start, psor};
  bench::Count count{name, scalar, "psor", timing == moreau::Timing::data ? "data" : "const"};
  test::BitsHash hash;
  inexact = 0;
  for (int n = 0; n < steps; ++n) {
    const auto report = count.step(stepper, dt);
    if (!report.advanced()) ++not_advanced;
    if (report.status == moreau::Status::inexact) ++inexact;
    for (int i = 0; i < Model::dof; ++i) {
      hash.add(stepper.state.q(i));
      hash.add(stepper.state.u(i));
    }
  }
  count.print(sizeof stepper, hash.value());
  moreau::port::print(name, ": ", inexact, " of ", steps, " steps are inexact");
}

template <class Model>
moreau::State<Model> start_of(const Model& model) {
  moreau::State<Model> start;
  start.q = model.start().q;
  start.u = model.start().u;
  return start;
}

}  // namespace

int main() {
  using moreau::Timing;
  constexpr int steps = MOREAU_COUNT_STEPS;
  const models::Woodpecker<Real> toy;
  count_steps<Timing::constant>("woodpecker", toy, start_of(toy), Real(1e-4), steps);
  models::ObliqueOscillator<Real> oblique;
  oblique.mu = Real(0.13);  // sticks and slips
  count_steps<Timing::constant>("oblique", oblique, start_of(oblique), Real(1e-4), steps);
  count_steps<Timing::data>("oblique", oblique, start_of(oblique), Real(1e-4), steps);
  using FourBar = models::FourBarWithPlay<Real>;
  const auto pinned = models::four_bar_start<FourBar>(Real(30));
  count_steps<Timing::constant>("fourbar", FourBar{}, pinned, Real(1e-4), steps);
  if (not_advanced > 0) moreau::port::print(not_advanced, " steps did not advance");
  return not_advanced > 0 ? 1 : 0;
}
