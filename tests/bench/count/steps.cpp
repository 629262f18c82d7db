// The two mechanisms that the tables show, each with every planar solver, over trajectories full of impacts.
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
int not_advanced = 0;

template <class Model, class Solver>
void count_steps(const char* model_name, const char* solver_name, const Solver& solver, Real dt, int steps) {
  const Model model;
  moreau::State<Model> start;
  start.q = model.start().q;
  start.u = model.start().u;
  moreau::Stepper<Model, Solver> stepper{model, start, solver};
  bench::Count count{model_name, scalar, solver_name, "data"};
  test::BitsHash hash;
  for (int n = 0; n < steps; ++n) {
    if (!count.step(stepper, dt).advanced()) ++not_advanced;
    for (int i = 0; i < Model::dof; ++i) {
      hash.add(stepper.state.q(i));
      hash.add(stepper.state.u(i));
    }
  }
  count.print(sizeof stepper, hash.value());
}

template <class Model>
void count_solvers(const char* name, Real dt, int steps) {
  count_steps<Model>(name, "exact", moreau::Exact{}, dt, steps);
  count_steps<Model>(name, "lemke", moreau::Lemke{}, dt, steps);
  count_steps<Model>(name, "psor", moreau::Psor{}, dt, steps);
}

}  // namespace

int main() {
  count_solvers<models::Woodpecker<Real>>("woodpecker", Real(1e-4), MOREAU_COUNT_STEPS);
  count_solvers<models::SliderCrank<Real>>("slidercrank", Real(1e-5), MOREAU_COUNT_STEPS);
  if (not_advanced > 0) moreau::port::print(not_advanced, " steps did not advance");
  return not_advanced > 0 ? 1 : 0;
}
